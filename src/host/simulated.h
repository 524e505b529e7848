/* simulated.h: the parts of the simulated machine: the activities that can run, and the conditions
 * that others wait for.
 *
 *     activity   something that can run: an engine, a pending interrupt, a deferred procedure call,
 *                work, a caller, a waiter whose condition may be met
 *
 *       unready <--- run: nothing more to do ---- running
 *          |                                        ^  |
 *          +-- kick, raise, queue, wake --> ready --+  +--> blocked (callers, waiters) -- wake --+
 *                                             ^                                                 |
 *                                             +-------------------------------------------------+
 *
 * schedule.c says what is ready and who is next; simulated.c is the host and the bus; waiting.c
 * runs the machine and waits.
 *
 * The scheduler's loop runs on the stack that called vidmm_machine_run(). When somebody waits, the
 * stack is his; the loop goes on, on another fiber. When his condition is met the loop parks its
 * fiber and switches to his stack, whose own loop then goes on. So waits never nest.
 */
#ifndef VIDMM_HOST_SIMULATED_H
#define VIDMM_HOST_SIMULATED_H

#include <vidmm/host.h>

#include "host/machine.h"

enum activity_kind {
    ACTIVITY_ENGINE,
    ACTIVITY_INTERRUPT,
    ACTIVITY_DPC,
    ACTIVITY_WORK,
    ACTIVITY_CALLER,
    ACTIVITY_WAITER,
};

struct vidmm_activity {
    enum activity_kind kind;
    bool ready;    /* in a queue of the schedule */
    bool blocked;  /* in the schedule's list of the blocked */
    bool running;  /* on a stack */
    uint8_t haste; /* chance, of 255, to run when chosen; drawn anew with each weather */
    uint64_t weather;
    void *owner; /* by kind: engine, slot, slot, slot, caller, waiter */
};

/* A ring of activities; or, without an order, those from 0 to count - 1. */
struct vidmm_ready {
    struct vidmm_activity **items;
    unsigned head, count;
};

/*
 * The order in which all take their turns. Eager (without a random state): `ready` holds devices,
 * which go first, and `callers` callers and waiters, each first in first out. Otherwise `ready`
 * holds all of them, in no order.
 */
struct vidmm_schedule {
    bool eager;
    uint64_t random;
    uint64_t picks;
    unsigned capacity; /* of each array, a power of two */
    unsigned members;  /* activities that may need a place at a time */
    unsigned devices_in_turn;
    struct vidmm_ready ready, callers;
    struct vidmm_activity **blocked;
    unsigned blocked_count;
    /* The weather changes: for a while, some are slow, interrupts late, drivers interrupted. */
    uint64_t weather;
    uint8_t at_once;     /* chance, of 255, that an interrupt is served by who raised it */
    uint8_t interrupted; /* chance, of 255, that others run where a driver can be interrupted */
};

/* schedule.c. Make room for `members` more activities. False: no memory, nothing has changed. */
bool vidmm_schedule_init(struct vidmm_schedule *schedule, uint64_t seed);
void vidmm_schedule_finish(struct vidmm_schedule *schedule);
bool vidmm_schedule_reserve(struct vidmm_schedule *schedule, unsigned members);
void vidmm_schedule_add(struct vidmm_schedule *schedule, struct vidmm_activity *activity);
void vidmm_schedule_block(struct vidmm_schedule *schedule, struct vidmm_activity *activity);
/* Make all that is blocked ready. */
void vidmm_schedule_unblock(struct vidmm_schedule *schedule);
/* Take the activity out, ready or blocked or neither. */
void vidmm_schedule_remove(struct vidmm_schedule *schedule, struct vidmm_activity *activity);
/* Choose who runs next and take it out. NULL: nobody is ready. */
struct vidmm_activity *vidmm_schedule_next(struct vidmm_schedule *schedule);
/* Choose somebody who may run while a driver is in the middle of something: an engine, interrupt or
 * deferred procedure call. NULL: nobody, as chance or the weather will have it. */
struct vidmm_activity *vidmm_schedule_intruder(struct vidmm_schedule *schedule);
/* Does this happen, with that chance of 255? Eager: at 255 only. */
bool vidmm_schedule_chance(struct vidmm_schedule *schedule, uint8_t chance);

struct vidmm_simulated_engine {
    struct vidmm_activity activity;
    struct vidmm_slot *slot;
    bool kicked;
    bool (*step)(void *engine);
    void *engine;
};

enum { SIMULATED_MESSAGES = 64 };

struct vidmm_simulated_slot {
    struct vidmm_activity interrupt, dpc, work;
    bool connected;
    struct vidmm_host_client client;
    bool in_service; /* the service routine runs, or a routine that excludes it */
    bool dpc_pending, work_pending;
    uint64_t timer; /* when work becomes pending; UINT64_MAX: never, as while not connected */
    bool locked;
    uint32_t messages[SIMULATED_MESSAGES]; /* raised, not yet served: a ring */
    unsigned message_head, message_count;
    unsigned engine_count;
    struct vidmm_simulated_engine *engines[VIDMM_MACHINE_ENGINES];
};

struct vidmm_simulated_caller {
    struct vidmm_activity activity;
    struct vidmm_caller *caller;
};

/* Somebody in wait(); stands on his stack. */
struct vidmm_simulated_waiter {
    struct vidmm_activity activity;
    struct vidmm_simulated_waiter *next;
    struct vidmm_fiber *fiber;
    bool (*ready)(void *argument);
    void *argument;
    uint64_t deadline;
    bool stuck; /* nothing can change any more */
    bool answer;
};

struct vidmm_simulation {
    struct vidmm_schedule schedule;
    uint64_t now;
    uint64_t steps;
    uint64_t wakes;
    uint8_t irql; /* of whoever runs */
    bool running; /* in vidmm_machine_run() */
    unsigned callers_left;
    struct vidmm_simulated_caller **callers;
    struct vidmm_simulated_waiter *waiters; /* the youngest first */
    uint64_t next_deadline;                 /* of these */
    uint64_t next_timer;                    /* of all slots */
    struct vidmm_fiber *base;               /* the stack that called the machine */
    struct vidmm_fiber *current;
    struct vidmm_fiber *idle; /* parked in the loop */
    bool keeps_fiber; /* one is always idle: a thread that waits in a fault handler cannot ask for
                       * memory */
};

/* simulated.c. Run one activity that the schedule has handed out. */
void vidmm_simulated_perform(struct vidmm_machine *machine, struct vidmm_activity *activity);
/* Make work pending whose timer's time has come. */
void vidmm_simulated_fire(struct vidmm_machine *machine);
/* Let others intrude. */
void vidmm_simulated_point(struct vidmm_machine *machine);

/* waiting.c. */
void vidmm_simulated_check_waiter(struct vidmm_machine *machine,
                                  struct vidmm_simulated_waiter *waiter);
/* From now on keep a fiber ready for the next wait. False: no memory for it. */
bool vidmm_simulated_keep_fiber(struct vidmm_machine *machine);

bool vidmm_simulated_wait(struct vidmm_machine *machine, bool (*ready)(void *argument),
                          void *argument, uint64_t timeout_ns);
bool vidmm_simulated_run(struct vidmm_machine *machine);
void vidmm_simulated_settle(struct vidmm_machine *machine);

#endif
