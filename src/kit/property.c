/* property.c: the known properties of the device: as configured, or else as a device on PCI has it.
 *
 * Source: IoGetDeviceProperty; "Identifiers for PCI devices".
 */
#include "kit/registry.h"

/* The property where nobody configured it; 0: nothing. */
static ULONG from_bus(DEVICE_REGISTRY_PROPERTY which, WCHAR *text, size_t room)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    USHORT ids[2] = {0xFFFF, 0xFFFF};
    ULONG number = which == DevicePropertyLegacyBusType ? PCIBus : 0;
    char narrow[64] = "";
    ULONG length = 0;

    switch (which) {
    case DevicePropertyBusNumber:
    case DevicePropertyAddress:
    case DevicePropertyInstallState:
    case DevicePropertyLegacyBusType:
        memcpy(text, &number, sizeof(number));
        return sizeof(number);
    case DevicePropertyHardwareID:
        host->read_config(host->context, 0, ids, sizeof(ids));
        snprintf(narrow, sizeof(narrow), "PCI\\VEN_%04X&DEV_%04X", ids[0], ids[1]);
        break;
    case DevicePropertyCompatibleIDs:
        snprintf(narrow, sizeof(narrow), "PCI\\CC_0300");
        break;
    case DevicePropertyEnumeratorName:
        snprintf(narrow, sizeof(narrow), "PCI");
        break;
    case DevicePropertyPhysicalDeviceObjectName:
        snprintf(narrow, sizeof(narrow), "\\Device\\NTPNP_PCI0000");
        break;
    case DevicePropertyClassName:
        snprintf(narrow, sizeof(narrow), "Display");
        break;
    default:
        return 0;
    }
    for (; narrow[length] && length + 2 < room; length++)
        text[length] = (WCHAR)narrow[length];
    text[length++] = 0;
    if (which == DevicePropertyHardwareID || which == DevicePropertyCompatibleIDs)
        text[length++] = 0; /* the list ends */
    return length * (ULONG)sizeof(WCHAR);
}

NTSTATUS IoGetDeviceProperty(PDEVICE_OBJECT device, DEVICE_REGISTRY_PROPERTY which, ULONG room,
                             PVOID to, PULONG needed)
{
    const void *data;
    ULONG size = 0;
    WCHAR text[64];

    IRQL_MAX(PASSIVE_LEVEL);
    if (device != vidmm_kit_device()) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "IoGetDeviceProperty: %p is not the physical device object", (void *)device);
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    if ((unsigned)which > DevicePropertyContainerID)
        return STATUS_INVALID_PARAMETER_2;
    data = vidmm_kit_property((unsigned)which, &size);
    if (!data) {
        size = from_bus(which, text, sizeof(text) / sizeof(*text));
        data = text;
    }
    if (size == 0)
        return STATUS_OBJECT_NAME_NOT_FOUND;
    *needed = size;
    if (room < size)
        return STATUS_BUFFER_TOO_SMALL;
    memcpy(to, data, size);
    return STATUS_SUCCESS;
}
