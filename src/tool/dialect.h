/*
 * dialect.h: the user-mode driver of the software GPU, as a replay needs it.
 *
 *     what the program asked for      where it may live (bit n of a set: segment n + 1)
 *     local                           memory segments; with `spill` apertures too, memory preferred
 *     local, visible                  as local, and CpuVisible; apertures only, if the CPU reaches
 *                                     no memory segment
 *     (either of these)               in a memory segment with banks one bank and the next are
 *                                     preferred, by size
 *     anything else                   apertures; CpuVisible if it is visible, Cached if it is
 *                                     cached
 *     visible, from WDDM 2.0 on       an aperture besides, in any case
 *     all, by the CPU's page tables   apertures
 */
#ifndef VIDMM_TOOL_DIALECT_H
#define VIDMM_TOOL_DIALECT_H

#include <stdbool.h>

#include "trace/replay.h"

struct softgpu_config;

struct vidmm_dialect {
    uint32_t memory, aperture; /* ids of the first segment of the kind; 0: there is none */
    uint32_t memory_set, aperture_set;
    uint32_t visible_set;  /* memory segments that the CPU reaches, by a CPU host aperture too */
    uint32_t bank_count;   /* of the first memory segment; 0: none */
    bool is_new;           /* WDDM 2.0 or above: another word of flags */
    bool by_address;       /* commands name addresses; otherwise, from 2.0 on, AccessedPhysically */
    bool shares_addresses; /* ... which are the CPU's: they lead to system memory */
    uint32_t links; /* with page tables: GPUs of a link, in whose memory allocations lie; 0: none */
    bool spill;     /* local allocations may live in an aperture */
    bool evict_through_aperture;
    uint32_t command_uses; /* most allocations of one command; 0: a submission is one command */
};

/* Learn from a configuration where allocations may live. */
void vidmm_dialect_init(struct vidmm_dialect *dialect, const struct softgpu_config *config);

/* The driver for a replay; dialect outlives it. */
struct vidmm_replay_driver vidmm_dialect_driver(const struct vidmm_dialect *dialect);

/* GPUs of a link: their writes are an instance of each, unless the CPU writes it too: then it has
 * to be in memory, where each GPU writes its own copy of the one content. Call it before anything
 * else looks at the types. */
void vidmm_dialect_link(struct vidmm_trace *trace);

/* A GPU that reaches system memory alone, by the CPU's page tables: that is the local memory of
 * each allocation. Call it when the other would be called. */
void vidmm_dialect_share(struct vidmm_trace *trace);

/* May an allocation of these types live in memory segments only? */
bool vidmm_dialect_memory_only(const struct vidmm_dialect *dialect, uint32_t types);

#endif
