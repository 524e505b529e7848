/* rig_memory.c: system pages, and allocations of the driver. */
#include "check/rig.h"
#include "check/host.h"
#include "check/user.h"
#include "host/machine.h"
#include "kit/kit.h"
#include "wddm/level.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#define FIRST_HANDLE 0x40000000u

/* ---- pages ---- */

bool vidmm_rig_take_pages(struct vidmm_rig *rig, uint64_t size, bool contiguous,
                          struct vidmm_rig_pages *pages)
{
    const struct vidmm_host *host = rig->host;
    uint64_t count = (size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE, highest = VIDMM_ANY_FRAME;
    size_t bytes = sizeof(MDL) + count * sizeof(PFN_NUMBER);
    MDL *mdl = calloc(1, bytes);

    memset(pages, 0, sizeof(*pages));
    if (rig->caps.HighestAcceptableAddress.QuadPart > 0)
        highest = (uint64_t)rig->caps.HighestAcceptableAddress.QuadPart / VIDMM_PAGE_SIZE;
    if (!mdl)
        return vidmm_board_problem(rig->board, "no memory");
    pages->frames = (uint64_t *)(void *)MmGetMdlPfnArray(mdl);
    if (!host->take_pages(host->context, count, highest, contiguous, VIDMM_WRITE_COMBINED,
                          pages->frames)) {
        free(mdl);
        return vidmm_board_problem(rig->board,
                                   "system memory: %llu pages at or below frame 0x%llx "
                                   "(HighestAcceptableAddress) are not to be had",
                                   (unsigned long long)count, (unsigned long long)highest);
    }
    mdl->Size = (SHORT)(uint16_t)bytes;
    mdl->MdlFlags = MDL_PAGES_LOCKED;
    mdl->ByteCount = (ULONG)(count * VIDMM_PAGE_SIZE);
    pages->mdl = mdl;
    pages->count = count;
    pages->address = host->map_pages(host->context, count, pages->frames);
    if (pages->address) {
        memset(pages->address, 0, count * VIDMM_PAGE_SIZE);
        return true;
    }
    vidmm_rig_give_pages(rig, pages);
    return vidmm_board_problem(rig->board, "no address space");
}

void vidmm_rig_give_pages(struct vidmm_rig *rig, struct vidmm_rig_pages *pages)
{
    if (!pages->mdl)
        return;
    if (pages->address)
        rig->host->unmap_pages(rig->host->context, pages->address, pages->count);
    rig->host->release_pages(rig->host->context, pages->count, pages->frames);
    free(pages->mdl);
    memset(pages, 0, sizeof(*pages));
}

/* Below all memory and all devices of the machine, so every GPU reaches it. */
#define LOGICAL_PAGE UINT64_C(0x10000)

void vidmm_rig_make_logical(struct vidmm_rig *rig, struct vidmm_rig_pages *pages)
{
    pages->logical = LOGICAL_PAGE;
    vidmm_slot_remap(rig->place->miniport.slot, LOGICAL_PAGE * VIDMM_PAGE_SIZE, pages->address,
                     pages->count * VIDMM_PAGE_SIZE);
    vidmm_kit_logical_pages(LOGICAL_PAGE, pages->count);
}

void vidmm_rig_no_logical(struct vidmm_rig *rig, struct vidmm_rig_pages *pages)
{
    if (!pages->logical)
        return;
    pages->logical = 0;
    vidmm_slot_remap(rig->place->miniport.slot, 0, NULL, 0);
    vidmm_kit_logical_pages(0, 0);
}

/* ---- allocations ---- */

static const char *wrong_with(const struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info)
{
    uint32_t all = rig->segment_count >= 32 ? UINT32_MAX : (1u << rig->segment_count) - 1;

    if (info->Size == 0)
        return "Size is 0 (S1-005)";
    if (!info->hAllocation)
        return "hAllocation is NULL (S1-019)";
    if (rig->level < VIDMM_LEVEL(2, 0) && (info->Alignment & (info->Alignment - 1)) != 0)
        return "Alignment is no power of two";
    if ((info->SupportedReadSegmentSet & ~all) || (info->SupportedWriteSegmentSet & ~all))
        return "a supported segment set names a segment that does not exist (S1-009, S1-011)";
    if (rig->level < VIDMM_LEVEL(2, 0) && info->SupportedReadSegmentSet == 0)
        return "SupportedReadSegmentSet is empty (S1-009)";
    return NULL;
}

uint32_t vidmm_rig_set(const struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info)
{
    uint32_t read = rig->level < VIDMM_LEVEL(2, 0) ? info->SupportedReadSegmentSet : 0;

    return read | info->SupportedWriteSegmentSet;
}

static bool create(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation, bool primary)
{
    DXGKARG_CREATEALLOCATION arguments;
    DXGK_ALLOCATIONINFO *info = &allocation->info;
    const char *wrong;

    memset(&arguments, 0, sizeof(arguments));
    memset(info, 0, sizeof(*info));
    info->pPrivateDriverData = allocation->private_data;
    info->PrivateDriverDataSize = allocation->private_size;
    arguments.NumAllocations = 1;
    arguments.pAllocationInfo = info;
    arguments.Flags.Resource = rig->share;
    if (rig->driver->DxgkDdiCreateAllocation(rig->adapter, &arguments) != STATUS_SUCCESS)
        return false;
    allocation->kmd = info->hAllocation;
    allocation->resource = arguments.hResource;
    allocation->shared = rig->share;
    allocation->size = (info->Size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
    rig->eviction_set |= info->EvictionSegmentSet;
    rig->named_set |= vidmm_rig_set(rig, info) | info->EvictionSegmentSet;
    vidmm_rig_judge_allocation(rig, info, primary);
    wrong = wrong_with(rig, info);
    if (wrong)
        vidmm_check_find(rig->board, VIDMM_CHECK_ALLOCATION, "",
                         "%s: Size 0x%llx, Alignment 0x%x, sets 0x%x and 0x%x", wrong,
                         (unsigned long long)info->Size, info->Alignment,
                         info->SupportedReadSegmentSet, info->SupportedWriteSegmentSet);
    return true;
}

static void destroy_kmd(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation)
{
    DXGKARG_DESTROYALLOCATION arguments;

    memset(&arguments, 0, sizeof(arguments));
    arguments.NumAllocations = 1;
    arguments.pAllocationList = &allocation->kmd;
    arguments.hResource = allocation->resource;
    arguments.Flags.DestroyResource = allocation->shared;
    if (allocation->kmd)
        rig->driver->DxgkDdiDestroyAllocation(rig->adapter, &arguments);
}

static bool open_on(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation, HANDLE device,
                    bool first, HANDLE *opened)
{
    DXGKARG_OPENALLOCATION arguments;
    DXGK_OPENALLOCATIONINFO info;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    memset(&info, 0, sizeof(info));
    info.hAllocation = allocation->handle;
    info.pPrivateDriverData = allocation->private_data;
    info.PrivateDriverDataSize = allocation->private_size;
    arguments.NumAllocations = 1;
    arguments.pOpenAllocation = &info;
    arguments.Flags.Create = first;
    rig->allocations[allocation->handle - FIRST_HANDLE] = allocation;
    status = rig->driver->DxgkDdiOpenAllocation(device, &arguments);
    if (status == STATUS_SUCCESS) {
        *opened = info.hDeviceSpecificAllocation;
        return true;
    }
    if (!first) /* a driver may want more for it than check knows */
        vidmm_board_skip(rig->board,
                         "no second device: DxgkDdiOpenAllocation of a resource that "
                         "another device has created answered %s",
                         vidmm_rig_status(status));
    else
        vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "",
                         "DxgkDdiOpenAllocation of an allocation just created: %s",
                         vidmm_rig_status(status));
    return false;
}

static void close_on(struct vidmm_rig *rig, HANDLE device, HANDLE opened)
{
    DXGKARG_CLOSEALLOCATION arguments;

    memset(&arguments, 0, sizeof(arguments));
    arguments.NumAllocations = 1;
    arguments.pOpenHandleList = &opened;
    if (opened)
        rig->driver->DxgkDdiCloseAllocation(device, &arguments);
}

/* obeys D-047: who made the allocation, a device of a program, is gone when this comes back, and
 * the rig's own device has it open. */
static bool open_second(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation)
{
    DXGKARG_CREATEDEVICE arguments;
    HANDLE opened = NULL;
    bool both;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hDevice = (HANDLE)(uintptr_t)0x18; /* the kernel's own: any number */
    if (rig->driver->DxgkDdiCreateDevice(rig->adapter, &arguments) != STATUS_SUCCESS)
        return open_on(rig, allocation, rig->device, true, &allocation->opened);
    both = open_on(rig, allocation, arguments.hDevice, true, &opened) &&
           open_on(rig, allocation, rig->device, false, &allocation->opened);
    close_on(rig, arguments.hDevice, opened);
    rig->driver->DxgkDdiDestroyDevice(arguments.hDevice);
    return both;
}

static bool open(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation)
{
    return rig->share ? open_second(rig, allocation)
                      : open_on(rig, allocation, rig->device, true, &allocation->opened);
}

/* obeys D-054: one more of the same resource comes and goes, and the resource is still there. A
 * driver that gives its object up then does so twice. One that takes no more is not asked again. */
static void add_and_take_away(struct vidmm_rig *rig, const struct vidmm_rig_allocation *whole)
{
    struct vidmm_rig_allocation added = {.private_size = whole->private_size};
    DXGKARG_CREATEALLOCATION arguments;

    if (!whole->shared || !whole->resource)
        return;
    vidmm_board_operation(rig->board, "CreateAllocation for a resource that there is, and "
                                      "DestroyAllocation without DestroyResource");
    memset(&arguments, 0, sizeof(arguments));
    memcpy(added.private_data, whole->private_data, sizeof(added.private_data));
    added.info.pPrivateDriverData = added.private_data;
    added.info.PrivateDriverDataSize = added.private_size;
    arguments.NumAllocations = 1;
    arguments.pAllocationInfo = &added.info;
    arguments.hResource = added.resource = whole->resource;
    arguments.Flags.Resource = 1;
    if (rig->driver->DxgkDdiCreateAllocation(rig->adapter, &arguments) != STATUS_SUCCESS)
        return;
    added.kmd = added.info.hAllocation;
    destroy_kmd(rig, &added); /* DestroyResource is clear */
}

static struct vidmm_rig_allocation *create_from(struct vidmm_rig *rig, uint64_t size,
                                                enum vidmm_user_source from,
                                                enum vidmm_user_source end)
{
    struct vidmm_rig_allocation *allocation = calloc(1, sizeof(*allocation));
    const struct vidmm_user user = {rig->driver, rig->adapter, rig->place->miniport.plugin,
                                    rig->habits};
    const struct vidmm_plugin_wish wish = {size, 0, true};
    bool created = false;

    if (!allocation || rig->next_handle - FIRST_HANDLE >= 256) {
        free(allocation);
        return NULL;
    }
    for (; from < end && !created; from++)
        created = vidmm_user_describe(&user, from, &wish, allocation->private_data,
                                      &allocation->private_size) &&
                  create(rig, allocation, from == VIDMM_USER_PRIMARY);
    if (!created) {
        free(allocation);
        return NULL;
    }
    allocation->handle = rig->next_handle++;
    if (open(rig, allocation) && allocation->kmd && allocation->size) {
        add_and_take_away(rig, allocation);
        return allocation;
    }
    vidmm_rig_destroy(rig, allocation);
    return NULL;
}

struct vidmm_rig_allocation *vidmm_rig_create(struct vidmm_rig *rig, uint64_t size)
{
    return create_from(rig, size, VIDMM_USER_PLUGIN, VIDMM_USER_SOURCES);
}

struct vidmm_rig_allocation *vidmm_rig_create_primary(struct vidmm_rig *rig)
{
    const uint64_t size = UINT64_C(4) * VIDMM_DISPLAY_WIDTH * VIDMM_DISPLAY_HEIGHT;
    struct vidmm_rig_allocation *primary =
        create_from(rig, size, VIDMM_USER_PRIMARY, VIDMM_USER_PRIMARY + 1);

    return primary ? primary : vidmm_rig_create(rig, size);
}

/* obeys W-026 */
static void judge_refusal(struct vidmm_rig *rig, NTSTATUS status)
{
    const struct vidmm_rule *rule = vidmm_rule(VIDMM_RULE_W_026);

    if (status == STATUS_UNSUCCESSFUL)
        vidmm_board_find(rig->board, "W-026", rule->sentence, rule->source, "",
                         "DxgkDdiCreateAllocation answered STATUS_UNSUCCESSFUL, which is no "
                         "documented failure: Windows resets the adapter");
}

static void try_size(struct vidmm_rig *rig, const struct vidmm_rig_allocation *whole,
                     uint8_t *page_end, uint32_t size)
{
    struct vidmm_rig_allocation made = {.private_size = size};
    DXGKARG_CREATEALLOCATION arguments;

    vidmm_board_operation(rig->board, "CreateAllocation with %u of %u bytes of private data", size,
                          whole->private_size);
    memset(&arguments, 0, sizeof(arguments));
    made.info.pPrivateDriverData = size > 0 ? page_end - size : NULL;
    made.info.PrivateDriverDataSize = size;
    memcpy(page_end - size, whole->private_data, size);
    arguments.NumAllocations = 1;
    arguments.pAllocationInfo = &made.info;
    NTSTATUS status = rig->driver->DxgkDdiCreateAllocation(rig->adapter, &arguments);
    judge_refusal(rig, status);
    if (status == STATUS_SUCCESS) {
        made.kmd = made.info.hAllocation;
        destroy_kmd(rig, &made);
    }
}

void vidmm_rig_try_short(struct vidmm_rig *rig, const struct vidmm_rig_allocation *whole)
{
    const uint32_t size = whole->private_size, sizes[] = {size - 1, size / 2, 1, 0};
    uint8_t *pages =
        mmap(NULL, 2 * VIDMM_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        return;
    mprotect(pages + VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE, PROT_NONE);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && size > 0; i++)
        if (sizes[i] < size && (i == 0 || sizes[i] < sizes[i - 1]))
            try_size(rig, whole, pages + VIDMM_PAGE_SIZE, sizes[i]);
    munmap(pages, 2 * VIDMM_PAGE_SIZE);
}

void vidmm_rig_begin_dead_handles(struct vidmm_rig *rig)
{
    rig->null_answers = 0;
    rig->handles_are_dead = true;
}

/* obeys D-385: any other failure is a note, since the page says only that it should be this one. */
bool vidmm_rig_judge_dead_handles(struct vidmm_rig *rig, const char *function, NTSTATUS status)
{
    rig->handles_are_dead = false;
    if (rig->null_answers > 0 && status != STATUS_INVALID_HANDLE)
        vidmm_rig_breach(rig, VIDMM_RULE_D_385, status == STATUS_SUCCESS,
                         "DxgkCbGetHandleData answered NULL inside %s, which answered %s", function,
                         vidmm_rig_status(status));
    return rig->null_answers > 0;
}

/* The auditor asks for the object of what is opened, too, so it does not hear of this opening. */
void vidmm_rig_try_dead_handle(struct vidmm_rig *rig)
{
    const DRIVER_INITIALIZATION_DATA *driver = rig->place->table;
    DXGKARG_CLOSEALLOCATION closed = {.NumAllocations = 1};
    struct vidmm_rig_allocation *allocation;
    DXGKARG_OPENALLOCATION arguments = {.NumAllocations = 1};
    DXGK_OPENALLOCATIONINFO info = {0};
    NTSTATUS status;

    if (rig->level >= VIDMM_LEVEL(2, 0)) {
        vidmm_board_skip(rig->board, "from WDDM 2.0 on DxgkCbGetHandleData always answers NULL "
                                     "inside DxgkDdiOpenAllocation (W-027)");
        return;
    }
    allocation = vidmm_rig_create(rig, 4096);
    if (!allocation) {
        vidmm_board_skip(rig->board, "the driver makes no allocation");
        return;
    }
    close_on(rig, rig->device, allocation->opened);
    allocation->opened = NULL;
    info.hAllocation = allocation->handle;
    info.pPrivateDriverData = allocation->private_data;
    info.PrivateDriverDataSize = allocation->private_size;
    arguments.pOpenAllocation = &info;
    vidmm_board_operation(rig->board, "OpenAllocation, where DxgkCbGetHandleData finds nothing");
    vidmm_rig_begin_dead_handles(rig);
    status = driver->DxgkDdiOpenAllocation(rig->device, &arguments);
    if (!vidmm_rig_judge_dead_handles(rig, "DxgkDdiOpenAllocation", status))
        vidmm_board_skip(rig->board, "DxgkDdiOpenAllocation does not call DxgkCbGetHandleData");
    if (status == STATUS_SUCCESS) {
        closed.pOpenHandleList = &info.hDeviceSpecificAllocation;
        driver->DxgkDdiCloseAllocation(rig->device, &closed);
    }
    vidmm_rig_destroy(rig, allocation);
}

void vidmm_rig_destroy(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation)
{
    if (!allocation)
        return;
    close_on(rig, rig->device, allocation->opened);
    destroy_kmd(rig, allocation);
    rig->allocations[allocation->handle - FIRST_HANDLE] = NULL;
    free(allocation);
}
