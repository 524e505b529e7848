/* crowd.h: a driver that stays in its calls until others have had their chance, and counts who is
 * in it.
 *
 *     crowd_bend(driver)              for shown_init
 *     crowd_run(shown, classes, step, argument)
 *                                     the work, on a thread; beside it programs that ask for
 *                                     something again and again, each on a device of its own
 *     crowd_end()                     the work is done: by `step`, before VIDMM_CALLER_DONE
 *
 * A call of one of the classes (bit n: class n) stays inside until programs have been through
 * twice: they have asked, and the manager has answered, so whatever it would have done on their
 * threads it has done. A manager without memory lets them wait for the call to end: if all of them
 * have been asking for a second, the call ends too. Half a minute ends it, and is a failure.
 */
#ifndef TEST_RULES_CROWD_H
#define TEST_RULES_CROWD_H

#include "flag_words.h"
#include "rules_rig.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum crowd_class {
    CROWD_SCHEDULER,
    CROWD_SWIZZLING,
    CROWD_LEVEL_THREE,
    CROWD_CLASSES,
};

enum { CROWD_PROGRAMS = 2, CROWD_PATIENCE = 30 /* seconds */ };

static struct crowd {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    DRIVER_INITIALIZATION_DATA driver; /* as it was */
    unsigned lingers;                  /* bit n: calls of class n stay inside */
    unsigned passes;                   /* of programs */
    unsigned asking;                   /* programs that have not been answered yet */
    unsigned wanted;                   /* so many, for the last call that stayed inside to end */
    unsigned lonely;                   /* calls during which nobody came through */
    unsigned inside[CROWD_CLASSES], most[CROWD_CLASSES], calls[CROWD_CLASSES];
    unsigned met; /* calls of other levels during one of level three */
} crowd_now = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* Wait a second for another program to come through. False: none has, and not because all of them
 * wait for the manager. */
static inline bool crowd_wait(unsigned *seconds)
{
    unsigned passes = crowd_now.passes;
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    if (pthread_cond_timedwait(&crowd_now.changed, &crowd_now.mutex, &end) == 0)
        return true;
    if (crowd_now.passes == passes && crowd_now.asking == CROWD_PROGRAMS)
        crowd_now.wanted = crowd_now.passes; /* they wait for who is inside */
    return ++*seconds < CROWD_PATIENCE;
}

static inline void crowd_enter(enum crowd_class class)
{
    unsigned seconds = 0;

    pthread_mutex_lock(&crowd_now.mutex);
    crowd_now.calls[class]++;
    if (++crowd_now.inside[class] > crowd_now.most[class])
        crowd_now.most[class] = crowd_now.inside[class];
    pthread_cond_broadcast(&crowd_now.changed);
    crowd_now.wanted = crowd_now.passes + 2;
    while ((crowd_now.lingers >> class & 1) != 0 && crowd_now.passes < crowd_now.wanted &&
           crowd_now.most[class] == 1)
        if (!crowd_wait(&seconds)) {
            crowd_now.lonely++;
            break;
        }
    pthread_mutex_unlock(&crowd_now.mutex);
}

static inline void crowd_leave(enum crowd_class class)
{
    pthread_mutex_lock(&crowd_now.mutex);
    crowd_now.inside[class]--;
    pthread_mutex_unlock(&crowd_now.mutex);
}

/* A call that may be made beside those of a class, but not beside one of level three. */
static inline void crowd_meet(void)
{
    pthread_mutex_lock(&crowd_now.mutex);
    crowd_now.met += crowd_now.inside[CROWD_LEVEL_THREE];
    pthread_mutex_unlock(&crowd_now.mutex);
}

/* A program was answered. False: there is nobody left to wait for it. */
static inline bool crowd_pass(void)
{
    bool lingers;

    pthread_mutex_lock(&crowd_now.mutex);
    crowd_now.passes++;
    lingers = crowd_now.lingers != 0;
    pthread_cond_broadcast(&crowd_now.changed);
    pthread_mutex_unlock(&crowd_now.mutex);
    return lingers;
}

/* Until somebody is in a call of the class and waits for programs. False: nobody will. */
static inline bool crowd_await(enum crowd_class class)
{
    bool lingers;

    pthread_mutex_lock(&crowd_now.mutex);
    while ((crowd_now.inside[class] == 0 || crowd_now.passes >= crowd_now.wanted) &&
           crowd_now.lingers != 0)
        pthread_cond_wait(&crowd_now.changed, &crowd_now.mutex);
    lingers = crowd_now.lingers != 0;
    pthread_mutex_unlock(&crowd_now.mutex);
    return lingers;
}

static inline void crowd_begin(unsigned classes)
{
    pthread_mutex_lock(&crowd_now.mutex);
    crowd_now.lingers = classes;
    crowd_now.passes = crowd_now.wanted = crowd_now.lonely = crowd_now.met = 0;
    memset(crowd_now.most, 0, sizeof(crowd_now.most));
    memset(crowd_now.calls, 0, sizeof(crowd_now.calls));
    pthread_mutex_unlock(&crowd_now.mutex);
}

static inline void crowd_end(void)
{
    pthread_mutex_lock(&crowd_now.mutex);
    crowd_now.lingers = 0;
    pthread_cond_broadcast(&crowd_now.changed);
    pthread_mutex_unlock(&crowd_now.mutex);
}

/* ---- the driver ------------------------------------------------------------------------------ */

#define CROWD_CALL(Name, Class, Type)                                                              \
    static inline NTSTATUS crowd_##Name(HANDLE handle, Type *arguments)                            \
    {                                                                                              \
        NTSTATUS status;                                                                           \
                                                                                                   \
        crowd_enter(Class);                                                                        \
        status = crowd_now.driver.DxgkDdi##Name(handle, arguments);                                \
        crowd_leave(Class);                                                                        \
        return status;                                                                             \
    }

#define CROWD_MEETING(Name, Type)                                                                  \
    static inline NTSTATUS crowd_##Name(HANDLE handle, Type *arguments)                            \
    {                                                                                              \
        crowd_meet();                                                                              \
        return crowd_now.driver.DxgkDdi##Name(handle, arguments);                                  \
    }

CROWD_CALL(BuildPagingBuffer, CROWD_SCHEDULER, DXGKARG_BUILDPAGINGBUFFER)
CROWD_CALL(Patch, CROWD_SCHEDULER, const DXGKARG_PATCH)
CROWD_CALL(SubmitCommand, CROWD_SCHEDULER, const DXGKARG_SUBMITCOMMAND)
CROWD_CALL(PreemptCommand, CROWD_SCHEDULER, const DXGKARG_PREEMPTCOMMAND)
CROWD_CALL(QueryEngineStatus, CROWD_SCHEDULER, DXGKARG_QUERYENGINESTATUS)
CROWD_CALL(ResetEngine, CROWD_SCHEDULER, DXGKARG_RESETENGINE)
CROWD_CALL(QueryDependentEngineGroup, CROWD_SCHEDULER, DXGKARG_QUERYDEPENDENTENGINEGROUP)
CROWD_CALL(AcquireSwizzlingRange, CROWD_SWIZZLING, DXGKARG_ACQUIRESWIZZLINGRANGE)
CROWD_CALL(ReleaseSwizzlingRange, CROWD_SWIZZLING, const DXGKARG_RELEASESWIZZLINGRANGE)
CROWD_MEETING(CreateAllocation, DXGKARG_CREATEALLOCATION)
CROWD_MEETING(OpenAllocation, const DXGKARG_OPENALLOCATION)
CROWD_MEETING(CloseAllocation, const DXGKARG_CLOSEALLOCATION)
CROWD_MEETING(DestroyAllocation, const DXGKARG_DESTROYALLOCATION)
CROWD_MEETING(Render, DXGKARG_RENDER)

static inline NTSTATUS crowd_SetPowerState(PVOID context, ULONG uid, DEVICE_POWER_STATE state,
                                           POWER_ACTION action)
{
    NTSTATUS status;

    crowd_enter(CROWD_LEVEL_THREE);
    status = crowd_now.driver.DxgkDdiSetPowerState(context, uid, state, action);
    crowd_leave(CROWD_LEVEL_THREE);
    return status;
}

static inline void crowd_bend(DRIVER_INITIALIZATION_DATA *driver)
{
    crowd_now.driver = *driver;
    driver->DxgkDdiBuildPagingBuffer = crowd_BuildPagingBuffer;
    driver->DxgkDdiPatch = crowd_Patch;
    driver->DxgkDdiSubmitCommand = crowd_SubmitCommand;
    driver->DxgkDdiPreemptCommand = crowd_PreemptCommand;
    driver->DxgkDdiQueryEngineStatus = crowd_QueryEngineStatus;
    driver->DxgkDdiResetEngine = crowd_ResetEngine;
    driver->DxgkDdiQueryDependentEngineGroup = crowd_QueryDependentEngineGroup;
    driver->DxgkDdiAcquireSwizzlingRange = crowd_AcquireSwizzlingRange;
    driver->DxgkDdiReleaseSwizzlingRange = crowd_ReleaseSwizzlingRange;
    driver->DxgkDdiCreateAllocation = crowd_CreateAllocation;
    driver->DxgkDdiOpenAllocation = crowd_OpenAllocation;
    driver->DxgkDdiCloseAllocation = crowd_CloseAllocation;
    driver->DxgkDdiDestroyAllocation = crowd_DestroyAllocation;
    driver->DxgkDdiRender = crowd_Render;
    driver->DxgkDdiSetPowerState = crowd_SetPowerState;
}

/* ---- programs -------------------------------------------------------------------------------- */

static const struct softgpu_allocation crowd_wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                                     .flags = CPU_VISIBLE,
                                                     .size = VIDMM_PAGE_SIZE,
                                                     .read_set = 1,
                                                     .write_set = 1,
                                                     .priority = SOFTGPU_PRIORITY_NORMAL};
static _Atomic NTSTATUS crowd_bad; /* an answer to a program that is none of those that may come */

static inline struct vidmm_allocation *crowd_create(struct vidmm_device *device)
{
    struct vidmm_allocation *allocation;

    assert_int_equal(
        vidmm_allocation_create(device, &crowd_wish, sizeof(crowd_wish), &allocation, NULL),
        STATUS_SUCCESS);
    return allocation;
}

static inline void crowd_ask(bool asks)
{
    pthread_mutex_lock(&crowd_now.mutex);
    crowd_now.asking += asks ? 1 : UINT_MAX;
    pthread_mutex_unlock(&crowd_now.mutex);
}

/* A program that finds no memory waits for what was given up (pump/relief.c), however long somebody
 * stays in the driver. */
static inline enum vidmm_caller_state crowd_create_and_destroy(void *argument)
{
    struct vidmm_allocation *allocation;
    NTSTATUS status;

    crowd_ask(true);
    status = vidmm_allocation_create(argument, &crowd_wish, sizeof(crowd_wish), &allocation, NULL);
    if (status == STATUS_SUCCESS)
        vidmm_allocation_destroy(allocation);
    else
        atomic_store(&crowd_bad, status);
    crowd_ask(false);
    return crowd_pass() ? VIDMM_CALLER_RAN : VIDMM_CALLER_DONE;
}

static inline void crowd_run(struct shown *shown, unsigned classes,
                             enum vidmm_caller_state (*step)(void *argument), void *argument)
{
    struct vidmm_device *devices[CROWD_PROGRAMS];
    char stuck[300] = "";

    for (unsigned i = 0; i < CROWD_PROGRAMS; i++) {
        assert_int_equal(vidmm_device_create(shown->rig.adapter, 8 + i, &devices[i], NULL),
                         STATUS_SUCCESS);
        assert_true(vidmm_machine_add_caller(shown->rig.machine, "beside it",
                                             crowd_create_and_destroy, devices[i]));
    }
    assert_true(vidmm_machine_add_caller(shown->rig.machine, "works", step, argument));
    atomic_store(&crowd_bad, STATUS_SUCCESS);
    crowd_begin(classes);
    if (!vidmm_machine_run(shown->rig.machine, stuck, sizeof(stuck)))
        fail_msg("%s", stuck);
    for (unsigned i = 0; i < CROWD_PROGRAMS; i++)
        vidmm_device_destroy(devices[i]);
    assert_int_equal(crowd_now.lonely, 0);
    assert_int_equal(atomic_load(&crowd_bad), STATUS_SUCCESS);
}

/* The class was called so often at least, by one thread at a time. */
static inline void crowd_was_alone(enum crowd_class class, unsigned calls)
{
    assert_true(crowd_now.calls[class] >= calls);
    assert_int_equal(crowd_now.most[class], 1);
}

#endif
