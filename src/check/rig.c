/* rig.c: an adapter from AddDevice to RemoveDevice.
 *
 * R1  completed[n] only grows, by the interrupt routine of the one adapter
 * R2  fences are counted from 1; the driver sees their low 32 bits
 */
#include "check/rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/board.h"
#include "miniport/configuration.h"
#include "check/crash.h"
#include "check/host.h"
#include "check/shim.h"
#include "host/machine.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "miniport/frame.h"
#include "wddm/entry.h"
#include "wddm/level.h"
#include "wddm/status.h"

enum { FOREIGN_INTERRUPTS = 3 };

#define FIRST_HANDLE 0x40000000u

static struct vidmm_rig *the_rig; /* for DxgkCbGetHandleData, which names no adapter */

const char *vidmm_rig_status(NTSTATUS status)
{
    static char names[4][64];
    static unsigned next;
    struct vidmm_text text;
    char *name = names[next++ % 4];

    vidmm_text_init(&text, name, sizeof(names[0]));
    vidmm_status_print(&text, status);
    return name;
}

void vidmm_rig_breach(struct vidmm_rig *rig, enum vidmm_rule_id id, bool wrong, const char *format,
                      ...)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    char name[16], detail[480];
    struct vidmm_text text;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(detail, sizeof(detail), format, arguments);
    va_end(arguments);
    vidmm_text_init(&text, name, sizeof(name));
    vidmm_rule_print_id(&text, id);
    wrong = wrong && !rig->board->lenient && !vidmm_board_missing();
    (wrong ? vidmm_board_find : vidmm_board_note)(rig->board, name, rule->sentence, rule->source,
                                                  NULL, detail);
}

/* ---- callbacks ---- */

static bool is_known(const struct vidmm_rig *rig, uint32_t node, uint32_t fence)
{
    uint64_t completed = atomic_load(&rig->completed[node]);

    return fence - (uint32_t)completed <= (uint32_t)(rig->submitted - completed);
}

static VOID notify_interrupt(HANDLE handle, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    struct vidmm_rig *rig = handle;
    uint32_t node, fence;

    if (rig->host->current_irql(rig->host->context) < VIDMM_DEVICE_LEVEL)
        atomic_fetch_add(&rig->low_irql, 1);
    if (vidmm_frame_in_submit())
        atomic_fetch_add(&rig->inside, 1);
    if (data->InterruptType == DXGK_INTERRUPT_DISPLAYONLY_PRESENT_PROGRESS)
        vidmm_check_display_progress(&data->DisplayOnlyPresentProgress);
    if (data->InterruptType == DXGK_INTERRUPT_DMA_PREEMPTED) {
        atomic_store(&rig->preempted_last, data->DmaPreempted.LastCompletedFenceId);
        atomic_store(&rig->preempted, data->DmaPreempted.PreemptionFenceId);
    }
    if (data->InterruptType == DXGK_INTERRUPT_DMA_PAGE_FAULTED)
        atomic_store(&rig->faulted, data->DmaPageFaulted.FaultedFenceId);
    if (data->InterruptType != DXGK_INTERRUPT_DMA_COMPLETED)
        return;
    node = data->DmaCompleted.NodeOrdinal;
    fence = data->DmaCompleted.SubmissionFenceId;
    if (node >= rig->nodes || !is_known(rig, node, fence)) {
        atomic_store(&rig->last_wrong, fence);
        atomic_fetch_add(&rig->wrong, 1);
        return;
    }
    uint64_t completed = atomic_load(&rig->completed[node]); /* R1, R2 */
    atomic_store(&rig->completed[node], completed + (fence - (uint32_t)completed));
}

static VOID notify_dpc(HANDLE handle)
{
    struct vidmm_rig *rig = handle;

    rig->host->wake(rig->host->context);
}

static BOOLEAN queue_dpc(HANDLE handle)
{
    struct vidmm_rig *rig = handle;

    return rig->host->queue_dpc(rig->host->context);
}

struct synchronized {
    PKSYNCHRONIZE_ROUTINE routine;
    PVOID context;
};

static bool run_synchronized(void *argument)
{
    const struct synchronized *synchronized = argument;

    return synchronized->routine(synchronized->context) != 0;
}

static NTSTATUS synchronize_execution(HANDLE handle, PKSYNCHRONIZE_ROUTINE routine, PVOID context,
                                      ULONG message, PBOOLEAN result)
{
    struct vidmm_rig *rig = handle;
    struct synchronized synchronized = {routine, context};
    bool answer = false;

    (void)message;
    if (!rig->host->synchronize(rig->host->context, run_synchronized, &synchronized, &answer))
        return STATUS_UNSUCCESSFUL;
    *result = answer;
    return STATUS_SUCCESS;
}

static NTSTATUS get_device_information(HANDLE handle, DXGK_DEVICE_INFO *info)
{
    struct vidmm_rig *rig = handle;

    info->MiniportDeviceContext = rig->adapter;
    return STATUS_SUCCESS;
}

static NTSTATUS map_memory(HANDLE handle, PHYSICAL_ADDRESS address, ULONG length, BOOLEAN io_space,
                           BOOLEAN user_mode, MEMORY_CACHING_TYPE cache, PVOID *result)
{
    struct vidmm_rig *rig = handle;

    (void)cache;
    if (io_space || user_mode || length == 0 || !result)
        return STATUS_INVALID_PARAMETER;
    *result = rig->host->map_physical(rig->host->context, (uint64_t)address.QuadPart, length);
    return *result ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

static NTSTATUS unmap_memory(HANDLE handle, PVOID address)
{
    struct vidmm_rig *rig = handle;

    rig->host->unmap_physical(rig->host->context, address, 0);
    return STATUS_SUCCESS;
}

static NTSTATUS read_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset, ULONG length,
                           PULONG done)
{
    struct vidmm_rig *rig = handle;

    *done = 0;
    if (type != 0 || !rig->host->read_config(rig->host->context, offset, buffer, length))
        return STATUS_UNSUCCESSFUL;
    *done = length;
    return STATUS_SUCCESS;
}

static NTSTATUS write_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset, ULONG length,
                            PULONG done)
{
    struct vidmm_rig *rig = handle;

    *done = 0;
    if (type != 0 || !rig->host->write_config(rig->host->context, offset, buffer, length))
        return STATUS_UNSUCCESSFUL;
    *done = length;
    return STATUS_SUCCESS;
}

static PVOID get_handle_data(const DXGKARGCB_GETHANDLEDATA *arguments)
{
    const struct vidmm_rig_allocation *allocation;
    D3DKMT_HANDLE index = arguments->hObject - FIRST_HANDLE;

    if (arguments->Type != DXGK_HANDLE_ALLOCATION)
        return NULL;
    if (index >= 256 || !the_rig->allocations[index] || the_rig->handles_are_dead) {
        the_rig->null_answers++;
        return NULL;
    }
    allocation = the_rig->allocations[index];
    return arguments->Flags.DeviceSpecific ? allocation->opened : allocation->kmd;
}

static D3DKMT_HANDLE get_handle_parent(D3DKMT_HANDLE handle)
{
    (void)handle;
    return 0;
}

static D3DKMT_HANDLE enum_handle_children(const DXGKARGCB_ENUMHANDLECHILDREN *arguments)
{
    (void)arguments;
    return 0;
}

bool vidmm_rig_has_context_allocations(const struct vidmm_rig *rig)
{
    return rig->level >= VIDMM_LEVEL(1, 2);
}

static NTSTATUS create_context_allocation(DXGKARGCB_CREATECONTEXTALLOCATION *arguments)
{
    struct vidmm_rig *rig = the_rig;

    if (!arguments || arguments->Size == 0 || arguments->SupportedSegmentSet == 0)
        return STATUS_INVALID_PARAMETER;
    for (unsigned i = 0; i < VIDMM_RIG_CONTEXT_ALLOCATIONS; i++) {
        struct vidmm_rig_context_allocation *allocation = &rig->context_allocations[i];

        if (allocation->used)
            continue;
        *allocation = (struct vidmm_rig_context_allocation){true, arguments->hDriverAllocation,
                                                            arguments->Size, arguments->Alignment,
                                                            arguments->SupportedSegmentSet};
        arguments->hAllocation = allocation;
        return STATUS_SUCCESS;
    }
    return STATUS_NO_MEMORY;
}

static NTSTATUS destroy_context_allocation(HANDLE adapter, HANDLE handle)
{
    struct vidmm_rig *rig = the_rig;

    (void)adapter;
    for (unsigned i = 0; i < VIDMM_RIG_CONTEXT_ALLOCATIONS; i++) {
        if (handle != &rig->context_allocations[i] || !rig->context_allocations[i].used)
            continue;
        rig->context_allocations[i].used = false;
        return STATUS_SUCCESS;
    }
    return STATUS_INVALID_PARAMETER;
}

/* It returns when the update is done. */
static NTSTATUS update_context_allocation(HANDLE adapter,
                                          const DXGKARGCB_UPDATECONTEXTALLOCATION *arguments)
{
    struct vidmm_rig *rig = the_rig;

    (void)adapter;
    if (!arguments || (!arguments->pPrivateDriverData && arguments->PrivateDriverDataSize))
        return STATUS_INVALID_PARAMETER;
    for (unsigned i = 0; i < VIDMM_RIG_CONTEXT_ALLOCATIONS; i++) {
        const struct vidmm_rig_context_allocation *allocation = &rig->context_allocations[i];

        if (arguments->hAllocation != allocation || !allocation->used)
            continue;
        rig->update_refused |= rig->update == NULL;
        return rig->update
                   ? rig->update(rig->update_argument, allocation, arguments->pPrivateDriverData,
                                 arguments->PrivateDriverDataSize)
                   : STATUS_NOT_SUPPORTED;
    }
    return STATUS_INVALID_PARAMETER;
}

static void fill_interface(struct vidmm_rig *rig)
{
    DXGKRNL_INTERFACE *table = &rig->interface;

    table->Size = (ULONG)vidmm_level_find(rig->driver->Version)->interface_size;
    table->Version = rig->driver->Version;
    table->DeviceHandle = rig;
    table->DxgkCbGetDeviceInformation = get_device_information;
    table->DxgkCbMapMemory = map_memory;
    table->DxgkCbQueueDpc = queue_dpc;
    table->DxgkCbReadDeviceSpace = read_space;
    table->DxgkCbSynchronizeExecution = synchronize_execution;
    table->DxgkCbUnmapMemory = unmap_memory;
    table->DxgkCbWriteDeviceSpace = write_space;
    table->DxgkCbGetHandleData = get_handle_data;
    table->DxgkCbGetHandleParent = get_handle_parent;
    table->DxgkCbEnumHandleChildren = enum_handle_children;
    table->DxgkCbNotifyInterrupt = notify_interrupt;
    table->DxgkCbNotifyDpc = notify_dpc;
    if (vidmm_rig_has_context_allocations(rig)) {
        table->DxgkCbCreateContextAllocation = create_context_allocation;
        table->DxgkCbDestroyContextAllocation = destroy_context_allocation;
    }
    if (rig->level >= VIDMM_LEVEL(2, 0))
        table->DxgkCbUpdateContextAllocation = update_context_allocation;
}

/* ---- interrupts, fences ---- */

static bool service(void *argument, uint32_t message)
{
    struct vidmm_rig *rig = argument;

    rig->claims = rig->driver->DxgkDdiInterruptRoutine &&
                  rig->driver->DxgkDdiInterruptRoutine(rig->adapter, message) != 0;
    return rig->claims;
}

static void dpc(void *argument)
{
    struct vidmm_rig *rig = argument;

    if (rig->driver->DxgkDdiDpcRoutine)
        rig->driver->DxgkDdiDpcRoutine(rig->adapter);
}

static void work(void *argument)
{
    (void)argument;
}

struct waiting {
    const struct vidmm_rig *rig;
    uint32_t node;
    uint64_t fence;
};

static bool is_complete(void *argument)
{
    const struct waiting *waiting = argument;

    return atomic_load(&waiting->rig->completed[waiting->node]) >= waiting->fence;
}

/* Report the counts of the interrupt routine, as findings. */
static void report_counts(struct vidmm_rig *rig)
{
    unsigned wrong = atomic_exchange(&rig->wrong, 0);

    if (atomic_exchange(&rig->low_irql, 0))
        vidmm_check_find(rig->board, VIDMM_CHECK_LOW_IRQL, "",
                         "call it from the interrupt routine, or in DxgkCbSynchronizeExecution");
    if (atomic_exchange(&rig->inside, 0))
        vidmm_check_find(rig->board, VIDMM_CHECK_FENCE_INSIDE, "",
                         "the scheduler does not know yet that the call succeeded");
    if (wrong)
        vidmm_check_find(rig->board, VIDMM_CHECK_WRONG_FENCE, "",
                         "fence 0x%x was reported, %s in all; submitted were 1 to 0x%llx",
                         atomic_load(&rig->last_wrong), vidmm_counted(wrong, "time").text,
                         (unsigned long long)rig->submitted);
}

bool vidmm_rig_wait(struct vidmm_rig *rig, uint64_t fence)
{
    return vidmm_rig_wait_on(rig, rig->paging_node, fence);
}

bool vidmm_rig_wait_on(struct vidmm_rig *rig, uint32_t node, uint64_t fence)
{
    struct waiting waiting = {rig, node, fence};
    uint64_t limit = rig->habits->fence_timeout_ms * UINT64_C(1000000);
    bool done;

    if (rig->dead)
        return false;
    done =
        rig->host->wait(rig->host->context, is_complete, &waiting, limit) || is_complete(&waiting);
    report_counts(rig);
    if (done)
        return true;
    rig->dead = true;
    vidmm_check_find(
        rig->board, VIDMM_CHECK_LATE_FENCE, "",
        "fence 0x%llx of node %u was submitted and not reported within %u ms; the last "
        "one reported is 0x%llx",
        (unsigned long long)fence, node, rig->habits->fence_timeout_ms,
        (unsigned long long)atomic_load(&rig->completed[node]));
    return false;
}

/* ---- start ---- */

static const char *missing_entry(const DRIVER_INITIALIZATION_DATA *driver)
{
    const char *missing = vidmm_entry_missing(driver);

    if (!missing && !driver->DxgkDdiSubmitCommand && !driver->DxgkDdiSubmitCommandVirtual)
        missing = "DxgkDdiSubmitCommand";
    return missing;
}

static bool add_device(struct vidmm_rig *rig)
{
    PVOID context = NULL;
    NTSTATUS status = rig->driver->DxgkDdiAddDevice(vidmm_kit_device(), &context);

    if (status != STATUS_SUCCESS)
        return vidmm_board_problem(rig->board, "DxgkDdiAddDevice answered %s",
                                   vidmm_rig_status(status));
    if (!context)
        return vidmm_board_problem(rig->board, "DxgkDdiAddDevice declines the device: its context "
                                               "is NULL (D-274)");
    rig->adapter = context;
    return true;
}

static bool connect(struct vidmm_rig *rig)
{
    const struct vidmm_host_client client = {
        .argument = rig, .service = service, .dpc = dpc, .work = work, .work_never_waits = true};

    rig->connected = rig->host->connect(rig->host->context, &client);
    return rig->connected || vidmm_board_problem(rig->board, "the interrupt is not connected");
}

static bool start_device(struct vidmm_rig *rig)
{
    DXGK_START_INFO info;
    ULONG sources = 0, children = 0;
    NTSTATUS status;

    memset(&info, 0, sizeof(info));
    info.RequiredDmaQueueEntry = rig->habits->queue_limit;
    fill_interface(rig);
    vidmm_kit_device_starts(true);
    status =
        rig->driver->DxgkDdiStartDevice(rig->adapter, &info, &rig->interface, &sources, &children);
    vidmm_kit_device_starts(false);
    if (status != STATUS_SUCCESS)
        return vidmm_board_problem(rig->board,
                                   "DxgkDdiStartDevice answered %s: the driver could not start the "
                                   "device (is it configured? device, bar, plugin, key; --print "
                                   "shows its debug output)",
                                   vidmm_rig_status(status));
    rig->started = true;
    rig->display = (struct vidmm_check_display){.board = rig->board,
                                                .driver = rig->driver,
                                                .adapter = rig->adapter,
                                                .sources = (uint32_t)sources,
                                                .children = (uint32_t)children};
    if (sources || children)
        vidmm_board_fact(rig->board, "%u video present sources, %u children", rig->display.sources,
                         rig->display.children);
    return true;
}

/* The process that pages, where there are page tables. */
static bool create_process(struct vidmm_rig *rig)
{
    DXGKARG_CREATEPROCESS arguments;
    struct vidmm_board_call *call;
    ULONG pasid = 0;
    NTSTATUS status;

    if (!rig->by_address || !rig->driver->DxgkDdiCreateProcess)
        return true;
    memset(&arguments, 0, sizeof(arguments));
    arguments.hDxgkProcess = (HANDLE)(uintptr_t)0x20;
    arguments.Flags.SystemProcess = 1;
    arguments.NumPasid = 1; /* obeys W-008: a driver must bear it */
    arguments.pPasid = &pasid;
    call = vidmm_shim_enter("DxgkDdiCreateProcess");
    status = rig->driver->DxgkDdiCreateProcess(rig->adapter, &arguments);
    vidmm_board_leave(call);
    rig->process = arguments.hKmdProcess;
    if (status != STATUS_SUCCESS)
        vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "",
                         "DxgkDdiCreateProcess of the system process, with NumPasid 1, answered "
                         "%s: Windows does not start the adapter (W-008)",
                         vidmm_rig_status(status));
    return status == STATUS_SUCCESS;
}

static bool create_device(struct vidmm_rig *rig)
{
    DXGKARG_CREATEDEVICE arguments, flags;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hKmdProcess = rig->process;
    arguments.hDevice = (HANDLE)(uintptr_t)0x10; /* the kernel's own: any number */
    arguments.Flags.SystemDevice = 1;
    flags = arguments;
    status = rig->driver->DxgkDdiCreateDevice(rig->adapter, &arguments);
    if (status != STATUS_SUCCESS)
        return vidmm_board_problem(rig->board, "DxgkDdiCreateDevice answered %s",
                                   vidmm_rig_status(status));
    rig->device = arguments.hDevice;
    if (arguments.pInfo && arguments.pInfo != flags.pInfo) /* it took the place of Flags */
        rig->device_info = *arguments.pInfo;
    return true;
}

/* obeys D-303: with MultiEngineAware work belongs to contexts */
static bool create_context(struct vidmm_rig *rig)
{
    DXGKARG_CREATECONTEXT arguments;
    NTSTATUS status;

    if ((!rig->multi_engine && !rig->by_address) || !rig->driver->DxgkDdiCreateContext)
        return true;
    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = rig->paging_node;
    arguments.EngineAffinity = 1;
    arguments.Flags.SystemContext = 1;
    arguments.Flags.VirtualAddressing = rig->by_address;
    status = rig->driver->DxgkDdiCreateContext(rig->device, &arguments);
    if (status != STATUS_SUCCESS)
        return vidmm_board_problem(rig->board,
                                   "DxgkDdiCreateContext of the system context answered %s",
                                   vidmm_rig_status(status));
    rig->system_context = arguments.hContext;
    return true;
}

static void init(struct vidmm_rig *rig, struct vidmm_check_host *place,
                 const DRIVER_INITIALIZATION_DATA *table)
{
    memset(rig, 0, sizeof(*rig));
    the_rig = rig;
    rig->place = place;
    rig->board = place->board;
    rig->habits = place->miniport.configuration;
    rig->host = place->miniport.host;
    rig->driver = table;
    rig->level = vidmm_level_find(table->Version)->level;
    rig->next_handle = FIRST_HANDLE;
    rig->nodes = 1;
}

bool vidmm_rig_start_display(struct vidmm_rig *rig, struct vidmm_check_host *place,
                             const DRIVER_INITIALIZATION_DATA *table)
{
    init(rig, place, table);
    if (!table->DxgkDdiAddDevice || !table->DxgkDdiStartDevice || !table->DxgkDdiStopDevice ||
        !table->DxgkDdiRemoveDevice)
        return vidmm_board_problem(rig->board, "the driver has no DxgkDdiStartDevice, or none of "
                                               "its kin");
    return add_device(rig) && connect(rig) && start_device(rig) &&
           vidmm_check_display_children(&rig->display);
}

bool vidmm_rig_start(struct vidmm_rig *rig, struct vidmm_check_host *place,
                     const DRIVER_INITIALIZATION_DATA *table)
{
    const char *missing = missing_entry(table);

    init(rig, place, table);
    if (missing)
        return vidmm_board_problem(rig->board, "the driver has no %s", missing);
    return add_device(rig) && connect(rig) && start_device(rig) &&
           vidmm_check_display_children(&rig->display) && vidmm_rig_query(rig) &&
           vidmm_rig_take_pages(rig, VIDMM_PAGE_SIZE, true, &rig->dummy) && create_process(rig) &&
           create_device(rig) && create_context(rig) && !rig->ends_early &&
           vidmm_rig_paging_start(rig);
}

void vidmm_rig_flush_dpcs(const struct vidmm_rig *rig)
{
    if (rig->host->flush_dpcs)
        rig->host->flush_dpcs(rig->host->context);
}

/* Is it the POST device, and does its driver say that it can leave the firmware's mode behind? One
 * that shows and does nothing else has not been asked yet. */
static bool may_release_display(struct vidmm_rig *rig)
{
    DXGKARG_QUERYADAPTERINFO arguments = {.Type = DXGKQAITYPE_DRIVERCAPS,
                                          .pOutputData = &rig->caps,
                                          .OutputDataSize =
                                              (UINT)vidmm_level_caps_size(rig->level)};

    if (rig->level < VIDMM_LEVEL(1, 2) || !vidmm_kit_is_post_device() ||
        !rig->driver->DxgkDdiStopDeviceAndReleasePostDisplayOwnership)
        return false;
    if (rig->place->miniport.display_only && rig->driver->DxgkDdiQueryAdapterInfo)
        rig->driver->DxgkDdiQueryAdapterInfo(rig->adapter, &arguments);
    return rig->caps.SupportNonVGA;
}

/* obeys D-353: where several devices share a line, interrupts of the others come here, too. The
 * device may have an interrupt of its own at the same moment, but not three in a row. Registers
 * that nobody drives may say anything. */
static void try_foreign_interrupt(struct vidmm_rig *rig)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(rig->place->miniport.slot);
    unsigned claimed = 0;

    if (rig->dead || !rig->connected || !rig->place->miniport.plugin ||
        rig->place->miniport.model.messages != 0 || !rig->driver->DxgkDdiInterruptRoutine)
        return;
    vidmm_board_operation(rig->board, "an interrupt of another device on the same line");
    for (unsigned i = 0; i < FOREIGN_INTERRUPTS; i++) {
        bus->raise_interrupt(bus->context, 0);
        claimed += rig->claims;
    }
    if (claimed == FOREIGN_INTERRUPTS)
        vidmm_check_find(rig->board, VIDMM_CHECK_INTERRUPT, "",
                         "DxgkDdiInterruptRoutine answered TRUE %u times in a row, and its device "
                         "had not interrupted",
                         claimed);
}

/* obeys D-299: StopDevice is called where the display is not released. */
static void stop_device(struct vidmm_rig *rig)
{
    DXGK_DISPLAY_INFORMATION information;
    uint32_t target =
        rig->display.connected ? rig->display.target : (uint32_t)D3DDDI_ID_UNINITIALIZED;

    memset(&information, 0, sizeof(information));
    vidmm_rig_flush_dpcs(rig); /* they may look at what StopDevice takes away */
    if (!may_release_display(rig) || rig->driver->DxgkDdiStopDeviceAndReleasePostDisplayOwnership(
                                         rig->adapter, target, &information) != STATUS_SUCCESS)
        rig->driver->DxgkDdiStopDevice(rig->adapter);
}

/* Mappings of the device: by MmMapIoSpace, and by DxgkCbMapMemory. */
struct mappings {
    unsigned count[2];
    const void *caller[2];
};

static struct mappings mappings_now(void)
{
    struct mappings now = {0};

    for (unsigned i = 0; i < 2; i++)
        now.count[i] = vidmm_kit_device_mappings(i == 1, &now.caller[i]);
    return now;
}

/* obeys D-298: what StopDevice has left, and RemoveDevice took away. No page says whether Windows
 * itself undoes DxgkCbMapMemory, so that is a note, if nobody has undone it too. */
static void judge_mappings(struct vidmm_rig *rig, const struct mappings *stopped)
{
    static const char *const routines[] = {"MmMapIoSpace", "DxgkCbMapMemory"};
    struct mappings removed = mappings_now();

    for (unsigned i = 0; i < 2; i++) {
        if (stopped->count[i] == 0 || (i == 0 && removed.count[0] > 0))
            continue;
        vidmm_board_at(vidmm_crash_address(stopped->caller[i]));
        vidmm_rig_breach(rig, VIDMM_RULE_D_298, removed.count[i] == 0,
                         "%s of the device, by %s, behind DxgkDdiStopDevice; %s",
                         vidmm_counted(stopped->count[i], "mapping").text, routines[i],
                         removed.count[i] == 0 ? "DxgkDdiRemoveDevice undoes that"
                                               : "nobody undoes that");
    }
}

/* Memory that StartDevice has taken. */
struct memory {
    unsigned count[3];
    const void *caller[3];
};

static struct memory memory_now(void)
{
    struct memory now = {0};

    now.count[0] = vidmm_kit_start_blocks(&now.caller[0]);
    now.count[1] = vidmm_kit_start_runs(&now.caller[1]);
    now.count[2] = vidmm_kit_start_lists(&now.caller[2]);
    return now;
}

/* obeys D-298: likewise of memory. A driver may keep it for the next start and forget nothing, so
 * that is a note; if RemoveDevice leaves it too, the kernel of the kit finds it. */
static void judge_memory(struct vidmm_rig *rig, const struct memory *stopped)
{
    static const char *const kinds[] = {"block", "run", "list"};
    static const char *const of[] = {"of pool", "of contiguous memory", "of memory descriptors"};
    struct memory removed = memory_now();

    for (unsigned i = 0; i < 3; i++) {
        if (removed.count[i] >= stopped->count[i])
            continue;
        vidmm_board_at(vidmm_crash_address(stopped->caller[i]));
        vidmm_rig_breach(rig, VIDMM_RULE_D_298, false,
                         "%s %s, taken in DxgkDdiStartDevice, behind DxgkDdiStopDevice; "
                         "DxgkDdiRemoveDevice gives back what is left",
                         vidmm_counted(stopped->count[i] - removed.count[i], kinds[i]).text, of[i]);
    }
}

void vidmm_rig_stop(struct vidmm_rig *rig)
{
    struct mappings stopped;
    struct memory kept;

    vidmm_board_operation(rig->board, "stopping");
    vidmm_rig_paging_stop(rig);
    if (rig->system_context)
        rig->driver->DxgkDdiDestroyContext(rig->system_context);
    if (rig->device)
        rig->driver->DxgkDdiDestroyDevice(rig->device);
    if (rig->process && rig->driver->DxgkDdiDestroyProcess)
        rig->driver->DxgkDdiDestroyProcess(rig->adapter, rig->process);
    try_foreign_interrupt(rig);
    if (rig->started)
        stop_device(rig);
    if (rig->connected)
        rig->host->disconnect(rig->host->context);
    stopped = mappings_now();
    kept = memory_now();
    if (rig->adapter)
        rig->driver->DxgkDdiRemoveDevice(rig->adapter);
    if (rig->started) {
        judge_mappings(rig, &stopped);
        judge_memory(rig, &kept);
    }
    vidmm_rig_give_pages(rig, &rig->dummy);
    for (uint32_t id = 1; id <= rig->segment_count; id++)
        if (rig->segments[id].cpu)
            rig->host->unmap_physical(rig->host->context, rig->segments[id].cpu,
                                      rig->segments[id].size);
}
