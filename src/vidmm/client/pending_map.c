/* pending_map.c: mappings whose fence value is still to come.
 *
 *     PM1  a note with a value of 0 says nothing
 *     PM2  the queue of any other note is there, and has it been passed or not, is the engine's to
 *          say: what the CPU reads of the queue's fence is never ahead of that
 */
#include "vidmm/client/pending_map.h"

#include <vidmm/engine.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/process.h"

void vidmm_pending_map_note(struct vidmm_process *process, uint32_t queue, uint64_t start,
                            uint64_t size, uint64_t value)
{
    process->maps[process->map_next] = (struct vidmm_map_note){
        .start = start, .end = start + size, .value = value, .queue = queue};
    process->map_next = (process->map_next + 1) % VIDMM_MAP_NOTES;
}

static bool meets(const struct vidmm_map_note *note, uint64_t start, uint64_t size)
{
    return note->value != 0 && note->start < start + size && start < note->end; /* PM1 */
}

void vidmm_pending_map_drop(struct vidmm_process *process, uint64_t start, uint64_t size)
{
    uint32_t index;

    for (index = 0; index < VIDMM_MAP_NOTES; index++)
        if (meets(&process->maps[index], start, size))
            process->maps[index].value = 0;
}

void vidmm_pending_map_end(struct vidmm_process *process, uint32_t queue)
{
    uint32_t index;

    for (index = 0; index < VIDMM_MAP_NOTES; index++)
        if (process->maps[index].queue == queue)
            process->maps[index].value = 0; /* PM2 */
}

bool vidmm_pending_map_meets(const struct vidmm_process *process, uint64_t start, uint64_t size)
{
    const struct vidmm_engine *engine = process->adapter->engine;
    uint32_t index;

    for (index = 0; index < VIDMM_MAP_NOTES; index++)
        if (meets(&process->maps[index], start, size) &&
            vidmm_engine_paging_fence(engine, process->maps[index].queue) <
                process->maps[index].value)
            return true;
    return false;
}
