/* rename.c: a lock with Discard, which need not wait; and who may still be named afterwards.
 *
 *     lock(Discard) --> A0   the program draws with it
 *     lock(Discard) --> A1   A0 may stand in a command buffer that nobody has seen yet: not touched
 *     render(A1)             A0 is retired: nobody names it again; idle, it is there for a discard
 *     lock(Discard) --> A0
 *
 * The choice, in this order: the newest, if it may be had and is idle; of the retired that are idle
 * the one that was newest the longest ago; one more, if the list may grow; the oldest retired,
 * waited for. The newest may be had if the caller says that no command buffer of his names any
 * instance (NoExistingReference). If there is nothing to be had and nothing to wait for the lock
 * fails, and the caller submits what he has and comes again with NoExistingReference.
 *
 * The list grows as long as the driver's limit lets it and all instances together take no more than
 * half of the largest segment that they may be in, and shrinks when discards find more than one
 * idle.
 *
 * Source: "Requesting to Rename an Allocation"; PFND3DDDI_LOCKCB; D3DDDICB_LOCKFLAGS; rules S1-016,
 * D-148, D-155, D-168 to D-172.
 */
#include "vidmm/client/rename.h"

#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <vidmm/lock.h>
#include <vidmm/plan.h>
#include <wddm/d3dukmdt_submit.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/instance.h"
#include "vidmm/client/lock_request.h"
#include "vidmm/client/renaming.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"

#include "base/assert.h"
#include "wddm/rule.h"

/* Overlay, Capture; ExistingSysMem, ExistingKernelSysMem; LinkMirrored, LinkInstanced */
#define NOT_RENAMED 0x3330u
#define SURPLUS_TURNS 16u /* discards that find too many before one leaves */

static const char *const retired_text =
    "a newer instance of the allocation was referenced since (D-172)";

bool vidmm_rename_may(const struct vidmm_allocation *allocation)
{
    bool shared = allocation->resource && allocation->resource->shared;

    return !allocation->untracked && /* obeys S2-007: a program renames for itself */
           !allocation->original && !shared && !allocation->primary &&
           (allocation->flags & NOT_RENAMED) == 0;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static bool is_idle(const struct vidmm_allocation *allocation)
{
    return (atomic_load(&allocation->word) & WORD_BUSY) == 0;
}

/* Whether number `index`, not the newest, may be had when it is idle. */
static bool may_have(const struct vidmm_renaming *renaming, uint32_t index, uint32_t flags)
{
    const struct vidmm_instance *instance = &renaming->instances[index];

    VIDMM_ASSERT(index < renaming->count);
    return index != renaming->newest && instance->state == VIDMM_INSTANCE_READY &&
           (atomic_load(&instance->allocation->word) & WORD_LOCKS) == 0 &&
           ((flags & VIDMM_LOCK_NO_EXISTING_REFERENCE) != 0 ||
            instance->turn < renaming->referenced);
}

/* The oldest that may be had, of the idle ones or of all; SIZE_MAX: none. */
static size_t find_oldest(const struct vidmm_renaming *renaming, uint32_t flags, bool idle)
{
    uint32_t index;
    size_t oldest = SIZE_MAX;

    for (index = 0; renaming && index < renaming->count; index++)
        if (may_have(renaming, index, flags) &&
            (!idle || is_idle(renaming->instances[index].allocation)) &&
            (oldest == SIZE_MAX ||
             renaming->instances[index].turn < renaming->instances[oldest].turn))
            oldest = index;
    return oldest;
}

static uint64_t largest_segment(const struct vidmm_adapter *adapter, const struct vidmm_wish *wish)
{
    uint64_t largest = 0;
    uint32_t id;

    for (id = 1; id <= adapter->segment_count + adapter->part_count; id++)
        if (((wish->read_set | wish->write_set) >> (id - 1) & 1) != 0 &&
            adapter->segments[id].info.size > largest)
            largest = adapter->segments[id].info.size;
    return largest;
}

/* obeys S1-016, D-169 */
static bool may_grow(const struct vidmm_allocation *allocation)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    const struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);
    const struct vidmm_wish *wish = vidmm_engine_wish(adapter->engine, allocation->id);
    uint32_t index, count = 1;

    for (index = 1; renaming && index < renaming->count; index++)
        count += renaming->instances[index].state != VIDMM_INSTANCE_ASLEEP;
    if (allocation->renaming_limit != 0 && count >= allocation->renaming_limit)
        return false;
    return wish &&
           2 * (count + 1) * vidmm_allocation_size(allocation) <= largest_segment(adapter, wish);
}

/* The instance that the discard is to lock. */
struct choice {
    struct vidmm_allocation *allocation; /* NULL: there is none */
    size_t index;                        /* in the list, TAKEN; SIZE_MAX: it is the newest */
    bool made;                           /* it has no memory yet */
};

static void take(struct choice *choice, struct vidmm_renaming *renaming, size_t index)
{
    VIDMM_ASSERT(index < renaming->count);
    VIDMM_ASSERT(renaming->instances[index].state != VIDMM_INSTANCE_ASLEEP); /* I2 */
    renaming->instances[index].state = VIDMM_INSTANCE_TAKEN;
    choice->allocation = renaming->instances[index].allocation;
    choice->index = index;
}

/* The mutex is held. */
static struct choice choose(struct vidmm_allocation *allocation, uint32_t flags, bool grow)
{
    struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);
    struct vidmm_allocation *newest = vidmm_instance_newest(allocation);
    struct choice choice = {.index = SIZE_MAX};
    bool newest_too = (flags & VIDMM_LOCK_NO_EXISTING_REFERENCE) != 0;
    size_t index = find_oldest(renaming, flags, true);

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    if (newest_too && is_idle(newest)) {
        choice.allocation = newest;
        return choice;
    }
    if (index == SIZE_MAX && grow && may_grow(vidmm_instance_first(allocation))) {
        index = vidmm_instance_reserve(allocation);
        renaming = vidmm_renaming_of(allocation);
        choice.made = index != SIZE_MAX;
    }
    if (index == SIZE_MAX)
        index = find_oldest(renaming, flags, false);
    if (index != SIZE_MAX)
        take(&choice, renaming, index);
    else if (newest_too)
        choice.allocation = newest;
    return choice;
}

/* ---- the lock -------------------------------------------------------------------------------- */

/* One that has been idle too long, TAKEN now; SIZE_MAX: none. The mutex is held. */
static size_t find_surplus(struct vidmm_renaming *renaming)
{
    uint32_t index, idle = 0;
    size_t found = SIZE_MAX;

    VIDMM_ASSERT(vidmm_adapter_is_locked(renaming->first->adapter));
    VIDMM_ASSERT(renaming->newest < renaming->count);
    for (index = 0; index < renaming->count; index++) {
        if (may_have(renaming, index, 0) && is_idle(renaming->instances[index].allocation)) {
            idle++;
            found = index != 0 ? index : found;
        }
    }
    renaming->surplus = idle > 1 ? renaming->surplus + 1 : 0;
    if (renaming->surplus < SURPLUS_TURNS || found == SIZE_MAX)
        return SIZE_MAX;
    renaming->surplus = 0;
    renaming->instances[found].state = VIDMM_INSTANCE_TAKEN;
    return found;
}

/* The lock is there or refused: the instance is the newest, or what it was. */
static void settle(struct vidmm_renaming *renaming, const struct choice *choice, bool locked)
{
    size_t surplus = SIZE_MAX;

    VIDMM_ASSERT(choice->index < renaming->count);
    vidmm_adapter_lock(renaming->first->adapter);
    renaming->instances[choice->index].state = VIDMM_INSTANCE_READY;
    if (locked) {
        renaming->instances[choice->index].turn = ++renaming->turns;
        renaming->newest = (uint32_t)choice->index;
        renaming->first->adapter->renames++;
        surplus = find_surplus(renaming);
    }
    vidmm_adapter_unlock(renaming->first->adapter);
    if (surplus != SIZE_MAX)
        vidmm_instance_let_go(renaming, surplus);
}

static NTSTATUS lock_choice(struct vidmm_allocation *allocation, const struct choice *choice,
                            uint32_t flags)
{
    NTSTATUS status;

    VIDMM_ASSERT(choice->allocation && (!choice->made || choice->index != SIZE_MAX));
    if (choice->made) {
        status = vidmm_instance_wake(vidmm_renaming_of(allocation), choice->index);
        if (status != STATUS_SUCCESS)
            return status;
    }
    status = vidmm_lock_one(choice->allocation, flags);
    if (choice->index != SIZE_MAX)
        settle(vidmm_renaming_of(allocation), choice, status == STATUS_SUCCESS);
    return status;
}

/* obeys D-168, D-169: without one more, if there is no memory for it */
static NTSTATUS lock_some(struct vidmm_allocation *allocation, uint32_t flags,
                          struct choice *choice)
{
    NTSTATUS status;
    bool grow;

    for (grow = true;; grow = false) {
        vidmm_adapter_lock(allocation->adapter);
        *choice = choose(allocation, flags, grow);
        vidmm_adapter_unlock(allocation->adapter);
        if (!choice->allocation)
            return STATUS_GRAPHICS_ALLOCATION_BUSY;
        status = lock_choice(allocation, choice, flags);
        if (status != STATUS_NO_MEMORY || !choice->made)
            return status;
    }
}

NTSTATUS vidmm_rename_lock(struct vidmm_lock_arguments *arguments, struct vidmm_report *report)
{
    struct vidmm_allocation *allocation = arguments->allocation;
    uint32_t flags = arguments->flags;
    struct choice choice;
    NTSTATUS status;
    bool offered;

    VIDMM_ASSERT(vidmm_rename_may(allocation));
    vidmm_adapter_lock(allocation->adapter);
    offered = atomic_load(&vidmm_instance_newest(allocation)->offered);
    vidmm_adapter_unlock(allocation->adapter);
    if (offered) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", flags,
                                    "the allocation is offered, and not reclaimed (D-155)");
    }
    status = lock_some(allocation, flags, &choice);
    if (status == STATUS_SUCCESS) {
        arguments->allocation = choice.allocation;
        return status;
    }
    return vidmm_report_refusal(report, status, "Flags", flags,
                                choice.allocation
                                    ? vidmm_lock_why_not(choice.allocation, status)
                                    : "no instance is to be had: submit, and lock again with "
                                      "NoExistingReference (D-173)");
}

/* ---- references ------------------------------------------------------------------------------ */

static uint64_t turn_of(const struct vidmm_renaming *renaming,
                        const struct vidmm_allocation *allocation)
{
    uint32_t index = 0;

    VIDMM_ASSERT(renaming == vidmm_renaming_of(allocation));
    while (renaming->instances[index].allocation != allocation)
        index++;
    return renaming->instances[index].turn;
}

VIDMM_SEES(D_172);
NTSTATUS vidmm_rename_check(const struct vidmm_render_reference *references, uint32_t count,
                            struct vidmm_report *report)
{
    uint32_t index;
    bool retired;

    for (index = 0; index < count; index++) {
        const struct vidmm_allocation *allocation = references[index].allocation;

        if (!allocation || !vidmm_renaming_of(allocation))
            continue;
        vidmm_adapter_lock(allocation->adapter);
        retired = vidmm_instance_is_retired(allocation);
        vidmm_adapter_unlock(allocation->adapter);
        if (retired) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a reference",
                                        index, retired_text);
        }
    }
    return STATUS_SUCCESS;
}

/* The allocation that a patch location binds; NULL: none. */
static const struct vidmm_allocation *patched_at(const struct vidmm_dma_buffer *dma_buffer,
                                                 uint32_t patch)
{
    uint32_t reference = dma_buffer->reference_of[dma_buffer->patch_list[patch].AllocationIndex];

    VIDMM_ASSERT(patch < dma_buffer->patch_count);
    return reference == VIDMM_UNBOUND ? NULL : dma_buffer->allocations[reference];
}

/* Its instances; NULL: nothing, or what was never renamed. */
static struct vidmm_renaming *renaming_at(const struct vidmm_dma_buffer *dma_buffer, uint32_t patch,
                                          uint64_t *turn)
{
    const struct vidmm_allocation *allocation = patched_at(dma_buffer, patch);
    struct vidmm_renaming *renaming = allocation ? vidmm_renaming_of(allocation) : NULL;

    *turn = renaming ? turn_of(renaming, allocation) : 0;
    return renaming;
}

/* A DMA buffer names it: all that is older is retired. */
static void refer(const struct vidmm_allocation *allocation)
{
    struct vidmm_renaming *renaming = allocation ? vidmm_renaming_of(allocation) : NULL;
    uint64_t turn = renaming ? turn_of(renaming, allocation) : 0;

    VIDMM_ASSERT(!allocation || vidmm_adapter_is_locked(allocation->adapter));
    if (renaming && turn > renaming->referenced)
        renaming->referenced = turn;
}

static bool names_renamed(const struct vidmm_dma_buffer *dma_buffer)
{
    uint32_t index;

    for (index = 0; index < dma_buffer->allocation_count; index++)
        if (vidmm_renaming_of(dma_buffer->allocations[index]))
            return true;
    return false;
}

/* The first patch location that is behind one of a newer instance; UINT32_MAX: none. */
static uint32_t find_disorder(const struct vidmm_dma_buffer *dma_buffer)
{
    struct vidmm_renaming *renaming;
    uint64_t turn;
    uint32_t index;

    for (index = 0; index < dma_buffer->patch_count; index++) {
        renaming = renaming_at(dma_buffer, index, &turn);
        if (renaming)
            renaming->walked = renaming->referenced;
    }
    for (index = 0; index < dma_buffer->patch_count; index++) {
        renaming = renaming_at(dma_buffer, index, &turn);
        if (renaming && turn < renaming->walked)
            return index;
        if (renaming)
            renaming->walked = turn;
    }
    return UINT32_MAX;
}

NTSTATUS vidmm_rename_check_patches(struct vidmm_dma_buffer *dma_buffer,
                                    struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    uint32_t wrong;

    if (!names_renamed(dma_buffer))
        return STATUS_SUCCESS;
    vidmm_adapter_lock(adapter);
    wrong = find_disorder(dma_buffer);
    vidmm_adapter_unlock(adapter);
    if (wrong == UINT32_MAX)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a patch location",
                                wrong, retired_text);
}

void vidmm_rename_referenced(const struct vidmm_dma_buffer *dma_buffer)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    uint32_t index;

    if (!names_renamed(dma_buffer))
        return;
    vidmm_adapter_lock(adapter);
    for (index = 0; index < dma_buffer->patch_count; index++)
        refer(patched_at(dma_buffer, index));
    for (index = 0; dma_buffer->patch_count == 0 && index < dma_buffer->allocation_count; index++)
        refer(dma_buffer->allocations[index]);
    vidmm_adapter_unlock(adapter);
}
