/*
 * Theory. An engine keeps the state of the context it runs, and writes it to the context's save
 * area only when it leaves that context: for the first packet of another one, or for an empty
 * packet that says so. Paging packets belong to no context and change nothing.
 *
 *     packets   A   A   paging   B               switch
 *     does      load A            save A, load B  save B
 *
 * The state is how often the context was saved: every word of its save area is made of the
 * context's number, the page and that count (softgpu_context_word()). The device remembers the
 * count too, which no memory can change: so an area that never got its first content, that was
 * evicted under the engine and lost what was saved late, or that is another's by now, is found when
 * it is loaded. The table of a device, which all its contexts use, has the count 0 for ever and is
 * looked at before each packet.
 *
 * Invariants:
 *   C1  `loaded` of an engine is that of the newest packet of a context since the last switch or
 *       reset
 *   C2  a number's count is written by INIT, and by the engine that saves it: one at a time
 */
#include <string.h>

#include "softgpu/device_private.h"

static _Atomic uint64_t *count_of(struct softgpu_engine *engine, uint32_t number)
{
    return &engine->device->contexts[number % SOFTGPU_CONTEXTS];
}

/* The count, and whether the number ever got its first content. */
static bool find_count(struct softgpu_engine *engine, uint32_t number, uint32_t *count)
{
    uint64_t known = atomic_load(count_of(engine, number));

    *count = (uint32_t)known;
    return known >> 32 == number;
}

static void set_count(struct softgpu_engine *engine, uint32_t number, uint32_t count)
{
    atomic_store(count_of(engine, number), (uint64_t)number << 32 | count);
}

/* Write all words of an area. False: part of it is no memory. */
static bool write_area(struct softgpu_engine *engine, const struct softgpu_place *place,
                       uint32_t number, uint64_t bytes, uint32_t count)
{
    struct softgpu_walk walk;
    uint64_t done = 0;

    if (!softgpu_walk_begin(&walk, engine, "context", place, NULL, bytes))
        return false;
    while (walk.here != 0) {
        uint64_t here = walk.here;

        for (uint64_t i = 0; i < here; i += sizeof(uint64_t)) {
            uint64_t word = softgpu_context_word(number, (done + i) / SOFTGPU_PAGE_SIZE, count);

            memcpy(walk.at + i, &word, sizeof(word));
        }
        done += here;
        softgpu_walk_take(&walk, here);
    }
    return !walk.failed;
}

/* Hold all words of an area against what they should be; one fault for all that are wrong. */
static void check_area(struct softgpu_engine *engine, const char *what,
                       const struct softgpu_place *place, uint32_t number, uint64_t bytes)
{
    struct softgpu_walk walk;
    uint64_t done = 0;
    uint32_t count;

    if (!find_count(engine, number, &count)) {
        softgpu_fault(engine, "%s %u was never initialised", what, number);
        return;
    }
    if (!softgpu_walk_begin(&walk, engine, what, place, NULL, bytes))
        return;
    while (walk.here != 0) {
        uint64_t here = walk.here;

        for (uint64_t i = 0; i < here; i += sizeof(uint64_t)) {
            uint64_t expected = softgpu_context_word(number, (done + i) / SOFTGPU_PAGE_SIZE, count);
            uint64_t word;

            memcpy(&word, walk.at + i, sizeof(word));
            if (word != expected) {
                softgpu_fault(engine,
                              "%s %u, saved %u times: byte 0x%llx at 0x%llx is 0x%llx, not 0x%llx",
                              what, number, count, (unsigned long long)(done + i),
                              (unsigned long long)place->address, (unsigned long long)word,
                              (unsigned long long)expected);
                return;
            }
        }
        done += here;
        softgpu_walk_take(&walk, here);
    }
}

/* Leave the context that the engine runs, if it runs one. */
static void save(struct softgpu_engine *engine)
{
    struct softgpu_loaded *loaded = &engine->loaded;
    uint32_t count;

    if (loaded->number == 0)
        return;
    if (!find_count(engine, loaded->number, &count)) {
        softgpu_fault(engine, "context %u is to be saved, and was never initialised",
                      loaded->number);
    } else if (write_area(engine, &loaded->place, loaded->number, SOFTGPU_SAVE_SIZE, count + 1)) {
        set_count(engine, loaded->number, count + 1);
        SOFTGPU_COUNT(engine->device, context_saves, 1);
    }
    loaded->number = 0;
}

static void load(struct softgpu_engine *engine, uint32_t number, const struct softgpu_place *place)
{
    struct softgpu_loaded *loaded = &engine->loaded;

    if (loaded->number == number) {
        if (place->address != loaded->place.address || place->segment != loaded->place.segment)
            softgpu_fault(engine, "context %u moved from 0x%llx to 0x%llx while it was run", number,
                          (unsigned long long)loaded->place.address,
                          (unsigned long long)place->address);
        loaded->place = *place;
        return;
    }
    save(engine);
    check_area(engine, "context", place, number, SOFTGPU_SAVE_SIZE);
    *loaded = (struct softgpu_loaded){.number = number, .place = *place}; /* obeys C1 */
    SOFTGPU_COUNT(engine->device, context_loads, 1);
}

void softgpu_context_begin(struct softgpu_engine *engine)
{
    const struct softgpu_packet *packet = &engine->packet;
    struct softgpu_place area = {.segment = packet->save_segment, .address = packet->save_address};
    struct softgpu_place table = {.segment = packet->table_segment,
                                  .address = packet->table_address};

    if (packet->flags & SOFTGPU_PACKET_SWITCH) {
        save(engine);
        return;
    }
    if (packet->flags & (SOFTGPU_PACKET_PAGING | SOFTGPU_PACKET_NULL))
        return;
    if (packet->context != 0)
        load(engine, packet->context, &area);
    if (packet->table != 0)
        check_area(engine, "table", &table, packet->table, SOFTGPU_TABLE_SIZE);
}

void softgpu_run_context(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_context *op = (const void *)command;
    struct softgpu_place place = {.segment = op->segment, .address = op->address};
    uint32_t count;

    if (op->what == SOFTGPU_CONTEXT_DROP) {
        atomic_store(count_of(engine, op->number), 0);
        return;
    }
    if (find_count(engine, op->number, &count) && count != 0)
        softgpu_fault(engine, "context %u is initialised, and was saved %u times: that is lost",
                      op->number, count);
    if (op->what == SOFTGPU_CONTEXT_INIT && !write_area(engine, &place, op->number, op->bytes, 0))
        return;
    set_count(engine, op->number, 0);
    SOFTGPU_COUNT(engine->device, context_inits, 1);
}
