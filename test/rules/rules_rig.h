/* rules_rig.h: test_adapter_rig.h with the auditor in between and a memory of what went by.
 *
 *     struct shown shown;
 *     shown_init(&shown, &options, bend);      as rig_init; `bend` may change the driver's functions
 *     ... rig_create(&shown.rig, ...), rig_render(&shown.rig, ...)
 *     n = shown_next(&shown, 0, VIDMM_DDI_SUBMIT_COMMAND)    what the driver was asked, by number
 *     shown_finish(&shown);                    all bytes right, nothing left, no rule broken
 *
 *     manager -- tap (records, judges) -- bent functions -- softgpu
 *
 * A call has two records, at entry and at return; calls at interrupt time one. What its argument
 * points to is good during the call only: a record here has the argument itself.
 */
#ifndef TEST_RULES_RULES_RIG_H
#define TEST_RULES_RULES_RIG_H

#include "unit/test_adapter_rig.h"

#include <stdlib.h>

#include "contract/contract.h"
#include "rules.h"
#include "wddm/flag_rule.h"

union shown_argument {
    DXGKARG_BUILDPAGINGBUFFER build;
    DXGKARG_PATCH patch;
    DXGKARG_SUBMITCOMMAND submit;
    DXGKARG_PREEMPTCOMMAND preempt;
    DXGKARG_QUERYADAPTERINFO query;
    DXGKARG_CREATEDEVICE create_device;
    DXGKARG_CREATECONTEXT create_context;
    DXGKARG_CREATEALLOCATION create;
    DXGKARG_DESTROYALLOCATION destroy;
    DXGKARG_OPENALLOCATION open;
    DXGKARG_CLOSEALLOCATION close;
    DXGKARG_RENDER render;
    unsigned char bytes[1024];
};

struct shown_call {
    enum vidmm_ddi ddi;
    bool returned;
    int irql;
    uint64_t sequence, entered;
    HANDLE handle;
    NTSTATUS status;
    union shown_argument argument;
};

struct shown {
    struct rig rig;
    struct vidmm_tap *tap;
    struct shown_call *calls;
    size_t call_count, call_capacity;
    struct vidmm_observer observer;
    struct vidmm_operation *operations; /* as the engine handed them out */
    size_t operation_count, operation_capacity;
};

static inline void *shown_grow(void *array, size_t size, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity == 0 ? 256 : *capacity * 2;
    array = realloc(array, size * *capacity);
    if (array == NULL)
        abort();
    return array;
}

static inline void shown_record(void *context, const struct vidmm_ddi_record *record)
{
    struct shown *shown = context;
    size_t size = vidmm_ddi_argument_size(record->ddi, record->level);
    struct shown_call *call;

    shown->calls = shown_grow(shown->calls, sizeof(*shown->calls), shown->call_count,
                              &shown->call_capacity);
    call = &shown->calls[shown->call_count++];
    memset(call, 0, sizeof(*call));
    call->ddi = record->ddi;
    call->returned = record->returned;
    call->irql = record->irql;
    call->sequence = record->sequence;
    call->entered = record->entered;
    call->handle = record->handle;
    call->status = record->status;
    if (record->argument != NULL)
        memcpy(&call->argument, record->argument,
               size < sizeof(call->argument) ? size : sizeof(call->argument));
}

static inline void shown_operation(void *context, uint64_t time_ns,
                                   const struct vidmm_operation *operation)
{
    struct shown *shown = context;

    (void)time_ns;
    shown->operations = shown_grow(shown->operations, sizeof(*shown->operations),
                                   shown->operation_count, &shown->operation_capacity);
    shown->operations[shown->operation_count++] = *operation;
}

static inline void shown_event(void *context, const struct vidmm_event *event)
{
    (void)context;
    (void)event;
}

/* A machine and a GPU, bent and tapped, not started. */
static inline void shown_build(struct shown *shown, const struct rig_options *options,
                               void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct vidmm_tap_config config = {.record = shown_record, .record_context = shown};

    memset(shown, 0, sizeof(*shown));
    rig_build(&shown->rig, options);
    if (bend != NULL)
        bend(&shown->rig.driver);
    config.paging_is_not_patched = !options->adapter.patch_paging;
    shown->tap = vidmm_tap_create(&config, &shown->rig.driver);
    assert_non_null(shown->tap);
    shown->rig.driver = *vidmm_tap_driver(shown->tap);
    shown->observer = (struct vidmm_observer){
        .context = shown, .event = shown_event, .operation = shown_operation};
    shown->rig.options.adapter.observer = &shown->observer;
}

static inline void shown_init(struct shown *shown, const struct rig_options *options,
                              void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    NTSTATUS status;

    shown_build(shown, options, bend);
    status = rig_start(&shown->rig);
    if (status != STATUS_SUCCESS)
        fail_msg("the rig does not start: 0x%08x: %s", (unsigned)status, shown->rig.report.text);
}

static inline void shown_write(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stderr);
}

/* No rule that the auditor judges was broken so far. */
static inline void shown_is_clean(struct shown *shown)
{
    if (vidmm_tap_violations(shown->tap) == 0)
        return;
    vidmm_tap_report(shown->tap, VIDMM_REPORT_TEXT, shown_write, NULL);
    fail_msg("the auditor found something");
}

/* ---- a driver that describes something else ---- */

/* What a bent driver changes in what the real one answers; NULL: nothing. */
static struct shown_bend {
    DXGKDDI_CREATEALLOCATION *create;
    void (*change)(DXGK_ALLOCATIONINFO *info);
    DXGKDDI_QUERYADAPTERINFO *query;
    void (*caps)(DXGK_DRIVERCAPS *caps);
} shown_bend;

static inline NTSTATUS shown_create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status = shown_bend.create(adapter, arguments);

    for (UINT index = 0; index < arguments->NumAllocations && status == STATUS_SUCCESS; index++)
        if (shown_bend.change != NULL)
            shown_bend.change(&arguments->pAllocationInfo[index]);
    return status;
}

/* For shown_init: set shown_bend.change and give it this. */
static inline void shown_bend_creation(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend.create = driver->DxgkDdiCreateAllocation;
    driver->DxgkDdiCreateAllocation = shown_create_allocation;
}

static inline NTSTATUS shown_query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = shown_bend.query(adapter, query);

    if (query->Type == DXGKQAITYPE_DRIVERCAPS && shown_bend.caps != NULL)
        shown_bend.caps(query->pOutputData);
    return status;
}

static inline void shown_bend_caps(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend.query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = shown_query;
}

/* How often the manager has seen this rule broken ("S0-015"). */
static inline uint64_t shown_findings(const struct shown *shown, const char *rule)
{
    struct vidmm_finding finding;

    for (uint32_t index = 0; vidmm_adapter_finding(shown->rig.adapter, index, &finding); index++)
        if (strcmp(finding.rule, rule) == 0) {
            assert_non_null(strstr(finding.first, rule));
            return finding.count;
        }
    return 0;
}

/* A call was refused with this status, in words that name the rule. */
static inline void shown_refused(const struct shown *shown, NTSTATUS status, NTSTATUS expected,
                                 const char *rule)
{
    if (status != expected)
        fail_msg("0x%08x, expected 0x%08x: %s", (unsigned)status, (unsigned)expected,
                 shown->rig.report.text);
    if (strstr(shown->rig.report.text, rule) == NULL)
        fail_msg("\"%s\" does not name %s", shown->rig.report.text, rule);
}

/* Take apart; the driver may have broken rules. */
static inline void shown_end(struct shown *shown)
{
    rig_finish(&shown->rig);
    vidmm_tap_destroy(shown->tap);
    free(shown->calls);
    free(shown->operations);
}

/* Stop, with every byte as it must be and no rule broken until the end. */
static inline void shown_finish(struct shown *shown)
{
    rig_read(&shown->rig);
    rig_stop(&shown->rig);
    shown_is_clean(shown);
    shown_end(shown);
}

/* Let everything that is under way come to its end. */
static inline void shown_settle(struct shown *shown)
{
    vidmm_machine_settle(shown->rig.machine);
}

/* The number of the first record of this call at or behind `from`, an entry unless the call is one of
 * interrupt time; SIZE_MAX: there is none. */
static inline size_t shown_next(const struct shown *shown, size_t from, enum vidmm_ddi ddi)
{
    for (; from < shown->call_count; from++)
        if (shown->calls[from].ddi == ddi && !shown->calls[from].returned)
            return from;
    return SIZE_MAX;
}

/* The same for BuildPagingBuffer with this operation. */
static inline size_t shown_next_build(const struct shown *shown, size_t from,
                                      DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    for (;; from++) {
        from = shown_next(shown, from, VIDMM_DDI_BUILD_PAGING_BUFFER);
        if (from == SIZE_MAX || shown->calls[from].argument.build.Operation == operation)
            return from;
    }
}

static inline size_t shown_count(const struct shown *shown, size_t from, enum vidmm_ddi ddi)
{
    size_t count = 0;

    for (; (from = shown_next(shown, from, ddi)) != SIZE_MAX; from++)
        count++;
    return count;
}

static inline size_t shown_count_builds(const struct shown *shown, size_t from,
                                        DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    size_t count = 0;

    for (; (from = shown_next_build(shown, from, operation)) != SIZE_MAX; from++)
        count++;
    return count;
}

#endif
