/* bus.h: the machine as a device model sees it, and the device as the machine sees it.
 *
 *        driver (miniport) --- config space, BAR memory ---+
 *                                                          |
 *     machine <-- memory(), raise_interrupt(), kick() -- device model
 *             --- read_config(), write_config(), step() -->
 *
 * One physical address space of page frames holds system memory and the memory of every device. A
 * device names all of it by physical address, never by host pointer, and never learns who manages
 * it. The machine (src/host) owns the bus; it is valid from attach to detach.
 *
 * A device is a PCI function: its regions of memory, views, registers and ports appear as BARs,
 * which the machine answers in the config space.
 *
 *     offset   0x10     0x14     0x18     0x1C     0x20     0x24
 *     BAR      0        3        1        4        2        5
 *             |  0, 64 bits     |  1, 64 bits     |  2, 64 bits     |
 *                      |  3, 64 bits     |  4, 64 bits     |
 *
 * A region has a BAR of 64 bits, whose second half takes the place of the BAR behind; one of ports,
 * and number 5, have 32 bits, and so has every BAR for which the device asks (use_32_bits).
 *
 * Its registers are words in BAR memory, or a region that answers each access, or vendor words of
 * the config space at offset 0x40 and above (answered by the device: a write there is a
 * doorbell).
 */
#ifndef VIDMM_BUS_H
#define VIDMM_BUS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_BUS_REGIONS 6 /* regions a device may have, each with a BAR */
/* The offset in config space at which the BAR of a region begins. */
#define VIDMM_BUS_BAR_OFFSET(region)                                                               \
    ((region) < 3 ? 0x10u + 8u * (unsigned)(region) : 0x14u + 8u * ((unsigned)(region)-3u))

struct vidmm_bus {
    void *context;

    /* The bytes of physical addresses [physical_address, physical_address + size): a CPU pointer,
     * or NULL unless all of them lie in one region (system memory, or a BAR of any device). Valid
     * until the device is detached. May be called from any thread. */
    void *(*memory)(void *context, uint64_t physical_address, uint64_t size);

    /* Before a device reads these bytes of system memory as the caches see them, and after it has
     * written them so: an access that snoops. NULL: every access does. Addresses as for
     * memory(). */
    void (*snoop)(void *context, uint64_t physical_address, uint64_t size);

    /* A bridge that posts writes, as that of an AGP aperture does: a device's writes behind it
     * reach memory later, in order, and the CPU may look before. `post` hands it bytes of one page,
     * addresses as for memory(); false: the address is not behind such a bridge, write there
     * yourself (size 0: only ask). `push` has all of it reach memory, as a read through the bridge
     * does: call it before reading. NULL both: every write is memory at once. Any thread. */
    bool (*post)(void *context, uint64_t physical_address, const void *bytes, uint64_t size);
    void (*push)(void *context);

    /* The IOMMU: the physical address behind one of a process, whose address space `pasid` names;
     * it holds to the end of the page, until the page is unmapped. False: the process has no page
     * there, or `write` and none to write. NULL: the machine has no IOMMU. Any thread. */
    bool (*translate)(void *context, uint32_t pasid, uint64_t address, bool write,
                      uint64_t *physical_address);

    /* Give the device `size` bytes (whole pages; for `vidmm check` a power of two, 4 KiB to 64 GiB,
     * as a BAR of PCI is) of memory of its own, as BAR `region`
     * (0 .. VIDMM_BUS_REGIONS - 1). The physical address is the machine's choice and never 0.
     * False: no memory, the region exists already, or its BAR's place is taken; nothing has
     * changed. */
    bool (*add_memory)(void *context, unsigned region, uint64_t size, uint64_t *physical_address);

    /* Addresses with no memory behind them, in which the device lets the CPU see memory that is
     * elsewhere: `size` bytes of them (whole pages; for `vidmm check` as for add_memory) in the
     * place of BAR `region`. False: as for add_memory. NULL: the machine has no such thing. */
    bool (*add_view)(void *context, unsigned region, uint64_t size, uint64_t *physical_address);
    /* From an address of a view on, show `count` pages, by their physical addresses: system memory,
     * or of a BAR of the device. The pages that were shown from that address on before are no
     * longer shown; count 0: nothing is shown there. Passive level. False: no memory, nothing has
     * changed. */
    bool (*show_view)(void *context, uint64_t physical_address, uint64_t count,
                      const uint64_t *pages);
    /* Give BAR `region` 32 bits: an address below 4 GiB, so that the BAR behind is free for another
     * region. All such BARs of the machine together have 1 GiB (0xC0000000 to 0xFFFFFFFF), of which
     * each takes 1 MiB or more, and has 512 MiB at most. Call it before the region is added; for
     * registers, before the device is plugged in. False: there is no such region, it has been
     * added. NULL: the machine has no such BARs. */
    bool (*use_32_bits)(void *context, unsigned region);

    /* Raise the device's interrupt. The driver's interrupt service routine runs once for it, at
     * device level: at once on this thread, or later, as the machine likes. */
    void (*raise_interrupt)(void *context, uint32_t message);

    /* Let the machine run an engine of the device: once kicked, `step` is called, never twice at a
     * time for one engine, until it answers false (nothing to do), and again after the next kick.
     * A kick during a step is not lost. Engines of one device run at the same time as each other.
     * Answers the engine's number, or -1 if the machine can run no more. */
    int (*add_engine)(void *context, const char *name, bool (*step)(void *engine), void *engine);
    void (*kick_engine)(void *context, int engine);

    /* Nanoseconds of a clock that never goes back, for statistics. NULL: the machine has none. Any
     * thread. */
    uint64_t (*now_ns)(void *context);
    /* Let other threads run: one of them is in a step that the caller waits for. NULL: the machine
     * has one thread. Any thread. */
    void (*yield)(void *context);
};

/* The device's half. Offsets and lengths are bytes of the 4096-byte config space. False: there is
 * no such register; the driver's call fails. A member that is NULL: reads are zeros, and writes do
 * nothing. examples/register_device.h is a whole one. */
struct vidmm_device_model {
    void *device;
    uint16_t vendor_id, device_id;
    uint16_t messages; /* it interrupts by so many messages (MSI); 0: by a line, and message 0 */
    bool (*read_config)(void *device, uint32_t offset, void *buffer, uint32_t length);
    bool (*write_config)(void *device, uint32_t offset, const void *buffer, uint32_t length);

    /* Regions of registers, for drivers that reach them through a kernel's register and port
     * routines, or by loads and stores (the kit): each access is a call. Sizes are powers of two,
     * 16 bytes to 4 GiB, of ports 4 bytes to 4 KiB. All zero: the device has none. */
    struct vidmm_register_region {
        uint64_t size; /* bytes; 0: there is no such region */
        bool ports;    /* in the port space of 64 KiB, not in memory */
    } registers[VIDMM_BUS_REGIONS];
    /* length is 1, 2, 4 or 8, and offset a multiple of it, within the region. Any thread, any
     * level. False: there is no such register; a read then sees all ones. */
    bool (*read_register)(void *device, unsigned region, uint64_t offset, void *buffer,
                          uint32_t length);
    bool (*write_register)(void *device, unsigned region, uint64_t offset, const void *buffer,
                           uint32_t length);
};

#ifdef __cplusplus
}
#endif

#endif
