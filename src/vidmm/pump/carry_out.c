/* carry_out.c: the operations of a plan that are data only, done at once, under the mutex. */
#include "vidmm/pump/carry_out.h"

#include <vidmm/engine.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/allocation_list.h"
#include "vidmm/ddi/page_entries.h"
#include "vidmm/ddi/submit_virtual.h"
#include "vidmm/ddi/table_memory.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/report.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/chores.h"
#include "vidmm/pump/client.h"
#include "vidmm/pump/fence_value.h"
#include "vidmm/pump/grant.h"
#include "vidmm/pump/state.h"

#include "base/assert.h"
#include "base/text.h"

static struct vidmm_allocation *find_allocation(const struct vidmm_adapter *adapter, uint32_t id)
{
    return vidmm_slot_find(&adapter->handles, id - 1, VIDMM_HANDLE_ALLOCATION);
}

static struct vidmm_dma_buffer *find_dma_buffer(const struct vidmm_adapter *adapter, uint32_t id)
{
    return vidmm_slot_find(&adapter->dma_buffers, id - 1, VIDMM_HANDLE_ALLOCATION);
}

static void describe_fault(struct vidmm_text *text, const struct vidmm_page_fault *fault)
{
    vidmm_text_string(text, " (");
    vidmm_text_string(text, (fault->flags & VIDMM_FAULT_WRITE) != 0 ? "written: " : "read: ");
    vidmm_text_hex(text, fault->address);
    vidmm_text_string(text, ", by node ");
    vidmm_text_number(text, fault->node);
    vidmm_text_string(text, ")");
}

static void describe_error(struct vidmm_adapter *adapter, struct vidmm_device *device,
                           const struct vidmm_operation *operation)
{
    const struct vidmm_dma_buffer *dma_buffer =
        find_dma_buffer(adapter, operation->error.dma_buffer);
    struct vidmm_text text = vidmm_report_begin(&device->report);

    vidmm_text_string(&text, vidmm_reason_text(operation->error.reason));
    if (operation->error.reason == VIDMM_REASON_REMOVED) {
        vidmm_text_string(&text, "; the device is removed, new ones work (D-239)");
        return;
    }
    if (operation->error.reason == VIDMM_REASON_MUST_SUCCEED) {
        vidmm_text_string(&text, ": bytes to trim ");
        vidmm_text_number(&text, operation->error.needed);
        return;
    }
    if (operation->error.reason == VIDMM_REASON_PAGE_FAULT)
        describe_fault(&text, &device->fault);
    vidmm_text_string(&text, ": DMA buffer ");
    vidmm_text_number(&text, dma_buffer ? dma_buffer->value : 0);
    if (operation->error.reason == VIDMM_REASON_HUNG) {
        vidmm_text_string(&text, " of its context was cut off (D-243)");
        return;
    }
    if (operation->error.reason == VIDMM_REASON_NOT_RESIDENT ||
        operation->error.reason == VIDMM_REASON_PAGE_FAULT) {
        vidmm_text_string(&text, " of its context");
        return;
    }
    vidmm_text_string(&text, " of its context needs ");
    vidmm_text_number(&text, operation->error.needed);
    vidmm_text_string(&text, operation->error.reason == VIDMM_REASON_BINDING_LEAK
                                 ? " bytes where they are (D-343)"
                                 : " bytes in one segment (D-089)");
}

/* obeys D-269: the device's state says where it was */
static void note_fault(const struct vidmm_adapter *adapter, struct vidmm_device *device,
                       uint32_t reason)
{
    struct vidmm_device_state state = vidmm_engine_device_state(adapter->engine, device->id);

    device->page_faulted = reason == VIDMM_REASON_PAGE_FAULT;
    device->fault = (struct vidmm_page_fault){
        .address = state.address, .node = state.node, .flags = state.flags};
}

static void device_error(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_device *device =
        vidmm_slot_find(&adapter->handles, operation->error.device - 1, VIDMM_HANDLE_DEVICE);

    if (device) {
        device->status = (NTSTATUS)operation->error.status;
        note_fault(adapter, device, operation->error.reason);
        if (device->status == STATUS_DEVICE_REMOVED)
            adapter->client->device_lost(device); /* obeys D-244 */
        describe_error(adapter, device, operation);
    }
}

/* The bug check that Windows would raise: code, first parameter. */
static const char *bug_check(uint32_t reason)
{
    static const char *const codes[] = {
        [VIDMM_REASON_ILLEGAL_STATUS] = "0x10e, 0xb",
        [VIDMM_REASON_BUSY_WHEN_IDLE] = "0x10e, 0xb",
        [VIDMM_REASON_SUBMIT_FAILED] = "0x119, 2",
        [VIDMM_REASON_UNKNOWN_FENCE] = "0x119, 1",
        [VIDMM_REASON_TIMEOUT] = "0x116",
        [VIDMM_REASON_CANCEL_FAILED] = "0x119, 9 (D-347)",
        [VIDMM_REASON_PREEMPT_FAILED] = "0x119, 2",
        [VIDMM_REASON_ABORTED_FENCE] = "0x119, 0xa",
        [VIDMM_REASON_ENGINE_GROUP] = "0x119, 8",
        [VIDMM_REASON_RESET_FAILED] = "0x116",
        [VIDMM_REASON_DRIVER_TIMEOUT] = "0x116",
        [VIDMM_REASON_EARLY_REPORT] = "0x119, 0x10",
        [VIDMM_REASON_GUARANTEE] = "0x10e, 0x16",
        [VIDMM_REASON_ACQUIRE_STATUS] = "0x10e, 0xf",
        [VIDMM_REASON_RELEASE_STATUS] = "0x10e, 0x10",
        [VIDMM_REASON_PATCH_FAILED] = "0x119, 3",
        [VIDMM_REASON_OVERRUN] = "0x10e, 0x12",
        [VIDMM_REASON_PRIVATE_OVERRUN] = "0x10e, 0x13",
        [VIDMM_REASON_DISPLAY_REPORT] = "0x119, 7",
        [VIDMM_REASON_COMMAND_FAILED] = "0x119, 5",
        [VIDMM_REASON_DISPLAY_MASK] = "0x119, 6",
        [VIDMM_REASON_FATAL_FAULT] = "0x119, 0xc",
        [VIDMM_REASON_FAULT_FLAGS] = "0x119, 0xd",
    };
    const char *code = reason < sizeof(codes) / sizeof(codes[0]) ? codes[reason] : NULL;

    return code ? code : "0x10e";
}

static void describe_stop(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_text text = vidmm_report_begin(&adapter->stop_report);

    vidmm_text_string(&text, vidmm_reason_text(operation->error.reason));
    if (operation->error.status != 0) {
        vidmm_text_string(&text, ": status ");
        vidmm_text_hex(&text, operation->error.status);
    }
    vidmm_text_string(&text, "; Windows would bug-check ");
    vidmm_text_string(&text, bug_check(operation->error.reason));
}

static void tell_why(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_text text;

    if (operation->error.reason != VIDMM_REASON_PNP_STOP) {
        adapter->findings++;
        describe_stop(adapter, operation);
        return;
    }
    text = vidmm_report_begin(&adapter->stop_report);
    vidmm_text_string(&text, vidmm_reason_text(operation->error.reason));
}

static void stopped(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    VIDMM_ASSERT(!adapter->stopped);
    adapter->stopped = true;
    adapter->pump->call_due = false;
    adapter->pump->at_rest = operation->error.reason == VIDMM_REASON_NONE;
    adapter->pump->stop_reason = operation->error.reason;
    adapter->stop_status = (NTSTATUS)operation->error.status;
    adapter->client->stopped(adapter);
    if (!adapter->pump->at_rest)
        tell_why(adapter, operation);
}

static void claim(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                  struct vidmm_event *answer)
{
    VIDMM_ASSERT(find_allocation(adapter, operation->allocation));
    *answer = (struct vidmm_event){.kind = VIDMM_EVENT_CLAIMED};
    answer->claimed.allocation = operation->allocation;
    answer->claimed.granted =
        adapter->client->claimed(find_allocation(adapter, operation->allocation),
                                 operation->claim.stays != 0, operation->claim.peeks != 0);
}

static void placed(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    vidmm_ddi_placed(find_dma_buffer(adapter, operation->placed.dma_buffer),
                     operation->placed.index, operation->placed.place);
}

static void clear(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    vidmm_chore_add(adapter, find_allocation(adapter, operation->allocation),
                    operation->kind == VIDMM_DO_CLEAR ? CHORE_CLEAR : CHORE_DROP);
}

static void show(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    adapter->client->shown(find_allocation(adapter, operation->allocation), operation->show.place,
                           operation->show.range, operation->show.alternate != 0);
}

/* A waiter for the value is woken as for anything else (`changed`). */
static void signal(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_paging_queue *queue = vidmm_slot_find(
        &adapter->paging_queues, operation->signal.queue - 1, VIDMM_HANDLE_PAGING_QUEUE);

    VIDMM_ASSERT(queue && operation->signal.value > atomic_load(&queue->passed));
    if (operation->signal.status != (uint32_t)STATUS_SUCCESS)
        queue->status = (NTSTATUS)operation->signal.status;
    atomic_store_explicit(&queue->passed, operation->signal.value, memory_order_release);
    if (queue->fence)
        vidmm_fence_value_raise(queue->fence, operation->signal.value);
    adapter->updates_due |= queue->makes_updates;
}

static void waited(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    adapter->client->waited(adapter, operation->waited.request, (NTSTATUS)operation->waited.status);
}

/* A request stands until its program is told of it; of two the newer one counts. PeriodicTrim and
 * RestartPeriodicTrim are never asked for both. */
static void trim(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_device *device =
        vidmm_slot_find(&adapter->handles, operation->trim.device - 1, VIDMM_HANDLE_DEVICE);
    uint32_t periodic = VIDMM_TRIM_PERIODIC | VIDMM_TRIM_RESTART_PERIODIC;

    VIDMM_ASSERT(device);
    if ((operation->trim.flags & periodic) != 0)
        device->trim &= ~periodic;
    device->trim |= operation->trim.flags;
    if ((operation->trim.flags & VIDMM_TRIM_TO_BUDGET) != 0)
        device->bytes_to_trim = operation->trim.bytes_to_trim;
    if (device->trim_notice.asked)
        device->trim_notice.asked(device->trim_notice.argument);
}

static void retire(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    adapter->client->retired(find_dma_buffer(adapter, operation->retire.dma_buffer),
                             (NTSTATUS)operation->retire.status);
}

static void destroy(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    vidmm_chore_destroy(adapter, find_allocation(adapter, operation->allocation));
}

/* The engine refuses what names it, and its program hears of that then. */
static void lost(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    VIDMM_ASSERT(find_allocation(adapter, operation->allocation));
    (void)adapter;
    (void)operation;
}

static void free_table(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    vidmm_table_memory_release(adapter, operation->root.table);
}

/* obeys D-235; of a link with instances each GPU has its own pages */
static void change_domain(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_allocation *allocation = find_allocation(adapter, operation->allocation);
    uint32_t engine;

    VIDMM_ASSERT(allocation && adapter->isolated);
    for (engine = 0; engine < (allocation->instances ? adapter->link_count : 1); engine++)
        if (operation->kind == VIDMM_DO_MAP_DOMAIN)
            vidmm_backing_reach(adapter, vidmm_backing_of(allocation, engine));
        else
            vidmm_backing_part(vidmm_backing_of(allocation, engine), adapter->host);
}

/* All but claims and calls of the DDI, by kind. */
static void (*const doers[])(struct vidmm_adapter *, const struct vidmm_operation *) = {
    [VIDMM_DO_PLACED] = placed,
    [VIDMM_DO_GRANT] = vidmm_request_grant,
    [VIDMM_DO_SHOW] = show,
    [VIDMM_DO_RETIRE] = retire,
    [VIDMM_DO_CLEAR] = clear,
    [VIDMM_DO_DROP] = clear,
    [VIDMM_DO_DESTROY] = destroy,
    [VIDMM_DO_ERROR] = device_error,
    [VIDMM_DO_STOPPED] = stopped,
    [VIDMM_DO_LOST] = lost,
    [VIDMM_DO_SIGNAL] = signal,
    [VIDMM_DO_TRIM] = trim,
    [VIDMM_DO_ENTRY] = vidmm_page_entries_note,
    [VIDMM_DO_ROOT] = vidmm_ddi_note_root,
    [VIDMM_DO_FREE_TABLE] = free_table,
    [VIDMM_DO_WRITE_FENCE] = vidmm_fence_value_write,
    [VIDMM_DO_READ_FENCE] = vidmm_fence_value_note,
    [VIDMM_DO_WAITED] = waited,
    [VIDMM_DO_MAP_DOMAIN] = change_domain,
    [VIDMM_DO_UNMAP_DOMAIN] = change_domain,
};

bool vidmm_carry_out(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                     struct vidmm_event *answer)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(operation->kind != 0 && operation->kind < sizeof(doers) / sizeof(doers[0]));
    if (operation->kind == VIDMM_DO_CLAIM) {
        claim(adapter, operation, answer);
        return true;
    }
    if (operation->kind <= VIDMM_DO_SET_ROOT) {
        VIDMM_ASSERT(!adapter->pump->call_due);
        adapter->pump->call = *operation;
        adapter->pump->call_due = true;
        if (operation->kind == VIDMM_DO_SUBMIT && adapter->options.gpu_wrote)
            adapter->client->submitted(find_dma_buffer(adapter, operation->submit.dma_buffer),
                                       operation->submit.node, operation->submit.fence);
    } else {
        doers[operation->kind](adapter, operation);
    }
    return false;
}
