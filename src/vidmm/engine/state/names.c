/* names.c: names of what plan.h enumerates, for people. */
#include <vidmm/plan.h>

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *pick(const char *const *names, size_t count, uint32_t index)
{
    return index < count && names[index] ? names[index] : "unknown";
}

static const char *const event_names[] = {
    [VIDMM_EVENT_CREATE_DEVICE] = "create device",
    [VIDMM_EVENT_DESTROY_DEVICE] = "destroy device",
    [VIDMM_EVENT_CREATE_ALLOCATION] = "create allocation",
    [VIDMM_EVENT_DESTROY_ALLOCATION] = "destroy allocation",
    [VIDMM_EVENT_SUBMIT] = "submit",
    [VIDMM_EVENT_PIN] = "pin",
    [VIDMM_EVENT_LOCK] = "lock",
    [VIDMM_EVENT_REFRESH] = "refresh",
    [VIDMM_EVENT_UNLOCK] = "unlock",
    [VIDMM_EVENT_PAGING_BUFFERS] = "use paging buffers",
    [VIDMM_EVENT_CLAIMED] = "claimed",
    [VIDMM_EVENT_BUILT] = "built",
    [VIDMM_EVENT_SUBMITTED] = "submitted",
    [VIDMM_EVENT_FENCE] = "fence",
    [VIDMM_EVENT_TICK] = "tick",
    [VIDMM_EVENT_EVICT_ALL] = "evict all",
    [VIDMM_EVENT_STOP] = "stop",
    [VIDMM_EVENT_PREEMPTED] = "preempted",
    [VIDMM_EVENT_RECOVERED] = "recovered",
    [VIDMM_EVENT_OFFER] = "offer",
    [VIDMM_EVENT_RECLAIM] = "reclaim",
    [VIDMM_EVENT_DISCARD] = "discard",
    [VIDMM_EVENT_PRIORITY] = "priority",
    [VIDMM_EVENT_REST] = "rest",
    [VIDMM_EVENT_RESUME] = "resume",
    [VIDMM_EVENT_FAIL] = "fail",
    [VIDMM_EVENT_RANGED] = "ranged",
    [VIDMM_EVENT_READ_SEGMENT] = "read segment",
    [VIDMM_EVENT_ABANDON] = "abandon",
    [VIDMM_EVENT_JOIN] = "join",
    [VIDMM_EVENT_CREATE_PAGING_QUEUE] = "create paging queue",
    [VIDMM_EVENT_DESTROY_PAGING_QUEUE] = "destroy paging queue",
    [VIDMM_EVENT_MAKE_RESIDENT] = "make resident",
    [VIDMM_EVENT_EVICT] = "evict",
    [VIDMM_EVENT_RECLAIM_QUEUED] = "reclaim queued",
    [VIDMM_EVENT_BUDGET] = "budget",
    [VIDMM_EVENT_RESERVE] = "reserve",
    [VIDMM_EVENT_TRIM] = "trim",
    [VIDMM_EVENT_UPDATE_PROPERTY] = "update property",
    [VIDMM_EVENT_CREATE_FENCE] = "create fence",
    [VIDMM_EVENT_DESTROY_FENCE] = "destroy fence",
    [VIDMM_EVENT_SIGNAL_FENCES] = "signal fences",
    [VIDMM_EVENT_WAIT_FENCES] = "wait for fences",
    [VIDMM_EVENT_QUEUE_WAIT] = "queue wait",
    [VIDMM_EVENT_QUEUE_SIGNAL] = "queue signal",
    [VIDMM_EVENT_FENCES_SIGNALED] = "fences signaled",
    [VIDMM_EVENT_FENCE_READ] = "fence read",
    [VIDMM_EVENT_FAULT] = "fault",
    [VIDMM_EVENT_CREATE_PROCESS] = "create process",
    [VIDMM_EVENT_DESTROY_PROCESS] = "destroy process",
    [VIDMM_EVENT_RESERVE_ADDRESSES] = "reserve addresses",
    [VIDMM_EVENT_MAP_ADDRESSES] = "map addresses",
    [VIDMM_EVENT_UPDATE_ADDRESSES] = "update addresses",
    [VIDMM_EVENT_FREE_ADDRESSES] = "free addresses",
    [VIDMM_EVENT_DESTROY_AT_ONCE] = "destroy at once",
    [VIDMM_EVENT_HOST_ANSWERED] = "host aperture answered",
    [VIDMM_EVENT_UPDATE_CONTEXT] = "update context",
    [VIDMM_EVENT_HOLD] = "hold",
    [VIDMM_EVENT_DISPLAY] = "display",
    [VIDMM_EVENT_ROOT_SET] = "root set",
    [VIDMM_EVENT_PAGE_OUT] = "page out",
    [VIDMM_EVENT_COMPANION] = "companion",
    [VIDMM_EVENT_SET_FAULTS] = "set faults",
    [VIDMM_EVENT_SUSPEND_DEVICE] = "suspend device",
    [VIDMM_EVENT_RESUME_DEVICES] = "resume devices",
    [VIDMM_EVENT_COMPACT] = "compact",
    [VIDMM_EVENT_DELAY] = "delay",
    [VIDMM_EVENT_EVICTION_DELAY] = "eviction delay",
    [VIDMM_EVENT_TRIM_INTERVALS] = "trim intervals",
};

const char *vidmm_event_name(uint32_t kind)
{
    return pick(event_names, COUNT(event_names), kind);
}

const char *vidmm_operation_name(uint32_t kind)
{
    static const char *const names[] = {
        [VIDMM_DO_CLAIM] = "claim",
        [VIDMM_DO_BUILD] = "build",
        [VIDMM_DO_SUBMIT_PAGING] = "submit paging buffer",
        [VIDMM_DO_SUBMIT] = "submit",
        [VIDMM_DO_CANCEL] = "cancel command",
        [VIDMM_DO_SWITCH] = "switch context",
        [VIDMM_DO_QUERY_FENCE] = "query current fence",
        [VIDMM_DO_PREEMPT] = "preempt",
        [VIDMM_DO_QUERY_ENGINE] = "query engine status",
        [VIDMM_DO_QUERY_GROUP] = "query dependent engine group",
        [VIDMM_DO_RESET_ENGINE] = "reset engine",
        [VIDMM_DO_RESET] = "reset from timeout",
        [VIDMM_DO_RESTART] = "restart from timeout",
        [VIDMM_DO_ACQUIRE_RANGE] = "acquire swizzling range",
        [VIDMM_DO_RELEASE_RANGE] = "release swizzling range",
        [VIDMM_DO_MAP_HOST] = "map CPU host aperture",
        [VIDMM_DO_UNMAP_HOST] = "unmap CPU host aperture",
        [VIDMM_DO_SET_ROOT] = "set root",
        [VIDMM_DO_PLACED] = "placed",
        [VIDMM_DO_GRANT] = "grant",
        [VIDMM_DO_SHOW] = "show",
        [VIDMM_DO_CLEAR] = "clear",
        [VIDMM_DO_DROP] = "drop",
        [VIDMM_DO_RETIRE] = "retire",
        [VIDMM_DO_DESTROY] = "destroy",
        [VIDMM_DO_ERROR] = "device error",
        [VIDMM_DO_STOPPED] = "stopped",
        [VIDMM_DO_LOST] = "lost",
        [VIDMM_DO_SIGNAL] = "signal",
        [VIDMM_DO_TRIM] = "trim",
        [VIDMM_DO_ENTRY] = "entry",
        [VIDMM_DO_ROOT] = "root",
        [VIDMM_DO_FREE_TABLE] = "free table",
        [VIDMM_DO_WRITE_FENCE] = "write fence",
        [VIDMM_DO_READ_FENCE] = "read fence",
        [VIDMM_DO_WAITED] = "waited",
        [VIDMM_DO_MAP_DOMAIN] = "map domain",
        [VIDMM_DO_UNMAP_DOMAIN] = "unmap domain",
    };

    return pick(names, COUNT(names), kind);
}

const char *vidmm_paging_name(uint32_t kind)
{
    static const char *const names[] = {
        [VIDMM_TRANSFER] = "transfer",
        [VIDMM_FILL] = "fill",
        [VIDMM_DISCARD_CONTENT] = "discard content",
        [VIDMM_READ_PHYSICAL] = "read physical",
        [VIDMM_WRITE_PHYSICAL] = "write physical",
        [VIDMM_MAP_APERTURE_SEGMENT] = "map aperture segment",
        [VIDMM_UNMAP_APERTURE_SEGMENT] = "unmap aperture segment",
        [VIDMM_SPECIAL_LOCK_TRANSFER] = "special-lock transfer",
        [VIDMM_TRANSFER_VIRTUAL] = "transfer virtual",
        [VIDMM_FILL_VIRTUAL] = "fill virtual",
        [VIDMM_UPDATE_PAGE_TABLE] = "update page table",
        [VIDMM_FLUSH_TLB] = "flush TLB",
        [VIDMM_UPDATE_CONTEXT_ALLOCATION] = "update context allocation",
        [VIDMM_NOTIFY_RESIDENCY] = "notify residency",
        [VIDMM_SIGNAL_MONITORED_FENCE] = "signal monitored fence",
        [VIDMM_NOTIFY_ALLOCATION] = "notify allocation",
        [VIDMM_INIT_CONTEXT_RESOURCE] = "init context resource",
    };

    return pick(names, COUNT(names), kind);
}

const char *vidmm_reason_text(uint32_t reason)
{
    static const char *const texts[] = {
        [VIDMM_REASON_NONE] = "no error",
        [VIDMM_REASON_NOT_RESIDENT] =
            "a DMA buffer refers to an allocation that its device has not made resident (D-094)",
        [VIDMM_REASON_MUST_SUCCEED] =
            "allocations that the device cannot do without fit nowhere (D-197)",
        [VIDMM_REASON_OUT_OF_MEMORY] =
            "the allocations of one DMA buffer do not fit into video memory together",
        [VIDMM_REASON_ILLEGAL_STATUS] =
            "DxgkDdiBuildPagingBuffer answered a status that its page does not list",
        [VIDMM_REASON_BUSY_WHEN_IDLE] =
            "DxgkDdiBuildPagingBuffer answered ALLOCATION_BUSY where the allocation is idle",
        [VIDMM_REASON_NO_PROGRESS] =
            "DxgkDdiBuildPagingBuffer ran out of space in a fresh paging buffer without progress",
        [VIDMM_REASON_SUBMIT_FAILED] = "DxgkDdiSubmitCommand failed",
        [VIDMM_REASON_UNKNOWN_FENCE] = "the driver reported a fence that was never submitted",
        [VIDMM_REASON_TIMEOUT] = "the GPU hung for the sixth time within a minute",
        [VIDMM_REASON_HUNG] = "the GPU hung, and its engine was reset",
        [VIDMM_REASON_REMOVED] = "the GPU hung, and the adapter was reset",
        [VIDMM_REASON_CANCEL_FAILED] = "DxgkDdiCancelCommand failed",
        [VIDMM_REASON_PREEMPT_FAILED] = "DxgkDdiPreemptCommand failed",
        [VIDMM_REASON_ABORTED_FENCE] =
            "DxgkDdiResetEngine answered a LastAbortedFenceId that is not in flight",
        [VIDMM_REASON_ENGINE_GROUP] =
            "DxgkDdiQueryDependentEngineGroup failed, or its mask leaves out the node itself",
        [VIDMM_REASON_RESET_FAILED] = "DxgkDdiResetFromTimeout or DxgkDdiRestartFromTimeout failed",
        [VIDMM_REASON_DRIVER_TIMEOUT] = "a call stayed in the driver for more than five seconds",
        [VIDMM_REASON_EARLY_REPORT] =
            "an engine reported between its reset and its resumption (D-371)",
        [VIDMM_REASON_GUARANTEE] =
            "DxgkDdiRender ran out of a DMA buffer whose size the driver had guaranteed (D-088)",
        [VIDMM_REASON_ACQUIRE_STATUS] =
            "DxgkDdiAcquireSwizzlingRange answered a status that its page does not list",
        [VIDMM_REASON_RELEASE_STATUS] = "DxgkDdiReleaseSwizzlingRange failed",
        [VIDMM_REASON_BINDING_LEAK] =
            "a part of a split DMA buffer needs what is bound before it and not bound anew",
        [VIDMM_REASON_PAGE_FAULT] = "its DMA buffer used an address that leads nowhere",
        [VIDMM_REASON_FAULT_FLAGS] =
            "the driver reported a page fault of no packet, and asked for no reset (D-269)",
        [VIDMM_REASON_FATAL_FAULT] =
            "the driver reported a page fault after which the hardware cannot go on",
        [VIDMM_REASON_PATCH_FAILED] = "DxgkDdiPatch failed",
        [VIDMM_REASON_UNMAP_HOST] = "DxgkDdiUnmapCpuHostAperture failed",
        [VIDMM_REASON_MAP_HOST] = "DxgkDdiMapCpuHostAperture failed for page tables (D-174)",
        [VIDMM_REASON_PNP_STOP] = "Plug and Play has stopped the device (D-244)",
        [VIDMM_REASON_NO_PAGING] = "the paging process could not be built anew (D-290)",
        [VIDMM_REASON_OVERRUN] = "the driver wrote past the end of a buffer that it was given",
        [VIDMM_REASON_PRIVATE_OVERRUN] =
            "the driver wrote past the end of private data that it was given",
        [VIDMM_REASON_DISPLAY_REPORT] =
            "a driver without a display reported an interrupt of one (D-359)",
        [VIDMM_REASON_COMMAND_FAILED] = "a paging packet was reported as faulted (D-358)",
        [VIDMM_REASON_DISPLAY_MASK] =
            "a linked adapter reported a display interrupt without a physical adapter mask (D-359)",
    };

    return pick(texts, COUNT(texts), reason);
}
