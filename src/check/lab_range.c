/* lab_range.c: swizzling ranges, and transfers to and from an alternate address (drivers below WDDM
 * 2.0).
 *
 *     Transfer            known bytes to an allocation in the memory segment
 *     AcquireSwizzlingRange   the CPU sees them at CPUTranslatedAddress, in order, and writes
 *     others ReleaseSwizzlingRange
 *     Transfer            the others come back
 *
 * and where the configuration has a line `alternate`, which says what the driver's own user-mode
 * part passes with a lock that has UseAlternateVA:
 *
 *     AcquireSwizzlingRange   RangeSize is the driver's choice
 *     SpecialLockTransfer     out of the segment, to pages of so many bytes: what the CPU saw there
 *     SpecialLockTransfer     others into the segment
 *     AcquireSwizzlingRange   the CPU sees the others
 */
#include "check/lab.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "miniport/configuration.h"
#include "wddm/level.h"

#define PAGE VIDMM_PAGE_SIZE
#define SIZE (16 * PAGE)
#define MOST (UINT64_C(64) << 20) /* bytes of an alternate range that are looked at */

struct range {
    struct vidmm_lab *lab;
    struct vidmm_rig_allocation *allocation;
    struct vidmm_rig_pages pages;
    uint64_t address;            /* in the memory segment */
    uint32_t data;               /* PrivateDriverData */
    uint64_t size;               /* the part that is seen */
    uint8_t *cpu;                /* NULL: not acquired */
    struct vidmm_window *window; /* where the CPU sees it */
};

/* A window, because a device may have addresses there with no memory of its own behind them. */
static void look(struct range *range, uint64_t address)
{
    const struct vidmm_host *host = range->lab->rig->host;
    void *cpu;

    range->window = host->create_window(host->context, (range->size + PAGE - 1) / PAGE, &cpu);
    if (!range->window || !host->reserve_physical(host->context, range->window, address))
        return;
    host->show_physical(host->context, range->window, address);
    range->cpu = cpu;
}

static void look_away(struct range *range)
{
    const struct vidmm_host *host = range->lab->rig->host;

    if (range->cpu)
        host->close_window(host->context, range->window);
    host->destroy_window(host->context, range->window);
    range->window = NULL;
    range->cpu = NULL;
}

static bool transfer(struct range *range, bool in)
{
    const struct vidmm_lab_transfer t = {.allocation = range->allocation,
                                         .pages = &range->pages,
                                         .segment = range->lab->memory,
                                         .address = range->address,
                                         .size = range->allocation->size,
                                         .in = in,
                                         .start = true,
                                         .end = true};

    return vidmm_lab_transfer(range->lab, &t) == VIDMM_RIG_BUILT &&
           vidmm_rig_finish(range->lab->rig);
}

/* Is what the driver answered of use? Obeys D-162. */
static bool judge_answer(struct range *range, const DXGKARG_ACQUIRESWIZZLINGRANGE *answer,
                         bool alternate)
{
    struct vidmm_board *board = range->lab->rig->board;

    if (answer->CPUTranslatedAddress.QuadPart == 0)
        vidmm_check_find(board, VIDMM_CHECK_RANGE, "",
                         "DxgkDdiAcquireSwizzlingRange succeeded with CPUTranslatedAddress 0");
    else if (!alternate && answer->RangeSize != range->allocation->size)
        vidmm_check_find(board, VIDMM_CHECK_RANGE, "",
                         "RangeSize was %llu and is %llu; only with UseAlternateVA may it change",
                         (unsigned long long)range->allocation->size,
                         (unsigned long long)answer->RangeSize);
    else if (answer->RangeSize == 0 || answer->RangeSize > MOST)
        vidmm_check_find(board, VIDMM_CHECK_RANGE, "", "RangeSize is %llu",
                         (unsigned long long)answer->RangeSize);
    else
        return true;
    return false;
}

static void release(struct range *range)
{
    struct vidmm_rig *rig = range->lab->rig;
    const DXGKARG_RELEASESWIZZLINGRANGE arguments = {.hAllocation = range->allocation->kmd,
                                                     .PrivateDriverData = range->data};

    look_away(range);
    NTSTATUS status = rig->driver->DxgkDdiReleaseSwizzlingRange(rig->adapter, &arguments);
    if (status != STATUS_SUCCESS)
        vidmm_check_find(rig->board, VIDMM_CHECK_RANGE, "",
                         "DxgkDdiReleaseSwizzlingRange answered %s", vidmm_rig_status(status));
}

/* Have the allocation seen by the CPU. False: it is not. */
static bool acquire(struct range *range, bool alternate)
{
    struct vidmm_rig *rig = range->lab->rig;
    DXGKARG_ACQUIRESWIZZLINGRANGE arguments = {
        .hAllocation = range->allocation->kmd,
        .PrivateDriverData = range->data,
        .SegmentId = range->lab->memory,
        .RangeSize = (SIZE_T)range->allocation->size,
    };
    NTSTATUS status = rig->driver->DxgkDdiAcquireSwizzlingRange(rig->adapter, &arguments);

    if (status == STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED ||
        status == STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE) {
        vidmm_board_skip(rig->board, "DxgkDdiAcquireSwizzlingRange answered %s",
                         vidmm_rig_status(status));
        return false;
    }
    if (status != STATUS_SUCCESS) {
        vidmm_check_find(rig->board, VIDMM_CHECK_RANGE, "",
                         "DxgkDdiAcquireSwizzlingRange answered %s", vidmm_rig_status(status));
        return false;
    }
    if (judge_answer(range, &arguments, alternate)) {
        range->size = arguments.RangeSize;
        look(range, (uint64_t)arguments.CPUTranslatedAddress.QuadPart);
        if (!range->cpu)
            vidmm_check_find(rig->board, VIDMM_CHECK_RANGE, "",
                             "CPUTranslatedAddress 0x%llx is no memory of %llu bytes",
                             (unsigned long long)arguments.CPUTranslatedAddress.QuadPart,
                             (unsigned long long)range->size);
    }
    if (!range->cpu)
        release(range);
    return range->cpu != NULL;
}

/* D-161: through the range the CPU sees what a page-out would bring, and writes there. */
static void look_through(struct range *range)
{
    struct vidmm_lab *lab = range->lab;
    uint64_t seed = vidmm_lab_seed(lab), other = vidmm_lab_seed(lab),
             size = range->allocation->size;

    vidmm_board_operation(lab->rig->board, "AcquireSwizzlingRange of %llu KiB",
                          (unsigned long long)(size / 1024));
    vidmm_lab_fill(range->pages.address, size, seed);
    if (!transfer(range, true) || !acquire(range, false))
        return;
    vidmm_lab_expect(lab, VIDMM_CHECK_RANGE, range->cpu, size, seed, 0,
                     "through the swizzling range");
    vidmm_lab_fill(range->cpu, size, other);
    release(range);
    if (transfer(range, false))
        vidmm_lab_expect(lab, VIDMM_CHECK_RANGE, range->pages.address, size, other, seed,
                         "in the system pages, of what was written through the range");
}

/* ---- the alternate address ------------------------------------------------------------------- */

static bool special(struct range *range, const struct vidmm_rig_pages *pages, bool in)
{
    struct vidmm_rig *rig = range->lab->rig;
    LONGLONG address = (LONGLONG)(rig->segments[range->lab->memory].base + range->address);
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_SPECIAL_LOCK_TRANSFER;
    a.SpecialLockTransfer.hAllocation = range->allocation->kmd;
    a.SpecialLockTransfer.TransferSize = (SIZE_T)range->size;
    a.SpecialLockTransfer.Flags.TransferStart = a.SpecialLockTransfer.Flags.TransferEnd = 1;
    a.SpecialLockTransfer.SwizzlingRangeData = range->data;
    if (in) {
        a.SpecialLockTransfer.Source.pMdl = pages->mdl;
        a.SpecialLockTransfer.Destination.SegmentId = range->lab->memory;
        a.SpecialLockTransfer.Destination.SegmentAddress.QuadPart = address;
    } else {
        a.SpecialLockTransfer.Source.SegmentId = range->lab->memory;
        a.SpecialLockTransfer.Source.SegmentAddress.QuadPart = address;
        a.SpecialLockTransfer.Destination.pMdl = pages->mdl;
    }
    return vidmm_rig_build(rig, &a) == VIDMM_RIG_BUILT && vidmm_rig_finish(rig);
}

/* S4-049: out to the pages of the alternate address, and in from there. The CPU knows the order of
 * the bytes there by what it sees, and by nothing else. */
static void move_alternate(struct range *range)
{
    struct vidmm_lab *lab = range->lab;
    struct vidmm_rig_pages pages = {0};
    uint64_t seed = vidmm_lab_seed(lab), other = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab);
    uint64_t whole;

    vidmm_board_operation(lab->rig->board, "SpecialLockTransfer, PrivateDriverData 0x%x",
                          range->data);
    if (!acquire(range, true))
        return;
    whole = range->size / 8 * 8;
    vidmm_lab_fill(range->cpu, whole, seed);
    release(range);
    if (!vidmm_rig_take_pages(lab->rig, (range->size + PAGE - 1) / PAGE * PAGE, false, &pages))
        return;
    vidmm_lab_fill(pages.address, whole, junk);
    if (special(range, &pages, false)) {
        vidmm_lab_expect(lab, VIDMM_CHECK_RANGE, pages.address, whole, seed, junk,
                         "in the pages of the alternate address");
        vidmm_lab_fill(pages.address, whole, other);
        if (special(range, &pages, true) && acquire(range, true)) {
            vidmm_lab_expect(lab, VIDMM_CHECK_RANGE, range->cpu, whole, other, seed,
                             "at the alternate address, of what came from its pages");
            release(range);
        }
    }
    vidmm_rig_give_pages(lab->rig, &pages);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const char *open_range(struct range *range, struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;

    *range = (struct range){.lab = lab};
    if (!rig->driver->DxgkDdiAcquireSwizzlingRange || !rig->driver->DxgkDdiReleaseSwizzlingRange)
        return "the caps have NumberOfSwizzlingRanges, and DxgkDdiAcquireSwizzlingRange or "
               "DxgkDdiReleaseSwizzlingRange is missing";
    range->allocation = vidmm_rig_create(rig, SIZE);
    if (!range->allocation ||
        (vidmm_rig_set(lab->rig, &range->allocation->info) >> (lab->memory - 1) & 1) == 0)
        return "the driver makes no allocation for the memory segment";
    uint64_t alignment =
        range->allocation->info.Alignment > PAGE ? range->allocation->info.Alignment : PAGE;
    range->address = alignment;
    if (range->address + range->allocation->size > rig->segments[lab->memory].size ||
        !vidmm_rig_take_pages(rig, range->allocation->size, false, &range->pages))
        return "there is no room for an allocation";
    return NULL;
}

void vidmm_check_ranges(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    struct range range;

    if (rig->dead || !lab->memory || rig->level >= VIDMM_LEVEL(2, 0) ||
        rig->caps.NumberOfSwizzlingRanges == 0 || !vidmm_board_try(rig->board, "swizzling ranges"))
        return;
    const char *why = open_range(&range, lab);
    if (why)
        vidmm_board_skip(rig->board, "%s", why);
    else
        look_through(&range);
    if (!why && !rig->dead && rig->habits->alternate.asked) {
        range.data = rig->habits->alternate.data;
        vidmm_board_begin(rig->board, "swizzling ranges: SpecialLockTransfer");
        move_alternate(&range);
    }
    vidmm_rig_give_pages(rig, &range.pages);
    vidmm_rig_destroy(rig, range.allocation);
}
