/* Addresses of the GPU: the keys of its page tables, and what they have to agree with. */
#include "softgpu/config_private.h"

#include "softgpu/config.h"
#include "softgpu/softgpu.h"

/* Widths of the indices, the leaf's first, for each number of levels. */
static const uint32_t default_bits[SOFTGPU_LEVELS + 1][SOFTGPU_LEVELS] = {
    [2] = {9, 11},         [3] = {9, 9, 9},          [4] = {9, 9, 9, 9},
    [5] = {9, 9, 9, 9, 9}, [6] = {9, 9, 9, 9, 6, 6},
};

void softgpu_config_set_levels(struct softgpu_mmu *mmu, uint32_t levels)
{
    mmu->levels = levels;
    for (uint32_t i = 0; i < SOFTGPU_LEVELS; i++)
        mmu->index_bits[i] = default_bits[levels][i];
}

static bool is_segment_of_tables(const struct softgpu_config *config, uint32_t id)
{
    return id == 0 || (id <= config->segment_count &&
                       config->segments[id - 1].kind == SOFTGPU_SEGMENT_MEMORY &&
                       !config->segments[id - 1].pitch_aligned);
}

/* The places of tables (obeys D-131, D-135, W-004). */
static bool check_tables(const struct softgpu_config *config, struct line *line)
{
    const struct softgpu_mmu *mmu = &config->mmu;
    const uint32_t ids[] = {mmu->table_segment, mmu->paging_table_segment};
    static const char *const names[] = {"page_table_segment", "paging_table_segment"};

    for (int i = 0; i < 2; i++) {
        if (!is_segment_of_tables(config, ids[i]))
            return softgpu_config_wrong(line,
                                        "%s: %u is neither 0 nor a memory segment without "
                                        "pitchaligned",
                                        names[i], ids[i]);
        if (ids[i] != 0 && !config->segments[ids[i] - 1].cpu_visible &&
            !config->segments[ids[i] - 1].host_aperture)
            return softgpu_config_wrong(
                line, "%s: segment %u is not cpuvisible, and has no hostaperture (W-004)", names[i],
                ids[i]);
        for (uint32_t level = 0; level < mmu->levels && ids[i] == 0; level++)
            if (softgpu_table_size(mmu, level) > SOFTGPU_PAGE_SIZE)
                return softgpu_config_wrong(
                    line,
                    "%s: 0, and a table of level %u takes %u bytes; expected "
                    "4096 in system memory (D-135)",
                    names[i], level, softgpu_table_size(mmu, level));
    }
    if (mmu->update_mode == SOFTGPU_UPDATE_CPU_VIRTUAL && mmu->table_segment != 0)
        return softgpu_config_wrong(line,
                                    "page_table_update: cpu_virtual, and page_table_segment is %u; "
                                    "expected 0 (D-131)",
                                    mmu->table_segment);
    return true;
}

/* Properties that not every level has a word for. */
static bool check_properties(const struct softgpu_config *config, struct line *line)
{
    const struct softgpu_mmu *mmu = &config->mmu;

    if (mmu->companion >= SOFTGPU_COMPANION_FIRST + config->engine_count)
        return softgpu_config_wrong(line, "companion: %u; expected a node of `engines`, below %u",
                                    mmu->companion - SOFTGPU_COMPANION_FIRST, config->engine_count);
    if (!mmu->invalid_cached && config->wddm < 26)
        return softgpu_config_wrong(line, "invalid_cached: off; expected on below wddm 2.6");
    if (mmu->system_64k && (config->wddm < 21 || mmu->pages_64k == SOFTGPU_64K_OFF))
        return softgpu_config_wrong(
            line, "system_64k: on; expected wddm 2.1 or later, and pages_64k single or dual");
    if (mmu->cached_tables && (config->wddm < 31 || mmu->table_segment != 0))
        return softgpu_config_wrong(
            line, "cached_tables: on; expected wddm 3.1 or later, and page_table_segment 0");
    if (mmu->system_large && (config->wddm < 29 || !mmu->large_pages))
        return softgpu_config_wrong(
            line, "system_large: on; expected wddm 2.9 or later, and large_pages on");
    if (mmu->unaligned_large && (config->wddm < 21 || !mmu->large_pages))
        return softgpu_config_wrong(
            line, "unaligned_large: on; expected wddm 2.1 or later, and large_pages on");
    return true;
}

static const char *name_of(const struct softgpu_config *config)
{
    return config->mmu.kind == SOFTGPU_MMU_IO ? "io" : "gpu";
}

static bool check_buffers(const struct softgpu_config *config, struct line *line)
{
    if (config->dma_buffer_segment == 0)
        return softgpu_config_wrong(
            line, "dma_buffer_segment: 0; expected an aperture with mmu %s (W-001)",
            name_of(config));
    if (config->paging_buffer_segment == 0 && config->private_data < 16)
        return softgpu_config_wrong(line,
                                    "private_data: %u; expected 16 or more with mmu %s and "
                                    "paging_buffer_segment 0",
                                    config->private_data, name_of(config));
    if (config->paging_buffer_segment == 0 &&
        (uint64_t)config->queue * config->paging_buffer > (uint64_t)64 << 20)
        return softgpu_config_wrong(line,
                                    "paging_buffer: %u for a queue of %u; expected 64M in all with "
                                    "mmu %s and paging_buffer_segment 0",
                                    config->paging_buffer, config->queue, name_of(config));
    return true;
}

static bool check_protection(const struct softgpu_config *config, struct line *line)
{
    for (uint32_t i = 0; i < config->segment_count; i++) {
        const struct softgpu_segment *segment = &config->segments[i];

        if ((segment->encrypted || segment->cleartext) && config->wddm < 20)
            return softgpu_config_wrong(line, "segment %u: %s; expected none below wddm 2.0", i + 1,
                                        segment->encrypted ? "encrypted" : "cleartext");
        if (segment->encrypted && segment->cleartext)
            return softgpu_config_wrong(
                line, "segment %u: encrypted and cleartext; expected one of them", i + 1);
        if ((segment->vpr_standby || segment->vpr_lost) && segment->vpr_size == 0)
            return softgpu_config_wrong(line, "segment %u: %s; expected vpr with it", i + 1,
                                        segment->vpr_standby ? "vprstandby" : "vprlost");
        if (segment->vpr_standby && segment->vpr_lost)
            return softgpu_config_wrong(
                line, "segment %u: vprstandby and vprlost; expected one of them", i + 1);
        if (segment->vpr_size != 0 && config->wddm < 20)
            return softgpu_config_wrong(line, "segment %u: vpr; expected none below wddm 2.0",
                                        i + 1);
        if (segment->vpr_start + segment->vpr_size > segment->size)
            return softgpu_config_wrong(line, "segment %u: vpr ends behind its %llu bytes", i + 1,
                                        (unsigned long long)segment->size);
    }
    return true;
}

bool softgpu_config_check_virtual(const struct softgpu_config *config, struct line *line)
{
    if (config->map_aperture2 && config->wddm < 29)
        return softgpu_config_wrong(line, "map_aperture2: on; expected off below wddm 2.9");
    if (config->isolation && config->wddm < 24)
        return softgpu_config_wrong(line, "isolation: on; expected off below wddm 2.4");
    if (config->remapping && config->wddm < 29)
        return softgpu_config_wrong(line, "remapping: on; expected off below wddm 2.9");
    if (config->remapping &&
        !(config->isolation && config->map_aperture2 && config->mmu.kind == SOFTGPU_MMU_GPU))
        return softgpu_config_wrong(
            line, "remapping: on; expected off without isolation, map_aperture2 and mmu gpu");
    if (!check_protection(config, line))
        return false;
    if (config->move_paging && config->wddm < 21)
        return softgpu_config_wrong(line, "move_paging: on; expected off below wddm 2.1");
    if (config->vpr_context && config->wddm < 21)
        return softgpu_config_wrong(line, "vpr_context: on; expected off below wddm 2.1");
    if (config->hardware_protected && config->wddm < 22)
        return softgpu_config_wrong(line, "hardware_protected: on; expected off below wddm 2.2");
    if (config->mmu.kind == SOFTGPU_MMU_NONE)
        return true;
    if (config->wddm < 20)
        return softgpu_config_wrong(line, "mmu: %s; expected none below wddm 2.0", name_of(config));
    if (!config->multi_engine)
        return softgpu_config_wrong(line, "mmu: %s; expected multi_engine on", name_of(config));
    if (config->context_save == SOFTGPU_SAVE_APERTURE)
        return softgpu_config_wrong(line,
                                    "context_save: aperture; expected none or memory with mmu");
    if (config->mmu.kind == SOFTGPU_MMU_GPU &&
        (!check_tables(config, line) || !check_properties(config, line)))
        return false;
    return check_buffers(config, line);
}

/* ---- keys ------------------------------------------------------------------------------------ */

bool softgpu_config_read_levels(struct softgpu_config *config, const struct key *key,
                                struct line *line)
{
    uint64_t levels;

    if (line->count != 2)
        return softgpu_config_wrong(line, "%s: expected 1 value, not %u", key->name,
                                    line->count - 1);
    if (!softgpu_config_read_number_word(line, key->name, line->word[1], key->least, key->most,
                                         &levels))
        return false;
    softgpu_config_set_levels(&config->mmu, (uint32_t)levels);
    return true;
}

/* index_bits BITS ...: the leaf's first, as many as there are levels. */
bool softgpu_config_read_index_bits(struct softgpu_config *config, const struct key *key,
                                    struct line *line)
{
    struct softgpu_mmu mmu = config->mmu;
    uint64_t bits;

    if (line->count - 1 != mmu.levels)
        return softgpu_config_wrong(line,
                                    "%s: %u values; expected %u, one a level, the leaf's first",
                                    key->name, line->count - 1, mmu.levels);
    for (uint32_t i = 0; i < mmu.levels; i++) {
        uint64_t least = i == 0 ? 7 : 3, most = 16;

        if (!softgpu_config_read_number_word(line, key->name, line->word[i + 1], least, most,
                                             &bits))
            return false;
        mmu.index_bits[i] = (uint32_t)bits;
    }
    if (softgpu_address_bits(&mmu) > SOFTGPU_ADDRESS_BITS)
        return softgpu_config_wrong(line, "%s: addresses of %u bits; expected %u or fewer",
                                    key->name, softgpu_address_bits(&mmu), SOFTGPU_ADDRESS_BITS);
    config->mmu = mmu;
    return true;
}
