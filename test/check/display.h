/* display.h: the display half of driver.c, with -DWITH_DISPLAY: one source, one output that is
 * always connected, the modes 800 by 600 and 1024 by 768. CommitVidPn takes what it offered. */

enum { SOURCE = 0, OUTPUT = 7 };
#ifdef DISPLAY_ONLY
#define IS_DISPLAY_ONLY TRUE /* and then there is no primary */
#else
#define IS_DISPLAY_ONLY FALSE
#endif

static NTSTATUS QueryChildRelations(CONST PVOID Context, DXGK_CHILD_DESCRIPTOR *Relations,
                                    ULONG Size)
{
    (void)Context;
    if (Size < 2 * sizeof(*Relations))
        return STATUS_BUFFER_TOO_SMALL;
    Relations[0].ChildDeviceType = TypeVideoOutput;
    Relations[0].ChildCapabilities.HpdAwareness = HpdAwarenessInterruptible;
    Relations[0].ChildUid = OUTPUT;
    return STATUS_SUCCESS;
}

static NTSTATUS QueryChildStatus(CONST PVOID Context, DXGK_CHILD_STATUS *Status,
                                 BOOLEAN NonDestructive)
{
    (void)Context, (void)NonDestructive;
    if (Status->Type != StatusConnection || Status->ChildUid != OUTPUT)
        return STATUS_INVALID_PARAMETER;
    Status->HotPlug.Connected = TRUE;
    return STATUS_SUCCESS;
}

/* The path of a network, if it has the one that there is. */
static NTSTATUS FindPath(struct device *Device, D3DKMDT_HVIDPN VidPn,
                         const DXGK_VIDPN_INTERFACE **Network, SIZE_T *Paths)
{
    const DXGK_VIDPNTOPOLOGY_INTERFACE *Topology;
    const D3DKMDT_VIDPN_PRESENT_PATH *Path;
    D3DKMDT_HVIDPNTOPOLOGY Handle;
    NTSTATUS Status;

    Status =
        Device->Dxgk.DxgkCbQueryVidPnInterface(VidPn, DXGK_VIDPN_INTERFACE_VERSION_V1, Network);
    if (!NT_SUCCESS(Status))
        return Status;
    Status = (*Network)->pfnGetTopology(VidPn, &Handle, &Topology);
    if (!NT_SUCCESS(Status))
        return Status;
    Status = Topology->pfnGetNumPaths(Handle, Paths);
    if (!NT_SUCCESS(Status) || *Paths == 0)
        return Status;
    Status = Topology->pfnAcquireFirstPathInfo(Handle, &Path);
    if (Status != STATUS_SUCCESS)
        return STATUS_UNSUCCESSFUL;
    if (Path->VidPnSourceId != SOURCE || Path->VidPnTargetId != OUTPUT)
        *Paths = 0;
    if (Is(Device, "vidpn_keeps"))
        return STATUS_SUCCESS;
    return Topology->pfnReleasePathInfo(Handle, Path);
}

static NTSTATUS IsSupportedVidPn(CONST HANDLE Adapter, DXGKARG_ISSUPPORTEDVIDPN *Arguments)
{
    struct device *Device = (struct device *)Adapter;
    const DXGK_VIDPN_INTERFACE *Network;
    SIZE_T Paths;

    Arguments->IsVidPnSupported = !Is(Device, "vidpn_refuses");
    return FindPath(Device, Arguments->hDesiredVidPn, &Network, &Paths);
}

static NTSTATUS RecommendFunctionalVidPn(CONST HANDLE Adapter,
                                         const DXGKARG_RECOMMENDFUNCTIONALVIDPN *Arguments)
{
    (void)Adapter, (void)Arguments;
    return STATUS_GRAPHICS_NO_RECOMMENDED_FUNCTIONAL_VIDPN;
}

static const D3DKMDT_2DREGION Modes[] = {{800, 600}, {1024, 768}};

static NTSTATUS OfferSource(D3DKMDT_HVIDPN VidPn, const DXGK_VIDPN_INTERFACE *Network)
{
    const DXGK_VIDPNSOURCEMODESET_INTERFACE *Table;
    D3DKMDT_HVIDPNSOURCEMODESET Set;
    D3DKMDT_VIDPN_SOURCE_MODE *Mode;
    NTSTATUS Status = Network->pfnCreateNewSourceModeSet(VidPn, SOURCE, &Set, &Table);
    ULONG i;

    for (i = 0; i < 2 && Status == STATUS_SUCCESS; i++) {
        Status = Table->pfnCreateNewModeInfo(Set, &Mode);
        if (Status != STATUS_SUCCESS)
            break;
        Mode->Type = D3DKMDT_RMT_GRAPHICS;
        Mode->Format.Graphics.PrimSurfSize = Mode->Format.Graphics.VisibleRegionSize = Modes[i];
        Mode->Format.Graphics.Stride = Modes[i].cx * 4;
        Mode->Format.Graphics.PixelFormat = D3DDDIFMT_A8R8G8B8;
        Mode->Format.Graphics.ColorBasis = D3DKMDT_CB_SRGB;
        Mode->Format.Graphics.PixelValueAccessMode = D3DKMDT_PVAM_DIRECT;
        Status = Table->pfnAddMode(Set, Mode);
    }
    return Status == STATUS_SUCCESS ? Network->pfnAssignSourceModeSet(VidPn, SOURCE, Set) : Status;
}

static NTSTATUS OfferTarget(D3DKMDT_HVIDPN VidPn, const DXGK_VIDPN_INTERFACE *Network)
{
    const DXGK_VIDPNTARGETMODESET_INTERFACE *Table;
    D3DKMDT_HVIDPNTARGETMODESET Set;
    D3DKMDT_VIDPN_TARGET_MODE *Mode;
    NTSTATUS Status = Network->pfnCreateNewTargetModeSet(VidPn, OUTPUT, &Set, &Table);
    ULONG i;

    for (i = 0; i < 2 && Status == STATUS_SUCCESS; i++) {
        Status = Table->pfnCreateNewModeInfo(Set, &Mode);
        if (Status != STATUS_SUCCESS)
            break;
        Mode->VideoSignalInfo.VideoStandard = D3DKMDT_VSS_OTHER;
        Mode->VideoSignalInfo.TotalSize = Mode->VideoSignalInfo.ActiveSize = Modes[i];
        Mode->VideoSignalInfo.VSyncFreq.Numerator = 60;
        Mode->VideoSignalInfo.VSyncFreq.Denominator = 1;
        Mode->Preference = i ? D3DKMDT_MP_PREFERRED : D3DKMDT_MP_NOTPREFERRED;
        Status = Table->pfnAddMode(Set, Mode);
    }
    return Status == STATUS_SUCCESS ? Network->pfnAssignTargetModeSet(VidPn, OUTPUT, Set) : Status;
}

/* Is a source mode pinned already? Then it stays as it is. */
static BOOLEAN IsPinned(D3DKMDT_HVIDPN VidPn, const DXGK_VIDPN_INTERFACE *Network, UINT *Width)
{
    const DXGK_VIDPNSOURCEMODESET_INTERFACE *Table;
    const D3DKMDT_VIDPN_SOURCE_MODE *Mode = NULL;
    D3DKMDT_HVIDPNSOURCEMODESET Set;

    if (Network->pfnAcquireSourceModeSet(VidPn, SOURCE, &Set, &Table) != STATUS_SUCCESS)
        return FALSE;
    if (Table->pfnAcquirePinnedModeInfo(Set, &Mode) == STATUS_SUCCESS && Mode) {
        *Width = Mode->Format.Graphics.VisibleRegionSize.cx;
        Table->pfnReleaseModeInfo(Set, Mode);
    }
    Network->pfnReleaseSourceModeSet(VidPn, Set);
    return Mode != NULL;
}

/* The monitor is asked for its modes; a failure is passed on. */
static NTSTATUS LookAtMonitor(struct device *Device)
{
    const DXGK_MONITOR_INTERFACE *Monitor;
    const DXGK_MONITORSOURCEMODESET_INTERFACE *Table;
    D3DKMDT_HMONITORSOURCEMODESET Set;
    SIZE_T Modes;
    NTSTATUS Status = Device->Dxgk.DxgkCbQueryMonitorInterface(
        Device->Dxgk.DeviceHandle, DXGK_MONITOR_INTERFACE_VERSION_V1, &Monitor);

    if (Status == STATUS_SUCCESS)
        Status = Monitor->pfnAcquireMonitorSourceModeSet((D3DKMDT_ADAPTER)Device->Dxgk.DeviceHandle,
                                                         OUTPUT, &Set, &Table);
    if (Status != STATUS_SUCCESS)
        return Status;
    Status = Table->pfnGetNumModes(Set, &Modes);
    if (!Is(Device, "monitor_keeps"))
        Monitor->pfnReleaseMonitorSourceModeSet((D3DKMDT_ADAPTER)Device->Dxgk.DeviceHandle, Set);
    return Status == STATUS_SUCCESS && Modes == 0 ? STATUS_UNSUCCESSFUL : Status;
}

static NTSTATUS EnumVidPnCofuncModality(CONST HANDLE Adapter,
                                        const DXGKARG_ENUMVIDPNCOFUNCMODALITY *Arguments)
{
    struct device *Device = (struct device *)Adapter;
    D3DKMDT_HVIDPN VidPn = Arguments->hConstrainingVidPn;
    const DXGK_VIDPN_INTERFACE *Network;
    SIZE_T Paths;
    NTSTATUS Status = FindPath(Device, VidPn, &Network, &Paths);
    UINT Width;

    if (Is(Device, "missing"))
        return ExUuidCreate(&(UUID){0}); /* the device is not there, and it passes on the failure */
    if (Status == STATUS_SUCCESS)
        Status = LookAtMonitor(Device);
    if (Status != STATUS_SUCCESS || Paths == 0 || Is(Device, "vidpn_no_modes"))
        return Status;
    if (!IsPinned(VidPn, Network, &Width))
        Status = OfferSource(VidPn, Network);
    return Status == STATUS_SUCCESS ? OfferTarget(VidPn, Network) : Status;
}

static NTSTATUS CommitVidPn(CONST HANDLE Adapter, const DXGKARG_COMMITVIDPN *Arguments)
{
    struct device *Device = (struct device *)Adapter;
    const DXGK_VIDPN_INTERFACE *Network;
    SIZE_T Paths;
    NTSTATUS Status = FindPath(Device, Arguments->hFunctionalVidPn, &Network, &Paths);
    UINT Width = 0;

    if (Status != STATUS_SUCCESS || Paths == 0)
        return Status;
    if (!IsPinned(Arguments->hFunctionalVidPn, Network, &Width) || Width != 1024 ||
        (Arguments->hPrimaryAllocation == NULL) != IS_DISPLAY_ONLY)
        return STATUS_GRAPHICS_INVALID_VIDPN;
    return STATUS_SUCCESS;
}

static NTSTATUS SetVidPnSourceVisibility(CONST HANDLE Adapter,
                                         const DXGKARG_SETVIDPNSOURCEVISIBILITY *Arguments)
{
    (void)Adapter;
    return Arguments->VidPnSourceId == SOURCE ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

#ifdef DISPLAY_ONLY
/* The picture goes to the frame buffer that the firmware left: the beginning of BAR 0. */
static NTSTATUS PresentDisplayOnly(CONST HANDLE Adapter,
                                   CONST DXGKARG_PRESENT_DISPLAYONLY *Arguments)
{
    struct device *Device = (struct device *)Adapter;
    ULONG Begin = Is(Device, "present_elsewhere") ? 8 << 20 : 0, Pitch = Begin ? 8192 : 4096;
    ULONG Rows = Is(Device, "present_nothing") ? 0 : Is(Device, "present_part") ? 767 : 768;
    ULONG y;

    for (y = 0; y < Rows; y++)
        RtlCopyMemory(Device->Video + Begin + y * Pitch,
                      (UCHAR *)Arguments->pSource + (LONG_PTR)y * Arguments->Pitch, 4096);
    return STATUS_SUCCESS;
}

static NTSTATUS TakeFrameBuffer(struct device *Device)
{
    DXGK_DISPLAY_INFORMATION Information;
    NTSTATUS Status =
        Device->Dxgk.DxgkCbAcquirePostDisplayOwnership(Device->Dxgk.DeviceHandle, &Information);

    if (!NT_SUCCESS(Status) || Information.Width != 1024 || Information.Pitch != 4096 ||
        (ULONG64)Information.PhysicAddress.QuadPart != Device->VideoAddress)
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    return STATUS_SUCCESS;
}
#endif
