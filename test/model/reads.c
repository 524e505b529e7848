/* reads.c: somebody who reads the raw bytes of a range of the memory segment, now and then.
 *
 * When the first part of it is executed, all of the segment is kept as it is: that is what has to
 * be there in the end, of exactly the pages that were asked for.
 */
#include "world_state.h"

#include <stdio.h>
#include <string.h>

static const char *finish(struct world *world)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    event.destroy.allocation = READS;
    world->allocations[READS].alive = false;
    return world_step(world, &event, NULL);
}

static const char *ask(struct world *world)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_READ_SEGMENT};
    struct read *read = &world->read;
    const char *problem;
    NTSTATUS status;

    read->taken = read->reset = false;
    read->request = ++world->request;
    event.read_segment.request = read->request;
    event.read_segment.allocation = READS;
    event.read_segment.segment = 2;
    event.read_segment.offset = read->first * 4096;
    problem = world_step(world, &event, &status);
    if (problem || status == STATUS_SUCCESS)
        return problem;
    read->request = 0;
    return status == STATUS_DEVICE_BUSY ? NULL : FAIL(world, "a read is refused: 0x%x", status);
}

const char *world_read(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 3};
    struct allocation *pages = &world->allocations[READS];
    struct read *read = &world->read;
    const char *problem;
    NTSTATUS status;

    if (read->request != 0 || (pages->known && !pages->alive))
        return NULL;
    if (pages->alive)
        return finish(world);
    read->first = argument % world->options.memory_pages;
    read->count = 1 + (argument >> 8) % (world->options.memory_pages - read->first);
    event.create.allocation = READS;
    event.create.buffer = 3;
    event.create.wish = (struct vidmm_wish){.size = read->count * 4096, .alignment = 4096};
    *pages = (struct allocation){.alive = true,
                                 .known = true,
                                 .synchronous = true, /* nothing goes on beside it */
                                 .pages = (uint32_t)read->count};
    world_mark_backing(world, READS, POISON);
    problem = world_step(world, &event, &status);
    if (problem || status != STATUS_SUCCESS)
        return problem ? problem : FAIL(world, "no pages for a read: 0x%x", status);
    return ask(world);
}

void world_touched(struct world *world, const uint64_t *cell)
{
    if (cell >= world->memory && cell < world->memory + PAGES)
        world->read.touched[cell - world->memory] = true;
}

const char *world_run_read(struct world *world, const struct record *record)
{
    struct read *read = &world->read;
    uint64_t page, at;

    if (!read->taken) {
        memcpy(read->there, world->memory, sizeof(read->there));
        memset(read->touched, 0, sizeof(read->touched));
        read->taken = true;
    }
    for (page = record->first; page < record->first + record->count; page++) {
        at = record->source.offset / 4096 + page;
        if (record->source.segment != 2 || at >= world->options.memory_pages ||
            page >= read->count) {
            return FAIL(world, "a read of page %u of segment %u", (unsigned)at,
                        record->source.segment);
        }
        world->allocations[READS].backing[page] = world->memory[at];
    }
    return NULL;
}

const char *world_have_read(struct world *world, NTSTATUS status)
{
    const uint64_t *backing = world->allocations[READS].backing;
    struct read *read = &world->read;
    uint64_t page;

    read->request = 0;
    if (status == STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST && read->reset)
        return NULL;
    if (status != STATUS_SUCCESS || !read->taken) {
        return FAIL(world, "a read that %s ends with 0x%x", read->taken ? "ran" : "never ran",
                    status);
    }
    for (page = 0; page < read->count; page++) {
        if (backing[page] != read->there[read->first + page] &&
            !read->touched[read->first + page]) {
            return FAIL(world, "a read of pages %u on: page %u is %llx, there was %llx",
                        (unsigned)read->first, (unsigned)page, (unsigned long long)backing[page],
                        (unsigned long long)read->there[read->first + page]);
        }
    }
    world->counts.reads++;
    return NULL;
}
