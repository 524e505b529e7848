/*
 * tap.c: the way of every call.
 *
 * Invariants
 *  1. Records are numbered, judged and logged under the lock, so their order is one order for all.
 *  2. Before a record is judged, everything that was noticed at interrupt time before is:
 *     completions that the caller knows of, the shadow knows too.
 *  3. The lock is not held while the miniport or the manager is inside a call.
 */
#include "contract/tap.h"

#include <stdlib.h>
#include <string.h>

#include <wddm/ntstatus.h>

#include "base/text.h"
#include "wddm/level.h"

_Static_assert(sizeof(union vidmm_tap_argument) >= sizeof(DXGKARG_BUILDPAGINGBUFFER),
               "every argument struct fits");

/* ---- Making ---- */

static const struct vidmm_tap_config default_config;

static void complete_config(struct vidmm_tap_config *config)
{
    if (config->list_limit == 0)
        config->list_limit = 8;
    if (config->list_limit == UINT32_MAX)
        config->list_limit = 0; /* to print.c this is "all" */
    if (config->keep == 0)
        config->keep = 4;
    if (config->links == 0)
        config->links = 1;
}

struct vidmm_tap *vidmm_tap_create(const struct vidmm_tap_config *config,
                                   const DRIVER_INITIALIZATION_DATA *driver)
{
    const struct vidmm_level *level = vidmm_level_find(driver->Version);
    struct vidmm_tap_config complete = config == NULL ? default_config : *config;
    struct vidmm_tap *tap;

    if (level == NULL)
        return NULL;
    tap = calloc(1, sizeof *tap);
    if (tap == NULL)
        return NULL;
    tap->level = level;
    memcpy(&tap->driver, driver, level->driver_size);
    if (!vidmm_tap_take_slot(tap)) {
        free(tap);
        return NULL;
    }
    complete_config(&complete);
    vidmm_notices_init(&tap->notices);
    pthread_mutex_init(&tap->lock, NULL);
    if (!vidmm_audit_init(&tap->audit, &complete, level->level)) {
        vidmm_tap_destroy(tap);
        return NULL;
    }
    return tap;
}

const DRIVER_INITIALIZATION_DATA *vidmm_tap_driver(const struct vidmm_tap *tap)
{
    return &tap->wrapped;
}

void vidmm_tap_destroy(struct vidmm_tap *tap)
{
    if (tap == NULL)
        return;
    vidmm_tap_release_slot(tap);
    vidmm_audit_finish(&tap->audit);
    pthread_mutex_destroy(&tap->lock);
    free(tap);
}

bool vidmm_tap_begin_adapter(struct vidmm_tap *tap)
{
    bool free_now;

    pthread_mutex_lock(&tap->lock);
    free_now = tap->adapters < tap->audit.config.links;
    tap->adapters += free_now;
    pthread_mutex_unlock(&tap->lock);
    return free_now;
}

void vidmm_tap_end_adapter(struct vidmm_tap *tap)
{
    pthread_mutex_lock(&tap->lock);
    tap->adapters--;
    pthread_mutex_unlock(&tap->lock);
}

/* ---- Log ---- */

static void write_text(const struct vidmm_tap *tap, const char *text, size_t length)
{
    tap->audit.config.log(tap->audit.config.log_context, text, length);
}

static void end_open_line(struct vidmm_tap *tap)
{
    if (tap->open_line != 0)
        write_text(tap, "\n", 1);
    tap->open_line = 0;
}

static void print_line(struct vidmm_text *text, const struct vidmm_tap *tap,
                       const struct vidmm_ddi_record *record, bool goes_on)
{
    if (!goes_on) {
        for (uint64_t below = 10000000; below > record->sequence && below > 1; below /= 10)
            vidmm_text_char(text, ' ');
        vidmm_text_number(text, record->sequence);
        vidmm_text_char(text, ' ');
        if (record->irql > 0) {
            vidmm_text_char(text, '@');
            vidmm_text_number(text, (uint64_t)record->irql);
            vidmm_text_char(text, ' ');
        }
        if (record->returned) {
            vidmm_text_string(text, vidmm_ddi_call(record->ddi)->name);
            vidmm_text_string(text, " of ");
            vidmm_text_number(text, record->entered);
        }
    }
    if (record->returned)
        vidmm_text_string(text, " -> ");
    vidmm_ddi_print(text, record, tap->audit.config.list_limit);
}

/* Entry and return share a line if nothing stands between them. */
static void log_record(struct vidmm_tap *tap, const struct vidmm_ddi_record *record,
                       bool has_return)
{
    bool goes_on = record->returned && record->entered == tap->open_line;
    char line[2048], *longer = NULL;
    struct vidmm_text text;

    if (tap->audit.config.log == NULL)
        return;
    if (!goes_on)
        end_open_line(tap);
    vidmm_text_init(&text, line, sizeof line);
    print_line(&text, tap, record, goes_on);
    if (vidmm_text_truncated(&text) && (longer = malloc(text.length + 1)) != NULL) {
        vidmm_text_init(&text, longer, text.length + 1);
        print_line(&text, tap, record, goes_on);
    }
    write_text(tap, text.buffer, vidmm_text_truncated(&text) ? text.size - 1 : text.length);
    free(longer);
    tap->open_line = record->sequence;
    if (record->returned || !has_return)
        end_open_line(tap);
}

/* ---- Records ---- */

/* The run of an interrupt routine in which this thread is; 0: in none. */
static _Thread_local uint64_t run_inside;

static int irql_of(const struct vidmm_tap *tap)
{
    const struct vidmm_tap_config *config = &tap->audit.config;

    return config->current_irql == NULL ? VIDMM_IRQL_ANY
                                        : config->current_irql(config->irql_context);
}

/* Number a record, judge it, show it. The lock is held. */
static void take_record(struct vidmm_tap *tap, struct vidmm_ddi_record *record,
                        struct vidmm_audit_event *event, bool has_return)
{
    record->sequence = ++tap->sequence;
    log_record(tap, record, has_return);
    if (tap->audit.config.record != NULL)
        tap->audit.config.record(tap->audit.config.record_context, record);
    if (tap->audit.config.no_audit)
        return;
    if (record->returned)
        vidmm_audit_leave(&tap->audit, event, record);
    else
        vidmm_audit_enter(&tap->audit, event, record);
}

/* Take over what happened at interrupt time. The lock is held. */
static void take_notices(struct vidmm_tap *tap)
{
    struct vidmm_notice notice;

    while (vidmm_notices_pop(&tap->notices, &notice)) {
        struct vidmm_audit_event event = {0};
        struct vidmm_ddi_record record = {.ddi = notice.ddi,
                                          .level = tap->level->level,
                                          .irql = notice.irql,
                                          .run = notice.run,
                                          .handle = notice.handle};
        if (notice.ddi == VIDMM_DDI_NOTIFY_INTERRUPT)
            record.argument = &notice.data;
        else if (notice.ddi == VIDMM_DDI_INTERRUPT_ROUTINE)
            record.argument = &notice.interrupt;
        take_record(tap, &record, &event, false);
    }
}

static void lock(struct vidmm_tap *tap)
{
    pthread_mutex_lock(&tap->lock);
    take_notices(tap);
}

static void unlock(struct vidmm_tap *tap)
{
    pthread_mutex_unlock(&tap->lock);
}

void vidmm_tap_enter(struct vidmm_tap *tap, struct vidmm_tap_frame *frame, enum vidmm_ddi ddi,
                     HANDLE handle, const void *argument)
{
    size_t size = vidmm_ddi_argument_size(ddi, tap->level->level);

    frame->tap = tap;
    memset(&frame->event, 0, sizeof frame->event);
    frame->record = (struct vidmm_ddi_record){.ddi = ddi,
                                              .level = tap->level->level,
                                              .irql = irql_of(tap),
                                              .run = run_inside,
                                              .handle = handle,
                                              .argument = argument};
    if (argument != NULL && size > 0 && size <= sizeof frame->before) {
        memcpy(&frame->before, argument, size);
        frame->record.before = &frame->before;
    }
    /* checkers and shadow keep `asked` until the return: the driver may change the original */
    if (ddi == VIDMM_DDI_BUILD_PAGING_BUFFER)
        frame->record.argument = &frame->before;
    lock(tap);
    take_record(tap, &frame->record, &frame->event, true);
    unlock(tap);
    frame->record.argument = argument;
}

/* The object behind a handle that is being opened: on WDDM 2 GetHandleData is silent (W-027). */
static HANDLE object_of(const struct vidmm_tap *tap, const DXGKARGCB_GETHANDLEDATA *question)
{
    DXGKARGCB_RELEASEHANDLEDATA release = {.Type = question->Type};
    HANDLE object;

    if (tap->kernel.DxgkCbAcquireHandleData == NULL)
        return tap->kernel.DxgkCbGetHandleData(question);
    object = tap->kernel.DxgkCbAcquireHandleData(question, &release.ReleaseHandle);
    if (release.ReleaseHandle != NULL)
        tap->kernel.DxgkCbReleaseHandleData(release);
    return object;
}

/* Ask the manager which allocations were opened: the driver asks the same (D-384). */
static HANDLE *resolve_openings(const struct vidmm_tap *tap, const DXGKARG_OPENALLOCATION *open)
{
    HANDLE *resolved =
        calloc(open->NumAllocations == 0 ? 1 : open->NumAllocations, sizeof *resolved);

    if (resolved == NULL || tap->kernel.DxgkCbGetHandleData == NULL)
        return resolved;
    for (UINT i = 0; i < open->NumAllocations; i++) {
        DXGKARGCB_GETHANDLEDATA question = {.hObject = open->pOpenAllocation[i].hAllocation,
                                            .Type = DXGK_HANDLE_ALLOCATION};
        resolved[i] = object_of(tap, &question);
    }
    return resolved;
}

NTSTATUS vidmm_tap_leave(struct vidmm_tap_frame *frame, NTSTATUS status)
{
    struct vidmm_tap *tap = frame->tap;
    HANDLE *resolved = NULL;

    frame->event.entry_irql = frame->record.irql;
    frame->record.returned = true;
    frame->record.irql = irql_of(tap);
    frame->record.status = status;
    frame->record.entered = frame->record.sequence;
    if (frame->record.ddi == VIDMM_DDI_OPEN_ALLOCATION && NT_SUCCESS(status) &&
        !tap->audit.config.no_audit)
        resolved = resolve_openings(tap, frame->record.argument);
    lock(tap);
    frame->event.resolved = resolved;
    if (frame->record.ddi == VIDMM_DDI_OPEN_ALLOCATION && NT_SUCCESS(status) && resolved == NULL &&
        !tap->audit.config.no_audit)
        tap->audit.shadows[0]->lost = true;
    take_record(tap, &frame->record, &frame->event, true);
    unlock(tap);
    free(resolved);
    return status;
}

void vidmm_tap_notice(struct vidmm_tap *tap, enum vidmm_ddi ddi, HANDLE handle,
                      const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data, ULONG message)
{
    struct vidmm_notice notice = {
        .ddi = ddi, .irql = irql_of(tap), .run = run_inside, .handle = handle};

    if (data != NULL)
        notice.data = *data;
    else
        notice.interrupt.MessageNumber = message;
    while (!vidmm_notices_push(&tap->notices, &notice)) {
        lock(tap); /* unlocking empties the list */
        unlock(tap);
    }
}

uint64_t vidmm_tap_begin_interrupt(struct vidmm_tap *tap, HANDLE handle, ULONG message)
{
    uint64_t outer = run_inside;

    run_inside = atomic_fetch_add(&tap->runs, 1) + 1;
    vidmm_tap_notice(tap, VIDMM_DDI_INTERRUPT_ROUTINE, handle, NULL, message);
    return outer;
}

void vidmm_tap_end_interrupt(uint64_t outer)
{
    run_inside = outer;
}

void vidmm_tap_aside(struct vidmm_tap *tap, enum vidmm_ddi ddi)
{
    if (run_inside != 0)
        vidmm_tap_notice(tap, ddi, NULL, NULL, 0);
}

/* ---- Asking ---- */

uint64_t vidmm_tap_violations(struct vidmm_tap *tap)
{
    uint64_t total;

    lock(tap);
    total = tap->audit.total;
    unlock(tap);
    return total;
}

uint64_t vidmm_tap_violations_of(struct vidmm_tap *tap, enum vidmm_rule_id rule)
{
    uint64_t count;

    lock(tap);
    count = tap->audit.counts[rule];
    unlock(tap);
    return count;
}

bool vidmm_tap_violation(struct vidmm_tap *tap, size_t index, struct vidmm_violation *violation)
{
    bool found;

    lock(tap);
    found = index < tap->audit.kept_count;
    if (found) {
        const struct vidmm_kept_violation *kept = &tap->audit.kept[index];
        *violation =
            (struct vidmm_violation){kept->rule, kept->sequence, kept->detail, kept->record};
    }
    unlock(tap);
    return found;
}

uint64_t vidmm_tap_records(struct vidmm_tap *tap)
{
    uint64_t records;

    lock(tap);
    records = tap->sequence;
    unlock(tap);
    return records;
}

uint64_t vidmm_tap_unknown_references(struct vidmm_tap *tap)
{
    uint64_t references;

    lock(tap);
    references = tap->audit.shadows[0]->unknown_references;
    unlock(tap);
    return references;
}

bool vidmm_tap_complete(struct vidmm_tap *tap)
{
    bool lost;

    lock(tap);
    lost = vidmm_audit_lost(&tap->audit);
    unlock(tap);
    return !lost;
}

void vidmm_tap_report(struct vidmm_tap *tap, enum vidmm_report_style style, vidmm_tap_write *write,
                      void *context)
{
    lock(tap);
    vidmm_audit_report(&tap->audit, style, write, context);
    unlock(tap);
}
