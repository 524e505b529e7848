/* mmu_config.c: a GPU with page tables, as an engine is told of it: what it can work with.
 *
 * Tables lie in memory segments, behind the first page, which has address 0; or, a page each, in
 * system memory. Each level is in one place for programs and in one for the paging process.
 */
#include "vidmm/engine/state/mmu_config.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>

#include "vidmm/engine/state/mmu_state.h"

static bool is_place_for_tables(const struct vidmm_engine_config *config, uint32_t segment,
                                uint32_t size)
{
    if (size == 0 || size % VIDMM_PAGE_SIZE != 0)
        return false;
    if (segment == 0)
        return size <= VIDMM_PAGE_SIZE; /* D-135 */
    return segment <= config->segment_count && !config->segments[segment].aperture &&
           config->segments[segment].size >= size + VIDMM_PAGE_SIZE; /* behind the first, D-334 */
}

/* Tables of a link lie at one place for all of its adapters, in memory of each; all of their pages
 * have 4 KiB; and those of the paging process are there already. */
static bool is_legal_link(const struct vidmm_engine_mmu *mmu)
{
    uint32_t level;

    for (level = 0; level < mmu->levels; level++)
        if (mmu->table_segment[level] == 0)
            return false;
    return mmu->adapters <= VIDMM_ENGINE_ADAPTERS && mmu->wide_size == 0 && !mmu->large_pages &&
           !mmu->written_at_once && mmu->scratch != 0 && mmu->root_least == 0;
}

/* A root of every size that it may have. */
static bool are_places_for_roots(const struct vidmm_engine_config *config)
{
    const struct vidmm_engine_mmu *mmu = &config->mmu;
    uint64_t entries = mmu->root_least;
    uint32_t step;

    if (entries == 0)
        return true;
    if (mmu->levels != 2)
        return false;
    for (step = 0; step < VIDMM_ENGINE_ROOTS && entries <= mmu->root_entries; step++, entries *= 2)
        if (!is_place_for_tables(config, mmu->table_segment[1], mmu->root_size[step]))
            return false;
    return entries == 2 * (uint64_t)mmu->root_entries;
}

bool vidmm_mmu_is_legal(const struct vidmm_engine_config *config)
{
    const struct vidmm_engine_mmu *mmu = &config->mmu;
    uint32_t level, bits = VIDMM_PAGE_SHIFT;

    if (mmu->levels == 0)
        return true;
    if (mmu->levels < 2 || mmu->levels > VIDMM_ENGINE_LEVELS)
        return false;
    for (level = 0; level < mmu->levels; level++) {
        if (!is_place_for_tables(config, mmu->table_segment[level], mmu->table_size[level]) ||
            !is_place_for_tables(config, mmu->paging_segment[level], mmu->table_size[level]))
            return false;
        bits += level + 1 < mmu->levels ? mmu->index_bits[level] : 0;
    }
    if (mmu->low == 0 || mmu->low % VIDMM_ADDRESS_GRANULE != 0 ||
        mmu->high % VIDMM_ADDRESS_GRANULE != 0 || mmu->low >= mmu->high ||
        mmu->high > UINT64_C(1) << VIDMM_ADDRESS_BITS || bits >= VIDMM_ADDRESS_BITS)
        return false;
    if (mmu->wide_size != 0 &&
        (mmu->index_bits[0] < VIDMM_WIDE_SHIFT ||
         !is_place_for_tables(config, mmu->table_segment[0], mmu->wide_size)))
        return false;
    if ((mmu->pairs && mmu->wide_size == 0) || !are_places_for_roots(config))
        return false;
    if (mmu->scratch % (VIDMM_PAGE_SIZE << mmu->index_bits[0]) != 0 || mmu->scratch >= mmu->high)
        return false;
    if (mmu->wide_scratch && (mmu->wide_size == 0 || mmu->scratch == 0))
        return false;
    if (mmu->adapters > 1 && !is_legal_link(mmu))
        return false;
    return mmu->high <= (uint64_t)mmu->root_entries << bits &&
           mmu->high - mmu->low >= 4 * (VIDMM_PAGE_SIZE << mmu->index_bits[0]);
}

uint32_t vidmm_mmu_levels_in_memory(const struct vidmm_engine_config *config)
{
    uint32_t levels = 0, level;

    for (level = 0; level < config->mmu.levels; level++)
        levels |= config->mmu.table_segment[level] != 0 ? 1u << level : 0;
    return levels;
}
