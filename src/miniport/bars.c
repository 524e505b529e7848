/* bars.c: the sizes of BARs. */
#include "miniport/bars.h"

#include <stdio.h>

#include <vidmm/bus.h>

#include "host/machine.h"

static const struct {
    const char *name, *range;
    uint64_t least, most; /* bytes */
} kinds[] = {
    [VIDMM_BAR_NONE] = {"none", "0", 0, 0},
    [VIDMM_BAR_MEMORY] = {"memory", "4K to 64G", 4096, VIDMM_MACHINE_BAR_WINDOW},
    [VIDMM_BAR_REGISTERS] = {"registers", "16 bytes to 4G", 16, UINT64_C(1) << 32},
    [VIDMM_BAR_PORTS] = {"ports", "4 bytes to 4K", 4, 4096},
};

bool vidmm_bar_size(enum vidmm_bar_kind kind, uint64_t size)
{
    return size >= kinds[kind].least && size <= kinds[kind].most && (size & (size - 1)) == 0;
}

void vidmm_bar_explain(unsigned bar, enum vidmm_bar_kind kind, uint64_t size, char *error,
                       size_t room)
{
    snprintf(error, room, "BAR %u: %s of %llu bytes; a BAR of that kind is %s, a power of two", bar,
             kinds[kind].name, (unsigned long long)size, kinds[kind].range);
}

bool vidmm_bars_judge(const struct vidmm_slot *slot, const struct vidmm_device_model *model,
                      char *error, size_t room)
{
    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++) {
        const struct vidmm_register_region *region = &model->registers[bar];
        enum vidmm_bar_kind kind = region->ports ? VIDMM_BAR_PORTS : VIDMM_BAR_REGISTERS;
        uint64_t size;

        if (vidmm_slot_asked_memory(slot, bar, &size) && !vidmm_bar_size(VIDMM_BAR_MEMORY, size)) {
            vidmm_bar_explain(bar, VIDMM_BAR_MEMORY, size, error, room);
            return false;
        }
        if (region->size != 0 && vidmm_slot_asked_memory(slot, bar, &size)) {
            snprintf(
                error, room,
                "BAR %u: memory of %llu bytes and registers of %llu bytes; one number is one BAR",
                bar, (unsigned long long)size, (unsigned long long)region->size);
            return false;
        }
        if (region->size != 0 && !vidmm_bar_size(kind, region->size)) {
            vidmm_bar_explain(bar, kind, region->size, error, room);
            return false;
        }
    }
    return true;
}
