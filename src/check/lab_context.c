/* lab_context.c: allocations that the driver makes for a context (DxgkCbCreateContextAllocation), and
 * the operation that gives them their first content.
 *
 *     DxgkDdiCreateContext --calls--> DxgkCbCreateContextAllocation      noted: size, segments
 *     BuildPagingBuffer(InitContextResource)                             in the memory segment
 *     DxgkDdiDestroyContext --calls--> DxgkCbDestroyContextAllocation    all must be gone
 *
 * What the content is only the driver knows: what is around it must stay.
 */
#include "check/lab.h"

#include <stdlib.h>
#include <string.h>

#define PAGE VIDMM_PAGE_SIZE

static uint64_t pages_of(uint64_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

HANDLE vidmm_lab_create_context(struct vidmm_rig *rig)
{
    DXGKARG_CREATECONTEXT arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = (HANDLE)(uintptr_t)0x30; /* the kernel's own: any number */
    arguments.EngineAffinity = 1;
    status = rig->driver->DxgkDdiCreateContext(rig->device, &arguments);
    if (status == STATUS_SUCCESS)
        return arguments.hContext;
    vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "", "DxgkDdiCreateContext answered %s",
                     vidmm_rig_status(status));
    return NULL;
}

static bool build(struct vidmm_lab *lab, const struct vidmm_rig_context_allocation *allocation,
                  uint64_t address)
{
    const struct vidmm_rig_segment *segment = &lab->rig->segments[lab->memory];
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
    a.InitContextResource.hAllocation = allocation->driver;
    a.InitContextResource.Destination.SegmentId = lab->memory;
    a.InitContextResource.Destination.SegmentAddress.QuadPart = (LONGLONG)(segment->base + address);
    a.InitContextResource.Destination.VirtualAddress = NULL; /* obeys D-137: no aperture segment */
    return vidmm_rig_build(lab->rig, &a) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig);
}

/* The first content, with a page of known bytes on either side. */
static void initialize(struct vidmm_lab *lab, const struct vidmm_rig_context_allocation *allocation)
{
    uint64_t size = pages_of(allocation->size), seed = vidmm_lab_seed(lab);
    uint64_t address = lab->rig->segments[lab->memory].size / 2;
    uint64_t unit = allocation->alignment > PAGE ? allocation->alignment : PAGE;
    uint8_t bytes[PAGE];

    address = address / unit * unit;
    if (!(allocation->segments >> (lab->memory - 1) & 1) || address < unit ||
        address + size + PAGE > lab->rig->segments[lab->memory].size) {
        vidmm_board_skip(lab->rig->board, "an allocation of a context does not fit into segment %u",
                         lab->memory);
        return;
    }
    vidmm_board_operation(lab->rig->board, "InitContextResource of %llu KiB in segment %u",
                          (unsigned long long)(size >> 10), lab->memory);
    if (!vidmm_lab_put(lab, lab->memory, address - PAGE, PAGE, seed) ||
        !vidmm_lab_put(lab, lab->memory, address + size, PAGE, seed) ||
        !build(lab, allocation, address))
        return;
    if (vidmm_lab_look(lab, lab->memory, address - PAGE, PAGE, bytes))
        vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bytes, PAGE, seed, 0,
                         "in the page before the allocation");
    if (vidmm_lab_look(lab, lab->memory, address + size, PAGE, bytes))
        vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bytes, PAGE, seed, 0,
                         "in the page behind the allocation");
}

unsigned vidmm_lab_context_allocations(const struct vidmm_rig *rig)
{
    unsigned used = 0;

    for (unsigned i = 0; i < VIDMM_RIG_CONTEXT_ALLOCATIONS; i++)
        used += rig->context_allocations[i].used;
    return used;
}

void vidmm_lab_destroy_context(struct vidmm_rig *rig, HANDLE context, unsigned before)
{
    unsigned after;

    vidmm_board_operation(rig->board, "the context goes");
    rig->driver->DxgkDdiDestroyContext(context);
    after = vidmm_lab_context_allocations(rig);
    if (after > before)
        vidmm_check_find(rig->board, VIDMM_CHECK_CONTEXT, "",
                         "%u allocations were made for the context, and %u are left",
                         after - before, after - before);
}

void vidmm_check_context(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    unsigned before = vidmm_lab_context_allocations(rig);
    HANDLE context;

    if (!vidmm_rig_has_context_allocations(rig) || rig->level >= VIDMM_LEVEL(2, 0) || !rig->multi_engine || !lab->memory ||
        rig->dead || !rig->driver->DxgkDdiCreateContext || !rig->driver->DxgkDdiDestroyContext)
        return;
    vidmm_board_begin(rig->board, "InitContextResource");
    vidmm_board_operation(rig->board, "a context with its allocations");
    context = vidmm_lab_create_context(rig);
    if (vidmm_lab_context_allocations(rig) == 0)
        vidmm_board_skip(rig->board, "the driver's contexts have no allocations");
    for (unsigned i = 0; i < VIDMM_RIG_CONTEXT_ALLOCATIONS && !rig->dead; i++)
        if (rig->context_allocations[i].used)
            initialize(lab, &rig->context_allocations[i]);
    if (context && !rig->dead)
        vidmm_lab_destroy_context(rig, context, before);
}
