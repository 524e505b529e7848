/* command_memory.h: memory that the GPU fetches commands from, of a paging buffer or a DMA buffer.
 *
 *     | ... size bytes ... | guard |        | private data | guard |
 *
 * The pages and the private data are whoever's the structure is, from init to finish. It has no
 * place in an aperture yet: pump/command_place.h gives it one, and then the engine lets go of the
 * pages.
 */
#ifndef VIDMM_OBJECT_COMMAND_MEMORY_H
#define VIDMM_OBJECT_COMMAND_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>

#include "vidmm/object/backing.h"

struct vidmm_adapter;
struct vidmm_allocation;

#define VIDMM_GUARD_SIZE 64u /* bytes behind the commands, and behind the private data */

/* Memory that the GPU fetches commands from: of a paging buffer or a DMA buffer. */
struct vidmm_command_memory {
    struct vidmm_backing backing;
    struct vidmm_place place; /* segment 0: contiguous system memory */
    uint32_t id;              /* in the engine, if it is mapped into an aperture; else 0 */
    uint32_t size;            /* bytes */
    void *private_data;
    uint32_t private_size;
    bool own_page; /* no commands: the target of WritePhysical */
    bool tried;    /* its owner could not be created */
};

struct vidmm_paging_memory {
    struct vidmm_command_memory memory;
    uint32_t used, private_used;     /* bytes, by what the miniport returned */
    bool fresh;                      /* nothing was asked of it since its reuse */
    struct vidmm_allocation *record; /* by which companion contexts fetch it; NULL: none does */
};

/* Take pages and private data, guarded. STATUS_NO_MEMORY: the part taken so far is in *memory, and
 * vidmm_guarded_finish() gives it back. */
NTSTATUS vidmm_guarded_init(const struct vidmm_adapter *adapter,
                            struct vidmm_command_memory *memory, bool contiguous, uint32_t size,
                            uint32_t private_size);
/* Give back the private data, and the pages unless a record of the engine's has them (`id`); takes
 * one that is zeroed, and leaves it so. */
void vidmm_guarded_finish(const struct vidmm_adapter *adapter, struct vidmm_command_memory *memory);
/* Whether the miniport has written behind it since it was last asked: VIDMM_REASON_OVERRUN,
 * VIDMM_REASON_PRIVATE_OVERRUN, or VIDMM_REASON_NONE. The guards are whole again afterwards. */
uint32_t vidmm_guarded_was_overrun(struct vidmm_command_memory *memory);

#endif
