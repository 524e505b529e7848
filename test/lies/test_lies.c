/* test_lies.c: play the program of a lie, and judge.
 *
 *     test_lie_n [NAME]     plays the program of lie n, whose name it is, and wants the lie found,
 *                           in all the ways that the table names
 *     test_honest [NAME]    plays the program of that lie, or all of them, and wants nothing found
 */
#include "../unit/test_adapter_rig.h"

#include <stdlib.h>

#include <vidmm/budget.h>
#include <vidmm/dump.h>
#include <vidmm/fence.h>
#include <vidmm/host.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <wddm/dispmprt.h>

#include "base/text.h"
#include "contract/contract.h"
#include "lies.h"

enum { SEEDS = 6 }; /* interleavings that each program is played in */

struct trial {
    struct rig rig;
    struct vidmm_tap *tap;
    struct vidmm_context *others[2];  /* of trial_draw_by(); NULL: none yet */
    struct vidmm_paging_queue *queue; /* of a program with addresses, and the rest of it: */
    struct vidmm_allocation *commands;
    char *bytes;             /* the commands: a page */
    uint64_t address;        /* ... there for the GPU */
    uint64_t wrong;          /* answers of the manager's that cannot be true */
    const char *what;        /* the first of them */
    uint64_t refused;        /* calls of the program that were refused */
    struct vidmm_report why; /* the first of them */
};

/* The findings, summed over the interleavings. */
struct outcome {
    uint64_t seen[SEEN_SETS];         /* how often, by SEEN_... */
    uint64_t rules[VIDMM_RULE_COUNT]; /* violations, by rule */
    uint64_t caught_in; /* interleavings in which the auditor found the named rule broken */
    uint64_t violations, refused;
    char text[SEEN_SETS][400]; /* the first of each */
};

/* ---- what a program does --------------------------------------------------------------------- */

static bool done(struct trial *trial, NTSTATUS status)
{
    if (status == STATUS_SUCCESS)
        return true;
    if (trial->refused++ == 0)
        snprintf(trial->why.text, sizeof(trial->why.text), "0x%08x: %.300s", (unsigned)status,
                 trial->rig.report.text);
    return false;
}

void trial_create(struct trial *trial, uint32_t which, uint32_t pages, uint32_t set)
{
    uint64_t size = pages * VIDMM_PAGE_SIZE - 100;

    uint32_t flags = 1 | trial->rig.options.more_flags;

    done(trial, rig_create(&trial->rig, &trial->rig.allocations[which], size, set, flags));
}

void trial_draw(struct trial *trial, uint32_t checked, uint32_t written)
{
    struct rig_allocation *list[RIG_REFERENCES];
    uint32_t count = 0, writes = 0;

    for (uint32_t which = 0; which < RIG_ALLOCATIONS; which++) {
        if ((checked >> which & 1) == 0 || trial->rig.allocations[which].handle == NULL)
            continue;
        writes |= (written >> which & 1) << count;
        list[count++] = &trial->rig.allocations[which];
    }
    done(trial, rig_render(&trial->rig, list, count, writes));
}

void trial_draw_by(struct trial *trial, uint32_t other, uint32_t checked, uint32_t written)
{
    struct vidmm_context *usual = trial->rig.context;
    uint64_t value = trial->rig.value;

    if (trial->others[other] == NULL &&
        !done(trial, vidmm_context_create(trial->rig.device, other, NULL, 0, &trial->others[other],
                                          &trial->rig.report)))
        return;
    trial->rig.context = trial->others[other];
    trial_draw(trial, checked, written);
    trial->rig.context = usual;
    trial->rig.value = value;
}

static void touch(struct trial *trial, uint32_t which, bool write)
{
    struct rig_allocation *allocation = &trial->rig.allocations[which];
    void *data;

    if (allocation->handle == NULL || allocation->pages > RIG_PAGES ||
        !done(trial, vidmm_lock(allocation->handle, 0, &data, NULL)))
        return;
    for (uint32_t page = 0; page < allocation->pages; page++)
        rig_touch_page(&trial->rig, allocation, (char *)data + page * VIDMM_PAGE_SIZE, page,
                       write && page % 3 == 0);
    done(trial, vidmm_unlock(allocation->handle));
}

void trial_touch(struct trial *trial, uint32_t which)
{
    touch(trial, which, true);
}

void trial_dump(struct trial *trial, uint32_t which)
{
    struct rig_allocation *allocation = &trial->rig.allocations[which];
    static uint64_t pages[8][VIDMM_PAGE_SIZE / sizeof(uint64_t)];
    struct vidmm_segment_range range = {
        .segment = 2, .offset = 5 * VIDMM_PAGE_SIZE, .size = sizeof(pages)};

    vidmm_context_wait(trial->rig.context, trial->rig.value);
    if (allocation->handle == NULL ||
        !done(trial, vidmm_read_segment(trial->rig.adapter, &range, pages, &trial->rig.report)))
        return;
    for (uint32_t page = 0; page < 8; page++)
        rig_touch_page(&trial->rig, allocation, pages[page], 5 + page, false);
}

void trial_hang(struct trial *trial, bool preemptible)
{
    softgpu_device_hang(trial->rig.gpu, 0, 0, preemptible);
}

void trial_lose(struct trial *trial)
{
    struct rig *rig = &trial->rig;

    vidmm_context_wait(rig->context, rig->value);
    vidmm_machine_settle(rig->machine);
    if (done(trial, vidmm_device_create(rig->adapter, 1, &rig->device, &rig->report)))
        done(trial, vidmm_context_create(rig->device, 0, NULL, 0, &rig->context, &rig->report));
    memset(rig->allocations, 0, sizeof(rig->allocations));
}

/* ---- what a program with addresses does ------------------------------------------------------ */

/* An allocation has an address of its own. */
static uint64_t address_of(uint32_t which)
{
    return UINT64_C(0x4000000) * (which + 1);
}

/* Pending work ends. */
static bool passes(struct trial *trial, NTSTATUS status, uint64_t value)
{
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(trial->queue, value, &trial->rig.report);
    return done(trial, status);
}

static void claim(struct trial *trial, bool is_true, const char *what)
{
    if (!is_true && trial->wrong++ == 0)
        trial->what = what;
}

/* *pending: it was not in place; or NULL. */
static NTSTATUS make(struct trial *trial, struct vidmm_allocation *allocation, bool *pending)
{
    struct vidmm_residency_result result = {0, 0};
    NTSTATUS status =
        vidmm_make_resident(trial->queue, &allocation, 1, 0, &result, &trial->rig.report);

    if (pending != NULL)
        *pending = status == STATUS_PENDING;
    return status == STATUS_PENDING
               ? vidmm_paging_queue_wait(trial->queue, result.value, &trial->rig.report)
               : status;
}

static void map(struct trial *trial, struct vidmm_allocation *allocation, uint64_t base)
{
    const struct vidmm_address_request request = {.base = base,
                                                  .size = vidmm_allocation_size(allocation)};
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .access = VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE,
                                          .allocation = allocation};
    uint64_t address, value = 0;
    NTSTATUS status =
        vidmm_map_addresses(trial->queue, &request, &use, &address, &value, &trial->rig.report);

    passes(trial, status, value);
}

void trial_return(struct trial *trial, uint32_t which)
{
    struct vidmm_allocation *allocation = trial->rig.allocations[which].handle;
    struct softgpu_statistics before, after;
    bool pending;

    softgpu_device_statistics(trial->rig.gpu, &before);
    if (allocation == NULL || !done(trial, make(trial, allocation, &pending)) || !pending)
        return;
    softgpu_device_statistics(trial->rig.gpu, &after);
    claim(trial, after.paging_packets > before.paging_packets,
          "told to be resident, and no paging was executed for it");
}

void trial_map(struct trial *trial, uint32_t which, uint32_t pages, bool resident)
{
    struct rig_allocation *allocation = &trial->rig.allocations[which];

    if (!done(trial, rig_create(&trial->rig, allocation, pages * VIDMM_PAGE_SIZE, 2,
                                trial->rig.options.more_flags)))
        return;
    if (resident)
        trial_return(trial, which);
    map(trial, allocation->handle, address_of(which));
}

void trial_move(struct trial *trial, uint32_t which)
{
    struct rig_allocation *allocation = &trial->rig.allocations[which];
    struct rig *rig = &trial->rig;

    if (allocation->handle == NULL ||
        !done(trial, vidmm_free_addresses(rig->device, address_of(which),
                                          allocation->pages * VIDMM_PAGE_SIZE, &rig->report)))
        return;
    vidmm_context_wait(rig->context, rig->value);
    map(trial, allocation->handle, address_of(which));
}

void trial_leave(struct trial *trial, uint32_t which)
{
    struct vidmm_allocation *allocation = trial->rig.allocations[which].handle;

    if (allocation != NULL)
        done(trial, vidmm_evict(trial->rig.device, &allocation, 1, 0, NULL, &trial->rig.report));
}

void trial_destroy(struct trial *trial, uint32_t which)
{
    vidmm_allocation_destroy(trial->rig.allocations[which].handle);
    trial->rig.allocations[which].handle = NULL;
}

void trial_use(struct trial *trial, uint32_t which, bool waits)
{
    struct rig_allocation *allocation = &trial->rig.allocations[which];
    struct {
        struct softgpu_virtual_touch touch;
        struct softgpu_virtual_reference reference;
    } *words = (void *)trial->bytes;
    const struct vidmm_command command = {.address = trial->address, .length = sizeof(*words)};
    struct rig *rig = &trial->rig;

    if (allocation->handle == NULL)
        return;
    if (rig->value != 0) /* the commands are in one place */
        vidmm_context_wait(rig->context, rig->value);
    words->touch = (struct softgpu_virtual_touch){
        .command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*words)}, .reference_count = 1, .seed = RIG_SEED};
    words->reference = (struct softgpu_virtual_reference){
        .gpuva = address_of(which),
        .pages = allocation->pages,
        .digest = allocation->digest,
        .content_id = allocation->id,
        .generation = allocation->generation,
        .flags = SOFTGPU_REFERENCE_WRITE,
    };
    if (!done(trial, vidmm_submit_command(rig->context, &command, true, &rig->value, &rig->report)))
        return;
    allocation->generation++;
    if (waits)
        vidmm_context_wait(rig->context, rig->value);
}

void trial_change(struct trial *trial, uint32_t which)
{
    struct rig *rig = &trial->rig;
    struct vidmm_allocation *allocation = rig->allocations[which].handle;
    uint64_t base = address_of(which) + UINT64_C(0x2000000), address, value = 0;
    const struct vidmm_address_request request = {.base = base,
                                                  .size = VIDMM_RESERVATION_GRANULE * 2};
    const struct vidmm_address_operation one = {.base = base,
                                                .size = vidmm_allocation_size(allocation),
                                                .use = {.state = VIDMM_ADDRESSES_MAPPED,
                                                        .access = VIDMM_ADDRESSES_WRITE,
                                                        .allocation = allocation}};
    struct vidmm_fence_point after = {NULL, 7};
    NTSTATUS status =
        vidmm_reserve_addresses(rig->device, trial->queue, &request, VIDMM_ADDRESSES_NO_ACCESS, 0,
                                &address, &value, &rig->report);

    passes(trial, status, value);
    if (!done(trial, vidmm_fence_create(rig->device, 0, 0, &after.fence, &rig->report)))
        return;
    done(trial, vidmm_update_addresses_after(rig->context, &one, 1, &after, 0, &rig->report));
    done(trial, vidmm_fence_signal(rig->device, &after, 1, &rig->report));
    vidmm_machine_settle(rig->machine);
    claim(trial, vidmm_fence_value(after.fence) == 8, "changed, and the fence does not say so");
}

void trial_limit(struct trial *trial, uint32_t pages, uint32_t which, uint32_t trim)
{
    struct vidmm_trim_request request = {.flags = 0};
    struct rig *rig = &trial->rig;

    done(trial, vidmm_set_budget(rig->adapter, 1, VIDMM_GROUP_LOCAL,
                                 (uint64_t)pages * VIDMM_PAGE_SIZE, &rig->report));
    vidmm_trim_take(rig->device, &request);
    claim(trial, request.bytes_to_trim == (uint64_t)trim * VIDMM_PAGE_SIZE,
          "above its budget, and not asked to trim so much");
    claim(trial, make(trial, rig->allocations[which].handle, NULL) == STATUS_NO_MEMORY,
          "resident above the budget");
}

void trial_show(struct trial *trial, uint32_t which, uint32_t pages)
{
    struct rig_allocation *one = &trial->rig.allocations[which];
    struct rig *rig = &trial->rig;
    void *data;

    if (trial->queue == NULL &&
        !done(trial, vidmm_paging_queue_create(rig->device, 1, &trial->queue, &rig->report)))
        return;
    if (one->handle == NULL &&
        !done(trial, rig_create(rig, one, pages * VIDMM_PAGE_SIZE, 3, 0x8001)))
        return;
    if (!done(trial, make(trial, one->handle, NULL)) ||
        !done(trial, vidmm_lock2(one->handle, 0, &data, &rig->report)))
        return;
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t page = 0; page < one->pages; page++)
            rig_touch_page(rig, one, (char *)data + page * VIDMM_PAGE_SIZE, page, round == 0);
    done(trial, vidmm_unlock2(one->handle, &rig->report));
    trial_leave(trial, which);
}

/* A paging queue, and commands in memory of the program. */
static bool begin_program(struct trial *trial)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = 0x10, /* ExistingSysMem */
                                            .size = VIDMM_PAGE_SIZE,
                                            .read_set = 1,
                                            .write_set = 1,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    struct rig *rig = &trial->rig;

    trial->address = UINT64_C(0x10000);
    trial->bytes = aligned_alloc(VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE);
    assert_non_null(trial->bytes);
    memset(trial->bytes, 0, VIDMM_PAGE_SIZE);
    if (!done(trial, vidmm_paging_queue_create(rig->device, 1, &trial->queue, &rig->report)) ||
        !done(trial, vidmm_allocation_create_over(rig->device, &wish, sizeof(wish), trial->bytes,
                                                  VIDMM_PAGE_SIZE, &trial->commands, &rig->report)))
        return false;
    if (!done(trial, make(trial, trial->commands, NULL)))
        return false;
    map(trial, trial->commands, trial->address);
    return trial->refused == 0;
}

/* All is read once more. */
static void look_by_address(struct trial *trial)
{
    for (uint32_t which = 0; which < RIG_ALLOCATIONS; which++) {
        trial_return(trial, which);
        trial_use(trial, which, true);
        trial_leave(trial, which);
    }
}

/* ---- one trial ------------------------------------------------------------------------------- */

static void start(struct trial *trial, const struct lie *lie, uint64_t seed)
{
    struct rig_options options = rig_defaults();
    const struct vidmm_host *host;
    struct vidmm_tap_config config = {0};

    options.gpu = lie->gpu;
    options.machine_seed = seed;
    options.evict_through_aperture = lie->evict_through_aperture;
    options.agp_aperture = lie->bridged ? 64 * VIDMM_PAGE_SIZE : 0;
    options.agp_posts = lie->bridged;
    options.caches_apart = lie->caches_apart;
    options.more_flags = lie->caches_apart ? 4 : lie->flags; /* Cached */
    options.adapter.split_transfer_size = lie->split_pages * VIDMM_PAGE_SIZE;
    if (lie->paging_buffers != 0)
        options.adapter.paging_buffers = lie->paging_buffers;
    memset(trial, 0, sizeof(*trial));
    rig_build(&trial->rig, &options);
    host = vidmm_slot_host(trial->rig.slot);
    config.current_irql = host->current_irql;
    config.irql_context = host->context;
    trial->tap = vidmm_tap_create(&config, &trial->rig.driver);
    assert_non_null(trial->tap);
    trial->rig.driver = *vidmm_tap_driver(trial->tap);
}

static void note(struct outcome *outcome, unsigned how, uint64_t count, const char *text)
{
    if (count > 0 && outcome->seen[how] == 0)
        snprintf(outcome->text[how], sizeof(outcome->text[how]), "%s", text);
    outcome->seen[how] += count;
}

/* Before the stop: the machine's and the manager's view. */
static void look(struct trial *trial, struct outcome *outcome)
{
    struct softgpu_statistics gpu;
    struct vidmm_report report = {""};
    char dummy[60];

    softgpu_device_statistics(trial->rig.gpu, &gpu);
    note(outcome, SEEN_IN_CONTENTS, trial->rig.cpu_mismatches, "seen by the CPU");
    note(outcome, SEEN_IN_CONTENTS, gpu.content_mismatches, gpu.mismatch);
    note(outcome, SEEN_AS_FAULT, gpu.faults, gpu.fault);
    note(outcome, SEEN_AS_PAGE_FAULT, gpu.page_faults, "an address that leads nowhere");
    note(outcome, SEEN_BY_PROGRAM, trial->wrong, trial->what);
    note(outcome, SEEN_AS_REFUSAL, gpu.driver_refusals, gpu.refusal);
    snprintf(dummy, sizeof(dummy), "%llu pages", (unsigned long long)gpu.dummy_accesses);
    note(outcome, SEEN_ON_DUMMY, gpu.dummy_accesses, dummy);
    if (trial->rig.adapter != NULL &&
        vidmm_adapter_condition(trial->rig.adapter, &report) != STATUS_SUCCESS)
        note(outcome, SEEN_AS_END, 1, report.text);
}

static void ask_auditor(struct trial *trial, const struct lie *lie, struct outcome *outcome)
{
    uint64_t named =
        lie->rule < VIDMM_RULE_COUNT ? vidmm_tap_violations_of(trial->tap, lie->rule) : 0;
    struct vidmm_violation violation;

    assert_true(vidmm_tap_complete(trial->tap));
    assert_int_equal(vidmm_tap_unknown_references(trial->tap), 0);
    for (int rule = 0; rule < VIDMM_RULE_COUNT; rule++)
        outcome->rules[rule] += vidmm_tap_violations_of(trial->tap, (enum vidmm_rule_id)rule);
    outcome->violations += vidmm_tap_violations(trial->tap);
    outcome->caught_in += named > 0;
    for (size_t index = 0; vidmm_tap_violation(trial->tap, index, &violation); index++) {
        if (lies_switch == 0)
            print_message("  %s: %s\n", vidmm_rule(violation.rule)->id, violation.detail);
        if (violation.rule == lie->rule) {
            note(outcome, SEEN_BY_AUDITOR, named, violation.detail);
            named = 0;
        }
    }
}

static void try(struct trial *trial, const struct lie *lie, uint64_t seed, struct outcome *outcome)
{
    start(trial, lie, seed);
    if (done(trial, rig_start(&trial->rig)) && (!lie->by_address || begin_program(trial))) {
        lie->program(trial);
        for (uint32_t which = 0; which < RIG_ALLOCATIONS && !lie->by_address && !lie->by_lock2;
             which++)
            touch(trial, which, false);
        if (lie->by_address)
            look_by_address(trial);
    }
    look(trial, outcome);
    outcome->refused += trial->refused;
    rig_stop(&trial->rig);
    ask_auditor(trial, lie, outcome);
    if (lies_switch == 0 && trial->refused > 0)
        print_message("  refused: %s\n", trial->why.text);
    rig_finish(&trial->rig);
    free(trial->bytes);
    vidmm_tap_destroy(trial->tap);
}

/* ---- judging --------------------------------------------------------------------------------- */

static const char *const seen_by[SEEN_SETS] = {
    [SEEN_BY_AUDITOR] = "by the auditor",     [SEEN_IN_CONTENTS] = "in the contents",
    [SEEN_AS_FAULT] = "as faults of the GPU", [SEEN_AS_REFUSAL] = "as refusals of the driver",
    [SEEN_ON_DUMMY] = "on the dummy page",    [SEEN_AS_END] = "as the end of the adapter",
    [SEEN_AS_PAGE_FAULT] = "as page faults",  [SEEN_BY_PROGRAM] = "by the program",
};

static void print_outcome(const struct lie *lie, const struct outcome *outcome)
{
    for (unsigned how = 1; how < SEEN_SETS; how *= 2)
        if (outcome->seen[how] > 0)
            print_message("  caught %s, %llu times: %s\n", seen_by[how],
                          (unsigned long long)outcome->seen[how], outcome->text[how]);
    if (outcome->violations == 0)
        return;
    print_message("  rules broken:");
    for (int rule = 0; rule < VIDMM_RULE_COUNT; rule++)
        if (outcome->rules[rule] > 0)
            print_message(" %s (%llu)", vidmm_rule((enum vidmm_rule_id)rule)->id,
                          (unsigned long long)outcome->rules[rule]);
    if (lie->rule < VIDMM_RULE_COUNT)
        print_message("; %s, which is the named one, in %llu of %d interleavings",
                      vidmm_rule(lie->rule)->id, (unsigned long long)outcome->caught_in, SEEDS);
    print_message("\n");
}

static void judge(const struct lie *lie, const struct outcome *outcome)
{
    for (unsigned how = 1; how < SEEN_SETS; how *= 2) {
        bool seen = outcome->seen[how] > 0, wanted = lies_switch != 0 && (lie->seen & how) != 0;

        if (wanted && !seen)
            fail_msg("%s is not caught %s", lie->name, seen_by[how]);
        if (lies_switch == 0 && seen)
            fail_msg("an honest manager is caught %s: %s", seen_by[how], outcome->text[how]);
    }
    if (lies_switch == 0) {
        assert_int_equal(outcome->violations, 0);
        assert_int_equal(outcome->refused, 0);
    }
}

static void run_lie(void **state)
{
    const struct lie *lie = *state;
    struct outcome *outcome = calloc(1, sizeof(*outcome));
    struct trial *trial = calloc(1, sizeof(*trial));

    for (uint64_t seed = 0; seed < SEEDS; seed++)
        try(trial, lie, seed, outcome);
    print_outcome(lie, outcome);
    judge(lie, outcome);
    free(trial);
    free(outcome);
}

/* Number of the lie of that name; 0: there is none. */
static int number_of(const char *name)
{
    for (int number = 1; number <= LIES; number++)
        if (strcmp(lies[number - 1].name, name) == 0)
            return number;
    return 0;
}

static void name_test(char *sentence, size_t size, int number)
{
    snprintf(sentence, size, lies_switch == 0 ? "without_%s_all_is_well" : "%s_is_caught",
             lies[number - 1].name);
}

int main(int count, char **arguments)
{
    int wanted = count > 1 ? number_of(arguments[1]) : lies_switch;
    struct CMUnitTest tests[LIES];
    char sentences[LIES][100];

    if (count > 2 || (count == 2 && wanted == 0) || (lies_switch != 0 && wanted != lies_switch)) {
        fprintf(stderr, "%s: the name of this lie, or nothing, is all that may be said\n",
                arguments[0]);
        return 2;
    }
    for (int number = 1; number <= LIES; number++) {
        name_test(sentences[number - 1], sizeof(sentences[0]), number);
        tests[number - 1] =
            (struct CMUnitTest){.name = sentences[number - 1],
                                .test_func = run_lie,
                                .initial_state = (void *)(uintptr_t)&lies[number - 1]};
    }
    if (wanted != 0)
        cmocka_set_test_filter(sentences[wanted - 1]);
    return cmocka_run_group_tests_name("lies", tests, NULL, NULL);
}
