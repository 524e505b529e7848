/* rules_rig.h: test_adapter_rig.h with the auditor in between and a memory of what went by.
 *
 *     struct shown shown;
 *     shown_init(&shown, &options, bend);      as rig_init; `bend` may change the driver's
 *     functions ... rig_create(&shown.rig, ...), rig_render(&shown.rig, ...)
 *     n = shown_next(&shown, 0, VIDMM_DDI_SUBMIT_COMMAND)    what the driver was asked, by number
 *     shown_finish(&shown);                    all bytes right, nothing left, no rule broken
 *
 *     manager -- tap (records, judges) -- bent functions -- softgpu
 *
 * A call has two records, at entry and at return; calls at interrupt time one. The memory that its
 * argument points to is good during the call only: a record here has the argument itself.
 */
#ifndef TEST_RULES_RULES_RIG_H
#define TEST_RULES_RULES_RIG_H

#include "unit/test_adapter_rig.h"

#include <stdlib.h>

#include <vidmm/host.h>
#include <wddm/dispmprt.h>

#include "contract/contract.h"
#include "rules.h"
#include "wddm/call.h"
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
    DXGKARG_PRESENT present;
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

    shown->calls =
        shown_grow(shown->calls, sizeof(*shown->calls), shown->call_count, &shown->call_capacity);
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
    const struct vidmm_host *host;

    memset(shown, 0, sizeof(*shown));
    rig_build(&shown->rig, options);
    host = vidmm_slot_host(shown->rig.slot);
    config.current_irql = host->current_irql;
    config.irql_context = host->context;
    if (bend != NULL)
        bend(&shown->rig.driver);
    config.links = options->links;
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

/* The changes that a bent driver makes to the real one's answers; NULL: none. */
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

/* shown_init, with one thing of the rig's own: the lines that say what the GPU is like. */
static inline void shown_init_gpu(struct shown *shown, const char *gpu,
                                  void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    shown_init(shown, &options, bend);
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

/* The number of the first record of this call at or behind `from`, an entry unless the call is one
 * of interrupt time; SIZE_MAX: there is none. */
static inline size_t shown_next(const struct shown *shown, size_t from, enum vidmm_ddi ddi)
{
    for (; from < shown->call_count; from++)
        if (shown->calls[from].ddi == ddi && !shown->calls[from].returned)
            return from;
    return SIZE_MAX;
}

/* The argument of a call of SubmitCommand. */
static inline const DXGKARG_SUBMITCOMMAND *shown_submit(const struct shown *shown, size_t call)
{
    assert_true(call != SIZE_MAX);
    return &shown->calls[call].argument.submit;
}

/* The next entry to BuildPagingBuffer with this operation, from there on; SIZE_MAX: none. */
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

/* ---- command buffers of several commands ----------------------------------------------------- */

/* The use of an allocation by one command of a command buffer. */
struct shown_use {
    struct rig_allocation *allocation;
    unsigned command; /* from 0 on, in order */
    bool write;
    bool bound; /* it is said to stand in its slot since the command before */
};

enum { SHOWN_USES = 96 };

struct shown_commands {
    union {
        struct softgpu_touch align;
        unsigned char
            bytes[SHOWN_USES * (sizeof(struct softgpu_touch) + sizeof(struct softgpu_reference))];
    } buffer;
    uint32_t size, elements;
    struct vidmm_render_reference list[SHOWN_USES + 1]; /* element 0 has no allocation */
    struct softgpu_touch *last;
};

static inline uint32_t shown_element(struct shown_commands *commands, const struct shown_use *use)
{
    uint32_t index = 1;

    while (index < commands->elements &&
           commands->list[index].allocation != use->allocation->handle)
        index++;
    if (index == commands->elements)
        commands->list[commands->elements++].allocation = use->allocation->handle;
    commands->list[index].write |= use->write;
    return index;
}

static inline void shown_add_use(struct shown_commands *commands, const struct shown_use *use)
{
    struct softgpu_reference *to = (void *)(commands->buffer.bytes + commands->size);

    *to = (struct softgpu_reference){
        .allocation_index = shown_element(commands, use),
        .flags =
            (use->write ? SOFTGPU_REFERENCE_WRITE : 0) | (use->bound ? SOFTGPU_REFERENCE_BOUND : 0),
        .pages = use->allocation->pages,
        .digest = use->allocation->digest,
        .content_id = use->allocation->id,
        .generation = use->allocation->generation,
    };
    use->allocation->generation += use->write;
    commands->size += (uint32_t)sizeof(*to);
    commands->last->command.size += (uint32_t)sizeof(*to);
    commands->last->reference_count++;
}

/* Queue one command buffer of several commands. Its writes count as written, whatever comes. */
static inline NTSTATUS shown_render(struct shown *shown, struct vidmm_context *context,
                                    const struct shown_use *uses, uint32_t count, uint64_t *value)
{
    static struct shown_commands commands;

    assert_true(count <= SHOWN_USES);
    memset(&commands, 0, sizeof(commands));
    commands.elements = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || uses[i].command != uses[i - 1].command) {
            commands.last = (void *)(commands.buffer.bytes + commands.size);
            *commands.last = (struct softgpu_touch){
                .command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}, .seed = RIG_SEED};
            commands.size += commands.last->command.size;
        }
        shown_add_use(&commands, &uses[i]);
    }
    return vidmm_render(context, &commands.buffer, commands.size, commands.list, commands.elements,
                        true, value, &shown->rig.report);
}

/* ---- operations, for tests ------------------------------------------------------------------- */

/* An allocation in the memory segment, of so many pages. */
static inline struct rig_allocation *shown_create(struct shown *shown, uint32_t index,
                                                  uint64_t pages, uint32_t flags)
{
    struct rig_allocation *allocation = &shown->rig.allocations[index];

    assert_int_equal(rig_create(&shown->rig, allocation, pages * VIDMM_PAGE_SIZE, 2, flags),
                     STATUS_SUCCESS);
    return allocation;
}

/* Use one allocation on the GPU, and wait for the end of it. */
static inline void shown_use_one(struct shown *shown, struct rig_allocation *allocation, bool write)
{
    assert_int_equal(rig_render(&shown->rig, &allocation, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
}

/* The number of the first operation at or behind `from` that builds this paging operation for the
 * allocation; SIZE_MAX: there is none. */
static inline size_t shown_next_paging(const struct shown *shown, size_t from,
                                       const struct rig_allocation *allocation, uint32_t paging)
{
    uint32_t id = vidmm_allocation_id(allocation->handle);

    for (; from < shown->operation_count; from++) {
        const struct vidmm_operation *operation = &shown->operations[from];

        if (operation->kind == VIDMM_DO_BUILD && operation->allocation == id &&
            operation->build.operation == paging)
            return from;
    }
    return SIZE_MAX;
}

/* The argument of the call that builds operation `number`. */
static inline const DXGKARG_BUILDPAGINGBUFFER *shown_build_of(const struct shown *shown,
                                                              size_t number)
{
    size_t call = 0;

    for (size_t at = 0; at < number; at++)
        if (shown->operations[at].kind == VIDMM_DO_BUILD)
            call = shown_next(shown, call, VIDMM_DDI_BUILD_PAGING_BUFFER) + 1;
    call = shown_next(shown, call, VIDMM_DDI_BUILD_PAGING_BUFFER);
    assert_true(call != SIZE_MAX);
    return &shown->calls[call].argument.build;
}

#endif
