/* umd_atlas.h: the user-mode half of program.c for the miniport of miniports/atlas. */
#ifndef TEST_DXCORE_UMD_ATLAS_H
#define TEST_DXCORE_UMD_ATLAS_H

#include <string.h>

#include "atlas/atlas_hw.h"
#include "atlas/atlas_umd.h"

enum {
    UMD_LOCKS_MEMORY = 0, /* the CPU sees memory of the program alone */
    UMD_HAS_HEAPS = 0,    /* the driver describes no standard allocation */
    UMD_HAS_BUDGETS = 0   /* no segment is an ApplicationTarget, so nothing counts (D-205) */
};

typedef struct atlas_private umd_wish;

static inline umd_wish umd_wish_for(unsigned pages, bool own, bool visible)
{
    return (umd_wish){.magic = ATLAS_PRIVATE_MAGIC,
                      .flags = own || visible ? ATLAS_PRIVATE_VISIBLE : 0,
                      .size = (uint64_t)pages * ATLAS_PAGE};
}

static inline uint32_t umd_put(void *place, struct atlas_command command)
{
    command.bytes = sizeof(command);
    memcpy(place, &command, sizeof(command));
    return sizeof(command);
}

static inline uint32_t umd_fill(void *place, uint64_t address, uint32_t bytes, uint32_t pattern)
{
    return umd_put(place,
                   (struct atlas_command){
                       .opcode = ATLAS_FILL, .first = address, .second = pattern, .count = bytes});
}

static inline uint32_t umd_copy(void *place, uint64_t to, uint64_t from, uint32_t bytes)
{
    return umd_put(place, (struct atlas_command){
                              .opcode = ATLAS_COPY, .first = to, .second = from, .count = bytes});
}

/* Values are below 2 to the power of 32 here: the upper half stays 0. */
static inline uint32_t umd_signal(void *place, uint64_t address, uint64_t value)
{
    return umd_fill(place, address, sizeof(uint32_t), (uint32_t)value);
}

#endif
