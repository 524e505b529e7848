/* use.c: allocations are rendered from, locked, offered and taken back.
 *
 * The allocations that a program owns have known content. A DMA buffer that failed half-way leaves
 * content that is not known any more; a lock with Discard begins anew, with zeros that the program
 * writes itself.
 */
#include "stress.h"

#include <string.h>

#include <vidmm/lock.h>
#include <vidmm/page.h>

#define SEED UINT64_C(0x57e55)

static struct vidmm_content_key key_of(const struct stress_allocation *allocation)
{
    return (struct vidmm_content_key){SEED, allocation->id};
}

void stress_note(struct stress_allocation *allocation, const char *what, uint32_t flags,
                 uint64_t value)
{
    allocation->notes[allocation->note_count++ % STRESS_NOTES] =
        (struct stress_note){what, flags, value};
}

/* ---- rendering ------------------------------------------------------------------------------- */

/* A command buffer in the making. */
struct batch {
    struct stress_program *program;
    struct stress_device *device;
    struct stress_context *context;
    struct vidmm_render_reference list[1 + STRESS_ALLOCATIONS];
    struct stress_allocation *named[1 + STRESS_ALLOCATIONS]; /* of the list; NULL: of nobody */
    uint32_t generations[1 + STRESS_ALLOCATIONS];
    uint64_t pages[1 + STRESS_ALLOCATIONS];
    uint32_t count;
    _Alignas(8) unsigned char bytes[STRESS_COMMANDS *
                                    (sizeof(struct softgpu_touch) +
                                     STRESS_REFERENCES * sizeof(struct softgpu_reference))];
    uint32_t used;
};

/* Commands of other contexts that use it end first. */
static bool is_ordered(struct batch *batch, struct stress_allocation *allocation)
{
    struct stress_program *program = batch->program;
    NTSTATUS status;

    if (allocation->used == NULL || allocation->used == batch->context)
        return true;
    stress_enter(program, STRESS_CONTEXT_WAIT);
    status = vidmm_context_wait(allocation->used->handle, allocation->value);
    stress_leave(program, STRESS_CONTEXT_WAIT, status);
    return status == STATUS_SUCCESS;
}

/* Its place in the list; the end of it: it cannot be named now. */
static uint32_t place_of(struct batch *batch, struct stress_allocation *allocation, bool write)
{
    uint32_t index = 0;

    while (index < batch->count && batch->named[index] != allocation)
        index++;
    if (index == batch->count) {
        if (allocation->offered || !allocation->known || !is_ordered(batch, allocation) ||
            (allocation->locks > 0 && batch->program->world->weather.contents))
            return index;
        batch->list[index] = (struct vidmm_render_reference){.allocation = allocation->handle};
        batch->named[index] = allocation;
        batch->generations[index] = allocation->generation;
        batch->pages[index] = allocation->pages;
        batch->count++;
    }
    batch->list[index].write |= write;
    return index;
}

static bool is_in(const struct softgpu_reference *references, uint32_t count, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (references[i].allocation_index == index)
            return true;
    return false;
}

/* One command, of allocations that fit into memory together. */
static void add_command(struct batch *batch)
{
    struct softgpu_touch touch = {.seed = SEED};
    struct softgpu_reference references[STRESS_REFERENCES];
    uint32_t wanted = stress_below(batch->program, STRESS_REFERENCES + 1), count = 0;
    uint64_t pages = 0, room = 4 * batch->program->world->options->programs + 8;

    for (uint32_t i = 0; i < wanted; i++) {
        struct stress_allocation *one =
            &batch->device->allocations[stress_below(batch->program, STRESS_ALLOCATIONS)];
        bool write = stress_chance(batch->program, 40);
        uint32_t index;

        if (one->handle == NULL || one->history || pages + one->pages > room)
            continue;
        index = place_of(batch, one, write);
        if (index == batch->count || is_in(references, count, index))
            continue;
        pages += one->pages;
        references[count++] = (struct softgpu_reference){
            .allocation_index = index,
            .flags = (write ? SOFTGPU_REFERENCE_WRITE : 0) |
                     (stress_chance(batch->program, 30) ? SOFTGPU_REFERENCE_BOUND : 0),
            .pages = one->pages,
            .digest = one->digest,
            .content_id = one->id,
            .generation = batch->generations[index],
        };
        batch->generations[index] += write;
    }
    touch.reference_count = count;
    touch.command = (struct softgpu_command){SOFTGPU_TOUCH, softgpu_touch_size(count)};
    memcpy(batch->bytes + batch->used, &touch, sizeof(touch));
    memcpy(batch->bytes + batch->used + sizeof(touch), references, count * sizeof(references[0]));
    batch->used += touch.command.size;
}

/* After the call: note the content known now. */
static void settle(struct batch *batch, NTSTATUS status, uint64_t value)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        struct stress_allocation *one = batch->named[i];

        if (one == NULL)
            continue;
        stress_note(one, batch->list[i].write ? "written by a DMA buffer" : "read by a DMA buffer",
                    (uint32_t)status, value);
        if (status == STATUS_SUCCESS) {
            if (batch->program->world->weather.contents) /* the GPU writes */
                one->generation = batch->generations[i];
            one->used = batch->context;
            one->value = value;
            if (batch->list[i].offer_priority != 0)
                one->offered = true; /* or not, if it is locked */
        } else if (batch->list[i].write && value != batch->context->value) {
            one->known = false; /* a part of it may have been queued */
        }
    }
    if (status == STATUS_SUCCESS && value <= batch->context->value)
        stress_fail(batch->program->world, "program %u: value %llu comes after %llu",
                    batch->program->index, (unsigned long long)value,
                    (unsigned long long)batch->context->value);
    if (value > batch->context->value)
        batch->context->value = value;
}

static void render(struct stress_program *program, struct stress_device *device,
                   struct stress_context *context)
{
    struct batch batch = {.program = program, .device = device, .context = context};
    uint32_t commands = 1 + stress_below(program, STRESS_COMMANDS);
    uint64_t value = context->value;
    NTSTATUS status;

    if (stress_chance(program, 30))
        batch.count = 1; /* element 0 is NULL: slots are emptied (D-338) */
    while (commands-- > 0)
        add_command(&batch);
    for (uint32_t i = 0; i < batch.count; i++)
        if (batch.list[i].allocation != NULL && stress_chance(program, 2))
            batch.list[i].offer_priority = 1 + stress_below(program, 4);
    stress_enter(program, STRESS_RENDER);
    status = vidmm_render(context->handle, batch.bytes, batch.used, batch.list, batch.count,
                          stress_chance(program, 80), &value, &program->report);
    stress_leave(program, STRESS_RENDER, status);
    settle(&batch, status, value);
}

void stress_render_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    struct stress_context *context;
    NTSTATUS status;

    if (device == NULL)
        return;
    context = &device->contexts[stress_below(program, STRESS_CONTEXTS)];
    if (context->handle == NULL) {
        stress_context_work(program);
        return;
    }
    render(program, device, context);
    if (stress_chance(program, 15)) {
        stress_enter(program, STRESS_CONTEXT_WAIT);
        status = vidmm_context_wait(context->handle, context->value);
        stress_leave(program, STRESS_CONTEXT_WAIT, status);
        if (status == STATUS_SUCCESS && vidmm_context_completed(context->handle) < context->value)
            stress_fail(program->world, "program %u: a value that was waited for is not complete",
                        program->index);
    }
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* The purpose of a lock. */
struct grip {
    struct stress_program *program;
    struct stress_device *device;
    struct stress_allocation *allocation;
    struct vidmm_lock_arguments arguments;
    uint32_t pages[4];
};

static bool is_wanted(const struct grip *grip, uint32_t page)
{
    for (uint32_t i = 0; i < grip->arguments.page_count; i++)
        if (grip->pages[i] == page)
            return true;
    return grip->arguments.page_count == 0;
}

static void write_page(struct stress_allocation *allocation, void *page, uint32_t index)
{
    struct vidmm_content_key key = key_of(allocation);

    allocation->digest -= vidmm_content_digest(key, index, allocation->cpu[index]);
    allocation->cpu[index]++;
    allocation->digest += vidmm_content_digest(key, index, allocation->cpu[index]);
    vidmm_content_write_cpu(page, key, index, allocation->cpu[index]);
}

/* Tell the fault of a page. The content of a device in error is nobody's promise. */
static void tell_page(struct grip *grip, const void *page, uint32_t index)
{
    const struct stress_allocation *allocation = grip->allocation;
    struct vidmm_content_finding finding =
        vidmm_content_examine(page, key_of(allocation), index, allocation->generation);
    char notes[60 * STRESS_NOTES] = "";
    size_t used = 0;

    if (vidmm_device_condition(grip->device->handle, NULL) != STATUS_SUCCESS)
        return;
    for (unsigned i = 0; i < STRESS_NOTES; i++) {
        const struct stress_note *note =
            &allocation->notes[(allocation->note_count + i) % STRESS_NOTES];

        if (note->what != NULL && used < sizeof(notes))
            used += (size_t)snprintf(notes + used, sizeof(notes) - used, "\n  %s 0x%x %llu",
                                     note->what, note->flags, (unsigned long long)note->value);
    }
    stress_fail(
        grip->program->world,
        "program %u: page %u of allocation %u (%llu pages, flags 0x%x, sets 0x%x), locked "
        "with 0x%x: sector %u should hold write %u and holds %s, %u; the CPU wrote the page "
        "%u times, and it says %u; what was done with it:%s",
        grip->program->index, index, allocation->id, (unsigned long long)allocation->pages,
        allocation->flags, allocation->sets, grip->arguments.flags, finding.sector,
        finding.expected, vidmm_content_kind_name(finding.kind), finding.number,
        allocation->cpu[index], vidmm_content_cpu_number(page), notes);
}

/* Look at the pages that were asked for, and write to some. */
static void look(struct grip *grip)
{
    struct stress_allocation *allocation = grip->allocation;
    struct vidmm_content_key key = key_of(allocation);
    bool judged = allocation->known && !allocation->offered &&
                  (grip->arguments.flags & (VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_IGNORE_READ_SYNC |
                                            VIDMM_LOCK_WRITE_ONLY)) == 0;
    bool writes = allocation->known && !allocation->silent &&
                  (grip->arguments.flags & (VIDMM_LOCK_READ_ONLY | VIDMM_LOCK_IGNORE_SYNC |
                                            VIDMM_LOCK_IGNORE_READ_SYNC)) == 0;

    for (uint32_t index = 0; index < allocation->pages; index++) {
        char *page = (char *)grip->arguments.data + index * VIDMM_PAGE_SIZE;
        uint64_t found = 0;

        if (!is_wanted(grip, index))
            continue;
        if (judged &&
            (!vidmm_content_check_page(page, key, index, allocation->generation, &found) ||
             found != vidmm_content_digest(key, index, allocation->cpu[index])))
            tell_page(grip, page, index);
        if (writes && stress_chance(grip->program, 30))
            write_page(allocation, page, index);
    }
}

/* The content is wanted no more: begin anew, on the instance that was answered. With IgnoreReadSync
 * that may be one that queued DMA buffers still read, and with ReadOnly nobody may write: nothing
 * is written to it, and nobody knows what it holds. */
static void begin_anew(struct grip *grip)
{
    struct stress_allocation *allocation = grip->allocation;
    bool may_write =
        (grip->arguments.flags & (VIDMM_LOCK_IGNORE_READ_SYNC | VIDMM_LOCK_READ_ONLY)) == 0;

    if (may_write)
        memset(grip->arguments.data, 0, allocation->pages * VIDMM_PAGE_SIZE);
    allocation->handle = grip->arguments.allocation;
    allocation->id = ++grip->program->next_id;
    allocation->generation = 0;
    allocation->digest = 0;
    memset(allocation->cpu, 0, sizeof(allocation->cpu));
    allocation->known = may_write && !allocation->history;
}

/* Flags that may be given together, and some that may not. */
static void choose_flags(struct grip *grip)
{
    static const uint32_t usual[] = {
        0,
        VIDMM_LOCK_READ_ONLY,
        VIDMM_LOCK_WRITE_ONLY,
        VIDMM_LOCK_DONOT_WAIT,
        VIDMM_LOCK_DONOT_WAIT | VIDMM_LOCK_IGNORE_SYNC,
        VIDMM_LOCK_DONOT_EVICT,
        VIDMM_LOCK_ACQUIRE_APERTURE,
        VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA,
        VIDMM_LOCK_DISCARD,
        VIDMM_LOCK_DISCARD | VIDMM_LOCK_NO_EXISTING_REFERENCE,
        VIDMM_LOCK_IGNORE_READ_SYNC,
        VIDMM_LOCK_IGNORE_READ_SYNC | VIDMM_LOCK_READ_ONLY,
    };
    struct stress_program *program = grip->program;
    uint32_t flags = usual[stress_below(program, sizeof(usual) / sizeof(usual[0]))];

    if (stress_chance(program, 40))
        flags = 0;
    if (stress_chance(program, 5))
        flags = stress_below(program, 0x800);
    if ((flags & VIDMM_LOCK_DISCARD) != 0 &&
        (grip->allocation->silent || grip->allocation->locks > 0))
        flags &= ~VIDMM_LOCK_DISCARD;
    /* The driver is told an allocation, and not the instance of it that is to be shown. */
    if (program->world->weather.many && grip->allocation->renames)
        flags &= ~(VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA);
    flags &= ~VIDMM_LOCK_ENTIRE;
    if (grip->allocation->pages > 4 && stress_chance(program, 30) &&
        (flags & VIDMM_LOCK_DISCARD) == 0) {
        grip->arguments.page_count = 1 + stress_below(program, 4);
        grip->arguments.pages = grip->pages;
        for (uint32_t i = 0; i < grip->arguments.page_count; i++)
            grip->pages[i] = stress_below(program, (uint32_t)grip->allocation->pages);
    } else {
        flags |= VIDMM_LOCK_ENTIRE;
    }
    grip->arguments.flags = flags;
    grip->arguments.private_data = stress_below(program, 4);
}

static void unlock(struct stress_program *program, struct stress_allocation *allocation)
{
    stress_enter(program, STRESS_UNLOCK);
    if (stress_leave(program, STRESS_UNLOCK, vidmm_unlock(allocation->handle)) != STATUS_SUCCESS)
        stress_fail(program->world, "program %u: what is locked cannot be unlocked",
                    program->index);
    allocation->locks--;
}

static void lock(struct stress_program *program, struct stress_device *device,
                 struct stress_allocation *allocation)
{
    struct grip grip = {.program = program, .device = device, .allocation = allocation};
    uint32_t special = VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA |
                       VIDMM_LOCK_DONOT_EVICT | VIDMM_LOCK_IGNORE_SYNC |
                       VIDMM_LOCK_IGNORE_READ_SYNC;
    NTSTATUS status;

    grip.arguments.allocation = allocation->handle;
    choose_flags(&grip);
    stress_enter(program, STRESS_LOCK_PAGES);
    status = vidmm_lock_pages(&grip.arguments, &program->report);
    stress_note(allocation, "locked", grip.arguments.flags, (uint32_t)status);
    if (stress_leave(program, STRESS_LOCK_PAGES, status) != STATUS_SUCCESS)
        return;
    allocation->locks++;
    if ((grip.arguments.flags & VIDMM_LOCK_DISCARD) != 0)
        begin_anew(&grip);
    look(&grip);
    /* Nobody waits for others with a place in memory in his hand. */
    if ((grip.arguments.flags & special) != 0 || (allocation->flags & 0x80) != 0 ||
        stress_chance(program, 75))
        unlock(program, allocation);
}

void stress_lock_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    struct stress_allocation *allocation =
        device != NULL ? stress_some_allocation(program, device) : NULL;

    if (allocation == NULL)
        return;
    if (allocation->locks > 0 && stress_chance(program, 60))
        unlock(program, allocation);
    else
        lock(program, device, allocation);
}

/* ---- offers, priorities, residency ----------------------------------------------------------- */

static void reclaim(struct stress_program *program, struct stress_allocation *allocation)
{
    const struct vidmm_selection selection = {.allocations = &allocation->handle,
                                              .allocation_count = 1};
    bool discarded = false, asks = stress_chance(program, 90);
    NTSTATUS status;

    stress_enter(program, STRESS_RECLAIM);
    status = vidmm_reclaim(&selection, asks ? &discarded : NULL, &program->report);
    if (stress_leave(program, STRESS_RECLAIM, status) != STATUS_SUCCESS)
        return;
    stress_note(allocation, "reclaimed", asks, discarded);
    allocation->offered = false;
    if (!asks)
        allocation->known = false;
    if (discarded && allocation->known) { /* zeros, from its next use on */
        allocation->id = ++program->next_id;
        allocation->generation = 0;
        allocation->digest = 0;
        memset(allocation->cpu, 0, sizeof(allocation->cpu));
    }
}

static void offer(struct stress_program *program, struct stress_allocation *allocation)
{
    const struct vidmm_selection selection = {.allocations = &allocation->handle,
                                              .allocation_count = 1};
    NTSTATUS status;

    stress_enter(program, STRESS_OFFER);
    status = vidmm_offer(&selection, 1 + stress_below(program, 4), 0, &program->report);
    if (stress_leave(program, STRESS_OFFER, status) != STATUS_SUCCESS)
        return;
    stress_note(allocation, "offered", 0, 0);
    allocation->offered = true;
    if (allocation->locks > 0)
        stress_fail(program->world, "program %u: what is locked can be offered", program->index);
}

static void ask(struct stress_program *program, struct stress_device *device)
{
    struct vidmm_allocation *list[STRESS_ALLOCATIONS];
    struct vidmm_selection selection = {.allocations = list};
    enum vidmm_residency where[STRESS_ALLOCATIONS];
    uint32_t priorities[STRESS_ALLOCATIONS];

    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        if (device->allocations[i].handle != NULL) {
            priorities[selection.allocation_count] = stress_below(program, UINT32_MAX);
            list[selection.allocation_count++] = device->allocations[i].handle;
        }
    if (selection.allocation_count == 0)
        return;
    if (stress_chance(program, 50)) {
        stress_enter(program, STRESS_RESIDENCY);
        stress_leave(program, STRESS_RESIDENCY,
                     vidmm_query_residency(&selection, where, &program->report));
    } else {
        stress_enter(program, STRESS_SET_PRIORITY);
        stress_leave(program, STRESS_SET_PRIORITY,
                     vidmm_set_priority(&selection, priorities, &program->report));
    }
}

void stress_offer_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    struct stress_allocation *allocation =
        device != NULL ? stress_some_allocation(program, device) : NULL;

    if (allocation == NULL)
        return;
    if (stress_chance(program, 30))
        ask(program, device);
    else if (allocation->offered)
        reclaim(program, allocation);
    else
        offer(program, allocation);
}
