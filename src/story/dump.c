/* The act that reads the raw bytes of a segment, and says whose they are.
 *
 *     dump segment 2 at 0 for 32K        segment 2 +0: 16K of a, from +16K on
 *                                        segment 2 +16K: 16K of a, from +0 on
 *
 * Every sector of 512 bytes is looked for among those that the allocations of the story hold now;
 * sectors that follow on one another here and there are told in one line. Zeros are the same
 * everywhere: they count as the allocation's behind something of it that is followed by zeros
 * there, too.
 */
#include "story/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/dump.h>
#include <wddm/ntstatus.h>

#include "base/size.h"
#include "story/narrate.h"

enum { SECTOR = VIDMM_CONTENT_SECTOR, PER_PAGE = VIDMM_CONTENT_SECTORS };

/* The owner of a sector. */
struct origin {
    enum { NOBODYS, ZEROS, ALLOCATIONS } of;
    uint32_t allocation;
    uint64_t sector; /* of the allocation */
};

/* The last writes of a half of a page: each of its sectors was written by one of four. */
static uint32_t first_of(uint32_t writes)
{
    return writes > PER_PAGE / 2 ? writes - PER_PAGE / 2 + 1 : 1;
}

/* A page as its programs have left it. */
static void make_page(void *page, struct vidmm_content_key key, uint32_t index,
                      const struct vidmm_scenario_memory *memory)
{
    memset(page, 0, VIDMM_CONTENT_PAGE);
    for (uint32_t write = first_of(memory->generation); write <= memory->generation; write++)
        vidmm_content_write_gpu(page, key, index, write);
    for (uint32_t write = first_of(memory->cpu[index]); write <= memory->cpu[index]; write++)
        vidmm_content_write_cpu(page, key, index, write);
}

static bool is_zeros(const unsigned char *bytes)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, SECTOR - 1) == 0;
}

/* Mark what of the bytes is this allocation's. */
static void find_allocation(struct vidmm_scenario_run *run, uint32_t allocation,
                            const unsigned char *bytes, struct origin *origins, uint64_t count)
{
    const struct vidmm_scenario_memory *memory = vidmm_scenario_memory(run, allocation);
    struct vidmm_content_key key = vidmm_scenario_key(run, allocation);
    uint64_t page[VIDMM_CONTENT_PAGE / sizeof(uint64_t)];

    for (uint32_t index = 0; index < memory->pages; index++) {
        make_page(page, key, index, memory);
        for (uint32_t sector = 0; sector < PER_PAGE; sector++) {
            const unsigned char *mine = (const unsigned char *)page + (size_t)sector * SECTOR;

            for (uint64_t at = 0; at < count && !is_zeros(mine); at++)
                if (memcmp(bytes + at * SECTOR, mine, SECTOR) == 0)
                    origins[at] = (struct origin){ALLOCATIONS, allocation,
                                                  (uint64_t)index * PER_PAGE + sector};
        }
    }
}

/* Zeros behind something of an allocation: whether there are zeros in it, too. */
static bool goes_on(struct vidmm_scenario_run *run, const struct origin *before)
{
    const struct vidmm_scenario_memory *memory;
    uint64_t page[VIDMM_CONTENT_PAGE / sizeof(uint64_t)];
    uint64_t next = before->sector + 1;

    if (before->of != ALLOCATIONS)
        return false;
    memory = vidmm_scenario_memory(run, before->allocation);
    if (next >= memory->pages * PER_PAGE)
        return false;
    make_page(page, vidmm_scenario_key(run, before->allocation), (uint32_t)(next / PER_PAGE),
              memory);
    return is_zeros((const unsigned char *)page + next % PER_PAGE * SECTOR);
}

static void take_zeros(struct vidmm_scenario_run *run, struct origin *origins, uint64_t count)
{
    for (uint64_t at = 1; at < count; at++)
        if (origins[at].of == ZEROS && goes_on(run, &origins[at - 1])) {
            origins[at] = origins[at - 1];
            origins[at].sector++;
        }
}

static bool follows(const struct origin *first, const struct origin *next, uint64_t distance)
{
    return first->of == next->of &&
           (first->of != ALLOCATIONS ||
            (first->allocation == next->allocation && first->sector + distance == next->sector));
}

static void tell(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                 const struct origin *origins, uint64_t count)
{
    for (uint64_t first = 0, next; first < count; first = next) {
        const struct origin *origin = &origins[first];
        struct vidmm_size_text at = vidmm_size_written(act->offset + first * SECTOR);
        struct vidmm_size_text size;

        for (next = first + 1; next < count && follows(origin, &origins[next], next - first);)
            next++;
        size = vidmm_size_written((next - first) * SECTOR);
        if (origin->of == ALLOCATIONS)
            vidmm_narrator_say(run->narrator, "segment %" PRIu32 " +%s: %s of %s, from +%s on",
                               act->segment, at.text, size.text,
                               run->scenario->allocations[origin->allocation].name,
                               vidmm_size_written(origin->sector * SECTOR).text);
        else
            vidmm_narrator_say(run->narrator, "segment %" PRIu32 " +%s: %s of %s", act->segment,
                               at.text, size.text, origin->of == ZEROS ? "zeros" : "nobody's");
    }
}

static void look(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                 const unsigned char *bytes)
{
    uint64_t count = act->size / SECTOR;
    struct origin *origins = calloc(count, sizeof(*origins));

    if (origins == NULL) {
        vidmm_scenario_problem(run, "line %" PRIu32 ": no memory", act->line);
        return;
    }
    for (uint64_t at = 0; at < count; at++)
        origins[at].of = is_zeros(bytes + at * SECTOR) ? ZEROS : NOBODYS;
    for (uint32_t i = 0; i < run->scenario->allocation_count; i++)
        if (run->allocations[i].handle != NULL)
            find_allocation(run, i, bytes, origins, count);
    take_zeros(run, origins, count);
    tell(run, act, origins, count);
    free(origins);
}

NTSTATUS vidmm_act_dump(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_segment_range range = {
        .segment = act->segment, .engine = act->engine, .offset = act->offset, .size = act->size};
    unsigned char *bytes = malloc(act->size + 1);
    NTSTATUS status = STATUS_NO_MEMORY;

    if (bytes != NULL)
        status = vidmm_read_segment(run->adapter, &range, bytes, &run->report);
    if (status == STATUS_SUCCESS)
        look(run, act, bytes);
    free(bytes);
    return status;
}
