/* registers.c: registers and ports of a device model, and its config space.
 *
 *     a BAR of a model that has registers, at the address that its config space says:
 *         memory   a window without access rights
 *         ports    no addresses of the processor: a number
 *
 * READ_REGISTER_... of an address in a window calls the model. So does a plain load or store there,
 * which faults (plain_access.c).
 */
#include "kit/state.h"

#include <sys/mman.h>

static char *windows[VIDMM_BUS_REGIONS];
static uint64_t starts[VIDMM_BUS_REGIONS]; /* their physical addresses */

static const struct vidmm_device_model *model(void)
{
    return vidmm_kit_kernel.options.model;
}

bool vidmm_kit_register_region(unsigned region, uint64_t *start, uint64_t *size, bool *ports)
{
    unsigned kind;

    if (!model() || region >= VIDMM_BUS_REGIONS || model()->registers[region].size == 0 ||
        !vidmm_kit_bar(VIDMM_BUS_BAR_OFFSET(region), start, size, &kind))
        return false;
    *size = model()->registers[region].size;
    *ports = (kind & IS_PORTS) != 0;
    return *ports == model()->registers[region].ports;
}

bool vidmm_kit_registers_start(void)
{
    uint64_t start, size;
    bool ports;

    vidmm_kit_plain_start();
    for (unsigned i = 0; i < VIDMM_BUS_REGIONS; i++) {
        windows[i] = NULL;
        if (!vidmm_kit_register_region(i, &start, &size, &ports) || ports)
            continue;
        void *window = mmap(NULL, ROUND_TO_PAGES(size), PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (window == MAP_FAILED)
            return false;
        windows[i] = window;
        starts[i] = start;
    }
    return true;
}

void vidmm_kit_registers_stop(void)
{
    for (unsigned i = 0; i < VIDMM_BUS_REGIONS; i++) {
        if (windows[i])
            munmap(windows[i], ROUND_TO_PAGES(model()->registers[i].size));
        windows[i] = NULL;
    }
    vidmm_kit_resources_stop();
}

void *vidmm_kit_register_window(uint64_t address, uint64_t size)
{
    for (unsigned i = 0; i < VIDMM_BUS_REGIONS; i++) {
        uint64_t offset = address - starts[i];
        if (windows[i] && offset < model()->registers[i].size &&
            size <= ROUND_TO_PAGES(model()->registers[i].size) - offset)
            return windows[i] + offset;
    }
    return NULL;
}

static int region_of(const volatile void *address, uint64_t *offset)
{
    for (int i = 0; i < VIDMM_BUS_REGIONS; i++) {
        *offset = (uintptr_t)address - (uintptr_t)windows[i];
        if (windows[i] && *offset < ROUND_TO_PAGES(model()->registers[i].size))
            return i;
    }
    return -1;
}

bool vidmm_kit_in_register_window(const void *address)
{
    uint64_t offset;

    return region_of(address, &offset) >= 0;
}

/* ---- an access ---- */

static void access_model(const void *caller, unsigned region, uint64_t offset, void *value,
                         uint32_t length, bool write)
{
    bool done = offset + length <= model()->registers[region].size && offset % length == 0;

    if (done)
        done = write ? model()->write_register &&
                           model()->write_register(model()->device, region, offset, value, length)
                     : model()->read_register &&
                           model()->read_register(model()->device, region, offset, value, length);
    if (done)
        return;
    if (!write)
        memset(value, 0xFF, length);
    vidmm_kit_find(caller, VIDMM_KIT_NO_REGISTER, "%s of %u bytes at 0x%llx of region %u",
                   write ? "a write" : "a read", length, (unsigned long long)offset, region);
}

void vidmm_kit_register_plain(const void *caller, void *address, void *value, uint32_t length,
                              bool write)
{
    uint64_t offset;
    int region = region_of(address, &offset);

    access_model(caller, (unsigned)region, offset, value, length, write);
}

static void access_port(const void *caller, uintptr_t port, void *value, uint32_t length,
                        bool write)
{
    uint64_t start, size;
    bool ports;

    for (unsigned i = 0; i < VIDMM_BUS_REGIONS; i++) {
        if (vidmm_kit_register_region(i, &start, &size, &ports) && ports && port - start < size) {
            access_model(caller, i, port - start, value, length, write);
            return;
        }
    }
    if (!write)
        memset(value, 0xFF, length);
    vidmm_kit_find(caller, VIDMM_KIT_NO_REGISTER, "%s of %u bytes at port 0x%llx",
                   write ? "a write" : "a read", length, (unsigned long long)port);
}

#define REGISTER_ROUTINES(name, type)                                                              \
    static type read_##name(const void *caller, volatile type *address, bool fence)                \
    {                                                                                              \
        uint64_t offset;                                                                           \
        int region = region_of(address, &offset);                                                  \
        type value;                                                                                \
        if (region < 0)                                                                            \
            return fence ? __atomic_load_n(address, __ATOMIC_ACQUIRE)                              \
                         : __atomic_load_n(address, __ATOMIC_RELAXED);                             \
        access_model(caller, (unsigned)region, offset, &value, sizeof(value), false);              \
        return value;                                                                              \
    }                                                                                              \
    static void write_##name(const void *caller, volatile type *address, type value, bool fence)   \
    {                                                                                              \
        uint64_t offset;                                                                           \
        int region = region_of(address, &offset);                                                  \
        if (region >= 0)                                                                           \
            access_model(caller, (unsigned)region, offset, &value, sizeof(value), true);           \
        else if (fence)                                                                            \
            __atomic_store_n(address, value, __ATOMIC_RELEASE);                                    \
        else                                                                                       \
            __atomic_store_n(address, value, __ATOMIC_RELAXED);                                    \
    }                                                                                              \
    type READ_REGISTER_##name(volatile type *address)                                              \
    {                                                                                              \
        return read_##name(CALLER, address, true);                                                 \
    }                                                                                              \
    type READ_REGISTER_NOFENCE_##name(volatile type *address)                                      \
    {                                                                                              \
        return read_##name(CALLER, address, false);                                                \
    }                                                                                              \
    VOID WRITE_REGISTER_##name(volatile type *address, type value)                                 \
    {                                                                                              \
        write_##name(CALLER, address, value, true);                                                \
    }                                                                                              \
    VOID WRITE_REGISTER_NOFENCE_##name(volatile type *address, type value)                         \
    {                                                                                              \
        write_##name(CALLER, address, value, false);                                               \
    }                                                                                              \
    VOID READ_REGISTER_BUFFER_##name(volatile type *address, type *buffer, ULONG count)            \
    {                                                                                              \
        for (ULONG i = 0; i < count; i++)                                                          \
            buffer[i] = read_##name(CALLER, address + i, true);                                    \
    }                                                                                              \
    VOID WRITE_REGISTER_BUFFER_##name(volatile type *address, type *buffer, ULONG count)           \
    {                                                                                              \
        for (ULONG i = 0; i < count; i++)                                                          \
            write_##name(CALLER, address + i, buffer[i], true);                                    \
    }
REGISTER_ROUTINES(UCHAR, UCHAR)
REGISTER_ROUTINES(USHORT, USHORT)
REGISTER_ROUTINES(ULONG, ULONG)
REGISTER_ROUTINES(ULONG64, ULONG64)

#define PORT_ROUTINES(name, type)                                                                  \
    type READ_PORT_##name(type *port)                                                              \
    {                                                                                              \
        type value;                                                                                \
        access_port(CALLER, (uintptr_t)port, &value, sizeof(value), false);                        \
        return value;                                                                              \
    }                                                                                              \
    VOID WRITE_PORT_##name(type *port, type value)                                                 \
    {                                                                                              \
        access_port(CALLER, (uintptr_t)port, &value, sizeof(value), true);                         \
    }                                                                                              \
    VOID READ_PORT_BUFFER_##name(type *port, type *buffer, ULONG count)                            \
    {                                                                                              \
        for (ULONG i = 0; i < count; i++)                                                          \
            access_port(CALLER, (uintptr_t)port, &buffer[i], sizeof(*buffer), false);              \
    }                                                                                              \
    VOID WRITE_PORT_BUFFER_##name(type *port, type *buffer, ULONG count)                           \
    {                                                                                              \
        for (ULONG i = 0; i < count; i++)                                                          \
            access_port(CALLER, (uintptr_t)port, &buffer[i], sizeof(*buffer), true);               \
    }
PORT_ROUTINES(UCHAR, UCHAR)
PORT_ROUTINES(USHORT, USHORT)
PORT_ROUTINES(ULONG, ULONG)

/* ---- config space: the one device there is, in slot 0 of bus 0 ---- */

ULONG HalGetBusDataByOffset(BUS_DATA_TYPE type, ULONG bus, ULONG slot, PVOID buffer, ULONG offset,
                            ULONG length)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;

    if (type != PCIConfiguration || bus != 0 || slot != 0)
        return 0;
    return host->read_config(host->context, offset, buffer, length) ? length : 0;
}

ULONG HalGetBusData(BUS_DATA_TYPE type, ULONG bus, ULONG slot, PVOID buffer, ULONG length)
{
    return HalGetBusDataByOffset(type, bus, slot, buffer, 0, length);
}

ULONG HalSetBusDataByOffset(BUS_DATA_TYPE type, ULONG bus, ULONG slot, PVOID buffer, ULONG offset,
                            ULONG length)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;

    if (type != PCIConfiguration || bus != 0 || slot != 0)
        return 0;
    return host->write_config(host->context, offset, buffer, length) ? length : 0;
}

BOOLEAN HalTranslateBusAddress(INTERFACE_TYPE type, ULONG bus, PHYSICAL_ADDRESS address,
                               PULONG space, PPHYSICAL_ADDRESS translated)
{
    (void)type, (void)bus, (void)space;
    *translated = address;
    return TRUE;
}
