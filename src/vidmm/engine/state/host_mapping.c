/* host_mapping.c: which placement has which pages of the CPU host aperture.
 *
 * Invariants (H1 to H3 are in swizzling_range.c, HA4 is in host_aperture.c)
 * HA1. `host` of a placement is the first page of its chain, and 1 more; the mapping there names
 *     the placement, and so do all pages of the chain. All other pages are free.
 * HA2. The mappings from `oldest` to `newest` are those that are mapped, and `mapped` counts them.
 * HA3. A mapped placement is at the place that its pages show, or a move that is queued takes it
 *     from there; unless the adapter is being reset.
 */
#include "vidmm/engine/state/host_mapping.h"

#include <base/assert.h>
#include <vidmm/page.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/host_state.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/standstill.h"

static struct vidmm_host_mapping *mapping_of(const struct vidmm_engine *engine,
                                             const struct vidmm_placement *placement)
{
    VIDMM_ASSERT(placement->host != 0 && placement->host <= engine->host->pages.count); /* HA1 */
    return &engine->host->mappings[placement->host - 1];
}

bool vidmm_host_has(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return placement->host != 0 && engine->host->segment != 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

bool vidmm_host_init(struct vidmm_engine *engine)
{
    struct vidmm_host *host = engine->host;
    const struct vidmm_engine_segment *config;
    uint32_t id;

    host->oldest = host->newest = host->dead = VIDMM_NO_HOST_PAGE;
    for (id = 1; id <= engine->config.segment_count; id++)
        if (engine->config.segments[id].host_pages != 0)
            host->segment = id;
    if (host->segment == 0)
        return vidmm_host_pages_init(&host->pages, 0, &engine->memory);
    config = &engine->config.segments[host->segment];
    if (!engine->config.explicit_residency || config->aperture || config->cpu_visible)
        return false;
    host->page_size = config->wide_pages ? 16 * VIDMM_PAGE_SIZE : VIDMM_PAGE_SIZE; /* D-175 */
    if (config->host_pages > config->size / host->page_size)
        return false;
    if (!vidmm_host_pages_init(&host->pages, config->host_pages, &engine->memory))
        return false;
    host->mappings = engine->memory.allocate(engine->memory.context,
                                             config->host_pages * sizeof(*host->mappings));
    return host->mappings != NULL;
}

void vidmm_host_finish(struct vidmm_engine *engine)
{
    if (engine->host->mappings)
        engine->memory.free(engine->memory.context, engine->host->mappings);
    vidmm_host_pages_finish(&engine->host->pages, &engine->memory);
}

/* ---- what it can show ------------------------------------------------------------------------ */

bool vidmm_host_reaches(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                        uint32_t segment)
{
    const struct vidmm_engine_segment *config = &engine->config.segments[segment];

    return config->host_pages != 0 && !engine->host->broken && !config->pitch_aligned &&
           !placement->buffer && (placement->wish.flags & VIDMM_CPU_VISIBLE) != 0 &&
           (placement->wish.flags & (VIDMM_KEEPS_COPY | VIDMM_WISH_ELSEWHERE)) == 0 && /* D-230 */
           ((placement->wish.flags & VIDMM_CACHED_CONTENT) == 0 || config->host_cached);
}

bool vidmm_host_is_mapped(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement)
{
    return vidmm_host_has(engine, placement) && mapping_of(engine, placement)->mapped &&
           vidmm_place_is_same(&placement->at, &mapping_of(engine, placement)->at);
}

/* Pages of the segment that [offset, offset + size) touches. */
static uint32_t touched(const struct vidmm_engine *engine, uint64_t offset, uint64_t size)
{
    uint64_t page = engine->host->page_size;

    return (uint32_t)((offset + size - 1) / page - offset / page) + 1;
}

uint32_t vidmm_host_needed(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    uint64_t offset, size;
    uint32_t count = 0;

    VIDMM_ASSERT(vidmm_place_is_in(&placement->at, engine->host->segment));
    for (offset = 0; offset < placement->wish.size; offset += size) {
        struct vidmm_place piece = vidmm_place_at(placement, &placement->at, offset, &size);

        count += touched(engine, piece.offset, size);
    }
    return count;
}

/* At the worst place: in pieces as small as its alignment allows, if it goes by runs. */
static uint32_t needed_anywhere(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement)
{
    uint64_t page = engine->host->page_size, size = placement->wish.size;
    bool whole = placement->wish.alignment % page == 0;
    bool runs = engine->config.mmu.levels != 0;

    if (whole || !runs)
        return (uint32_t)((size + page - 1) / page) + (whole ? 0 : 1);
    return (uint32_t)(size / VIDMM_PAGE_SIZE);
}

/* ---- taking and giving back ------------------------------------------------------------------ */

static bool take(struct vidmm_engine *engine, struct vidmm_placement *placement, uint32_t count)
{
    struct vidmm_host *host = engine->host;
    uint32_t first = vidmm_host_pages_take(&host->pages, placement->id + 1, count);

    VIDMM_ASSERT(placement->host == 0);
    if (first == VIDMM_NO_HOST_PAGE)
        return false; /* obeys S2-025 */
    host->mappings[first] = (struct vidmm_host_mapping){.owner = placement};
    placement->host = first + 1; /* HA1 */
    return true;
}

bool vidmm_host_take(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    uint32_t needed = vidmm_host_needed(engine, placement);

    VIDMM_ASSERT(!vidmm_host_is_mapped(engine, placement));
    if (placement->host == 0)
        return take(engine, placement, needed);
    if (vidmm_host_pages_length(&engine->host->pages, placement->host - 1) < needed)
        return false;
    vidmm_host_pages_trim(&engine->host->pages, placement->host - 1, needed);
    return true;
}

bool vidmm_host_reserve(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    return placement->host != 0 || take(engine, placement, needed_anywhere(engine, placement));
}

void vidmm_host_release(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!vidmm_host_has(engine, placement) || mapping_of(engine, placement)->mapped ||
        mapping_of(engine, placement)->dead)
        return;
    mapping_of(engine, placement)->owner = NULL;
    vidmm_host_pages_release(&engine->host->pages, placement->host - 1);
    placement->host = 0;
    engine->locks_may_go = true;
}

void vidmm_host_die(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!vidmm_host_has(engine, placement))
        return;
    mapping_of(engine, placement)->dead = true;
    mapping_of(engine, placement)->dead_next = engine->host->dead;
    engine->host->dead = placement->host - 1;
}

void vidmm_host_bury(struct vidmm_engine *engine)
{
    struct vidmm_host_mapping *mapping = &engine->host->mappings[engine->host->dead];

    VIDMM_ASSERT(mapping->dead && mapping->owner && !mapping->mapped);
    engine->host->dead = mapping->dead_next;
    mapping->dead = false;
    vidmm_host_release(engine, mapping->owner);
}

/* ---- by use ---------------------------------------------------------------------------------- */

static void unlink(struct vidmm_host *host, const struct vidmm_host_mapping *mapping)
{
    uint32_t *behind = mapping->older == VIDMM_NO_HOST_PAGE ? &host->oldest
                                                            : &host->mappings[mapping->older].newer;
    uint32_t *before = mapping->newer == VIDMM_NO_HOST_PAGE ? &host->newest
                                                            : &host->mappings[mapping->newer].older;

    *behind = mapping->newer;
    *before = mapping->older;
}

static void link_newest(struct vidmm_host *host, uint32_t first)
{
    struct vidmm_host_mapping *mapping = &host->mappings[first];

    mapping->newer = VIDMM_NO_HOST_PAGE;
    mapping->older = host->newest;
    if (host->newest == VIDMM_NO_HOST_PAGE)
        host->oldest = first;
    else
        host->mappings[host->newest].newer = first;
    host->newest = first;
}

void vidmm_host_mapped(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_host_mapping *mapping = mapping_of(engine, placement);

    VIDMM_ASSERT(!mapping->mapped && mapping->owner == placement);
    mapping->mapped = true;
    mapping->at = vidmm_place_addresses(&placement->at);
    link_newest(engine->host, placement->host - 1);
    engine->host->mapped++; /* HA2 */
}

void vidmm_host_unmapped(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_host_mapping *mapping = mapping_of(engine, placement);

    VIDMM_ASSERT(mapping->mapped && engine->host->mapped > 0);
    mapping->mapped = false;
    unlink(engine->host, mapping);
    engine->host->mapped--; /* HA2 */
}

void vidmm_host_renew(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!vidmm_host_is_mapped(engine, placement)) {
        vidmm_host_release(engine, placement);
        return;
    }
    unlink(engine->host, mapping_of(engine, placement));
    link_newest(engine->host, placement->host - 1);
}

/* ---- questions, invariants ------------------------------------------------------------------- */

static uint32_t list_chain(const struct vidmm_host_pages *pages, uint32_t page, uint32_t skip,
                           struct vidmm_host_page_pair *pairs, uint32_t room)
{
    uint32_t count = 0;

    for (; page != VIDMM_NO_HOST_PAGE && count < room; page = vidmm_host_pages_next(pages, page))
        if (skip > 0)
            skip--;
        else
            pairs[count++] = (struct vidmm_host_page_pair){page, 0};
    return count;
}

uint32_t vidmm_engine_host_pages(const struct vidmm_engine *engine, uint32_t allocation,
                                 uint32_t skip, struct vidmm_host_page_pair *pairs, uint32_t room)
{
    const struct vidmm_placement *placement =
        allocation < engine->placement_capacity ? engine->placements[allocation] : NULL;
    const struct vidmm_host *host = engine->host;
    uint32_t page, count = 0, index = 0;
    uint64_t offset, size;

    if (!placement || !vidmm_host_has(engine, placement))
        return 0;
    page = placement->host - 1;
    if (!vidmm_place_is_in(&placement->at, host->segment))
        return list_chain(&host->pages, page, skip, pairs, room); /* a reset took its place */
    for (offset = 0; offset < placement->wish.size && count < room; offset += size) {
        struct vidmm_place piece = vidmm_place_at(placement, &placement->at, offset, &size);
        uint64_t memory = piece.offset / host->page_size;
        uint64_t end = (piece.offset + size - 1) / host->page_size + 1;

        for (; memory < end && count < room; memory++, index++) {
            if (index >= skip)
                pairs[count++] = (struct vidmm_host_page_pair){page, (uint32_t)memory};
            page = vidmm_host_pages_next(&host->pages, page);
        }
    }
    return count;
}

static void check_order(const struct vidmm_host *host)
{
    uint32_t first, older = VIDMM_NO_HOST_PAGE, mapped = 0;

    for (first = host->oldest; first != VIDMM_NO_HOST_PAGE; first = host->mappings[first].newer) {
        VIDMM_VERIFY(host->mappings[first].owner && host->mappings[first].mapped); /* HA2 */
        VIDMM_VERIFY(host->mappings[first].older == older);                        /* HA2 */
        VIDMM_VERIFY(++mapped <= host->mapped);                                    /* HA2 */
        older = first;
    }
    VIDMM_VERIFY(host->newest == older && mapped == host->mapped); /* HA2 */
}

/* The unmap comes before the first step of the move that takes it away. */
static bool is_leaving(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return placement->moves->out.state == MOVE_QUEUED &&
           vidmm_place_is_same(&placement->moves->out.place, &mapping_of(engine, placement)->at);
}

void vidmm_host_check(const struct vidmm_engine *engine)
{
    const struct vidmm_host *host = engine->host;
    uint32_t id, page, taken = 0;

    if (host->segment == 0)
        return;
    vidmm_host_pages_check(&host->pages);
    check_order(host);
    for (id = 0; id < engine->placement_capacity; id++) {
        const struct vidmm_placement *placement = engine->placements[id];

        if (!placement || placement->host == 0)
            continue;
        VIDMM_VERIFY(mapping_of(engine, placement)->owner == placement); /* HA1 */
        VIDMM_VERIFY(!mapping_of(engine, placement)->mapped || vidmm_reset_rests(engine) ||
                     vidmm_host_is_mapped(engine, placement) ||
                     is_leaving(engine, placement)); /* HA3 */
        for (page = placement->host - 1; page != VIDMM_NO_HOST_PAGE;
             page = vidmm_host_pages_next(&host->pages, page), taken++)
            VIDMM_VERIFY(host->pages.pages[page].owner == placement->id + 1); /* HA1 */
    }
    VIDMM_VERIFY(taken == host->pages.count - host->pages.free); /* HA1 */
}
