/* waiting.c: the loop of the simulated machine, and waits that leave their stack behind.
 *
 * Invariants (W):
 *   W1  Exactly one fiber runs. Every other one is parked in loop() and in the list of the idle, or
 *       belongs to one waiter.
 *   W2  A loop that can run nothing and finds no waiter knows that the base is parked or running:
 *       the only other place for it is a wait.
 */
#include "host/simulated.h"

#include "base/assert.h"
#include "host/fiber.h"
#include "host/state.h"

static void loop(void *argument);

/* Leave this fiber parked in the loop and go on at another. */
static void park_and_go(struct vidmm_simulation *simulation, struct vidmm_fiber *to)
{
    struct vidmm_fiber *from = simulation->current;

    from->idle = true;
    from->next = simulation->idle;
    simulation->idle = from;
    simulation->current = to;
    vidmm_fiber_switch(from, to);
}

/* Take a parked fiber out of the list, any or a certain one. */
static void unpark(struct vidmm_simulation *simulation, struct vidmm_fiber *fiber)
{
    struct vidmm_fiber **link = &simulation->idle;

    while (*link != fiber)
        link = &(*link)->next;
    *link = fiber->next;
    fiber->idle = false;
}

static struct vidmm_fiber *take_fiber(struct vidmm_machine *machine)
{
    struct vidmm_fiber *fiber = machine->simulation->idle;

    if (fiber == NULL)
        return vidmm_fiber_create(loop, machine);
    unpark(machine->simulation, fiber);
    return fiber;
}

bool vidmm_simulated_keep_fiber(struct vidmm_machine *machine)
{
    struct vidmm_simulation *simulation = machine->simulation;
    struct vidmm_fiber *fiber;

    simulation->keeps_fiber = true;
    if (simulation->idle != NULL)
        return true;
    fiber = vidmm_fiber_create(loop, machine);
    if (fiber == NULL)
        return false;
    fiber->idle = true;
    fiber->next = simulation->idle;
    simulation->idle = fiber;
    return true;
}

static void find_next_deadline(struct vidmm_simulation *simulation)
{
    simulation->next_deadline = UINT64_MAX;
    for (const struct vidmm_simulated_waiter *w = simulation->waiters; w != NULL; w = w->next)
        if (w->deadline < simulation->next_deadline)
            simulation->next_deadline = w->deadline;
}

static void remove_waiter(struct vidmm_simulation *simulation,
                          const struct vidmm_simulated_waiter *waiter)
{
    struct vidmm_simulated_waiter **link = &simulation->waiters;

    while (*link != waiter)
        link = &(*link)->next;
    *link = waiter->next;
    find_next_deadline(simulation);
}

static void make_waiter_ready(struct vidmm_simulation *simulation,
                              struct vidmm_simulated_waiter *waiter)
{
    vidmm_schedule_remove(&simulation->schedule, &waiter->activity);
    vidmm_schedule_add(&simulation->schedule, &waiter->activity);
}

/* Let those look whose time is over, and have work done whose time has come. */
static void expire(struct vidmm_machine *machine)
{
    struct vidmm_simulation *simulation = machine->simulation;

    if (simulation->now >= simulation->next_timer)
        vidmm_simulated_fire(machine);
    if (simulation->now < simulation->next_deadline)
        return;
    for (struct vidmm_simulated_waiter *w = simulation->waiters; w != NULL; w = w->next)
        if (w->deadline <= simulation->now)
            make_waiter_ready(simulation, w);
}

/* Nothing is ready: let time pass until a wait ends or a timer's time has come, or tell one waiter
 * that nothing can change. False: nobody waits; or only a timer does, and the machine settles. */
static bool pass_time(struct vidmm_machine *machine)
{
    struct vidmm_simulation *simulation = machine->simulation;
    uint64_t next = simulation->next_deadline;

    if (simulation->next_timer < next)
        next = simulation->next_timer;
    if (simulation->waiters == NULL && (next == UINT64_MAX || !simulation->running))
        return false;
    if (next != UINT64_MAX) {
        if (simulation->now < next)
            simulation->now = next;
        expire(machine);
        return true;
    }
    /* The youngest, as what it does next may help those below. */
    simulation->waiters->stuck = true;
    make_waiter_ready(simulation, simulation->waiters);
    return true;
}

/* Let one activity run. False: nothing can. */
static bool step(struct vidmm_machine *machine)
{
    struct vidmm_simulation *simulation = machine->simulation;

    expire(machine);
    struct vidmm_activity *activity = vidmm_schedule_next(&simulation->schedule);
    if (activity == NULL)
        return pass_time(machine);
    vidmm_simulated_perform(machine, activity);
    return true;
}

static bool finished(const struct vidmm_simulation *simulation)
{
    return simulation->running && simulation->callers_left == 0;
}

/* The fiber's loop, which has no wait of its own. */
static void loop(void *argument)
{
    struct vidmm_machine *machine = argument;
    struct vidmm_simulation *simulation = machine->simulation;

    for (;;) {
        if (simulation->keeps_fiber)
            vidmm_simulated_keep_fiber(machine);
        bool back = finished(simulation) && simulation->base->idle;
        if (!back)
            back = !step(machine);
        if (!back)
            continue;
        VIDMM_ASSERT(simulation->base->idle); /* W2 */
        unpark(simulation, simulation->base);
        park_and_go(simulation, simulation->base);
    }
}

void vidmm_simulated_check_waiter(struct vidmm_machine *machine,
                                  struct vidmm_simulated_waiter *waiter)
{
    struct vidmm_simulation *simulation = machine->simulation;
    uint64_t wakes = simulation->wakes;

    waiter->answer = waiter->ready(waiter->argument);
    if (waiter->answer || waiter->stuck || simulation->now >= waiter->deadline)
        park_and_go(simulation, waiter->fiber);
    else if (wakes != simulation->wakes)
        vidmm_schedule_add(&simulation->schedule, &waiter->activity);
    else
        vidmm_schedule_block(&simulation->schedule, &waiter->activity);
}

bool vidmm_simulated_wait(struct vidmm_machine *machine, bool (*ready)(void *argument),
                          void *argument, uint64_t timeout_ns)
{
    struct vidmm_simulation *simulation = machine->simulation;
    struct vidmm_simulated_waiter waiter = {.ready = ready, .argument = argument};

    if (ready(argument))
        return true;
    struct vidmm_fiber *fiber = take_fiber(machine);
    if (fiber == NULL) {
        vidmm_machine_misuse(machine, "no memory for a stack to wait on");
        return false;
    }
    bool limited = timeout_ns < UINT64_MAX - simulation->now;
    waiter.deadline = limited ? simulation->now + timeout_ns : UINT64_MAX;
    waiter.activity = (struct vidmm_activity){.kind = ACTIVITY_WAITER, .owner = &waiter};
    waiter.fiber = simulation->current;
    waiter.next = simulation->waiters;
    simulation->waiters = &waiter;
    find_next_deadline(simulation);
    /* Ready, not blocked: a wake may have come since the question. */
    vidmm_schedule_add(&simulation->schedule, &waiter.activity);
    simulation->current = fiber;
    vidmm_fiber_switch(waiter.fiber, fiber);
    remove_waiter(simulation, &waiter);
    simulation->irql = VIDMM_PASSIVE_LEVEL;
    return waiter.answer;
}

bool vidmm_simulated_run(struct vidmm_machine *machine)
{
    struct vidmm_simulation *simulation = machine->simulation;
    struct vidmm_schedule *schedule = &simulation->schedule;

    simulation->running = true;
    for (unsigned i = 0; i < machine->caller_count; i++)
        if (machine->callers[i]->state != VIDMM_CALLER_DONE)
            vidmm_schedule_add(schedule, &simulation->callers[i]->activity);
    while (simulation->callers_left > 0 && step(machine))
        continue;
    simulation->running = false;
    for (unsigned i = 0; i < machine->caller_count; i++)
        vidmm_schedule_remove(schedule, &simulation->callers[i]->activity);
    return simulation->callers_left == 0;
}

void vidmm_simulated_settle(struct vidmm_machine *machine)
{
    while (step(machine))
        continue;
}
