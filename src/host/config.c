/* config.c: the part of a device's config space that the machine answers.
 *
 *     0x00  vendor id, device id      machine, read-only
 *     0x10  BARs 0, 3, 1, 4, 2, 5     machine, a word of 32 bits each; of 64 bits: two
 *     the rest                        the device model
 *
 *     a BAR of      is                                 at
 *     memory        64 bits, prefetchable              its window of physical addresses
 *     a view        64 bits, prefetchable              its window of physical addresses
 *     registers     64 bits                            its window of physical addresses
 *     ports         32 bits                            PORT_BASE + number * PORT_WINDOW
 *
 * Those of memory, views and registers have 32 bits, and a window below 4 GiB, where the device
 * asked for it, and in the last word. A BAR reads as its address and the flag bits of its kind.
 * Written with all ones, a word of it reads as the size mask until something else is written; the
 * address itself never moves. So a driver learns sizes as it does on any PCI machine.
 *
 * The 64 KiB of ports have room for the BARs of two slots; a BAR of ports of another slot is 0, as
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
    WORD = 4,
    PORT_BASE = 0x1000,
    PORT_WINDOW = 0x1000,
    PORT_END = 0x10000,
};

_Static_assert(CONFIG_BARS + VIDMM_BUS_REGIONS * WORD == CONFIG_BARS_END, "a word a region");

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

bool vidmm_slot_is_32_bits(const struct vidmm_slot *slot, unsigned region)
{
    return slot->narrow[region] || VIDMM_BUS_BAR_OFFSET(region) + WORD == CONFIG_BARS_END;
}

static unsigned first_word(unsigned region)
{
    return (VIDMM_BUS_BAR_OFFSET(region) - CONFIG_BARS) / WORD;
}

/* The words of the BAR, a bit each. */
static unsigned words_of(const struct vidmm_slot *slot, unsigned region)
{
    bool one = slot->model.registers[region].ports || vidmm_slot_is_32_bits(slot, region);

    return (one ? 1u : 3u) << first_word(region);
}

static bool exists(const struct vidmm_slot *slot, unsigned region)
{
    return !vidmm_physical_is_free(&slot->machine->physical, vidmm_slot_bar(slot, region)) ||
           slot->model.registers[region].size != 0;
}

bool vidmm_slot_bar_is_free(const struct vidmm_slot *slot, unsigned region)
{
    for (unsigned other = 0; other < VIDMM_BUS_REGIONS; other++)
        if (other != region && exists(slot, other) &&
            (words_of(slot, other) & words_of(slot, region)) != 0)
            return false;
    return true;
}

bool vidmm_slot_place_bar(struct vidmm_slot *slot, unsigned region, uint64_t size)
{
    return !vidmm_slot_is_32_bits(slot, region) ||
           (size <= VIDMM_MACHINE_LOW_MOST &&
            vidmm_physical_place_low(&slot->machine->physical, vidmm_slot_bar(slot, region),
                                     decoded_size(size, LEAST_REGISTERS)));
}

static struct bar find_bar(const struct vidmm_slot *slot, unsigned region)
{
    unsigned bar = vidmm_slot_bar(slot, region);
    const struct vidmm_physical_bar *physical = &slot->machine->physical.bars[bar];
    const struct vidmm_register_region *registers = &slot->model.registers[region];
    uint64_t memory = atomic_load(&physical->size), port = PORT_BASE + bar * (uint64_t)PORT_WINDOW;
    uint64_t base = vidmm_physical_bar_base(&slot->machine->physical, bar);
    uint64_t width = vidmm_slot_is_32_bits(slot, region) ? 0 : IS_64_BITS;

    memory = memory != 0 ? memory : physical->view_size;
    if (memory != 0)
        return (struct bar){base, decoded_size(memory, VIDMM_PAGE_SIZE), width | IS_PREFETCHABLE};
    if (registers->size == 0 || (registers->ports && port + PORT_WINDOW > PORT_END))
        return (struct bar){0};
    if (registers->ports)
        return (struct bar){port, decoded_size(registers->size, LEAST_PORTS), IS_PORTS};
    return (struct bar){base, decoded_size(registers->size, LEAST_REGISTERS), width};
}

uint64_t vidmm_slot_bar_address(const struct vidmm_slot *slot, unsigned region)
{
    struct bar bar = find_bar(slot, region);

    return bar.size != 0 ? bar.address : 0;
}

/* A word of the BARs: of the one that begins there, or the second of the one before. */
static uint32_t bar_word(const struct vidmm_slot *slot, unsigned word)
{
    for (unsigned region = 0; region < VIDMM_BUS_REGIONS; region++) {
        unsigned first = first_word(region);
        struct bar bar = find_bar(slot, region);
        bool second = first + 1 == word && (bar.flags & IS_64_BITS) != 0;

        if (bar.size == 0 || (first != word && !second))
            continue;
        uint64_t value = (slot->sizing[word] ? ~(bar.size - 1) : bar.address) | bar.flags;
        return (uint32_t)(second ? value >> 32 : value);
    }
    return 0;
}

/* The byte the machine answers at the offset, which is in one of its areas. */
static uint8_t own_byte(const struct vidmm_slot *slot, uint32_t offset)
{
    if (offset < CONFIG_IDS_END) {
        uint32_t ids = slot->model.vendor_id | (uint32_t)slot->model.device_id << 16;
        return (uint8_t)(ids >> (8 * offset));
    }
    uint32_t value = bar_word(slot, (offset - CONFIG_BARS) / WORD);
    return (uint8_t)(value >> (8 * (offset % WORD)));
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

/* Note which words of the BARs are being sized; a write of less than a word ends its sizing. */
static void write_own(struct vidmm_slot *slot, uint32_t offset, const uint8_t *bytes, uint32_t size)
{
    if (offset < CONFIG_IDS_END)
        return;
    for (uint32_t i = 0; i < size;) {
        uint32_t position = offset + i - CONFIG_BARS;
        uint32_t value = 0;
        uint32_t part = WORD - position % WORD;
        if (part == WORD && size - i >= WORD)
            memcpy(&value, bytes + i, sizeof(value));
        slot->sizing[position / WORD] = value == UINT32_MAX;
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
