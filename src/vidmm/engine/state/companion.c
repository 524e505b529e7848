/* companion.c: which context tells the GPU of a change of addresses.
 *
 * Records of a process say what its addresses mean by then, whatever has changed them. So all of
 * them go to the companion while a change of its queue is among them, and those of another
 * companion of the process have to be built before.
 *
 * Invariants (AC6 is in paging_buffer.c)
 * AC1. `companion` of a process is a queue with a companion, or 0; then nothing that is due for it
 *      was changed by such a queue. It is 0 if the process is not due.
 * AC2. From the first change of a companion on, until its records are built, its own root is
 *      written and has been executed.
 */
#include "vidmm/engine/state/companion.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/process.h"

static struct vidmm_companion *companion_of_queue(const struct vidmm_engine *engine, uint32_t queue)
{
    struct vidmm_paging_queue *found =
        queue < engine->paging_queue_capacity ? &engine->paging_queues[queue] : NULL;

    return found && found->exists && found->companion.context != 0 ? &found->companion : NULL;
}

/* Whether its own root is written: packets may use it. */
static bool is_ready(const struct vidmm_engine *engine, const struct vidmm_companion *companion)
{
    const struct vidmm_process *own = vidmm_process_find(engine, companion->process);

    return own && own->tables.root->memory != 0 && vidmm_process_is_told(engine, own);
}

NTSTATUS vidmm_companion_check(const struct vidmm_engine *engine,
                               const struct vidmm_process *process, uint32_t queue)
{
    const struct vidmm_companion *companion = companion_of_queue(engine, queue);

    if (!companion || !process || process->id == companion->process)
        return STATUS_SUCCESS; /* its own addresses are the system's to write */
    if (!is_ready(engine, companion))
        return STATUS_DEVICE_NOT_READY; /* AC2 */
    return process->companion == 0 || process->companion == queue ? STATUS_SUCCESS
                                                                  : STATUS_DEVICE_BUSY; /* AC1 */
}

void vidmm_companion_begin(const struct vidmm_engine *engine, struct vidmm_process *process,
                           uint32_t queue)
{
    const struct vidmm_companion *companion = companion_of_queue(engine, queue);

    if (companion && process->due && process->id != companion->process)
        process->companion = queue; /* AC1 */
}

const struct vidmm_companion *vidmm_companion_of(const struct vidmm_engine *engine,
                                                 const struct vidmm_process *process)
{
    return companion_of_queue(engine, process->companion);
}

static void end(struct vidmm_process *process, uint32_t queue)
{
    if (process && (queue == 0 || process->companion == queue))
        process->companion = 0;
}

void vidmm_companion_end(const struct vidmm_engine *engine, uint32_t queue)
{
    struct vidmm_process *process;
    uint32_t id;

    for (id = 0; id < engine->mmu->process_capacity; id++)
        end(engine->mmu->processes[id], queue);
    for (process = engine->mmu->due; process; process = process->next) /* destroyed ones, too */
        end(process, queue);
}

NTSTATUS vidmm_companion_set(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_process *process = vidmm_process_find(engine, event->paging_queue.process);
    uint32_t queue = event->paging_queue.queue;

    if (event->paging_queue.context == 0 && companion_of_queue(engine, queue)) {
        vidmm_companion_end(engine, queue);
        engine->paging_queues[queue].companion = (struct vidmm_companion){.context = 0};
        return STATUS_SUCCESS;
    }
    if (queue >= engine->paging_queue_capacity || !engine->paging_queues[queue].exists ||
        engine->paging_queues[queue].companion.context != 0 || event->paging_queue.context == 0 ||
        event->paging_queue.node >= engine->config.node_count || !process || !process->privileged ||
        engine->config.linked || engine->config.mmu.written_at_once)
        return STATUS_INVALID_PARAMETER;
    engine->paging_queues[queue].companion =
        (struct vidmm_companion){.context = event->paging_queue.context,
                                 .node = event->paging_queue.node,
                                 .process = event->paging_queue.process};
    return STATUS_SUCCESS;
}

bool vidmm_companion_runs_in(const struct vidmm_engine *engine, uint32_t process)
{
    uint32_t id = 0;

    while (id < engine->paging_queue_capacity &&
           (!engine->paging_queues[id].exists ||
            engine->paging_queues[id].companion.process != process))
        id++;
    return id < engine->paging_queue_capacity;
}

bool vidmm_engine_runs_companion(const struct vidmm_engine *engine, uint32_t context)
{
    uint32_t id;

    for (id = 1; id < VIDMM_PAGING_BUFFERS; id++)
        if (engine->paging_buffers[id].state != PAGING_BUFFER_FREE &&
            engine->paging_buffers[id].companion.context == context)
            return true;
    return false;
}

void vidmm_companion_verify(const struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; id < engine->mmu->process_capacity; id++) {
        const struct vidmm_process *process = engine->mmu->processes[id];
        const struct vidmm_companion *companion;
        const struct vidmm_process *own;

        if (!process || process->companion == 0)
            continue;
        companion = vidmm_companion_of(engine, process);
        VIDMM_VERIFY(process->due && companion); /* AC1 */
        own = vidmm_process_find(engine, companion->process);
        VIDMM_VERIFY(own && own->tables.root->memory != 0 && !own->tables.root->fresh); /* AC2 */
    }
}
