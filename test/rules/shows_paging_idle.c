/* shows_paging_idle.c: page tables that are written while nothing runs that uses them, and sizes of
 * pages, whose tables are changed so.
 */
#include "unit/test_engine_rig.h"

#include "rules.h"

/* Processes. The devices 2 and 3 are of the program, device 4 of another one. */
enum { PAGING = 1, PROGRAM = 2, OTHER = 3, DEVICES = 5, MAPPED = 4 };

static void begin_with(struct engine_rig *rig, struct vidmm_engine_config config)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    engine_rig_init(rig, &config);
    for (event.process.process = PAGING; event.process.process <= OTHER; event.process.process++) {
        event.process.paging = event.process.process == PAGING;
        engine_rig_do(rig, event);
    }
    for (uint32_t device = 2; device < DEVICES; device++) {
        struct vidmm_event create = engine_event_device(VIDMM_EVENT_CREATE_DEVICE, device);

        create.create_device.process = device < 4 ? PROGRAM : OTHER;
        engine_rig_do(rig, create);
    }
    engine_rig_run(rig);
}

/* An allocation of the program in memory. */
static void create(struct engine_rig *rig, uint32_t id, uint64_t pages, uint32_t alignment,
                   uint32_t segment)
{
    struct vidmm_event event = engine_event_create(id, pages, 1u << (segment - 1));

    event.device = 2;
    event.create.wish.alignment = alignment;
    engine_rig_do(rig, event);
}

/* A leaf has 1 << bits entries. Segment 2 is memory, segment 3 has page tables. */
static struct vidmm_engine_config config_of(uint32_t bits)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.segment_count = 3;
    config.segments[2].aperture = false;
    config.segments[2].cpu_visible = true;
    config.segments[3].size = PAGES(16);
    config.explicit_residency = true;
    config.mmu = (struct vidmm_engine_mmu){.levels = 2,
                                           .index_bits = {bits},
                                           .root_entries = 24,
                                           .table_size = {4096, 4096},
                                           .table_segment = {3, 3},
                                           .low = 0x10000,
                                           .high = PAGES(24) << bits};
    return config;
}

static void begin(struct engine_rig *rig, bool idle, bool written_at_once)
{
    struct vidmm_engine_config config = config_of(4);

    config.mmu.idle_updates = idle;
    config.mmu.written_at_once = written_at_once;
    begin_with(rig, config);
    create(rig, 1, MAPPED, 4096, 2);
}

static void submit(struct engine_rig *rig, uint32_t device)
{
    struct vidmm_event event = engine_event_submit(100 + device, 0, NULL, 0);

    event.device = device;
    event.submit.context = device;
    assert_int_equal(engine_rig_step(rig, event), STATUS_SUCCESS);
}

static void answer(struct engine_rig *rig)
{
    while (rig->call.kind != 0)
        engine_rig_answer(rig);
}

/* A packet of a context of the device is in flight; its fence. */
static uint32_t run(struct engine_rig *rig, uint32_t device)
{
    uint32_t from = rig->count;

    submit(rig, device);
    answer(rig);
    assert_non_null(engine_rig_find(rig, from, VIDMM_DO_SUBMIT));
    return rig->fences[0];
}

/* Map four pages of addresses, or free them. */
static void change(struct engine_rig *rig, bool frees)
{
    struct vidmm_event event = {.kind =
                                    frees ? VIDMM_EVENT_FREE_ADDRESSES : VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = PROGRAM;
    event.addresses.size = PAGES(MAPPED);
    event.addresses.base = 0x10000;
    if (!frees) {
        event.addresses.state = VIDMM_ADDRESSES_MAPPED;
        event.addresses.allocation = 1;
    }
    engine_rig_do(rig, event);
}

/* Whether the tables are written, as far as the driver was asked: what the CPU writes is written in
 * the call, all else when the packet runs. */
static bool is_written(const struct engine_rig *rig, uint32_t from, bool written_at_once)
{
    return engine_rig_find(rig, from, written_at_once ? VIDMM_DO_BUILD : VIDMM_DO_SUBMIT_PAGING);
}

static bool has_built(const struct engine_rig *rig, uint32_t from, uint32_t operation)
{
    while (from < rig->count &&
           (rig->log[from].kind != VIDMM_DO_BUILD || rig->log[from].table.operation != operation))
        from++;
    return from < rig->count;
}

/* The program's two contexts run; the change waits for both, and they for the change. */
static void change_while_running(struct engine_rig *rig, bool frees, bool idle, bool at_once)
{
    uint32_t first = run(rig, 2), second = run(rig, 3), from = rig->count;

    assert_true(first < second);
    change(rig, frees);
    answer(rig);
    assert_int_equal(is_written(rig, from, at_once), !idle);
    engine_rig_do(rig, engine_event_fence(0, first));
    answer(rig);
    assert_int_equal(is_written(rig, from, at_once), !idle);
    engine_rig_do(rig, engine_event_fence(0, second));
    rig->due[0] = false;
    answer(rig);
    assert_true(is_written(rig, from, at_once));
    assert_true(has_built(rig, from, VIDMM_UPDATE_PAGE_TABLE));
    assert_true(has_built(rig, from, VIDMM_FLUSH_TLB));
    from = rig->count;
    assert_true(rig->due[rig->paging_node]);
    submit(rig, 2);
    submit(rig, 3);
    answer(rig);
    assert_null(engine_rig_find(rig, from, VIDMM_DO_SUBMIT)); /* the flush is not executed */
    engine_rig_run(rig);
    assert_non_null(engine_rig_find(rig, from, VIDMM_DO_SUBMIT));
}

/* A packet of another address space holds nothing back. */
static void change_beside(struct engine_rig *rig, bool at_once)
{
    uint32_t from;

    run(rig, 4);
    from = rig->count;
    change(rig, false);
    answer(rig);
    assert_true(is_written(rig, from, at_once));
    engine_rig_run(rig);
}

void shows_D_132(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        bool idle = kind & 1, at_once = kind & 2;
        struct engine_rig rig;

        begin(&rig, idle, at_once);
        for (uint32_t device = 2; device < DEVICES; device++) { /* their roots are there */
            submit(&rig, device);
            engine_rig_run(&rig);
        }
        change_while_running(&rig, false, idle, at_once);
        change_while_running(&rig, true, idle, at_once);
        change_beside(&rig, at_once);
        engine_rig_finish(&rig);
    }
}

/* ---- sizes of pages -------------------------------------------------------------------------- */

enum { LEAF = 0x200000, GRANULE = 0x10000, SINGLE = 16 /* pages of a granule */ };

/* A GPU with leaves of 64 KiB pages, of which memory segment 2 consists, and segment 4 does not. */
static void begin_sizes(struct engine_rig *rig)
{
    struct vidmm_engine_config config = config_of(9);

    config.segment_count = 4;
    config.segments[2].size = config.segments[4].size = PAGES(256);
    config.segments[2].wide_pages = true;
    config.segments[4].cpu_visible = true;
    config.mmu.wide_size = 4096;
    begin_with(rig, config);
    create(rig, 1, 4 * SINGLE, GRANULE, 2);
    create(rig, 2, 1, 4096, 2);
    create(rig, 3, SINGLE + 1, GRANULE, 2);
    create(rig, 4, SINGLE, 4096, 2);
    create(rig, 5, SINGLE, GRANULE, 4);
    submit(rig, 2); /* nothing is resident, and only who runs has tables (D-292) */
    engine_rig_run(rig);
}

static void map(struct engine_rig *rig, uint32_t id, uint64_t base, uint64_t pages)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = PROGRAM;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.allocation = id;
    event.addresses.base = base;
    event.addresses.size = PAGES(pages);
    engine_rig_do(rig, event);
}

static void unmap(struct engine_rig *rig, uint64_t base, uint64_t pages)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FREE_ADDRESSES};

    event.addresses.process = PROGRAM;
    event.addresses.base = base;
    event.addresses.size = PAGES(pages);
    engine_rig_do(rig, event);
}

/* The leaves that were written since, each as a letter: w of 64 KiB pages, n of 4 KiB; once for
 * what stands together. A table that is emptied, as a new one and one that is left are, does not
 * count. */
static const char *leaves(const struct engine_rig *rig, uint32_t from)
{
    static char text[16];
    uint32_t length = 0;

    for (; from < rig->count; from++) {
        const struct vidmm_operation *build = &rig->log[from];
        char kind = build->table.flags & VIDMM_PAGING_WIDE ? 'w' : 'n';

        if (build->kind != VIDMM_DO_BUILD || build->table.operation != VIDMM_UPDATE_PAGE_TABLE ||
            build->table.process != PROGRAM || build->table.level != 0)
            continue;
        if (build->table.count == (kind == 'w' ? 32 : 512))
            continue;
        if (length > 0 && text[length - 1] == kind)
            continue;
        assert_true(length + 1 < sizeof(text));
        text[length++] = kind;
    }
    text[length] = 0;
    return text;
}

static const char *leaves_of(struct engine_rig *rig, uint32_t id, uint64_t base, uint64_t pages)
{
    uint32_t from = rig->count;

    map(rig, id, base, pages);
    engine_rig_run(rig);
    return leaves(rig, from);
}

/* Beside what is of 4 KiB all is of 4 KiB, whoever was first. */
void shows_D_126(void **state)
{
    struct engine_rig rig;

    (void)state;
    begin_sizes(&rig);
    assert_string_equal(leaves_of(&rig, 1, 1 * LEAF, 4 * SINGLE), "w");
    assert_string_equal(leaves_of(&rig, 3, 2 * LEAF, SINGLE + 1), "n"); /* no whole granules */
    assert_string_equal(leaves_of(&rig, 4, 3 * LEAF, SINGLE), "n");     /* not aligned */
    assert_string_equal(leaves_of(&rig, 5, 4 * LEAF, SINGLE), "n");     /* not its segment */
    assert_string_equal(leaves_of(&rig, 1, 4 * LEAF + GRANULE, 4 * SINGLE), "n");
    assert_string_equal(leaves_of(&rig, 1, 1 * LEAF + 4 * GRANULE, 4 * SINGLE), "w");
    assert_string_equal(leaves_of(&rig, 2, 1 * LEAF + 8 * GRANULE, 1), "n"); /* and all beside it */
    assert_string_equal(leaves_of(&rig, 1, 1 * LEAF + 12 * GRANULE, 4 * SINGLE), "n");
    assert_string_equal(leaves_of(&rig, 1, 5 * LEAF, 4 * SINGLE), "w"); /* another table */
    engine_rig_finish(&rig);
}

/* The packets of both of the program's contexts end first. */
void shows_D_125(void **state)
{
    struct engine_rig rig;
    uint32_t first, second, from;

    (void)state;
    begin_sizes(&rig);
    assert_string_equal(leaves_of(&rig, 1, LEAF, 4 * SINGLE), "w");
    for (uint32_t device = 2; device < DEVICES; device++) {
        submit(&rig, device);
        engine_rig_run(&rig);
    }
    first = run(&rig, 2);
    second = run(&rig, 3);
    from = rig.count;
    map(&rig, 1, LEAF + 4 * GRANULE, 4 * SINGLE); /* a change without another size waits not */
    answer(&rig);
    assert_non_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT_PAGING));
    engine_rig_complete(&rig, rig.paging_node);
    answer(&rig);
    from = rig.count;
    map(&rig, 2, LEAF + 8 * GRANULE, 1);
    answer(&rig);
    assert_string_equal(leaves(&rig, from), "n");
    assert_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT_PAGING));
    engine_rig_do(&rig, engine_event_fence(0, first));
    answer(&rig);
    assert_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT_PAGING));
    engine_rig_do(&rig, engine_event_fence(0, second));
    rig.due[0] = false;
    answer(&rig);
    assert_non_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT_PAGING));
    submit(&rig, 2);
    answer(&rig);
    assert_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT)); /* not executed yet */
    engine_rig_run(&rig);
    assert_non_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT));
    unmap(&rig, LEAF + 8 * GRANULE, 1); /* nothing is of 4 KiB any more */
    engine_rig_run(&rig);
    assert_string_equal(leaves_of(&rig, 1, LEAF + 12 * GRANULE, 4 * SINGLE), "n");
    engine_rig_finish(&rig);
}
