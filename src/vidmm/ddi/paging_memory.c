/* paging_memory.c: the paging buffers, one a physical adapter, as their commands are written. */
#include "vidmm/ddi/paging_memory.h"

#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/engine.h>

#include "vidmm/ddi/table_window.h"

#include "vidmm/object/adapter.h"
#include "vidmm/object/command_memory.h"

#include "base/assert.h"

struct vidmm_paging_memory *vidmm_paging_memory(struct vidmm_adapter *adapter, uint32_t engine,
                                                uint32_t paging_buffer)
{
    VIDMM_ASSERT(engine < adapter->link_count);
    VIDMM_ASSERT(paging_buffer >= 1 && paging_buffer < VIDMM_PAGING_BUFFERS);
    return &adapter->paging[engine][paging_buffer];
}

/* A buffer that comes round again: poison where the commands were. Its private data is the driver's
 * from the first use on, and stays as the driver left it (D-013). */
void vidmm_paging_refresh(const struct vidmm_adapter *adapter, struct vidmm_paging_memory *paging)
{
    VIDMM_ASSERT(paging->memory.backing.address);
    if (paging->fresh)
        return;
    paging->fresh = true;
    paging->used = 0;
    paging->private_used = 0;
    if (adapter->options.poison)
        memset(paging->memory.backing.address, 0xdb, paging->memory.size);
}

void vidmm_paging_forget(struct vidmm_adapter *adapter)
{
    uint32_t engine, id;

    for (engine = 0; engine < adapter->link_count; engine++)
        for (id = 1; id < VIDMM_PAGING_BUFFERS; id++)
            vidmm_paging_memory(adapter, engine, id)->fresh = false;
    vidmm_table_window_forget(adapter);
}
