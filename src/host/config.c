/* config.c: the part of a device's config space that the machine answers.
 *
 *     0x00  vendor id, device id      machine, read-only
 *     0x10  BAR 0  0x18  BAR 1  0x20  BAR 2      machine, two words of 32 bits each
 *     the rest                        the device model
 *
 *     a BAR of      is                                 at
 *     memory        64 bits, prefetchable              its window of physical addresses
 *     a view        64 bits, prefetchable              its window of physical addresses
 *     registers     64 bits                            its window of physical addresses
 *     ports         32 bits; its second word is 0      PORT_BASE + number * PORT_WINDOW
 *
 * A BAR reads as its address and the flag bits of its kind. Written with all ones, a half of it
 * reads as the size mask until something else is written; the address itself never moves. So a
 * driver learns sizes as it does on any PCI machine.
 *
 * The 64 KiB of ports have room for the BARs of five slots; a BAR of ports of another slot is 0, as
 * where firmware has no ports to give. Source: PCI Local Bus Specification 3.0, 6.2.5.1.
 */
#include "host/state.h"

#include <string.h>

#include <vidmm/page.h>

enum {
    CONFIG_SIZE = 4096,
    CONFIG_IDS_END = 0x04,
    CONFIG_BARS = 0x10,
    CONFIG_BARS_END = 0x28,
    BAR_SIZE = 8,
    PORT_BASE = 0x1000,
    PORT_WINDOW = 0x1000,
    PORT_END = 0x10000,
};

enum { IS_PORTS = 1, IS_64_BITS = 4, IS_PREFETCHABLE = 8 };
enum { LEAST_PORTS = 4, LEAST_REGISTERS = 16 };

/* The size a BAR decodes: a power of two, and `least` at the least. */
static uint64_t decoded_size(uint64_t size, uint64_t least)
{
    uint64_t decoded = least;

    while (decoded < size)
        decoded *= 2;
    return decoded;
}

struct bar {
    uint64_t address, size, flags; /* size: as decoded; 0: there is no such BAR */
};

static struct bar find_bar(const struct vidmm_slot *slot, unsigned region)
{
    unsigned bar = vidmm_slot_bar(slot, region);
    const struct vidmm_physical_bar *physical = &slot->machine->physical.bars[bar];
    const struct vidmm_register_region *registers = &slot->model.registers[region];
    uint64_t memory = atomic_load(&physical->size), port = PORT_BASE + bar * (uint64_t)PORT_WINDOW;

    memory = memory != 0 ? memory : physical->view_size;
    if (memory != 0)
        return (struct bar){vidmm_physical_bar_base(bar), decoded_size(memory, VIDMM_PAGE_SIZE),
                            IS_64_BITS | IS_PREFETCHABLE};
    if (registers->size == 0 || (registers->ports && port + PORT_WINDOW > PORT_END))
        return (struct bar){0};
    if (registers->ports)
        return (struct bar){port, decoded_size(registers->size, LEAST_PORTS), IS_PORTS};
    return (struct bar){vidmm_physical_bar_base(bar),
                        decoded_size(registers->size, LEAST_REGISTERS), IS_64_BITS};
}

static uint64_t bar_value(const struct vidmm_slot *slot, unsigned region)
{
    struct bar bar = find_bar(slot, region);

    if (bar.size == 0)
        return 0;
    uint64_t address = bar.address | bar.flags, mask = ~(bar.size - 1) | bar.flags;
    uint64_t low = (slot->sizing[region][0] ? mask : address) & UINT32_MAX;
    uint64_t high = (slot->sizing[region][1] ? mask : address) >> 32;
    return bar.flags & IS_PORTS ? low : high << 32 | low;
}

/* The byte the machine answers at the offset, which is in one of its areas. */
static uint8_t own_byte(const struct vidmm_slot *slot, uint32_t offset)
{
    if (offset < CONFIG_IDS_END) {
        uint32_t ids = slot->model.vendor_id | (uint32_t)slot->model.device_id << 16;
        return (uint8_t)(ids >> (8 * offset));
    }
    uint64_t value = bar_value(slot, (offset - CONFIG_BARS) / BAR_SIZE);
    return (uint8_t)(value >> (8 * (offset % BAR_SIZE)));
}

/* The end of the area that offset lies in, and whether it is the machine's. */
static uint32_t area_end(uint32_t offset, bool *own)
{
    *own = offset < CONFIG_IDS_END || (offset >= CONFIG_BARS && offset < CONFIG_BARS_END);
    if (offset < CONFIG_IDS_END)
        return CONFIG_IDS_END;
    if (offset < CONFIG_BARS)
        return CONFIG_BARS;
    return offset < CONFIG_BARS_END ? CONFIG_BARS_END : CONFIG_SIZE;
}

static bool in_space(const struct vidmm_slot *slot, uint32_t offset, uint32_t length)
{
    return slot->plugged && length > 0 && offset < CONFIG_SIZE && length <= CONFIG_SIZE - offset;
}

bool vidmm_slot_read_config(struct vidmm_slot *slot, uint32_t offset, void *buffer, uint32_t length)
{
    uint8_t *bytes = buffer;

    if (!in_space(slot, offset, length))
        return false;
    while (length > 0) {
        bool own;
        uint32_t part = area_end(offset, &own) - offset;
        part = part < length ? part : length;
        if (own)
            for (uint32_t i = 0; i < part; i++)
                bytes[i] = own_byte(slot, offset + i);
        else if (!slot->model.read_config)
            memset(bytes, 0, part);
        else if (!slot->model.read_config(slot->model.device, offset, bytes, part))
            return false;
        bytes += part;
        offset += part;
        length -= part;
    }
    return true;
}

/* Note which halves of the BARs are being sized; a write of less than a half ends its sizing. */
static void write_own(struct vidmm_slot *slot, uint32_t offset, const uint8_t *bytes, uint32_t size)
{
    if (offset < CONFIG_IDS_END)
        return;
    for (uint32_t i = 0; i < size;) {
        uint32_t position = offset + i - CONFIG_BARS;
        uint32_t value = 0;
        uint32_t part = 4 - position % 4;
        if (part == 4 && size - i >= 4)
            memcpy(&value, bytes + i, sizeof(value));
        slot->sizing[position / BAR_SIZE][position % BAR_SIZE / 4] = value == UINT32_MAX;
        i += part;
    }
}

bool vidmm_slot_write_config(struct vidmm_slot *slot, uint32_t offset, const void *buffer,
                             uint32_t length)
{
    const uint8_t *bytes = buffer;

    if (!in_space(slot, offset, length))
        return false;
    while (length > 0) {
        bool own;
        uint32_t part = area_end(offset, &own) - offset;
        part = part < length ? part : length;
        if (own)
            write_own(slot, offset, bytes, part);
        else if (slot->model.write_config &&
                 !slot->model.write_config(slot->model.device, offset, bytes, part))
            return false;
        bytes += part;
        offset += part;
        length -= part;
    }
    return true;
}
