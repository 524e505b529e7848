/* shows_paging_idle.c: page tables that are written while nothing runs that uses them. */
#include "unit/test_engine_rig.h"

#include "rules.h"

/* Processes. The devices 2 and 3 are of the program, device 4 of another one. */
enum { PAGING = 1, PROGRAM = 2, OTHER = 3, DEVICES = 5, MAPPED = 4 };

static void begin(struct engine_rig *rig, bool idle, bool written_at_once)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    config.segment_count = 3;
    config.segments[2].aperture = false;
    config.segments[2].cpu_visible = true;
    config.segments[3].size = PAGES(16);
    config.explicit_residency = true;
    config.mmu = (struct vidmm_engine_mmu){.levels = 2,
                                           .index_bits = {4},
                                           .root_entries = 24,
                                           .table_size = {4096, 4096},
                                           .table_segment = {3, 3},
                                           .idle_updates = idle,
                                           .written_at_once = written_at_once,
                                           .low = 0x10000,
                                           .high = 24 * 0x10000};
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
    event = engine_event_create(1, MAPPED, 1u << 1);
    event.device = 2;
    engine_rig_run(rig);
    engine_rig_do(rig, event);
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
