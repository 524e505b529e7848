/* rig_memory.c: system pages, and allocations of the driver. */
#include "check/rig.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- private data ---- */

/* A surface of about `size` bytes, in rows of 1024 pixels. */
static bool describe_standard(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation,
                              uint64_t size, D3DKMDT_STANDARDALLOCATION_TYPE type)
{
    D3DKMDT_SHADOWSURFACEDATA shadow = {.Width = size < 4096 ? 64 : 1024,
                                        .Format = D3DDDIFMT_A8R8G8B8};
    D3DKMDT_STAGINGSURFACEDATA staging = {.Width = shadow.Width};
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary = {
        .Width = 640, .Height = 480, .Format = D3DDDIFMT_A8R8G8B8, .RefreshRate = {60, 1}};
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments;
    uint8_t resource[256];

    if (!rig->driver->DxgkDdiGetStandardAllocationDriverData)
        return false;
    shadow.Height = staging.Height = (UINT)((size + shadow.Width * 4 - 1) / (shadow.Width * 4));
    memset(&arguments, 0, sizeof(arguments));
    arguments.StandardAllocationType = type;
    arguments.pCreateShadowSurfaceData = &shadow;
    if (type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        arguments.pCreateStagingSurfaceData = &staging;
    if (type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE)
        arguments.pCreateSharedPrimarySurfaceData = &primary;
    if (rig->driver->DxgkDdiGetStandardAllocationDriverData(rig->adapter, &arguments) !=
            STATUS_SUCCESS ||
        arguments.AllocationPrivateDriverDataSize > sizeof(allocation->private_data) ||
        arguments.ResourcePrivateDriverDataSize > sizeof(resource))
        return false;
    allocation->private_size = arguments.AllocationPrivateDriverDataSize;
    arguments.pAllocationPrivateDriverData = allocation->private_data;
    arguments.pResourcePrivateDriverData = resource;
    return rig->driver->DxgkDdiGetStandardAllocationDriverData(rig->adapter, &arguments) ==
           STATUS_SUCCESS;
}

enum source { PLUGIN, CONFIGURED, SHADOW, STAGING, PRIMARY, NOTHING, SOURCES };

static bool describe(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation, uint64_t size,
                     enum source source)
{
    const struct vidmm_plugin *plugin = rig->place->plugin;
    const struct vidmm_plugin_wish wish = {size, 0, true};

    memset(allocation->private_data, 0, sizeof(allocation->private_data));
    allocation->private_size = 0;
    switch (source) {
    case PLUGIN:
        if (plugin && plugin->describe)
            allocation->private_size =
                plugin->describe(&wish, allocation->private_data, sizeof(allocation->private_data));
        return allocation->private_size > 0;
    case CONFIGURED:
        allocation->private_size = rig->habits->private_size;
        memcpy(allocation->private_data, rig->habits->private_data, rig->habits->private_size);
        return rig->habits->private_size > 0;
    case SHADOW:
        return describe_standard(rig, allocation, size, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE);
    case STAGING:
        return describe_standard(rig, allocation, size, D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE);
    case PRIMARY:
        return describe_standard(rig, allocation, size,
                                 D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE);
    default:
        return true;
    }
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

static bool create(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation)
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
    if (rig->driver->DxgkDdiCreateAllocation(rig->adapter, &arguments) != STATUS_SUCCESS)
        return false;
    allocation->kmd = info->hAllocation;
    allocation->size = (info->Size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
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
    if (allocation->kmd)
        rig->driver->DxgkDdiDestroyAllocation(rig->adapter, &arguments);
}

static bool open(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation)
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
    arguments.Flags.Create = 1;
    rig->allocations[allocation->handle - FIRST_HANDLE] = allocation;
    status = rig->driver->DxgkDdiOpenAllocation(rig->device, &arguments);
    if (status == STATUS_SUCCESS) {
        allocation->opened = info.hDeviceSpecificAllocation;
        return true;
    }
    vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "",
                     "DxgkDdiOpenAllocation of an allocation just created: %s",
                     vidmm_rig_status(status));
    return false;
}

struct vidmm_rig_allocation *vidmm_rig_create(struct vidmm_rig *rig, uint64_t size)
{
    struct vidmm_rig_allocation *allocation = calloc(1, sizeof(*allocation));
    bool created = false;

    if (!allocation || rig->next_handle - FIRST_HANDLE >= 256) {
        free(allocation);
        return NULL;
    }
    for (enum source source = PLUGIN; source < SOURCES && !created; source++)
        created = describe(rig, allocation, size, source) && create(rig, allocation);
    if (!created) {
        free(allocation);
        return NULL;
    }
    allocation->handle = rig->next_handle++;
    if (open(rig, allocation) && allocation->kmd && allocation->size)
        return allocation;
    vidmm_rig_destroy(rig, allocation);
    return NULL;
}

void vidmm_rig_destroy(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation)
{
    DXGKARG_CLOSEALLOCATION arguments;

    if (!allocation)
        return;
    memset(&arguments, 0, sizeof(arguments));
    arguments.NumAllocations = 1;
    arguments.pOpenHandleList = &allocation->opened;
    if (allocation->opened)
        rig->driver->DxgkDdiCloseAllocation(rig->device, &arguments);
    destroy_kmd(rig, allocation);
    rig->allocations[allocation->handle - FIRST_HANDLE] = NULL;
    free(allocation);
}
