/* objects.c: devices, contexts and allocations come and go. */
#include "stress.h"

#include <string.h>
#include <sys/mman.h>
#include <vidmm/page.h>

/* ---- devices --------------------------------------------------------------------------------- */

static void create_device(struct stress_program *program, struct stress_device *device)
{
    NTSTATUS status;

    memset(device, 0, sizeof(*device));
    stress_enter(program, STRESS_DEVICE_CREATE);
    status = vidmm_device_create(program->world->adapter, program->index + 1, &device->handle,
                                 &program->report);
    if (stress_leave(program, STRESS_DEVICE_CREATE, status) != STATUS_SUCCESS)
        device->handle = NULL;
}

void stress_device_finish(struct stress_program *program, struct stress_device *device)
{
    if (device->handle == NULL)
        return;
    stress_enter(program, STRESS_DEVICE_DESTROY);
    vidmm_device_destroy(device->handle); /* with all it owns, locked or not */
    stress_leave(program, STRESS_DEVICE_DESTROY, STATUS_SUCCESS);
    memset(device, 0, sizeof(*device));
}

void stress_device_work(struct stress_program *program)
{
    struct stress_device *device = &program->devices[stress_below(program, STRESS_DEVICES)];
    NTSTATUS status;

    if (device->handle == NULL) {
        create_device(program, device);
        return;
    }
    stress_enter(program, STRESS_DEVICE_CONDITION);
    status = vidmm_device_condition(device->handle, &program->report);
    stress_leave(program, STRESS_DEVICE_CONDITION, status);
    if (status != STATUS_SUCCESS || stress_chance(program, 4))
        stress_device_finish(program, device);
}

/* ---- contexts -------------------------------------------------------------------------------- */

static void destroy_context(struct stress_program *program, struct stress_device *device,
                            struct stress_context *context)
{
    bool done = vidmm_context_completed(context->handle) >= context->value;

    /* Its DMA buffers are done then; while the adapter has no power they are given up. */
    stress_enter(program, STRESS_CONTEXT_DESTROY);
    vidmm_context_destroy(context->handle);
    stress_leave(program, STRESS_CONTEXT_DESTROY, STATUS_SUCCESS);
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        if (device->allocations[i].used == context) {
            device->allocations[i].used = NULL;
            device->allocations[i].known &= done;
        }
    memset(context, 0, sizeof(*context));
}

void stress_context_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    uint32_t words[4] = {program->steps};
    struct stress_context *context;
    NTSTATUS status;

    if (device == NULL)
        return;
    context = &device->contexts[stress_below(program, STRESS_CONTEXTS)];
    if (context->handle != NULL) {
        if (stress_chance(program, 10))
            destroy_context(program, device, context);
        return;
    }
    context->node = stress_below(program, program->world->weather.nodes);
    stress_enter(program, STRESS_CONTEXT_CREATE);
    status = vidmm_context_create(device->handle, context->node, words,
                                  stress_below(program, sizeof(words)), &context->handle,
                                  &program->report);
    if (stress_leave(program, STRESS_CONTEXT_CREATE, status) != STATUS_SUCCESS)
        context->handle = NULL;
}

/* ---- allocations ----------------------------------------------------------------------------- */

enum {
    CPU_VISIBLE = 0x1,
    PERMANENT = 0x2,
    CACHED = 0x4,
    EXISTING = 0x10,
    FROM_END = 0x40,
    SWIZZLED = 0x80,
    SYNCHRONOUS = 0x800,
    MIRRORED = 0x1000,
    INSTANCED = 0x2000,
    HISTORY = 0x4000,
};

void stress_allocation_forget(struct stress_allocation *allocation)
{
    memset(allocation, 0, sizeof(*allocation));
}

struct softgpu_allocation stress_wish(struct stress_program *program, uint64_t size, uint32_t flags,
                                      uint32_t sets)
{
    static const uint32_t priorities[] = {0x28000000, 0x50000000, SOFTGPU_PRIORITY_NORMAL,
                                          0xa0000000, 0xc8000000};
    struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags,
        .size = size,
        .alignment = stress_chance(program, 20) ? VIDMM_PAGE_SIZE << stress_below(program, 3) : 0,
        .read_set = sets,
        .write_set = sets,
        .evict_set = stress_chance(program, 50) && (flags & EXISTING) == 0 ? 1 : 0,
        .priority = priorities[stress_below(program, 5)],
    };

    if ((sets & 3) == 3 && stress_chance(program, 60))
        wish.preferred = 2 | 1 << 6;
    if ((sets & 2) != 0 && (flags & CPU_VISIBLE) != 0 && flags < SWIZZLED &&
        stress_chance(program, 30))
        wish.renaming = 1 + stress_below(program, 4);
    return wish;
}

/* Choose flags and segments that go together. */
static void choose_kind(struct stress_program *program, struct stress_allocation *allocation)
{
    const struct stress_weather *weather = &program->world->weather;
    uint32_t flags = 0, sets = 1 + stress_below(program, (1u << weather->segments) - 1);

    if (stress_chance(program, 85))
        flags |= CPU_VISIBLE;
    if ((flags & CPU_VISIBLE) != 0 && stress_chance(program, 20))
        flags |= PERMANENT;
    if ((flags & CPU_VISIBLE) != 0 && stress_chance(program, 15))
        flags |= CACHED;
    if (stress_chance(program, 20))
        flags |= FROM_END;
    if (stress_chance(program, 10))
        flags |= SYNCHRONOUS;
    if (weather->links > 1) {
        /* In an aperture all GPUs would write the same place: memory, or an instance each. */
        allocation->silent = stress_chance(program, 40);
        flags |= allocation->silent ? INSTANCED : stress_chance(program, 50) ? MIRRORED : 0;
        sets = allocation->silent ? 1 + stress_below(program, 3) : 2;
    } else if (stress_chance(program, 15)) {
        flags = (flags & CPU_VISIBLE) | SWIZZLED;
        sets = 2;
    }
    if (weather->history && stress_chance(program, 8)) {
        allocation->history = true;
        flags = CPU_VISIBLE | HISTORY;
        sets = 1;
    }
    allocation->flags = flags;
    allocation->sets = sets;
}

static bool may_be_over(const struct stress_program *program,
                        const struct stress_allocation *allocation)
{
    return program->world->weather.links == 1 && !allocation->history &&
           program->memory_count < STRESS_MEMORIES &&
           (allocation->flags & (PERMANENT | SWIZZLED)) == 0;
}

static NTSTATUS create_over(struct stress_program *program, struct stress_device *device,
                            struct stress_allocation *allocation, struct softgpu_allocation *wish)
{
    uint64_t size = STRESS_PAGES * VIDMM_PAGE_SIZE;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    NTSTATUS status;

    if (memory == MAP_FAILED)
        return STATUS_NO_MEMORY;
    program->memories[program->memory_count++] = memory;
    wish->flags = allocation->flags =
        (allocation->flags & CPU_VISIBLE) | CACHED | CPU_VISIBLE | EXISTING;
    wish->renaming = 0;
    wish->evict_set = 0;
    stress_enter(program, STRESS_ALLOCATION_OVER);
    status = vidmm_allocation_create_over(device->handle, wish, sizeof(*wish), memory,
                                          allocation->pages * VIDMM_PAGE_SIZE, &allocation->handle,
                                          &program->report);
    return stress_leave(program, STRESS_ALLOCATION_OVER, status);
}

static void create_allocation(struct stress_program *program, struct stress_device *device,
                              struct stress_allocation *allocation)
{
    uint64_t size = 1 + stress_below(program, STRESS_PAGES * VIDMM_PAGE_SIZE);
    struct softgpu_allocation wish;
    NTSTATUS status;

    stress_allocation_forget(allocation);
    choose_kind(program, allocation);
    wish = stress_wish(program, size, allocation->flags, allocation->sets);
    allocation->pages = (size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE;
    if (may_be_over(program, allocation) && stress_chance(program, 5)) {
        status = create_over(program, device, allocation, &wish);
    } else {
        stress_enter(program, STRESS_ALLOCATION_CREATE);
        status = vidmm_allocation_create(device->handle, &wish, sizeof(wish), &allocation->handle,
                                         &program->report);
        stress_leave(program, STRESS_ALLOCATION_CREATE, status);
    }
    if (status != STATUS_SUCCESS) {
        stress_allocation_forget(allocation);
        return;
    }
    allocation->id = ++program->next_id;
    allocation->known = !allocation->history;
    allocation->renames = wish.renaming != 0;
    allocation->resource = -1;
    size = vidmm_allocation_size(allocation->handle); /* a Swizzled one has whole tiles */
    if (size < allocation->pages * VIDMM_PAGE_SIZE || size > sizeof(allocation->cpu) * 1024 ||
        ((allocation->flags & SWIZZLED) == 0 && size != allocation->pages * VIDMM_PAGE_SIZE) ||
        vidmm_allocation_id(allocation->handle) == 0)
        stress_fail(program->world, "program %u: an allocation of %llu pages has %llu bytes",
                    program->index, (unsigned long long)allocation->pages,
                    (unsigned long long)size);
    else
        allocation->pages = size / VIDMM_PAGE_SIZE;
}

/* One, or by a list with others that belong to no resource. */
static void destroy_allocations(struct stress_program *program, struct stress_device *device,
                                struct stress_allocation *allocation)
{
    struct vidmm_allocation *list[STRESS_ALLOCATIONS];
    uint32_t count = 0;
    NTSTATUS status;

    if (stress_chance(program, 70)) {
        stress_enter(program, STRESS_ALLOCATION_DESTROY);
        vidmm_allocation_destroy(allocation->handle);
        stress_leave(program, STRESS_ALLOCATION_DESTROY, STATUS_SUCCESS);
        stress_allocation_forget(allocation);
        return;
    }
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i += 3)
        if (device->allocations[i].handle != NULL && device->allocations[i].resource < 0)
            list[count++] = device->allocations[i].handle;
    stress_enter(program, STRESS_ALLOCATIONS_DESTROY);
    status = vidmm_allocations_destroy(list, count, &program->report);
    stress_leave(program, STRESS_ALLOCATIONS_DESTROY, status);
    if (status != STATUS_SUCCESS && count > 0)
        stress_fail(program->world, "program %u: %u allocations cannot be destroyed: %s",
                    program->index, count, program->report.text);
    for (unsigned i = 0; i < STRESS_ALLOCATIONS && status == STATUS_SUCCESS; i += 3)
        if (device->allocations[i].handle != NULL && device->allocations[i].resource < 0)
            stress_allocation_forget(&device->allocations[i]);
}

void stress_allocation_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    struct stress_allocation *allocation;

    if (device == NULL)
        return;
    allocation = &device->allocations[stress_below(program, STRESS_ALLOCATIONS)];
    if (allocation->handle == NULL)
        create_allocation(program, device, allocation);
    else if (allocation->resource < 0 && (!allocation->known || stress_chance(program, 40)))
        destroy_allocations(program, device, allocation);
}

void stress_program_memories_free(struct stress_world *world)
{
    for (unsigned i = 0; i < world->options->programs; i++)
        for (unsigned j = 0; j < world->programs[i].memory_count; j++)
            munmap(world->programs[i].memories[j], STRESS_PAGES * VIDMM_PAGE_SIZE);
}
