/* lab_present.c: DxgkDdiPresent, where the driver has no DxgkDdiRender, or one in name only: a blt
 * from one standard allocation to another, patched and submitted as the scheduler would.
 *
 *     allocation list    0 unused    1 source    2 destination
 *
 * Both stand in the memory segment, as surfaces of 1024 by 64 pixels. If there is no memory
 * segment, they stand in the aperture, and the pages behind it are compared: so a driver that has
 * an aperture only is proved too, whether it renders or not. There a present of a driver that
 * renders may want more than a standard allocation, so what fails is a note.
 */
#include "check/lab.h"
#include "check/render.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#define PAGE VIDMM_PAGE_SIZE
#define WIDTH 1024
#define HEIGHT 64
#define SIZE (UINT64_C(4) * WIDTH * HEIGHT)
#define LIST 3u
#define PATCHES_MOST 65536u

struct present {
    struct vidmm_lab *lab;
    HANDLE context; /* or device, without MultiEngineAware */
    DXGK_CONTEXTINFO info;
    uint32_t segment; /* in which the surfaces are */
    struct vidmm_rig_allocation *allocations[LIST];
    uint64_t addresses[LIST];           /* in the segment */
    struct vidmm_rig_pages pages[LIST]; /* behind an aperture */
    bool mapped[LIST];
    struct vidmm_rig_pages buffer;
    uint8_t *private_data;
    DXGK_ALLOCATIONLIST list[LIST];
    D3DDDI_PATCHLOCATIONLIST *patches;
    uint32_t used, private_used, patch_count;
};

HANDLE vidmm_lab_open_context(struct vidmm_rig *rig, DXGK_CONTEXTINFO *info)
{
    DXGKARG_CREATECONTEXT arguments;
    NTSTATUS status;

    memset(info, 0, sizeof(*info));
    if (!rig->multi_engine || !rig->driver->DxgkDdiCreateContext) {
        info->DmaBufferSize = rig->device_info.DmaBufferSize;
        info->DmaBufferPrivateDataSize = rig->device_info.DmaBufferPrivateDataSize;
        info->AllocationListSize = rig->device_info.AllocationListSize;
        info->PatchLocationListSize = rig->device_info.PatchLocationListSize;
        return rig->device;
    }
    memset(&arguments, 0, sizeof(arguments));
    arguments.EngineAffinity = 1;
    status = rig->driver->DxgkDdiCreateContext(rig->device, &arguments);
    if (status != STATUS_SUCCESS && rig->update_refused)
        return NULL; /* it asked for what cannot be done here: lab_context.c says so */
    if (status != STATUS_SUCCESS) {
        vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "", "DxgkDdiCreateContext answered %s",
                         vidmm_rig_status(status));
        return NULL;
    }
    *info = arguments.ContextInfo;
    return arguments.hContext;
}

void vidmm_lab_close_context(struct vidmm_rig *rig, HANDLE context)
{
    if (context && context != rig->device)
        rig->driver->DxgkDdiDestroyContext(context);
}

static const char *prepare(struct present *p)
{
    struct vidmm_rig *rig = p->lab->rig;
    uint64_t at = p->lab->memory ? rig->segments[p->segment].size / 2 / PAGE * PAGE
                                 : p->lab->free_page * PAGE;

    if (p->info.DmaBufferSize == 0 || p->info.DmaBufferSize > 1u << 26 ||
        p->info.DmaBufferPrivateDataSize > 1u << 24)
        return "the driver describes no DMA buffer";
    if (p->info.PatchLocationListSize > PATCHES_MOST)
        p->info.PatchLocationListSize = PATCHES_MOST;
    for (unsigned i = 1; i < LIST; i++) {
        p->allocations[i] = vidmm_rig_create(rig, SIZE);
        if (!p->allocations[i] || p->allocations[i]->size < SIZE)
            return "the driver creates no surface of 1024 by 64 pixels";
        if (!(vidmm_rig_set(rig, &p->allocations[i]->info) >> (p->segment - 1) & 1) &&
            !p->lab->memory)
            return "the driver's surfaces may not be in the aperture";
        p->addresses[i] = at;
        at += p->allocations[i]->size;
    }
    if (at > rig->segments[p->segment].size)
        return "two surfaces do not fit into the segment";
    p->patches = calloc(p->info.PatchLocationListSize + 1, sizeof(*p->patches));
    p->private_data = calloc(1, p->info.DmaBufferPrivateDataSize + 1);
    if (!p->patches || !p->private_data ||
        !vidmm_rig_take_pages(rig, p->info.DmaBufferSize, true, &p->buffer))
        return "no memory";
    return NULL;
}

static void fill_list(struct present *p)
{
    for (unsigned i = 1; i < LIST; i++) {
        p->list[i].hDeviceSpecificAllocation = p->allocations[i]->opened;
        p->list[i].WriteOperation = i == DXGK_PRESENT_DESTINATION_INDEX;
        p->list[i].SegmentId = p->segment & 31;
        p->list[i].PhysicalAddress.QuadPart =
            (LONGLONG)(p->lab->rig->segments[p->segment].base + p->addresses[i]);
    }
}

static NTSTATUS call_present(struct present *p, UINT *multipass)
{
    struct vidmm_rig *rig = p->lab->rig;
    DXGKARG_PRESENT arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.pDmaBuffer = p->buffer.address;
    arguments.DmaSize = p->info.DmaBufferSize;
    arguments.pDmaBufferPrivateData = p->private_data;
    arguments.DmaBufferPrivateDataSize = p->info.DmaBufferPrivateDataSize;
    arguments.pAllocationList = p->list;
    arguments.pPatchLocationListOut = p->patches;
    arguments.PatchLocationListOutSize = p->info.PatchLocationListSize;
    arguments.MultipassOffset = *multipass;
    arguments.DstRect = arguments.SrcRect = (RECT){0, 0, WIDTH, HEIGHT};
    arguments.SubRectCnt = 1;
    arguments.pDstSubRects = &arguments.DstRect;
    arguments.Flags.Blt = 1;
    arguments.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(p->buffer.frames[0] * PAGE);
    status = rig->driver->DxgkDdiPresent(p->context, &arguments);
    *multipass = arguments.MultipassOffset;
    p->used = (uint32_t)((uint8_t *)arguments.pDmaBuffer - p->buffer.address);
    p->private_used = (uint32_t)((uint8_t *)arguments.pDmaBufferPrivateData - p->private_data);
    p->patch_count = (uint32_t)(arguments.pPatchLocationListOut - p->patches);
    if (p->used <= p->info.DmaBufferSize && p->private_used <= p->info.DmaBufferPrivateDataSize &&
        p->patch_count <= p->info.PatchLocationListSize)
        return status;
    vidmm_check_find(
        rig->board, VIDMM_CHECK_POINTER, "",
        "DxgkDdiPresent moved pDmaBuffer by %u of %u bytes, the patch list by %u of %u", p->used,
        p->info.DmaBufferSize, p->patch_count, p->info.PatchLocationListSize);
    return STATUS_INVALID_PARAMETER;
}

static NTSTATUS patch(struct present *p)
{
    struct vidmm_rig *rig = p->lab->rig;
    DXGKARG_PATCH arguments;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = p->context;
    arguments.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(p->buffer.frames[0] * PAGE);
    arguments.pDmaBuffer = p->buffer.address;
    arguments.DmaBufferSize = p->info.DmaBufferSize;
    arguments.DmaBufferSubmissionEndOffset = p->used;
    arguments.pDmaBufferPrivateData = p->private_data;
    arguments.DmaBufferPrivateDataSize = p->info.DmaBufferPrivateDataSize;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = p->private_used;
    arguments.pAllocationList = p->list;
    arguments.AllocationListSize = LIST;
    arguments.pPatchLocationList = p->patches;
    arguments.PatchLocationListSize = p->patch_count;
    arguments.PatchLocationListSubmissionLength = p->patch_count;
    arguments.SubmissionFenceId = (UINT)rig->submitted;
    arguments.Flags.Present = 1;
    return rig->driver->DxgkDdiPatch(rig->adapter, &arguments);
}

static bool submit(struct present *p)
{
    struct vidmm_rig *rig = p->lab->rig;
    DXGKARG_SUBMITCOMMAND arguments;
    NTSTATUS status;
    uint8_t irql;

    rig->submitted++;
    status = rig->driver->DxgkDdiPatch ? patch(p) : STATUS_SUCCESS;
    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = p->context;
    arguments.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(p->buffer.frames[0] * PAGE);
    arguments.DmaBufferSize = p->info.DmaBufferSize;
    arguments.DmaBufferSubmissionEndOffset = p->used;
    arguments.pDmaBufferPrivateData = p->private_data;
    arguments.DmaBufferPrivateDataSize = p->info.DmaBufferPrivateDataSize;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = p->private_used;
    arguments.SubmissionFenceId = (UINT)rig->submitted;
    arguments.Flags.Present = 1;
    irql = rig->host->raise_irql(rig->host->context, VIDMM_DISPATCH_LEVEL);
    if (status == STATUS_SUCCESS)
        status = rig->driver->DxgkDdiSubmitCommand(rig->adapter, &arguments);
    rig->host->lower_irql(rig->host->context, irql);
    if (status == STATUS_SUCCESS)
        return vidmm_rig_wait_on(rig, 0, rig->submitted);
    rig->dead = true;
    vidmm_check_find(rig->board, VIDMM_CHECK_SUBMIT_FAILED, "", "it answered %s for a present",
                     vidmm_rig_status(status));
    return false;
}

/* The whole of the blt, in as many DMA buffers as it takes. */
static bool blt(struct present *p)
{
    UINT multipass = 0, before;
    NTSTATUS status;

    do {
        before = multipass;
        status = call_present(p, &multipass);
        if (status != STATUS_SUCCESS &&
            (status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER || multipass == before)) {
            vidmm_check_find(p->lab->rig->board, VIDMM_CHECK_REFUSED, "",
                             "DxgkDdiPresent of a blt answered %s", vidmm_rig_status(status));
            return false;
        }
        if (!submit(p))
            return false;
    } while (status != STATUS_SUCCESS);
    return true;
}

/* ---- in an aperture ---- */

static bool build(struct present *p, const DXGKARG_BUILDPAGINGBUFFER *operation)
{
    return vidmm_rig_build(p->lab->rig, operation) == VIDMM_RIG_BUILT &&
           vidmm_rig_finish(p->lab->rig);
}

static bool map(struct present *p, unsigned i)
{
    DXGKARG_BUILDPAGINGBUFFER a;
    uint64_t count = p->allocations[i]->size / PAGE;

    if (!vidmm_rig_take_pages(p->lab->rig, count * PAGE, false, &p->pages[i]))
        return false;
    memset(&a, 0, sizeof(a));
    vidmm_rig_fill_map(p->lab->rig, &a, p->segment, p->addresses[i] / PAGE, count, &p->pages[i], 0);
    a.MapApertureSegment.hAllocation = p->allocations[i]->kmd;
    p->mapped[i] = build(p, &a);
    return p->mapped[i];
}

static void unmap(struct present *p, unsigned i)
{
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    a.UnmapApertureSegment.hDevice = p->lab->rig->device;
    a.UnmapApertureSegment.hAllocation = p->allocations[i]->kmd;
    a.UnmapApertureSegment.SegmentId = p->segment;
    a.UnmapApertureSegment.OffsetInPages = p->addresses[i] / PAGE;
    a.UnmapApertureSegment.NumberOfPages = p->allocations[i]->size / PAGE;
    a.UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)(p->lab->rig->dummy.frames[0] * PAGE); /* obeys S4-045 */
    if (p->mapped[i] && !p->lab->rig->dead)
        build(p, &a);
    vidmm_rig_give_pages(p->lab->rig, &p->pages[i]);
}

/* ---- the pixels ---- */

static bool put(struct present *p, unsigned i, uint64_t seed)
{
    if (p->lab->memory)
        return vidmm_lab_put(p->lab, p->segment, p->addresses[i], SIZE, seed);
    if (!map(p, i))
        return false;
    vidmm_lab_fill(p->pages[i].address, SIZE, seed);
    return true;
}

static void judge(struct present *p, uint64_t seed, uint64_t before)
{
    unsigned to = DXGK_PRESENT_DESTINATION_INDEX;
    uint8_t *bytes = malloc(SIZE);

    if (bytes && !p->lab->memory)
        memcpy(bytes, p->pages[to].address, SIZE);
    if (bytes &&
        (!p->lab->memory || vidmm_lab_look(p->lab, p->segment, p->addresses[to], SIZE, bytes)))
        vidmm_lab_expect(p->lab, VIDMM_CHECK_PRESENT, bytes, SIZE, seed, before,
                         p->lab->memory ? "in the destination"
                                        : "in the pages that the destination's range shows");
    free(bytes);
}

static void compare(struct present *p)
{
    uint64_t seed = vidmm_lab_seed(p->lab), before = vidmm_lab_seed(p->lab);

    if (!put(p, DXGK_PRESENT_SOURCE_INDEX, seed) || !put(p, DXGK_PRESENT_DESTINATION_INDEX, before))
        return;
    vidmm_board_operation(p->lab->rig->board, "Present: a blt of 1024 by 64 pixels");
    fill_list(p);
    if (blt(p))
        judge(p, seed, before);
}

static const char render_step[] = "DxgkDdiRender, with nothing in its lists";

/* An empty command, with lists of nothing: it may be refused, and if it is not, what is written has
 * to be in its buffers. Answers whether the driver renders. */
static bool try_render(struct present *p)
{
    struct vidmm_rig *rig = p->lab->rig;
    const DXGK_CONTEXTINFO *info = &p->info;
    struct vidmm_check_rendered done;
    bool renders;

    if (!rig->driver->DxgkDdiRender)
        return false;
    vidmm_board_begin(rig->board, render_step);
    renders = vidmm_check_renders(rig->driver, rig->host, p->context, info, NULL, &done);
    if (!done.called)
        vidmm_board_skip(rig->board, "the driver describes no DMA buffer");
    else
        vidmm_check_judge_rendered(rig, info, &done);
    return renders;
}

static const char *name_of(const struct vidmm_lab *lab, bool renders)
{
    if (renders)
        return "DxgkDdiPresent (there is an aperture only)";
    return lab->rig->driver->DxgkDdiRender ? "DxgkDdiPresent (DxgkDdiRender is one in name only)"
                                           : "DxgkDdiPresent (there is no DxgkDdiRender)";
}

void vidmm_check_present(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    struct present p = {.lab = lab, .segment = lab->memory ? lab->memory : lab->aperture};

    if ((!rig->driver->DxgkDdiPresent && !rig->driver->DxgkDdiRender) || rig->dead || !p.segment ||
        (!vidmm_board_wants(rig->board, render_step) &&
         !vidmm_board_wants(rig->board, "DxgkDdiPresent")) ||
        vidmm_board_had(rig->board, render_step) || vidmm_board_had(rig->board, "DxgkDdiPresent"))
        return;
    p.context = vidmm_lab_open_context(rig, &p.info);
    bool made = p.context != NULL, renders = made && try_render(&p);
    if (!rig->driver->DxgkDdiPresent || (renders && lab->memory)) {
        vidmm_lab_close_context(rig, p.context);
        return;
    }
    vidmm_board_begin(rig->board, name_of(lab, renders));
    rig->board->lenient = renders;
    const char *why = made ? prepare(&p) : "the driver creates no context";
    if (why)
        vidmm_board_skip(rig->board, "%s", why);
    else
        compare(&p);
    rig->board->lenient = false;
    rig->spent = rig->spent || (renders && rig->dead);
    vidmm_lab_close_context(rig, p.context);
    for (unsigned i = 1; i < LIST; i++) {
        if (p.allocations[i])
            unmap(&p, i);
        vidmm_rig_destroy(rig, p.allocations[i]);
    }
    vidmm_rig_give_pages(rig, &p.buffer);
    free(p.private_data);
    free(p.patches);
}
