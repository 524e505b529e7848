/* packet.h: a packet as the calls that submit it state it. A structure and no more. */
#ifndef VIDMM_DDI_PACKET_H
#define VIDMM_DDI_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_command_memory;

struct vidmm_packet {
    HANDLE context;
    const struct vidmm_command_memory *memory;
    uint64_t address; /* that the GPU fetches it from, by the context's page tables, if it has
                         any */
    uint32_t start, end, private_start, private_end;
    uint32_t program_private;          /* bytes of private data that are the program's */
    uint32_t patch_first, patch_count; /* patch locations of this part */
    uint32_t fence, node, engine;
    bool paging, present, null_rendering, switches;
    bool again; /* it was preempted */
};

#endif
