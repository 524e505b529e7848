/* grant.h: requests that wait for the engine's answer. The mutex is held in all that is here. */
#ifndef VIDMM_PUMP_GRANT_H
#define VIDMM_PUMP_GRANT_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;

/* Somebody who waits for a grant; on the stack of the waiter. */
struct vidmm_request {
    struct vidmm_request *next;
    struct vidmm_allocation *allocation; /* a lock: open its word on success */
    uint32_t id;
    bool granted; /* `status` and `place` are the engine's answer */
    bool taken;   /* a lock: it is counted in the word */
    bool done;    /* the waiter may go on */
    NTSTATUS status;
    struct vidmm_place place;
    uint32_t range;
    uint32_t flags; /* VIDMM_GRANT_... */
    bool aperture;  /* the lock is one with AcquireAperture */
};

/* Give a request its number, which it answers, and put it into the adapter's list. It stays the
 * caller's, and is in the list until vidmm_request_end(). */
uint32_t vidmm_request_begin(struct vidmm_adapter *adapter, struct vidmm_request *request);
void vidmm_request_end(struct vidmm_adapter *adapter, struct vidmm_request *request);
/* The engine's answer to a request, if somebody waits for it. */
void vidmm_request_grant(struct vidmm_adapter *adapter, const struct vidmm_operation *operation);
/* All that was to be done with the allocation's pages is done: the requests that waited for that
 * are answered. */
void vidmm_request_answer_waiting(struct vidmm_adapter *adapter,
                                  const struct vidmm_allocation *allocation);

#endif
