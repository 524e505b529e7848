/* Allocations that the system asks for by purpose: surfaces, linear, four bytes a pixel or
 * fewer. */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

#define PITCH_ALIGNMENT 64u
/* of what adapters share */
#define CROSS_PITCH_ALIGNMENT 128u
#define CROSS_ROWS_ALIGNMENT 4u

/* The common properties of the kinds of surface. */
struct surface {
    UINT width, height;
    D3DDDIFORMAT format;
    UINT *pitch;   /* where the pitch is answered, NULL: nowhere */
    BOOLEAN cross; /* adapters share it */
    UINT64 size;   /* a surface of a virtual GPU: its bytes; else 0 */
};

UINT softgpu_bytes_of_pixel(D3DDDIFORMAT format)
{
    switch ((int)format) {
    case D3DDDIFMT_A8:
    case D3DDDIFMT_P8:
    case D3DDDIFMT_L8:
        return 1;
    case D3DDDIFMT_R5G6B5:
    case D3DDDIFMT_X1R5G5B5:
    case D3DDDIFMT_A1R5G5B5:
    case D3DDDIFMT_A4R4G4B4:
        return 2;
    case D3DDDIFMT_A16B16G16R16:
        return 8;
    default:
        return 4;
    }
}

static UINT rounded_up(UINT value, UINT unit)
{
    return (value + unit - 1) & ~(unit - 1);
}

UINT softgpu_pitch(UINT width, D3DDDIFORMAT format)
{
    return rounded_up(width * softgpu_bytes_of_pixel(format), PITCH_ALIGNMENT);
}

/* obeys D-255: rows of what adapters share; without a format, one row of bytes (D-060) */
static UINT shared_pitch(struct surface *surface)
{
    if (surface->format == D3DDDIFMT_UNKNOWN)
        return rounded_up(surface->width, CROSS_PITCH_ALIGNMENT);
    surface->height = rounded_up(surface->height, CROSS_ROWS_ALIGNMENT);
    return rounded_up(softgpu_pitch(surface->width, surface->format), CROSS_PITCH_ALIGNMENT);
}

/* obeys D-380, D-381 */
static BOOLEAN read_surface(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args, struct surface *surface)
{
    switch (args->StandardAllocationType) {
    case D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE:
        *surface = (struct surface){args->pCreateSharedPrimarySurfaceData->Width,
                                    args->pCreateSharedPrimarySurfaceData->Height,
                                    args->pCreateSharedPrimarySurfaceData->Format,
                                    NULL,
                                    FALSE,
                                    0};
        return TRUE;
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE:
        *surface = (struct surface){args->pCreateShadowSurfaceData->Width,
                                    args->pCreateShadowSurfaceData->Height,
                                    args->pCreateShadowSurfaceData->Format,
                                    &args->pCreateShadowSurfaceData->Pitch,
                                    FALSE,
                                    0};
        return TRUE;
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        *surface = (struct surface){args->pCreateStagingSurfaceData->Width,
                                    args->pCreateStagingSurfaceData->Height,
                                    D3DDDIFMT_X8R8G8B8,
                                    &args->pCreateStagingSurfaceData->Pitch,
                                    FALSE,
                                    0};
        return TRUE;
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        *surface = (struct surface){args->pCreateGdiSurfaceData->Width,
                                    args->pCreateGdiSurfaceData->Height,
                                    args->pCreateGdiSurfaceData->Format,
                                    &args->pCreateGdiSurfaceData->Pitch,
                                    args->pCreateGdiSurfaceData->Type ==
                                        D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER,
                                    0};
        return TRUE;
    case D3DKMDT_STANDARDALLOCATION_VGPU:
        *surface = (struct surface){.size = args->pCreateVirtualGpuSurfaceData->Size};
        return TRUE;
    default:
        return FALSE;
    }
}

/* Segments that the CPU reaches: apertures through their pages, memory through a BAR. Surfaces on
 * the screen stand in memory, if there is some. */
static UINT visible_segments(const struct softgpu_registers *registers, BOOLEAN shown)
{
    UINT apertures = 0, memory = 0;

    for (UINT i = 0; i < registers->segment_count; i++)
        if (registers->segments[i].kind == SOFTGPU_SEGMENT_APERTURE)
            apertures |= 1u << i;
        else if ((registers->segments[i].flags & SOFTGPU_SEGMENT_CPU_VISIBLE) != 0)
            memory |= 1u << i;
    return shown && memory != 0 ? memory : apertures | memory;
}

static UINT apertures_alone(const struct softgpu_registers *registers)
{
    UINT apertures = 0;

    for (UINT i = 0; i < registers->segment_count; i++)
        if (registers->segments[i].kind == SOFTGPU_SEGMENT_APERTURE)
            apertures |= 1u << i;
    return apertures;
}

/* The flags, the sets and the size that depend on the kind of surface. */
static void want_kind(const struct softgpu_adapter *adapter,
                      const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args,
                      const struct surface *surface, struct softgpu_allocation *wanted)
{
    D3DKMDT_GDISURFACETYPE kind =
        args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE
            ? args->pCreateGdiSurfaceData->Type
            : D3DKMDT_GDISURFACE_INVALID;

    if (surface->size != 0) { /* the virtual machine's, and not the processor's */
        wanted->flags = 0;
        wanted->size = surface->size;
        wanted->alignment = args->pCreateVirtualGpuSurfaceData->Alignment;
        wanted->read_set = wanted->write_set = 0; /* every segment */
    }
    if (kind == D3DKMDT_GDISURFACE_STAGING || kind == D3DKMDT_GDISURFACE_LOOKUPTABLE)
        wanted->flags = 0;
    if (kind == D3DKMDT_GDISURFACE_EXISTINGSYSMEM)
        wanted->flags |= 0x10;                                             /* ExistingSysMem */
    if (surface->cross || kind == D3DKMDT_GDISURFACE_STAGING_CPUVISIBLE || /* obeys D-255 */
        kind == D3DKMDT_GDISURFACE_EXISTINGSYSMEM)
        wanted->read_set = wanted->write_set = apertures_alone(adapter->registers);
}

NTSTATUS SoftgpuGetStandardAllocationDriverData(
    HANDLE hAdapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *pGetStandardAllocationDriverData)
{
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args = pGetStandardAllocationDriverData;
    struct softgpu_adapter *adapter = hAdapter;
    struct softgpu_allocation wanted = {.magic = SOFTGPU_ALLOCATION_MAGIC};
    struct surface surface;
    UINT pitch;

    if (!read_surface(args, &surface))
        return softgpu_refuse(adapter, STATUS_NO_MEMORY, "a standard allocation of type %d",
                              (int)args->StandardAllocationType);
    args->ResourcePrivateDriverDataSize = 0; /* obeys D-057: one of the two may be 0 */
    if (args->pAllocationPrivateDriverData == NULL) {
        args->AllocationPrivateDriverDataSize = sizeof(wanted);
        return STATUS_SUCCESS;
    }
    if (args->AllocationPrivateDriverDataSize < sizeof(wanted))
        return softgpu_refuse(adapter, STATUS_NO_MEMORY, "a standard allocation: %u bytes of data",
                              args->AllocationPrivateDriverDataSize);
    pitch = surface.cross ? shared_pitch(&surface) : softgpu_pitch(surface.width, surface.format);
    wanted.flags = 0x1; /* CpuVisible */
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE &&
        adapter->registers->alternate_primary)
        wanted.flags |= 0x400; /* UseAlternateVA */
    wanted.size = (UINT64)pitch * (surface.height != 0 ? surface.height : 1);
    wanted.read_set = wanted.write_set =
        visible_segments(adapter->registers, args->StandardAllocationType ==
                                                 D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE);
    want_kind(adapter, args, &surface, &wanted);
    wanted.priority = SOFTGPU_PRIORITY_NORMAL;
    wanted.width = surface.width;
    wanted.height = surface.height;
    wanted.format = (UINT)surface.format;
    memcpy(args->pAllocationPrivateDriverData, &wanted, sizeof(wanted));
    if (surface.pitch != NULL)
        *surface.pitch = pitch;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuDescribeAllocation(HANDLE hAdapter, DXGKARG_DESCRIBEALLOCATION *pDescribeAllocation)
{
    const struct softgpu_driver_allocation *allocation = pDescribeAllocation->hAllocation;

    (void)hAdapter;
    pDescribeAllocation->Width = allocation->wanted.width;
    pDescribeAllocation->Height = allocation->wanted.height;
    pDescribeAllocation->Format = (D3DDDIFORMAT)allocation->wanted.format;
    memset(&pDescribeAllocation->MultisampleMethod, 0,
           sizeof(pDescribeAllocation->MultisampleMethod));
    memset(&pDescribeAllocation->RefreshRate, 0, sizeof(pDescribeAllocation->RefreshRate));
    pDescribeAllocation->PrivateDriverFormatAttribute = 0;
    return STATUS_SUCCESS;
}
