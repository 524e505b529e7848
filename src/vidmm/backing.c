/* backing.c: the system pages behind an allocation or a command buffer, and their MDL.
 *
 * Pages are charged when the object is created and kept until it is gone, so that an eviction needs
 * nothing that can run out. What a drop gives up is the bytes, not the pages.
 */
#include "adapter_state.h"

static uint64_t *frames_of(const struct vidmm_backing *backing)
{
    return (uint64_t *)(void *)MmGetMdlPfnArray(backing->mdl);
}

_Static_assert(sizeof(PFN_NUMBER) == sizeof(uint64_t), "an MDL's page frames are 64 bits");

NTSTATUS vidmm_backing_init(struct vidmm_backing *backing, const struct vidmm_host *host,
                            uint64_t size, uint64_t highest_frame, bool contiguous)
{
    uint64_t pages = (size + VIDMM_PAGE_SIZE - 1) >> VIDMM_PAGE_SHIFT;
    size_t bytes = sizeof(MDL) + pages * sizeof(PFN_NUMBER);
    MDL *mdl = vidmm_allocate(host, bytes);

    if (!mdl) {
        return STATUS_NO_MEMORY;
    }
    if (!host->take_pages(host->context, pages, highest_frame, contiguous,
                          (uint64_t *)(void *)MmGetMdlPfnArray(mdl))) {
        vidmm_free(host, mdl);
        return STATUS_NO_MEMORY;
    }
    mdl->Size = (SHORT)(uint16_t)bytes; /* 16 bits, as wide as the member is */
    mdl->MdlFlags = MDL_PAGES_LOCKED;
    mdl->ByteCount = (ULONG)size;
    backing->mdl = mdl;
    backing->pages = pages;
    backing->address = NULL;
    return STATUS_SUCCESS;
}

bool vidmm_backing_map(struct vidmm_backing *backing, const struct vidmm_host *host)
{
    if (!backing->address) {
        backing->address = host->map_pages(host->context, backing->pages, frames_of(backing));
    }
    return backing->address != NULL;
}

void vidmm_backing_clear(const struct vidmm_backing *backing, const struct vidmm_host *host)
{
    host->clear_pages(host->context, backing->pages, frames_of(backing));
}

void vidmm_backing_drop(const struct vidmm_backing *backing, const struct vidmm_host *host)
{
    host->drop_pages(host->context, backing->pages, frames_of(backing));
}

uint64_t vidmm_backing_physical(const struct vidmm_backing *backing)
{
    return frames_of(backing)[0] << VIDMM_PAGE_SHIFT;
}

void vidmm_backing_finish(struct vidmm_backing *backing, const struct vidmm_host *host)
{
    if (!backing->mdl) {
        return;
    }
    if (backing->address) {
        host->unmap_pages(host->context, backing->address, backing->pages);
    }
    host->release_pages(host->context, backing->pages, frames_of(backing));
    vidmm_free(host, backing->mdl);
    backing->mdl = NULL;
    backing->address = NULL;
}
