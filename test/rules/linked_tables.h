/* linked_tables.h: a program on a link of GPUs with page tables: a context and a paging queue on
 * each of them, and commands at one address for all.
 *
 *     struct linked_program program;
 *     linked_begin(&shown, &program, links, gpu);
 *     linked_create(&program, &one, pages, gpu)     in the memory of that GPU
 *     linked_map(&program, gpu, &one, base)         in the tables of that one
 *     linked_touch(&program, gpu, &one, address, write)   by that one, to its end
 *     linked_finish(&program);                      no fault, and each byte as it must be
 */
#ifndef TEST_RULES_LINKED_TABLES_H
#define TEST_RULES_LINKED_TABLES_H

#include "rules_rig.h"

#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <wddm/d3dkmddi_allocation.h>

#define LINKED_GPU                                                                                 \
    "wddm 2.6\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\nmmu gpu\n"                   \
    "paging_buffer_segment 1\n"

struct linked_program {
    struct shown *shown;
    struct vidmm_device *device;
    struct {
        struct vidmm_context *context;
        struct vidmm_paging_queue *queue;
        uint64_t value; /* of its newest submission */
        uint64_t touched;
    } on[SOFTGPU_LINKS];
    char *bytes; /* a page: the commands */
    struct vidmm_allocation *commands;
    uint64_t address;
    uint32_t links;
};

static inline void linked_passes(struct linked_program *program, uint32_t gpu, NTSTATUS status,
                                 uint64_t value)
{
    if (status == STATUS_PENDING)
        status =
            vidmm_paging_queue_wait(program->on[gpu].queue, value, &program->shown->rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, program->shown->rig.report.text);
}

static inline uint64_t linked_map_handle(struct linked_program *program, uint32_t gpu,
                                         struct vidmm_allocation *handle, uint64_t base)
{
    const struct vidmm_address_request request = {.base = base,
                                                  .size = vidmm_allocation_size(handle)};
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .access = VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE,
                                          .allocation = handle};
    uint64_t address = 0, value = 0;
    NTSTATUS status = vidmm_map_addresses(program->on[gpu].queue, &request, &use, &address, &value,
                                          &program->shown->rig.report);

    linked_passes(program, gpu, status, value);
    return address;
}

static inline uint64_t linked_map(struct linked_program *program, uint32_t gpu,
                                  struct rig_allocation *allocation, uint64_t base)
{
    return linked_map_handle(program, gpu, allocation->handle, base);
}

static inline void linked_make_resident(struct linked_program *program,
                                        struct vidmm_allocation *handle)
{
    struct vidmm_residency_result result;
    NTSTATUS status = vidmm_make_resident(program->on[0].queue, &handle, 1, 0, &result,
                                          &program->shown->rig.report);

    linked_passes(program, 0, status, result.value);
}

static inline void linked_begin_program(struct linked_program *program, uint64_t process)
{
    struct rig *rig = &program->shown->rig;
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = 0x10, /* ExistingSysMem */
        .size = VIDMM_PAGE_SIZE,
        .read_set = 1,
        .write_set = 1,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };

    program->links = rig->options.links;
    assert_int_equal(vidmm_device_create(rig->adapter, process, &program->device, &rig->report), 0);
    for (uint32_t gpu = 0; gpu < program->links; gpu++)
        if (vidmm_context_create_on(program->device, 0, 1u << gpu, NULL, 0,
                                    &program->on[gpu].context, &rig->report) != 0 ||
            vidmm_paging_queue_create_for(program->device, 1, gpu, &program->on[gpu].queue,
                                          &rig->report) != 0)
            fail_msg("%s", rig->report.text);
    program->bytes = aligned_alloc(VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE);
    assert_non_null(program->bytes);
    memset(program->bytes, 0, VIDMM_PAGE_SIZE);
    if (vidmm_allocation_create_over(program->device, &wish, sizeof(wish), program->bytes,
                                     VIDMM_PAGE_SIZE, &program->commands, &rig->report) != 0)
        fail_msg("%s", rig->report.text);
    linked_make_resident(program, program->commands);
    for (uint32_t gpu = 0; gpu < program->links; gpu++)
        program->address = linked_map_handle(program, gpu, program->commands, program->address);
}

static inline void linked_begin(struct shown *shown, struct linked_program *program, uint32_t links,
                                const char *gpu, void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct rig_options options = rig_defaults();

    options.links = links;
    options.gpu = gpu;
    shown_init(shown, &options, bend);
    memset(program, 0, sizeof(*program));
    program->shown = shown;
    linked_begin_program(program, 2);
}

/* An allocation in memory of one GPU, which is resident. */
static inline void linked_create(struct linked_program *program, struct rig_allocation *allocation,
                                 uint64_t pages, uint32_t gpu)
{
    struct rig *rig = &program->shown->rig;
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .size = pages * VIDMM_PAGE_SIZE,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
        .gpu = gpu,
    };

    memset(allocation, 0, sizeof(*allocation));
    if (vidmm_allocation_create(program->device, &wish, sizeof(wish), &allocation->handle,
                                &rig->report) != 0)
        fail_msg("%s", rig->report.text);
    allocation->id = ++rig->next_id;
    allocation->pages = pages;
    linked_make_resident(program, allocation->handle);
}

/* Queue a command of one GPU on what it finds at an address. */
static inline void linked_queue(struct linked_program *program, uint32_t gpu,
                                struct rig_allocation *allocation, uint64_t address, bool write)
{
    struct {
        struct softgpu_virtual_touch touch;
        struct softgpu_virtual_reference reference;
    } *words = (void *)program->bytes;
    const struct vidmm_command command = {.address = program->address, .length = sizeof(*words)};

    for (uint32_t other = 0; other < program->links; other++) /* the commands are in one place */
        if (program->on[other].value != 0)
            vidmm_context_wait(program->on[other].context, program->on[other].value);
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
    if (vidmm_submit_command(program->on[gpu].context, &command, true, &program->on[gpu].value,
                             &program->shown->rig.report) != STATUS_SUCCESS)
        fail_msg("%s", program->shown->rig.report.text);
    allocation->generation += write ? 1 : 0;
    program->on[gpu].touched++;
}

/* ... and wait for its end. */
static inline void linked_touch(struct linked_program *program, uint32_t gpu,
                                struct rig_allocation *allocation, uint64_t address, bool write)
{
    linked_queue(program, gpu, allocation, address, write);
    assert_int_equal(vidmm_context_wait(program->on[gpu].context, program->on[gpu].value),
                     STATUS_SUCCESS);
}

static inline struct softgpu_device *linked_gpu(const struct linked_program *program, uint32_t gpu)
{
    return gpu == 0 ? program->shown->rig.gpu : program->shown->rig.more_gpus[gpu];
}

/* The end: each GPU has checked what it was told to, and nothing was wrong. */
static inline void linked_finish(struct linked_program *program)
{
    struct shown *shown = program->shown;

    vidmm_device_destroy(program->device);
    free(program->bytes);
    shown_settle(shown);
    for (uint32_t gpu = 0; gpu < program->links; gpu++) {
        struct softgpu_statistics statistics;

        rig_judge(&shown->rig, linked_gpu(program, gpu));
        softgpu_device_statistics(linked_gpu(program, gpu), &statistics);
        assert_int_equal(statistics.page_faults, 0);
        assert_int_equal(statistics.content_checks, program->on[gpu].touched);
    }
    rig_stop(&shown->rig);
    shown_is_clean(shown);
    shown_end(shown);
}

#endif
