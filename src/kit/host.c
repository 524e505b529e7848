/* host.c: the host table, for whoever runs a driver beside this kernel: MmGetPhysicalAddress and
 * MmProbeAndLockPages know the memory that is mapped through it. */
#include "kit/state.h"

static struct vidmm_host table;

static void note(void *address, uint64_t count, const uint64_t *frames, uint64_t first)
{
    for (uint64_t i = 0; address && i < count; i++)
        vidmm_kit_note_page((char *)address + i * PAGE_SIZE, frames ? frames[i] : first + i);
}

static void forget(void *address, uint64_t count)
{
    for (uint64_t i = 0; address && i < count; i++)
        vidmm_kit_forget_page((char *)address + i * PAGE_SIZE);
}

static void *map_pages(void *context, uint64_t count, const uint64_t *frames)
{
    void *address = vidmm_kit_kernel.host->map_pages(context, count, frames);

    note(address, count, frames, 0);
    return address;
}

static void unmap_pages(void *context, void *address, uint64_t count)
{
    forget(address, count);
    vidmm_kit_kernel.host->unmap_pages(context, address, count);
}

static void *map_physical(void *context, uint64_t physical_address, uint64_t size)
{
    void *address = vidmm_kit_kernel.host->map_physical(context, physical_address, size);

    note(address, ROUND_TO_PAGES(size) / PAGE_SIZE, NULL, physical_address / PAGE_SIZE);
    return address;
}

static void unmap_physical(void *context, void *address, uint64_t size)
{
    forget(address, ROUND_TO_PAGES(size) / PAGE_SIZE);
    vidmm_kit_kernel.host->unmap_physical(context, address, size);
}

const struct vidmm_host *vidmm_kit_host(void)
{
    table = *vidmm_kit_kernel.host;
    table.map_pages = map_pages;
    table.unmap_pages = unmap_pages;
    table.map_physical = map_physical;
    table.unmap_physical = unmap_physical;
    return &table;
}
