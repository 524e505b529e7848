/* lab_context.c: allocations that the driver makes for a context (DxgkCbCreateContextAllocation),
 * and the operation that gives them their first content.
 *
 *     DxgkDdiCreateContext --calls--> DxgkCbCreateContextAllocation      noted: size, segments
 *     BuildPagingBuffer(InitContextResource)                             in the memory segment
 *     DxgkDdiDestroyContext --calls--> DxgkCbDestroyContextAllocation    all must be gone
 *
 * Only the driver knows the content; the bytes around it must stay. If paging goes by address, the
 * middle of the memory segment is mapped for the paging process, and the CPU sees the bytes.
 */
#include "check/lab.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "base/text.h"

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
    if (rig->by_address)
        arguments.Flags.VirtualAddressing = 1;
    status = rig->driver->DxgkDdiCreateContext(rig->device, &arguments);
    if (status == STATUS_SUCCESS)
        return arguments.hContext;
    if (rig->update_refused) {
        vidmm_board_skip(rig->board, "DxgkCbUpdateContextAllocation needs paging by address");
        return NULL;
    }
    vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "", "DxgkDdiCreateContext answered %s",
                     vidmm_rig_status(status));
    return NULL;
}

/* Around the allocation: a page of known bytes goes there, and is looked at. */
static bool put_page(struct vidmm_lab *lab, uint64_t address, uint64_t seed)
{
    uint8_t *cpu = lab->rig->segments[lab->memory].cpu;

    if (!lab->rig->by_address)
        return vidmm_lab_put(lab, lab->memory, address, PAGE, seed);
    if (cpu)
        vidmm_lab_fill(cpu + address, PAGE, seed);
    return cpu != NULL;
}

static void expect_page(struct vidmm_lab *lab, uint64_t address, uint64_t seed, const char *where)
{
    const uint8_t *cpu = lab->rig->segments[lab->memory].cpu;
    uint8_t bytes[PAGE];

    if (lab->rig->by_address)
        memcpy(bytes, cpu + address, PAGE);
    else if (!vidmm_lab_look(lab, lab->memory, address, PAGE, bytes))
        return;
    vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bytes, PAGE, seed, 0, where);
}

static bool build(struct vidmm_lab *lab, const struct vidmm_rig_context_allocation *allocation,
                  uint64_t address, uint64_t gpu_address)
{
    const struct vidmm_rig_segment *segment = &lab->rig->segments[lab->memory];
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
    a.InitContextResource.hAllocation = allocation->driver;
    a.InitContextResource.Destination.SegmentId = lab->memory;
    a.InitContextResource.Destination.SegmentAddress.QuadPart = (LONGLONG)(segment->base + address);
    a.InitContextResource.Destination.VirtualAddress = NULL; /* obeys D-137: no aperture segment */
    a.InitContextResource.Destination.GpuVirtualAddress = gpu_address;
    return vidmm_rig_build(lab->rig, &a) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig);
}

/* The first content, with a page of known bytes on either side. middle: the address that the middle
 * of the segment is mapped at, for VIDMM_LAB_MAPPED pages; 0: it is not. */
static void initialize(struct vidmm_lab *lab, const struct vidmm_rig_context_allocation *allocation,
                       uint64_t middle)
{
    uint64_t size = pages_of(allocation->size), seed = vidmm_lab_seed(lab);
    uint64_t whole = lab->rig->segments[lab->memory].size, start = whole / 2 / PAGE * PAGE;
    uint64_t end = middle ? start + VIDMM_LAB_MAPPED * PAGE : whole;
    uint64_t unit = allocation->alignment > PAGE ? allocation->alignment : PAGE;
    uint64_t address = (start + PAGE + unit - 1) / unit * unit;

    if (!(allocation->segments >> (lab->memory - 1) & 1) || address + size + PAGE > end) {
        vidmm_board_skip(lab->rig->board, "an allocation of a context does not fit into segment %u",
                         lab->memory);
        return;
    }
    vidmm_board_operation(lab->rig->board, "InitContextResource of %llu KiB in segment %u",
                          (unsigned long long)(size >> 10), lab->memory);
    if (!put_page(lab, address - PAGE, seed) || !put_page(lab, address + size, seed)) {
        vidmm_board_skip(lab->rig->board, "what is around the allocation cannot be seen");
        return;
    }
    if (!build(lab, allocation, address, middle ? middle + (address - start) : 0))
        return;
    expect_page(lab, address - PAGE, seed, "in the page before the allocation");
    expect_page(lab, address + size, seed, "in the page behind the allocation");
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
                         "left of those made for the context: %s",
                         vidmm_counted(after - before, "allocation").text);
}

void vidmm_check_context(struct vidmm_lab *lab, uint64_t middle)
{
    struct vidmm_rig *rig = lab->rig;
    unsigned before = vidmm_lab_context_allocations(rig);
    HANDLE context;

    if (!vidmm_rig_has_context_allocations(rig) || !rig->multi_engine || !lab->memory ||
        rig->dead || !rig->driver->DxgkDdiCreateContext || !rig->driver->DxgkDdiDestroyContext ||
        !vidmm_board_try(rig->board, "InitContextResource"))
        return;
    vidmm_board_operation(rig->board, "a context with its allocations");
    context = vidmm_lab_create_context(rig);
    if (context && vidmm_lab_context_allocations(rig) == 0)
        vidmm_board_skip(rig->board, "the driver's contexts have no allocations");
    for (unsigned i = 0; i < VIDMM_RIG_CONTEXT_ALLOCATIONS && !rig->dead; i++)
        if (rig->context_allocations[i].used)
            initialize(lab, &rig->context_allocations[i], middle);
    if (context)
        vidmm_lab_destroy_context(rig, context, before);
}
