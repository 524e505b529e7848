/* render.c: see render.h. */
#include "check/render.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#define DMA_MOST (UINT32_C(64) << 20)
#define LIST_MOST 65536u

/* The parts of a DMA buffer. */
struct memory {
    uint64_t count; /* pages */
    uint64_t *frames;
    uint8_t *address;
    void *private_data;
    DXGK_ALLOCATIONLIST *allocations; /* an entry that nobody is told of */
    D3DDDI_PATCHLOCATIONLIST *patches;
};

static bool take(struct memory *m, const struct vidmm_host *host, const DXGK_CONTEXTINFO *info)
{
    bool taken;

    m->count = (info->DmaBufferSize + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE;
    m->frames = calloc(m->count, sizeof(*m->frames));
    m->private_data = calloc(1, info->DmaBufferPrivateDataSize + UINT64_C(1));
    m->allocations = calloc(1, sizeof(*m->allocations));
    m->patches = calloc(info->PatchLocationListSize + UINT64_C(1), sizeof(*m->patches));
    if (!m->frames || !m->private_data || !m->allocations || !m->patches)
        return false;
    taken = host->take_pages(host->context, m->count, UINT64_MAX, true, VIDMM_CACHED, m->frames);
    m->address = taken ? host->map_pages(host->context, m->count, m->frames) : NULL;
    if (taken && !m->address)
        host->release_pages(host->context, m->count, m->frames);
    return m->address != NULL;
}

static void give(struct memory *m, const struct vidmm_host *host)
{
    if (m->address) {
        host->unmap_pages(host->context, m->address, m->count);
        host->release_pages(host->context, m->count, m->frames);
    }
    free(m->patches);
    free(m->allocations);
    free(m->private_data);
    free(m->frames);
}

static NTSTATUS call(const DRIVER_INITIALIZATION_DATA *driver, HANDLE context,
                     const DXGK_CONTEXTINFO *info, struct memory *m, const DXGKARG_RENDER *with,
                     struct vidmm_check_rendered *rendered)
{
    static const DXGKARG_RENDER plain = {0};
    uint64_t nothing = 0;
    DXGKARG_RENDER arguments = with ? *with : plain;

    if (!arguments.pCommand)
        arguments.pCommand = &nothing;
    arguments.pDmaBuffer = m->address;
    arguments.DmaSize = info->DmaBufferSize;
    arguments.pDmaBufferPrivateData = m->private_data;
    arguments.DmaBufferPrivateDataSize = info->DmaBufferPrivateDataSize;
    arguments.pAllocationList = m->allocations;
    arguments.pPatchLocationListOut = m->patches;
    arguments.PatchLocationListOutSize = info->PatchLocationListSize;
    arguments.DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(m->frames[0] * VIDMM_PAGE_SIZE);
    rendered->called = true;
    rendered->status = driver->DxgkDdiRender(context, &arguments);
    rendered->dma = (intptr_t)arguments.pDmaBuffer - (intptr_t)m->address;
    rendered->private_data = (intptr_t)arguments.pDmaBufferPrivateData - (intptr_t)m->private_data;
    rendered->patches = ((intptr_t)arguments.pPatchLocationListOut - (intptr_t)m->patches) /
                        (intptr_t)sizeof(*m->patches);
    return rendered->status;
}

bool vidmm_check_renders(const DRIVER_INITIALIZATION_DATA *driver, const struct vidmm_host *host,
                         HANDLE context, const DXGK_CONTEXTINFO *info, const DXGKARG_RENDER *with,
                         struct vidmm_check_rendered *rendered)
{
    struct vidmm_check_rendered own = {0};
    struct memory m = {0};
    NTSTATUS status = STATUS_SUCCESS;

    if (!driver->DxgkDdiRender)
        return false;
    if (info->DmaBufferSize == 0 || info->DmaBufferSize > DMA_MOST ||
        info->DmaBufferPrivateDataSize > DMA_MOST || info->PatchLocationListSize > LIST_MOST)
        return true;
    if (take(&m, host, info))
        status = call(driver, context, info, &m, with, &own);
    give(&m, host);
    if (rendered)
        *rendered = own;
    return status != STATUS_NOT_IMPLEMENTED && status != STATUS_NOT_SUPPORTED;
}
