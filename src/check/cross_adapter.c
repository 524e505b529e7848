/* cross_adapter.c: a surface that two adapters share, where the caps say CrossAdapterResource: the
 * driver describes it as a standard allocation, and what it answers is held against the properties
 * that such a resource has.
 *
 *     pitch       a multiple of 128 bytes, and room for a row
 *     size        room for rows up to a multiple of 4
 *     segments    apertures alone
 *     layout      linear
 *
 * The surface is of 1000 by 30 pixels, so that neither number is a multiple already. CpuVisible is
 * not judged: one page says that it is set, and another that the CPU does not see the surface. The
 * system makes the pages write-combined, so Cached is a note.
 */
#include "check/lab.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "check/user.h"
#include "wddm/level.h"

enum { WIDTH = 1000, HEIGHT = 30, PIXEL = 4, PITCH_UNIT = 128, HEIGHT_UNIT = 4 };

struct surface {
    D3DKMDT_GDISURFACEDATA data;
    uint8_t resource_data[VIDMM_USER_PRIVATE], private_data[VIDMM_USER_PRIVATE];
    uint32_t resource_size, private_size;
    DXGK_ALLOCATIONINFO info;
};

/* Both passes of the question. False: the driver describes none. */
static bool describe(struct vidmm_rig *rig, struct surface *surface, NTSTATUS *status)
{
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments;
    PDXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA call =
        rig->driver->DxgkDdiGetStandardAllocationDriverData;

    memset(&arguments, 0, sizeof(arguments));
    surface->data.Width = WIDTH;
    surface->data.Height = HEIGHT;
    surface->data.Format = D3DDDIFMT_A8R8G8B8;
    surface->data.Type = D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER;
    arguments.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_GDISURFACE;
    arguments.pCreateGdiSurfaceData = &surface->data;
    *status = call(rig->adapter, &arguments);
    if (*status != STATUS_SUCCESS ||
        arguments.AllocationPrivateDriverDataSize > sizeof(surface->private_data) ||
        arguments.ResourcePrivateDriverDataSize > sizeof(surface->resource_data))
        return false;
    surface->private_size = arguments.AllocationPrivateDriverDataSize;
    surface->resource_size = arguments.ResourcePrivateDriverDataSize;
    arguments.pAllocationPrivateDriverData = surface->private_data;
    arguments.pResourcePrivateDriverData = surface->resource_data;
    *status = call(rig->adapter, &arguments);
    return *status == STATUS_SUCCESS;
}

static void judge_rows(struct vidmm_rig *rig, const struct surface *surface)
{
    uint64_t pitch = surface->data.Pitch;
    uint64_t rows = (HEIGHT + HEIGHT_UNIT - 1) / HEIGHT_UNIT * HEIGHT_UNIT;

    if (pitch % PITCH_UNIT != 0 || pitch < (uint64_t)WIDTH * PIXEL)
        vidmm_rig_breach(rig, VIDMM_RULE_D_255, true,
                         "Pitch is %llu, for rows of %u bytes; it must be a multiple of %u that "
                         "has room for a row",
                         (unsigned long long)pitch, (unsigned)(WIDTH * PIXEL), PITCH_UNIT);
    else if (surface->info.Size < pitch * rows)
        vidmm_rig_breach(rig, VIDMM_RULE_D_255, true,
                         "Size is 0x%llx; %u rows take the room of %llu, a multiple of %u, which "
                         "is 0x%llx",
                         (unsigned long long)surface->info.Size, HEIGHT, (unsigned long long)rows,
                         HEIGHT_UNIT, (unsigned long long)(pitch * rows));
}

static void judge_segments(struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info)
{
    uint32_t set = vidmm_rig_set(rig, info);

    for (uint32_t id = 1; id <= rig->segment_count; id++)
        if ((set >> (id - 1) & 1) && !rig->segments[id].flags.Aperture) {
            vidmm_rig_breach(rig, VIDMM_RULE_D_255, true,
                             "the supported segment sets are 0x%x and 0x%x, and segment %u is no "
                             "aperture: another adapter does not reach it",
                             info->SupportedReadSegmentSet, info->SupportedWriteSegmentSet, id);
            return;
        }
}

static void judge_flags(struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info)
{
    if (rig->level < VIDMM_LEVEL(2, 0) && info->Flags.Swizzled)
        vidmm_rig_breach(rig, VIDMM_RULE_D_255, true,
                         "Swizzled is set: the surface would not be linear");
    if (info->Flags.Cached)
        vidmm_rig_breach(rig, VIDMM_RULE_D_255, false,
                         "Cached is set; Windows makes the pages write-combined all the same");
}

/* One shared allocation, which is not used. */
static void create(struct vidmm_rig *rig, struct surface *surface)
{
    DXGKARG_CREATEALLOCATION made;
    DXGKARG_DESTROYALLOCATION gone;
    NTSTATUS status;

    memset(&made, 0, sizeof(made));
    memset(&gone, 0, sizeof(gone));
    surface->info.pPrivateDriverData = surface->private_data;
    surface->info.PrivateDriverDataSize = surface->private_size;
    made.pPrivateDriverData = surface->resource_data;
    made.PrivateDriverDataSize = surface->resource_size;
    made.NumAllocations = 1;
    made.pAllocationInfo = &surface->info;
    made.Flags.Resource = 1;
    status = rig->driver->DxgkDdiCreateAllocation(rig->adapter, &made);
    if (status != STATUS_SUCCESS) {
        vidmm_board_skip(rig->board, "DxgkDdiCreateAllocation of the surface answered %s",
                         vidmm_rig_status(status));
        return;
    }
    judge_rows(rig, surface);
    judge_segments(rig, &surface->info);
    judge_flags(rig, &surface->info);
    gone.NumAllocations = 1;
    gone.pAllocationList = &surface->info.hAllocation;
    gone.hResource = made.hResource;
    gone.Flags.DestroyResource = 1;
    if (surface->info.hAllocation)
        rig->driver->DxgkDdiDestroyAllocation(rig->adapter, &gone);
}

void vidmm_check_cross_adapter(struct vidmm_rig *rig)
{
    struct surface surface;
    NTSTATUS status;

    if (rig->dead || rig->level < VIDMM_LEVEL(1, 3) ||
        !rig->caps.MemoryManagementCaps.CrossAdapterResource ||
        !vidmm_board_try(rig->board, "a surface that two adapters share"))
        return;
    memset(&surface, 0, sizeof(surface));
    vidmm_board_operation(rig->board, "a cross-adapter surface of %u by %u pixels", WIDTH, HEIGHT);
    if (!rig->driver->DxgkDdiGetStandardAllocationDriverData)
        vidmm_board_skip(rig->board, "there is no DxgkDdiGetStandardAllocationDriverData");
    else if (describe(rig, &surface, &status))
        create(rig, &surface);
    else
        vidmm_board_skip(rig->board,
                         "DxgkDdiGetStandardAllocationDriverData answered %s: the user-mode driver "
                         "may describe it instead",
                         vidmm_rig_status(status));
}
