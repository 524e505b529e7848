/* umd_softgpu.h: the user-mode half of program.c for the software GPU. */
#ifndef TEST_DXCORE_UMD_SOFTGPU_H
#define TEST_DXCORE_UMD_SOFTGPU_H

#include <string.h>

#include "softgpu/softgpu.h"

enum {
    UMD_LOCKS_MEMORY = 1, /* the CPU may lock what is in a memory segment */
    UMD_HAS_HEAPS = 1,    /* memory of the program can be an allocation */
    UMD_HAS_BUDGETS = 1   /* a process is told to trim */
};

typedef struct softgpu_allocation umd_wish;

#define MEMORY 2u /* the segment, as a set: bit 1 is segment 2 */
#define APERTURE 1u

/* Memory that is the program's own, that the CPU locks, or that the GPU alone sees. */
static inline umd_wish umd_wish_for(unsigned pages, bool own, bool visible)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {
        .ExistingSysMem = own, .Cached = own, .CpuVisible = own || visible};
    unsigned set = own ? APERTURE : MEMORY;

    return (umd_wish){.magic = SOFTGPU_ALLOCATION_MAGIC,
                      .flags = flags.Value,
                      .size = (uint64_t)pages * 4096,
                      .read_set = set,
                      .write_set = set,
                      .evict_set = APERTURE,
                      .priority = SOFTGPU_PRIORITY_NORMAL};
}

/* Each writes a command, and answers its size. */
static inline uint32_t umd_fill(void *place, uint64_t address, uint32_t bytes, uint32_t pattern)
{
    struct softgpu_virtual_fill *command = place;

    memset(command, 0, sizeof(*command));
    command->command = (struct softgpu_command){SOFTGPU_VIRTUAL_FILL, sizeof(*command)};
    command->bytes = bytes;
    command->gpuva = address;
    command->space = SOFTGPU_VIRTUAL_SPACE;
    command->pattern = pattern;
    return sizeof(*command);
}

static inline uint32_t umd_copy(void *place, uint64_t to, uint64_t from, uint32_t bytes)
{
    struct softgpu_virtual_copy *command = place;

    memset(command, 0, sizeof(*command));
    command->command = (struct softgpu_command){SOFTGPU_VIRTUAL_COPY, sizeof(*command)};
    command->bytes = bytes;
    command->source.space = command->destination.space = SOFTGPU_VIRTUAL_SPACE;
    command->source.gpuva = from;
    command->destination.gpuva = to;
    return sizeof(*command);
}

static inline uint32_t umd_signal(void *place, uint64_t address, uint64_t value)
{
    struct softgpu_virtual_signal *command = place;

    memset(command, 0, sizeof(*command));
    command->command = (struct softgpu_command){SOFTGPU_VIRTUAL_SIGNAL, sizeof(*command)};
    command->gpuva = address;
    command->value = value;
    return sizeof(*command);
}

#endif
