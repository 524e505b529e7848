/* bars.c: the sizes of BARs, and their places. */
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

/* Write "BAR 1: memory of 12288 bytes", and `then`. False, always. */
static bool explain(unsigned bar, const struct vidmm_bar *what, const char *then, char *error,
                    size_t room)
{
    snprintf(error, room, "BAR %u: %s of %llu bytes%s", bar, kinds[what->kind].name,
             (unsigned long long)what->size, then);
    return false;
}

/* ---- places ---- */

unsigned vidmm_bar_behind(unsigned bar)
{
    unsigned behind = 0;

    while (behind < VIDMM_BUS_REGIONS &&
           VIDMM_BUS_BAR_OFFSET(behind) != VIDMM_BUS_BAR_OFFSET(bar) + 4)
        behind++;
    return behind;
}

static bool is_32_bits(const struct vidmm_bar *bars, unsigned bar)
{
    return bars[bar].narrow || vidmm_bar_behind(bar) == VIDMM_BUS_REGIONS;
}

bool vidmm_bars_fit(const struct vidmm_bar *bars, char *error, size_t room)
{
    uint64_t low = 0;
    char then[200];

    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++) {
        const struct vidmm_bar *one = &bars[bar];
        unsigned behind = vidmm_bar_behind(bar);

        if (one->kind == VIDMM_BAR_NONE || one->kind == VIDMM_BAR_PORTS)
            continue;
        if (!is_32_bits(bars, bar)) {
            snprintf(then, sizeof(then),
                     "; it has 64 bits, and its second half is in the place of BAR %u (0x%X)",
                     behind, VIDMM_BUS_BAR_OFFSET(behind));
            if (bars[behind].kind != VIDMM_BAR_NONE)
                return explain(bar, one, then, error, room);
            continue;
        }
        if (one->size > VIDMM_MACHINE_LOW_MOST)
            return explain(bar, one, "; it has 32 bits, and so 512M at most", error, room);
        low += one->size > VIDMM_MACHINE_LOW_UNIT ? one->size : VIDMM_MACHINE_LOW_UNIT;
        if (low > VIDMM_MACHINE_LOW_SIZE)
            return explain(bar, one, "; the BARs of 32 bits have more than 1G together", error,
                           room);
    }
    return true;
}

static bool judge_size(unsigned bar, const struct vidmm_bar *what, char *error, size_t room)
{
    char then[100];

    if (what->kind == VIDMM_BAR_NONE || vidmm_bar_size(what->kind, what->size))
        return true;
    snprintf(then, sizeof(then), "; a BAR of that kind is %s, a power of two",
             kinds[what->kind].range);
    return explain(bar, what, then, error, room);
}

bool vidmm_bars_judge(const struct vidmm_slot *slot, const struct vidmm_device_model *model,
                      char *error, size_t room)
{
    struct vidmm_bar bars[VIDMM_BUS_REGIONS] = {{.kind = VIDMM_BAR_NONE}};

    for (unsigned bar = 0; bar < VIDMM_BUS_REGIONS; bar++) {
        const struct vidmm_register_region *region = &model->registers[bar];
        bool memory = vidmm_slot_asked_memory(slot, bar, &bars[bar].size);
        char then[200];

        bars[bar].kind = memory ? VIDMM_BAR_MEMORY : VIDMM_BAR_NONE;
        bars[bar].narrow = vidmm_slot_is_32_bits(slot, bar);
        if (!judge_size(bar, &bars[bar], error, room))
            return false;
        if (memory && region->size != 0) {
            snprintf(then, sizeof(then), " and registers of %llu bytes; one number is one BAR",
                     (unsigned long long)region->size);
            return explain(bar, &bars[bar], then, error, room);
        }
        if (region->size != 0) {
            bars[bar].kind = region->ports ? VIDMM_BAR_PORTS : VIDMM_BAR_REGISTERS;
            bars[bar].size = region->size;
        }
        if (!judge_size(bar, &bars[bar], error, room))
            return false;
    }
    return vidmm_bars_fit(bars, error, room);
}
