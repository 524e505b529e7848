/* TOUCH: the GPU's command in place of drawing. Every page of every reference is checked, then
 * partly rewritten. */
#include <string.h>

#include "softgpu/device_private.h"

/* One reference being touched. */
struct touch {
    struct softgpu_engine *engine;
    const struct softgpu_op_reference *reference;
    struct vidmm_content_key key;
    uint64_t page;   /* the next */
    uint64_t digest; /* of the pages so far */
    bool wrong;
};

static void touch_page(struct touch *touch, unsigned char *page)
{
    const struct softgpu_op_reference *reference = touch->reference;
    struct vidmm_content_finding finding;
    uint32_t index = (uint32_t)touch->page;

    if (!vidmm_content_check_page(page, touch->key, index, reference->generation, &touch->digest) &&
        !touch->wrong) {
        touch->wrong = true;
        finding = vidmm_content_examine(page, touch->key, index, reference->generation);
        softgpu_mismatch(touch->engine, reference, touch->page, &finding);
    }
    if ((reference->flags & SOFTGPU_REFERENCE_WRITE) != 0)
        vidmm_content_write_gpu(page, touch->key, index, reference->generation + 1);
    touch->page++;
}

/* All pages are right by themselves: is there one that a CPU write never reached? */
static void compare_digest(struct touch *touch)
{
    static const struct vidmm_content_finding lost = {.kind = VIDMM_CONTENT_LOST_CPU};

    if (!touch->wrong && touch->digest != touch->reference->digest)
        softgpu_mismatch(touch->engine, touch->reference, 0, &lost);
}

/* A number for the bytes that were found: of whom, how many, after which writes of GPU and CPU.
 * Bytes that are not what they should be have one of their own. */
static uint64_t sum_of(const struct touch *touch)
{
    const uint64_t words[] = {touch->key.id, touch->page, touch->reference->generation,
                              touch->digest, touch->wrong};
    uint64_t sum = 0;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}

/* A page that lies in several pieces: gathered, touched, and put back. */
static void touch_pieces(struct touch *touch, struct softgpu_walk *walk)
{
    unsigned char page[SOFTGPU_PAGE_SIZE];
    struct softgpu_walk back = *walk;
    uint64_t at = 0, bytes;

    while (at < SOFTGPU_PAGE_SIZE && walk->here != 0) {
        bytes = walk->here < SOFTGPU_PAGE_SIZE - at ? walk->here : SOFTGPU_PAGE_SIZE - at;
        memcpy(page + at, walk->at, bytes);
        softgpu_walk_take(walk, bytes);
        at += bytes;
    }
    if (walk->failed)
        return;
    touch_page(touch, page);
    if ((touch->reference->flags & SOFTGPU_REFERENCE_WRITE) == 0)
        return;
    for (at = 0; at < SOFTGPU_PAGE_SIZE; at += bytes) {
        bytes = back.here < SOFTGPU_PAGE_SIZE - at ? back.here : SOFTGPU_PAGE_SIZE - at;
        memcpy(back.at, page + at, bytes);
        softgpu_walk_take(&back, bytes);
    }
}

/* Whether an address may be one of the AGP aperture, which is a physical one. */
static bool has_agp(const struct softgpu_device *device)
{
    return softgpu_config_segment(&device->config, SOFTGPU_SEGMENT_AGP) != 0;
}

static bool begin(struct softgpu_engine *engine, const struct softgpu_op_reference *reference,
                  struct softgpu_walk *walk)
{
    bool is_tiled = (reference->flags & SOFTGPU_REFERENCE_TILED) != 0;
    uint32_t tiled = is_tiled ? SOFTGPU_PLACE_TILED : 0;
    struct softgpu_place place = {.segment = tiled, .address = reference->address};
    const struct softgpu_window *window = NULL;
    uint64_t bytes = reference->pages << SOFTGPU_PAGE_SHIFT;

    if (softgpu_is_user(&engine->packet)) {
        place.segment = SOFTGPU_PLACE_VIRTUAL;
        if ((reference->flags & SOFTGPU_REFERENCE_WRITE) != 0)
            place.segment |= SOFTGPU_PLACE_WRITTEN;
        if (reference->address % SOFTGPU_PAGE_SIZE == 0 && reference->pages <= UINT32_MAX)
            return softgpu_walk_begin(walk, engine, "touch", &place, NULL, bytes);
    }
    if (reference->address % SOFTGPU_PAGE_SIZE == 0 && reference->pages <= UINT32_MAX)
        window = softgpu_window_of(engine->device, 0, reference->address, bytes);
    if (window == NULL && reference->address != 0 && has_agp(engine->device))
        return softgpu_walk_begin(walk, engine, "touch", &place, NULL, bytes);
    if (window == NULL) {
        softgpu_fault(engine, "touch: content %u, %llu pages at 0x%llx: no place of a segment",
                      reference->content_id, (unsigned long long)reference->pages,
                      (unsigned long long)reference->address);
        return false;
    }
    place.segment = (uint32_t)(window - engine->device->windows + 1) | tiled;
    return softgpu_walk_begin(walk, engine, "touch", &place, NULL, bytes);
}

/* Put the references into their slots, or take their addresses from there. False: a slot is
 * empty. */
static bool bind(struct softgpu_engine *engine, struct softgpu_op_reference *references,
                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((references[i].flags & SOFTGPU_REFERENCE_BOUND) == 0) {
            engine->slots[i] = references[i].address;
        } else if (i < engine->bound) {
            references[i].address = engine->slots[i];
        } else {
            softgpu_fault(engine, "touch: content %u is said to stand in slot %u, %u are bound",
                          references[i].content_id, i, engine->bound);
            return false;
        }
    }
    engine->bound = count > engine->bound ? count : engine->bound;
    return true;
}

static void touch_reference(struct softgpu_engine *engine, uint64_t seed,
                            const struct softgpu_op_reference *reference)
{
    struct touch touch = {.engine = engine,
                          .reference = reference,
                          .key = {.seed = seed, .id = reference->content_id}};
    struct softgpu_walk walk;

    if ((reference->flags & SOFTGPU_REFERENCE_HISTORY) != 0) { /* its content is no known one */
        if ((reference->flags & SOFTGPU_REFERENCE_WRITE) != 0)
            softgpu_history_name(engine, reference);
        return;
    }
    if ((reference->flags & SOFTGPU_REFERENCE_INSTANCED) != 0)
        touch.key.seed += engine->packet.instance * UINT64_C(0x9e3779b97f4a7c15);
    softgpu_push(engine->device);
    if (!begin(engine, reference, &walk))
        return;
    while (walk.here != 0) {
        if (walk.here < SOFTGPU_PAGE_SIZE) {
            touch_pieces(&touch, &walk);
            continue;
        }
        touch_page(&touch, walk.at);
        softgpu_walk_take(&walk, SOFTGPU_PAGE_SIZE);
    }
    if (!walk.failed)
        compare_digest(&touch);
    SOFTGPU_COUNT(engine->device, content_sum, sum_of(&touch));
    SOFTGPU_COUNT(engine->device, content_checks, 1);
    SOFTGPU_COUNT(engine->device, content_pages, touch.page);
    if ((reference->flags & SOFTGPU_REFERENCE_WRITE) != 0)
        SOFTGPU_COUNT(engine->device, content_bytes_written, touch.page * VIDMM_CONTENT_SECTOR);
}

void softgpu_run_touch(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_touch *touch = (const void *)command;
    /* The engine's own copy of the command, in its memory. */
    struct softgpu_op_reference *references =
        (void *)(engine->command + sizeof(struct softgpu_op_touch));
    uint64_t start;

    if (touch->reference_count > (command->size - sizeof(*touch)) / sizeof(*references)) {
        softgpu_fault(engine, "touch: %u references in %u bytes", touch->reference_count,
                      command->size);
        return;
    }
    if (!bind(engine, references, touch->reference_count) || !engine->device->config.execute)
        return;
    start = softgpu_now_ns(engine->device);
    for (uint32_t i = 0; i < touch->reference_count; i++)
        touch_reference(engine, touch->seed, &references[i]);
    SOFTGPU_COUNT(engine->device, check_ns, softgpu_now_ns(engine->device) - start);
}
