/* grant.c: requests that wait for the engine's answer. */
#include "vidmm/pump/grant.h"

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/mutex.h"
#include "vidmm/pump/client.h"
#include "vidmm/pump/state.h"

#include "base/assert.h"

uint32_t vidmm_request_begin(struct vidmm_adapter *adapter, struct vidmm_request *request)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(!request->done && !request->granted);
    adapter->pump->next_request += adapter->pump->next_request == UINT32_MAX ? 2 : 1;
    request->id = adapter->pump->next_request;
    request->next = adapter->pump->requests;
    adapter->pump->requests = request;
    return request->id;
}

void vidmm_request_end(struct vidmm_adapter *adapter, struct vidmm_request *request)
{
    struct vidmm_request **link = &adapter->pump->requests;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    while (*link != request)
        link = &(*link)->next;
    *link = request->next;
}

/* The client hears of it at once: where the engine claims backing store, a lock is held from its
 * grant on. The caller goes on when the pages that he is to see have been cleared. */
static void answer(struct vidmm_adapter *adapter, struct vidmm_request *request)
{
    bool sees_pages = request->allocation && request->place.segment == 0;

    VIDMM_ASSERT(request->granted && !request->done);
    request->done = !sees_pages || !request->allocation->in_chores;
    adapter->client->granted(request);
}

void vidmm_request_grant(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_request *request = adapter->pump->requests;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    while (request && request->id != operation->grant.request)
        request = request->next;
    if (request) {
        request->granted = true;
        request->status = (NTSTATUS)operation->grant.status;
        request->place = operation->grant.place;
        request->range = operation->grant.range;
        request->flags = operation->grant.flags;
        answer(adapter, request);
    }
}

void vidmm_request_answer_waiting(struct vidmm_adapter *adapter,
                                  const struct vidmm_allocation *allocation)
{
    struct vidmm_request *request;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    for (request = adapter->pump->requests; request; request = request->next) {
        if (request->allocation == allocation && request->granted && !request->done) {
            answer(adapter, request);
            adapter->changed = true;
        }
    }
}
