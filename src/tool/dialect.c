#include "tool/dialect.h"

#include <string.h>

#include <wddm/d3dkmddi_allocation.h>

#include "softgpu/config.h"
#include "softgpu/softgpu.h"
#include "trace/trace.h"

void vidmm_dialect_init(struct vidmm_dialect *dialect, const struct softgpu_config *config)
{
    *dialect = (struct vidmm_dialect){
        .memory = softgpu_config_segment(config, SOFTGPU_SEGMENT_MEMORY),
        .aperture = softgpu_config_segment(config, SOFTGPU_SEGMENT_APERTURE),
        .is_new = config->wddm >= 20,
        .by_address = config->mmu.kind != SOFTGPU_MMU_NONE,
        .shares_addresses = config->mmu.kind == SOFTGPU_MMU_IO,
    };
    if (dialect->memory != 0)
        dialect->bank_count = config->segments[dialect->memory - 1].bank_count;
    for (uint32_t i = 0; i < config->segment_count; i++) {
        const struct softgpu_segment *segment = &config->segments[i];

        if (segment->kind == SOFTGPU_SEGMENT_APERTURE)
            dialect->aperture_set |= 1u << i;
        if (segment->kind != SOFTGPU_SEGMENT_MEMORY)
            continue;
        dialect->memory_set |= 1u << i;
        if (segment->cpu_visible || segment->host_aperture)
            dialect->visible_set |= 1u << i;
    }
}

static bool is_shared(uint32_t types)
{
    return (types & VIDMM_TRACE_GPU_WRITES) != 0 && (types & VIDMM_TRACE_CPU_WRITES) != 0;
}

void vidmm_dialect_link(struct vidmm_trace *trace)
{
    vidmm_trace_mark_writers(trace);
    for (uint32_t i = 0; i < trace->allocation_count; i++)
        if (is_shared(trace->allocations[i].types))
            trace->allocations[i].types |= VIDMM_TRACE_LOCAL;
}

void vidmm_dialect_share(struct vidmm_trace *trace)
{
    for (uint32_t i = 0; i < trace->allocation_count; i++)
        trace->allocations[i].types |= VIDMM_TRACE_LOCAL;
}

/* Whether an aperture is in its set in any case (S2-018, W-024). */
static bool needs_aperture(const struct vidmm_dialect *dialect, uint32_t types)
{
    return dialect->is_new && (types & VIDMM_TRACE_VISIBLE) != 0;
}

/* The memory segments for an allocation; none: it is not local, they do not suit it, or the GPU
 * would not find it there. */
static uint32_t memory_for(const struct vidmm_dialect *dialect, uint32_t types)
{
    if ((types & VIDMM_TRACE_LOCAL) == 0 || dialect->shares_addresses)
        return 0;
    return types & VIDMM_TRACE_VISIBLE ? dialect->visible_set : dialect->memory_set;
}

bool vidmm_dialect_memory_only(const struct vidmm_dialect *dialect, uint32_t types)
{
    return memory_for(dialect, types) != 0 && (!dialect->spill || is_shared(types)) &&
           !needs_aperture(dialect, types);
}

static uint32_t first_of(uint32_t set)
{
    return set == 0 ? 0 : (uint32_t)__builtin_ctz(set) + 1;
}

/* Memory first, then, if it may live there, an aperture. */
static uint32_t preference(uint32_t memory_set, uint32_t aperture_set)
{
    D3DDDI_SEGMENTPREFERENCE wish = {.Value = 0};
    uint32_t memory = first_of(memory_set), aperture = first_of(aperture_set);

    wish.SegmentId0 = (memory != 0 ? memory : aperture) & 31;
    wish.SegmentId1 = (memory != 0 ? aperture : 0) & 31;
    return wish.Value;
}

/* By size, so that a hint is the same in every run: a bank, and the next from its end. */
static uint32_t bank_for(const struct vidmm_dialect *dialect, uint32_t memory_set, uint64_t size)
{
    uint32_t first;

    if (dialect->bank_count == 0 || first_of(memory_set) != dialect->memory)
        return 0;
    first = (uint32_t)(size >> 14) % dialect->bank_count;
    return (first + 1) | (((first + 1) % dialect->bank_count + 1) | 0x80) << 8;
}

/* The GPU of a link that an allocation belongs to: by size, so that it is the same in every run. */
static uint32_t gpu_for(const struct vidmm_dialect *dialect, uint64_t size)
{
    return dialect->links > 1 ? (uint32_t)(size >> 12) % dialect->links : 0;
}

static uint32_t describe(void *context, uint64_t size, uint32_t types, void *buffer)
{
    const struct vidmm_dialect *dialect = context;
    uint32_t memory = memory_for(dialect, types);
    uint32_t aperture = vidmm_dialect_memory_only(dialect, types) ? 0 : dialect->aperture_set;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = 0};

    flags.CpuVisible = (types & VIDMM_TRACE_VISIBLE) != 0;
    flags.Cached = flags.CpuVisible && (types & VIDMM_TRACE_CACHED) != 0; /* obeys S0-024 */
    flags.AccessedPhysically = dialect->is_new && !dialect->by_address;
    flags.LinkInstanced =
        !dialect->is_new && (types & VIDMM_TRACE_GPU_WRITES) != 0 && !is_shared(types);
    flags.LinkMirrored = !dialect->is_new &&
                         (types & (VIDMM_TRACE_CPU_WRITES | VIDMM_TRACE_GPU_WRITES)) != 0 &&
                         !flags.LinkInstanced;
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags.Value,
        .size = size,
        .read_set = memory | aperture,
        .write_set = memory | aperture,
        .evict_set = dialect->evict_through_aperture ? dialect->aperture_set : 0,
        .preferred = preference(memory, aperture),
        .hinted_bank = bank_for(dialect, memory, size),
        .priority = SOFTGPU_PRIORITY_NORMAL,
        .gpu = gpu_for(dialect, size),
    };
    memcpy(buffer, &wish, sizeof(wish));
    return sizeof(wish);
}

/* Allocations of the command that begins at use `first`. */
static uint32_t uses_from(const struct vidmm_dialect *dialect, uint32_t first, uint32_t count)
{
    uint32_t left = count - first;

    return dialect->command_uses != 0 && dialect->command_uses < left ? dialect->command_uses
                                                                      : left;
}

static uint32_t touch_size(const struct vidmm_dialect *dialect, uint32_t count)
{
    return dialect->by_address ? (uint32_t)(sizeof(struct softgpu_virtual_touch) +
                                            count * sizeof(struct softgpu_virtual_reference))
                               : softgpu_touch_size(count);
}

static uint32_t command_size(void *context, uint32_t count)
{
    uint32_t size = touch_size(context, uses_from(context, 0, count));

    for (uint32_t first = uses_from(context, 0, count); first < count;
         first += uses_from(context, first, count))
        size += touch_size(context, uses_from(context, first, count));
    return size;
}

static void write_touch(uint64_t seed, const struct vidmm_replay_use *uses, uint32_t count,
                        struct softgpu_touch *touch)
{
    struct softgpu_reference *references = (struct softgpu_reference *)(touch + 1);

    *touch = (struct softgpu_touch){
        .command = {SOFTGPU_TOUCH, softgpu_touch_size(count)},
        .reference_count = count,
        .seed = seed,
    };
    for (uint32_t i = 0; i < count; i++)
        references[i] = (struct softgpu_reference){
            .allocation_index = uses[i].index,
            .flags = uses[i].write ? SOFTGPU_REFERENCE_WRITE : 0,
            .pages = uses[i].pages,
            .digest = uses[i].digest,
            .content_id = uses[i].content_id,
            .generation = uses[i].generation,
        };
}

static void write_virtual_touch(uint64_t seed, const struct vidmm_replay_use *uses, uint32_t count,
                                struct softgpu_virtual_touch *touch)
{
    struct softgpu_virtual_reference *references = (void *)(touch + 1);

    *touch = (struct softgpu_virtual_touch){
        .command = {SOFTGPU_VIRTUAL_TOUCH,
                    (uint32_t)(sizeof(*touch) + count * sizeof(*references))},
        .reference_count = count,
        .seed = seed,
    };
    for (uint32_t i = 0; i < count; i++)
        references[i] = (struct softgpu_virtual_reference){
            .gpuva = uses[i].address,
            .pages = uses[i].pages,
            .digest = uses[i].digest,
            .content_id = uses[i].content_id,
            .generation = uses[i].generation,
            .flags = uses[i].write ? SOFTGPU_REFERENCE_WRITE : 0,
        };
}

static uint32_t command(void *context, uint64_t seed, const struct vidmm_replay_use *uses,
                        uint32_t count, void *buffer)
{
    const struct vidmm_dialect *dialect = context;
    unsigned char *at = buffer;
    uint32_t first = 0;

    do {
        uint32_t here = uses_from(context, first, count);

        if (dialect->by_address)
            write_virtual_touch(seed, uses + first, here, (void *)at);
        else
            write_touch(seed, uses + first, here, (void *)at);
        at += touch_size(dialect, here);
        first += here;
    } while (first < count);
    return (uint32_t)(at - (unsigned char *)buffer);
}

struct vidmm_replay_driver vidmm_dialect_driver(const struct vidmm_dialect *dialect)
{
    return (struct vidmm_replay_driver){
        .context = (void *)(uintptr_t)dialect,
        .leading = dialect->command_uses != 0 ? 1 : 0,
        .describe = describe,
        .command_size = command_size,
        .command = command,
    };
}
