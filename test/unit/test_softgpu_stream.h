/* test_softgpu_stream.h: packets of commands for the device half of the software GPU, written by
 * hand as a driver would.
 */
#ifndef TEST_UNIT_TEST_SOFTGPU_STREAM_H
#define TEST_UNIT_TEST_SOFTGPU_STREAM_H

#include "test_softgpu_machine.h"

enum { APERTURE = 1, MEMORY = 2 };

#define APERTURE_BASE SOFTGPU_SEGMENT_BASE(APERTURE)
#define MEMORY_BASE SOFTGPU_SEGMENT_BASE(MEMORY)

/* A stream of commands being written, to be submitted from one system page. */
struct stream {
    struct machine *machine;
    uint64_t physical;
    unsigned char *at;
    uint32_t size, commands;
};

static uint32_t given[SOFTGPU_ENGINES];

static inline void start(struct machine *machine, const struct softgpu_config *config)
{
    machine_init(machine);
    machine_plug(machine, config);
    memset(given, 0, sizeof(given));
}

static inline struct machine *started(void)
{
    static struct machine machine;
    struct softgpu_config config = machine_small_config();

    start(&machine, &config);
    return &machine;
}

static inline struct stream stream_of(struct machine *machine)
{
    uint64_t physical = machine_frame(machine) * 4096;

    return (struct stream){
        .machine = machine, .physical = physical, .at = machine_at(machine, physical)};
}

static inline void put(struct stream *stream, const void *command, size_t size)
{
    assert_true(stream->size + size <= 4096);
    memcpy(stream->at + stream->size, command, size);
    stream->size += (uint32_t)size;
    stream->commands++;
}

static inline void submit_packet(struct machine *machine, uint32_t engine,
                                 struct softgpu_packet packet)
{
    const struct softgpu_engine_register *at = &machine_registers(machine)->engines[engine];
    unsigned char *ring = machine->bar[0] + at->ring;

    memcpy(ring + (given[engine]++ & (at->slots - 1)) * sizeof(packet), &packet, sizeof(packet));
    assert_true(machine_ring(machine, SOFTGPU_DOORBELL_SUBMIT(engine), given[engine]));
}

static inline void submit_to(const struct stream *stream, uint32_t engine, uint32_t fence)
{
    submit_packet(stream->machine, engine,
                  (struct softgpu_packet){.address = stream->physical,
                                          .size = stream->size,
                                          .fence = fence,
                                          .flags = SOFTGPU_PACKET_COUNTED,
                                          .commands = stream->commands});
}

static inline void run(const struct stream *stream)
{
    submit_to(stream, 0, 7);
    machine_settle_engines(stream->machine);
}

static inline uint32_t fence_of(struct machine *machine, uint32_t engine)
{
    return (uint32_t)atomic_load(&machine_registers(machine)->engines[engine].completed);
}

/* ---- commands to choose from ----------------------------------------------------------------- */

static inline void put_map(struct stream *stream, uint64_t first, const uint64_t *frames,
                           uint32_t pages)
{
    struct {
        struct softgpu_op_map map;
        uint64_t runs[64];
    } op = {.map = {.command = {.opcode = SOFTGPU_OP_MAP},
                    .segment = APERTURE,
                    .first = first,
                    .pages = pages,
                    .runs = pages}};

    memcpy(op.runs, frames, pages * sizeof(frames[0]));
    op.map.command.size = (uint32_t)(sizeof(op.map) + pages * sizeof(uint64_t));
    put(stream, &op, op.map.command.size);
}

static inline void put_unmap(struct stream *stream, uint64_t first, uint64_t pages, uint64_t frame)
{
    struct softgpu_op_unmap op = {.command = {.opcode = SOFTGPU_OP_UNMAP, .size = sizeof(op)},
                                  .segment = APERTURE,
                                  .first = first,
                                  .pages = pages,
                                  .physical = frame * 4096};

    put(stream, &op, sizeof(op));
}

/* Between `frames` (scattered, one run each) and a segment address; in: frames are the source. */
static inline void put_transfer(struct stream *stream, bool in, const uint64_t *frames,
                                uint32_t count, uint64_t address, uint64_t bytes)
{
    struct {
        struct softgpu_op_transfer transfer;
        uint64_t runs[64];
    } op = {.transfer = {.command = {.opcode = SOFTGPU_OP_TRANSFER}, .bytes = bytes}};
    struct softgpu_place *system = in ? &op.transfer.source : &op.transfer.destination;
    struct softgpu_place *local = in ? &op.transfer.destination : &op.transfer.source;

    system->runs = count;
    local->segment = (uint32_t)(address >> 36);
    local->address = address;
    memcpy(op.runs, frames, count * sizeof(frames[0]));
    op.transfer.command.size = (uint32_t)(sizeof(op.transfer) + count * sizeof(uint64_t));
    put(stream, &op, op.transfer.command.size);
}

static inline void put_move(struct stream *stream, uint64_t from, uint64_t to, uint64_t bytes)
{
    struct softgpu_op_transfer op = {
        .command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)},
        .bytes = bytes,
        .source = {.segment = (uint32_t)(from >> 36), .address = from},
        .destination = {.segment = (uint32_t)(to >> 36), .address = to}};

    put(stream, &op, sizeof(op));
}

static inline void put_fill(struct stream *stream, uint64_t address, uint64_t bytes,
                            uint32_t pattern)
{
    struct softgpu_op_fill op = {.command = {.opcode = SOFTGPU_OP_FILL, .size = sizeof(op)},
                                 .bytes = bytes,
                                 .address = address,
                                 .segment = (uint32_t)(address >> 36),
                                 .pattern = pattern};

    put(stream, &op, sizeof(op));
}

static inline struct softgpu_op_reference
reference_of(uint64_t address, uint32_t pages, uint32_t id, uint32_t generation, uint32_t flags)
{
    return (struct softgpu_op_reference){.address = address,
                                         .pages = pages,
                                         .content_id = id,
                                         .generation = generation,
                                         .flags = flags};
}

static inline void put_touch(struct stream *stream, struct softgpu_op_reference reference)
{
    struct {
        struct softgpu_op_touch touch;
        struct softgpu_op_reference reference;
    } op = {.touch = {.command = {.opcode = SOFTGPU_OP_TOUCH, .size = sizeof(op)},
                      .reference_count = 1,
                      .seed = 99},
            .reference = reference};

    put(stream, &op, sizeof(op));
}

static inline void frames_of(struct machine *machine, uint64_t *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        frames[i] = machine_frame(machine);
}

static inline void mark_frames(struct machine *machine, const uint64_t *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        memset(machine_at(machine, frames[i] * 4096), (int)(i + 1), 4096);
}

#endif
