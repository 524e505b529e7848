/* client.h: the pump's news of the engine's decisions. A call up goes through this table, which the
 * adapter has from its start on (`client` of it).
 *
 * All but `gone` and `tell` is called with the mutex held, allocates nothing that can run out, and
 * cannot fail.
 */
#ifndef VIDMM_PUMP_CLIENT_H
#define VIDMM_PUMP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_device;
struct vidmm_dma_buffer;
struct vidmm_request;

struct vidmm_pump_client {
    /* A request is answered: `status` and `place` are the engine's, and the client may change the
     * status. Called at once, and again when its caller may go on (`done`), if that is later. */
    void (*granted)(struct vidmm_request *request);
    /* The engine claims an allocation for a move. enum vidmm_claim: how that ends. `stays`: it is
     * refused if a lock is held. `peeks`: as VIDMM_DO_CLAIM says. */
    uint32_t (*claimed)(struct vidmm_allocation *allocation, bool stays, bool peeks);
    /* The claim that is followed is over: the content is at `place`, by `range` if not 0. */
    void (*shown)(struct vidmm_allocation *allocation, struct vidmm_place place, uint32_t range,
                  bool alternate);
    /* A DMA buffer goes to its node; told only if somebody can tell what the GPU writes. */
    void (*submitted)(struct vidmm_dma_buffer *dma_buffer, uint32_t node, uint32_t fence);
    /* The GPU has done with a DMA buffer, or will never begin it. */
    void (*retired)(struct vidmm_dma_buffer *dma_buffer, NTSTATUS status);
    /* The engine has let go of an allocation. Inside its process's turn; the mutex is not
     * held, and is held behind it. */
    void (*gone)(struct vidmm_allocation *allocation);
    /* The device is removed. */
    void (*device_lost)(struct vidmm_device *device);
    /* A wait of the CPU for fences is over. */
    void (*waited)(struct vidmm_adapter *adapter, uint32_t request, NTSTATUS status);
    /* Tell of one such end, or go on with changes of addresses that are due. False: there is none.
     * The mutex is given up meanwhile. */
    bool (*tell)(struct vidmm_adapter *adapter);
    /* The adapter has stopped: nothing that anybody waits for will come. */
    void (*stopped)(struct vidmm_adapter *adapter);
};

#endif
