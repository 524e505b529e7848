/* display_only.h: the table of driver.c as a driver without video memory. */

NTSTATUS DriverEntry(PDRIVER_OBJECT Object, PUNICODE_STRING Path)
{
    KMDDOD_INITIALIZATION_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    Data.Version = DXGKDDI_INTERFACE_VERSION;
    Data.DxgkDdiAddDevice = AddDevice;
    Data.DxgkDdiStartDevice = StartDevice;
    Data.DxgkDdiStopDevice = StopDevice;
    Data.DxgkDdiRemoveDevice = RemoveDevice;
    Data.DxgkDdiUnload = Unload;
    Data.DxgkDdiInterruptRoutine = InterruptRoutine;
    Data.DxgkDdiDpcRoutine = DpcRoutine;
    Data.DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    Data.DxgkDdiQueryChildRelations = QueryChildRelations;
    Data.DxgkDdiQueryChildStatus = QueryChildStatus;
    Data.DxgkDdiIsSupportedVidPn = IsSupportedVidPn;
    Data.DxgkDdiRecommendFunctionalVidPn = RecommendFunctionalVidPn;
    Data.DxgkDdiEnumVidPnCofuncModality = EnumVidPnCofuncModality;
    Data.DxgkDdiCommitVidPn = CommitVidPn;
    Data.DxgkDdiSetVidPnSourceVisibility = SetVidPnSourceVisibility;
    Data.DxgkDdiPresentDisplayOnly = PresentDisplayOnly;
    return DxgkInitializeDisplayOnlyDriver(Object, Path, &Data);
}
