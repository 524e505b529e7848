/*
 * shadow_paging.c: the operations of BuildPagingBuffer, and the places to which they bring the
 * allocations.
 *
 * Invariants
 *  1. A range of a memory segment belongs to the allocation whose place it is; a range of an
 *     aperture to the allocation that is mapped there. Owners are handles.
 *  2. submitted <= written <= size of every paging buffer.
 *  3. An operation is in exactly one list: waiting in its buffer, or in one submission.
 */
#include <stdlib.h>
#include <string.h>

#include <wddm/ntstatus.h>

#include "contract/shadow.h"

#include "wddm/level.h"

/* ---- Operations ---- */

void vidmm_shadow_operations_end(struct vidmm_shadow_operations *operations)
{
    for (size_t i = 0; i < operations->count; i++) {
        if (operations->items[i].allocation != NULL)
            operations->items[i].allocation->operations--;
        vidmm_shadow_release(operations->items[i].allocation);
    }
    operations->count = 0;
}

void vidmm_shadow_place_submitted(const struct vidmm_shadow_operation *operation, unsigned node,
                                  uint64_t serial)
{
    struct vidmm_shadow_allocation *allocation = operation->allocation;

    if (allocation != NULL && operation->epoch != 0 && allocation->epoch == operation->epoch)
        allocation->placed = (struct vidmm_shadow_moment){true, node, serial};
}

/* ---- Places ---- */

void vidmm_shadow_leave_place(struct vidmm_shadow *shadow,
                              struct vidmm_shadow_allocation *allocation)
{
    if (allocation->segment != 0 && !vidmm_shadow_is_aperture(shadow, allocation->segment) &&
        !vidmm_ranges_cut(&shadow->segments[allocation->segment].ranges, allocation->offset,
                          allocation->offset +
                              vidmm_shadow_span(shadow, allocation, allocation->segment)))
        shadow->lost = true;
    allocation->segment = 0;
    allocation->offset = 0;
    allocation->mapped = 0;
    allocation->overwritten_by = NULL;
    allocation->purge_due = false;
    allocation->epoch++;
}

/* Every allocation in [start, end) of a memory segment is no longer there. */
static void displace(struct vidmm_shadow *shadow, unsigned segment, uint64_t start, uint64_t end,
                     HANDLE by)
{
    struct vidmm_owned_range *range;

    while (!shadow->lost &&
           (range = vidmm_ranges_meet(&shadow->segments[segment].ranges, start, end)) != NULL) {
        struct vidmm_shadow_allocation *other = vidmm_shadow_allocation(shadow, range->owner);
        if (!vidmm_ranges_cut(&shadow->segments[segment].ranges, range->start, range->end))
            shadow->lost = true;
        if (other == NULL || other->segment != segment)
            continue;
        vidmm_shadow_leave_place(shadow, other);
        other->overwritten_by = by;
    }
}

static void place_in_memory(struct vidmm_shadow *shadow, struct vidmm_shadow_allocation *allocation,
                            unsigned segment, uint64_t offset)
{
    uint64_t end = offset + vidmm_shadow_span(shadow, allocation, segment);

    if (allocation->segment == segment && allocation->offset == offset)
        return;
    vidmm_shadow_leave_place(shadow, allocation);
    displace(shadow, segment, offset, end, allocation->handle);
    if (!vidmm_ranges_set(&shadow->segments[segment].ranges, offset, end, allocation->key, 0))
        shadow->lost = true;
    allocation->segment = segment;
    allocation->offset = offset;
}

/* The content is now in pages that are mapped at the offset. */
static void place_in_aperture(struct vidmm_shadow *shadow,
                              struct vidmm_shadow_allocation *allocation, unsigned segment,
                              uint64_t offset, uint64_t mapped)
{
    vidmm_shadow_leave_place(shadow, allocation);
    allocation->segment = segment;
    allocation->offset = offset;
    allocation->mapped = mapped;
}

static uint64_t offset_of(const struct vidmm_shadow *shadow, unsigned segment, uint64_t address)
{
    return address - shadow->segments[segment].base;
}

/* Nothing is ever anywhere else: D-007 and D-097 report any other claim of a manager. */
static bool lies_in_segment(const struct vidmm_shadow *shadow, unsigned segment, uint64_t offset,
                            uint64_t size)
{
    uint64_t all = shadow->segments[segment].size;

    return size > 0 && offset < all && size <= all - offset;
}

/* The allocation, or memory that is none, has arrived at its destination. */
static void arrive(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    struct vidmm_shadow_allocation *allocation = build->allocation;
    const struct vidmm_shadow_side *to = &build->destination;
    uint64_t offset, size;

    if (vidmm_shadow_segment(shadow, to->segment) == NULL) { /* system memory, or nowhere */
        if (allocation != NULL)
            vidmm_shadow_leave_place(shadow, allocation);
        return;
    }
    offset = offset_of(shadow, to->segment, to->address);
    size = allocation == NULL ? to->size : vidmm_shadow_span(shadow, allocation, to->segment);
    if (!lies_in_segment(shadow, to->segment, offset, size)) {
        if (allocation != NULL)
            vidmm_shadow_leave_place(shadow, allocation);
    } else if (allocation == NULL) {
        if (!vidmm_shadow_is_aperture(shadow, to->segment))
            displace(shadow, to->segment, offset, offset + to->size, NULL);
    } else if (vidmm_shadow_is_aperture(shadow, to->segment)) {
        if (allocation->segment != to->segment)
            place_in_aperture(shadow, allocation, to->segment, offset, size);
    } else {
        place_in_memory(shadow, allocation, to->segment, offset);
    }
}

/* ---- Effects of the operations ---- */

static void begin_transfer(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    struct vidmm_shadow_transfer *transfer = &shadow->transfer;
    const struct vidmm_shadow_side *sides[2] = {&build->source, &build->destination};

    vidmm_shadow_release(transfer->allocation);
    *transfer = (struct vidmm_shadow_transfer){
        .open = true,
        .handle = build->handle,
        .allocation = vidmm_shadow_hold(build->allocation),
        .first = build->asked->Transfer.TransferOffset,
        .next = build->asked->Transfer.TransferOffset,
        .mdl_offset = build->asked->Transfer.MdlOffset,
    };
    for (int i = 0; i < 2; i++) {
        transfer->segments[i] = sides[i]->segment;
        transfer->addresses[i] =
            sides[i]->segment != 0 ? sides[i]->address : (uintptr_t)sides[i]->mdl;
    }
}

bool vidmm_shadow_transfer_is_of(const struct vidmm_shadow_transfer *transfer,
                                 const struct vidmm_shadow_build *build)
{
    return transfer->open && transfer->handle == build->handle &&
           transfer->allocation == build->allocation;
}

static void do_transfer(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    struct vidmm_shadow_transfer *transfer = &shadow->transfer;
    DXGK_TRANSFERFLAGS flags = build->asked->Transfer.Flags;

    if (flags.TransferStart || !vidmm_shadow_transfer_is_of(transfer, build))
        begin_transfer(shadow, build);
    transfer->next = build->asked->Transfer.TransferOffset + build->asked->Transfer.TransferSize;
    if (flags.TransferEnd ||
        (build->allocation != NULL && transfer->next >= build->allocation->size))
        arrive(shadow, build);
    if (flags.TransferEnd) {
        transfer->open = false;
        vidmm_shadow_release(transfer->allocation);
        transfer->allocation = NULL;
    }
}

/* A fill of an allocation where it already is, a tail for instance, does not move it. */
static void do_fill(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    const struct vidmm_shadow_allocation *allocation = build->allocation;
    const struct vidmm_shadow_side *to = &build->destination;
    uint64_t offset;

    if (vidmm_shadow_segment(shadow, to->segment) == NULL)
        return;
    offset = offset_of(shadow, to->segment, to->address);
    if (allocation == NULL || allocation->segment != to->segment || offset < allocation->offset ||
        offset + to->size > allocation->offset + vidmm_shadow_span(shadow, allocation, to->segment))
        arrive(shadow, build);
}

static void do_map(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    struct vidmm_shadow_allocation *allocation = build->allocation;
    const struct vidmm_shadow_side *to = &build->destination;
    uint64_t offset;

    if (!vidmm_shadow_is_aperture(shadow, to->segment))
        return;
    offset = offset_of(shadow, to->segment, to->address);
    if (!lies_in_segment(shadow, to->segment, offset, to->size))
        return;
    if (!vidmm_ranges_set(&shadow->segments[to->segment].ranges, offset, offset + to->size,
                          allocation == NULL ? build->handle : allocation->key,
                          to->mdl_offset * PAGE_SIZE))
        shadow->lost = true;
    if (allocation == NULL)
        return;
    if (allocation->segment == 0)
        place_in_aperture(shadow, allocation, to->segment, offset, to->size);
    else if (allocation->segment == to->segment && to->mdl_offset != 0 && /* not all of it anew */
             allocation->offset + allocation->mapped == offset)
        allocation->mapped += to->size;
    else if (to->mdl_offset == 0 && vidmm_shadow_is_aperture(shadow, allocation->segment))
        /* The mapping that an eviction went through is still there while the allocation is paged in
         * beside it. */
        place_in_aperture(shadow, allocation, to->segment, offset, to->size);
}

static void do_unmap(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    const struct vidmm_shadow_side *to = &build->destination;
    struct vidmm_ranges *ranges = &shadow->segments[to->segment].ranges;
    struct vidmm_owned_range *range;
    uint64_t start, end;

    if (!vidmm_shadow_is_aperture(shadow, to->segment))
        return;
    start = offset_of(shadow, to->segment, to->address);
    if (!lies_in_segment(shadow, to->segment, start, to->size))
        return;
    end = start + to->size;
    while (!shadow->lost && (range = vidmm_ranges_meet(ranges, start, end)) != NULL) {
        struct vidmm_shadow_allocation *owner = vidmm_shadow_allocation(shadow, range->owner);
        uint64_t from = range->start > start ? range->start : start;
        uint64_t to_end = range->end < end ? range->end : end;
        if (!vidmm_ranges_cut(ranges, from, to_end))
            shadow->lost = true;
        if (owner != NULL && owner->segment == to->segment && owner->offset < to_end &&
            from < owner->offset + owner->mapped)
            vidmm_shadow_leave_place(shadow, owner);
    }
}

static void do_operation(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    switch (build->asked->Operation) {
    case DXGK_OPERATION_TRANSFER:
        do_transfer(shadow, build);
        break;
    case DXGK_OPERATION_FILL:
        do_fill(shadow, build);
        break;
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        do_fill(shadow, build);
        if (build->allocation != NULL) {
            build->allocation->context.made = true;
            build->allocation->context.may_be_lost = false;
        }
        break;
    case DXGK_OPERATION_DISCARD_CONTENT:
        if (build->allocation != NULL) {
            vidmm_shadow_leave_place(shadow, build->allocation);
            build->allocation->context.made = false;
        }
        break;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        do_map(shadow, build);
        break;
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        do_unmap(shadow, build);
        break;
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
        if (build->asked->SpecialLockTransfer.Flags.TransferEnd)
            arrive(shadow, build);
        break;
    default:
        break;
    }
}

/* ---- Meaning of the arguments ---- */

static struct vidmm_shadow_side side_of(UINT segment, LARGE_INTEGER address, uint64_t offset,
                                        uint64_t size, UINT mdl_offset)
{
    struct vidmm_shadow_side side = {.used = true, .segment = segment, .size = size};

    if (segment == 0) { /* the union holds the address of an MDL */
        side.mdl = (const MDL *)(uintptr_t)address.QuadPart;
        side.mdl_offset = mdl_offset;
    } else {
        side.address = (uint64_t)address.QuadPart;
        side.start = side.address + offset;
    }
    return side;
}

static void resolve_transfer(const DXGKARG_BUILDPAGINGBUFFER *asked,
                             struct vidmm_shadow_build *build)
{
    /* SpecialLockTransfer has the same members, SwizzlingRangeId in the place of MdlOffset */
    UINT mdl_offset = asked->Operation == DXGK_OPERATION_TRANSFER ? asked->Transfer.MdlOffset : 0;

    build->handle = asked->Transfer.hAllocation;
    build->source =
        side_of(asked->Transfer.Source.SegmentId, asked->Transfer.Source.SegmentAddress,
                asked->Transfer.TransferOffset, asked->Transfer.TransferSize, mdl_offset);
    build->destination =
        side_of(asked->Transfer.Destination.SegmentId, asked->Transfer.Destination.SegmentAddress,
                asked->Transfer.TransferOffset, asked->Transfer.TransferSize, mdl_offset);
    build->moves = true;
    build->can_be_busy = true;
    build->idle = asked->Transfer.Flags.AllocationIsIdle;
}

static void resolve_aperture(const struct vidmm_shadow *shadow,
                             const DXGKARG_BUILDPAGINGBUFFER *asked,
                             struct vidmm_shadow_build *build)
{
    UINT segment = asked->MapApertureSegment.SegmentId; /* the same place in all three */
    struct vidmm_shadow_side *to = &build->destination;

    build->handle = asked->MapApertureSegment.hAllocation;
    to->used = true;
    to->segment = segment;
    to->address = (uint64_t)asked->MapApertureSegment.OffsetInPages * PAGE_SIZE;
    if (vidmm_shadow_segment(shadow, segment) != NULL)
        to->address += shadow->segments[segment].base;
    to->start = to->address;
    to->size = (uint64_t)asked->MapApertureSegment.NumberOfPages * PAGE_SIZE;
    if (asked->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT) {
        to->mdl = asked->MapApertureSegment.pMdl;
        to->mdl_offset = asked->MapApertureSegment.MdlOffset;
    } else if (asked->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT2) {
        to->mdl_offset = asked->MapApertureSegment2.AdlOffset;
        to->list = &asked->MapApertureSegment2.Adl;
    }
}

static void resolve_operation(const struct vidmm_shadow *shadow,
                              const DXGKARG_BUILDPAGINGBUFFER *asked,
                              struct vidmm_shadow_build *build)
{
    switch (asked->Operation) {
    case DXGK_OPERATION_TRANSFER:
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
        resolve_transfer(asked, build);
        break;
    case DXGK_OPERATION_FILL:
        build->handle = asked->Fill.hAllocation;
        build->destination =
            side_of(asked->Fill.Destination.SegmentId, asked->Fill.Destination.SegmentAddress, 0,
                    asked->Fill.FillSize, 0);
        break;
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        build->handle = asked->InitContextResource.hAllocation;
        build->destination =
            side_of(asked->InitContextResource.Destination.SegmentId,
                    asked->InitContextResource.Destination.SegmentAddress, 0, 0, 0);
        break;
    case DXGK_OPERATION_DISCARD_CONTENT:
        build->handle = asked->DiscardContent.hAllocation;
        build->source =
            side_of(asked->DiscardContent.SegmentId, asked->DiscardContent.SegmentAddress, 0, 0, 0);
        build->can_be_busy = true;
        build->idle = asked->DiscardContent.Flags.AllocationIsIdle;
        break;
    case DXGK_OPERATION_READ_PHYSICAL: /* the same members */
    case DXGK_OPERATION_WRITE_PHYSICAL:
        build->destination =
            side_of(asked->WritePhysical.SegmentId, asked->WritePhysical.PhysicalAddress, 0, 1, 0);
        break;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        resolve_aperture(shadow, asked, build);
        break;
    default:
        break;
    }
    build->allocation = vidmm_shadow_allocation(shadow, build->handle);
    if (asked->Operation == DXGK_OPERATION_DISCARD_CONTENT && build->allocation != NULL)
        build->source.size = vidmm_shadow_span(shadow, build->allocation, build->source.segment);
    if (asked->Operation == DXGK_OPERATION_INIT_CONTEXT_RESOURCE && build->allocation != NULL)
        build->destination.size =
            vidmm_shadow_span(shadow, build->allocation, build->destination.segment);
}

/* Both, or neither, name pages by a list. */
static bool same_list(const DXGK_ADL *a, const DXGK_ADL *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->PageCount == b->PageCount && a->Flags.Value == b->Flags.Value &&
           a->BasePageNumber == b->BasePageNumber; /* or Pages, which lies there too */
}

static bool same_side(const struct vidmm_shadow_side *a, const struct vidmm_shadow_side *b)
{
    return same_list(a->list, b->list) && a->used == b->used && a->segment == b->segment &&
           a->address == b->address && a->size == b->size && a->mdl == b->mdl &&
           a->mdl_offset == b->mdl_offset;
}

static bool same_members(const struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build,
                         const DXGKARG_BUILDPAGINGBUFFER *asked)
{
    struct vidmm_shadow_build other = {.asked = asked};

    resolve_operation(shadow, asked, &other);
    return other.handle == build->handle && same_side(&other.source, &build->source) &&
           same_side(&other.destination, &build->destination) &&
           (asked->Operation != DXGK_OPERATION_FILL ||
            asked->Fill.FillPattern == build->asked->Fill.FillPattern);
}

static HANDLE handle_of(const struct vidmm_shadow *shadow, const DXGKARG_BUILDPAGINGBUFFER *asked)
{
    struct vidmm_shadow_build other = {.asked = asked};

    resolve_operation(shadow, asked, &other);
    return other.handle;
}

/* Is this the pending operation once more? An instance of an allocation has one at a time; without
 * an allocation the members tell. */
static bool is_repeat(const struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build,
                      const struct vidmm_shadow_pending *pending)
{
    if (pending->asked.Operation != build->asked->Operation ||
        pending->allocation != build->allocation)
        return false;
    return build->handle != NULL ? handle_of(shadow, &pending->asked) == build->handle
                                 : same_members(shadow, build, &pending->asked);
}

static void resolve_buffer(const struct vidmm_shadow *shadow,
                           const DXGKARG_BUILDPAGINGBUFFER *asked, struct vidmm_shadow_build *build)
{
    uintptr_t at = (uintptr_t)asked->pDmaBuffer;
    struct vidmm_shadow_buffer *last = shadow->building;

    if (last != NULL && at == last->base + last->written &&
        asked->DmaSize <= last->size - last->written) {
        build->where = VIDMM_BUFFER_CONTINUES;
        build->buffer = last;
        build->in_buffer = last->written;
        return;
    }
    build->buffer = vidmm_map_find(&shadow->buffers, NULL, asked->pDmaBuffer);
    build->where = VIDMM_BUFFER_FRESH;
    if (build->buffer == NULL && last != NULL && at > last->base && at < last->base + last->size) {
        build->where = VIDMM_BUFFER_MISPLACED;
        build->buffer = last;
        build->in_buffer = at - last->base;
    }
}

void vidmm_shadow_resolve_build(struct vidmm_shadow *shadow, const DXGKARG_BUILDPAGINGBUFFER *asked,
                                struct vidmm_shadow_build *build)
{
    memset(build, 0, sizeof *build);
    build->asked = asked;
    resolve_operation(shadow, asked, build);
    build->allocation = vidmm_shadow_instance(shadow, build);
    resolve_buffer(shadow, asked, build);
    build->task = shadow->tasks + 1;
    for (size_t i = 0; i < shadow->pending_count && !build->repeats; i++) {
        if (is_repeat(shadow, build, &shadow->pending[i])) {
            build->repeats = true;
            build->task = shadow->pending[i].task;
            build->before = shadow->pending[i];
            build->same_members = same_members(shadow, build, &shadow->pending[i].asked);
        }
    }
}

/* ---- The call ---- */

static struct vidmm_shadow_buffer *new_buffer(struct vidmm_shadow *shadow, void *base)
{
    struct vidmm_shadow_buffer *buffer = vidmm_shadow_allocate(shadow, sizeof *buffer);

    if (buffer == NULL)
        return NULL;
    buffer->base = (uintptr_t)base;
    if (!vidmm_map_set(&shadow->buffers, NULL, base, buffer)) {
        shadow->lost = true;
        free(buffer);
        return NULL;
    }
    return buffer;
}

static void begin_buffer(struct vidmm_shadow *shadow, struct vidmm_shadow_buffer *buffer,
                         const DXGKARG_BUILDPAGINGBUFFER *asked)
{
    vidmm_shadow_operations_end(&buffer->waiting);
    buffer->size = asked->DmaSize;
    buffer->written = buffer->submitted = 0;
    buffer->private_base = (uintptr_t)asked->pDmaBufferPrivateData;
    buffer->private_size = asked->DmaBufferPrivateDataSize;
    buffer->private_written = buffer->private_submitted = 0;
    buffer->order = ++shadow->orders;
}

void vidmm_shadow_enter_build(struct vidmm_shadow *shadow, struct vidmm_shadow_build *build)
{
    shadow->builds++;
    vidmm_shadow_hold(build->allocation);
    if (build->repeats)
        vidmm_shadow_hold(build->before.allocation);
    else
        shadow->tasks++;
    if (build->idle)
        shadow->idle = build->allocation;
    if (build->where == VIDMM_BUFFER_MISPLACED) {
        build->buffer->written = build->in_buffer;
    } else if (build->where == VIDMM_BUFFER_FRESH) {
        if (build->buffer == NULL)
            build->buffer = new_buffer(shadow, build->asked->pDmaBuffer);
        if (build->buffer != NULL)
            begin_buffer(shadow, build->buffer, build->asked);
    }
    if (build->buffer != NULL && shadow->level >= VIDMM_LEVEL(2, 0))
        build->buffer->context = build->asked->hSystemContext;
    shadow->building = build->buffer;
}

/* How far the KMD wrote. False: nothing, so that nothing is left to be executed. */
static bool take_written(struct vidmm_shadow_build *build, const DXGKARG_BUILDPAGINGBUFFER *after)
{
    struct vidmm_shadow_buffer *buffer = build->buffer;
    uint64_t written = (uintptr_t)after->pDmaBuffer - buffer->base;
    uint64_t private_written = (uintptr_t)after->pDmaBufferPrivateData - buffer->private_base;
    bool wrote = false;

    if (written > buffer->written && written <= buffer->size) { /* S4-009 and S4-010 else */
        buffer->written = written;
        wrote = true;
    }
    if (private_written > buffer->private_written && private_written <= buffer->private_size) {
        buffer->private_written = private_written;
        wrote = true;
    }
    return wrote;
}

static void use_side(const struct vidmm_shadow *shadow, const struct vidmm_shadow_side *side,
                     struct vidmm_shadow_use *use)
{
    if (!side->used || vidmm_shadow_segment(shadow, side->segment) == NULL || side->size == 0)
        return;
    use->segment = side->segment;
    use->start = offset_of(shadow, side->segment, side->start);
    use->end = use->start + side->size;
}

/* Remember what stands in the buffer until it has been executed. Map and Unmap do not use the range
 * that they configure. */
static void remember(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build,
                     uint64_t epoch, bool leaves)
{
    struct vidmm_shadow_operations *waiting = &build->buffer->waiting;
    DXGK_BUILDPAGINGBUFFER_OPERATION operation = build->asked->Operation;
    struct vidmm_shadow_operation item = {.task = build->task,
                                          .operation = operation,
                                          .end = build->buffer->written,
                                          .epoch = epoch,
                                          .leaves = leaves};

    if (!vidmm_shadow_is_map(build->asked) && operation != DXGK_OPERATION_UNMAP_APERTURE_SEGMENT) {
        use_side(shadow, &build->source, &item.uses[0]);
        use_side(shadow, &build->destination, &item.uses[1]);
    }
    if (!vidmm_shadow_grow(shadow, &waiting->items, sizeof *waiting->items, waiting->count,
                           &waiting->capacity))
        return;
    item.allocation = vidmm_shadow_hold(build->allocation);
    if (item.allocation != NULL)
        item.allocation->operations++;
    waiting->items[waiting->count++] = item;
}

static void remove_pending(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    for (size_t i = 0; i < shadow->pending_count; i++) {
        if (is_repeat(shadow, build, &shadow->pending[i])) {
            vidmm_shadow_release(shadow->pending[i].allocation);
            shadow->pending[i] = shadow->pending[--shadow->pending_count];
            return;
        }
    }
}

static void add_pending(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build,
                        const DXGKARG_BUILDPAGINGBUFFER *after, NTSTATUS status)
{
    struct vidmm_shadow_pending *pending;

    if (!vidmm_shadow_grow(shadow, &shadow->pending, sizeof *shadow->pending, shadow->pending_count,
                           &shadow->pending_capacity))
        return;
    pending = &shadow->pending[shadow->pending_count++];
    pending->task = build->task;
    pending->asked = *build->asked;
    pending->asked.MultipassOffset = after->MultipassOffset;
    pending->allocation = vidmm_shadow_hold(build->allocation);
    pending->answer = status;
    pending->order = build->buffer == NULL ? 0 : build->buffer->order;
}

/* An allocation that is brought to a second place was not taken from the first: it may be another
 * instance. */
static bool takes_from(const struct vidmm_shadow_build *build, unsigned segment)
{
    bool unmaps = build->asked->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    const struct vidmm_shadow_side *side = unmaps ? &build->destination : &build->source;

    return side->used && side->segment == segment;
}

/* Find the submission in which an earlier pass of the operation is executed. False: in none. */
static bool find_pass(const struct vidmm_shadow *shadow, uint64_t task,
                      struct vidmm_shadow_moment *moment)
{
    bool found = false;

    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++) {
        const struct vidmm_shadow_node *node = &shadow->nodes[i];
        for (size_t k = node->first; k < node->first + node->count; k++) {
            const struct vidmm_shadow_operations *operations = &node->queue[k].operations;
            for (size_t item = 0; item < operations->count; item++) {
                if (operations->items[item].task != task)
                    continue;
                *moment = (struct vidmm_shadow_moment){true, i, node->queue[k].serial};
                found = true;
            }
        }
    }
    return found;
}

/* The operation is built to its end: it changes what it changes, for everybody once it is executed;
 * `wrote` tells whether anything is left to execute. */
static void complete_build(struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build,
                           bool wrote)
{
    struct vidmm_shadow_allocation *allocation = build->allocation;
    uint64_t epoch = allocation == NULL ? 0 : allocation->epoch;
    struct vidmm_shadow_moment earlier = {0}; /* nothing was left to be written in the last pass */
    bool passed = !wrote && build->repeats && find_pass(shadow, build->task, &earlier);
    bool queued =
        wrote || (build->repeats && !passed && allocation != NULL && allocation->operations > 0);
    unsigned segment = allocation == NULL ? 0 : allocation->segment;
    bool makes_place, leaves;

    do_operation(shadow, build);
    vidmm_shadow_do_table(shadow, build->asked);
    if (shadow->lost)
        return;
    makes_place = allocation != NULL &&
                  (allocation->epoch != epoch ||
                   (allocation->segment == build->destination.segment && build->destination.used &&
                    build->asked->Operation != DXGK_OPERATION_UNMAP_APERTURE_SEGMENT));
    leaves = segment != 0 && (allocation->epoch != epoch || allocation->segment == 0) &&
             takes_from(build, segment);
    if (makes_place && passed)
        allocation->placed = earlier;
    else if (makes_place)
        allocation->placed = (struct vidmm_shadow_moment){.submitted = !queued};
    if (queued && build->buffer != NULL)
        remember(shadow, build, makes_place ? allocation->epoch : 0, leaves);
}

void vidmm_shadow_leave_build(struct vidmm_shadow *shadow, struct vidmm_shadow_build *build,
                              const DXGKARG_BUILDPAGINGBUFFER *after, NTSTATUS status)
{
    bool wrote = build->buffer != NULL && take_written(build, after);

    shadow->idle = NULL;
    remove_pending(shadow, build);
    if (status == STATUS_SUCCESS) {
        complete_build(shadow, build, wrote);
    } else if (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER ||
               status == STATUS_GRAPHICS_ALLOCATION_BUSY) {
        add_pending(shadow, build, after, status);
        if (wrote && !shadow->lost)
            remember(shadow, build, 0, false);
    }
    if (build->repeats)
        vidmm_shadow_release(build->before.allocation);
    vidmm_shadow_release(build->allocation);
}
