/* listed_wrong.c: calls of WDDM 2 that are wrong in one way, each of which has to be refused.
 * Nothing may change by them, and the device may not come to an error.
 */
#include "stress.h"

#include <vidmm/fence.h>
#include <vidmm/lock2.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>

/* One that lives, of the program's own; NULL: there is none. */
static const struct stress_listed *some(struct stress_program *program)
{
    uint32_t first = stress_below(program, STRESS_ALLOCATIONS);

    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++) {
        const struct stress_listed *one =
            &program->explicit.allocations[(first + i) % STRESS_ALLOCATIONS];

        if (one->handle != NULL)
            return one;
    }
    return NULL;
}

static void flags_of_no_residency(struct stress_program *program, const struct stress_listed *one)
{
    struct vidmm_residency_result result;
    struct vidmm_allocation *handle = one->handle;

    stress_enter(program, STRESS_MAKE_RESIDENT_WRONG);
    stress_refused(program, STRESS_MAKE_RESIDENT_WRONG,
                   vidmm_make_resident(program->explicit.queue, &handle, 1,
                                       8u << stress_below(program, 28), &result, &program->report),
                   "flags that there are not");
    stress_enter(program, STRESS_MAKE_RESIDENT_WRONG);
    stress_refused(
        program, STRESS_MAKE_RESIDENT_WRONG,
        vidmm_make_resident(program->explicit.queue, NULL, 1, 0, &result, &program->report),
        "a list that is NULL");
    handle = NULL;
    stress_enter(program, STRESS_EVICT_WRONG);
    stress_refused(program, STRESS_EVICT_WRONG,
                   vidmm_evict(program->explicit.device, &handle, 1, 0, &result, &program->report),
                   "an element that is NULL");
}

static void locks_that_are_none(struct stress_program *program, const struct stress_listed *one)
{
    void *data = NULL;

    stress_enter(program, STRESS_LOCK2);
    stress_refused(
        program, STRESS_LOCK2,
        vidmm_lock2(one->handle, 1u << stress_below(program, 32), &data, &program->report),
        "flags that there are not");
    if (one->data != NULL)
        return;
    stress_enter(program, STRESS_UNLOCK2_WRONG);
    stress_refused(program, STRESS_UNLOCK2_WRONG, vidmm_unlock2(one->handle, &program->report),
                   "an unlock of what is not locked");
}

static void addresses_that_are_none(struct stress_program *program, const struct stress_listed *one)
{
    const struct vidmm_address_request odd = {.size = 1 + stress_below(program, 4095)};
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .access = 0,
                                          .allocation = one->handle,
                                          .offset = vidmm_allocation_size(one->handle)};
    const struct vidmm_address_request whole = {.size = VIDMM_PAGE_SIZE};
    uint64_t address = 0, value = 0;

    stress_enter(program, STRESS_MAP_WRONG);
    stress_refused(program, STRESS_MAP_WRONG,
                   vidmm_map_addresses(program->explicit.queue, &odd, &use, &address, &value,
                                       &program->report),
                   "a part of a page");
    stress_enter(program, STRESS_MAP_WRONG);
    stress_refused(program, STRESS_MAP_WRONG,
                   vidmm_map_addresses(program->explicit.queue, &whole, &use, &address, &value,
                                       &program->report),
                   "a page behind the end of its allocation");
    stress_enter(program, STRESS_FREE_WRONG);
    stress_refused(program, STRESS_FREE_WRONG,
                   vidmm_free_addresses(program->explicit.device,
                                        one->address + 1 + stress_below(program, 4095),
                                        VIDMM_PAGE_SIZE, &program->report),
                   "addresses that begin inside a page");
}

static void offers_that_are_none(struct stress_program *program, const struct stress_listed *one)
{
    struct vidmm_allocation *handle = one->handle;
    const struct vidmm_selection twice = {.allocation_count = 0};
    const struct vidmm_selection selection = {.allocations = &handle, .allocation_count = 1};

    stress_enter(program, STRESS_OFFER);
    stress_refused(program, STRESS_OFFER, vidmm_offer(&twice, 1, 0, &program->report), "nothing");
    stress_enter(program, STRESS_OFFER);
    stress_refused(program, STRESS_OFFER,
                   vidmm_offer(&selection, 6 + stress_below(program, 100), 0, &program->report),
                   "a priority that there is not");
    stress_enter(program, STRESS_OFFER);
    stress_refused(program, STRESS_OFFER,
                   vidmm_offer(&selection, 1, 2u << stress_below(program, 31), &program->report),
                   "flags that there are not");
}

static void waits_that_are_none(struct stress_program *program, const struct stress_listed *one)
{
    const struct vidmm_fence_point nothing = {NULL, 1};

    (void)one;
    stress_enter(program, STRESS_WAIT_WRONG);
    stress_refused(program, STRESS_WAIT_WRONG,
                   vidmm_fence_wait(program->explicit.device, &nothing, 1, false, &program->report),
                   "a fence that is NULL");
    stress_enter(program, STRESS_WAIT_WRONG);
    stress_refused(program, STRESS_WAIT_WRONG,
                   vidmm_context_wait_for_fences(program->explicit.contexts[0].handle, &nothing, 1,
                                                 &program->report),
                   "a fence that is NULL");
}

static void handle_of_nothing(struct stress_program *program, const struct stress_listed *one)
{
    struct vidmm_allocation *given[STRESS_MEMBERS];
    struct vidmm_resource *resource;

    (void)one;
    stress_enter(program, STRESS_RESOURCE_OPEN);
    stress_refused(program, STRESS_RESOURCE_OPEN,
                   vidmm_resource_open(program->explicit.device, 0, &resource, given,
                                       STRESS_MEMBERS, &program->report),
                   "a handle of 0");
}

void stress_listed_wrong_work(struct stress_program *program)
{
    static void (*const wrong[])(struct stress_program *, const struct stress_listed *) = {
        flags_of_no_residency, locks_that_are_none, addresses_that_are_none,
        offers_that_are_none,  waits_that_are_none, handle_of_nothing,
    };
    const struct stress_listed *one = some(program);
    NTSTATUS status;

    if (one == NULL)
        return;
    wrong[stress_below(program, sizeof(wrong) / sizeof(wrong[0]))](program, one);
    stress_enter(program, STRESS_DEVICE_CONDITION);
    status = vidmm_device_condition(program->explicit.device, &program->report);
    stress_listed_leave(program, STRESS_DEVICE_CONDITION, status);
}
