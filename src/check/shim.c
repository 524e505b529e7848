/* shim.c: each call of the driver on the board; journal, handles, stack. */
#include "check/shim.h"

#include <stdio.h>
#include <string.h>

#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/board.h"
#include "check/handles.h"
#include "check/journal.h"
#include "check/stack.h"
#include "miniport/frame.h"
#include "wddm/call.h"
#include "wddm/level.h"

static struct {
    struct vidmm_board *board;
    DRIVER_INITIALIZATION_DATA driver, watched; /* the driver's; with its stack looked at */
    DRIVER_INITIALIZATION_DATA framed, wrapped;
    HANDLE started; /* the driver's context, once it is started */
    uint32_t sources, children;
} shim;

static _Thread_local char last[64]; /* the name of this thread's last call */

const char *vidmm_shim_last(void)
{
    return last[0] ? last : NULL;
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
    if (is_named(name, "DxgkDdi" #Name) || is_named(name, #Name)) /* so the auditor says it */     \
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

static void print_call(struct vidmm_board_call *call, const struct vidmm_ddi_record *record)
{
    struct vidmm_text text;

    vidmm_text_init(&text, call->text, sizeof(call->text));
    vidmm_text_string(&text, "DxgkDdi");
    vidmm_ddi_print(&text, record, 4);
    snprintf(last, sizeof(last), "%.*s", (int)strcspn(call->text, " "), call->text);
}

static void *enter(void *argument, const struct vidmm_ddi_record *record, const char *name)
{
    struct vidmm_board_call *call;

    (void)argument;
    if (!record)
        return vidmm_shim_enter(name);
    call = vidmm_board_enter(shim.board);
    if (!is_repeated(record->ddi))
        atomic_fetch_add(&shim.board->advances, 1);
    if (call)
        print_call(call, record);
    return call;
}

static void leave(void *argument, void *entered)
{
    (void)argument;
    vidmm_board_leave(entered);
}

static void late(void *argument, const char *name)
{
    (void)argument;
    vidmm_check_find(shim.board, VIDMM_CHECK_LATE_CALLBACK, "",
                     "%s, after DxgkDdiRemoveDevice; it does nothing", name);
}

static void completed(void *argument)
{
    (void)argument;
    atomic_fetch_add(&shim.board->advances, 1);
}

/* ---- the device ---- */

static NTSTATUS start_device(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *given,
                             PULONG sources, PULONG children)
{
    NTSTATUS status = shim.framed.DxgkDdiStartDevice(context, info, given, sources, children);

    if (status == STATUS_SUCCESS) {
        shim.started = context;
        shim.sources = *sources == VIDMM_NOT_SET ? 0 : (uint32_t)*sources;
        shim.children = *children == VIDMM_NOT_SET ? 0 : (uint32_t)*children;
    } else if (vidmm_board_missing()) { /* for whoever asks why later */
        vidmm_board_refused();
        vidmm_board_problem(shim.board, "DxgkDdiStartDevice answered 0x%08x", (unsigned)status);
    }
    return status;
}

static NTSTATUS remove_device(PVOID context)
{
    NTSTATUS status = shim.framed.DxgkDdiRemoveDevice(context);

    vidmm_handles_forget();
    return status;
}

/* ---- the journal, and the stack ---- */

static NTSTATUS build_watched(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    return vidmm_stack_watch(shim.board, shim.driver.DxgkDdiBuildPagingBuffer, adapter, arguments);
}

static NTSTATUS build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGKARG_BUILDPAGINGBUFFER asked = *arguments;
    NTSTATUS status = shim.framed.DxgkDdiBuildPagingBuffer(adapter, arguments);

    vidmm_journal_built(&asked, arguments, status);
    return status;
}

static NTSTATUS submit_command(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    if (arguments->Flags.Paging)
        vidmm_journal_submitted(arguments->DmaBufferSubmissionEndOffset -
                                    arguments->DmaBufferSubmissionStartOffset,
                                arguments->SubmissionFenceId);
    return shim.framed.DxgkDdiSubmitCommand(adapter, arguments);
}

static NTSTATUS submit_command_virtual(HANDLE adapter,
                                       const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    if (arguments->Flags.Paging)
        vidmm_journal_submitted(arguments->DmaBufferSize, arguments->SubmissionFenceId);
    return shim.framed.DxgkDdiSubmitCommandVirtual(adapter, arguments);
}

/* ---- handles ---- */

static NTSTATUS create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status = shim.framed.DxgkDdiCreateAllocation(adapter, arguments);

    if (status == STATUS_SUCCESS)
        vidmm_handles_made(shim.board, arguments);
    return status;
}

static NTSTATUS destroy_allocation(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    vidmm_handles_gone(arguments);
    return shim.framed.DxgkDdiDestroyAllocation(adapter, arguments);
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
    if (vidmm_level_find(driver->Version)->level >= VIDMM_LEVEL(2, 0) &&
        driver->DxgkDdiSubmitCommandVirtual)
        shim.wrapped.DxgkDdiSubmitCommandVirtual = submit_command_virtual;
}

static void keep_device(const DRIVER_INITIALIZATION_DATA *driver)
{
    if (driver->DxgkDdiStartDevice)
        shim.wrapped.DxgkDdiStartDevice = start_device;
    if (driver->DxgkDdiRemoveDevice)
        shim.wrapped.DxgkDdiRemoveDevice = remove_device;
}

const DRIVER_INITIALIZATION_DATA *vidmm_shim_wrap(struct vidmm_board *board,
                                                  const struct vidmm_host *host,
                                                  const DRIVER_INITIALIZATION_DATA *driver)
{
    static const struct vidmm_frame_watch watch = {
        .enter = enter, .leave = leave, .late = late, .completed = completed};

    shim.board = board;
    shim.driver = *driver;
    shim.watched = *driver;
    if (driver->DxgkDdiBuildPagingBuffer)
        shim.watched.DxgkDdiBuildPagingBuffer = build_watched;
    shim.framed = *vidmm_frame_driver(&watch, host, &shim.watched);
    shim.wrapped = shim.framed;
    keep_device(driver);
    keep_journal(driver);
    keep_handles(driver);
    return &shim.wrapped;
}
