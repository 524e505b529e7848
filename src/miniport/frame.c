/* frame.c: the driver's functions, each with a frame around it. */
#include "miniport/frame.h"

#include <stdatomic.h>
#include <stddef.h>

#include <vidmm/host.h>
#include <wddm/ntstatus.h>

#include "kit/dxgk.h"
#include "kit/kit.h"
#include "wddm/call.h"
#include "wddm/level.h"

static struct {
    struct vidmm_frame_watch watch;
    const struct vidmm_host *host;
    DRIVER_INITIALIZATION_DATA driver, framed;
    DXGKRNL_INTERFACE interface; /* the table given to the driver */
    DXGKRNL_INTERFACE called;    /* what these functions then call */
    atomic_bool removed;         /* DxgkDdiRemoveDevice has come back: there is no device */
    uint16_t level;
} frame;

static _Thread_local bool in_submit;

bool vidmm_frame_in_submit(void)
{
    return in_submit;
}

static uint8_t current_irql(void)
{
    return frame.host->current_irql(frame.host->context);
}

static void *enter(enum vidmm_ddi ddi, HANDLE handle, const void *argument)
{
    const struct vidmm_ddi_record record = {.ddi = ddi,
                                            .level = frame.level,
                                            .irql = current_irql(),
                                            .handle = handle,
                                            .argument = argument};

    return frame.watch.enter(frame.watch.argument, &record, NULL);
}

static void *enter_named(const char *name)
{
    return frame.watch.enter(frame.watch.argument, NULL, name);
}

static void leave(void *entered)
{
    frame.watch.leave(frame.watch.argument, entered);
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
    void *entered = enter(ddi, handle, shown);

    vidmm_kit_call(current_irql(), run, &thunk, name);
    leave(entered);
    return thunk.status;
}

#define DDI_ARGUMENT(ID, Name, h, TYPE, CLASS, IRQL)                                               \
    static void run_##Name(void *thunk)                                                            \
    {                                                                                              \
        struct thunk *t = thunk;                                                                   \
        t->status = frame.driver.DxgkDdi##Name(t->handle, (TYPE *)t->argument);                    \
    }                                                                                              \
    static NTSTATUS frame_##Name(HANDLE handle, TYPE *argument)                                    \
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
        t->status = frame.driver.DxgkDdi##Name(t->handle, (TYPE *)t->argument);                    \
    }                                                                                              \
    static NTSTATUS frame_##Name(HANDLE handle, TYPE *argument)                                    \
    {                                                                                              \
        return call(VIDMM_DDI_##ID, "DxgkDdi" #Name, run_##Name, handle, argument, NULL);          \
    }
#define DDI_HANDLE(ID, Name, h, CLASS, IRQL)                                                       \
    static void run_##Name(void *thunk)                                                            \
    {                                                                                              \
        struct thunk *t = thunk;                                                                   \
        t->status = frame.driver.DxgkDdi##Name(t->handle);                                         \
    }                                                                                              \
    static NTSTATUS frame_##Name(HANDLE handle)                                                    \
    {                                                                                              \
        return call(VIDMM_DDI_##ID, "DxgkDdi" #Name, run_##Name, handle, NULL, NULL);              \
    }
#include "wddm/calls.def"

/* ---- callbacks that a thread or a timer of the driver's may make too late ---- */

static bool is_late(const char *name)
{
    bool removed = atomic_load(&frame.removed);

    vidmm_kit_stack_enter();
    if (removed)
        frame.watch.late(frame.watch.argument, name);
    return removed;
}

static VOID notify_interrupt(HANDLE handle, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    if (data && data->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED && frame.watch.completed)
        frame.watch.completed(frame.watch.argument);
    if (!is_late("DxgkCbNotifyInterrupt"))
        frame.called.DxgkCbNotifyInterrupt(handle, data);
}

static VOID notify_dpc(HANDLE handle)
{
    if (!is_late("DxgkCbNotifyDpc"))
        frame.called.DxgkCbNotifyDpc(handle);
}

static BOOLEAN queue_dpc(HANDLE handle)
{
    return is_late("DxgkCbQueueDpc") ? 0 : frame.called.DxgkCbQueueDpc(handle);
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
               : frame.called.DxgkCbSynchronizeExecution(handle, run_synchronized, &synchronized,
                                                         message, answer);
}

static void wrap_callbacks(void)
{
    frame.called = frame.interface;
    frame.interface.DxgkCbNotifyInterrupt = notify_interrupt;
    frame.interface.DxgkCbNotifyDpc = notify_dpc;
    frame.interface.DxgkCbQueueDpc = queue_dpc;
    frame.interface.DxgkCbSynchronizeExecution = synchronize;
}

/* ---- calls of other shapes ---- */

static NTSTATUS frame_AddDevice(PDEVICE_OBJECT object, PVOID *context)
{
    struct vidmm_ddi_add_device shown = {(HANDLE)object, NULL};
    void *entered = enter(VIDMM_DDI_ADD_DEVICE, NULL, &shown);
    NTSTATUS status = frame.driver.DxgkDdiAddDevice(object, context);

    leave(entered);
    return status;
}

static NTSTATUS frame_StartDevice(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *given,
                                  PULONG sources, PULONG children)
{
    struct vidmm_ddi_start_device shown = {info->RequiredDmaQueueEntry, given->DeviceHandle, 0, 0};
    void *entered = enter(VIDMM_DDI_START_DEVICE, context, &shown);
    NTSTATUS status;

    vidmm_kit_complete_interface(given, &frame.interface);
    wrap_callbacks();
    atomic_store(&frame.removed, false);
    status = frame.driver.DxgkDdiStartDevice(context, info, &frame.interface, sources, children);
    leave(entered);
    return status;
}

static NTSTATUS frame_StopDevice(PVOID context)
{
    void *entered = enter(VIDMM_DDI_STOP_DEVICE, context, NULL);
    NTSTATUS status = frame.driver.DxgkDdiStopDevice(context);

    leave(entered);
    return status;
}

static NTSTATUS frame_release_post_display(PVOID context, D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                                           DXGK_DISPLAY_INFORMATION *information)
{
    void *entered = enter_named("DxgkDdiStopDeviceAndReleasePostDisplayOwnership");
    NTSTATUS status =
        frame.driver.DxgkDdiStopDeviceAndReleasePostDisplayOwnership(context, target, information);

    leave(entered);
    return status;
}

static NTSTATUS frame_RemoveDevice(PVOID context)
{
    void *entered = enter(VIDMM_DDI_REMOVE_DEVICE, context, NULL);
    NTSTATUS status = frame.driver.DxgkDdiRemoveDevice(context);

    atomic_store(&frame.removed, true);
    leave(entered);
    return status;
}

static VOID frame_ResetDevice(PVOID context)
{
    void *entered = enter(VIDMM_DDI_RESET_DEVICE, context, NULL);

    frame.driver.DxgkDdiResetDevice(context);
    leave(entered);
}

static VOID frame_Unload(VOID)
{
    void *entered = enter_named("DxgkDdiUnload");

    frame.driver.DxgkDdiUnload();
    leave(entered);
}

static NTSTATUS frame_QueryChildRelations(PVOID context, DXGK_CHILD_DESCRIPTOR *relations,
                                          ULONG size)
{
    struct vidmm_ddi_query_child_relations shown = {size};
    void *entered = enter(VIDMM_DDI_QUERY_CHILD_RELATIONS, context, &shown);
    NTSTATUS status = frame.driver.DxgkDdiQueryChildRelations(context, relations, size);

    leave(entered);
    return status;
}

static NTSTATUS frame_SetPowerState(PVOID context, ULONG uid, DEVICE_POWER_STATE state,
                                    POWER_ACTION action)
{
    struct vidmm_ddi_set_power_state shown = {uid, (INT)state, (INT)action};
    void *entered = enter(VIDMM_DDI_SET_POWER_STATE, context, &shown);
    NTSTATUS status = frame.driver.DxgkDdiSetPowerState(context, uid, state, action);

    leave(entered);
    return status;
}

static NTSTATUS frame_DestroyProcess(HANDLE adapter, HANDLE process)
{
    struct vidmm_ddi_destroy_process shown = {process};
    void *entered = enter(VIDMM_DDI_DESTROY_PROCESS, adapter, &shown);
    NTSTATUS status = frame.driver.DxgkDdiDestroyProcess(adapter, process);

    leave(entered);
    return status;
}

static VOID frame_SetRootPageTable(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *root)
{
    void *entered = enter(VIDMM_DDI_SET_ROOT_PAGE_TABLE, adapter, root);

    frame.driver.DxgkDdiSetRootPageTable(adapter, root);
    leave(entered);
}

/* A device may interrupt on the processor that is inside SubmitCommand: then it is not
 * SubmitCommand that reports. */
static BOOLEAN frame_InterruptRoutine(PVOID context, ULONG message)
{
    void *entered = enter_named("DxgkDdiInterruptRoutine");
    bool interrupted = in_submit;

    in_submit = false;
    vidmm_kit_page_out();
    BOOLEAN answer = frame.driver.DxgkDdiInterruptRoutine(context, message);
    in_submit = interrupted;
    leave(entered);
    return answer;
}

static VOID frame_DpcRoutine(PVOID context)
{
    void *entered = enter_named("DxgkDdiDpcRoutine");

    vidmm_kit_page_out();
    frame.driver.DxgkDdiDpcRoutine(context);
    leave(entered);
}

static NTSTATUS frame_ControlInterrupt(HANDLE adapter, DXGK_INTERRUPT_TYPE type, BOOLEAN enable)
{
    struct vidmm_ddi_control_interrupt shown = {(INT)type, enable};
    void *entered = enter(VIDMM_DDI_CONTROL_INTERRUPT, adapter, &shown);
    NTSTATUS status = frame.driver.DxgkDdiControlInterrupt(adapter, type, enable);

    leave(entered);
    return status;
}

/* ---- all of them ---- */

const DRIVER_INITIALIZATION_DATA *vidmm_frame_driver(const struct vidmm_frame_watch *watch,
                                                     const struct vidmm_host *host,
                                                     const DRIVER_INITIALIZATION_DATA *driver)
{
    frame.watch = *watch;
    frame.host = host;
    frame.driver = *driver;
    frame.framed = *driver;
    frame.level = vidmm_level_find(driver->Version)->level;
#define FRAME(Name)                                                                                \
    if (driver->DxgkDdi##Name)                                                                     \
        frame.framed.DxgkDdi##Name = frame_##Name;
#define DDI_ARGUMENT(ID, Name, h, TYPE, CLASS, IRQL) FRAME(Name)
#define DDI_OPAQUE(ID, Name, h, TYPE, CLASS, IRQL) FRAME(Name)
#define DDI_HANDLE(ID, Name, h, CLASS, IRQL) FRAME(Name)
#define DDI_OTHER(ID, Name, h, ANSWER, CLASS, IRQL) FRAME(Name)
#include "wddm/calls.def"
#undef FRAME
    if (driver->DxgkDdiStopDeviceAndReleasePostDisplayOwnership)
        frame.framed.DxgkDdiStopDeviceAndReleasePostDisplayOwnership = frame_release_post_display;
    return &frame.framed;
}
