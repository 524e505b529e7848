/* rig_paging.c: an operation becomes commands, commands a submission.
 *
 *      fresh --build--> open --full, or wanted--> submitted --fence--> fresh
 *
 * P1  `open` is the one buffer that has been given to the driver and not been submitted
 * P2  a buffer is fresh again once its fence is complete: its bytes 0xDB, its private data as the
 *     driver left it, which is zero at the first use only (D-013)
 * P3  a repeated call is the same call: only MultipassOffset is the driver's, and AllocationIsIdle
 *     set where it answered that the allocation is busy
 */
#include "check/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/board.h"
#include "miniport/configuration.h"
#include "check/shim.h"
#include "wddm/call.h"
#include "wddm/level.h"

#define POISON 0xDB
#define GUARD_BYTE 0xA7
#define TRIES 100000u /* calls for one operation, before it counts as endless */

/* ---- buffers ---- */

static uint32_t buffer_pages(const struct vidmm_rig *rig)
{
    return (rig->paging_size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE;
}

static void refresh(struct vidmm_rig *rig, struct vidmm_rig_buffer *buffer)
{
    memset(buffer->pages.address, POISON, rig->paging_size);
    memset(buffer->pages.address + rig->paging_size, GUARD_BYTE,
           buffer->pages.count * VIDMM_PAGE_SIZE - rig->paging_size);
    memset(buffer->private_data + rig->paging_private_size, GUARD_BYTE, VIDMM_RIG_GUARD);
    buffer->used = buffer->private_used = buffer->operations = 0;
    buffer->fence = 0;
}

static bool make_buffer(struct vidmm_rig *rig, struct vidmm_rig_buffer *buffer)
{
    uint64_t size = ((uint64_t)buffer_pages(rig) + 1) * VIDMM_PAGE_SIZE; /* the guard's page */

    buffer->private_data = calloc(1, rig->paging_private_size + VIDMM_RIG_GUARD);
    if (!buffer->private_data)
        return vidmm_board_problem(rig->board, "no memory");
    if (!vidmm_rig_take_pages(rig, size, true, &buffer->pages))
        return false;
    refresh(rig, buffer);
    return true;
}

static uint64_t address_of(const struct vidmm_rig *rig, const struct vidmm_rig_buffer *buffer)
{
    if (buffer->aperture_page == 0)
        return buffer->pages.frames[0] * VIDMM_PAGE_SIZE;
    return rig->segments[rig->paging_segment].base + buffer->aperture_page * UINT64_C(4096);
}

/* A fresh buffer; waits for the oldest if all are in flight, or as many as the driver allows. */
static struct vidmm_rig_buffer *take_buffer(struct vidmm_rig *rig)
{
    struct vidmm_rig_buffer *oldest = NULL;
    uint32_t first = rig->buffer_count > 1 && rig->buffers[1].aperture_page ? 1 : 0;

    for (uint32_t i = first; i < rig->buffer_count; i++) {
        struct vidmm_rig_buffer *buffer = &rig->buffers[i];

        if (buffer->fence == 0)
            return buffer;
        if (!oldest || buffer->fence < oldest->fence)
            oldest = buffer;
    }
    if (!vidmm_rig_wait(rig, oldest->fence))
        return NULL;
    refresh(rig, oldest); /* P2 */
    return oldest;
}

/* ---- submission ---- */

static bool in_flight_limit(struct vidmm_rig *rig)
{
    uint64_t limit = rig->habits->queue_limit;

    return rig->submitted < limit || vidmm_rig_wait(rig, rig->submitted + 1 - limit);
}

/* obeys S4-008: nothing behind the last byte that was built may change. `tail`: what was there. */
static void judge_length(struct vidmm_rig *rig, const struct vidmm_rig_buffer *buffer,
                         const uint8_t *tail)
{
    uint32_t at = buffer->used;

    while (at < rig->paging_size && buffer->pages.address[at] == tail[at - buffer->used])
        at++;
    if (at < rig->paging_size)
        vidmm_rig_breach(rig, VIDMM_RULE_S4_008, true,
                         "DxgkDdiPatch wrote byte %u of a paging buffer in which %u of %u bytes "
                         "were built",
                         at, buffer->used, rig->paging_size);
}

/* Call the driver, and see that the buffer does not grow in the call. */
static NTSTATUS call_patch(struct vidmm_rig *rig, const struct vidmm_rig_buffer *buffer,
                           const DXGKARG_PATCH *arguments)
{
    uint32_t room = rig->paging_size - buffer->used;
    uint8_t *tail = malloc(room + 1);
    NTSTATUS status;

    if (tail)
        memcpy(tail, buffer->pages.address + buffer->used, room);
    status = rig->driver->DxgkDdiPatch(rig->adapter, arguments);
    if (tail)
        judge_length(rig, buffer, tail);
    free(tail);
    return status;
}

static NTSTATUS patch(struct vidmm_rig *rig, const struct vidmm_rig_buffer *buffer)
{
    DXGKARG_PATCH arguments;

    if (!rig->habits->patch_paging || !rig->driver->DxgkDdiPatch || rig->by_address)
        return STATUS_SUCCESS;
    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = rig->habits->system_context ? rig->system_context : NULL;
    arguments.DmaBufferSegmentId = buffer->aperture_page ? rig->paging_segment : 0;
    arguments.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)address_of(rig, buffer);
    arguments.pDmaBuffer = buffer->pages.address;
    arguments.DmaBufferSize = rig->paging_size;
    arguments.DmaBufferSubmissionEndOffset = buffer->used;
    arguments.pDmaBufferPrivateData = rig->paging_private_size ? buffer->private_data : NULL;
    arguments.DmaBufferPrivateDataSize = rig->paging_private_size;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = buffer->private_used;
    arguments.SubmissionFenceId = (UINT)rig->submitted;
    arguments.Flags.Paging = 1;
    return call_patch(rig, buffer, &arguments);
}

static NTSTATUS submit_by_address(struct vidmm_rig *rig, const struct vidmm_rig_buffer *buffer)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL arguments;
    NTSTATUS status;
    uint8_t irql;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = rig->system_context;
    arguments.DmaBufferVirtualAddress = buffer->gpu_address;
    arguments.DmaBufferSize = buffer->used;
    arguments.pDmaBufferPrivateData = rig->paging_private_size ? buffer->private_data : NULL;
    arguments.DmaBufferPrivateDataSize = rig->paging_private_size;
    arguments.SubmissionFenceId = (UINT)rig->submitted;
    arguments.Flags.Paging = 1;
    arguments.NodeOrdinal = rig->paging_node;
    irql = rig->host->raise_irql(rig->host->context, VIDMM_DISPATCH_LEVEL);
    status = rig->driver->DxgkDdiSubmitCommandVirtual(rig->adapter, &arguments);
    rig->host->lower_irql(rig->host->context, irql);
    return status;
}

static NTSTATUS submit(struct vidmm_rig *rig, const struct vidmm_rig_buffer *buffer)
{
    DXGKARG_SUBMITCOMMAND arguments;
    NTSTATUS status;
    uint8_t irql;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = rig->habits->system_context ? rig->system_context : NULL;
    arguments.DmaBufferSegmentId = buffer->aperture_page ? rig->paging_segment : 0;
    arguments.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)address_of(rig, buffer);
    arguments.DmaBufferSize = rig->paging_size;
    arguments.DmaBufferSubmissionEndOffset = buffer->used;
    arguments.pDmaBufferPrivateData = rig->paging_private_size ? buffer->private_data : NULL;
    arguments.DmaBufferPrivateDataSize = rig->paging_private_size;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = buffer->private_used;
    arguments.SubmissionFenceId = (UINT)rig->submitted;
    arguments.Flags.Paging = 1;
    arguments.NodeOrdinal = rig->paging_node;
    irql = rig->host->raise_irql(rig->host->context, VIDMM_DISPATCH_LEVEL); /* obeys D-313 */
    status = rig->driver->DxgkDdiSubmitCommand(rig->adapter, &arguments);
    rig->host->lower_irql(rig->host->context, irql);
    return status;
}

bool vidmm_rig_submit(struct vidmm_rig *rig)
{
    struct vidmm_rig_buffer *buffer = rig->open;
    NTSTATUS status;

    rig->open = NULL;
    if (rig->dead || !buffer)
        return !rig->dead;
    if (buffer->used == 0 && buffer->private_used == 0 && !rig->habits->submit_empty) {
        refresh(rig, buffer);
        return true;
    }
    if (!in_flight_limit(rig))
        return false;
    buffer->fence = ++rig->submitted; /* recorded before the call: the fence may come inside it */
    status = patch(rig, buffer);
    if (status == STATUS_SUCCESS)
        status = rig->by_address ? submit_by_address(rig, buffer) : submit(rig, buffer);
    if (status == STATUS_SUCCESS) {
        uint64_t flying = rig->submitted - atomic_load(&rig->completed[rig->paging_node]);

        if (flying > rig->board->seen.in_flight)
            rig->board->seen.in_flight = (uint32_t)flying;
        return true;
    }
    rig->dead = true;
    vidmm_check_find(rig->board, VIDMM_CHECK_SUBMIT_FAILED, "", "it answered %s",
                     vidmm_rig_status(status));
    return false;
}

bool vidmm_rig_finish(struct vidmm_rig *rig)
{
    if (!vidmm_rig_submit(rig) || !vidmm_rig_wait(rig, rig->submitted))
        return false;
    for (uint32_t i = 0; i < rig->buffer_count; i++)
        if (rig->buffers[i].fence)
            refresh(rig, &rig->buffers[i]); /* P2 */
    return true;
}

/* ---- preemption ---- */

static bool is_answered(void *argument)
{
    const struct vidmm_rig *rig = argument;

    return atomic_load(&rig->preempted) == rig->preemption;
}

/* As if the caps did not say it. */
static void give_up_preemption(struct vidmm_rig *rig)
{
    rig->caps.SchedulingCaps.PreemptionAware = 0;
}

/* The answer: it came, and names the fence that was reported last. Nothing is reported behind
 * it. */
static bool judge_preemption(struct vidmm_rig *rig)
{
    uint64_t limit = rig->habits->fence_timeout_ms * UINT64_C(1000000);
    uint32_t completed;

    bool lost = !rig->host->wait(rig->host->context, is_answered, rig, limit) && !is_answered(rig);
    completed = (uint32_t)atomic_load(&rig->completed[rig->paging_node]);
    if (lost)
        give_up_preemption(rig);
    if (lost)
        vidmm_check_find(
            rig->board, VIDMM_CHECK_PREEMPTION, "",
            "request 0x%x was not answered within %u ms: no DXGK_INTERRUPT_DMA_PREEMPTED "
            "has its PreemptionFenceId; the last one has 0x%x. The rest does without",
            rig->preemption, rig->habits->fence_timeout_ms, atomic_load(&rig->preempted));
    else if (atomic_load(&rig->preempted_last) != completed)
        vidmm_check_find(
            rig->board, VIDMM_CHECK_PREEMPTION, "",
            "the answer says LastCompletedFenceId 0x%x; the last fence that was reported "
            "is 0x%x",
            atomic_load(&rig->preempted_last), completed);
    return !lost;
}

NTSTATUS vidmm_rig_ask_preemption(struct vidmm_rig *rig)
{
    const DXGKARG_PREEMPTCOMMAND arguments = {.PreemptionFenceId = rig->preemption + 1,
                                              .NodeOrdinal = rig->paging_node};
    NTSTATUS status;
    uint8_t irql;

    rig->preemption++; /* before the call: the answer may come inside it */
    irql = rig->host->raise_irql(rig->host->context, VIDMM_DISPATCH_LEVEL);
    status = rig->driver->DxgkDdiPreemptCommand(rig->adapter, &arguments);
    rig->host->lower_irql(rig->host->context, irql);
    return status;
}

bool vidmm_rig_preempt(struct vidmm_rig *rig)
{
    NTSTATUS status = rig->dead ? STATUS_UNSUCCESSFUL : vidmm_rig_ask_preemption(rig);

    if (rig->dead)
        return false;
    if (status == STATUS_SUCCESS)
        return judge_preemption(rig);
    vidmm_check_find(rig->board, VIDMM_CHECK_PREEMPTION, "",
                     "DxgkDdiPreemptCommand answered %s. The rest does without",
                     vidmm_rig_status(status));
    give_up_preemption(rig);
    return false;
}

/* The oldest buffer that was submitted up to `last` and is not complete; NULL: there is none. */
static struct vidmm_rig_buffer *oldest_taken_back(struct vidmm_rig *rig, uint64_t last)
{
    uint64_t completed = atomic_load(&rig->completed[rig->paging_node]);
    struct vidmm_rig_buffer *oldest = NULL;

    for (uint32_t i = 0; i < rig->buffer_count; i++) {
        struct vidmm_rig_buffer *buffer = &rig->buffers[i];

        if (buffer->fence > completed && buffer->fence <= last &&
            (!oldest || buffer->fence < oldest->fence))
            oldest = buffer;
    }
    return oldest;
}

bool vidmm_rig_resubmit(struct vidmm_rig *rig)
{
    uint64_t last = rig->submitted;
    struct vidmm_rig_buffer *buffers[VIDMM_RIG_BUFFERS];
    uint32_t count = 0;

    for (struct vidmm_rig_buffer *next; (next = oldest_taken_back(rig, last)) != NULL; count++) {
        buffers[count] = next;
        next->fence = UINT64_MAX; /* noted */
    }
    for (uint32_t i = 0; i < count && !rig->dead; i++) {
        buffers[i]->fence = ++rig->submitted;
        rig->dead =
            patch(rig, buffers[i]) != STATUS_SUCCESS || submit(rig, buffers[i]) != STATUS_SUCCESS;
        if (rig->dead)
            vidmm_check_find(rig->board, VIDMM_CHECK_SUBMIT_FAILED, "", "after a preemption");
    }
    return !rig->dead;
}

/* ---- building ---- */

/* Do the pages lie one behind the other? */
static bool is_contiguous(const struct vidmm_rig_pages *pages)
{
    for (uint64_t i = 1; i < pages->count; i++)
        if (pages->frames[i] != pages->frames[0] + i)
            return false;
    return true;
}

/* By a list of pages that need not be physical, for drivers that take one. */
static void fill_map2(const struct vidmm_rig *rig, DXGKARG_BUILDPAGINGBUFFER *a, uint32_t segment,
                      uint64_t page, uint64_t count, const struct vidmm_rig_pages *pages,
                      uint64_t first)
{
    DXGK_ADL *adl = &a->MapApertureSegment2.Adl;

    a->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT2;
    a->MapApertureSegment2.hDevice = rig->device;
    a->MapApertureSegment2.SegmentId = segment;
    a->MapApertureSegment2.OffsetInPages = page;
    a->MapApertureSegment2.NumberOfPages = count;
    a->MapApertureSegment2.AdlOffset = (ULONG)first;
    adl->PageCount = (UINT32)pages->count;
    adl->Flags.Contiguous = pages->logical || is_contiguous(pages);
    if (pages->logical)
        adl->BasePageNumber = (DXGK_PAGE_NUMBER)pages->logical;
    else if (adl->Flags.Contiguous && pages->count > 0)
        adl->BasePageNumber = (DXGK_PAGE_NUMBER)pages->frames[0];
    else
        adl->Pages = (const DXGK_PAGE_NUMBER *)(const void *)pages->frames;
}

bool vidmm_rig_maps_by_list(const struct vidmm_rig *rig)
{
    return rig->level >= VIDMM_LEVEL(2, 9) && rig->caps.MemoryManagementCaps.MapAperture2Supported;
}

void vidmm_rig_fill_map(const struct vidmm_rig *rig, DXGKARG_BUILDPAGINGBUFFER *a, uint32_t segment,
                        uint64_t page, uint64_t count, const struct vidmm_rig_pages *pages,
                        uint64_t first)
{
    if (vidmm_rig_maps_by_list(rig)) {
        fill_map2(rig, a, segment, page, count, pages, first);
        return;
    }
    a->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    a->MapApertureSegment.hDevice = rig->device;
    a->MapApertureSegment.SegmentId = segment;
    a->MapApertureSegment.OffsetInPages = page;
    a->MapApertureSegment.NumberOfPages = count;
    a->MapApertureSegment.pMdl = pages->mdl;
    a->MapApertureSegment.MdlOffset = (ULONG)first;
}

/* The first byte of a guard that is not as it was; size: none. */
static uint64_t changed(const uint8_t *guard, uint64_t size)
{
    uint64_t i = 0;

    while (i < size && guard[i] == GUARD_BYTE)
        i++;
    return i;
}

static void check_guards(struct vidmm_rig *rig, struct vidmm_rig_buffer *buffer)
{
    uint64_t size = buffer->pages.count * VIDMM_PAGE_SIZE - rig->paging_size, at;

    at = changed(buffer->pages.address + rig->paging_size, size);
    if (at < size) {
        vidmm_check_find(rig->board, VIDMM_CHECK_PAST_BUFFER, rig->built,
                         "the paging buffer has %u bytes; byte %llu was written", rig->paging_size,
                         (unsigned long long)(rig->paging_size + at));
        memset(buffer->pages.address + rig->paging_size, GUARD_BYTE, size);
    }
    at = changed(buffer->private_data + rig->paging_private_size, VIDMM_RIG_GUARD);
    if (at < VIDMM_RIG_GUARD) {
        vidmm_check_find(rig->board, VIDMM_CHECK_PAST_PRIVATE, rig->built,
                         "its private data has %u bytes; byte %llu was written",
                         rig->paging_private_size,
                         (unsigned long long)(rig->paging_private_size + at));
        memset(buffer->private_data + rig->paging_private_size, GUARD_BYTE, VIDMM_RIG_GUARD);
    }
}

/* Take the pointers that the driver has moved. False: outside. */
static bool take_pointers(struct vidmm_rig *rig, struct vidmm_rig_buffer *buffer,
                          const DXGKARG_BUILDPAGINGBUFFER *asked, const char *record)
{
    const uint8_t *end = asked->pDmaBuffer, *private_end = asked->pDmaBufferPrivateData;
    const uint8_t *start = buffer->pages.address;
    bool right = end >= start + buffer->used && end <= start + rig->paging_size;

    if (rig->paging_private_size)
        right = right && private_end >= buffer->private_data + buffer->private_used &&
                private_end <= buffer->private_data + rig->paging_private_size;
    if (!right) {
        vidmm_check_find(
            rig->board, VIDMM_CHECK_POINTER, record,
            "pDmaBuffer moved by %lld of %u bytes, pDmaBufferPrivateData to %lld of %u",
            (long long)(end - start), rig->paging_size,
            rig->paging_private_size ? (long long)(private_end - buffer->private_data) : 0,
            rig->paging_private_size);
        rig->dead = true;
        return false;
    }
    buffer->used = (uint32_t)(end - start);
    if (rig->paging_private_size)
        buffer->private_used = (uint32_t)(private_end - buffer->private_data);
    return true;
}

static void set_idle(DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    if (arguments->Operation == DXGK_OPERATION_TRANSFER)
        arguments->Transfer.Flags.AllocationIsIdle = 1;
    else if (arguments->Operation == DXGK_OPERATION_DISCARD_CONTENT)
        arguments->DiscardContent.Flags.AllocationIsIdle = 1;
    else
        arguments->SpecialLockTransfer.Flags.AllocationIsIdle = 1;
}

static bool may_be_busy(const DXGKARG_BUILDPAGINGBUFFER *a)
{
    return a->Operation == DXGK_OPERATION_TRANSFER ? !a->Transfer.Flags.AllocationIsIdle
           : a->Operation == DXGK_OPERATION_DISCARD_CONTENT
               ? !a->DiscardContent.Flags.AllocationIsIdle
               : a->Operation == DXGK_OPERATION_SPECIAL_LOCK_TRANSFER &&
                     !a->SpecialLockTransfer.Flags.AllocationIsIdle;
}

/* One call. The driver's changes of the operation itself are not taken over. */
static NTSTATUS call(struct vidmm_rig *rig, struct vidmm_rig_buffer *buffer,
                     DXGKARG_BUILDPAGINGBUFFER *arguments, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    NTSTATUS status;

    arguments->pDmaBuffer = buffer->pages.address + buffer->used;
    arguments->DmaSize = rig->paging_size - buffer->used;
    if (rig->paging_private_size) {
        arguments->pDmaBufferPrivateData = buffer->private_data + buffer->private_used;
        arguments->DmaBufferPrivateDataSize = rig->paging_private_size - buffer->private_used;
    }
    arguments->hSystemContext = rig->habits->system_context ? rig->system_context : NULL;
    if (rig->level >= VIDMM_LEVEL(2, 0)) {
        arguments->DmaBufferGpuVirtualAddress = buffer->gpu_address;
        arguments->DmaBufferWriteOffset = buffer->used;
    }
    *asked = *arguments;
    status = rig->driver->DxgkDdiBuildPagingBuffer(rig->adapter, asked);
    arguments->MultipassOffset = asked->MultipassOffset;
    return status;
}

static enum vidmm_rig_answer die(struct vidmm_rig *rig)
{
    rig->dead = true;
    return VIDMM_RIG_DEAD;
}

/* The buffer is too small for the rest: submit it, unless it was fresh and nothing was done. */
static bool next_buffer(struct vidmm_rig *rig, struct vidmm_rig_buffer *buffer, bool was_fresh,
                        bool progress, const char *record)
{
    if (was_fresh && !progress) {
        rig->dead = true;
        vidmm_check_find(rig->board, VIDMM_CHECK_NO_PROGRESS, record,
                         "the buffer has %u bytes and private data of %u, as the driver wished; "
                         "nothing was written and MultipassOffset is what it was",
                         rig->paging_size, rig->paging_private_size);
        return false;
    }
    if (buffer->used || buffer->private_used)
        return vidmm_rig_submit(rig);
    rig->open = NULL;
    refresh(rig, buffer);
    return true;
}

/* The driver's handle of the allocation that an operation pages, and the segment; 0: none. */
static uint32_t place_of(const DXGKARG_BUILDPAGINGBUFFER *a, HANDLE *allocation)
{
    switch (a->Operation) {
    case DXGK_OPERATION_TRANSFER:
        *allocation = a->Transfer.hAllocation;
        return a->Transfer.Source.SegmentId ? a->Transfer.Source.SegmentId
                                            : a->Transfer.Destination.SegmentId;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        *allocation = a->MapApertureSegment.hAllocation;
        return a->MapApertureSegment.SegmentId;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        *allocation = a->MapApertureSegment2.hAllocation;
        return a->MapApertureSegment2.SegmentId;
    default:
        return 0;
    }
}

/* Does SupportedWriteSegmentSet say that the driver does what it refuses? From WDDM 2.0 on it is
 * to be truthful for reads and writes (S1-026). */
static bool is_untrue(struct vidmm_rig *rig, const DXGKARG_BUILDPAGINGBUFFER *asked,
                      NTSTATUS status, const char *record)
{
    HANDLE kmd = NULL;
    uint32_t segment = place_of(asked, &kmd), set = 0;
    bool done =
        ((rig->board->seen.by_gpu | rig->board->seen.by_cpu) >> (asked->Operation & 31) & 1) != 0;

    if (rig->level < VIDMM_LEVEL(2, 0) || !segment || !kmd)
        return false;
    if (asked->Operation == DXGK_OPERATION_TRANSFER && !done) /* it has no Transfer at all */
        return false;
    for (unsigned i = 0; i < sizeof(rig->allocations) / sizeof(rig->allocations[0]); i++)
        if (rig->allocations[i] && rig->allocations[i]->kmd == kmd)
            set = vidmm_rig_set(rig, &rig->allocations[i]->info);
    if ((set >> (segment - 1) & 1) == 0)
        return false;
    vidmm_check_find(rig->board, VIDMM_CHECK_UNTRUE_SET, record,
                     "it answered %s. SupportedWriteSegmentSet of the allocation is 0x%x and names "
                     "segment %u. Windows: bug check 0x10E, parameter 0xB",
                     vidmm_rig_status(status), set, segment);
    return true;
}

/* Judge an illegal status: the driver does not know the operation, or the operation is lost. */
static enum vidmm_rig_answer refuse(struct vidmm_rig *rig, const DXGKARG_BUILDPAGINGBUFFER *asked,
                                    NTSTATUS status, const char *record)
{
    bool unknown = status == STATUS_NOT_SUPPORTED || status == STATUS_NOT_IMPLEMENTED ||
                   status == STATUS_INVALID_PARAMETER;

    if (rig->of_what_is_gone) {
        const struct vidmm_rule *rule = vidmm_rule(VIDMM_RULE_W_014);
        char seen[160];

        snprintf(seen, sizeof(seen), "it answered %s. Windows: bug check 0x10E, parameter 0xB",
                 vidmm_rig_status(status));
        vidmm_board_judge(rig->board, vidmm_board_missing(), "W-014", rule->sentence, rule->source,
                          record, seen);
        return unknown ? VIDMM_RIG_UNKNOWN : die(rig);
    }
    if (unknown && is_untrue(rig, asked, status, record))
        return VIDMM_RIG_UNKNOWN;
    vidmm_check_find(rig->board, VIDMM_CHECK_ILLEGAL_STATUS, record,
                     "it answered %s; legal are STATUS_SUCCESS, "
                     "STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER and STATUS_GRAPHICS_ALLOCATION_BUSY. "
                     "Windows: bug check 0x10E, parameter 0xB",
                     vidmm_rig_status(status));
    return unknown ? VIDMM_RIG_UNKNOWN : die(rig);
}

/* An operation is done: note its effect. */
static bool note_built(struct vidmm_rig *rig, const struct vidmm_rig_buffer *before,
                       DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    struct vidmm_rig_buffer *buffer = rig->open;
    bool wrote = buffer->used != before->used || buffer->private_used != before->private_used;

    if (wrote)
        rig->board->seen.by_gpu |= 1u << (operation & 31);
    else
        rig->board->seen.by_cpu |= 1u << (operation & 31);
    buffer->operations += wrote;
    if (buffer->operations > rig->board->seen.packed)
        rig->board->seen.packed = buffer->operations;
    return rig->habits->batching || !wrote || vidmm_rig_submit(rig);
}

static void keep_record(struct vidmm_rig *rig, const DXGKARG_BUILDPAGINGBUFFER *asked)
{
    struct vidmm_ddi_record record = {.ddi = VIDMM_DDI_BUILD_PAGING_BUFFER,
                                      .level = rig->level,
                                      .irql = VIDMM_IRQL_ANY,
                                      .handle = rig->adapter,
                                      .argument = asked};
    struct vidmm_text text;

    vidmm_text_init(&text, rig->built, sizeof(rig->built));
    vidmm_text_string(&text, "DxgkDdi");
    vidmm_ddi_print(&text, &record, 4);
    if (!rig->looking)
        memcpy(rig->record, rig->built, sizeof(rig->record));
}

bool vidmm_rig_ask(struct vidmm_rig *rig, const DXGKARG_BUILDPAGINGBUFFER *wish, NTSTATUS *status)
{
    DXGKARG_BUILDPAGINGBUFFER arguments = *wish, asked;
    struct vidmm_rig_buffer *buffer = rig->dead ? NULL : take_buffer(rig);

    if (buffer)
        *status = call(rig, buffer, &arguments, &asked);
    return buffer != NULL;
}

enum vidmm_rig_answer vidmm_rig_build(struct vidmm_rig *rig, const DXGKARG_BUILDPAGINGBUFFER *wish)
{
    DXGKARG_BUILDPAGINGBUFFER arguments = *wish, asked;
    const char *record = rig->built;

    for (unsigned tries = 0; tries < TRIES && !rig->dead; tries++) {
        if (!rig->open)
            rig->open = take_buffer(rig); /* P1 */
        if (!rig->open)
            return VIDMM_RIG_DEAD;
        struct vidmm_rig_buffer *buffer = rig->open;
        const struct vidmm_rig_buffer before = *buffer;
        UINT multipass = arguments.MultipassOffset;
        NTSTATUS status = call(rig, buffer, &arguments, &asked);

        keep_record(rig, &arguments);
        vidmm_board_step(rig->board)->operations += status == STATUS_SUCCESS;
        check_guards(rig, buffer);
        if (!take_pointers(rig, buffer, &asked, record))
            return VIDMM_RIG_DEAD;
        if (status == STATUS_SUCCESS)
            return note_built(rig, &before, wish->Operation) ? VIDMM_RIG_BUILT : VIDMM_RIG_DEAD;
        if (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) {
            bool progress = buffer->used != before.used ||
                            buffer->private_used != before.private_used ||
                            arguments.MultipassOffset != multipass;

            if (!next_buffer(rig, buffer, before.used == 0 && before.private_used == 0, progress,
                             record))
                return VIDMM_RIG_DEAD;
        } else if (status == STATUS_GRAPHICS_ALLOCATION_BUSY && rig->stands) {
            return VIDMM_RIG_UNKNOWN; /* it will not be idle */
        } else if (status == STATUS_GRAPHICS_ALLOCATION_BUSY && may_be_busy(&arguments)) {
            set_idle(&arguments); /* P3, obeys S4-024 */
            if (!vidmm_rig_finish(rig))
                return VIDMM_RIG_DEAD;
        } else if (status == STATUS_GRAPHICS_ALLOCATION_BUSY) {
            vidmm_check_find(rig->board, VIDMM_CHECK_BUSY, record,
                             "the allocation was idle, or the operation has no idle flag");
            return die(rig);
        } else {
            return refuse(rig, &arguments, status, record);
        }
    }
    if (!rig->dead)
        vidmm_check_find(rig->board, VIDMM_CHECK_NO_PROGRESS, record,
                         "%u calls, and the operation is not done", TRIES);
    return die(rig);
}

/* ---- start and stop ---- */

/* Show a buffer in the aperture that the driver wants paging buffers in: obeys D-097, D-012. */
static bool map_buffer(struct vidmm_rig *rig, uint32_t index)
{
    struct vidmm_rig_buffer *buffer = &rig->buffers[index];
    DXGKARG_BUILDPAGINGBUFFER arguments;
    uint32_t page = 1 + (index - 1) * buffer_pages(rig); /* page 0 is address 0 in many */

    memset(&arguments, 0, sizeof(arguments));
    vidmm_rig_fill_map(rig, &arguments, rig->paging_segment, page, buffer_pages(rig),
                       &buffer->pages, 0);
    if (vidmm_rig_build(rig, &arguments) != VIDMM_RIG_BUILT)
        return false;
    buffer->aperture_page = page;
    return true;
}

bool vidmm_rig_paging_start(struct vidmm_rig *rig)
{
    uint32_t count = rig->habits->queue_limit + 2;
    bool apart = rig->paging_segment != 0 && !rig->by_address;

    count = count > VIDMM_RIG_BUFFERS ? VIDMM_RIG_BUFFERS : count;
    if (apart && (uint64_t)(count * buffer_pages(rig) + 1) * 4096 >
                     rig->segments[rig->paging_segment].size / 2)
        count = 3;
    for (uint32_t i = 0; i < count; i++) {
        rig->buffer_count = i + 1;
        if (!make_buffer(rig, &rig->buffers[i]))
            return false;
    }
    if (!apart)
        return true;
    vidmm_board_begin(rig->board, "paging buffers in their aperture");
    rig->buffer_count = 1;
    for (uint32_t i = 1; i < count; i++)
        if (!map_buffer(rig, i))
            return false;
    if (!vidmm_rig_finish(rig))
        return false;
    rig->buffer_count = count;
    return true;
}

static void unmap_buffers(struct vidmm_rig *rig)
{
    uint32_t count = rig->buffer_count;
    DXGKARG_BUILDPAGINGBUFFER arguments;

    rig->buffer_count = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (!rig->buffers[i].aperture_page || rig->dead)
            continue;
        memset(&arguments, 0, sizeof(arguments));
        arguments.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
        arguments.UnmapApertureSegment.hDevice = rig->device;
        arguments.UnmapApertureSegment.SegmentId = rig->paging_segment;
        arguments.UnmapApertureSegment.OffsetInPages = rig->buffers[i].aperture_page;
        arguments.UnmapApertureSegment.NumberOfPages = buffer_pages(rig);
        arguments.UnmapApertureSegment.DummyPage.QuadPart =
            (LONGLONG)(rig->dummy.frames[0] * VIDMM_PAGE_SIZE);
        vidmm_rig_build(rig, &arguments);
        rig->buffers[i].aperture_page = 0;
    }
    vidmm_rig_finish(rig);
    rig->buffer_count = count;
}

void vidmm_rig_paging_stop(struct vidmm_rig *rig)
{
    if (rig->buffer_count && !rig->dead) {
        vidmm_rig_finish(rig);
        unmap_buffers(rig);
    }
    for (uint32_t i = 0; i < VIDMM_RIG_BUFFERS; i++) {
        vidmm_rig_give_pages(rig, &rig->buffers[i].pages);
        free(rig->buffers[i].private_data);
        rig->buffers[i].private_data = NULL;
    }
    rig->buffer_count = 0;
}
