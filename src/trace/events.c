/* Tables say what is written, and the reader has them too: a field that is added to an event is one
 * more row for both. */
#include "trace/events.h"

#include <inttypes.h>

#include <vidmm/engine.h>

#include "trace/events_format.h"

#define FIELD(type, member)                                                                        \
    {                                                                                              \
#member, offsetof(type, member), sizeof(((type *)0)->member)                               \
    }
#define NAMED(name, type, member)                                                                  \
    {                                                                                              \
        name, offsetof(type, member), sizeof(((type *)0)->member)                                  \
    }
#define EVENT(name, member) NAMED(name, struct vidmm_event, member)
#define DEVICE EVENT("device", device)

const struct vidmm_events_row vidmm_events_rows[] = {
    [VIDMM_EVENT_CREATE_DEVICE] = {"create_device",
                                   {DEVICE, EVENT("system", create_device.system)}},
    [VIDMM_EVENT_DESTROY_DEVICE] = {"destroy_device", {DEVICE}},
    [VIDMM_EVENT_CREATE_ALLOCATION] =
        {"create_allocation",
         {DEVICE, EVENT("allocation", create.allocation), EVENT("buffer", create.buffer),
          EVENT("shared", create.shared), EVENT("pinned", create.wish.pinned),
          EVENT("size", create.wish.size), EVENT("alignment", create.wish.alignment),
          EVENT("read_set", create.wish.read_set), EVENT("write_set", create.wish.write_set),
          EVENT("eviction_set", create.wish.eviction_set),
          EVENT("preferred", create.wish.preferred), EVENT("flags", create.wish.flags),
          EVENT("priority", create.wish.priority), EVENT("hinted_bank", create.wish.hinted_bank),
          EVENT("pitch_aligned_size", create.wish.pitch_aligned_size),
          EVENT("context_allocation", create.context_allocation)}},
    [VIDMM_EVENT_DESTROY_ALLOCATION] = {"destroy_allocation",
                                        {EVENT("allocation", destroy.allocation)}},
    [VIDMM_EVENT_SUBMIT] = {"submit",
                            {DEVICE, EVENT("dma_buffer", submit.dma_buffer),
                             EVENT("node", submit.node), EVENT("size", submit.size),
                             EVENT("context", submit.context),
                             EVENT("references", submit.reference_count),
                             EVENT("patches", submit.patch_count)}},
    [VIDMM_EVENT_PIN] = {"pin",
                         {EVENT("request", pin.request), EVENT("allocation", pin.allocation)}},
    [VIDMM_EVENT_LOCK] = {"lock",
                          {EVENT("request", lock.request), EVENT("allocation", lock.allocation),
                           EVENT("wait", lock.wait), EVENT("flags", lock.flags),
                           EVENT("data", lock.data)}},
    [VIDMM_EVENT_REFRESH] = {"refresh",
                             {EVENT("allocation", refresh.allocation),
                              EVENT("first", refresh.first), EVENT("count", refresh.count)}},
    [VIDMM_EVENT_OFFER] = {"offer",
                           {EVENT("allocation", offer.allocation),
                            EVENT("priority", offer.priority)}},
    [VIDMM_EVENT_RECLAIM] = {"reclaim", {EVENT("allocation", reclaim.allocation)}},
    [VIDMM_EVENT_DISCARD] = {"discard", {EVENT("allocation", discard.allocation)}},
    [VIDMM_EVENT_PRIORITY] = {"priority",
                              {EVENT("allocation", priority.allocation),
                               EVENT("priority", priority.priority)}},
    [VIDMM_EVENT_UNLOCK] = {"unlock", {EVENT("allocation", unlock.allocation)}},
    [VIDMM_EVENT_PAGING_BUFFERS] = {"paging_buffers",
                                    {EVENT("first", paging_buffers.first),
                                     EVENT("count", paging_buffers.count)}},
    [VIDMM_EVENT_CLAIMED] = {"claimed",
                             {EVENT("allocation", claimed.allocation),
                              EVENT("granted", claimed.granted)}},
    [VIDMM_EVENT_BUILT] = {"built",
                           {EVENT("status", built.status),
                            EVENT("multipass_offset", built.multipass_offset),
                            EVENT("written", built.written)}},
    [VIDMM_EVENT_SUBMITTED] = {"submitted", {EVENT("status", submitted.status)}},
    [VIDMM_EVENT_FENCE] = {"fence", {EVENT("node", fence.node), EVENT("fence", fence.fence)}},
    [VIDMM_EVENT_TICK] = {"tick", {{NULL, 0, 0}}},
    [VIDMM_EVENT_EVICT_ALL] = {"evict_all",
                               {EVENT("request", evict_all.request),
                                EVENT("reason", evict_all.reason)}},
    [VIDMM_EVENT_STOP] = {"stop", {{NULL, 0, 0}}},
    [VIDMM_EVENT_PREEMPTED] = {"preempted",
                               {EVENT("node", preempted.node), EVENT("fence", preempted.fence),
                                EVENT("last_completed", preempted.last_completed)}},
    [VIDMM_EVENT_RECOVERED] = {"recovered",
                               {EVENT("status", recovered.status), EVENT("fence", recovered.fence),
                                EVENT("nodes", recovered.nodes)}},
    [VIDMM_EVENT_REST] = {"rest", {EVENT("request", rest.request), EVENT("power", rest.power)}},
    [VIDMM_EVENT_RESUME] = {"resume", {EVENT("request", rest.request)}},
    [VIDMM_EVENT_FAIL] = {"fail", {EVENT("reason", fail.reason), EVENT("status", fail.status)}},
    [VIDMM_EVENT_ROOT_SET] = {"root_set", {{0}}},
    [VIDMM_EVENT_HOST_ANSWERED] = {"host_answered", {EVENT("status", host.status)}},
    [VIDMM_EVENT_RANGED] = {"ranged", {EVENT("status", ranged.status), EVENT("size", ranged.size)}},
    [VIDMM_EVENT_READ_SEGMENT] = {"read_segment",
                                  {EVENT("request", read_segment.request),
                                   EVENT("allocation", read_segment.allocation),
                                   EVENT("segment", read_segment.segment),
                                   EVENT("offset", read_segment.offset)}},
    [VIDMM_EVENT_UPDATE_CONTEXT] = {"update_context",
                                    {EVENT("request", update_context.request),
                                     EVENT("allocation", update_context.allocation)}},
    [VIDMM_EVENT_ABANDON] = {"abandon", {EVENT("context", abandon.context)}},
    [VIDMM_EVENT_JOIN] = {"join", {DEVICE, EVENT("process", join.process)}},
    [VIDMM_EVENT_CREATE_PAGING_QUEUE] = {"create_paging_queue",
                                         {DEVICE, EVENT("queue", paging_queue.queue),
                                          EVENT("priority", paging_queue.priority),
                                          EVENT("fences", paging_queue.fences),
                                          EVENT("offset", paging_queue.offset)}},
    [VIDMM_EVENT_DESTROY_PAGING_QUEUE] = {"destroy_paging_queue",
                                          {EVENT("queue", paging_queue.queue)}},
    [VIDMM_EVENT_MAKE_RESIDENT] = {"make_resident",
                                   {EVENT("queue", residency.queue),
                                    EVENT("flags", residency.flags),
                                    EVENT("allocations", residency.count)}},
    [VIDMM_EVENT_EVICT] = {"evict",
                           {DEVICE, EVENT("flags", residency.flags),
                            EVENT("allocations", residency.count)}},
    [VIDMM_EVENT_RECLAIM_QUEUED] = {"reclaim_queued",
                                    {EVENT("queue", residency.queue),
                                     EVENT("allocations", residency.count)}},
    [VIDMM_EVENT_BUDGET] = {"budget",
                            {EVENT("process", budget.process), EVENT("group", budget.group),
                             EVENT("size", budget.size)}},
    [VIDMM_EVENT_RESERVE] = {"reserve",
                             {EVENT("process", budget.process), EVENT("group", budget.group),
                              EVENT("size", budget.size)}},
    [VIDMM_EVENT_TRIM] = {"trim", {EVENT("restart", trim.restart)}},
    [VIDMM_EVENT_UPDATE_PROPERTY] =
        {"update_property",
         {EVENT("queue", property.queue), EVENT("allocation", property.allocation),
          EVENT("mask", property.to.mask), EVENT("physical", property.to.physical),
          EVENT("segments", property.to.segments), EVENT("preferred", property.to.preferred)}},
    [VIDMM_EVENT_CREATE_FENCE] = {"create_fence",
                                  {DEVICE, EVENT("fence", fence_object.fence),
                                   EVENT("flags", fence_object.flags),
                                   EVENT("value", fence_object.value)}},
    [VIDMM_EVENT_DESTROY_FENCE] = {"destroy_fence", {EVENT("fence", fence_object.fence)}},
    [VIDMM_EVENT_SIGNAL_FENCES] = {"signal_fences", {DEVICE, EVENT("fences", fences.count)}},
    [VIDMM_EVENT_WAIT_FENCES] = {"wait_fences",
                                 {DEVICE, EVENT("request", fences.request),
                                  EVENT("any", fences.any), EVENT("fences", fences.count)}},
    [VIDMM_EVENT_QUEUE_WAIT] = {"queue_wait",
                                {DEVICE, EVENT("context", fences.context),
                                 EVENT("fences", fences.count)}},
    [VIDMM_EVENT_QUEUE_SIGNAL] = {"queue_signal",
                                  {DEVICE, EVENT("context", fences.context),
                                   EVENT("fences", fences.count)}},
    [VIDMM_EVENT_FENCES_SIGNALED] = {"fences_signaled", {EVENT("node", fences_signaled.node)}},
    [VIDMM_EVENT_FAULT] = {"fault",
                           {EVENT("node", fault.node), EVENT("fence", fault.fence),
                            EVENT("flags", fault.flags), EVENT("address", fault.address)}},
    [VIDMM_EVENT_DESTROY_AT_ONCE] = {"destroy_at_once",
                                     {DEVICE, EVENT("allocation", destroy.allocation)}},
    [VIDMM_EVENT_HOLD] = {"hold",
                          {DEVICE, EVENT("allocation", hold.allocation), EVENT("held", hold.held)}},
    [VIDMM_EVENT_DISPLAY] = {"display",
                             {DEVICE, EVENT("request", display.request),
                              EVENT("allocation", display.allocation),
                              EVENT("displayed", display.displayed)}},
    [VIDMM_EVENT_COMPANION] = {"companion",
                               {EVENT("queue", paging_queue.queue),
                                EVENT("context", paging_queue.context),
                                EVENT("node", paging_queue.node),
                                EVENT("process", paging_queue.process)}},
    [VIDMM_EVENT_PAGE_OUT] = {"page_out",
                              {DEVICE, EVENT("request", residency.request),
                               EVENT("flags", residency.flags),
                               EVENT("allocations", residency.count)}},
    [VIDMM_EVENT_SET_FAULTS] = {"set_faults", {EVENT("faults", test.faults)}},
    [VIDMM_EVENT_SUSPEND_DEVICE] = {"suspend_device",
                                    {DEVICE, EVENT("suspension", test.suspension),
                                     EVENT("wakes", test.wakes)}},
    [VIDMM_EVENT_RESUME_DEVICES] = {"resume_devices", {EVENT("suspension", test.suspension)}},
    [VIDMM_EVENT_COMPACT] = {"compact",
                             {DEVICE, EVENT("request", test.request),
                              EVENT("segment", test.segment), EVENT("way", test.way)}},
    [VIDMM_EVENT_DELAY] = {"delay", {EVENT("queue", test.queue), EVENT("ns", test.time_ns[0])}},
    [VIDMM_EVENT_EVICTION_DELAY] = {"eviction_delay", {EVENT("ns", test.time_ns[0])}},
    [VIDMM_EVENT_TRIM_INTERVALS] = {"trim_intervals",
                                    {EVENT("minimum", test.time_ns[0]),
                                     EVENT("maximum", test.time_ns[1]),
                                     EVENT("idle", test.time_ns[2])}},
    [VIDMM_EVENT_FENCE_READ] = {"fence_read",
                                {EVENT("fence", fence_object.fence),
                                 EVENT("value", fence_object.value)}},
};

#define ENGINE(member) FIELD(struct vidmm_engine_config, member)
const struct vidmm_events_row vidmm_events_engine_row = {
    "engine",
    {NAMED("segments", struct vidmm_engine_config, segment_count),
     NAMED("nodes", struct vidmm_engine_config, node_count),
     ENGINE(paging_node),
     ENGINE(queue_limit),
     ENGINE(first_fence),
     ENGINE(timeout_ns),
     ENGINE(driver_timeout_ns),
     ENGINE(preemption),
     ENGINE(per_engine_reset),
     ENGINE(linked),
     ENGINE(split_transfer_size),
     ENGINE(aperture_commit_limit),
     ENGINE(move_directly),
     ENGINE(submit_empty),
     ENGINE(reject_leaks),
     ENGINE(swizzling_ranges),
     ENGINE(cancel_commands),
     ENGINE(context_switches),
     ENGINE(no_contexts),
     ENGINE(one_operation),
     ENGINE(whole_lists)}};

const struct vidmm_events_row vidmm_events_wddm2_row = {"wddm2", {ENGINE(explicit_residency)}};

const struct vidmm_events_row vidmm_events_node_row = {"node", {ENGINE(node_queue_limit)}};

const struct vidmm_events_row vidmm_events_isolated_row = {"isolated", {ENGINE(isolated)}};

const struct vidmm_events_row vidmm_events_hw_row = {
    "hw", {ENGINE(hw_first), ENGINE(hw_queues), ENGINE(hw_queue_limit)}};

#define SEGMENT(member) FIELD(struct vidmm_engine_segment, member)
const struct vidmm_events_row vidmm_events_segment_row = {
    "segment",
    {SEGMENT(size), SEGMENT(commit_limit), SEGMENT(aperture), SEGMENT(agp), SEGMENT(cpu_visible),
     SEGMENT(preserved_standby), SEGMENT(preserved_hibernate), SEGMENT(preserved_end),
     SEGMENT(pitch_aligned), NAMED("banks", struct vidmm_engine_segment, bank_count)}};

const struct vidmm_events_row vidmm_events_wddm2_segment_row = {"wddm2",
                                                                {SEGMENT(apart_from_budgets)}};

const struct vidmm_events_row vidmm_events_host_row = {"host",
                                                       {SEGMENT(host_pages), SEGMENT(host_cached)}};

const struct vidmm_events_row vidmm_events_group_row = {"group", {SEGMENT(other_group)}};

bool vidmm_events_lists_allocations(const struct vidmm_event *event)
{
    return event->kind == VIDMM_EVENT_MAKE_RESIDENT || event->kind == VIDMM_EVENT_EVICT ||
           event->kind == VIDMM_EVENT_RECLAIM_QUEUED || event->kind == VIDMM_EVENT_PAGE_OUT;
}

bool vidmm_events_lists_fences(const struct vidmm_event *event)
{
    return event->kind == VIDMM_EVENT_SIGNAL_FENCES || event->kind == VIDMM_EVENT_WAIT_FENCES ||
           event->kind == VIDMM_EVENT_QUEUE_WAIT || event->kind == VIDMM_EVENT_QUEUE_SIGNAL;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void write_named(FILE *file, const struct vidmm_events_row *row, const void *from)
{
    for (const struct vidmm_events_field *field = row->fields; field->name != NULL; field++)
        fprintf(file, " %s %" PRIu64, field->name, vidmm_events_get(from, field));
}

void vidmm_events_write_config(FILE *file, const struct vidmm_engine_config *config)
{
    bool wddm2 = config->explicit_residency;

    fputs(wddm2 ? VIDMM_EVENTS_FIRST_LINE_WDDM2 "\nengine" : VIDMM_EVENTS_FIRST_LINE "\nengine",
          file);
    write_named(file, &vidmm_events_engine_row, config);
    if (wddm2)
        write_named(file, &vidmm_events_wddm2_row, config);
    if (wddm2 && (config->node_queue_limit != 0 || config->isolated || config->hw_first != 0))
        write_named(file, &vidmm_events_node_row, config);
    if (wddm2 && (config->isolated || config->hw_first != 0))
        write_named(file, &vidmm_events_isolated_row, config);
    if (wddm2 && config->hw_first != 0)
        write_named(file, &vidmm_events_hw_row, config);
    fputc('\n', file);
    for (uint32_t id = 1; id <= config->segment_count && id < VIDMM_SEGMENTS; id++) {
        const struct vidmm_engine_segment *segment = &config->segments[id];

        fprintf(file, "segment %" PRIu32, id);
        write_named(file, &vidmm_events_segment_row, segment);
        for (uint32_t bank = 0; bank < segment->bank_count; bank++)
            fprintf(file, " %" PRIu64, segment->bank_ends[bank]);
        if (wddm2)
            write_named(file, &vidmm_events_wddm2_segment_row, segment);
        if (segment->host_pages != 0 || (wddm2 && segment->other_group))
            write_named(file, &vidmm_events_host_row, segment);
        if (wddm2 && segment->other_group)
            write_named(file, &vidmm_events_group_row, segment);
        fputc('\n', file);
        for (uint32_t range = 0; range < segment->reserved_count; range++)
            fprintf(file, VIDMM_EVENTS_RESERVED " %" PRIu64 " %" PRIu64 "\n",
                    segment->reserved[range].offset, segment->reserved[range].size);
        if (segment->part_of != 0)
            fprintf(file, VIDMM_EVENTS_PART " %" PRIu32 "\n", segment->part_of);
        if (segment->move_in_two)
            fputs(VIDMM_EVENTS_IN_TWO "\n", file);
    }
}

static void write_references(FILE *file, const struct vidmm_event *event)
{
    for (uint32_t i = 0; i < event->submit.reference_count; i++)
        fprintf(file, " %" PRIu32 ":%c%s%s", event->submit.references[i].allocation,
                (event->submit.references[i].write & VIDMM_REFERENCE_WRITES) != 0 ? 'W' : 'R',
                (event->submit.references[i].write & VIDMM_REFERENCE_LOCKED) != 0 ? "L" : "",
                (event->submit.references[i].write & VIDMM_REFERENCE_OWNED) != 0 ? "O" : "");
}

static void write_patches(FILE *file, const struct vidmm_event *event)
{
    for (uint32_t i = 0; i < event->submit.patch_count; i++)
        fprintf(file, " %" PRIu32 "/%" PRIu32 "@%" PRIu32, event->submit.patches[i].reference,
                event->submit.patches[i].slot, event->submit.patches[i].split_offset);
}

void vidmm_events_write(FILE *file, const struct vidmm_event *event)
{
    const struct vidmm_events_row *row;

    if (event->kind >= VIDMM_EVENTS || vidmm_events_rows[event->kind].name == NULL)
        return;
    row = &vidmm_events_rows[event->kind];
    fprintf(file, "%" PRIu64 " %s", event->time_ns, row->name);
    for (const struct vidmm_events_field *field = row->fields; field->name != NULL; field++)
        fprintf(file, " %" PRIu64, vidmm_events_get(event, field));
    if (event->kind == VIDMM_EVENT_SUBMIT) {
        write_references(file, event);
        write_patches(file, event);
    }
    for (uint32_t i = 0; vidmm_events_lists_allocations(event) && i < event->residency.count; i++)
        fprintf(file, " %" PRIu32, event->residency.allocations[i]);
    for (uint32_t i = 0; vidmm_events_lists_fences(event) && i < event->fences.count; i++)
        fprintf(file, " %" PRIu32 "=%" PRIu64, event->fences.values[i].fence,
                event->fences.values[i].value);
    fputc('\n', file);
}

/* ---- operations ------------------------------------------------------------------------------ */

static void write_place(FILE *file, const char *what, struct vidmm_place place)
{
    fprintf(file, " %s %" PRIu32 "+%" PRIu64, what, place.segment, place.offset);
}

static void write_build(FILE *file, const struct vidmm_operation *operation)
{
    fprintf(file,
            " %s paging_buffer %" PRIu32 " flags %" PRIu32 " multipass_offset %" PRIu32
            " transfer_offset %" PRIu64 " size %" PRIu64,
            vidmm_paging_name(operation->build.operation), operation->build.paging_buffer,
            operation->build.flags, operation->build.multipass_offset,
            operation->build.transfer_offset, operation->build.size);
    write_place(file, "source", operation->build.source);
    write_place(file, "destination", operation->build.destination);
}

static void write_paging(FILE *file, const struct vidmm_operation *operation)
{
    fprintf(file, " paging_buffer %" PRIu32 " fence %" PRIu32 " again %" PRIu32,
            operation->submit_paging.paging_buffer, operation->submit_paging.fence,
            operation->submit_paging.again);
    if (operation->submit_paging.context != 0)
        fprintf(file, " node %" PRIu32 " context %" PRIu32, operation->submit_paging.node,
                operation->submit_paging.context);
}

static void write_submission(FILE *file, const struct vidmm_operation *operation)
{
    if (operation->kind == VIDMM_DO_SUBMIT_PAGING)
        write_paging(file, operation);
    else
        fprintf(file,
                " dma_buffer %" PRIu32 " node %" PRIu32 " fence %" PRIu32 " references %" PRIu32
                " bytes %" PRIu32 "..%" PRIu32 " patches %" PRIu32 "+%" PRIu32 " last %" PRIu32
                " again %" PRIu32,
                operation->submit.dma_buffer, operation->submit.node, operation->submit.fence,
                operation->submit.reference_count, operation->submit.start, operation->submit.end,
                operation->submit.patch_first, operation->submit.patch_count,
                operation->submit.last, operation->submit.again);
}

static void write_range(FILE *file, const struct vidmm_operation *operation)
{
    if (operation->kind == VIDMM_DO_MAP_HOST || operation->kind == VIDMM_DO_UNMAP_HOST) {
        fprintf(file, " segment %" PRIu32 " pages %" PRIu32, operation->host.segment,
                operation->host.pages);
        return;
    }
    fprintf(file, " range %" PRIu32 " data %" PRIu32 " size %" PRIu64, operation->range.range,
            operation->range.data, operation->range.size);
    write_place(file, "at", operation->range.place);
}

static void write_root(FILE *file, const struct vidmm_operation *operation)
{
    fprintf(file, " process %" PRIu32 " table %" PRIu32 " entries %" PRIu32,
            operation->root.process, operation->root.table, operation->root.entries);
    write_place(file, "at", operation->root.place);
}

static void write_answer(FILE *file, const struct vidmm_operation *operation)
{
    switch (operation->kind) {
    case VIDMM_DO_PLACED:
        fprintf(file, " dma_buffer %" PRIu32 " index %" PRIu32, operation->placed.dma_buffer,
                operation->placed.index);
        write_place(file, "at", operation->placed.place);
        break;
    case VIDMM_DO_GRANT:
        fprintf(file, " request %" PRIu32 " status 0x%08" PRIx32, operation->grant.request,
                operation->grant.status);
        write_place(file, "at", operation->grant.place);
        if (operation->grant.range != 0)
            fprintf(file, " range %" PRIu32, operation->grant.range);
        break;
    case VIDMM_DO_SHOW:
        write_place(file, "at", operation->show.place);
        break;
    case VIDMM_DO_MAP_HOST:
    case VIDMM_DO_UNMAP_HOST:
    case VIDMM_DO_ACQUIRE_RANGE:
    case VIDMM_DO_RELEASE_RANGE:
        write_range(file, operation);
        break;
    case VIDMM_DO_RETIRE:
        fprintf(file, " dma_buffer %" PRIu32 " status 0x%08" PRIx32, operation->retire.dma_buffer,
                operation->retire.status);
        break;
    case VIDMM_DO_ERROR:
    case VIDMM_DO_STOPPED:
        fprintf(file,
                " device %" PRIu32 " reason %" PRIu32 " dma_buffer %" PRIu32 " status 0x%08" PRIx32
                " needed %" PRIu64,
                operation->error.device, operation->error.reason, operation->error.dma_buffer,
                operation->error.status, operation->error.needed);
        break;
    case VIDMM_DO_SIGNAL:
        fprintf(file, " queue %" PRIu32 " value %" PRIu64 " status 0x%08" PRIx32,
                operation->signal.queue, operation->signal.value, operation->signal.status);
        break;
    case VIDMM_DO_TRIM:
        fprintf(file, " device %" PRIu32 " flags %" PRIu32 " bytes_to_trim %" PRIu64,
                operation->trim.device, operation->trim.flags, operation->trim.bytes_to_trim);
        break;
    case VIDMM_DO_WRITE_FENCE:
        fprintf(file, " fence %" PRIu32 " narrow %" PRIu32 " value %" PRIu64,
                operation->fence.fence, operation->fence.narrow, operation->fence.value);
        break;
    case VIDMM_DO_READ_FENCE:
        fprintf(file, " fence %" PRIu32, operation->fence.fence);
        break;
    case VIDMM_DO_WAITED:
        fprintf(file, " request %" PRIu32 " status 0x%08" PRIx32, operation->waited.request,
                operation->waited.status);
        break;
    default: /* claim, clear, drop, destroy: the allocation says it all */
        break;
    }
}

void vidmm_events_write_operation(FILE *plan, uint64_t number,
                                  const struct vidmm_operation *operation)
{
    fprintf(plan, "[%" PRIu64 "] %s", number, vidmm_operation_name(operation->kind));
    if (operation->allocation != 0)
        fprintf(plan, " allocation %" PRIu32, operation->allocation);
    if (operation->kind == VIDMM_DO_BUILD)
        write_build(plan, operation);
    else if (operation->kind == VIDMM_DO_SUBMIT || operation->kind == VIDMM_DO_CANCEL ||
             operation->kind == VIDMM_DO_SUBMIT_PAGING)
        write_submission(plan, operation);
    else if (operation->kind == VIDMM_DO_SWITCH)
        fprintf(plan,
                " node %" PRIu32 " fence %" PRIu32 " context %" PRIu32 " paging %" PRIu32
                " again %" PRIu32,
                operation->switching.node, operation->switching.fence, operation->switching.context,
                operation->switching.paging, operation->switching.again);
    else if (operation->kind >= VIDMM_DO_QUERY_FENCE && operation->kind <= VIDMM_DO_RESET_ENGINE)
        fprintf(plan, " node %" PRIu32 " fence %" PRIu32, operation->recover.node,
                operation->recover.fence);
    else if (operation->kind == VIDMM_DO_SET_ROOT)
        write_root(plan, operation);
    else
        write_answer(plan, operation);
    fputc('\n', plan);
}

/* ---- the recorder ---------------------------------------------------------------------------- */

static void see_engine(void *context, const struct vidmm_engine_config *config)
{
    struct vidmm_recorder *recorder = context;

    vidmm_events_write_config(recorder->events, config);
}

static void see_event(void *context, const struct vidmm_event *event)
{
    struct vidmm_recorder *recorder = context;

    recorder->event++;
    vidmm_events_write(recorder->events, event);
}

static void see_operation(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    struct vidmm_recorder *recorder = context;

    (void)time_ns; /* the event's time counts */
    if (recorder->plan != NULL)
        vidmm_events_write_operation(recorder->plan, recorder->event, operation);
}

void vidmm_recorder_init(struct vidmm_recorder *recorder, FILE *events, FILE *plan)
{
    *recorder = (struct vidmm_recorder){
        .observer = {.context = recorder,
                     .event = see_event,
                     .operation = see_operation,
                     .engine = see_engine},
        .events = events,
        .plan = plan,
    };
}

bool vidmm_recorder_is_whole(struct vidmm_recorder *recorder)
{
    bool whole = fflush(recorder->events) == 0 && !ferror(recorder->events);

    if (recorder->plan != NULL && (fflush(recorder->plan) != 0 || ferror(recorder->plan)))
        whole = false;
    return whole;
}
