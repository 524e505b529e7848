/* look.h: the device as the driver sees it, as debug output: for `vidmm check --print`. */

static ULONG ConfigWord(struct device *Device, ULONG Offset)
{
    ULONG Value = 0, Read = 0;

    Device->Dxgk.DxgkCbReadDeviceSpace(Device->Dxgk.DeviceHandle, DXGK_WHICHSPACE_CONFIG, &Value,
                                       Offset, sizeof(Value), &Read);
    return Value;
}

/* Write ones, and say what stays. */
static void WriteConfig(struct device *Device, ULONG Offset)
{
    ULONG Value = 0xA5A5A5A5, Written = 0;

    Device->Dxgk.DxgkCbWriteDeviceSpace(Device->Dxgk.DeviceHandle, DXGK_WHICHSPACE_CONFIG, &Value,
                                        Offset, sizeof(Value), &Written);
    DbgPrint("written 0x%x: 0x%08x\n", Offset, ConfigWord(Device, Offset));
}

/* The bytes that the BAR at an offset decodes, and its first address. 0: it is none. */
static ULONGLONG SizeBar(struct device *Device, ULONG Offset, ULONGLONG *Start)
{
    ULONG Words = (ConfigWord(Device, Offset) & 7) == 4 ? 2 : 1, i, Was, Ones = 0xFFFFFFFF, Done;
    ULONGLONG Mask = Words == 1 ? 0xFFFFFFFF00000000ull : 0, Flags;

    *Start = 0;
    Flags = ConfigWord(Device, Offset) & 1 ? 3 : 15;
    for (i = 0; i < Words; i++) {
        Was = ConfigWord(Device, Offset + 4 * i);
        *Start |= (ULONGLONG)Was << 32 * i;
        Device->Dxgk.DxgkCbWriteDeviceSpace(Device->Dxgk.DeviceHandle, DXGK_WHICHSPACE_CONFIG,
                                            &Ones, Offset + 4 * i, sizeof(Ones), &Done);
        Mask |= (ULONGLONG)ConfigWord(Device, Offset + 4 * i) << 32 * i;
        Device->Dxgk.DxgkCbWriteDeviceSpace(Device->Dxgk.DeviceHandle, DXGK_WHICHSPACE_CONFIG, &Was,
                                            Offset + 4 * i, sizeof(Was), &Done);
    }
    *Start &= ~Flags;
    return *Start == 0 ? 0 : ~(Mask & ~Flags) + 1;
}

static void Look(struct device *Device, CM_PARTIAL_RESOURCE_LIST *List)
{
    static const ULONG Offsets[] = {0,    4,    8,    0x10, 0x14, 0x18, 0x1C,  0x20, 0x24,
                                    0x34, 0x40, 0x44, 0x50, 0x54, 0x60, 0x100, 0x140};
    ULONG i, Bar, Id;
    ULONGLONG Start, Size;

    for (i = 0; i < sizeof(Offsets) / sizeof(Offsets[0]); i++)
        DbgPrint("config 0x%x: 0x%08x\n", Offsets[i], ConfigWord(Device, Offsets[i]));
    for (i = 0; i < List->Count; i++) {
        const CM_PARTIAL_RESOURCE_DESCRIPTOR *One = &List->PartialDescriptors[i];

        if (One->Type == CmResourceTypeInterrupt)
            continue;
        for (Bar = 0x10; Bar < 0x28; Bar += (ConfigWord(Device, Bar) & 7) == 4 ? 8 : 4) {
            Size = SizeBar(Device, Bar, &Start);
            if (Size != 0 && Start == (ULONGLONG)One->u.Generic.Start.QuadPart &&
                Size == One->u.Generic.Length)
                DbgPrint("resource %u is the BAR at 0x%x, of 0x%llx bytes from 0x%llx on\n", i, Bar,
                         Size, Start);
        }
    }
    Id = ConfigWord(Device, 0x34) & 0xFF;
    for (i = 0; Id != 0 && i < 48; i++, Id = ConfigWord(Device, Id) >> 8 & 0xFF)
        DbgPrint("capability 0x%02x at 0x%x\n", ConfigWord(Device, Id) & 0xFF, Id);
    WriteConfig(Device, 0x50);
    WriteConfig(Device, 0x08);
    if (Device->Registers) {
        volatile ULONG *Register = (volatile ULONG *)Device->Registers;

        DbgPrint("register 0x%x 0x%x\n", Register[0], Register[2]);
        Register[3] = Register[0] + 1;
        Register[3] |= 0x100;
        DbgPrint("stored 0x%x\n", READ_REGISTER_ULONG((PULONG)Device->Registers + 3));
    }
}
