/* submit.c: DxgkDdiPatch and DxgkDdiSubmitCommand: packets go to the GPU.
 *
 * Source: DXGKARG_PATCH, DXGKARG_SUBMITCOMMAND.
 */
#include "vidmm/ddi/submit.h"

#include <string.h>

#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/address.h"
#include "vidmm/ddi/context.h"
#include "vidmm/ddi/hw_queue.h"
#include "vidmm/ddi/interrupt.h"
#include "vidmm/ddi/linked.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/packet.h"
#include "vidmm/ddi/paging_memory.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/submit_virtual.h"
#include "vidmm/object/context.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"
#include "wddm/level.h"

static NTSTATUS patch(struct vidmm_adapter *adapter, const struct vidmm_packet *packet,
                      const struct vidmm_dma_buffer *dma_buffer)
{
    DXGKARG_PATCH arguments;
    NTSTATUS status;

    VIDMM_ASSERT(packet->start <= packet->end && packet->end <= packet->memory->size);
    if (packet->paging && !adapter->options.patch_paging)
        return STATUS_SUCCESS;
    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = packet->context;
    arguments.DmaBufferSegmentId = packet->memory->place.segment;
    arguments.DmaBufferPhysicalAddress =
        vidmm_ddi_command_address(adapter, packet->memory); /* obeys D-081, D-321 */
    arguments.pDmaBuffer = packet->memory->backing.address;
    arguments.DmaBufferSize = packet->memory->size; /* obeys D-322 */
    arguments.DmaBufferSubmissionStartOffset = packet->start;
    arguments.DmaBufferSubmissionEndOffset = packet->end;
    arguments.pDmaBufferPrivateData = packet->memory->private_data;
    arguments.DmaBufferPrivateDataSize = packet->memory->private_size;
    arguments.DmaBufferPrivateDataSubmissionStartOffset = packet->private_start;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = packet->private_end;
    if (dma_buffer) { /* a paging buffer has no lists: obeys S4-007, D-325 */
        arguments.pAllocationList = dma_buffer->allocation_list;
        arguments.AllocationListSize = dma_buffer->list_count;
        arguments.pPatchLocationList = dma_buffer->patch_list;
        arguments.PatchLocationListSize = dma_buffer->patch_count;
        arguments.PatchLocationListSubmissionStart = packet->patch_first;
        arguments.PatchLocationListSubmissionLength = packet->patch_count;
    }
    arguments.SubmissionFenceId = packet->fence; /* obeys D-326 */
    arguments.Flags.Paging = packet->paging;
    arguments.Flags.Present = packet->present;
    arguments.Flags.NullRendering = packet->null_rendering;
    arguments.EngineOrdinal = packet->engine;
    status = adapter->miniport->driver.DxgkDdiPatch(adapter->miniport->h_adapter, &arguments);
    if (status != STATUS_SUCCESS)
        adapter->miniport->call_fails = VIDMM_REASON_PATCH_FAILED; /* obeys D-079 */
    return status;
}

static NTSTATUS submit_at_dispatch(struct vidmm_adapter *adapter,
                                   const DXGKARG_SUBMITCOMMAND *arguments)
{
    uint8_t irql = adapter->host->raise_irql(adapter->host->context, VIDMM_DISPATCH_LEVEL);
    NTSTATUS status =
        adapter->miniport->driver.DxgkDdiSubmitCommand(adapter->miniport->h_adapter, arguments);

    adapter->host->lower_irql(adapter->host->context, irql); /* obeys D-313 */
    return status;
}

static NTSTATUS submit(struct vidmm_adapter *adapter, const struct vidmm_packet *packet)
{
    DXGKARG_SUBMITCOMMAND arguments;

    if (vidmm_ddi_submits_virtual(adapter))
        return vidmm_ddi_submit_virtual(adapter, packet); /* obeys W-016 */
    VIDMM_ASSERT(packet->node < adapter->node_count && packet->fence != 0);
    VIDMM_ASSERT(packet->private_end <= packet->memory->private_size);
    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = packet->context;
    arguments.DmaBufferSegmentId = packet->memory->place.segment;
    arguments.DmaBufferPhysicalAddress = vidmm_ddi_command_address(adapter, packet->memory);
    arguments.DmaBufferSize = packet->memory->size;
    arguments.DmaBufferSubmissionStartOffset = packet->start;
    arguments.DmaBufferSubmissionEndOffset = packet->end;
    arguments.pDmaBufferPrivateData = packet->memory->private_data;
    arguments.DmaBufferPrivateDataSize = packet->memory->private_size;
    arguments.DmaBufferPrivateDataSubmissionStartOffset = packet->private_start;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = packet->private_end;
    arguments.SubmissionFenceId = packet->fence;
    arguments.Flags.Paging = packet->paging; /* obeys D-080 */
    arguments.Flags.Present = packet->present;
    arguments.Flags.NullRendering = packet->null_rendering; /* obeys D-258 */
    arguments.Flags.ContextSwitch = packet->switches;       /* obeys D-256 */
    arguments.NodeOrdinal = packet->node;                   /* obeys D-320 */
    arguments.EngineOrdinal = packet->engine;
    arguments.Flags.Resubmission = packet->again && adapter->level >= VIDMM_LEVEL(2, 0);
    vidmm_ddi_resume(adapter, UINT64_C(1) << packet->node);
    return submit_at_dispatch(adapter, &arguments);
}

static NTSTATUS send(struct vidmm_adapter *adapter, const struct vidmm_packet *packet,
                     const struct vidmm_dma_buffer *dma_buffer)
{
    NTSTATUS status =
        vidmm_ddi_submits_virtual(adapter) ? STATUS_SUCCESS : patch(adapter, packet, dma_buffer);

    return status == STATUS_SUCCESS ? submit(adapter, packet) : status;
}

static NTSTATUS submit_paging_to(struct vidmm_adapter *adapter, uint32_t engine,
                                 const struct vidmm_operation *operation)
{
    struct vidmm_paging_memory *paging =
        vidmm_paging_memory(adapter, engine, operation->submit_paging.paging_buffer);
    struct vidmm_context *companion;
    HANDLE context = vidmm_ddi_paging_context(adapter, engine, operation->submit_paging.context,
                                              &companion); /* obeys D-266 */
    struct vidmm_packet packet = {
        .context =
            adapter->options.system_context || vidmm_ddi_submits_virtual(adapter) ? context : NULL,
        .memory = &paging->memory,
        .address = vidmm_paging_tables_buffer(adapter, operation->submit_paging.paging_buffer),
        .end = paging->used,
        .private_end = paging->private_used,
        .fence = operation->submit_paging.fence,
        .again = operation->submit_paging.again != 0,
        .node = operation->submit_paging.node,
        .engine = engine,
        .paging = true,
    };

    VIDMM_ASSERT(adapter->pumping);
    VIDMM_ASSERT(companion || packet.node == adapter->paging_node); /* obeys D-260 */
    if (companion)
        vidmm_ddi_set_root(adapter, companion);
    VIDMM_ASSERT(paging->used <= paging->memory.size);
    paging->fresh = false;
    return send(adapter, &packet, NULL);
}

/* The engines whose driver wrote something into the paging buffer; all, if none did. */
static uint32_t engines_of(struct vidmm_adapter *adapter, uint32_t paging_buffer)
{
    uint32_t all = (1u << adapter->link_count) - 1, engines = 0, engine;

    for (engine = 0; engine < adapter->link_count; engine++) {
        const struct vidmm_paging_memory *paging =
            vidmm_paging_memory(adapter, engine, paging_buffer);

        engines |= (uint32_t)(paging->used > 0 || paging->private_used > 0) << engine;
    }
    return engines == 0 ? all : engines;
}

NTSTATUS vidmm_ddi_submit_paging(struct vidmm_adapter *adapter,
                                 const struct vidmm_operation *operation)
{
    uint32_t engines, engine;
    NTSTATUS status = STATUS_SUCCESS;

    if (!vidmm_adapter_is_linked(adapter))
        return submit_paging_to(adapter, 0, operation);
    engines = engines_of(adapter, operation->submit_paging.paging_buffer);
    vidmm_linked_submitted(adapter, operation->submit_paging.node, operation->submit_paging.fence,
                           engines);
    for (engine = 0; engine < adapter->link_count && status == STATUS_SUCCESS; engine++)
        if ((engines >> engine & 1) != 0)
            status = submit_paging_to(adapter, engine, operation);
        else
            vidmm_paging_memory(adapter, engine, operation->submit_paging.paging_buffer)->fresh =
                false;
    return status;
}

static void name_engine(struct vidmm_packet *packet, const struct vidmm_dma_buffer *dma_buffer,
                        uint32_t engine)
{
    VIDMM_ASSERT(engine < VIDMM_LINKS);
    packet->engine = engine;
    packet->context = vidmm_context_handle(dma_buffer->context, engine);
}

/* Every engine of a link that its context is of runs it, in its own context. All is patched before
 * one begins: they share the bytes. */
static NTSTATUS broadcast(struct vidmm_adapter *adapter, struct vidmm_packet *packet,
                          const struct vidmm_dma_buffer *dma_buffer)
{
    uint32_t engines = vidmm_context_engines(dma_buffer->context), engine;
    bool patches = !vidmm_ddi_submits_virtual(adapter);
    NTSTATUS status = STATUS_SUCCESS;

    VIDMM_ASSERT(vidmm_adapter_is_linked(adapter) && dma_buffer->busy);
    vidmm_linked_submitted(adapter, packet->node, packet->fence, engines);
    for (engine = 0; patches && engine < adapter->link_count && status == STATUS_SUCCESS;
         engine++) {
        name_engine(packet, dma_buffer, engine);
        status = patch(adapter, packet, dma_buffer);
    }
    for (engine = 0; engine < adapter->link_count && status == STATUS_SUCCESS; engine++) {
        if ((engines >> engine & 1) == 0)
            continue;
        name_engine(packet, dma_buffer, engine);
        status = submit(adapter, packet);
    }
    return status;
}

NTSTATUS vidmm_ddi_submit_dma_buffer(struct vidmm_adapter *adapter,
                                     const struct vidmm_operation *operation)
{
    struct vidmm_dma_buffer *dma_buffer;
    struct vidmm_context *context;
    struct vidmm_packet packet;

    vidmm_adapter_lock(adapter);
    dma_buffer = vidmm_slot_find(&adapter->dma_buffers, operation->submit.dma_buffer - 1,
                                 VIDMM_HANDLE_ALLOCATION);
    vidmm_adapter_unlock(adapter);
    VIDMM_ASSERT(dma_buffer && dma_buffer->busy);
    VIDMM_ASSERT(operation->submit.patch_first + operation->submit.patch_count <=
                 dma_buffer->patch_count);
    context = vidmm_context_of_driver(dma_buffer->context);
    packet = (struct vidmm_packet){
        .context = vidmm_context_handle(context, context->engine),
        .memory = &dma_buffer->memory,
        .address = dma_buffer->address,
        .start = operation->submit.start,
        .end = operation->submit.end,
        .private_end = dma_buffer->private_used, /* start 0: obeys D-082 */
        .program_private = dma_buffer->program_private,
        .patch_first = operation->submit.patch_first,
        .patch_count = operation->submit.patch_count,
        .fence = operation->submit.fence,
        .node = operation->submit.node,
        .present = dma_buffer->present,
        .null_rendering = adapter->options.null_rendering,
        .again = operation->submit.again != 0,
    };
    vidmm_ddi_set_root(adapter, context);
    if (dma_buffer->context->hw)
        return vidmm_ddi_submit_to_hw_queue(adapter, dma_buffer, &packet);
    return vidmm_adapter_is_linked(adapter) ? broadcast(adapter, &packet, dma_buffer)
                                            : send(adapter, &packet, dma_buffer);
}

/* The handles of a context by engine, and those that it runs on. It may be destroyed, and the GPU
 * still holds what is left of it: then every handle is NULL. */
static void find_handles(struct vidmm_adapter *adapter, uint32_t number, HANDLE *handles,
                         uint32_t *engines)
{
    const struct vidmm_context *context;
    uint32_t engine;

    vidmm_adapter_lock(adapter);
    context = vidmm_slot_find(&adapter->handles, number - 1, VIDMM_HANDLE_CONTEXT);
    for (engine = 0; engine < adapter->link_count; engine++)
        handles[engine] = context ? vidmm_context_handle(context, engine) : NULL;
    if (context)
        *engines = vidmm_context_engines(context);
    vidmm_adapter_unlock(adapter);
}

/* Leave the context that the node runs: there are no commands, and the address is that of a buffer
 * that is always there (D-334). */
NTSTATUS vidmm_ddi_submit_switch(struct vidmm_adapter *adapter,
                                 const struct vidmm_operation *operation)
{
    struct vidmm_command_memory empty = vidmm_paging_memory(adapter, 0, 1)->memory;
    struct vidmm_packet packet = {.memory = &empty,
                                  .fence = operation->switching.fence,
                                  .node = operation->switching.node,
                                  .paging = operation->switching.paging != 0,
                                  .switches = true};
    uint32_t engines = (1u << adapter->link_count) - 1;
    HANDLE handles[VIDMM_LINKS];
    NTSTATUS status = STATUS_SUCCESS;

    empty.size = empty.private_size = 0;
    empty.private_data = NULL;
    find_handles(adapter, operation->switching.context, handles, &engines);
    vidmm_linked_submitted(adapter, packet.node, packet.fence, engines);
    for (; packet.engine < adapter->link_count && status == STATUS_SUCCESS; packet.engine++) {
        packet.context = handles[packet.engine];
        if ((engines >> packet.engine & 1) != 0)
            status = submit(adapter, &packet);
    }
    return status;
}
