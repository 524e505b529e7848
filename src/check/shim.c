/* shim.c: the driver's functions, each with a frame around it. */
#include "check/shim.h"

#include <stdio.h>
#include <string.h>

#include <vidmm/host.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/board.h"
#include "check/handles.h"
#include "check/journal.h"
#include "check/stack.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "wddm/call.h"
#include "wddm/level.h"

static struct {
    struct vidmm_board *board;
    const struct vidmm_host *host;
    DRIVER_INITIALIZATION_DATA driver, wrapped;
    DXGKRNL_INTERFACE interface; /* the table given to the driver */
    DXGKRNL_INTERFACE called;    /* what these functions then call */
    atomic_bool removed;         /* DxgkDdiRemoveDevice has come back: there is no device */
    uint16_t level;
    HANDLE started; /* the driver's context, once it is started */
    uint32_t sources, children;
} shim;

static _Thread_local bool in_submit;
static _Thread_local char last[64]; /* the name of this thread's last call */

const char *vidmm_shim_last(void)
{
    return last[0] ? last : NULL;
}

bool vidmm_shim_in_submit(void)
{
    return in_submit;
}

static uint8_t current_irql(void)
{
    return shim.host->current_irql(shim.host->context);
}

bool vidmm_shim_started(HANDLE *adapter, uint32_t *sources, uint32_t *children)
{
    *adapter = shim.started;
    *sources = shim.sources;
    *children = shim.children;
    return shim.started != NULL;
}

/* The record begins with the name, which ends at a blank. */
static bool is_named(const char *record, const char *name)
{
    size_t length = strlen(name);

    return strncmp(record, name, length) == 0 && (record[length] == 0 || record[length] == ' ');
}

const void *vidmm_shim_entry(const char *record)
{
    const char *name = record ? record : last;
    const void *entry = NULL;

#define ENTRY(Name)                                                                                \
    if (is_named(name, "DxgkDdi" #Name))                                                           \
        memcpy(&entry, &shim.driver.DxgkDdi##Name, sizeof(entry));
#define DDI_ARGUMENT(ID, Name, h, TYPE, CLASS, IRQL) ENTRY(Name)
#define DDI_OPAQUE(ID, Name, h, TYPE, CLASS, IRQL) ENTRY(Name)
#define DDI_HANDLE(ID, Name, h, CLASS, IRQL) ENTRY(Name)
#define DDI_OTHER(ID, Name, h, ANSWER, CLASS, IRQL) ENTRY(Name)
#include "wddm/calls.def"
    ENTRY(QueryChildStatus)
    ENTRY(IsSupportedVidPn)
    ENTRY(RecommendFunctionalVidPn)
    ENTRY(EnumVidPnCofuncModality)
    ENTRY(CommitVidPn)
    ENTRY(SetVidPnSourceVisibility)
    ENTRY(StopDeviceAndReleasePostDisplayOwnership)
#undef ENTRY
    return entry;
}

struct vidmm_board_call *vidmm_shim_enter(const char *name)
{
    struct vidmm_board_call *call = vidmm_board_enter(shim.board);

    snprintf(last, sizeof(last), "%s", name);
    if (call)
        snprintf(call->text, sizeof(call->text), "%s", name);
    return call;
}

/* Calls that recovery from a time-out makes again and again, if nothing comes of them. */
static bool is_repeated(enum vidmm_ddi ddi)
{
    switch (ddi) {
    case VIDMM_DDI_SUBMIT_COMMAND:
    case VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL:
    case VIDMM_DDI_PATCH:
    case VIDMM_DDI_PREEMPT_COMMAND:
    case VIDMM_DDI_QUERY_CURRENT_FENCE:
    case VIDMM_DDI_QUERY_ENGINE_STATUS:
    case VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP:
    case VIDMM_DDI_RESET_ENGINE:
        return true;
    default:
        return false;
    }
}

static struct vidmm_board_call *enter(enum vidmm_ddi ddi, HANDLE handle, const void *argument)
{
    struct vidmm_board_call *call = vidmm_board_enter(shim.board);
    struct vidmm_ddi_record record = {.ddi = ddi,
                                      .level = shim.level,
                                      .irql = current_irql(),
                                      .handle = handle,
                                      .argument = argument};
    struct vidmm_text text;

    if (!is_repeated(ddi))
        atomic_fetch_add(&shim.board->advances, 1);
    if (!call)
        return NULL;
    vidmm_text_init(&text, call->text, sizeof(call->text));
    vidmm_text_string(&text, "DxgkDdi");
    vidmm_ddi_print(&text, &record, 4);
    snprintf(last, sizeof(last), "%.*s", (int)strcspn(call->text, " "), call->text);
    return call;
}

/* ---- calls with a handle and an argument ---- */

struct thunk {
    HANDLE handle;
    void *argument;
    NTSTATUS status;
};

static NTSTATUS call(enum vidmm_ddi ddi, const char *name, void (*run)(void *), HANDLE handle,
                     const void *argument, const void *shown)
{
    struct thunk thunk = {handle, (void *)(uintptr_t)argument, STATUS_SUCCESS};
    struct vidmm_board_call *entered = enter(ddi, handle, shown);

    vidmm_kit_call(current_irql(), run, &thunk, name);
    vidmm_board_leave(entered);
    return thunk.status;
}

#define DDI_ARGUMENT(ID, Name, h, TYPE, CLASS, IRQL)                                               \
    static void run_##Name(void *thunk)                                                            \
    {                                                                                              \
        struct thunk *t = thunk;                                                                   \
        t->status = shim.driver.DxgkDdi##Name(t->handle, (TYPE *)t->argument);                     \
    }                                                                                              \
    static NTSTATUS shim_##Name(HANDLE handle, TYPE *argument)                                     \
    {                                                                                              \
        in_submit = VIDMM_DDI_##ID == VIDMM_DDI_SUBMIT_COMMAND ||                                  \
                    VIDMM_DDI_##ID == VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL;                            \
        NTSTATUS status =                                                                          \
            call(VIDMM_DDI_##ID, "DxgkDdi" #Name, run_##Name, handle, argument, argument);         \
        in_submit = false;                                                                         \
        return status;                                                                             \
    }
#define DDI_OPAQUE(ID, Name, h, TYPE, CLASS, IRQL)                                                 \
    static void run_##Name(void *thunk)                                                            \
    {                                                                                              \
        struct thunk *t = thunk;                                                                   \
        t->status = shim.driver.DxgkDdi##Name(t->handle, (TYPE *)t->argument);                     \
    }                                                                                              \
    static NTSTATUS shim_##Name(HANDLE handle, TYPE *argument)                                     \
    {                                                                                              \
        return call(VIDMM_DDI_##ID, "DxgkDdi" #Name, run_##Name, handle, argument, NULL);          \
    }
#define DDI_HANDLE(ID, Name, h, CLASS, IRQL)                                                       \
    static void run_##Name(void *thunk)                                                            \
    {                                                                                              \
        struct thunk *t = thunk;                                                                   \
        t->status = shim.driver.DxgkDdi##Name(t->handle);                                          \
    }                                                                                              \
    static NTSTATUS shim_##Name(HANDLE handle)                                                     \
    {                                                                                              \
        return call(VIDMM_DDI_##ID, "DxgkDdi" #Name, run_##Name, handle, NULL, NULL);              \
    }
#include "wddm/calls.def"

/* ---- callbacks that a thread or a timer of the driver's may make too late ---- */

static bool is_late(const char *name)
{
    vidmm_kit_stack_enter();
    if (atomic_load(&shim.removed))
        vidmm_check_find(shim.board, VIDMM_CHECK_LATE_CALLBACK, "",
                         "%s, after DxgkDdiRemoveDevice; it does nothing", name);
    return atomic_load(&shim.removed);
}

static VOID notify_interrupt(HANDLE handle, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    if (data && data->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED)
        atomic_fetch_add(&shim.board->advances, 1);
    if (!is_late("DxgkCbNotifyInterrupt"))
        shim.called.DxgkCbNotifyInterrupt(handle, data);
}

static VOID notify_dpc(HANDLE handle)
{
    if (!is_late("DxgkCbNotifyDpc"))
        shim.called.DxgkCbNotifyDpc(handle);
}

static BOOLEAN queue_dpc(HANDLE handle)
{
    return is_late("DxgkCbQueueDpc") ? 0 : shim.called.DxgkCbQueueDpc(handle);
}

struct synchronized {
    PKSYNCHRONIZE_ROUTINE routine;
    PVOID context;
};

static BOOLEAN run_synchronized(PVOID argument)
{
    const struct synchronized *synchronized = argument;

    vidmm_kit_page_out();
    return synchronized->routine(synchronized->context);
}

static NTSTATUS synchronize(HANDLE handle, PKSYNCHRONIZE_ROUTINE routine, PVOID context,
                            ULONG message, PBOOLEAN answer)
{
    struct synchronized synchronized = {routine, context};

    return is_late("DxgkCbSynchronizeExecution")
               ? STATUS_UNSUCCESSFUL
               : shim.called.DxgkCbSynchronizeExecution(handle, run_synchronized, &synchronized,
                                                        message, answer);
}

static void wrap_callbacks(void)
{
    shim.called = shim.interface;
    shim.interface.DxgkCbNotifyInterrupt = notify_interrupt;
    shim.interface.DxgkCbNotifyDpc = notify_dpc;
    shim.interface.DxgkCbQueueDpc = queue_dpc;
    shim.interface.DxgkCbSynchronizeExecution = synchronize;
}

/* ---- calls of other shapes ---- */

static NTSTATUS shim_AddDevice(PDEVICE_OBJECT object, PVOID *context)
{
    struct vidmm_ddi_add_device shown = {(HANDLE)object, NULL};
    struct vidmm_board_call *entered = enter(VIDMM_DDI_ADD_DEVICE, NULL, &shown);
    NTSTATUS status = shim.driver.DxgkDdiAddDevice(object, context);

    vidmm_board_leave(entered);
    return status;
}

static NTSTATUS shim_StartDevice(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *given,
                                 PULONG sources, PULONG children)
{
    struct vidmm_ddi_start_device shown = {info->RequiredDmaQueueEntry, given->DeviceHandle, 0, 0};
    struct vidmm_board_call *entered = enter(VIDMM_DDI_START_DEVICE, context, &shown);
    NTSTATUS status;

    vidmm_kit_complete_interface(given, &shim.interface);
    wrap_callbacks();
    atomic_store(&shim.removed, false);
    status = shim.driver.DxgkDdiStartDevice(context, info, &shim.interface, sources, children);
    vidmm_board_leave(entered);
    if (status == STATUS_SUCCESS) {
        shim.started = context;
        shim.sources = *sources == VIDMM_NOT_SET ? 0 : (uint32_t)*sources;
        shim.children = *children == VIDMM_NOT_SET ? 0 : (uint32_t)*children;
    } else if (vidmm_board_missing()) { /* for whoever asks why later */
        vidmm_board_problem(shim.board, "DxgkDdiStartDevice answered 0x%08x", (unsigned)status);
    }
    return status;
}

static NTSTATUS shim_StopDevice(PVOID context)
{
    struct vidmm_board_call *entered = enter(VIDMM_DDI_STOP_DEVICE, context, NULL);
    NTSTATUS status = shim.driver.DxgkDdiStopDevice(context);

    vidmm_board_leave(entered);
    return status;
}

static NTSTATUS shim_release_post_display(PVOID context, D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                                          DXGK_DISPLAY_INFORMATION *information)
{
    struct vidmm_board_call *entered =
        vidmm_shim_enter("DxgkDdiStopDeviceAndReleasePostDisplayOwnership");
    NTSTATUS status =
        shim.driver.DxgkDdiStopDeviceAndReleasePostDisplayOwnership(context, target, information);

    vidmm_board_leave(entered);
    return status;
}

static NTSTATUS shim_RemoveDevice(PVOID context)
{
    struct vidmm_board_call *entered = enter(VIDMM_DDI_REMOVE_DEVICE, context, NULL);
    NTSTATUS status = shim.driver.DxgkDdiRemoveDevice(context);

    atomic_store(&shim.removed, true);
    vidmm_handles_forget();
    vidmm_board_leave(entered);
    return status;
}

static VOID shim_ResetDevice(PVOID context)
{
    struct vidmm_board_call *entered = enter(VIDMM_DDI_RESET_DEVICE, context, NULL);

    shim.driver.DxgkDdiResetDevice(context);
    vidmm_board_leave(entered);
}

static VOID shim_Unload(VOID)
{
    struct vidmm_board_call *entered = vidmm_shim_enter("DxgkDdiUnload");

    shim.driver.DxgkDdiUnload();
    vidmm_board_leave(entered);
}

static NTSTATUS shim_QueryChildRelations(PVOID context, DXGK_CHILD_DESCRIPTOR *relations,
                                         ULONG size)
{
    struct vidmm_ddi_query_child_relations shown = {size};
    struct vidmm_board_call *entered = enter(VIDMM_DDI_QUERY_CHILD_RELATIONS, context, &shown);
    NTSTATUS status = shim.driver.DxgkDdiQueryChildRelations(context, relations, size);

    vidmm_board_leave(entered);
    return status;
}

static NTSTATUS shim_SetPowerState(PVOID context, ULONG uid, DEVICE_POWER_STATE state,
                                   POWER_ACTION action)
{
    struct vidmm_ddi_set_power_state shown = {uid, (INT)state, (INT)action};
    struct vidmm_board_call *entered = enter(VIDMM_DDI_SET_POWER_STATE, context, &shown);
    NTSTATUS status = shim.driver.DxgkDdiSetPowerState(context, uid, state, action);

    vidmm_board_leave(entered);
    return status;
}

static NTSTATUS shim_DestroyProcess(HANDLE adapter, HANDLE process)
{
    struct vidmm_ddi_destroy_process shown = {process};
    struct vidmm_board_call *entered = enter(VIDMM_DDI_DESTROY_PROCESS, adapter, &shown);
    NTSTATUS status = shim.driver.DxgkDdiDestroyProcess(adapter, process);

    vidmm_board_leave(entered);
    return status;
}

static VOID shim_SetRootPageTable(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *root)
{
    struct vidmm_board_call *entered = enter(VIDMM_DDI_SET_ROOT_PAGE_TABLE, adapter, root);

    shim.driver.DxgkDdiSetRootPageTable(adapter, root);
    vidmm_board_leave(entered);
}

/* A device may interrupt on the processor that is inside SubmitCommand: then it is not
 * SubmitCommand that reports. */
static BOOLEAN shim_InterruptRoutine(PVOID context, ULONG message)
{
    struct vidmm_board_call *entered = vidmm_shim_enter("DxgkDdiInterruptRoutine");
    bool interrupted = in_submit;

    in_submit = false;
    vidmm_kit_page_out();
    BOOLEAN answer = shim.driver.DxgkDdiInterruptRoutine(context, message);
    in_submit = interrupted;
    vidmm_board_leave(entered);
    return answer;
}

static VOID shim_DpcRoutine(PVOID context)
{
    struct vidmm_board_call *entered = vidmm_shim_enter("DxgkDdiDpcRoutine");

    vidmm_kit_page_out();
    shim.driver.DxgkDdiDpcRoutine(context);
    vidmm_board_leave(entered);
}

static NTSTATUS shim_ControlInterrupt(HANDLE adapter, DXGK_INTERRUPT_TYPE type, BOOLEAN enable)
{
    struct vidmm_ddi_control_interrupt shown = {(INT)type, enable};
    struct vidmm_board_call *entered = enter(VIDMM_DDI_CONTROL_INTERRUPT, adapter, &shown);
    NTSTATUS status = shim.driver.DxgkDdiControlInterrupt(adapter, type, enable);

    vidmm_board_leave(entered);
    return status;
}

/* ---- the journal, and the stack ---- */

static void run_watched(void *thunk)
{
    struct thunk *t = thunk;

    t->status =
        vidmm_stack_watch(shim.board, shim.driver.DxgkDdiBuildPagingBuffer, t->handle, t->argument);
}

static NTSTATUS build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGKARG_BUILDPAGINGBUFFER asked = *arguments;
    NTSTATUS status = call(VIDMM_DDI_BUILD_PAGING_BUFFER, "DxgkDdiBuildPagingBuffer", run_watched,
                           adapter, arguments, arguments);

    vidmm_journal_built(&asked, arguments, status);
    return status;
}

static NTSTATUS submit_command(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    if (arguments->Flags.Paging)
        vidmm_journal_submitted(arguments->DmaBufferSubmissionEndOffset -
                                    arguments->DmaBufferSubmissionStartOffset,
                                arguments->SubmissionFenceId);
    return shim_SubmitCommand(adapter, arguments);
}

static NTSTATUS submit_command_virtual(HANDLE adapter,
                                       const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    if (arguments->Flags.Paging)
        vidmm_journal_submitted(arguments->DmaBufferSize, arguments->SubmissionFenceId);
    return shim_SubmitCommandVirtual(adapter, arguments);
}

/* ---- handles ---- */

static NTSTATUS create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status = shim_CreateAllocation(adapter, arguments);

    if (status == STATUS_SUCCESS)
        vidmm_handles_made(shim.board, arguments);
    return status;
}

static NTSTATUS destroy_allocation(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    vidmm_handles_gone(arguments);
    return shim_DestroyAllocation(adapter, arguments);
}

static void keep_handles(const DRIVER_INITIALIZATION_DATA *driver)
{
    if (driver->DxgkDdiCreateAllocation)
        shim.wrapped.DxgkDdiCreateAllocation = create_allocation;
    if (driver->DxgkDdiDestroyAllocation)
        shim.wrapped.DxgkDdiDestroyAllocation = destroy_allocation;
}

static void keep_journal(const DRIVER_INITIALIZATION_DATA *driver)
{
    if (driver->DxgkDdiBuildPagingBuffer)
        shim.wrapped.DxgkDdiBuildPagingBuffer = build_paging_buffer;
    if (driver->DxgkDdiSubmitCommand)
        shim.wrapped.DxgkDdiSubmitCommand = submit_command;
    if (shim.level >= VIDMM_LEVEL(2, 0) && driver->DxgkDdiSubmitCommandVirtual)
        shim.wrapped.DxgkDdiSubmitCommandVirtual = submit_command_virtual;
}

const DRIVER_INITIALIZATION_DATA *vidmm_shim_wrap(struct vidmm_board *board,
                                                  const struct vidmm_host *host,
                                                  const DRIVER_INITIALIZATION_DATA *driver)
{
    shim.board = board;
    shim.host = host;
    shim.driver = *driver;
    shim.wrapped = *driver;
    shim.level = vidmm_level_find(driver->Version)->level;
#define WRAP(Name)                                                                                 \
    if (driver->DxgkDdi##Name)                                                                     \
        shim.wrapped.DxgkDdi##Name = shim_##Name;
#define DDI_ARGUMENT(ID, Name, h, TYPE, CLASS, IRQL) WRAP(Name)
#define DDI_OPAQUE(ID, Name, h, TYPE, CLASS, IRQL) WRAP(Name)
#define DDI_HANDLE(ID, Name, h, CLASS, IRQL) WRAP(Name)
#define DDI_OTHER(ID, Name, h, ANSWER, CLASS, IRQL) WRAP(Name)
#include "wddm/calls.def"
#undef WRAP
    if (driver->DxgkDdiStopDeviceAndReleasePostDisplayOwnership)
        shim.wrapped.DxgkDdiStopDeviceAndReleasePostDisplayOwnership = shim_release_post_display;
    keep_journal(driver);
    keep_handles(driver);
    return &shim.wrapped;
}
