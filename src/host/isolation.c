/*
 * isolation.c: the IOMMU between a device and system memory.
 *
 *     device --- address ---> attached to a domain? --- mapped there ---> memory
 *                                     |                  '-- not mapped --> fault
 *                                     '-- no ----------------------------> memory
 *
 * A domain belongs to a slot. It knows of each page frame how often that is mapped: addresses that
 * devices use are physical ones, so a page is at its own address or nowhere. The devices of a link
 * are attached to one domain. Memory of devices is not behind the IOMMU.
 *
 * The counts stay for the life of the slot, since an engine may look at them at any time.
 *
 * Invariants
 * D1. A device is attached to a domain that exists.
 * D2. A frame that is mapped is taken.
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
    slot->domain.exists = false;
}

static void map_domain(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    for (uint64_t i = 0; i < count; i++) {
        _Atomic uint32_t *mapped = count_of(slot, frames[i]);

        if (mapped == NULL || !slot->domain.exists) {
            vidmm_machine_misuse(slot->machine, "map_domain: no domain, or no page frame 0x%llx",
                                 (unsigned long long)frames[i]);
            return;
        }
        atomic_fetch_add(mapped, 1);
        atomic_fetch_add(&slot->domain.mapped, 1);
    }
}

static void unmap_domain(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    for (uint64_t i = 0; i < count; i++) {
        _Atomic uint32_t *mapped = count_of(slot, frames[i]);

        if (mapped == NULL || atomic_load(mapped) == 0) {
            vidmm_machine_misuse(slot->machine, "unmap_domain: page frame 0x%llx is not mapped",
                                 (unsigned long long)frames[i]);
            return;
        }
        atomic_fetch_sub(mapped, 1);
        atomic_fetch_sub(&slot->domain.mapped, 1);
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

/* How many of the bytes, page by page from the first on, the device reaches. */
static uint64_t reached(const struct vidmm_slot *slot, uint64_t address, uint64_t size)
{
    const struct vidmm_slot *domain = atomic_load(&slot->attached);
    uint64_t page = address / VIDMM_PAGE_SIZE, at = address;

    if (atomic_load(&slot->held))
        return 0;
    while (at < address + size) {
        const _Atomic uint32_t *mapped = domain != NULL ? count_of(domain, page) : NULL;

        if (domain != NULL && (mapped == NULL || atomic_load(mapped) == 0))
            return at - address;
        page++;
        at = page * VIDMM_PAGE_SIZE;
    }
    return size;
}

bool vidmm_isolation_lets(struct vidmm_slot *slot, uint64_t address, uint64_t size)
{
    uint64_t bytes;

    if ((atomic_load_explicit(&slot->attached, memory_order_relaxed) == NULL &&
         !atomic_load_explicit(&slot->held, memory_order_relaxed)) ||
        !slot->host.manages_memory(slot, address, size))
        return true;
    bytes = reached(slot, address, size);
    if (bytes == 0) { /* of bytes in several pages a device is told page by page */
        atomic_store(&slot->fault_address, address);
        atomic_fetch_add(&slot->faults, 1);
    }
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
}

void vidmm_isolation_fill(struct vidmm_slot *slot)
{
    slot->host.create_domain = create_domain;
    slot->host.destroy_domain = destroy_domain;
    slot->host.map_domain = map_domain;
    slot->host.unmap_domain = unmap_domain;
    slot->host.hold_device = hold_device;
    slot->host.attach_domain = attach_domain;
}
