/*
 * isolation.c: the IOMMU between a device and system memory.
 *
 *     device --- address ---> attached to a domain? --- mapped there ---> memory
 *                                     |                  '-- not mapped --> fault
 *                                     '-- no ----------------------------> memory
 *
 * A domain belongs to a slot. It knows of each page frame how often that is mapped. Addresses that
 * devices use are physical ones, so that a page is at its own address or nowhere; or those of
 * logical pages, which show page frames (logical.c). The devices of a link are attached to one
 * domain. Memory of devices is not behind the IOMMU.
 *
 * The counts stay for the life of the slot, since an engine may look at them at any time.
 *
 * Invariants
 * D1. A device is attached to a domain that exists.
 * D2. A frame that is mapped is taken.
 * D3. A logical page that shows a frame is taken, and the frame is mapped.
 */
#include <stdlib.h>

#include <vidmm/page.h>

#include "host/state.h"

static uint64_t frame_count(const struct vidmm_machine *machine)
{
    return machine->options.system_memory / VIDMM_PAGE_SIZE;
}

/* The count of a frame; NULL: it is none of system memory. */
static _Atomic uint32_t *count_of(const struct vidmm_slot *slot, uint64_t frame)
{
    uint64_t index = frame - VIDMM_MACHINE_SYSTEM_BASE / VIDMM_PAGE_SIZE;

    return slot->domain.counts != NULL && index < frame_count(slot->machine)
               ? &slot->domain.counts[index]
               : NULL;
}

/* ---- the host's half ------------------------------------------------------------------------- */

static bool create_domain(void *context)
{
    struct vidmm_slot *slot = context;

    if (slot->domain.exists) {
        vidmm_machine_misuse(slot->machine, "create_domain: the slot has one");
        return false;
    }
    if (vidmm_machine_block_fails(slot->machine))
        return false;
    if (slot->domain.counts == NULL)
        slot->domain.counts = calloc(frame_count(slot->machine), sizeof(*slot->domain.counts));
    slot->domain.logical = false;
    slot->domain.exists = slot->domain.counts != NULL;
    return slot->domain.exists;
}

static void destroy_domain(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;

    for (unsigned i = 0; i < machine->slot_count; i++)
        if (atomic_load(&machine->slots[i]->attached) == slot)
            atomic_store(&machine->slots[i]->attached, NULL); /* D1 */
    if (atomic_exchange(&slot->domain.mapped, 0) != 0) {
        vidmm_machine_misuse(machine, "destroy_domain: pages are mapped in it");
        for (uint64_t i = 0; i < frame_count(machine); i++)
            atomic_store(&slot->domain.counts[i], 0);
    }
    vidmm_logical_forget(slot);
    slot->domain.exists = false;
}

bool vidmm_isolation_count(struct vidmm_slot *slot, uint64_t frame, bool mapped)
{
    _Atomic uint32_t *count = count_of(slot, frame);

    if (count == NULL || (mapped ? !slot->domain.exists : atomic_load(count) == 0))
        return false;
    atomic_fetch_add(count, mapped ? 1u : UINT32_MAX);
    atomic_fetch_add(&slot->domain.mapped, mapped ? 1u : UINT64_MAX);
    return true;
}

static void map_domain(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    for (uint64_t i = 0; i < count; i++)
        if (slot->domain.logical || !vidmm_isolation_count(slot, frames[i], true)) {
            vidmm_machine_misuse(slot->machine,
                                 "map_domain: no domain of physical pages, or no page frame 0x%llx",
                                 (unsigned long long)frames[i]);
            return;
        }
}

static void unmap_domain(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    for (uint64_t i = 0; i < count; i++)
        if (slot->domain.logical || !vidmm_isolation_count(slot, frames[i], false)) {
            vidmm_machine_misuse(slot->machine, "unmap_domain: page frame 0x%llx is not mapped",
                                 (unsigned long long)frames[i]);
            return;
        }
}

static void hold_device(void *context)
{
    struct vidmm_slot *slot = context;

    atomic_store(&slot->held, true);
}

static bool attach_domain(void *context, const struct vidmm_host *owner)
{
    struct vidmm_slot *slot = context;
    struct vidmm_slot *domain = owner != NULL ? owner->context : NULL;

    if (domain != NULL && !domain->domain.exists) {
        vidmm_machine_misuse(slot->machine, "attach_domain: there is no such domain");
        return false;
    }
    atomic_store(&slot->attached, domain);
    atomic_store(&slot->held, false);
    return true;
}

/* ---- the device's half ----------------------------------------------------------------------- */

uint64_t vidmm_isolation_frame(const struct vidmm_slot *slot, uint64_t page)
{
    const struct vidmm_slot *domain = atomic_load_explicit(&slot->attached, memory_order_acquire);
    const _Atomic uint32_t *mapped;

    if (domain == NULL)
        return page;
    if (domain->domain.logical)
        return page < domain->domain.pages.count ? atomic_load(&domain->domain.shown[page]) : 0;
    mapped = count_of(domain, page);
    return mapped != NULL && atomic_load(mapped) != 0 ? page : 0;
}

/* How many of the bytes the device reaches in pages one behind the other, from the first on, which
 * is in *frame. */
static uint64_t reached(const struct vidmm_slot *slot, uint64_t address, uint64_t size,
                        uint64_t *frame)
{
    uint64_t page = address / VIDMM_PAGE_SIZE, at = address, pages = 0;

    *frame = vidmm_isolation_frame(slot, page);
    if (atomic_load(&slot->held) || *frame == 0)
        return 0;
    while (at < address + size) {
        if (vidmm_isolation_frame(slot, page + pages) != *frame + pages)
            return at - address;
        at = (page + ++pages) * VIDMM_PAGE_SIZE;
    }
    return size;
}

/* Whether system memory, as the device would find it, is at any of these addresses. */
static bool is_memory(struct vidmm_slot *slot, uint64_t address, uint64_t size)
{
    const struct vidmm_slot *domain = atomic_load(&slot->attached);

    return domain != NULL && domain->domain.logical
               ? address < VIDMM_MACHINE_BAR_BASE &&
                     !vidmm_physical_is_low(&slot->machine->physical, address)
               : slot->host.manages_memory(slot, address, size);
}

bool vidmm_isolation_find(struct vidmm_slot *slot, uint64_t *address, uint64_t size)
{
    uint64_t bytes, frame;

    if ((atomic_load_explicit(&slot->attached, memory_order_relaxed) == NULL &&
         !atomic_load_explicit(&slot->held, memory_order_relaxed)) ||
        !is_memory(slot, *address, size))
        return true;
    bytes = reached(slot, *address, size, &frame);
    if (bytes == 0) { /* of bytes in several pages a device is told page by page */
        atomic_store(&slot->fault_address, *address);
        atomic_fetch_add(&slot->faults, 1);
    }
    *address = frame * VIDMM_PAGE_SIZE + *address % VIDMM_PAGE_SIZE;
    return bytes == size;
}

uint64_t vidmm_slot_faults(const struct vidmm_slot *slot, uint64_t *address)
{
    *address = atomic_load(&slot->fault_address);
    return atomic_load(&slot->faults);
}

bool vidmm_isolation_has(const struct vidmm_machine *machine, uint64_t frame)
{
    for (unsigned i = 0; i < machine->slot_count; i++) {
        const _Atomic uint32_t *mapped = count_of(machine->slots[i], frame);

        if (mapped != NULL && atomic_load(mapped) != 0)
            return true;
    }
    return false;
}

void vidmm_isolation_finish(struct vidmm_slot *slot)
{
    free(slot->domain.counts);
    vidmm_logical_finish(slot);
}

void vidmm_isolation_fill(struct vidmm_slot *slot)
{
    slot->host.create_domain = create_domain;
    slot->host.destroy_domain = destroy_domain;
    slot->host.map_domain = map_domain;
    slot->host.unmap_domain = unmap_domain;
    slot->host.hold_device = hold_device;
    slot->host.attach_domain = attach_domain;
    vidmm_logical_fill(slot);
}
