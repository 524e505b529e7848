/* check_companion.c: the contexts on which page tables change behind fences (D-266).
 *
 * A context of a program's device that gets paging buffers is a companion. Calls tell nothing of
 * UpdateGpuVirtualAddress, so its waits are not judged, nor whether a companion was needed: only
 * the place where it runs, and what runs there.
 */
#include <wddm/d3dkmddi_context.h>
#include <wddm/d3dkmddi_submit.h>

#include "contract/checker.h"

static bool is_system(const struct vidmm_shadow_context *context)
{
    DXGK_CREATECONTEXTFLAGS flags = {.Value = context->flags};

    return flags.SystemContext;
}

/* Paging by physical addresses need not name a context of the system. */
static bool is_judged(const struct vidmm_shadow_context *context)
{
    DXGK_CREATECONTEXTFLAGS flags = {.Value = context == NULL ? 0 : context->flags};

    return flags.VirtualAddressing;
}

/* The process of an operation that may run there; *process receives its handle, NULL: it says
 * none. False: it is no operation on page tables. */
static bool is_of_tables(const DXGKARG_BUILDPAGINGBUFFER *asked, HANDLE *process)
{
    *process = NULL;
    switch (asked->Operation) {
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
        *process = asked->UpdatePageTable.hProcess;
        return true;
    case DXGK_OPERATION_FLUSH_TLB:
        *process = asked->FlushTlb.hProcess;
        return true;
    case DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES:
        return true;
    default:
        return false;
    }
}

static void check_built(const struct vidmm_audit_event *event)
{
    const DXGKARG_BUILDPAGINGBUFFER *asked = event->build.asked;
    const struct vidmm_shadow_context *context =
        vidmm_map_find(&event->shadow->contexts, NULL, asked->hSystemContext);
    const struct vidmm_shadow_buffer *buffer = event->build.buffer;
    const struct vidmm_shadow_process *own;
    HANDLE process;

    if (!is_judged(context))
        return; /* D-259 */
    if (event->build.where == VIDMM_BUFFER_CONTINUES && event->build.in_buffer > 0 &&
        buffer != NULL && buffer->context != NULL && buffer->context != asked->hSystemContext)
        BREACH(event, D_266, "hSystemContext is 0x%llx, and the buffer has operations for 0x%llx",
               HEX(asked->hSystemContext), HEX(buffer->context));
    if (is_system(context))
        return;
    own = vidmm_shadow_process_of_context(event->shadow, asked->hSystemContext);
    if (!is_of_tables(asked, &process))
        BREACH(event, D_266, "operation %d is for a companion context, which changes page tables",
               (int)asked->Operation);
    else if (process != NULL && own != NULL && process != own->handle)
        BREACH(event, D_266, "hProcess is 0x%llx, and the companion context is of 0x%llx",
               HEX(process), HEX(own->handle));
}

static bool is_same(const struct vidmm_shadow_root *one, const struct vidmm_shadow_root *other)
{
    return one->set && other->set && one->address.SegmentId == other->address.SegmentId &&
           one->address.SegmentOffset == other->address.SegmentOffset;
}

/* A companion has the addresses of all companions of its process, and of nobody else. D-136 judges
 * the root of another process. */
static void check_root(const struct vidmm_audit_event *event, HANDLE handle,
                       const struct vidmm_shadow_context *context)
{
    const struct vidmm_map *contexts = &event->shadow->contexts;
    const struct vidmm_shadow_process *process =
        vidmm_shadow_process_of_context(event->shadow, handle);

    for (size_t i = 0; i < contexts->capacity; i++) {
        const struct vidmm_shadow_context *other = contexts->entries[i].value;
        HANDLE key = (HANDLE)(uintptr_t)contexts->entries[i].key;
        bool kin, same;

        if (other == NULL || other == context || !context->root.set || !other->root.set ||
            (!is_system(other) && vidmm_shadow_process_of_context(event->shadow, key) != process))
            continue;
        kin = other->paged && !is_system(other);
        same = is_same(&context->root, &other->root);
        if (same == kin)
            continue;
        BREACH(event, D_266, "its root page table is %sthat of context 0x%llx, %s of its process",
               same ? "" : "not ", HEX(key), kin ? "another companion" : "which is no companion");
        return;
    }
}

static void check_submitted(const struct vidmm_audit_event *event)
{
    const DXGKARG_SUBMITCOMMANDVIRTUAL *command =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMANDVIRTUAL);
    const struct vidmm_shadow_context *context =
        vidmm_map_find(&event->shadow->contexts, NULL, command->hContext);
    const struct vidmm_shadow_buffer *buffer = event->submit.buffer;

    if (!is_judged(context) || event->submit.switches)
        return;
    if (command->Flags.Paging && buffer != NULL && !event->submit.again && /* it was judged then */
        buffer->context != NULL && buffer->context != command->hContext)
        BREACH(event, D_266, "the paging buffer was built for context 0x%llx",
               HEX(buffer->context));
    if (is_system(context))
        return;
    if (!command->Flags.Paging && context->paged)
        BREACH(event, D_266, "commands of a program run on a companion context");
    if (!command->Flags.Paging)
        return;
    if (!vidmm_shadow_is_companion(event->shadow, command->hContext))
        BREACH(event, D_266, "a paging buffer runs on context 0x%llx, of node %u: %s",
               HEX(command->hContext), context->node,
               context->commanded ? "commands of a program have run there"
                                  : "the driver has named no such node for another context of the "
                                    "device (PagingCompanionNodeId)");
    check_root(event, command->hContext, context);
}

CHECKER(D_266)
{
    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER)
        check_built(event);
    else
        check_submitted(event);
}
