/* config.c: the part of a device's config space that the machine answers.
 *
 *     0x00  vendor id, device id      machine, read-only
 *     0x10  BAR 0  0x18  BAR 1  0x20  BAR 2      machine, 64 bits each
 *     the rest                        the device model
 *
 * A BAR reads as its physical address and four flag bits. Written with all ones, a half of it reads
 * as the size mask until something else is written; the address itself never moves. So a driver
 * learns sizes as it does on any PCI machine.
 */
#include "host/state.h"

#include <string.h>

enum {
    CONFIG_SIZE = 4096,
    CONFIG_IDS_END = 0x04,
    CONFIG_BARS = 0x10,
    CONFIG_BARS_END = 0x28,
    BAR_SIZE = 8,
    BAR_FLAGS = 0xC, /* memory, 64 bits, prefetchable */
};

/* The size a BAR decodes: a power of two. */
static uint64_t decoded_size(uint64_t size)
{
    uint64_t decoded = VIDMM_PAGE_SIZE;

    while (decoded < size)
        decoded *= 2;
    return decoded;
}

static uint64_t bar_value(const struct vidmm_slot *slot, unsigned region)
{
    unsigned bar = vidmm_slot_bar(slot, region);
    uint64_t size = atomic_load(&slot->machine->physical.bars[bar].size);

    if (size == 0)
        return 0;
    uint64_t address = vidmm_physical_bar_base(bar) | BAR_FLAGS;
    uint64_t mask = ~(decoded_size(size) - 1) | BAR_FLAGS;
    uint64_t low = (slot->sizing[region][0] ? mask : address) & UINT32_MAX;
    uint64_t high = (slot->sizing[region][1] ? mask : address) >> 32;
    return high << 32 | low;
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
