/* test_fence_rig.h: an adapter on a software GPU of WDDM 2, and programs with fences, contexts, and
 * commands that fill pages, signal and wait.
 *
 *     fence_start(gpu)                machine, GPU, adapter, the program `one`
 *     fence_fill(program, pattern)    a command that fills the program's page; its value
 *     fence_finish()                  nothing was refused, and nothing is left
 */
#ifndef TEST_UNIT_TEST_FENCE_RIG_H
#define TEST_UNIT_TEST_FENCE_RIG_H

#include "test_adapter_rig.h"

#include <stdlib.h>

#include <vidmm/fence.h>
#include <vidmm/host.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>

#define FENCE_GPU                                                                                  \
    "segment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\nmmu gpu\npaging_buffer_segment 1\n"

/* A program: a device, two contexts, and two pages of memory, of commands and of what they fill. */
struct program {
    struct vidmm_device *device;
    struct vidmm_context *contexts[2];
    struct vidmm_paging_queue *queue;
    char *pages;
    struct vidmm_allocation *memory;
    uint64_t address; /* of the pages */
    uint32_t used;    /* bytes of commands */
};

static struct rig fence_rig;
static DRIVER_INITIALIZATION_DATA fence_driver;
static bool fence_submits_fail; /* DxgkDdiSubmitCommandVirtual answers nonsense */
static struct program one, two;

static inline void fence_succeeds(NTSTATUS status, const char *what)
{
    if (status != STATUS_SUCCESS)
        fail_msg("%s: 0x%08x: %s", what, (unsigned)status, fence_rig.report.text);
}

static inline struct vidmm_fence *fence_make(struct vidmm_device *device, uint64_t value,
                                             uint32_t flags)
{
    struct vidmm_fence *fence = NULL;

    fence_succeeds(vidmm_fence_create(device, value, flags, &fence, &fence_rig.report), "create");
    return fence;
}

static inline NTSTATUS fence_signal(struct vidmm_fence *fence, uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    return vidmm_fence_signal(one.device, &point, 1, &fence_rig.report);
}

static inline NTSTATUS fence_wait(struct vidmm_fence *fence, uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    return vidmm_fence_wait(one.device, &point, 1, false, &fence_rig.report);
}

static inline void fence_map(struct program *program)
{
    const struct vidmm_address_request request = {.size = 2 * VIDMM_PAGE_SIZE};
    const struct vidmm_address_use use = {
        .state = VIDMM_ADDRESSES_MAPPED,
        .access = VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE,
        .allocation = program->memory,
    };
    struct vidmm_residency_result result = {0};
    NTSTATUS status;

    status =
        vidmm_make_resident(program->queue, &program->memory, 1, 0, &result, &fence_rig.report);
    assert_int_equal(status, STATUS_PENDING);
    fence_succeeds(vidmm_paging_queue_wait(program->queue, result.value, &fence_rig.report),
                   "residency");
    status = vidmm_map_addresses(program->queue, &request, &use, &program->address, &result.value,
                                 &fence_rig.report);
    assert_int_equal(status, STATUS_PENDING);
}

/* With addresses it has pages; without, it has none. */
static inline void fence_begin(struct program *program, uint64_t process, bool addresses)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = (DXGK_ALLOCATIONINFOFLAGS){.ExistingSysMem = 1}.Value,
        .size = 2 * VIDMM_PAGE_SIZE,
        .read_set = 1,
        .write_set = 1,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    struct vidmm_report *report = &fence_rig.report;

    memset(program, 0, sizeof(*program));
    fence_succeeds(vidmm_device_create(fence_rig.adapter, process, &program->device, report),
                   "device");
    for (unsigned i = 0; i < 2; i++)
        fence_succeeds(
            vidmm_context_create(program->device, 0, NULL, 0, &program->contexts[i], report),
            "context");
    fence_succeeds(vidmm_paging_queue_create(program->device, VIDMM_PAGING_QUEUE_NORMAL,
                                             &program->queue, report),
                   "paging queue");
    if (!addresses)
        return;
    program->pages = aligned_alloc(VIDMM_PAGE_SIZE, 2 * VIDMM_PAGE_SIZE);
    assert_non_null(program->pages);
    memset(program->pages, 0, 2 * VIDMM_PAGE_SIZE);
    fence_succeeds(vidmm_allocation_create_over(program->device, &wish, sizeof(wish),
                                                program->pages, 2 * VIDMM_PAGE_SIZE,
                                                &program->memory, report),
                   "allocation");
    fence_map(program);
}

static inline void fence_begin_two(uint64_t process)
{
    fence_begin(&two, process, true);
}

static inline void fence_end(struct program *program)
{
    vidmm_device_destroy(program->device);
    free(program->pages);
}

static inline NTSTATUS fence_submitted(HANDLE adapter,
                                       const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    return fence_submits_fail ? STATUS_UNSUCCESSFUL
                              : fence_driver.DxgkDdiSubmitCommandVirtual(adapter, arguments);
}

static inline void fence_start_with(const char *gpu, struct rig_options options)
{
    char text[400];

    snprintf(text, sizeof(text), "%s%s", strstr(gpu, "wddm") ? "" : "wddm 2.6\n" FENCE_GPU, gpu);
    options.gpu = text;
    rig_build(&fence_rig, &options);
    fence_driver = fence_rig.driver;
    fence_rig.driver.DxgkDdiSubmitCommandVirtual = fence_submitted;
    fence_submits_fail = false;
    fence_succeeds(rig_start(&fence_rig), "start");
    fence_begin(&one, 1, strstr(text, "mmu gpu") != NULL);
}

static inline void fence_start(const char *gpu)
{
    fence_start_with(gpu, rig_defaults());
}

static inline void fence_finish(void)
{
    fence_end(&one);
    rig_judge(&fence_rig, fence_rig.gpu);
    rig_finish(&fence_rig);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Queue a command on a context; answers its value. */
static inline uint64_t fence_submit(struct program *program, unsigned context, const void *command,
                                    uint32_t size)
{
    struct vidmm_command commands = {.address = program->address + program->used, .length = size};
    uint64_t value = 0;

    assert_in_range(program->used + size, 1, VIDMM_PAGE_SIZE);
    memcpy(program->pages + program->used, command, size);
    program->used += size;
    fence_succeeds(vidmm_submit_command(program->contexts[context], &commands, true, &value,
                                        &fence_rig.report),
                   "submit");
    return value;
}

/* Fill 64 bytes of the second page, from `offset` on. */
static inline uint64_t fence_fill(struct program *program, unsigned context, uint32_t offset,
                                  uint32_t pattern)
{
    const struct softgpu_virtual_fill fill = {
        .command = {SOFTGPU_VIRTUAL_FILL, sizeof(fill)},
        .bytes = 64,
        .gpuva = program->address + VIDMM_PAGE_SIZE + offset,
        .space = SOFTGPU_VIRTUAL_SPACE,
        .pattern = pattern,
    };

    return fence_submit(program, context, &fill, sizeof(fill));
}

static inline uint32_t fence_filled(const struct program *program, uint32_t offset)
{
    uint32_t word;

    memcpy(&word, program->pages + VIDMM_PAGE_SIZE + offset, sizeof(word));
    return word;
}

static inline uint64_t fence_address(struct vidmm_fence *fence, struct program *program)
{
    uint64_t address = 0;

    fence_succeeds(vidmm_fence_gpu_address(fence, program->device, &address, &fence_rig.report),
                   "address");
    assert_int_equal(address % 8, 0);
    return address;
}

static inline uint64_t fence_gpu_signal(struct program *program, unsigned context,
                                        struct vidmm_fence *fence, uint64_t value)
{
    const struct softgpu_virtual_signal signal = {
        .command = {SOFTGPU_VIRTUAL_SIGNAL, sizeof(signal)},
        .gpuva = fence_address(fence, program),
        .value = value,
    };

    return fence_submit(program, context, &signal, sizeof(signal));
}

static inline bool fence_is_never(void *argument)
{
    (void)argument;
    return false;
}

/* Let the machine go on for a second: that is longer than all it has to do, and shorter than what a
 * packet may take. */
static inline void fence_settle(void)
{
    const struct vidmm_host *host = vidmm_slot_host(fence_rig.slot);

    host->wait(host->context, fence_is_never, NULL, UINT64_C(1000000000));
}

#endif
