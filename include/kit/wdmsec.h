/*
 * wdmsec.h: device objects with a security descriptor.
 *
 * Source: wdmsec.h pages of the public reference; "SDDL for device objects".
 */
#ifndef KIT_WDMSEC_H
#define KIT_WDMSEC_H

#include "wdm.h"

KIT_BEGIN

NTSTATUS IoCreateDeviceSecure(PDRIVER_OBJECT DriverObject, ULONG DeviceExtensionSize,
                              PUNICODE_STRING DeviceName, DEVICE_TYPE DeviceType,
                              ULONG DeviceCharacteristics, BOOLEAN Exclusive,
                              PCUNICODE_STRING DefaultSDDLString, LPCGUID DeviceClassGuid,
                              PDEVICE_OBJECT *DeviceObject);
#define WdmlibIoCreateDeviceSecure IoCreateDeviceSecure

/* Descriptors by name: who may open the device. SY is the system, BA an administrator, WD all. */
#define KIT_SDDL(Name, Text)                                                                       \
    static const UNICODE_STRING Name = {sizeof(Text) - sizeof(WCHAR), sizeof(Text), (PWSTR)Text}
KIT_SDDL(SDDL_DEVOBJ_KERNEL_ONLY, L"D:P");
KIT_SDDL(SDDL_DEVOBJ_SYS_ALL, L"D:P(A;;GA;;;SY)");
KIT_SDDL(SDDL_DEVOBJ_SYS_ALL_ADM_ALL, L"D:P(A;;GA;;;SY)(A;;GA;;;BA)");
KIT_SDDL(SDDL_DEVOBJ_SYS_ALL_ADM_RX, L"D:P(A;;GA;;;SY)(A;;GRGX;;;BA)");
KIT_SDDL(SDDL_DEVOBJ_SYS_ALL_ADM_RWX_WORLD_R, L"D:P(A;;GA;;;SY)(A;;GRGWGX;;;BA)(A;;GR;;;WD)");
KIT_SDDL(SDDL_DEVOBJ_SYS_ALL_ADM_RWX_WORLD_RW_RES_R,
         L"D:P(A;;GA;;;SY)(A;;GRGWGX;;;BA)(A;;GRGW;;;WD)(A;;GR;;;RC)");
#undef KIT_SDDL

KIT_END

#endif /* KIT_WDMSEC_H */
