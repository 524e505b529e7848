/* lab_relocate.c: the references in a DMA buffer that DxgkDdiRender made of the plug-in's commands,
 * for allocations at one place and at another. Nothing of it is executed.
 *
 *      Render, here ------> H    Patch to here: H' = H       or it was not pre-patched
 *      Render, there -----> T    Patch of H to there = T'    or a reference is not in the list
 *
 * L1  a byte that differs between two calls with the same arguments, of which one comes before the
 *     call in question and one behind it, is no address: a counter, or a time
 */
#include "check/lab.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "check/host.h"
#include "miniport/plugged.h"

#define SIZE (UINT64_C(64) << 10)
#define COMMANDS 4096u
#define DMA_MOST (UINT32_C(1) << 20)
#define PATCHES_MOST 4096u

enum { NOTHING, READ, WRITTEN, LIST }; /* elements of the allocation list */
enum { HERE, THERE, PLACES };

/* Copies of all that Render has made. */
struct rendering {
    uint8_t *bytes, *private_data;
    D3DDDI_PATCHLOCATIONLIST *patches;
    uint32_t size, patch_count;
};

struct relocation {
    struct vidmm_lab *lab;
    HANDLE context;
    DXGK_CONTEXTINFO info;
    struct vidmm_rig_pages dma;
    struct vidmm_rig_allocation *allocations[LIST];
    DXGK_ALLOCATIONLIST lists[PLACES][LIST];
    uint64_t command[COMMANDS / 8];
    uint32_t command_size;
    struct rendering here, there, again; /* again: here, once more */
    uint8_t *patched[4];                 /* here to here, here to there, there to there, again */
};

/* ---- what there is to be done ---- */

/* Two allocations in the memory segment, each at two places; NULL: they are there. */
static const char *place(struct relocation *r)
{
    struct vidmm_rig *rig = r->lab->rig;
    const struct vidmm_rig_segment *segment = &rig->segments[r->lab->memory];
    uint64_t step = SIZE;

    for (unsigned i = READ; i < LIST; i++) {
        struct vidmm_rig_allocation *one = r->allocations[i] = vidmm_rig_create(rig, SIZE);

        if (!one)
            return "the driver makes no allocation for it";
        if (!(vidmm_rig_set(rig, &one->info) >> (r->lab->memory - 1) & 1))
            return "its allocations do not lie in the memory segment";
        step = one->size > step ? one->size : step;
        step = one->info.Alignment > step ? one->info.Alignment : step;
    }
    step = (step + SIZE - 1) / SIZE * SIZE;
    if (segment->size / step < 2 * LIST)
        return "the segment has no room for them";
    for (unsigned at = HERE; at < PLACES; at++)
        for (unsigned i = READ; i < LIST; i++) {
            DXGK_ALLOCATIONLIST *element = &r->lists[at][i];

            element->hDeviceSpecificAllocation = r->allocations[i]->opened;
            element->WriteOperation = i == WRITTEN;
            element->SegmentId = r->lab->memory & 31;
            element->PhysicalAddress.QuadPart = (LONGLONG)(segment->base + (2 * i + at) * step);
        }
    return NULL;
}

static const char *prepare(struct relocation *r)
{
    struct vidmm_rig *rig = r->lab->rig;
    const struct vidmm_plugin_use uses[] = {{READ, SIZE, false, 0}, {WRITTEN, SIZE, true, 0}};

    r->command_size =
        vidmm_plugged_command(rig->place->miniport.plugin, uses, 2, r->command, sizeof(r->command));
    if (r->command_size == 0)
        return "the plug-in writes no command for two allocations";
    r->context = vidmm_lab_open_context(rig, &r->info);
    if (!r->context || r->info.DmaBufferSize == 0 || r->info.DmaBufferSize > DMA_MOST ||
        r->info.DmaBufferPrivateDataSize > DMA_MOST)
        return "the driver describes no DMA buffer for it";
    if (r->info.PatchLocationListSize > PATCHES_MOST)
        r->info.PatchLocationListSize = PATCHES_MOST;
    if (!vidmm_rig_take_pages(rig, r->info.DmaBufferSize, true, &r->dma))
        return "there is no memory for a DMA buffer";
    return place(r);
}

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size + 1);

    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

/* ---- the calls ---- */

/* NULL: it is made. */
static const char *render(struct relocation *r, unsigned at, struct rendering *made)
{
    D3DDDI_PATCHLOCATIONLIST *patches = calloc(r->info.PatchLocationListSize + 1, sizeof(*patches));
    uint8_t *private_data = calloc(1, r->info.DmaBufferPrivateDataSize + 1);
    DXGKARG_RENDER a;
    NTSTATUS status = STATUS_NO_MEMORY;

    memset(&a, 0, sizeof(a));
    memset(r->dma.address, 0, r->info.DmaBufferSize);
    a.pCommand = r->command;
    a.CommandLength = r->command_size;
    a.pDmaBuffer = r->dma.address;
    a.DmaSize = r->info.DmaBufferSize;
    a.pDmaBufferPrivateData = private_data;
    a.DmaBufferPrivateDataSize = r->info.DmaBufferPrivateDataSize;
    a.pAllocationList = r->lists[at];
    a.AllocationListSize = LIST;
    a.pPatchLocationListOut = patches;
    a.PatchLocationListOutSize = r->info.PatchLocationListSize;
    a.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(r->dma.frames[0] * VIDMM_PAGE_SIZE);
    if (patches && private_data)
        status = r->lab->rig->driver->DxgkDdiRender(r->context, &a);
    made->size = (uint32_t)((uint8_t *)a.pDmaBuffer - r->dma.address);
    made->patch_count = (uint32_t)(a.pPatchLocationListOut - patches);
    made->patches = patches;
    made->private_data = private_data;
    if (status != STATUS_SUCCESS || made->size > r->info.DmaBufferSize ||
        made->patch_count > r->info.PatchLocationListSize)
        return "DxgkDdiRender does not take the plug-in's command in one piece";
    made->bytes = copy_of(r->dma.address, made->size);
    return made->bytes ? NULL : "no memory";
}

/* A copy of what was made, patched; NULL: it cannot be. */
static uint8_t *patch(struct relocation *r, const struct rendering *made, unsigned at)
{
    uint8_t *private_data = copy_of(made->private_data, r->info.DmaBufferPrivateDataSize);
    NTSTATUS status = STATUS_NO_MEMORY;
    DXGKARG_PATCH a;

    memset(&a, 0, sizeof(a));
    memcpy(r->dma.address, made->bytes, made->size);
    a.hContext = r->context;
    a.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(r->dma.frames[0] * VIDMM_PAGE_SIZE);
    a.pDmaBuffer = r->dma.address;
    a.DmaBufferSize = r->info.DmaBufferSize;
    a.DmaBufferSubmissionEndOffset = made->size;
    a.pDmaBufferPrivateData = private_data;
    a.DmaBufferPrivateDataSize = r->info.DmaBufferPrivateDataSize;
    a.DmaBufferPrivateDataSubmissionEndOffset = r->info.DmaBufferPrivateDataSize;
    a.pAllocationList = r->lists[at];
    a.AllocationListSize = LIST;
    a.pPatchLocationList = made->patches;
    a.PatchLocationListSize = a.PatchLocationListSubmissionLength = made->patch_count;
    a.SubmissionFenceId = (UINT)r->lab->rig->submitted + 1;
    if (private_data)
        status = r->lab->rig->driver->DxgkDdiPatch(r->lab->rig->adapter, &a);
    free(private_data);
    return status == STATUS_SUCCESS ? copy_of(r->dma.address, made->size) : NULL;
}

/* In the order of L1. */
static const char *make_all(struct relocation *r)
{
    const char *why = render(r, HERE, &r->here);

    why = why ? why : render(r, THERE, &r->there);
    why = why ? why : render(r, HERE, &r->again);
    if (why || r->here.size != r->there.size || r->here.size != r->again.size)
        return why ? why : "DMA buffers of one command differ in length";
    r->patched[0] = patch(r, &r->here, HERE);
    r->patched[1] = patch(r, &r->here, THERE);
    r->patched[2] = patch(r, &r->there, THERE);
    r->patched[3] = patch(r, &r->here, HERE);
    for (unsigned i = 0; i < 4; i++)
        if (!r->patched[i])
            return "DxgkDdiPatch does not take what DxgkDdiRender made";
    return NULL;
}

/* ---- what they say ---- */

/* obeys D-087 */
static void judge(struct relocation *r)
{
    const uint8_t *here = r->here.bytes, *there = r->there.bytes, *again = r->again.bytes;
    uint32_t size = r->here.size, stale = size, late = size;

    for (uint32_t i = size; i-- > 0;) {
        bool counts = here[i] != again[i] || r->patched[0][i] != r->patched[3][i]; /* L1 */

        if (!counts && here[i] != there[i] && r->patched[1][i] != r->patched[2][i])
            stale = i;
        if (!counts && r->patched[0][i] != r->patched[1][i] && here[i] != r->patched[0][i])
            late = i;
    }
    if (stale < size)
        vidmm_rig_breach(r->lab->rig, VIDMM_RULE_D_087, true,
                         "byte 0x%x of the DMA buffer follows the place of an allocation, and not "
                         "when that moves: none of the %u patch locations leads DxgkDdiPatch there",
                         stale, r->here.patch_count);
    if (late < size)
        vidmm_rig_breach(r->lab->rig, VIDMM_RULE_D_087, true,
                         "SegmentId was set in the allocation list, and DxgkDdiPatch with the same "
                         "list changes byte 0x%x: DxgkDdiRender did not pre-patch it",
                         late);
    vidmm_board_step(r->lab->rig->board)->bytes += size;
}

static void forget(struct rendering *made)
{
    free(made->bytes);
    free(made->private_data);
    free(made->patches);
}

static void finish(struct relocation *r)
{
    struct vidmm_rig *rig = r->lab->rig;

    forget(&r->here);
    forget(&r->there);
    forget(&r->again);
    for (unsigned i = 0; i < 4; i++)
        free(r->patched[i]);
    for (unsigned i = READ; i < LIST; i++)
        vidmm_rig_destroy(rig, r->allocations[i]);
    vidmm_rig_give_pages(rig, &r->dma);
    vidmm_lab_close_context(rig, r->context);
}

void vidmm_check_relocation(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    struct relocation r;
    const char *why;

    if (rig->dead || !rig->driver->DxgkDdiRender || !rig->driver->DxgkDdiPatch || !lab->memory ||
        !rig->place->miniport.plugin || !rig->place->miniport.plugin->command ||
        !vidmm_board_try(rig->board, "DxgkDdiRender, of allocations that move"))
        return;
    memset(&r, 0, sizeof(r));
    r.lab = lab;
    why = prepare(&r);
    why = why ? why : make_all(&r);
    if (why)
        vidmm_board_skip(rig->board, "%s", why);
    else
        judge(&r);
    finish(&r);
}
