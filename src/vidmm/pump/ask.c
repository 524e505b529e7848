/* ask.c: events that the engine answers by VIDMM_DO_GRANT, and somebody waits for that. */
#include "vidmm/pump/ask.h"

#include <wddm/ntstatus.h>

#include "vidmm/object/mutex.h"
#include "vidmm/pump/grant.h"
#include "vidmm/pump/pump.h"

struct waiting {
    struct vidmm_adapter *adapter;
    const struct vidmm_request *request;
};

static bool request_is_done(void *argument)
{
    const struct waiting *waiting = argument;
    bool done;

    vidmm_adapter_lock(waiting->adapter);
    done = waiting->request->done || waiting->adapter->stopped;
    vidmm_adapter_unlock(waiting->adapter);
    return done;
}

static NTSTATUS request_wait(struct vidmm_adapter *adapter, struct vidmm_request *request)
{
    struct waiting waiting = {adapter, request};

    vidmm_pump(adapter);
    adapter->host->wait(adapter->host->context, request_is_done, &waiting, UINT64_MAX);
    if (request->done)
        return request->status;
    return adapter->stopped ? STATUS_DEVICE_REMOVED : STATUS_TIMEOUT;
}

NTSTATUS vidmm_request_ask(struct vidmm_adapter *adapter, struct vidmm_event *event, uint32_t *id,
                           struct vidmm_request *request)
{
    NTSTATUS status;

    vidmm_adapter_lock(adapter);
    if (adapter->stopped) {
        vidmm_adapter_unlock(adapter);
        return STATUS_DEVICE_REMOVED;
    }
    *id = vidmm_request_begin(adapter, request);
    status = vidmm_pump_step(adapter, event);
    vidmm_adapter_unlock(adapter);
    if (status == STATUS_SUCCESS)
        status = request_wait(adapter, request);
    vidmm_adapter_lock(adapter);
    vidmm_request_end(adapter, request);
    vidmm_adapter_unlock(adapter);
    return status;
}
