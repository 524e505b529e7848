/*
 * dispmprt.h: include/wddm's, and what a driver's sources find in its company: the kernel, the
 * firmware's methods, and the names that say a parameter's direction (IN_ULONG, OUT_PPVOID).
 *
 * Source: dispmprt.h and acpiioct.h pages of the public reference.
 */
#ifndef KIT_DISPMPRT_H
#define KIT_DISPMPRT_H

#include "wdm.h"
#include "acpiioct.h"
#include "windef.h"

#include_next <dispmprt.h>
#include "dispmprt_interfaces.h"

KIT_BEGIN

/* Names of the firmware's methods, as DxgkCbEvalAcpiMethod takes them: four characters, the first
 * in the lowest byte. */
#define KIT_ACPI_NAME(a, b, c, d)                                                                  \
    ((ULONG)(a) | (ULONG)(b) << 8 | (ULONG)(c) << 16 | (ULONG)(d) << 24)
#define ACPI_METHOD_HARDWARE_ID KIT_ACPI_NAME('_', 'H', 'I', 'D')
#define ACPI_METHOD_SUBSYSTEM_ID KIT_ACPI_NAME('_', 'S', 'U', 'B')
#define ACPI_METHOD_HARDWARE_REVISION KIT_ACPI_NAME('_', 'H', 'R', 'V')
#define ACPI_METHOD_DISPLAY_DOS KIT_ACPI_NAME('_', 'D', 'O', 'S')
#define ACPI_METHOD_DISPLAY_DOD KIT_ACPI_NAME('_', 'D', 'O', 'D')
#define ACPI_METHOD_DISPLAY_ROM KIT_ACPI_NAME('_', 'R', 'O', 'M')
#define ACPI_METHOD_DISPLAY_GPD KIT_ACPI_NAME('_', 'G', 'P', 'D')
#define ACPI_METHOD_DISPLAY_SPD KIT_ACPI_NAME('_', 'S', 'P', 'D')
#define ACPI_METHOD_DISPLAY_VPO KIT_ACPI_NAME('_', 'V', 'P', 'O')
#define ACPI_METHOD_OUTPUT_ADR KIT_ACPI_NAME('_', 'A', 'D', 'R')
#define ACPI_METHOD_OUTPUT_BCL KIT_ACPI_NAME('_', 'B', 'C', 'L')
#define ACPI_METHOD_OUTPUT_BCM KIT_ACPI_NAME('_', 'B', 'C', 'M')
#define ACPI_METHOD_OUTPUT_DDC KIT_ACPI_NAME('_', 'D', 'D', 'C')
#define ACPI_METHOD_OUTPUT_DCS KIT_ACPI_NAME('_', 'D', 'C', 'S')
#define ACPI_METHOD_OUTPUT_DGS KIT_ACPI_NAME('_', 'D', 'G', 'S')
#define ACPI_METHOD_OUTPUT_DSS KIT_ACPI_NAME('_', 'D', 'S', 'S')

/* Events of outputs that the firmware reports; the numbers are ACPI's. */
#define ACPI_NOTIFY_DOCK_EVENT 0x77
#define ACPI_NOTIFY_DEVICE_HOTPLUG 0x81
#define ACPI_NOTIFY_CYCLE_DISPLAY_HOTKEY 0x82
#define ACPI_NOTIFY_NEXT_DISPLAY_HOTKEY 0x83
#define ACPI_NOTIFY_PREV_DISPLAY_HOTKEY 0x84
#define ACPI_NOTIFY_CYCLE_BRIGHTNESS_HOTKEY 0x85
#define ACPI_NOTIFY_INC_BRIGHTNESS_HOTKEY 0x86
#define ACPI_NOTIFY_DEC_BRIGHTNESS_HOTKEY 0x87
#define ACPI_NOTIFY_ZERO_BRIGHTNESS_HOTKEY 0x88
#define ACPI_NOTIFY_VIDEO_WAKEUP 0x90
#define ACPI_NOTIFY_PANEL_SWITCH 0xD9

/* The subjects of DxgkDdiPowerRuntimeControlRequest. The values are the kit's own: they are not
 * published, and a driver compares them by name. */
DEFINE_GUID(GUID_DXGKDDI_POWER_MANAGEMENT_PREPARE_TO_START, 0x6b697401, 0x0001, 0x4b49, 0x54, 0, 0,
            0, 0, 0, 0, 1);
DEFINE_GUID(GUID_DXGKDDI_POWER_MANAGEMENT_STARTED, 0x6b697401, 0x0001, 0x4b49, 0x54, 0, 0, 0, 0, 0,
            0, 2);
DEFINE_GUID(GUID_DXGKDDI_POWER_MANAGEMENT_STOPPED, 0x6b697401, 0x0001, 0x4b49, 0x54, 0, 0, 0, 0, 0,
            0, 3);

/* DataType of DxgkCbReadDeviceSpace. */
#define DXGK_WHICHSPACE_CONFIG PCI_WHICHSPACE_CONFIG
#define DXGK_WHICHSPACE_ROM PCI_WHICHSPACE_ROM
#define DXGK_WHICHSPACE_MCH 0x80000000
#define DXGK_WHICHSPACE_BRIDGE 0x80000001

typedef BOOLEAN IN_BOOLEAN;
typedef const BOOLEAN IN_CONST_BOOLEAN;
typedef UCHAR IN_UCHAR;
typedef const UCHAR IN_CONST_UCHAR;
typedef ULONG IN_ULONG;
typedef const ULONG IN_CONST_ULONG;
typedef UINT IN_UINT;
typedef const UINT IN_CONST_UINT;
typedef HANDLE IN_HANDLE;
typedef PVOID IN_PVOID, INOUT_PVOID, IN_OUT_PVOID;
typedef PVOID const IN_CONST_PVOID;
typedef PVOID *OUT_PPVOID;
typedef PULONG OUT_PULONG, INOUT_PULONG;
typedef PBOOLEAN OUT_PBOOLEAN;
typedef LPCGUID IN_LPCGUID;
typedef PDEVICE_OBJECT IN_PDEVICE_OBJECT, IN_CONST_PDEVICE_OBJECT;
typedef DEVICE_POWER_STATE IN_DEVICE_POWER_STATE;
typedef POWER_ACTION IN_POWER_ACTION;
typedef DXGK_EVENT_TYPE IN_DXGK_EVENT_TYPE;
typedef const DXGK_INTERRUPT_TYPE IN_CONST_DXGK_INTERRUPT_TYPE;
typedef DXGKRNL_INTERFACE *IN_PDXGKRNL_INTERFACE;
typedef DXGKARG_QUERYDEPENDENTENGINEGROUP *INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP;
WDDM_SPELLINGS(DXGK_CHILD_DESCRIPTOR);
WDDM_SPELLINGS(DXGK_CHILD_STATUS);
WDDM_SPELLINGS(DXGK_DEVICE_DESCRIPTOR);

KIT_END

#endif /* KIT_DISPMPRT_H */
