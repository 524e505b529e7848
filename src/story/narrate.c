/* Theory. Lines go to a stream in memory. Each thing that the engine names by id has a record here:
 * allocations and buffers from their creation to DESTROY, DMA buffers from SUBMIT to RETIRE. Ids
 * are small and used again, so the records stand in tables by id.
 *
 * N1  names[id] is the name of the allocation with that id, from its creation on
 * N2  submissions[id] is the number of the submission that DMA buffer id was queued for last
 * N3  the places of a submission are collected from PLACED to the SUBMIT that they belong to
 */
#include "story/narrate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>

#include "base/size.h"
#include "base/text.h"
#include "wddm/status.h"

enum { IDS = 4096, NAME = 40, PLACES = 2000, TOGETHER = 64 };

struct vidmm_narrator {
    struct vidmm_observer observer;
    FILE *file;
    char *text;
    size_t size;
    bool speaking;
    uint64_t events;
    uint64_t act;              /* number of the last act */
    char next[TOGETHER][NAME]; /* of the next allocations created ... */
    uint32_t named, used;      /* ... next[used] to next[named - 1] */
    char process[NAME];
    char names[IDS][NAME]; /* N1 */
    char devices[IDS][NAME];
    uint8_t buffers[IDS];      /* `buffer` of VIDMM_EVENT_CREATE_ALLOCATION */
    uint32_t submissions[IDS]; /* N2 */
    uint32_t submission_count;
    uint32_t paging_buffers, dma_buffers, context_allocations; /* created so far */
    char places[PLACES];                                       /* N3 */
    size_t places_length;
    uint32_t power;    /* REST or RESUME, the newest of them */
    bool stays;        /* of it: the power stays */
    uint32_t recovery; /* kind of the last call of timeout detection and recovery */
};

/* ---- lines ----------------------------------------------------------------------------------- */

static void begin(struct vidmm_narrator *narrator, const char *indent, uint64_t number)
{
    fprintf(narrator->file, "[%3" PRIu64 "] %s", number, indent);
}

__attribute__((format(printf, 2, 3))) static void tell(struct vidmm_narrator *narrator,
                                                       const char *format, ...)
{
    va_list arguments;

    if (!narrator->speaking)
        return;
    begin(narrator, "  ", narrator->events);
    va_start(arguments, format);
    vfprintf(narrator->file, format, arguments);
    va_end(arguments);
    fputc('\n', narrator->file);
}

struct text {
    char text[96];
};

static struct text place_of(struct vidmm_place place)
{
    struct text text;

    if (place.segment == 0)
        snprintf(text.text, sizeof(text.text), "system memory");
    else
        snprintf(text.text, sizeof(text.text), "segment %" PRIu32 " +%s", place.segment,
                 vidmm_size_written(place.offset).text);
    return text;
}

static struct text status_of(uint32_t status)
{
    struct vidmm_text line;
    struct text text;

    vidmm_text_init(&line, text.text, sizeof(text.text));
    vidmm_status_print(&line, (NTSTATUS)status);
    return text;
}

static const char *name_of(const struct vidmm_narrator *narrator, uint32_t allocation)
{
    const char *name = allocation < IDS ? narrator->names[allocation] : "";

    return name[0] != 0 ? name : "somebody";
}

/* ---- events ---------------------------------------------------------------------------------- */

/* N1 */
static void name_allocation(struct vidmm_narrator *narrator, const struct vidmm_event *event)
{
    uint32_t id = event->create.allocation;

    if (id >= IDS)
        return;
    narrator->buffers[id] = (uint8_t)event->create.buffer;
    if (event->create.context_allocation != 0) {
        snprintf(narrator->names[id], NAME, "context allocation %" PRIu32,
                 ++narrator->context_allocations);
        return;
    }
    if (event->create.buffer == 0) {
        memcpy(narrator->names[id], narrator->next[narrator->used], NAME);
        narrator->used += narrator->used + 1 < narrator->named;
        return;
    }
    if (event->create.buffer == VIDMM_BUFFER_READS) {
        snprintf(narrator->names[id], NAME, "no allocation");
        return;
    }
    if (event->create.buffer == VIDMM_BUFFER_FENCES) {
        snprintf(narrator->names[id], NAME, "page of fences");
        return;
    }
    bool dma = event->device < IDS && narrator->devices[event->device][0] != 0;
    snprintf(narrator->names[id], NAME, "%s buffer %" PRIu32, dma ? "DMA" : "paging",
             dma ? ++narrator->dma_buffers : ++narrator->paging_buffers);
}

/* Paging buffer 1 of the engine is the one that the adapter starts and stops with. */
static struct text paging_buffer_of(uint32_t id)
{
    struct text text;

    if (id == 1)
        snprintf(text.text, sizeof(text.text), "the paging buffer in system memory");
    else
        snprintf(text.text, sizeof(text.text), "paging buffer %" PRIu32, id - 1);
    return text;
}

static void tell_paging_buffers(struct vidmm_narrator *narrator, const struct vidmm_event *event)
{
    uint32_t first = event->paging_buffers.first, count = event->paging_buffers.count;

    if (count == 1)
        tell(narrator, "%s is the one to use", paging_buffer_of(first).text);
    else
        tell(narrator, "paging buffers %" PRIu32 " .. %" PRIu32 " are those to use", first - 1,
             first + count - 2);
}

static void tell_built(struct vidmm_narrator *narrator, const struct vidmm_event *event)
{
    uint32_t offset = event->built.multipass_offset;

    if (event->built.status == 0)
        return;
    if (offset == 0)
        tell(narrator, "  the driver answers %s", status_of(event->built.status).text);
    else
        tell(narrator, "  the driver answers %s, MultipassOffset %" PRIu32,
             status_of(event->built.status).text, offset);
}

static void tell_recovered(struct vidmm_narrator *narrator, const struct vidmm_event *event)
{
    if (event->recovered.status != 0)
        tell(narrator, "  the driver answers %s", status_of(event->recovered.status).text);
    else if (narrator->recovery == VIDMM_DO_QUERY_FENCE)
        tell(narrator, "  the driver answers CurrentFence %" PRIu32, event->recovered.fence);
    else if (narrator->recovery == VIDMM_DO_QUERY_ENGINE)
        tell(narrator, "  the driver answers Responsive %d", event->recovered.nodes != 0);
    else if (narrator->recovery == VIDMM_DO_QUERY_GROUP)
        tell(narrator, "  the driver answers nodes 0x%" PRIx64, event->recovered.nodes);
    else if (narrator->recovery == VIDMM_DO_RESET_ENGINE)
        tell(narrator, "  the driver answers LastAbortedFenceId %" PRIu32, event->recovered.fence);
}

static void tell_failure(struct vidmm_narrator *narrator, uint32_t status)
{
    if (status != 0)
        tell(narrator, "  the driver answers %s", status_of(status).text);
}

static void tell_claimed(struct vidmm_narrator *narrator, const struct vidmm_event *event)
{
    const char *name = name_of(narrator, event->claimed.allocation);

    if (event->claimed.granted == VIDMM_CLAIM_REFUSED)
        tell(narrator, "%s: the CPU holds a lock on it, so it stays", name);
    else if (event->claimed.granted == VIDMM_CLAIM_FOLLOWS)
        tell(narrator, "%s: the CPU holds a lock on it; its addresses wait, and follow", name);
    else if (event->claimed.granted == VIDMM_CLAIM_USED)
        tell(narrator, "%s: it was locked since it was asked about, so it stays", name);
}

static void see_event(void *context, const struct vidmm_event *event)
{
    struct vidmm_narrator *narrator = context;

    narrator->events += narrator->speaking;
    switch (event->kind) {
    case VIDMM_EVENT_CREATE_DEVICE:
        if (event->device < IDS)
            memcpy(narrator->devices[event->device], narrator->process, NAME);
        break;
    case VIDMM_EVENT_CREATE_ALLOCATION:
        name_allocation(narrator, event);
        break;
    case VIDMM_EVENT_SUBMIT:
        narrator->submission_count++;
        if (event->submit.dma_buffer < IDS)
            narrator->submissions[event->submit.dma_buffer] = narrator->submission_count;
        break;
    case VIDMM_EVENT_PAGING_BUFFERS:
        tell_paging_buffers(narrator, event);
        break;
    case VIDMM_EVENT_CLAIMED:
        tell_claimed(narrator, event);
        break;
    case VIDMM_EVENT_BUILT:
        tell_built(narrator, event);
        break;
    case VIDMM_EVENT_HOST_ANSWERED:
        tell_failure(narrator, event->host.status);
        break;
    case VIDMM_EVENT_RANGED:
        tell_failure(narrator, event->ranged.status);
        break;
    case VIDMM_EVENT_SUBMITTED:
        tell_failure(narrator, event->submitted.status);
        break;
    case VIDMM_EVENT_FENCE:
        tell(narrator, "node %" PRIu32 " is done with fence %" PRIu32, event->fence.node,
             event->fence.fence);
        break;
    case VIDMM_EVENT_PREEMPTED:
        tell(narrator,
             "node %" PRIu32 " has stopped, preemption fence %" PRIu32 ": fence %" PRIu32
             " was its last",
             event->preempted.node, event->preempted.fence, event->preempted.last_completed);
        break;
    case VIDMM_EVENT_RECOVERED:
        tell_recovered(narrator, event);
        break;
    case VIDMM_EVENT_REST:
        narrator->stays = event->rest.power == VIDMM_POWER_D0;
        narrator->power = event->kind;
        break;
    case VIDMM_EVENT_RESUME:
        narrator->power = event->kind;
        break;
    default:
        break;
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

static void tell_recovery(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    uint32_t node = operation->recover.node;

    narrator->recovery = operation->kind;
    switch (operation->kind) {
    case VIDMM_DO_QUERY_FENCE:
        tell(narrator, "node %" PRIu32 " is late: QueryCurrentFence", node);
        break;
    case VIDMM_DO_PREEMPT:
        tell(narrator, "node %" PRIu32 " is to stop: PreemptCommand, preemption fence %" PRIu32,
             node, operation->recover.fence);
        break;
    case VIDMM_DO_QUERY_ENGINE:
        tell(narrator, "node %" PRIu32 " has not stopped: QueryEngineStatus", node);
        break;
    case VIDMM_DO_QUERY_GROUP:
        tell(narrator, "node %" PRIu32 " hangs: QueryDependentEngineGroup", node);
        break;
    case VIDMM_DO_RESET_ENGINE:
        tell(narrator, "node %" PRIu32 " hangs: ResetEngine", node);
        break;
    case VIDMM_DO_RESET:
        tell(narrator, "the adapter is reset: ResetFromTimeout");
        break;
    default:
        tell(narrator, "the adapter goes on: RestartFromTimeout");
        break;
    }
}

/* "a: here -> there" or "a: there", and what is done, in a column. */
__attribute__((format(printf, 4, 5))) static void tell_move(struct vidmm_narrator *narrator,
                                                            const char *name, const char *where,
                                                            const char *format, ...)
{
    char what[160], line[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    snprintf(line, sizeof(line), "%s: %s", name, where);
    tell(narrator, "%-44s %s", line, what);
}

static void tell_transfer(struct vidmm_narrator *narrator, const struct vidmm_operation *operation,
                          const char *more)
{
    char where[200], part[80] = "";
    uint32_t flags = operation->build.flags;
    const char *order = (flags & VIDMM_PAGING_SWIZZLE) != 0     ? ", Swizzle"
                        : (flags & VIDMM_PAGING_UNSWIZZLE) != 0 ? ", Unswizzle"
                                                                : "";
    bool start = (flags & VIDMM_PAGING_START) != 0, end = (flags & VIDMM_PAGING_END) != 0;

    snprintf(where, sizeof(where), "%s -> %s", place_of(operation->build.source).text,
             place_of(operation->build.destination).text);
    if (!start || !end)
        snprintf(part, sizeof(part), " at +%s%s%s",
                 vidmm_size_written(operation->build.transfer_offset).text,
                 start ? ", TransferStart" : "", end ? ", TransferEnd" : "");
    tell_move(narrator, name_of(narrator, operation->allocation), where, "%s %s%s%s%s",
              operation->build.operation == VIDMM_TRANSFER ? "transfer" : "special-lock transfer",
              vidmm_size_written(operation->build.size).text, part, order, more);
}

/* The addresses that a record of page tables is about, and what they mean from here on. */
static void tell_entries(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    static const char *const kinds[] = {[VIDMM_ENTRY_IS_INVALID] = "invalid",
                                        [VIDMM_ENTRY_IS_ZERO] = "zero",
                                        [VIDMM_ENTRY_IS_PAGES] = "pages",
                                        [VIDMM_ENTRY_IS_TABLES] = "tables"};
    char where[120], what[80];
    bool pages = operation->table.entry == VIDMM_ENTRY_IS_PAGES && operation->table.level == 0;

    snprintf(what, sizeof(what), "%" PRIu32 " %s of level %" PRIu32 "%s%s", operation->table.count,
             operation->table.count == 1 ? "entry" : "entries", operation->table.level,
             (operation->table.flags & VIDMM_PAGING_WIDE) != 0 ? " of 64K" : "",
             (operation->table.flags & VIDMM_PAGING_INITIAL) != 0 ? ", InitialUpdate" : "");
    snprintf(where, sizeof(where), "0x%" PRIx64 " of process %" PRIu32, operation->table.address,
             operation->table.process);
    if (pages)
        tell_move(narrator, name_of(narrator, operation->allocation),
                  place_of(operation->table.place).text, "%s, from %s on", what, where);
    else
        tell_move(narrator, "page tables", kinds[operation->table.entry], "%s, from %s on", what,
                  where);
}

/* An operation by address, or for addresses. */
static void tell_by_address(struct vidmm_narrator *narrator,
                            const struct vidmm_operation *operation)
{
    const char *name = name_of(narrator, operation->allocation);
    char where[80];

    switch (operation->table.operation) {
    case VIDMM_UPDATE_PAGE_TABLE:
        tell_entries(narrator, operation);
        break;
    case VIDMM_FLUSH_TLB:
        snprintf(where, sizeof(where), "0x%" PRIx64 " to 0x%" PRIx64, operation->table.address,
                 operation->table.end);
        tell_move(narrator, "page tables", where, "FlushTlb of process %" PRIu32,
                  operation->table.process);
        break;
    case VIDMM_TRANSFER_VIRTUAL:
        snprintf(where, sizeof(where), "0x%" PRIx64 " -> 0x%" PRIx64, operation->table.address,
                 operation->table.end);
        tell_move(narrator, name, where, "transfer %s at +%s by address",
                  vidmm_size_written(operation->table.size).text,
                  vidmm_size_written(operation->table.offset).text);
        break;
    case VIDMM_FILL_VIRTUAL:
        snprintf(where, sizeof(where), "0x%" PRIx64, operation->table.address);
        tell_move(narrator, name, where, "fill %s by address",
                  vidmm_size_written(operation->table.size).text);
        break;
    case VIDMM_SIGNAL_MONITORED_FENCE:
        snprintf(where, sizeof(where), "0x%" PRIx64, operation->table.address);
        tell_move(narrator, name, where, "SignalMonitoredFence, %" PRIu64, operation->table.end);
        break;
    default:
        tell_move(narrator, name, vidmm_paging_name(operation->table.operation), "by address");
        break;
    }
}

static bool is_by_address(uint32_t operation)
{
    return operation == VIDMM_UPDATE_PAGE_TABLE || operation == VIDMM_FLUSH_TLB ||
           operation == VIDMM_TRANSFER_VIRTUAL || operation == VIDMM_FILL_VIRTUAL ||
           operation == VIDMM_UPDATE_CONTEXT_ALLOCATION || operation == VIDMM_NOTIFY_ALLOCATION ||
           operation == VIDMM_SIGNAL_MONITORED_FENCE;
}

static void tell_build(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    const char *name = name_of(narrator, operation->allocation);
    struct text where = place_of(operation->build.destination);
    struct vidmm_size_text size = vidmm_size_written(operation->build.size);
    uint32_t flags = operation->build.flags;
    char more[80] = "";

    snprintf(more, sizeof(more), "%s%s", (flags & VIDMM_PAGING_AGAIN) != 0 ? ", again" : "",
             (flags & VIDMM_PAGING_IDLE) != 0 ? ", AllocationIsIdle" : "");
    if (is_by_address(operation->build.operation)) {
        tell_by_address(narrator, operation);
        return;
    }
    switch (operation->build.operation) {
    case VIDMM_TRANSFER:
    case VIDMM_SPECIAL_LOCK_TRANSFER:
        tell_transfer(narrator, operation, more);
        break;
    case VIDMM_FILL:
        tell_move(narrator, name, where.text, "fill %s%s", size.text, more);
        break;
    case VIDMM_INIT_CONTEXT_RESOURCE:
        tell_move(narrator, name, where.text, "init context resource%s", more);
        break;
    case VIDMM_DISCARD_CONTENT:
        tell_move(narrator, name, where.text, "discard content%s", more);
        break;
    case VIDMM_READ_PHYSICAL:
    case VIDMM_WRITE_PHYSICAL:
        tell_move(narrator, name, where.text, "%s%s", vidmm_paging_name(operation->build.operation),
                  more);
        break;
    case VIDMM_NOTIFY_RESIDENCY:
        tell_move(narrator, name, where.text, "NotifyResidency%s", more);
        break;
    case VIDMM_MAP_APERTURE_SEGMENT:
        tell_move(narrator, name, where.text, "map %s%s", size.text, more);
        break;
    default:
        tell_move(narrator, name, where.text, "unmap %s%s", size.text, more);
        break;
    }
}

static void tell_host(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    const char *what = operation->kind == VIDMM_DO_MAP_HOST ? "map" : "unmap";
    char where[48];

    snprintf(where, sizeof(where), "CPU host aperture, %" PRIu32 " page%s", operation->host.pages,
             operation->host.pages == 1 ? "" : "s");
    tell_move(narrator, name_of(narrator, operation->allocation), where, "%s", what);
}

static void tell_range(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    const char *what = operation->kind == VIDMM_DO_ACQUIRE_RANGE ? "acquire" : "release";
    char where[32];

    if (operation->kind == VIDMM_DO_MAP_HOST || operation->kind == VIDMM_DO_UNMAP_HOST) {
        tell_host(narrator, operation);
        return;
    }
    snprintf(where, sizeof(where), "swizzling range %" PRIu32, operation->range.range - 1);
    tell_move(narrator, name_of(narrator, operation->allocation), where, "%s", what);
}

/* N3 */
static void note_place(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    size_t at = narrator->places_length;

    if (at >= PLACES || operation->placed.place.segment == 0)
        return; /* not of this part */
    narrator->places_length += (size_t)snprintf(
        narrator->places + at, PLACES - at, "%s %s at %s", at == 0 ? ":" : ",",
        name_of(narrator, operation->allocation), place_of(operation->placed.place).text);
}

static uint32_t submission_of(const struct vidmm_narrator *narrator, uint32_t dma_buffer)
{
    return dma_buffer < IDS ? narrator->submissions[dma_buffer] : 0;
}

static void tell_submit(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    bool part = operation->submit.start > 0 || !operation->submit.last;
    char bytes[48] = "";

    if (part)
        snprintf(bytes, sizeof(bytes), ", bytes %" PRIu32 " to %" PRIu32, operation->submit.start,
                 operation->submit.end);
    tell(narrator, "submission %" PRIu32 "%s -> node %" PRIu32 "%s, fence %" PRIu32 "%s",
         submission_of(narrator, operation->submit.dma_buffer), bytes, operation->submit.node,
         operation->submit.again != 0 ? " again" : "", operation->submit.fence,
         narrator->places_length > 0 ? narrator->places : "");
    narrator->places_length = 0;
}

static void tell_show(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    tell(narrator, "%s: its addresses show %s", name_of(narrator, operation->allocation),
         place_of(operation->show.place).text);
}

static void tell_bytes(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    tell_move(narrator, name_of(narrator, operation->allocation), "system memory", "%s",
              operation->kind == VIDMM_DO_CLEAR ? "zeroed" : "dropped");
}

static void tell_grant(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    if (operation->allocation == 0 && narrator->power != 0) {
        if (!narrator->stays)
            tell(narrator, narrator->power == VIDMM_EVENT_REST
                               ? "what is not preserved has left, and nothing is in flight"
                               : "command buffers are where they were");
        else if (narrator->power == VIDMM_EVENT_REST)
            tell(narrator, "nothing is in flight; memory stays as it is");
        return;
    }
    const char *name = name_of(narrator, operation->allocation);
    struct text where = place_of(operation->grant.place);

    if (operation->grant.status != 0)
        return; /* the act that asked is told to be refused */
    if ((operation->grant.flags & VIDMM_GRANT_SET_UP) != 0)
        tell(narrator, "%s: the range is set up", name);
    else if (operation->allocation < IDS &&
             narrator->buffers[operation->allocation] == VIDMM_BUFFER_READS)
        tell(narrator, "the bytes are there");
    else if (operation->allocation < IDS && narrator->buffers[operation->allocation])
        tell(narrator, "%s: is ready, at %s", name, where.text);
    else if (operation->grant.range != 0)
        tell(narrator, "%s: locked, in %s, by swizzling range %" PRIu32, name, where.text,
             operation->grant.range - 1);
    else
        tell(narrator, "%s: locked, in %s", name, where.text);
}

static void tell_retire(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    uint32_t number = submission_of(narrator, operation->retire.dma_buffer);

    if (operation->retire.status == 0)
        tell(narrator, "submission %" PRIu32 " is done", number);
    else
        tell(narrator, "submission %" PRIu32 " is given up: %s", number,
             status_of(operation->retire.status).text);
}

static void tell_error(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    const char *process = operation->error.device < IDS && operation->error.device != 0
                              ? narrator->devices[operation->error.device]
                              : "";

    if (operation->error.reason == VIDMM_REASON_HUNG ||
        operation->error.reason == VIDMM_REASON_REMOVED)
        tell(narrator, "the device of %s is %s", process[0] != 0 ? process : "the program",
             operation->error.reason == VIDMM_REASON_REMOVED ? "removed"
                                                             : "in error: it hung the GPU");
    else if (operation->error.reason == VIDMM_REASON_BINDING_LEAK)
        tell(narrator,
             "the device of %s is in error: the next part of submission %" PRIu32
             " leans on %s bound before it",
             process[0] != 0 ? process : "the program",
             submission_of(narrator, operation->error.dma_buffer),
             vidmm_size_written(operation->error.needed).text);
    else
        tell(narrator,
             "the device of %s is in error: submission %" PRIu32 " needs %s in one segment",
             process[0] != 0 ? process : "the program",
             submission_of(narrator, operation->error.dma_buffer),
             vidmm_size_written(operation->error.needed).text);
}

static void tell_stopped(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    if (operation->error.reason == VIDMM_REASON_NONE)
        tell(narrator, "the adapter is at rest");
    else
        tell(narrator, "the adapter stops: %s", vidmm_reason_text(operation->error.reason));
}

/* Tell the packet that goes to a node: a paging buffer, nothing but a context switch, or a DMA
 * buffer. */
static void tell_packet(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    if (operation->kind == VIDMM_DO_SUBMIT)
        tell_submit(narrator, operation);
    else if (operation->kind == VIDMM_DO_CANCEL)
        tell(narrator, "submission %" PRIu32 " is cancelled%s",
             submission_of(narrator, operation->submit.dma_buffer),
             operation->submit.start != 0 ? ", what is left of it" : "");
    else if (operation->kind == VIDMM_DO_SWITCH)
        tell(narrator, "node %" PRIu32 " leaves its context%s, fence %" PRIu32,
             operation->switching.node, operation->switching.again != 0 ? " again" : "",
             operation->switching.fence);
    else
        tell(narrator, "%s is submitted%s, fence %" PRIu32,
             paging_buffer_of(operation->submit_paging.paging_buffer).text,
             operation->submit_paging.again != 0 ? " again" : "", operation->submit_paging.fence);
}

/* The end of an allocation, or of its content. */
static void tell_end(struct vidmm_narrator *narrator, const struct vidmm_operation *operation)
{
    uint32_t id = operation->allocation;

    if (operation->kind == VIDMM_DO_LOST)
        tell(narrator, "%s: its content is lost; nothing renders with it any more",
             name_of(narrator, id));
    else if (id >= IDS || narrator->buffers[id] != VIDMM_BUFFER_READS)
        tell(narrator, "%s: is gone", name_of(narrator, id));
}

static bool is_recovery(const struct vidmm_operation *operation)
{
    return operation->kind >= VIDMM_DO_QUERY_FENCE && operation->kind <= VIDMM_DO_RESTART;
}

static void see_operation(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    struct vidmm_narrator *narrator = context;

    (void)time_ns;
    if (is_recovery(operation)) {
        tell_recovery(narrator, operation);
        return;
    }
    switch (operation->kind) {
    case VIDMM_DO_BUILD:
        tell_build(narrator, operation);
        break;
    case VIDMM_DO_SUBMIT_PAGING:
    case VIDMM_DO_CANCEL:
    case VIDMM_DO_SWITCH:
    case VIDMM_DO_SUBMIT:
        tell_packet(narrator, operation);
        break;
    case VIDMM_DO_PLACED:
        note_place(narrator, operation);
        break;
    case VIDMM_DO_GRANT:
        tell_grant(narrator, operation);
        break;
    case VIDMM_DO_ACQUIRE_RANGE:
    case VIDMM_DO_RELEASE_RANGE:
    case VIDMM_DO_MAP_HOST:
    case VIDMM_DO_UNMAP_HOST:
        tell_range(narrator, operation);
        break;
    case VIDMM_DO_SHOW:
        tell_show(narrator, operation);
        break;
    case VIDMM_DO_CLEAR:
    case VIDMM_DO_DROP:
        tell_bytes(narrator, operation);
        break;
    case VIDMM_DO_RETIRE:
        tell_retire(narrator, operation);
        break;
    case VIDMM_DO_DESTROY:
    case VIDMM_DO_LOST:
        tell_end(narrator, operation);
        break;
    case VIDMM_DO_SET_ROOT:
        tell(narrator, "process %" PRIu32 ": a root of %" PRIu32 " entries",
             operation->root.process, operation->root.entries);
        break;
    case VIDMM_DO_ERROR:
        tell_error(narrator, operation);
        break;
    case VIDMM_DO_STOPPED:
        tell_stopped(narrator, operation);
        break;
    default: /* a claim: its answer follows at once */
        break;
    }
}

/* ---- the narrator ---------------------------------------------------------------------------- */

struct vidmm_narrator *vidmm_narrator_create(void)
{
    struct vidmm_narrator *narrator = calloc(1, sizeof(*narrator));

    if (narrator == NULL)
        return NULL;
    narrator->file = open_memstream(&narrator->text, &narrator->size);
    if (narrator->file == NULL) {
        free(narrator);
        return NULL;
    }
    narrator->observer = (struct vidmm_observer){
        .context = narrator, .event = see_event, .operation = see_operation};
    return narrator;
}

void vidmm_narrator_destroy(struct vidmm_narrator *narrator)
{
    if (narrator == NULL)
        return;
    fclose(narrator->file);
    free(narrator->text);
    free(narrator);
}

const struct vidmm_observer *vidmm_narrator_observer(struct vidmm_narrator *narrator)
{
    return &narrator->observer;
}

void vidmm_narrator_speak(struct vidmm_narrator *narrator, bool speak)
{
    narrator->speaking = speak;
}

void vidmm_narrator_act(struct vidmm_narrator *narrator, const char *process, const char *text)
{
    narrator->act = narrator->events + 1;
    begin(narrator, "", narrator->act);
    if (process != NULL)
        fprintf(narrator->file, "%s: ", process);
    fprintf(narrator->file, "%s\n", text);
}

void vidmm_narrator_say(struct vidmm_narrator *narrator, const char *format, ...)
{
    va_list arguments;

    begin(narrator, "  ", narrator->events > narrator->act ? narrator->events : narrator->act);
    va_start(arguments, format);
    vfprintf(narrator->file, format, arguments);
    va_end(arguments);
    fputc('\n', narrator->file);
}

void vidmm_narrator_end(struct vidmm_narrator *narrator, const char *format, ...)
{
    va_list arguments;

    fputs("[end] ", narrator->file);
    va_start(arguments, format);
    vfprintf(narrator->file, format, arguments);
    va_end(arguments);
    fputc('\n', narrator->file);
}

static void copy_name(char to[NAME], const char *name)
{
    memset(to, 0, NAME);
    snprintf(to, NAME, "%s", name != NULL ? name : "");
}

void vidmm_narrator_name(struct vidmm_narrator *narrator, const char *name)
{
    copy_name(narrator->next[0], name);
    narrator->named = 1;
    narrator->used = 0;
}

void vidmm_narrator_name_next(struct vidmm_narrator *narrator, const char *name)
{
    if (narrator->named < TOGETHER)
        copy_name(narrator->next[narrator->named++], name);
}

void vidmm_narrator_process(struct vidmm_narrator *narrator, const char *name)
{
    copy_name(narrator->process, name);
}

uint64_t vidmm_narrator_events(const struct vidmm_narrator *narrator)
{
    return narrator->events;
}

char *vidmm_narrator_text(struct vidmm_narrator *narrator)
{
    if (fflush(narrator->file) != 0 || ferror(narrator->file))
        return NULL;
    return strdup(narrator->text);
}
