/* submit_virtual.c: contexts whose commands are fetched by GPU virtual addresses.
 *
 * The engine says before each submission which root its process has; the miniport is told when the
 * context has another one, which is right before its first packet, and when the root has moved
 * (W-013). The context of paging got its root when the adapter started.
 *
 * Source: DXGKARG_SUBMITCOMMANDVIRTUAL, DXGKARG_SETROOTPAGETABLE; rules D-136, W-013, W-016, W-017.
 */
#include "vidmm/ddi/submit_virtual.h"

#include <string.h>

#include <vidmm/host.h>
#include <vidmm/plan.h>

#include "vidmm/ddi/context.h"
#include "vidmm/ddi/interrupt.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/packet.h"
#include "vidmm/ddi/table_memory.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"

#include "base/assert.h"

bool vidmm_ddi_submits_virtual(const struct vidmm_adapter *adapter)
{
    return adapter->model != VIDMM_MODEL_PHYSICAL;
}

/* ---- the root -------------------------------------------------------------------------------- */

void vidmm_ddi_note_root(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_table_memory memory;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    vidmm_table_memory_known(adapter, operation->root.table, operation->root.place, &memory);
    adapter->miniport->root = (struct vidmm_root_table){
        .segment = memory.segment, .offset = memory.offset, .entries = operation->root.entries};
}

static bool is_same(const struct vidmm_root_table *one, const struct vidmm_root_table *other)
{
    return one->segment == other->segment && one->offset == other->offset &&
           one->entries == other->entries;
}

/* obeys D-136 */
static void tell_root(struct vidmm_adapter *adapter, const struct vidmm_context *context)
{
    const struct vidmm_root_table *root = &adapter->miniport->root;
    DXGKARG_SETROOTPAGETABLE arguments;
    uint32_t engine;

    memset(&arguments, 0, sizeof(arguments));
    arguments.Address.SegmentId = root->segment;
    arguments.Address.SegmentOffset = root->offset;
    arguments.NumEntries = root->entries;
    for (engine = context->engine; engine < adapter->link_count; engine++) {
        if ((vidmm_context_engines(context) >> engine & 1) == 0)
            continue;
        arguments.hContext = vidmm_context_handle(context, engine); /* obeys D-228: one place */
        adapter->miniport->driver.DxgkDdiSetRootPageTable(adapter->miniport->h_adapter, &arguments);
    }
}

void vidmm_ddi_set_root(struct vidmm_adapter *adapter, struct vidmm_context *context)
{
    const struct vidmm_root_table *root = &adapter->miniport->root;

    if (adapter->model != VIDMM_MODEL_GPU_MMU || is_same(&context->root, root))
        return;
    tell_root(adapter, context);
    context->root = *root;
}

/* A context of the process that has another root than the newest. NULL: there is none. */
static struct vidmm_context *find_behind(const struct vidmm_adapter *adapter, uint32_t process)
{
    struct vidmm_device *device;
    struct vidmm_context *context;

    for (device = adapter->devices; device; device = device->next)
        for (context = device->owner && device->owner->id == process ? device->contexts : NULL;
             context; context = context->next)
            if (context->root.entries != 0 && !is_same(&context->root, &adapter->miniport->root))
                return context;
    return NULL;
}

void vidmm_ddi_switch_root(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                           struct vidmm_event *answer)
{
    struct vidmm_context *context;

    VIDMM_ASSERT(adapter->pumping);
    answer->kind = VIDMM_EVENT_ROOT_SET;
    vidmm_adapter_lock(adapter);
    vidmm_ddi_note_root(adapter, operation);
    while ((context = find_behind(adapter, operation->root.process)) != NULL) {
        context->rooting = true; /* it stays until it has been told */
        context->root = adapter->miniport->root;
        vidmm_adapter_unlock(adapter);
        tell_root(adapter, context);
        vidmm_adapter_lock(adapter);
        context->rooting = false;
        adapter->changed = true;
    }
    vidmm_adapter_unlock(adapter);
}

/* ---- packets --------------------------------------------------------------------------------- */

NTSTATUS vidmm_ddi_submit_virtual(struct vidmm_adapter *adapter, const struct vidmm_packet *packet)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL arguments;
    uint8_t irql;
    NTSTATUS status;

    VIDMM_ASSERT(packet->node < adapter->node_count && packet->fence != 0);
    VIDMM_ASSERT(packet->start <= packet->end && packet->private_start <= packet->private_end);
    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = packet->context;
    arguments.DmaBufferVirtualAddress = packet->address + packet->start; /* obeys W-017 */
    arguments.DmaBufferSize = packet->end - packet->start;
    if (packet->private_end > packet->private_start) {
        arguments.pDmaBufferPrivateData =
            (uint8_t *)packet->memory->private_data + packet->private_start;
        arguments.DmaBufferPrivateDataSize = packet->private_end - packet->private_start;
    }
    arguments.DmaBufferUmdPrivateDataSize = packet->program_private;
    arguments.SubmissionFenceId = packet->fence;
    arguments.Flags.Paging = packet->paging;
    arguments.Flags.Present = packet->present;
    arguments.Flags.NullRendering = packet->null_rendering;
    arguments.Flags.ContextSwitch = packet->switches;
    arguments.Flags.Resubmission = packet->again;
    arguments.EngineOrdinal = packet->engine;
    arguments.NodeOrdinal = packet->node;
    vidmm_ddi_resume(adapter, UINT64_C(1) << packet->node);
    irql = adapter->host->raise_irql(adapter->host->context, VIDMM_DISPATCH_LEVEL);
    status = adapter->miniport->driver.DxgkDdiSubmitCommandVirtual(adapter->miniport->h_adapter,
                                                                   &arguments);
    adapter->host->lower_irql(adapter->host->context, irql);
    return status;
}
