/* resources.c: the device's address ranges and interrupts, as a driver is told of them.
 *
 * Source: CM_RESOURCE_LIST, CM_PARTIAL_RESOURCE_DESCRIPTOR, RtlCmEncodeMemIoResource.
 */
#include "kit/state.h"

static CM_RESOURCE_LIST *resources;

void vidmm_kit_resources_stop(void)
{
    free(resources);
    resources = NULL;
}

/* The size of a 64-bit BAR, in the way of PCI: write ones, read back, restore. */
static uint64_t bar_size(uint32_t offset, uint64_t *base)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    uint64_t ones = UINT64_MAX, mask = 0;

    *base = 0;
    if (!host->read_config(host->context, offset, base, sizeof(*base)) ||
        (*base & ~UINT64_C(15)) == 0)
        return 0;
    host->write_config(host->context, offset, &ones, sizeof(ones));
    host->read_config(host->context, offset, &mask, sizeof(mask));
    host->write_config(host->context, offset, base, sizeof(*base));
    *base &= ~UINT64_C(15);
    return ~(mask & ~UINT64_C(15)) + 1;
}

static CM_PARTIAL_RESOURCE_DESCRIPTOR *add(CM_PARTIAL_RESOURCE_LIST *list, UCHAR type,
                                           uint64_t start, uint64_t size)
{
    CM_PARTIAL_RESOURCE_DESCRIPTOR *one = &list->PartialDescriptors[list->Count++];
    PHYSICAL_ADDRESS at = {.QuadPart = (LONGLONG)start};

    one->Type = type;
    one->ShareDisposition = CmResourceShareDeviceExclusive;
    one->u.Generic.Start = at;
    one->u.Generic.Length = (ULONG)size;
    return one;
}

/* What a unit of Length is, in bits of shift; obeys the page of CM_PARTIAL_RESOURCE_DESCRIPTOR. */
static unsigned unit_shift(const CM_PARTIAL_RESOURCE_DESCRIPTOR *one)
{
    if (one->Type != CmResourceTypeMemoryLarge)
        return 0;
    return one->Flags & CM_RESOURCE_MEMORY_LARGE_40   ? 8
           : one->Flags & CM_RESOURCE_MEMORY_LARGE_48 ? 16
           : one->Flags & CM_RESOURCE_MEMORY_LARGE_64 ? 32
                                                      : 0;
}

ULONGLONG RtlCmDecodeMemIoResource(PCM_PARTIAL_RESOURCE_DESCRIPTOR one, PULONGLONG start)
{
    if (start)
        *start = (ULONGLONG)one->u.Generic.Start.QuadPart;
    return (ULONGLONG)one->u.Generic.Length << unit_shift(one);
}

NTSTATUS RtlCmEncodeMemIoResource(PCM_PARTIAL_RESOURCE_DESCRIPTOR one, UCHAR type, ULONGLONG length,
                                  ULONGLONG start)
{
    static const struct {
        unsigned shift;
        USHORT flag;
    } units[] = {{0, 0},
                 {8, CM_RESOURCE_MEMORY_LARGE_40},
                 {16, CM_RESOURCE_MEMORY_LARGE_48},
                 {32, CM_RESOURCE_MEMORY_LARGE_64}};
    unsigned i = 0;

    if (type != CmResourceTypeMemory && type != CmResourceTypeMemoryLarge &&
        type != CmResourceTypePort)
        return STATUS_INVALID_PARAMETER;
    while (i < 3 && length >> units[i].shift > UINT32_MAX)
        i++;
    if (length >> units[i].shift > UINT32_MAX || (i > 0 && type == CmResourceTypePort) ||
        (length & ((UINT64_C(1) << units[i].shift) - 1)) != 0)
        return STATUS_NOT_SUPPORTED;
    one->Type = i > 0                        ? CmResourceTypeMemoryLarge
                : type == CmResourceTypePort ? type
                                             : CmResourceTypeMemory;
    one->Flags =
        (USHORT)((one->Flags & ~(CM_RESOURCE_MEMORY_LARGE_40 | CM_RESOURCE_MEMORY_LARGE_48 |
                                 CM_RESOURCE_MEMORY_LARGE_64)) |
                 units[i].flag);
    one->u.Generic.Start.QuadPart = (LONGLONG)start;
    one->u.Generic.Length = (ULONG)(length >> units[i].shift);
    return STATUS_SUCCESS;
}

static void add_memory(CM_PARTIAL_RESOURCE_LIST *list, uint64_t start, uint64_t size)
{
    RtlCmEncodeMemIoResource(add(list, CmResourceTypeMemory, 0, 0), CmResourceTypeMemory, size,
                             start);
}

static void add_interrupt(CM_PARTIAL_RESOURCE_LIST *list)
{
    const struct vidmm_device_model *model = vidmm_kit_kernel.options.model;
    CM_PARTIAL_RESOURCE_DESCRIPTOR *one = &list->PartialDescriptors[list->Count++];

    one->Type = CmResourceTypeInterrupt;
    if (model && model->messages == 0) {
        one->ShareDisposition = CmResourceShareShared;
        one->Flags = CM_RESOURCE_INTERRUPT_LEVEL_SENSITIVE;
        one->u.Interrupt.Level = VIDMM_DEVICE_LEVEL;
        one->u.Interrupt.Vector = VIDMM_DEVICE_LEVEL;
        one->u.Interrupt.Affinity = 1;
        return;
    }
    one->Flags = CM_RESOURCE_INTERRUPT_LATCHED | CM_RESOURCE_INTERRUPT_MESSAGE;
    one->u.MessageInterrupt.Translated.Level = VIDMM_DEVICE_LEVEL;
    one->u.MessageInterrupt.Translated.Affinity = 1;
}

void *vidmm_kit_resources(void)
{
    CM_PARTIAL_RESOURCE_LIST *list;
    uint64_t start, size;
    bool ports;

    if (resources)
        return resources;
    resources = calloc(1, sizeof(*resources) +
                              2 * VIDMM_BUS_REGIONS * sizeof(CM_PARTIAL_RESOURCE_DESCRIPTOR));
    if (!resources)
        return NULL;
    resources->Count = 1;
    resources->List[0].InterfaceType = PCIBus;
    list = &resources->List[0].PartialResourceList;
    list->Version = list->Revision = 1;
    for (uint32_t i = 0; i < VIDMM_BUS_REGIONS; i++) {
        size = bar_size(0x10 + 8 * i, &start);
        if (size)
            add_memory(list, start, size);
    }
    for (unsigned i = 0; i < VIDMM_BUS_REGIONS; i++) {
        if (!vidmm_kit_register_region(i, &start, &size, &ports))
            continue;
        if (ports)
            add(list, CmResourceTypePort, start, size)->Flags = CM_RESOURCE_PORT_IO;
        else
            add_memory(list, start, size);
    }
    add_interrupt(list);
    return resources;
}
