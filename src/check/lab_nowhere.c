/* lab_nowhere.c: a read by an address that leads nowhere, behind all other tests.
 *
 *      an invalid entry                      (D-122)
 *      an index at or above NumEntries       (D-136), of a root of two levels: that of more has a
 *                                            fixed size, and no driver need look at NumEntries
 *
 * The read faults, and nobody resets the engine, which may stand from then on. So each is the last
 * of its child: the adapter is started again for the other.
 */
#include "check/lab_space.h"

#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>

#define PAGE VIDMM_PAGE_SIZE
#define RANGE VIDMM_LAB_MAPPED
#define TIMEOUT_NS UINT64_C(2000000000) /* of Windows, for a packet */

#define BEYOND "access beyond the root"

/* A read by an address that leads nowhere. */
enum outcome { NOT_BUILT, ARRIVED, NO_FAULT, FAULTED };

static bool has_ended(void *argument)
{
    struct vidmm_rig *rig = argument;

    return atomic_load(&rig->faulted) == (uint32_t)rig->submitted ||
           atomic_load(&rig->completed[rig->paging_node]) >= rig->submitted;
}

/* Read a page by the address. */
static enum outcome read_from(struct vidmm_space *space, uint64_t address)
{
    struct vidmm_rig *rig = space->lab->rig;
    uint64_t junk = vidmm_lab_seed(space->lab);
    uint8_t *bytes = space->pages[1].address;
    DXGKARG_BUILDPAGINGBUFFER a;
    bool faulted;

    vidmm_lab_fill(bytes, RANGE * PAGE, junk);
    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_VIRTUAL_TRANSFER;
    a.TransferVirtual.TransferSizeInBytes = PAGE;
    a.TransferVirtual.SourceVirtualAddress = address;
    a.TransferVirtual.DestinationVirtualAddress = space->other;
    a.TransferVirtual.TransferDirection = DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM;
    if (vidmm_rig_build(rig, &a) != VIDMM_RIG_BUILT || !vidmm_rig_submit(rig))
        return NOT_BUILT;
    rig->host->wait(rig->host->context, has_ended, rig, TIMEOUT_NS);
    faulted = atomic_load(&rig->faulted) == (uint32_t)rig->submitted;
    rig->hung = rig->hung || !has_ended(rig);
    rig->spent = rig->dead = faulted || rig->hung;
    if (vidmm_lab_match(bytes, PAGE, junk) < PAGE)
        return ARRIVED;
    return rig->dead ? FAULTED : NO_FAULT;
}

/* obeys D-122: no entry leads to the pages that are read, so they are not. */
static void read_by_invalid(struct vidmm_space *space)
{
    struct vidmm_rig *rig = space->lab->rig;
    enum outcome outcome;

    vidmm_board_operation(rig->board, "TransferVirtual by an invalid entry");
    vidmm_lab_fill(space->pages[0].address, RANGE * PAGE, vidmm_lab_seed(space->lab));
    if (!vidmm_space_transfer(space, space->system, space->local, RANGE) ||
        !vidmm_space_map_local(space, false, false) || !vidmm_rig_finish(rig))
        return;
    outcome = read_from(space, space->local);
    if (outcome == ARRIVED)
        vidmm_rig_breach(rig, VIDMM_RULE_D_122, true,
                         "what was read by an invalid entry has arrived");
    else if (outcome == NO_FAULT)
        vidmm_rig_breach(rig, VIDMM_RULE_D_122, false,
                         "an access by an invalid entry is no fault: its packet was complete");
}

/* Whether the second way to the local pages is one, as long as the root has all its entries. */
static bool leads_there(struct vidmm_space *space, uint64_t address)
{
    struct vidmm_lab *lab = space->lab;
    uint64_t seed = vidmm_lab_seed(lab);

    vidmm_lab_fill(space->pages[0].address, RANGE * PAGE, seed);
    vidmm_lab_fill(space->pages[1].address, RANGE * PAGE, vidmm_lab_seed(lab));
    vidmm_board_step(lab->rig->board)->bytes += RANGE * PAGE;
    return vidmm_space_map_local(space, true, false) &&
           vidmm_space_transfer(space, space->system, space->local, RANGE) &&
           vidmm_space_transfer(space, address, space->other, RANGE) &&
           vidmm_lab_match(space->pages[1].address, RANGE * PAGE, seed) == RANGE * PAGE;
}

/* obeys D-136: the root is told as one of the entries in use, and is read by one above them. */
static void read_beyond_root(struct vidmm_space *space)
{
    struct vidmm_rig *rig = space->lab->rig;
    unsigned root = space->count - 1;
    uint32_t entries = vidmm_space_index(space, root, space->base) + 1;
    uint64_t address =
        space->local - space->base + ((uint64_t)space->beyond << vidmm_space_shift(space, root));
    enum outcome outcome;

    if (space->beyond == 0) {
        vidmm_board_skip(rig->board, "the root has a fixed size, or needs no smaller table");
        return;
    }
    vidmm_board_operation(rig->board, "TransferVirtual by entry %u of a root of %u", space->beyond,
                          entries);
    if (!leads_there(space, address)) {
        vidmm_board_skip(rig->board, "a second entry of the root does not lead to the same pages "
                                     "as the first");
        return;
    }
    vidmm_space_set_root(space, entries);
    if (!vidmm_space_flush(space, 0, 0) || !vidmm_rig_finish(rig))
        return;
    outcome = read_from(space, address);
    if (outcome == ARRIVED)
        vidmm_check_find(rig->board, VIDMM_CHECK_BEYOND_ROOT, rig->record,
                         "NumEntries is %u, and what was read by entry %u has arrived", entries,
                         space->beyond);
    else if (outcome == NO_FAULT)
        vidmm_rig_breach(rig, VIDMM_RULE_D_136, false,
                         "an access by entry %u of a root of %u is no fault: its packet was "
                         "complete",
                         space->beyond, entries);
}

void vidmm_check_nowhere(struct vidmm_space *space)
{
    struct vidmm_rig *rig = space->lab->rig;

    if (rig->dead || rig->again)
        return;
    if (vidmm_board_try(rig->board, "access by an invalid entry"))
        read_by_invalid(space);
    if (rig->dead && space->beyond != 0)
        rig->board->more = vidmm_board_wants(rig->board, BEYOND);
    else if (vidmm_board_try(rig->board, BEYOND))
        read_beyond_root(space);
}
