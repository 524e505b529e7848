/* level.h: callbacks at a level that is not theirs. "level_high": those of PASSIVE_LEVEL, at that
 * of interrupts. "level_again": DxgkCbSynchronizeExecution inside of itself. "level_low": those of
 * an interrupt routine and of a DPC routine, at PASSIVE_LEVEL.
 */

/* Map a page, read and write config space, ask for the device and for an object. */
static void CallHigh(struct device *Device)
{
    DXGKARGCB_GETHANDLEDATA Question;
    DXGK_DEVICE_INFO Info;
    PHYSICAL_ADDRESS Page;
    ULONG Value = 0, Done = 0;
    PVOID Bytes = NULL;

    Page.QuadPart = (LONGLONG)Device->VideoAddress;
    if (NT_SUCCESS(Device->Dxgk.DxgkCbMapMemory(Device->Dxgk.DeviceHandle, Page, PAGE_SIZE, FALSE,
                                                FALSE, MmCached, &Bytes)))
        Device->Dxgk.DxgkCbUnmapMemory(Device->Dxgk.DeviceHandle, Bytes);
    Device->Dxgk.DxgkCbReadDeviceSpace(Device->Dxgk.DeviceHandle, DXGK_WHICHSPACE_CONFIG, &Value,
                                       0x40, sizeof(Value), &Done);
    Device->Dxgk.DxgkCbWriteDeviceSpace(Device->Dxgk.DeviceHandle, DXGK_WHICHSPACE_CONFIG, &Value,
                                        0x40, sizeof(Value), &Done);
    RtlZeroMemory(&Info, sizeof(Info));
    Device->Dxgk.DxgkCbGetDeviceInformation(Device->Dxgk.DeviceHandle, &Info);
    RtlZeroMemory(&Question, sizeof(Question));
    Question.hObject = 0x40000000;
    Question.Type = DXGK_HANDLE_ALLOCATION;
    Device->Dxgk.DxgkCbGetHandleData(&Question);
    Device->Dxgk.DxgkCbNotifyDpc(Device->Dxgk.DeviceHandle);
}

static BOOLEAN DoNothingSynchronized(PVOID Context)
{
    (void)Context;
    return TRUE;
}

static void CallAgain(struct device *Device)
{
    BOOLEAN Answer = FALSE;

    Device->Dxgk.DxgkCbSynchronizeExecution(Device->Dxgk.DeviceHandle, DoNothingSynchronized,
                                            Device, 0, &Answer);
}

/* From the GPU's thread: the fence is told, and its DPC's work done, by nobody who may. */
static void CallLow(struct device *Device, BOOLEAN (*Notify)(PVOID))
{
    Notify(Device);
    Device->Dxgk.DxgkCbNotifyDpc(Device->Dxgk.DeviceHandle);
}
