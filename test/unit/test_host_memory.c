/* The machine's memory: records, page frames, addresses, config space. */
#include "harness.h"

#include <stdio.h>
#include <unistd.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <vidmm/page.h>

#include "host/machine.h"

enum { MIB = 1 << 20, PAGE = VIDMM_PAGE_SIZE };

struct bench {
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    const struct vidmm_host *host;
    const struct vidmm_bus *bus;
    unsigned misuses;
    char text[200];
};

static void note_misuse(void *argument, const char *text)
{
    struct bench *bench = argument;

    bench->misuses++;
    strncpy(bench->text, text, sizeof(bench->text) - 1);
}

static void bench_init(struct bench *bench, struct vidmm_machine_options options)
{
    char error[200] = "";

    memset(bench, 0, sizeof(*bench));
    options.kind = VIDMM_MACHINE_SIMULATED;
    options.misuse = note_misuse;
    options.misuse_argument = bench;
    bench->machine = vidmm_machine_create(&options, error, sizeof(error));
    assert_string_equal(error, "");
    assert_non_null(bench->machine);
    bench->slot = vidmm_machine_add_slot(bench->machine);
    assert_non_null(bench->slot);
    bench->host = vidmm_slot_host(bench->slot);
    bench->bus = vidmm_slot_bus(bench->slot);
}

static void bench_finish(struct bench *bench)
{
    vidmm_machine_destroy(bench->machine);
}

static bool take(struct bench *bench, uint64_t count, bool contiguous, uint64_t *frames)
{
    return bench->host->take_pages(bench->host->context, count, VIDMM_ANY_FRAME, contiguous,
                                   VIDMM_CACHED, frames);
}

static void release(struct bench *bench, uint64_t count, const uint64_t *frames)
{
    bench->host->release_pages(bench->host->context, count, frames);
}

static unsigned char *bytes_of(struct bench *bench, uint64_t frame)
{
    void *bytes = bench->bus->memory(bench->bus->context, frame * PAGE, PAGE);

    assert_non_null(bytes);
    return bytes;
}

static void absurd_options_are_refused_with_the_range(void **state)
{
    static const struct {
        struct vidmm_machine_options options;
        const char *says;
    } cases[] = {
        {{.kind = (enum vidmm_machine_kind)7}, "kind 7 is not a kind of machine (0 or 1)"},
        {{.poison = (enum vidmm_poison)3}, "poison 3 is unknown (0 to 2)"},
        {{.system_memory = 5000}, "system memory of 5000 bytes is not whole pages of 4096"},
        {{.system_memory = UINT64_C(1) << 40},
         "system memory of 1099511627776 bytes is more than 549755813888"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char error[200] = "", cut[8] = "";
        assert_null(vidmm_machine_create(&cases[i].options, error, sizeof(error)));
        assert_string_equal(error, cases[i].says);
        assert_null(vidmm_machine_create(&cases[i].options, cut, sizeof(cut)));
        assert_memory_equal(cut, cases[i].says, sizeof(cut) - 1);
        assert_null(vidmm_machine_create(&cases[i].options, NULL, 0));
    }
}

static void blocks_are_zeroed_aligned_and_counted(void **state)
{
    struct bench bench;
    void *blocks[10];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_memory *memory = &bench.host->memory;
    for (unsigned i = 0; i < 10; i++) {
        unsigned char *bytes = blocks[i] = memory->allocate(memory->context, i + 1);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (unsigned k = 0; k <= i; k++)
            assert_int_equal(bytes[k], 0);
        memset(bytes, 0xFF, i + 1);
    }
    assert_int_equal(vidmm_machine_counts(bench.machine).blocks, 10);
    assert_int_equal(vidmm_machine_counts(bench.machine).bytes, 55);
    for (unsigned i = 0; i < 10; i++)
        memory->free(memory->context, blocks[i]);
    assert_int_equal(vidmm_machine_counts(bench.machine).blocks, 0);
    assert_int_equal(vidmm_machine_counts(bench.machine).bytes, 0);
    assert_int_equal(vidmm_machine_counts(bench.machine).block_requests, 10);
    assert_null(memory->allocate(memory->context, SIZE_MAX));
    bench_finish(&bench);
}

static void the_nth_request_fails_and_only_that(void **state)
{
    struct bench bench;
    uint64_t frame = 0;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_memory *memory = &bench.host->memory;
    vidmm_machine_fail_allocation(bench.machine, 2);
    vidmm_machine_fail_pages(bench.machine, 3);
    for (unsigned i = 1; i <= 4; i++) {
        void *block = memory->allocate(memory->context, 1);
        assert_int_equal(block != NULL, i != 2);
        if (block != NULL)
            memory->free(memory->context, block);
        bool taken = take(&bench, 1, false, &frame);
        assert_int_equal(taken, i != 3);
        if (taken)
            release(&bench, 1, &frame);
    }
    vidmm_machine_fail_allocation(bench.machine, 1);
    vidmm_machine_fail_allocation(bench.machine, 0);
    void *block = memory->allocate(memory->context, 1);
    assert_non_null(block);
    memory->free(memory->context, block);
    assert_true(take(&bench, 1, false, &frame));
    vidmm_machine_fail_mapping(bench.machine, 1);
    assert_null(bench.host->map_pages(bench.host->context, 1, &frame));
    assert_non_null(bench.host->map_pages(bench.host->context, 1, &frame));
    bench_finish(&bench);
}

static void no_frame_is_zero_and_a_refusal_changes_nothing(void **state)
{
    enum { COUNT = MIB / PAGE };
    struct bench bench;
    uint64_t frames[COUNT + 1];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    assert_false(take(&bench, COUNT + 1, false, frames));
    assert_int_equal(vidmm_machine_counts(bench.machine).pages, 0);
    assert_true(take(&bench, COUNT, false, frames));
    assert_int_equal(vidmm_machine_counts(bench.machine).pages, COUNT);
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(frames[i] * PAGE >= VIDMM_MACHINE_SYSTEM_BASE);
    assert_false(take(&bench, 1, false, frames + COUNT));
    release(&bench, COUNT, frames);
    assert_int_equal(vidmm_machine_counts(bench.machine).pages, 0);
    assert_true(take(&bench, COUNT, true, frames));
    assert_int_equal(frames[COUNT - 1], frames[0] + COUNT - 1);
    release(&bench, COUNT, frames);
    bench_finish(&bench);
}

static void frames_lie_at_or_below_the_highest_allowed(void **state)
{
    struct bench bench;
    uint64_t first = VIDMM_MACHINE_SYSTEM_BASE / PAGE;
    uint64_t frames[8];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_host *host = bench.host;
    assert_false(host->take_pages(host->context, 1, first - 1, false, VIDMM_CACHED, frames));
    assert_false(host->take_pages(host->context, 1, 0, false, VIDMM_CACHED, frames));
    assert_true(host->take_pages(host->context, 1, first, true, VIDMM_CACHED, frames));
    assert_int_equal(frames[0], first);
    assert_false(host->take_pages(host->context, 1, first, false, VIDMM_CACHED, frames + 1));
    assert_true(host->take_pages(host->context, 7, first + 7, false, VIDMM_CACHED, frames + 1));
    for (unsigned i = 1; i < 8; i++)
        assert_in_range(frames[i], first + 1, first + 7);
    release(&bench, 8, frames);
    bench_finish(&bench);
}

static void units_lie_together_and_begin_at_a_multiple(void **state)
{
    enum { UNIT = 16, COUNT = 2 * UNIT };
    struct bench bench;
    uint64_t first = VIDMM_MACHINE_SYSTEM_BASE / PAGE;
    uint64_t frames[COUNT], alone;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_host *host = bench.host;
    assert_true(
        host->take_units(host->context, COUNT, UNIT, VIDMM_ANY_FRAME, VIDMM_CACHED, frames));
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(frames[i], frames[i / UNIT * UNIT] + i % UNIT);
    assert_int_equal(frames[0] % UNIT, 0);
    assert_int_equal(frames[UNIT] % UNIT, 0);
    release(&bench, COUNT, frames);
    assert_true(host->take_pages(host->context, 1, first, true, VIDMM_CACHED, &alone));
    assert_false(
        host->take_units(host->context, UNIT, UNIT, first + UNIT - 1, VIDMM_CACHED, frames));
    assert_false(host->take_units(host->context, UNIT, UNIT, first - 1, VIDMM_CACHED, frames));
    assert_false(host->take_units(host->context, 256, 256, VIDMM_ANY_FRAME, VIDMM_CACHED, frames));
    assert_int_equal(bench.misuses, 0);
    assert_false(host->take_units(host->context, UNIT, 12, VIDMM_ANY_FRAME, VIDMM_CACHED, frames));
    assert_false(host->take_units(host->context, 1, UNIT, VIDMM_ANY_FRAME, VIDMM_CACHED, frames));
    assert_int_equal(bench.misuses, 2);
    release(&bench, 1, &alone);
    bench_finish(&bench);
}

static void mapped_pages_appear_in_the_order_asked_for(void **state)
{
    enum { COUNT = 100 };
    struct bench bench;
    uint64_t frames[COUNT];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB, .seed = 4});
    assert_true(take(&bench, COUNT, false, frames));
    for (unsigned i = 0; i < COUNT; i++)
        memset(bytes_of(&bench, frames[i]), (int)i, PAGE);
    unsigned char *mapped = bench.host->map_pages(bench.host->context, COUNT, frames);
    assert_non_null(mapped);
    assert_int_equal(vidmm_machine_counts(bench.machine).mappings, 1);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(mapped[i * PAGE], i);
        assert_int_equal(mapped[i * PAGE + PAGE - 1], i);
        mapped[i * PAGE] = (unsigned char)(i + 100);
        assert_int_equal(*bytes_of(&bench, frames[i]), i + 100);
    }
    bench.host->unmap_pages(bench.host->context, mapped, COUNT - 1);
    assert_int_equal(bench.misuses, 1);
    bench.host->unmap_pages(bench.host->context, mapped, COUNT);
    assert_int_equal(vidmm_machine_counts(bench.machine).mappings, 0);
    release(&bench, COUNT, frames);
    assert_int_equal(bench.misuses, 1);
    bench_finish(&bench);
}

static void consecutive_frames_are_mapped_already(void **state)
{
    struct bench bench;
    uint64_t frames[16];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    assert_true(take(&bench, 16, true, frames));
    unsigned char *mapped = bench.host->map_pages(bench.host->context, 16, frames);
    assert_ptr_equal(mapped, bytes_of(&bench, frames[0]));
    assert_int_equal(vidmm_machine_counts(bench.machine).mappings, 0);
    bench.host->unmap_pages(bench.host->context, mapped, 16);
    release(&bench, 16, frames);
    assert_int_equal(bench.misuses, 0);
    bench_finish(&bench);
}

/* Page n of many: its bytes and its changes are seen, and a write by the system is refused. */
static void a_page_for_reading_cannot_be_written(void **state)
{
    struct bench bench;
    uint64_t frames[3];
    char byte = 0;

    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        bench_init(&bench, (struct vidmm_machine_options){
                               .system_memory = MIB, .seed = 4, .caches_apart = apart != 0});
        const struct vidmm_host *host = bench.host;
        assert_true(take(&bench, 3, false, frames));
        for (unsigned i = 0; i < 3; i++)
            memset(bytes_of(&bench, frames[i]), (int)i + 1, PAGE);
        const unsigned char *shown = host->map_for_reading(host->context, frames[1]);
        assert_non_null(shown);
        assert_int_equal(shown[0], 2);
        assert_int_equal(shown[PAGE - 1], 2);
        bytes_of(&bench, frames[1])[5] = 77;
        assert_int_equal(*(const volatile unsigned char *)&shown[5], 77);
        FILE *zeros = fopen("/dev/zero", "r");
        assert_non_null(zeros);
        assert_int_equal(read(fileno(zeros), &byte, 1), 1);
        assert_int_equal(read(fileno(zeros), (void *)(uintptr_t)shown, 1), -1);
        fclose(zeros);
        assert_int_equal(shown[0], 2);
        host->unmap_for_reading(host->context, shown);
        vidmm_machine_fail_mapping(bench.machine, 1);
        assert_null(host->map_for_reading(host->context, frames[1]));
        assert_int_equal(bench.misuses, 0);
        release(&bench, 3, frames);
        assert_null(host->map_for_reading(host->context, frames[1])); /* it is not taken */
        assert_int_equal(bench.misuses, 1);
        bench_finish(&bench);
    }
}

static void mappings_end_with_a_refusal_before_the_system_runs_out(void **state)
{
    enum { COUNT = 60000 };
    static uint64_t frames[COUNT];
    static uint64_t every_other[COUNT / 2];
    struct bench bench;
    void *mapped[8];
    unsigned count = 0;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = 256 * MIB});
    assert_true(take(&bench, COUNT, true, frames));
    for (unsigned i = 0; i < COUNT / 2; i++)
        every_other[i] = frames[2 * i];
    while (count < 8) {
        mapped[count] = bench.host->map_pages(bench.host->context, COUNT / 2, every_other);
        if (mapped[count] == NULL)
            break;
        count++;
    }
    assert_in_range(count, 1, 2);
    for (unsigned i = 0; i < count; i++)
        bench.host->unmap_pages(bench.host->context, mapped[i], COUNT / 2);
    mapped[0] = bench.host->map_pages(bench.host->context, COUNT / 2, every_other);
    assert_non_null(mapped[0]);
    bench_finish(&bench); /* mappings that are left are unmapped */
}

static void clearing_fills_pages_with_zeros(void **state)
{
    struct bench bench;
    uint64_t frames[9];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    assert_true(take(&bench, 9, false, frames));
    for (unsigned i = 0; i < 9; i++)
        memset(bytes_of(&bench, frames[i]), 0x55, PAGE);
    bench.host->clear_pages(bench.host->context, 8, frames);
    for (unsigned i = 0; i < 9; i++)
        for (unsigned k = 0; k < PAGE; k++)
            assert_int_equal(bytes_of(&bench, frames[i])[k], i < 8 ? 0 : 0x55);
    release(&bench, 9, frames);
    bench_finish(&bench);
}

/* How many bytes at the start of the page hold `byte`. */
static unsigned poisoned(struct bench *bench, uint64_t frame, unsigned char byte)
{
    const unsigned char *bytes = bytes_of(bench, frame);
    unsigned count = 0;

    while (count < PAGE && bytes[count] == byte)
        count++;
    return count;
}

static void wanted_no_more_means_poisoned(void **state)
{
    static const unsigned sizes[] = {
        [VIDMM_POISON_NOTHING] = 0, [VIDMM_POISON_HEAD] = 64, [VIDMM_POISON_WHOLE] = PAGE};

    (void)state;
    for (unsigned poison = 0; poison < 3; poison++) {
        struct bench bench;
        uint64_t frames[2];
        bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB,
                                                          .poison = (enum vidmm_poison)poison});
        assert_true(take(&bench, 2, false, frames));
        assert_int_equal(poisoned(&bench, frames[0], VIDMM_POISON_UNUSED), sizes[poison]);
        memset(bytes_of(&bench, frames[0]), 1, PAGE);
        memset(bytes_of(&bench, frames[1]), 1, PAGE);
        bench.host->drop_pages(bench.host->context, 1, frames);
        assert_int_equal(poisoned(&bench, frames[0], VIDMM_POISON_DROPPED), sizes[poison]);
        assert_int_equal(poisoned(&bench, frames[1], 1), PAGE);
        release(&bench, 2, frames);
        assert_int_equal(poisoned(&bench, frames[1], VIDMM_POISON_RELEASED), sizes[poison]);
        bench_finish(&bench);
    }
}

static void frames_that_are_not_taken_are_misuse(void **state)
{
    struct bench bench;
    uint64_t frames[2];

    (void)state;
    bench_init(&bench,
               (struct vidmm_machine_options){.system_memory = MIB, .poison = VIDMM_POISON_HEAD});
    const struct vidmm_host *host = bench.host;
    assert_true(take(&bench, 2, false, frames));
    release(&bench, 1, frames);
    release(&bench, 1, frames);
    assert_int_equal(bench.misuses, 1);
    assert_non_null(strstr(bench.text, "release_pages: page frame 0x"));
    host->drop_pages(host->context, 1, frames);
    assert_int_equal(bench.misuses, 2);
    assert_null(host->map_pages(host->context, 2, frames));
    assert_int_equal(bench.misuses, 3);
    const uint64_t zero = 0;
    release(&bench, 1, &zero);
    host->clear_pages(host->context, 1, &zero);
    assert_int_equal(bench.misuses, 5);
    release(&bench, 1, frames + 1);
    assert_int_equal(vidmm_machine_counts(bench.machine).pages, 0);
    bench_finish(&bench);
}

static void addresses_of_holes_are_no_memory(void **state)
{
    struct bench bench;
    uint64_t bars[2] = {0, 0};

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_bus *bus = bench.bus;
    assert_true(bus->add_memory(bus->context, 0, 3 * PAGE, &bars[0]));
    assert_false(bus->add_memory(bus->context, 0, 3 * PAGE, &bars[0]));
    assert_true(bus->add_memory(bus->context, 2, 64 * MIB, &bars[1]));
    assert_false(bus->add_memory(bus->context, 1, PAGE + 1, &bars[1]));
    assert_false(bus->add_memory(bus->context, 1, 0, &bars[1]));
    assert_false(bus->add_memory(bus->context, 1, VIDMM_MACHINE_BAR_WINDOW + PAGE, &bars[1]));
    assert_false(bus->add_memory(bus->context, VIDMM_BUS_REGIONS, PAGE, &bars[1]));
    const struct {
        uint64_t address, size;
        bool there;
    } cases[] = {
        {0, 1, false},
        {VIDMM_MACHINE_SYSTEM_BASE - 1, 1, false},
        {VIDMM_MACHINE_SYSTEM_BASE - 1, 2, false},
        {VIDMM_MACHINE_SYSTEM_BASE, MIB, true},
        {VIDMM_MACHINE_SYSTEM_BASE, 0, false},
        {VIDMM_MACHINE_SYSTEM_BASE, MIB + 1, false},
        {VIDMM_MACHINE_SYSTEM_BASE + MIB - 1, 1, true},
        {VIDMM_MACHINE_SYSTEM_BASE + MIB, 1, false},
        {VIDMM_MACHINE_SYSTEM_BASE + 1, UINT64_MAX, false},
        {bars[0], 3 * PAGE, true},
        {bars[0] + 1, 3 * PAGE, false},
        {bars[0] + 3 * PAGE, 1, false},
        {bars[0] + VIDMM_MACHINE_BAR_WINDOW, 1, false},
        {bars[1] + 17, UINT64_MAX, false},
        {bars[1], 64 * MIB, true},
        {UINT64_MAX, 1, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        void *bytes = bus->memory(bus->context, cases[i].address, cases[i].size);
        assert_int_equal(bytes != NULL, cases[i].there);
        assert_ptr_equal(
            bytes, bench.host->map_physical(bench.host->context, cases[i].address, cases[i].size));
        assert_ptr_equal(bytes,
                         vidmm_machine_memory(bench.machine, cases[i].address, cases[i].size));
    }
    bench_finish(&bench);
}

static void remapped_addresses_are_memory_to_the_device_alone(void **state)
{
    const uint64_t address = 0x10000000;
    struct bench bench;
    uint64_t frames[2];
    uint8_t *bytes;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    assert_true(take(&bench, 2, true, frames));
    bytes = bench.host->map_pages(bench.host->context, 2, frames);
    vidmm_slot_remap(bench.slot, address, bytes, 2 * PAGE);
    assert_ptr_equal(bench.bus->memory(bench.bus->context, address, 2 * PAGE), bytes);
    assert_ptr_equal(bench.bus->memory(bench.bus->context, address + PAGE + 8, PAGE - 8),
                     bytes + PAGE + 8);
    assert_null(bench.bus->memory(bench.bus->context, address + PAGE, PAGE + 1));
    assert_null(bench.bus->memory(bench.bus->context, address - 1, 1));
    assert_null(bench.host->map_physical(bench.host->context, address, PAGE));
    assert_null(vidmm_machine_memory(bench.machine, address, PAGE));
    assert_non_null(bench.bus->memory(bench.bus->context, frames[0] * PAGE, PAGE));
    vidmm_slot_remap(bench.slot, 0, NULL, 0);
    assert_null(bench.bus->memory(bench.bus->context, address, PAGE));
    bench.host->unmap_pages(bench.host->context, bytes, 2);
    release(&bench, 2, frames);
    bench_finish(&bench);
}

static void every_slot_has_bars_of_its_own(void **state)
{
    struct bench bench;
    struct vidmm_slot *slots[VIDMM_MACHINE_SLOTS];
    uint64_t bars[VIDMM_MACHINE_SLOTS][VIDMM_BUS_REGIONS];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    slots[0] = bench.slot;
    for (unsigned i = 1; i < VIDMM_MACHINE_SLOTS; i++)
        assert_non_null(slots[i] = vidmm_machine_add_slot(bench.machine));
    assert_null(vidmm_machine_add_slot(bench.machine));
    for (unsigned i = 0; i < VIDMM_MACHINE_SLOTS; i++)
        for (unsigned r = 0; r < VIDMM_BUS_REGIONS; r++) {
            const struct vidmm_bus *bus = vidmm_slot_bus(slots[i]);
            /* Odd slots: six of 32 bits. Even ones: three of 64, and no place for more. */
            assert_true(i % 2 == 0 || bus->use_32_bits(bus->context, r));
            assert_int_equal(bus->add_memory(bus->context, r, PAGE, &bars[i][r]),
                             r < 3 || i % 2 == 1);
            if (r >= 3 && i % 2 == 0)
                continue;
            *(unsigned *)bus->memory(bus->context, bars[i][r], PAGE) = i * 100 + r;
        }
    for (unsigned i = 0; i < VIDMM_MACHINE_SLOTS; i++)
        for (unsigned r = 0; r < (i % 2 == 0 ? 3u : 6u); r++) {
            const unsigned *word = vidmm_machine_memory(bench.machine, bars[i][r], PAGE);
            assert_int_equal(*word, i * 100 + r);
        }
    bench_finish(&bench);
}

/* A device that answers each byte with its offset, and remembers the last write. */
static struct {
    uint32_t offset, length, value;
} last_write;

static bool echo_read(void *device, uint32_t offset, void *buffer, uint32_t length)
{
    unsigned char *bytes = buffer;

    (void)device;
    for (uint32_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)(offset + i);
    return offset < 0x200;
}

static bool echo_write(void *device, uint32_t offset, const void *buffer, uint32_t length)
{
    (void)device;
    last_write.offset = offset;
    last_write.length = length;
    last_write.value = 0;
    memcpy(&last_write.value, buffer, length < 4 ? length : 4);
    return offset < 0x200;
}

static const struct vidmm_device_model echo = {
    .vendor_id = 0x1414,
    .device_id = 0x5354,
    .read_config = echo_read,
    .write_config = echo_write,
};

static uint32_t read32(struct bench *bench, uint32_t offset)
{
    uint32_t value = 0;

    assert_true(bench->host->read_config(bench->host->context, offset, &value, sizeof(value)));
    return value;
}

static void write32(struct bench *bench, uint32_t offset, uint32_t value)
{
    assert_true(bench->host->write_config(bench->host->context, offset, &value, sizeof(value)));
}

static void config_space_is_the_machines_and_the_models(void **state)
{
    struct bench bench;
    unsigned char bytes[0x30];
    uint64_t bar;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_host *host = bench.host;
    assert_false(host->read_config(host->context, 0, bytes, 4));
    assert_true(bench.bus->add_memory(bench.bus->context, 1, 3 * MIB, &bar));
    assert_true(vidmm_slot_plug(bench.slot, &echo));
    assert_int_equal(read32(&bench, 0), 0x53541414);
    assert_int_equal(read32(&bench, 8), 0x0B0A0908);
    assert_int_equal(read32(&bench, 0x10), 0);
    assert_int_equal(read32(&bench, 0x18) & ~0xFu, (uint32_t)bar);
    assert_int_equal(read32(&bench, 0x18) & 0xF, 0xC);
    assert_int_equal(read32(&bench, 0x1C), bar >> 32);
    assert_int_equal(read32(&bench, 0x40), 0x43424140);
    assert_true(host->read_config(host->context, 0, bytes, sizeof(bytes)));
    assert_int_equal(bytes[2], 0x54);
    assert_int_equal(bytes[4], 4);
    assert_int_equal(bytes[0xF], 0xF);
    assert_int_equal(bytes[0x18], 0xC);
    assert_int_equal(bytes[0x28], 0x28);
    assert_false(host->read_config(host->context, 0x200, bytes, 4));
    assert_false(host->read_config(host->context, 4094, bytes, 4));
    assert_false(host->read_config(host->context, 0, bytes, 0));
    assert_false(host->read_config(host->context, UINT32_MAX, bytes, 4));
    bench_finish(&bench);
}

static void a_bar_written_with_ones_reads_as_its_size(void **state)
{
    struct bench bench;
    uint64_t bar;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    assert_true(bench.bus->add_memory(bench.bus->context, 1, 3 * MIB, &bar));
    assert_true(vidmm_slot_plug(bench.slot, &echo));
    uint32_t low = read32(&bench, 0x18), high = read32(&bench, 0x1C);
    write32(&bench, 0x18, UINT32_MAX);
    write32(&bench, 0x1C, UINT32_MAX);
    assert_int_equal(read32(&bench, 0x18), 0xFFC0000C); /* 4 MiB */
    assert_int_equal(read32(&bench, 0x1C), 0xFFFFFFFF);
    write32(&bench, 0x18, low);
    write32(&bench, 0x1C, high);
    assert_int_equal(read32(&bench, 0x18), low);
    assert_int_equal(read32(&bench, 0x1C), high);
    write32(&bench, 0x10, UINT32_MAX);
    assert_int_equal(read32(&bench, 0x10), 0);
    bench_finish(&bench);
}

/* Six BARs of 32 bits: memory, a view, registers, ports, each with a word; and their sizes. */
static void six_bars_of_32_bits_have_a_word_each(void **state)
{
    static const uint32_t masks[] = {0xFF000008, 0xFFFFFFF0, 0xFFFFF008,
                                     0xFFFFFFFD, 0xFFFFC000, 0xE0000008};
    struct vidmm_device_model model = echo;
    struct bench bench;
    uint64_t bars[3], ones = UINT64_MAX, pair = 0;
    uint32_t values[6];

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_bus *bus = bench.bus;
    for (unsigned region = 0; region < 5; region++)
        assert_true(bus->use_32_bits(bus->context, region));
    assert_false(bus->use_32_bits(bus->context, VIDMM_BUS_REGIONS));
    assert_true(bus->add_memory(bus->context, 0, 16 * MIB, &bars[0]));  /* 0x10 */
    assert_true(bus->add_view(bus->context, 1, PAGE, &bars[1]));        /* 0x18 */
    assert_true(bus->add_memory(bus->context, 5, 512 * MIB, &bars[2])); /* 0x24 */
    assert_false(bus->use_32_bits(bus->context, 5));
    model.registers[3] = (struct vidmm_register_region){16, false};    /* 0x14 */
    model.registers[4] = (struct vidmm_register_region){4, true};      /* 0x1C */
    model.registers[2] = (struct vidmm_register_region){16384, false}; /* 0x20 */
    assert_true(vidmm_slot_plug(bench.slot, &model));
    assert_false(bus->use_32_bits(bus->context, 3));
    for (unsigned word = 0; word < 6; word++) {
        uint32_t flags = word == 3 ? 3 : 15, offset = 0x10 + 4 * word;

        values[word] = read32(&bench, offset);
        write32(&bench, offset, UINT32_MAX);
        assert_int_equal(read32(&bench, offset), masks[word]);
        write32(&bench, offset, values[word]);
        assert_int_equal(read32(&bench, offset), values[word]);
        assert_int_equal(values[word] & flags, masks[word] & flags);
        assert_int_equal(values[word] & ~flags & ~(masks[word] & ~flags), 0); /* aligned */
        if (word != 3)
            assert_in_range(values[word], VIDMM_MACHINE_LOW_BASE, UINT32_MAX);
    }
    assert_int_equal(values[0] & ~15u, bars[0]);
    assert_int_equal(values[2] & ~15u, bars[1]);
    assert_int_equal(values[5] & ~15u, bars[2]);
    static const unsigned regions[] = {0, 3, 1, 4, 2, 5};
    for (unsigned word = 0; word < 6; word++)
        assert_int_equal(vidmm_slot_bar_address(bench.slot, regions[word]),
                         values[word] & ~(word == 3 ? 3u : 15u));
    /* Two of them are sized at once, by eight bytes. */
    assert_true(bench.host->write_config(bench.host->context, 0x10, &ones, 8));
    assert_true(bench.host->read_config(bench.host->context, 0x10, &pair, 8));
    assert_int_equal(pair, UINT64_C(0xFFFFFFF0FF000008));
    ((uint8_t *)bus->memory(bus->context, bars[0], 16 * MIB))[5] = 7;
    assert_int_equal(*(uint8_t *)vidmm_machine_memory(bench.machine, bars[0] + 5, 1), 7);
    assert_null(bus->memory(bus->context, bars[0] + 16 * MIB, 1));
    assert_null(bus->memory(bus->context, bars[0] + 16 * MIB - 1, 2));
    assert_null(bus->memory(bus->context, values[1] & ~15u, 1)); /* registers are no memory */
    vidmm_slot_unplug(bench.slot);
    assert_null(bus->memory(bus->context, bars[0], 1));
    bench_finish(&bench);
}

/* As on many graphics cards: 32, 64, 64 and ports. */
static void a_bar_of_64_bits_may_begin_at_any_word_but_the_last(void **state)
{
    struct vidmm_device_model model = echo;
    struct bench bench;
    uint64_t memory[2], other;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_bus *bus = bench.bus;
    assert_true(bus->use_32_bits(bus->context, 0));
    assert_true(bus->add_memory(bus->context, 3, 256 * MIB, &memory[0])); /* 0x14, 0x18 */
    assert_true(bus->add_memory(bus->context, 4, 32 * MIB, &memory[1]));  /* 0x1C, 0x20 */
    assert_false(bus->add_memory(bus->context, 1, MIB, &other));
    assert_false(bus->add_view(bus->context, 2, MIB, &other));
    model.registers[1] = (struct vidmm_register_region){16384, false};
    assert_false(vidmm_slot_plug(bench.slot, &model)); /* its place is taken */
    model.registers[1] = (struct vidmm_register_region){0, false};
    model.registers[0] = (struct vidmm_register_region){16 * MIB, false};
    model.registers[5] = (struct vidmm_register_region){128, true};
    assert_true(vidmm_slot_plug(bench.slot, &model));
    assert_in_range(read32(&bench, 0x10), VIDMM_MACHINE_LOW_BASE, UINT32_MAX);
    assert_int_equal(read32(&bench, 0x14), (uint32_t)memory[0] | 0xC);
    assert_int_equal(read32(&bench, 0x18), memory[0] >> 32);
    assert_int_equal(read32(&bench, 0x1C), (uint32_t)memory[1] | 0xC);
    assert_int_equal(read32(&bench, 0x20), memory[1] >> 32);
    assert_int_equal(read32(&bench, 0x24) & 3, 1);
    write32(&bench, 0x18, UINT32_MAX);
    assert_int_equal(read32(&bench, 0x14), (uint32_t)memory[0] | 0xC);
    assert_int_equal(read32(&bench, 0x18), UINT32_MAX);
    assert_int_equal(vidmm_slot_bar_address(bench.slot, 1), 0);
    bench_finish(&bench);
}

static void bars_of_32_bits_have_1_gib_together(void **state)
{
    struct vidmm_device_model model = echo;
    struct bench bench;
    uint64_t address, other;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    const struct vidmm_bus *bus = bench.bus;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned region = 0; region < 4; region++)
            assert_true(bus->use_32_bits(bus->context, region));
        assert_false(bus->add_memory(bus->context, 0, 1024 * MIB, &address));
        assert_true(bus->add_memory(bus->context, 0, PAGE, &address));
        assert_int_equal(address, VIDMM_MACHINE_LOW_BASE);
        assert_true(bus->add_memory(bus->context, 1, 512 * MIB, &other));
        assert_int_equal(other, VIDMM_MACHINE_LOW_BASE + 512 * MIB);
        assert_false(bus->add_memory(bus->context, 2, 512 * MIB, &address));
        model.registers[3] = (struct vidmm_register_region){512 * MIB, false};
        assert_false(vidmm_slot_plug(bench.slot, &model));
        model.registers[3].size = 256 * MIB;
        assert_true(bus->add_memory(bus->context, 2, MIB, &address));
        assert_int_equal(address, VIDMM_MACHINE_LOW_BASE + MIB);
        assert_true(vidmm_slot_plug(bench.slot, &model));
        assert_int_equal(read32(&bench, 0x14), VIDMM_MACHINE_LOW_BASE + 256 * MIB);
        vidmm_slot_unplug(bench.slot); /* and all of it comes back */
    }
    assert_true(bus->add_memory(bus->context, 0, PAGE, &address)); /* 64 bits again */
    assert_in_range(address, VIDMM_MACHINE_BAR_BASE, UINT64_MAX);
    bench_finish(&bench);
}

static void writes_reach_the_model(void **state)
{
    struct bench bench;
    unsigned char bytes[0x20] = {0};

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    assert_true(vidmm_slot_plug(bench.slot, &echo));
    write32(&bench, 0x44, 0xCAFE);
    assert_int_equal(last_write.offset, 0x44);
    assert_int_equal(last_write.value, 0xCAFE);
    write32(&bench, 0, 0xBAD);
    assert_int_equal(last_write.value, 0xCAFE);
    assert_int_equal(read32(&bench, 0), 0x53541414);
    assert_true(bench.host->write_config(bench.host->context, 0x10, bytes, sizeof(bytes)));
    assert_int_equal(last_write.offset, 0x28);
    assert_int_equal(last_write.length, 8);
    assert_false(bench.host->write_config(bench.host->context, 0x300, bytes, 4));
    vidmm_slot_unplug(bench.slot);
    assert_false(bench.host->write_config(bench.host->context, 0x44, bytes, 4));
    bench_finish(&bench);
}

static void unplugging_takes_the_memory_away_and_its_bytes(void **state)
{
    struct bench bench;
    uint64_t bar;

    (void)state;
    bench_init(&bench, (struct vidmm_machine_options){.system_memory = MIB});
    for (unsigned round = 0; round < 3; round++) {
        assert_true(bench.bus->add_memory(bench.bus->context, 0, MIB, &bar));
        assert_true(vidmm_slot_plug(bench.slot, &echo));
        unsigned char *bytes = bench.bus->memory(bench.bus->context, bar, MIB);
        assert_int_equal(bytes[5], 0);
        bytes[5] = 5;
        vidmm_slot_unplug(bench.slot);
        assert_null(bench.bus->memory(bench.bus->context, bar, 1));
    }
    bench_finish(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absurd_options_are_refused_with_the_range),
        cmocka_unit_test(blocks_are_zeroed_aligned_and_counted),
        cmocka_unit_test(the_nth_request_fails_and_only_that),
        cmocka_unit_test(no_frame_is_zero_and_a_refusal_changes_nothing),
        cmocka_unit_test(frames_lie_at_or_below_the_highest_allowed),
        cmocka_unit_test(units_lie_together_and_begin_at_a_multiple),
        cmocka_unit_test(mapped_pages_appear_in_the_order_asked_for),
        cmocka_unit_test(consecutive_frames_are_mapped_already),
        cmocka_unit_test(a_page_for_reading_cannot_be_written),
        cmocka_unit_test(mappings_end_with_a_refusal_before_the_system_runs_out),
        cmocka_unit_test(clearing_fills_pages_with_zeros),
        cmocka_unit_test(wanted_no_more_means_poisoned),
        cmocka_unit_test(frames_that_are_not_taken_are_misuse),
        cmocka_unit_test(addresses_of_holes_are_no_memory),
        cmocka_unit_test(remapped_addresses_are_memory_to_the_device_alone),
        cmocka_unit_test(every_slot_has_bars_of_its_own),
        cmocka_unit_test(a_bar_written_with_ones_reads_as_its_size),
        cmocka_unit_test(six_bars_of_32_bits_have_a_word_each),
        cmocka_unit_test(a_bar_of_64_bits_may_begin_at_any_word_but_the_last),
        cmocka_unit_test(bars_of_32_bits_have_1_gib_together),
        cmocka_unit_test(config_space_is_the_machines_and_the_models),
        cmocka_unit_test(writes_reach_the_model),
        cmocka_unit_test(unplugging_takes_the_memory_away_and_its_bytes),
    };
    return cmocka_run_group_tests_name("host_memory", tests, NULL, NULL);
}
