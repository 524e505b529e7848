/* lab_present.c: DxgkDdiPresent, where the driver has no DxgkDdiRender: a blt from one standard
 * allocation to another, patched and submitted as the scheduler would.
 *
 *     allocation list    0 unused    1 source    2 destination
 *
 * Both stand in the memory segment, as surfaces of 1024 by 64 pixels.
 */
#include "check/lab.h"

#include <stdlib.h>
#include <string.h>

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
    struct vidmm_rig_allocation *allocations[LIST];
    uint64_t addresses[LIST]; /* in the memory segment */
    struct vidmm_rig_pages buffer;
    uint8_t *private_data;
    DXGK_ALLOCATIONLIST list[LIST];
    D3DDDI_PATCHLOCATIONLIST *patches;
    uint32_t used, private_used, patch_count;
};

static bool create_context(struct present *p)
{
    struct vidmm_rig *rig = p->lab->rig;
    DXGKARG_CREATECONTEXT arguments;
    NTSTATUS status;

    if (!rig->multi_engine || !rig->driver->DxgkDdiCreateContext) {
        p->context = rig->device;
        p->info.DmaBufferSize = rig->device_info.DmaBufferSize;
        p->info.DmaBufferPrivateDataSize = rig->device_info.DmaBufferPrivateDataSize;
        p->info.AllocationListSize = rig->device_info.AllocationListSize;
        p->info.PatchLocationListSize = rig->device_info.PatchLocationListSize;
        return true;
    }
    memset(&arguments, 0, sizeof(arguments));
    arguments.EngineAffinity = 1;
    status = rig->driver->DxgkDdiCreateContext(rig->device, &arguments);
    if (status != STATUS_SUCCESS) {
        vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "", "DxgkDdiCreateContext answered %s",
                         vidmm_rig_status(status));
        return false;
    }
    p->context = arguments.hContext;
    p->info = arguments.ContextInfo;
    return true;
}

static const char *prepare(struct present *p)
{
    struct vidmm_rig *rig = p->lab->rig;
    uint64_t at = rig->segments[p->lab->memory].size / 2 / PAGE * PAGE;

    if (!create_context(p) || p->info.DmaBufferSize == 0 || p->info.DmaBufferSize > 1u << 26 ||
        p->info.DmaBufferPrivateDataSize > 1u << 24)
        return "the driver describes no DMA buffer";
    if (p->info.PatchLocationListSize > PATCHES_MOST)
        p->info.PatchLocationListSize = PATCHES_MOST;
    for (unsigned i = 1; i < LIST; i++) {
        p->allocations[i] = vidmm_rig_create(rig, SIZE);
        if (!p->allocations[i] || p->allocations[i]->size < SIZE)
            return "the driver creates no surface of 1024 by 64 pixels";
        p->addresses[i] = at;
        at += p->allocations[i]->size;
    }
    if (at > rig->segments[p->lab->memory].size)
        return "two surfaces do not fit into the memory segment";
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
        p->list[i].SegmentId = p->lab->memory & 31;
        p->list[i].PhysicalAddress.QuadPart =
            (LONGLONG)(p->lab->rig->segments[p->lab->memory].base + p->addresses[i]);
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

static void judge(struct present *p, uint64_t seed, uint64_t before)
{
    uint8_t *bytes = malloc(SIZE);

    if (bytes && vidmm_lab_look(p->lab, p->lab->memory,
                                p->addresses[DXGK_PRESENT_DESTINATION_INDEX], SIZE, bytes))
        vidmm_lab_expect(p->lab, VIDMM_CHECK_PRESENT, bytes, SIZE, seed, before,
                         "in the destination");
    free(bytes);
}

void vidmm_check_present(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    struct present p = {.lab = lab};
    uint64_t seed = vidmm_lab_seed(lab), before = vidmm_lab_seed(lab);

    if (rig->driver->DxgkDdiRender || !rig->driver->DxgkDdiPresent || rig->dead || !lab->memory)
        return;
    vidmm_board_begin(rig->board, "DxgkDdiPresent (there is no DxgkDdiRender)");
    const char *why = prepare(&p);
    if (why) {
        vidmm_board_skip(rig->board, "%s", why);
    } else if (vidmm_lab_put(lab, lab->memory, p.addresses[1], SIZE, seed) &&
               vidmm_lab_put(lab, lab->memory, p.addresses[2], SIZE, before)) {
        vidmm_board_operation(rig->board, "Present: a blt of 1024 by 64 pixels");
        fill_list(&p);
        if (blt(&p))
            judge(&p, seed, before);
    }
    if (p.context && p.context != rig->device)
        rig->driver->DxgkDdiDestroyContext(p.context);
    for (unsigned i = 1; i < LIST; i++)
        vidmm_rig_destroy(rig, p.allocations[i]);
    vidmm_rig_give_pages(rig, &p.buffer);
    free(p.private_data);
    free(p.patches);
}
