/* audit.c: judging records, and keeping what was found. */
#include "contract/audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_completion.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "wddm/level.h"

static void (*const checkers[VIDMM_RULE_COUNT])(const struct vidmm_audit_event *event) = {
#define RULE(id, party, level, how, calls, checker, source, bugcheck, sentence)                    \
    [VIDMM_RULE_##id] = vidmm_check_##id,
#include "wddm/rules.def"
};

const struct vidmm_source_line *vidmm_contract_checker_at(enum vidmm_rule_id rule)
{
    static const struct vidmm_source_line *const places[VIDMM_RULE_COUNT] = {
#define RULE(id, party, level, how, calls, checker, source, bugcheck, sentence)                    \
    [VIDMM_RULE_##id] = &vidmm_checker_at_##id,
#include "wddm/rules.def"
    };

    return places[rule];
}

/* ---- Making ---- */

static bool is_judged_on(const struct vidmm_rule *rule, unsigned ddi)
{
    return ddi < 64 ? (rule->calls >> ddi & 1) != 0 : rule->calls == UINT64_MAX;
}

static bool init_shadows(struct vidmm_audit *audit, uint16_t level)
{
    if (audit->config.links > VIDMM_AUDIT_LINKS)
        return false;
    for (unsigned i = 0; i < audit->config.links; i++) {
        audit->shadows[i] = i == 0 ? &audit->lead : calloc(1, sizeof *audit->shadows[i]);
        if (audit->shadows[i] == NULL)
            return false;
        vidmm_shadow_init(audit->shadows[i], level);
        audit->links++;
    }
    return true;
}

bool vidmm_audit_init(struct vidmm_audit *audit, const struct vidmm_tap_config *config,
                      uint16_t level)
{
    memset(audit, 0, sizeof *audit);
    audit->config = *config;
    for (unsigned ddi = 0; ddi < VIDMM_DDI_COUNT; ddi++) {
        for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
            const struct vidmm_rule *rule = vidmm_rule(id);
            if (is_judged_on(rule, ddi) && vidmm_rule_is_of(rule, level))
                audit->rules[ddi][audit->rule_count[ddi]++] = id;
        }
    }
    return init_shadows(audit, level);
}

bool vidmm_audit_lost(const struct vidmm_audit *audit)
{
    for (unsigned i = 0; i < audit->links; i++)
        if (audit->shadows[i]->lost)
            return true;
    return false;
}

void vidmm_audit_finish(struct vidmm_audit *audit)
{
    for (unsigned i = 0; i < audit->links; i++) {
        vidmm_shadow_finish(audit->shadows[i]);
        if (i > 0)
            free(audit->shadows[i]);
    }
    for (size_t i = 0; i < audit->kept_count; i++) {
        free(audit->kept[i].detail);
        free(audit->kept[i].record);
    }
    free(audit->kept);
}

/* ---- Finding ---- */

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);

    return copy == NULL ? NULL : memcpy(copy, text, size);
}

/* The call's inputs, and its outputs if they are known. */
static void print_call(struct vidmm_text *text, const struct vidmm_audit *audit,
                       const struct vidmm_ddi_record *record)
{
    struct vidmm_ddi_record entry = *record;

    if (record->returned) {
        entry.returned = false;
        entry.argument = record->before;
        vidmm_ddi_print(text, &entry, audit->config.list_limit);
        vidmm_text_string(text, " -> ");
    }
    vidmm_ddi_print(text, record, audit->config.list_limit);
}

static char *print_record(const struct vidmm_audit *audit, const struct vidmm_ddi_record *record)
{
    struct vidmm_text text;
    char *line;

    vidmm_text_init(&text, NULL, 0);
    print_call(&text, audit, record);
    line = malloc(text.length + 1);
    if (line != NULL) {
        vidmm_text_init(&text, line, text.length + 1);
        print_call(&text, audit, record);
    }
    return line;
}

static void keep(struct vidmm_audit *audit, enum vidmm_rule_id rule,
                 const struct vidmm_ddi_record *record, const char *detail)
{
    struct vidmm_kept_violation kept = {.rule = rule, .sequence = record->sequence};

    if (!vidmm_shadow_grow(audit->shadows[0], &audit->kept, sizeof *audit->kept, audit->kept_count,
                           &audit->kept_capacity))
        return;
    kept.detail = copy_text(detail);
    kept.record = print_record(audit, record);
    if (kept.detail == NULL || kept.record == NULL) {
        free(kept.detail);
        free(kept.record);
        audit->shadows[0]->lost = true;
        return;
    }
    audit->kept[audit->kept_count++] = kept;
}

void vidmm_audit_breach(const struct vidmm_audit_event *event, enum vidmm_rule_id rule,
                        const char *format, ...)
{
    struct vidmm_audit *audit = event->audit;
    char detail[512];
    va_list arguments;

    audit->total++;
    if (audit->counts[rule]++ >= audit->config.keep)
        return;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    keep(audit, rule, event->record, detail);
}

/* ---- Judging ---- */

static void judge(struct vidmm_audit *audit, const struct vidmm_audit_event *event)
{
    enum vidmm_ddi ddi = event->record->ddi;

    if (vidmm_audit_lost(audit))
        return;
    for (size_t i = 0; i < audit->rule_count[ddi]; i++)
        checkers[audit->rules[ddi][i]](event);
}

static void resolve_preempt(const struct vidmm_shadow *shadow, struct vidmm_audit_event *event)
{
    UINT node = VIDMM_EVENT_ARGUMENT(event, DXGKARG_PREEMPTCOMMAND)->NodeOrdinal;

    event->idle_node = node < VIDMM_SHADOW_NODES && vidmm_shadow_is_idle(shadow, node);
}

/* Find what the arguments mean, before anybody judges them. */
static void resolve(struct vidmm_shadow *shadow, struct vidmm_audit_event *event)
{
    switch (event->record->ddi) {
    case VIDMM_DDI_BUILD_PAGING_BUFFER:
        vidmm_shadow_resolve_build(shadow, event->record->argument, &event->build);
        break;
    case VIDMM_DDI_PREEMPT_COMMAND:
        resolve_preempt(shadow, event);
        break;
    case VIDMM_DDI_PATCH:
        event->packet = vidmm_shadow_patch(shadow, event->record->argument);
        break;
    case VIDMM_DDI_SUBMIT_COMMAND:
        vidmm_shadow_resolve_submit(shadow, event->record->argument, &event->submit);
        break;
    case VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL:
        vidmm_shadow_resolve_virtual(shadow, event->record->argument, &event->command,
                                     &event->submit);
        break;
    default:
        break;
    }
}

/* The context runs by addresses from here on. */
static void take_virtual(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMANDVIRTUAL *command)
{
    struct vidmm_shadow_context *context =
        vidmm_map_find(&shadow->contexts, NULL, command->hContext);
    struct vidmm_shadow_process *process =
        vidmm_shadow_process_of_context(shadow, command->hContext);

    if (context != NULL) {
        context->submitted = true;
        context->paged |= command->Flags.Paging;
        context->commanded |= !command->Flags.Paging && !command->Flags.ContextSwitch;
    }
    vidmm_shadow_use_process(process);
}

/* Change the shadow before the call is made: the miniport may report back, or give a
 * handle to somebody else, before the call has returned. */
static void apply_entry(struct vidmm_shadow *shadow, struct vidmm_audit_event *event)
{
    const struct vidmm_ddi_record *record = event->record;

    switch (record->ddi) {
    case VIDMM_DDI_BUILD_PAGING_BUFFER:
        vidmm_shadow_enter_build(shadow, &event->build);
        break;
    case VIDMM_DDI_SUBMIT_COMMAND:
        vidmm_shadow_submit(shadow, record->argument, &event->submit);
        break;
    case VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL:
        vidmm_shadow_submit(shadow, &event->command, &event->submit);
        take_virtual(shadow, record->argument);
        break;
    case VIDMM_DDI_SET_ROOT_PAGE_TABLE:
        vidmm_shadow_set_root(shadow, record->argument);
        break;
    case VIDMM_DDI_NOTIFY_INTERRUPT:
        vidmm_shadow_interrupt(shadow, record->run, record->argument);
        break;
    case VIDMM_DDI_PRESENT:
        vidmm_shadow_present(shadow, record->handle, record->argument);
        break;
    case VIDMM_DDI_DESTROY_ALLOCATION:
        vidmm_shadow_destroy_allocation(shadow, record->argument);
        break;
    case VIDMM_DDI_CLOSE_ALLOCATION:
        vidmm_shadow_close_allocation(shadow, record->handle, record->argument);
        break;
    case VIDMM_DDI_DESTROY_CONTEXT:
        vidmm_shadow_destroy_context(shadow, record->handle);
        break;
    case VIDMM_DDI_DESTROY_DEVICE:
        vidmm_shadow_leave_device(shadow, record->handle);
        break;
    case VIDMM_DDI_RESTART_FROM_TIMEOUT:
        shadow->reset = false;
        break;
    default:
        break;
    }
}

/* The manager's handle of the object, at the entry of the call that has now returned. */
static HANDLE kernel_device(const struct vidmm_ddi_record *record)
{
    const DXGKARG_CREATEDEVICE *before = record->before;

    return before == NULL ? NULL : before->hDevice;
}

/* The process that the device is of; from 2.0 on. */
static void take_process(struct vidmm_shadow *shadow, const struct vidmm_ddi_record *record)
{
    const DXGKARG_CREATEDEVICE *before = record->before, *created = record->argument;

    if (shadow->level >= VIDMM_LEVEL(2, 0) && before != NULL)
        vidmm_shadow_device_of_process(shadow, created->hDevice, before->hKmdProcess);
}

static HANDLE kernel_context(const struct vidmm_ddi_record *record)
{
    const DXGKARG_CREATECONTEXT *before = record->before;

    return before == NULL ? NULL : before->hContext;
}

/* A call about allocations has succeeded. */
static void take_allocation(struct vidmm_shadow *shadow, struct vidmm_audit_event *event)
{
    const struct vidmm_ddi_record *record = event->record;

    if (record->ddi == VIDMM_DDI_CREATE_ALLOCATION)
        vidmm_shadow_create_allocation(shadow, record->argument);
    else if (record->ddi == VIDMM_DDI_VALIDATE_PROPERTY)
        vidmm_shadow_validate_property(shadow, record->argument);
    else if (record->ddi == VIDMM_DDI_GET_STANDARD_ALLOCATION)
        vidmm_shadow_standard(shadow, record->argument);
    else if (event->resolved != NULL)
        vidmm_shadow_open_allocation(shadow, record->handle, record->argument, event->resolved);
}

static void apply_success(struct vidmm_shadow *shadow, struct vidmm_audit_event *event)
{
    const struct vidmm_ddi_record *record = event->record;
    const void *argument = record->argument;

    switch (record->ddi) {
    case VIDMM_DDI_ADD_DEVICE:
        shadow->adapter = ((const struct vidmm_ddi_add_device *)argument)->MiniportDeviceContext;
        break;
    case VIDMM_DDI_QUERY_ADAPTER_INFO:
        vidmm_shadow_query(shadow, argument);
        break;
    case VIDMM_DDI_CREATE_DEVICE:
        vidmm_shadow_create_device(shadow, ((const DXGKARG_CREATEDEVICE *)argument)->hDevice,
                                   kernel_device(record));
        take_process(shadow, record);
        break;
    case VIDMM_DDI_CREATE_PROCESS:
        vidmm_shadow_create_process(shadow, argument);
        break;
    case VIDMM_DDI_DESTROY_DEVICE:
        vidmm_shadow_destroy_device(shadow, record->handle);
        break;
    case VIDMM_DDI_DESTROY_PROCESS:
        vidmm_shadow_destroy_process(
            shadow, ((const struct vidmm_ddi_destroy_process *)argument)->hKmdProcess);
        break;
    case VIDMM_DDI_CREATE_CONTEXT:
        vidmm_shadow_create_context(shadow, record->handle, argument, kernel_context(record));
        break;
    case VIDMM_DDI_CREATE_CONTEXT_ALLOCATION:
        vidmm_shadow_create_context_allocation(shadow, argument);
        break;
    case VIDMM_DDI_DESTROY_CONTEXT_ALLOCATION:
        vidmm_shadow_destroy_context_allocation(
            shadow, ((const struct vidmm_ddi_destroy_context_allocation *)argument)->hAllocation);
        break;
    case VIDMM_DDI_CREATE_ALLOCATION:
    case VIDMM_DDI_VALIDATE_PROPERTY:
    case VIDMM_DDI_GET_STANDARD_ALLOCATION:
    case VIDMM_DDI_OPEN_ALLOCATION:
        take_allocation(shadow, event);
        break;
    case VIDMM_DDI_RESET_ENGINE:
        vidmm_shadow_reset_engine(shadow, argument);
        vidmm_shadow_stop_running(shadow, ((const DXGKARG_RESETENGINE *)argument)->NodeOrdinal);
        break;
    case VIDMM_DDI_STOP_DEVICE:
        vidmm_shadow_stop(shadow);
        break;
    case VIDMM_DDI_RESET_FROM_TIMEOUT:
        shadow->reset = true;
        vidmm_shadow_reset(shadow);
        vidmm_shadow_stop_running(shadow, VIDMM_SHADOW_NODES);
        break;
    default:
        vidmm_shadow_take_host_call(shadow, record->ddi, argument);
        break;
    }
}

/* ---- Links ---- */

/* The physical adapter that has this context; the lead, if none has. */
static unsigned link_of_adapter(const struct vidmm_audit *audit, HANDLE adapter)
{
    for (unsigned i = 0; i < audit->links; i++)
        if (audit->shadows[i]->adapter == adapter)
            return i;
    return 0;
}

/* AddDevice comes for each, in the order of their ordinals. */
static unsigned link_without_adapter(const struct vidmm_audit *audit)
{
    return link_of_adapter(audit, NULL);
}

static unsigned link_of_interrupt(const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    switch (data->InterruptType) {
    case DXGK_INTERRUPT_DMA_COMPLETED:
        return data->DmaCompleted.EngineOrdinal;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
        return data->DmaPreempted.EngineOrdinal;
    case DXGK_INTERRUPT_DMA_FAULTED:
        return data->DmaFaulted.EngineOrdinal;
    case DXGK_INTERRUPT_DMA_PAGE_FAULTED:
        return data->DmaPageFaulted.EngineOrdinal;
    default:
        return 0;
    }
}

/* The engine of a context; all shadows know of it. */
static unsigned link_of_context(const struct vidmm_audit *audit, HANDLE handle)
{
    const struct vidmm_shadow_context *context =
        vidmm_map_find(&audit->shadows[0]->contexts, NULL, handle);

    return context == NULL ? 0 : context->link;
}

/* The physical adapter that a question names; VIDMM_AUDIT_LINKS: it is about all. */
static unsigned link_of_query(const DXGKARG_QUERYADAPTERINFO *query)
{
    if (query->pInputData == NULL || query->InputDataSize < sizeof(UINT))
        return VIDMM_AUDIT_LINKS;
    switch (query->Type) {
    case DXGKQAITYPE_PHYSICALADAPTERCAPS:
        return ((const DXGK_QUERYPHYSICALADAPTERCAPSIN *)query->pInputData)->PhysicalAdapterIndex;
    case DXGKQAITYPE_GPUMMUCAPS:
        return ((const DXGK_QUERYGPUMMUCAPSIN *)query->pInputData)->PhysicalAdapterIndex;
    case DXGKQAITYPE_PAGETABLELEVELDESC:
        return ((const DXGK_QUERYPAGETABLELEVELDESCIN *)query->pInputData)->PhysicalAdapterIndex;
    case DXGKQAITYPE_QUERYSEGMENT4:
        return ((const DXGK_QUERYSEGMENTIN4 *)query->pInputData)->PhysicalAdapterIndex;
    default:
        return VIDMM_AUDIT_LINKS;
    }
}

#define ORDINAL_OF(record, type) (((const type *)(record)->argument)->EngineOrdinal)

/* The physical adapter that a call is about. Calls that name an engine are made to the lead. */
static unsigned link_of(const struct vidmm_audit *audit, const struct vidmm_ddi_record *record)
{
    unsigned link = 0;

    if (audit->links == 1)
        return 0;
    switch (record->ddi) {
    case VIDMM_DDI_ADD_DEVICE:
        link = link_without_adapter(audit);
        break;
    case VIDMM_DDI_PATCH:
        link = ORDINAL_OF(record, DXGKARG_PATCH);
        break;
    case VIDMM_DDI_SUBMIT_COMMAND:
        link = ORDINAL_OF(record, DXGKARG_SUBMITCOMMAND);
        break;
    case VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL:
        link = ORDINAL_OF(record, DXGKARG_SUBMITCOMMANDVIRTUAL);
        break;
    case VIDMM_DDI_PREEMPT_COMMAND:
        link = ORDINAL_OF(record, DXGKARG_PREEMPTCOMMAND);
        break;
    case VIDMM_DDI_QUERY_CURRENT_FENCE:
        link = ORDINAL_OF(record, DXGKARG_QUERYCURRENTFENCE);
        break;
    case VIDMM_DDI_RESET_ENGINE:
        link = ORDINAL_OF(record, DXGKARG_RESETENGINE);
        break;
    case VIDMM_DDI_MAP_CPU_HOST_APERTURE:
        link = ((const DXGKARG_MAPCPUHOSTAPERTURE *)record->argument)->PhysicalAdapterIndex;
        break;
    case VIDMM_DDI_UNMAP_CPU_HOST_APERTURE:
        link = ((const DXGKARG_UNMAPCPUHOSTAPERTURE *)record->argument)->PhysicalAdapterIndex;
        break;
    case VIDMM_DDI_SET_ROOT_PAGE_TABLE:
        link =
            link_of_context(audit, ((const DXGKARG_SETROOTPAGETABLE *)record->argument)->hContext);
        break;
    case VIDMM_DDI_QUERY_ADAPTER_INFO:
        link = link_of_query(record->argument);
        break;
    case VIDMM_DDI_NOTIFY_INTERRUPT:
        link = link_of_interrupt(record->argument);
        break;
    default:
        link = link_of_adapter(audit, record->handle);
        break;
    }
    return link < audit->links ? link : 0;
}

/* Whether the call is about objects, which all physical adapters of a link have in common. */
static bool is_of_all(const struct vidmm_ddi_record *record)
{
    switch (record->ddi) {
    case VIDMM_DDI_QUERY_ADAPTER_INFO:
        return link_of_query(record->argument) == VIDMM_AUDIT_LINKS ||
               link_of_query(record->argument) == 0; /* who is not asked is like the lead */
    case VIDMM_DDI_CREATE_PROCESS:
    case VIDMM_DDI_DESTROY_PROCESS:
    case VIDMM_DDI_CREATE_DEVICE:
    case VIDMM_DDI_DESTROY_DEVICE:
    case VIDMM_DDI_CREATE_CONTEXT:
    case VIDMM_DDI_DESTROY_CONTEXT:
    case VIDMM_DDI_GET_STANDARD_ALLOCATION:
    case VIDMM_DDI_VALIDATE_PROPERTY:
    case VIDMM_DDI_PRESENT:
    case VIDMM_DDI_CREATE_ALLOCATION:
    case VIDMM_DDI_DESTROY_ALLOCATION:
    case VIDMM_DDI_OPEN_ALLOCATION:
    case VIDMM_DDI_CLOSE_ALLOCATION:
        return true;
    default:
        return false;
    }
}

/* Have `apply` told the shadow that the call is about, or all of them. */
static void apply(struct vidmm_audit *audit, struct vidmm_audit_event *event,
                  void (*take)(struct vidmm_shadow *shadow, struct vidmm_audit_event *event))
{
    unsigned first = is_of_all(event->record) ? 0 : event->link;
    unsigned last = is_of_all(event->record) ? audit->links - 1 : event->link;

    if (event->record->ddi == VIDMM_DDI_QUERY_ADAPTER_INFO && !is_of_all(event->record) &&
        link_of_query(event->record->argument) != event->link)
        return; /* there is no such physical adapter */
    for (unsigned i = first; i <= last; i++)
        take(audit->shadows[i], event);
}

/* ---- From entry to return ---- */

static void begin_event(struct vidmm_audit *audit, struct vidmm_audit_event *event,
                        const struct vidmm_ddi_record *record)
{
    event->audit = audit;
    event->link = link_of(audit, record);
    event->shadow = audit->shadows[event->link];
    event->record = record;
    event->paging_is_not_patched = audit->config.paging_is_not_patched;
}

/* In a build that checks: at every record of a short run, now and then in a long one. */
static void check(const struct vidmm_audit *audit, const struct vidmm_audit_event *event)
{
#ifdef VIDMM_CHECK
    if (event->record->sequence < 2000 || event->record->sequence % 256 == 0)
        vidmm_shadow_check(audit->shadows[event->link]);
#else
    (void)audit;
    (void)event;
#endif
}

/* Calls of the scheduler class never overlap, whichever physical adapter they are about. */
static void count_inside(struct vidmm_audit *audit, enum vidmm_ddi ddi, bool enters)
{
    if (vidmm_ddi_call(ddi)->class != VIDMM_CLASS_SCHEDULER)
        return;
    for (unsigned i = 0; i < audit->links; i++) {
        audit->shadows[i]->inside = enters ? ddi : audit->shadows[i]->inside;
        audit->shadows[i]->inside_count += enters ? 1u : -1u;
    }
}

void vidmm_audit_enter(struct vidmm_audit *audit, struct vidmm_audit_event *event,
                       const struct vidmm_ddi_record *record)
{
    begin_event(audit, event, record);
    if (!vidmm_audit_lost(audit))
        resolve(audit->shadows[event->link], event);
    judge(audit, event);
    count_inside(audit, record->ddi, true);
    if (!vidmm_audit_lost(audit))
        apply(audit, event, apply_entry);
    check(audit, event);
}

void vidmm_audit_leave(struct vidmm_audit *audit, struct vidmm_audit_event *event,
                       const struct vidmm_ddi_record *record)
{
    event->record = record;
    judge(audit, event);
    count_inside(audit, record->ddi, false);
    if (vidmm_audit_lost(audit))
        return;
    if (record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER)
        vidmm_shadow_leave_build(audit->shadows[event->link], &event->build, record->argument,
                                 record->status);
    else if (NT_SUCCESS(record->status))
        apply(audit, event, apply_success);
    check(audit, event);
}

/* ---- Telling ---- */

struct output {
    vidmm_tap_write *write;
    void *context;
};

static void put(const struct output *output, const char *string)
{
    output->write(output->context, string, strlen(string));
}

static void put_number(const struct output *output, uint64_t number)
{
    char digits[24];
    struct vidmm_text text;

    vidmm_text_init(&text, digits, sizeof digits);
    vidmm_text_number(&text, number);
    put(output, digits);
}

static void put_id(const struct output *output, enum vidmm_rule_id id)
{
    char name[16];
    struct vidmm_text text;

    vidmm_text_init(&text, name, sizeof name);
    vidmm_rule_print_id(&text, id);
    put(output, name);
}

static void put_quoted(const struct output *output, const char *string)
{
    struct vidmm_text text;
    char piece[8];

    put(output, "\"");
    for (; *string != '\0'; string++) { /* a character at a time: no limit on the length */
        char one[2] = {*string, '\0'};
        vidmm_text_init(&text, piece, sizeof piece);
        vidmm_text_quoted(&text, one);
        output->write(output->context, piece + 1, text.length - 2);
    }
    put(output, "\"");
}

static void report_text(const struct vidmm_audit *audit, enum vidmm_rule_id id,
                        const struct output *output)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    put_id(output, id);
    put(output, " broken by ");
    put(output, vidmm_rule_party_name(rule->party));
    put(output, ", ");
    put_number(output, audit->counts[id]);
    put(output, audit->counts[id] == 1 ? " time: " : " times: ");
    put(output, rule->sentence);
    put(output, "\n    (");
    put(output, rule->source);
    put(output, ")\n");
    for (size_t i = 0; i < audit->kept_count; i++) {
        if (audit->kept[i].rule != id)
            continue;
        put(output, "    record ");
        put_number(output, audit->kept[i].sequence);
        put(output, ": ");
        put(output, audit->kept[i].detail);
        put(output, "\n        ");
        put(output, audit->kept[i].record);
        put(output, "\n");
    }
}

static void report_examples(const struct vidmm_audit *audit, enum vidmm_rule_id id,
                            const struct output *output)
{
    const char *separator = "";

    for (size_t i = 0; i < audit->kept_count; i++) {
        if (audit->kept[i].rule != id)
            continue;
        put(output, separator);
        put(output, "{\"sequence\":");
        put_number(output, audit->kept[i].sequence);
        put(output, ",\"detail\":");
        put_quoted(output, audit->kept[i].detail);
        put(output, ",\"record\":");
        put_quoted(output, audit->kept[i].record);
        put(output, "}");
        separator = ",";
    }
}

static void report_json(const struct vidmm_audit *audit, enum vidmm_rule_id id,
                        const struct output *output)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    put(output, "{\"rule\":\"");
    put_id(output, id);
    put(output, "\",\"party\":\"");
    put(output, vidmm_rule_party_name(rule->party));
    put(output, "\",\"count\":");
    put_number(output, audit->counts[id]);
    put(output, ",\"sentence\":");
    put_quoted(output, rule->sentence);
    put(output, ",\"source\":");
    put_quoted(output, rule->source);
    put(output, ",\"examples\":[");
    report_examples(audit, id, output);
    put(output, "]}");
}

void vidmm_audit_report(const struct vidmm_audit *audit, enum vidmm_report_style style,
                        vidmm_tap_write *write, void *context)
{
    const struct output output = {write, context};
    const char *separator = "";

    if (style == VIDMM_REPORT_JSON)
        put(&output, "[");
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        if (audit->counts[id] == 0)
            continue;
        if (style == VIDMM_REPORT_TEXT) {
            report_text(audit, id, &output);
            continue;
        }
        put(&output, separator);
        report_json(audit, id, &output);
        separator = ",";
    }
    if (style == VIDMM_REPORT_JSON)
        put(&output, "]");
    else if (vidmm_audit_lost(audit))
        put(&output, "The auditor ran out of memory and did not judge all calls.\n");
}
