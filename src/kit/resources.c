/* resources.c: the device's address ranges and interrupts, as a driver is told of them.
 *
 * Source: CM_RESOURCE_LIST, CM_PARTIAL_RESOURCE_DESCRIPTOR, RtlCmEncodeMemIoResource.
 */
#include "kit/dxgk.h"
#include "kit/state.h"

static CM_RESOURCE_LIST *resources;

void vidmm_kit_resources_stop(void)
{
    free(resources);
    resources = NULL;
}

enum { FIRST_BAR = 0x10, BEHIND_BARS = 0x28, BAR_WORD = 4 };

/* In the way of PCI: write ones, read back, restore. */
bool vidmm_kit_bar(uint32_t offset, uint64_t *start, uint64_t *size, unsigned *kind)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    uint64_t ones = UINT64_MAX, value = 0, mask = 0, flags;
    uint32_t length = BAR_WORD;

    if (!host->read_config(host->context, offset, &value, BAR_WORD) || value == 0)
        return false;
    *kind = value & IS_PORTS ? IS_PORTS : value & (IS_64_BITS | IS_PREFETCHABLE);
    if (*kind & IS_64_BITS)
        length = 2 * BAR_WORD;
    host->read_config(host->context, offset, &value, length);
    host->write_config(host->context, offset, &ones, length);
    host->read_config(host->context, offset, &mask, length);
    host->write_config(host->context, offset, &value, length);
    flags = *kind & IS_PORTS ? 3 : 15;
    *start = value & ~flags;
    *size = ~(mask & ~flags) + 1;
    if (length == BAR_WORD)
        *size &= UINT32_MAX;
    return *start != 0;
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

/* The unit of Length, in bits of shift; obeys the page of CM_PARTIAL_RESOURCE_DESCRIPTOR. */
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

static void add_memory(CM_PARTIAL_RESOURCE_LIST *list, uint64_t start, uint64_t size,
                       bool prefetchable)
{
    CM_PARTIAL_RESOURCE_DESCRIPTOR *one = add(list, CmResourceTypeMemory, 0, 0);

    one->Flags = prefetchable ? CM_RESOURCE_MEMORY_PREFETCHABLE : CM_RESOURCE_MEMORY_READ_WRITE;
    RtlCmEncodeMemIoResource(one, CmResourceTypeMemory, size, start);
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
    unsigned kind;

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
    for (uint32_t offset = FIRST_BAR; offset < BEHIND_BARS; offset += BAR_WORD) {
        if (!vidmm_kit_bar(offset, &start, &size, &kind))
            continue;
        if (kind & IS_64_BITS)
            offset += BAR_WORD;
        if (kind & IS_PORTS)
            add(list, CmResourceTypePort, start, size)->Flags = CM_RESOURCE_PORT_IO;
        else
            add_memory(list, start, size, kind & IS_PREFETCHABLE);
    }
    add_interrupt(list);
    return resources;
}

/* ---- the driver's mappings of them ---- */

/* By MmMapIoSpace or by DxgkCbMapMemory. Behind DxgkDdiStopDevice the addresses may be given to
 * another device, so whoever calls that function asks for them. */
struct device_mapping {
    struct device_mapping *next;
    const void *address;
    const void *caller;
    bool by_callback;
};

static struct device_mapping *first; /* the newest; under memory */

bool vidmm_kit_is_of_device(uint64_t start, uint64_t size)
{
    uint64_t at, room;

    for (unsigned i = 0; vidmm_kit_device_memory(i, &at, &room); i++)
        if (start >= at && start + size <= at + room)
            return true;
    return false;
}

void vidmm_kit_device_mapped(const void *caller, const void *address, bool by_callback)
{
    struct device_mapping *mapping = calloc(1, sizeof(*mapping));

    if (!mapping)
        return;
    *mapping =
        (struct device_mapping){.address = address, .caller = caller, .by_callback = by_callback};
    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    mapping->next = first;
    first = mapping;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
}

void vidmm_kit_device_unmapped(const void *address, bool by_callback)
{
    struct device_mapping **at, *mapping;

    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    for (at = &first; (mapping = *at) != NULL; at = &mapping->next)
        if (mapping->address == address && mapping->by_callback == by_callback)
            break;
    if (mapping)
        *at = mapping->next;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    free(mapping);
}

unsigned vidmm_kit_device_mappings(bool by_callback, const void **caller)
{
    unsigned count = 0;

    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    for (const struct device_mapping *mapping = first; mapping; mapping = mapping->next) {
        if (mapping->by_callback != by_callback)
            continue;
        *caller = count++ == 0 ? mapping->caller : *caller;
    }
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    return count;
}

void vidmm_kit_device_mappings_stop(void)
{
    while (first) {
        struct device_mapping *mapping = first;

        first = mapping->next;
        free(mapping);
    }
}
