/* listed_change.c: a program of WDDM 2 changes what its allocations and addresses are: other
 * properties, addresses of a reservation behind a fence, a process that is suspended, memory that a
 * test has leave, or stay for a while.
 *
 *     reservation   [ zero | pages of an allocation | a copy of them | zero ]     behind the fence
 */
#include "stress.h"

#include <vidmm/budget.h>
#include <vidmm/delay.h>
#include <vidmm/fence.h>
#include <vidmm/page.h>
#include <vidmm/page_out.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <vidmm/suspend.h>
#include <vidmm/test_fault.h>

enum { RESERVED = 64, OPERATIONS = 3 }; /* pages; changes of a batch */

/* One of the program's own. NULL: there is none, or its content is nobody's. */
static struct stress_listed *some(struct stress_program *program)
{
    struct stress_listed *one =
        &program->explicit.allocations[stress_below(program, STRESS_ALLOCATIONS)];

    return one->handle != NULL && !one->zeros && !one->offered && !one->lost ? one : NULL;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void reserve(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    const struct vidmm_address_request request = {.size = RESERVED * VIDMM_PAGE_SIZE};
    uint64_t value;
    NTSTATUS status;

    stress_enter(program, STRESS_RESERVE);
    status =
        vidmm_reserve_addresses(explicit->device, explicit->queue, &request, VIDMM_ADDRESSES_ZERO,
                                0, &explicit->reservation, &value, &program->report);
    stress_listed_leave(program, STRESS_RESERVE, status);
    if (status != STATUS_PENDING && status != STATUS_SUCCESS)
        explicit->reservation = 0;
}

static uint64_t at(const struct stress_program *program, uint32_t page)
{
    return program->explicit.reservation + page * VIDMM_PAGE_SIZE;
}

/* Some pages of the reservation are to be zero, of an allocation, or what others are. */
static struct vidmm_address_operation draw(struct stress_program *program)
{
    uint32_t pages = 1 + stress_below(program, RESERVED / 2);
    const struct stress_listed *one = some(program);
    struct vidmm_address_operation change = {
        .base = at(program, stress_below(program, RESERVED - pages + 1)),
        .use = {.state = VIDMM_ADDRESSES_ZERO}};

    change.copied = stress_chance(program, 30);
    change.source = at(program, stress_below(program, RESERVED - pages + 1));
    if (!change.copied && one != NULL && stress_chance(program, 70)) {
        pages = pages < one->pages ? pages : (uint32_t)one->pages;
        change.use = (struct vidmm_address_use){.state = VIDMM_ADDRESSES_MAPPED,
                                                .access = VIDMM_ADDRESSES_WRITE,
                                                .allocation = one->handle};
    }
    change.size = pages * VIDMM_PAGE_SIZE;
    return change;
}

/* Behind the batch before it, or behind a value that the CPU signals next. */
static void change_addresses(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    const struct stress_context *context = &explicit->contexts[stress_below(program, 2)];
    struct vidmm_address_operation changes[OPERATIONS];
    bool by_cpu = stress_chance(program, 40);
    struct vidmm_fence_point after = {explicit->changes, explicit->changed + by_cpu};
    uint32_t count = 1 + stress_below(program, OPERATIONS);
    NTSTATUS status;

    if (context->hw != NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        changes[i] = draw(program);
    stress_enter(program, STRESS_UPDATE_AFTER);
    status =
        vidmm_update_addresses_after(context->handle, changes, count, &after, 0, &program->report);
    stress_listed_leave(program, STRESS_UPDATE_AFTER, status);
    if (status == STATUS_INVALID_PARAMETER) /* an allocation took addresses of it along (D-184) */
        explicit->reservation = 0;
    if (status != STATUS_SUCCESS)
        return;
    explicit->changed = after.value + 1;
    if (!by_cpu)
        return;
    stress_enter(program, STRESS_FENCE_SIGNAL);
    status = vidmm_fence_signal(explicit->device, &after, 1, &program->report);
    stress_listed_leave(program, STRESS_FENCE_SIGNAL, status);
}

/* ---- properties, suspension, page-outs ------------------------------------------------------- */

static void change_property(struct stress_program *program)
{
    struct stress_listed *one = some(program);
    struct vidmm_property property = {.mask = VIDMM_PROPERTY_PHYSICAL,
                                      .physical = stress_chance(program, 50)};
    struct vidmm_residency_result result = {0, 0};
    NTSTATUS status;

    if (one == NULL || one->data != NULL)
        return;
    if (stress_chance(program, 60))
        property = (struct vidmm_property){.mask = VIDMM_PROPERTY_SEGMENTS,
                                           .segments = 1 + stress_below(program, 3)};
    stress_enter(program, STRESS_UPDATE_PROPERTY);
    status = vidmm_update_property(program->explicit.queue, one->handle, &property, &result,
                                   &program->report);
    stress_listed_leave(program, STRESS_UPDATE_PROPERTY, status);
    if (status == STATUS_PENDING)
        one->value = result.value;
}

static void suspend(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    NTSTATUS status;

    stress_enter(program, STRESS_SUSPEND);
    status = vidmm_process_suspend(adapter, program->index + 1, stress_chance(program, 50),
                                   &program->report);
    if (stress_leave(program, STRESS_SUSPEND, status) != STATUS_SUCCESS)
        return;
    if (stress_chance(program, 50))
        change_property(program);
    stress_enter(program, STRESS_RESUME);
    status = vidmm_process_resume(adapter, program->index + 1, &program->report);
    stress_leave(program, STRESS_RESUME, status);
}

static void page_out(struct stress_program *program)
{
    const struct vidmm_page_out_criteria criteria = {.maximum = UINT64_MAX,
                                                     .locked = stress_chance(program, 20),
                                                     .apertures = stress_chance(program, 20),
                                                     .one_process = true,
                                                     .process = program->index + 1};
    struct stress_listed *one = some(program);
    NTSTATUS status;

    stress_enter(program, STRESS_PAGE_OUT);
    if (one == NULL || stress_chance(program, 30))
        status = vidmm_page_out_all(program->world->adapter, &criteria, &program->report);
    else
        status = vidmm_page_out(one->handle, &program->report);
    stress_leave(program, STRESS_PAGE_OUT, status);
}

static void compact(struct stress_program *program)
{
    uint32_t segment = 1 + stress_below(program, 2),
             way = VIDMM_COMPACT_DOWN + stress_below(program, 3);

    stress_enter(program, STRESS_COMPACT);
    stress_leave(program, STRESS_COMPACT,
                 vidmm_compact(program->world->adapter, segment, way, &program->report));
}

/* ---- the clock, and faults ------------------------------------------------------------------- */

/* Locks and transfers go by a longer way, or by the usual one. By single pages they would take so
 * many steps, each with a look at all invariants, that nothing else got its turn. */
static void set_faults(struct stress_program *program)
{
    const uint32_t all = VIDMM_TEST_COMPLEX_LOCK | VIDMM_TEST_NO_PRE_PATCHING |
                         VIDMM_TEST_SUB_RANGES | VIDMM_TEST_NO_WRITE_COMBINED;
    uint32_t faults = stress_chance(program, 50) ? 0 : all & stress_below(program, all + 1);

    stress_enter(program, STRESS_SET_FAULTS);
    stress_leave(program, STRESS_SET_FAULTS,
                 vidmm_adapter_set_faults(program->world->adapter, faults, &program->report));
}

/* A queue rests for a while, or what is evicted stays for a while, or all are asked to trim; or a
 * test has the manager do things the long way. */
static void go_by_the_clock(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    uint64_t ns = 1 + stress_below(program, 3000000);
    uint32_t which = stress_below(program, 4);

    if (which == 0) {
        stress_enter(program, STRESS_QUEUE_DELAY);
        stress_listed_leave(
            program, STRESS_QUEUE_DELAY,
            vidmm_paging_queue_delay(program->explicit.queue, ns, NULL, &program->report));
    } else if (which == 1) {
        stress_enter(program, STRESS_DELAY_EVICTIONS);
        stress_leave(
            program, STRESS_DELAY_EVICTIONS,
            vidmm_delay_evictions(adapter, stress_chance(program, 40) ? 0 : ns, &program->report));
    } else if (which == 2) {
        set_faults(program);
    } else {
        stress_enter(program, STRESS_TRIM_INTERVALS);
        stress_leave(program, STRESS_TRIM_INTERVALS,
                     vidmm_trim_intervals(adapter, ns, 2 * ns, stress_chance(program, 50) ? 0 : ns,
                                          &program->report));
    }
}

/* The CPU sees of an allocation what the GPU pages out, once nothing of the program runs: if no
 * reset takes the content, and no cache hides it. */
static void check_transfer(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    struct stress_listed *one = some(program);
    NTSTATUS status;

    if (one == NULL || one->data != NULL || program->world->weather.hangs ||
        program->world->weather.caches_apart)
        return;
    stress_enter(program, STRESS_SUSPEND);
    status = vidmm_process_suspend(adapter, program->index + 1, false, &program->report);
    if (stress_leave(program, STRESS_SUSPEND, status) != STATUS_SUCCESS)
        return;
    if (vidmm_adapter_wake(adapter, true)) {
        stress_enter(program, STRESS_CHECK_TRANSFER);
        status = vidmm_check_transfer(one->handle, 0, NULL, &program->report);
        stress_leave(program, STRESS_CHECK_TRANSFER, status);
    }
    stress_enter(program, STRESS_RESUME);
    status = vidmm_process_resume(adapter, program->index + 1, &program->report);
    stress_leave(program, STRESS_RESUME, status);
}

void stress_listed_change_work(struct stress_program *program)
{
    uint32_t which = stress_below(program, 12);

    if (which < 4 && program->world->weather.io)
        return;
    if (which < 4 && program->explicit.reservation == 0)
        reserve(program);
    else if (which < 4)
        change_addresses(program);
    else if (which < 7)
        change_property(program);
    else if (which < 8)
        suspend(program);
    else if (which < 9)
        page_out(program);
    else if (which < 10)
        compact(program);
    else if (which < 11)
        go_by_the_clock(program);
    else if (program->world->weather.kind == VIDMM_MACHINE_SIMULATED)
        check_transfer(program); /* a flush beside threads that submit takes as long as they do */
}
