/* test_addressed.h: programs on drivers with a GPU MMU. Their commands are in memory of their own
 * that the GPU finds by an address, and name addresses; the GPU checks contents. With "mmu io" the
 * addresses are the CPU's, and allocations are in system memory.
 *
 *     start(gpu)                    build(gpu) and begin(): machine, GPU, adapter, program `first`
 *     begin_program(&second, 2)     one more, with addresses of its own
 *     create(), map(), make(), evict(), reserve(), update()
 *     touch(program, allocation, address, write)    by the GPU, to its end
 *     finish()                      no fault, and each byte as it must be
 */
#ifndef TEST_UNIT_TEST_ADDRESSED_H
#define TEST_UNIT_TEST_ADDRESSED_H

#include "test_adapter_rig.h"

#include <stdlib.h>

#include <vidmm/budget.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <wddm/d3dkmddi_allocation.h>

#define BASE "mmu gpu\npaging_buffer_segment 1\n"
#define BASE_APERTURE "segment 1 aperture 1M\n"        /* if the text has none */
#define BASE_MEMORY "segment 2 memory 1M cpuvisible\n" /* the same */
#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)
#define AT UINT64_C(0x4000000)

enum { IN_CACHES = 5, OF_PROGRAM = 0x10 }; /* CpuVisible and Cached; ExistingSysMem */
enum { APERTURE = 1, MEMORY = 2 };         /* segment sets */

/* A program: its device, and its commands. */
struct program {
    struct vidmm_device *device;
    struct vidmm_context *context;
    struct vidmm_paging_queue *queue;
    char *bytes; /* a page: the commands */
    struct vidmm_allocation *commands;
    uint64_t address; /* of the commands */
    uint64_t value;   /* of its newest submission */
};

static struct rig rig;
static struct program first, second;
static uint64_t touched;  /* references that the GPU is to check */
static bool shares;       /* mmu io */
static bool apart_caches; /* the next machine's caches are */
static bool in_either;    /* what is created may be in memory and in the aperture */

static inline void passes(struct program *program, NTSTATUS status, uint64_t value)
{
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(program->queue, value, &rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
}

static inline void make(struct program *program, struct vidmm_allocation *allocation)
{
    struct vidmm_residency_result result;
    NTSTATUS status = vidmm_make_resident(program->queue, &allocation, 1, 0, &result, &rig.report);

    passes(program, status, result.value);
}

static inline void evict(struct program *program, struct vidmm_allocation *allocation)
{
    assert_int_equal(vidmm_evict(program->device, &allocation, 1, 0, NULL, &rig.report),
                     STATUS_SUCCESS);
}

static inline NTSTATUS ask_to_map(struct program *program, struct vidmm_allocation *allocation,
                                  uint64_t base, uint64_t offset, uint64_t size, uint64_t *address,
                                  uint64_t *value)
{
    const struct vidmm_address_request request = {.base = base, .size = size};
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .access = VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE,
                                          .allocation = allocation,
                                          .offset = offset};

    return vidmm_map_addresses(program->queue, &request, &use, address, value, &rig.report);
}

static inline uint64_t map(struct program *program, struct vidmm_allocation *allocation,
                           uint64_t base)
{
    uint64_t address = 0, value = 0;
    NTSTATUS status = shares ? vidmm_shared_address(allocation, &address, &rig.report)
                             : ask_to_map(program, allocation, base, 0,
                                          vidmm_allocation_size(allocation), &address, &value);

    passes(program, status, value);
    return address;
}

/* The program's commands are to be in a page of its own memory. */
static const struct softgpu_allocation commands_wish = {
    .magic = SOFTGPU_ALLOCATION_MAGIC,
    .flags = OF_PROGRAM,
    .size = VIDMM_PAGE_SIZE,
    .read_set = APERTURE,
    .write_set = APERTURE,
    .priority = SOFTGPU_PRIORITY_NORMAL,
};

static inline void init_program(struct program *program)
{
    *program = (struct program){.bytes = aligned_alloc(VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE)};
    assert_non_null(program->bytes);
    memset(program->bytes, 0, VIDMM_PAGE_SIZE);
}

static inline void begin_program(struct program *program, uint64_t process)
{
    struct softgpu_allocation wish = commands_wish;

    wish.flags |= apart_caches ? IN_CACHES : 0;
    init_program(program);
    if (vidmm_device_create(rig.adapter, process, &program->device, &rig.report) != 0 ||
        vidmm_context_create(program->device, 0, NULL, 0, &program->context, &rig.report) != 0 ||
        vidmm_paging_queue_create(program->device, 1, &program->queue, &rig.report) != 0)
        fail_msg("%s", rig.report.text);
    if (vidmm_allocation_create_over(program->device, &wish, sizeof(wish), program->bytes,
                                     VIDMM_PAGE_SIZE, &program->commands, &rig.report) != 0)
        fail_msg("%s", rig.report.text);
    make(program, program->commands);
    program->address = map(program, program->commands, 0);
}

static inline void end_program(struct program *program)
{
    vidmm_device_destroy(program->device);
    free(program->bytes);
}

/* A machine, and a GPU with page tables: these lines, over a memory of 256 pages. */
static inline void build(const char *gpu)
{
    struct rig_options options = rig_defaults();
    static char text[400];

    snprintf(text, sizeof(text), "%s" BASE "%s%s%s", strstr(gpu, "wddm") ? "" : "wddm 2.6\n",
             strstr(gpu, "segment 1 ") ? "" : BASE_APERTURE,
             strstr(gpu, "segment 2") ? "" : BASE_MEMORY, gpu);
    options.gpu = text;
    options.caches_apart = apart_caches;
    options.system_memory = in_either ? 64 << 20 : 0;
    rig_build(&rig, &options);
    touched = 0;
    shares = strstr(gpu, "mmu io") != NULL;
}

static inline void begin(void)
{
    if (rig_start(&rig) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    begin_program(&first, 1);
}

static inline void start(const char *gpu)
{
    build(gpu);
    begin();
}

static inline void finish(void)
{
    struct softgpu_statistics gpu;

    end_program(&first);
    rig_judge(&rig, rig.gpu);
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, 0);
    assert_int_equal(gpu.content_checks, touched);
    rig_finish(&rig);
}

static inline void create(struct program *program, struct rig_allocation *allocation,
                          uint32_t pages)
{
    struct vidmm_device *own = rig.device;

    rig.device = program->device;
    if (rig_create(&rig, allocation, BYTES(pages),
                   shares      ? APERTURE
                   : in_either ? APERTURE | MEMORY
                               : MEMORY,
                   0) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    rig.device = own;
}

static inline NTSTATUS submit(struct program *program, uint32_t length)
{
    const struct vidmm_command command = {.address = program->address, .length = length};

    return vidmm_submit_command(program->context, &command, true, &program->value, &rig.report);
}

/* Write the command by which the GPU checks an allocation at an address, and writes it. Answers its
 * length. */
static inline uint32_t write_touch(const struct program *program,
                                   const struct rig_allocation *allocation, uint64_t address,
                                   bool write)
{
    struct {
        struct softgpu_virtual_touch touch;
        struct softgpu_virtual_reference reference;
    } *words = (void *)program->bytes;

    words->touch = (struct softgpu_virtual_touch){
        .command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*words)}, .reference_count = 1, .seed = RIG_SEED};
    words->reference = (struct softgpu_virtual_reference){
        .gpuva = address,
        .pages = allocation->pages,
        .digest = allocation->digest,
        .content_id = allocation->id,
        .generation = allocation->generation,
        .flags = write ? SOFTGPU_REFERENCE_WRITE : 0,
    };
    return sizeof(*words);
}

/* Queue it. */
static inline void queue_touch(struct program *program, struct rig_allocation *allocation,
                               uint64_t address, bool write)
{
    if (program->value != 0) /* the commands are in one place */
        assert_int_equal(vidmm_context_wait(program->context, program->value), STATUS_SUCCESS);
    if (submit(program, write_touch(program, allocation, address, write)) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    allocation->generation += write ? 1 : 0;
    touched++;
}

/* ... and wait for its end. */
static inline void touch(struct program *program, struct rig_allocation *allocation,
                         uint64_t address, bool write)
{
    queue_touch(program, allocation, address, write);
    assert_int_equal(vidmm_context_wait(program->context, program->value), STATUS_SUCCESS);
}

/* ... where the GPU finds nothing. */
static inline void touch_and_fault(struct program *program, struct rig_allocation *allocation,
                                   uint64_t address)
{
    queue_touch(program, allocation, address, false);
    vidmm_context_wait(program->context, program->value);
    vidmm_machine_settle(rig.machine);
    touched--;
}

/* ---- reservations ---------------------------------------------------------------------------- */

static inline uint64_t reserve(uint64_t base, uint64_t size, uint32_t state)
{
    const struct vidmm_address_request request = {.base = base, .size = size};
    uint64_t address = 0, value = 0;
    NTSTATUS status = vidmm_reserve_addresses(first.device, first.queue, &request, state, 0,
                                              &address, &value, &rig.report);

    passes(&first, status, value);
    return address;
}

static inline NTSTATUS update(uint64_t base, uint64_t size, uint32_t state,
                              struct vidmm_allocation *allocation, uint64_t offset)
{
    const struct vidmm_address_use use = {
        .state = state,
        .access = state == VIDMM_ADDRESSES_MAPPED ? VIDMM_ADDRESSES_WRITE : 0,
        .allocation = allocation,
        .offset = offset};
    uint64_t value = 0;
    NTSTATUS status = vidmm_update_addresses(first.queue, base, size, &use, &value, &rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(first.queue, value, &rig.report);
    return status;
}

#endif
