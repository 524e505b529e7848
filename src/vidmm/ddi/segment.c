/* segment.c: one segment as the miniport describes it: read in the form of its level, and
 * judged.
 *
 * Refused is what the pages say makes the adapter fail (an Agp segment with other flags, or where
 * there is no AGP aperture), and what cannot be managed (no bytes, overlapping addresses). All else
 * that is illegal is told once, and read as the documents define it: an unknown combination of
 * preserve flags preserves nothing, banks that do not tile are no banks.
 *
 * Source: DXGK_SEGMENTDESCRIPTOR, ..3, ..4, DXGK_SEGMENTFLAGS; "Dividing a memory-space segment
 * into banks"; rules D-003 to D-018, D-030 to D-039.
 */
#include "vidmm/ddi/segment.h"

#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/seen_flags.h"

#include "base/assert.h"
#include "wddm/flag_rule.h"
#include "wddm/level.h"
#include "wddm/rule.h"

struct vidmm_segment_view;

#define BANKS_MOST 127u /* D-016 */

/* ---- reading --------------------------------------------------------------------------------- */

/* The members that all forms of the descriptor have. */
#define READ(info, d)                                                                              \
    do {                                                                                           \
        (info)->flags = (d)->Flags.Value;                                                          \
        (info)->base_address = (uint64_t)(d)->BaseAddress.QuadPart;                                \
        (info)->cpu_translated_address = (uint64_t)(d)->CpuTranslatedAddress.QuadPart;             \
        (info)->size = (d)->Size;                                                                  \
        (info)->commit_limit = (d)->CommitLimit;                                                   \
    } while (0)

/* Its pages are as large as the segment's (D-175). More than that has would show nothing. */
static void take_host_aperture(struct vidmm_segment_view *view,
                               const DXGK_CPUHOSTAPERTURE *aperture, bool wide)
{
    uint64_t pages;

    view->host_page_size = wide ? 16 * VIDMM_PAGE_SIZE : VIDMM_PAGE_SIZE;
    pages = view->info.size / view->host_page_size;
    view->host_address = aperture->PhysicalAddress;
    view->host_size = (uint64_t)aperture->SizeInPages * view->host_page_size;
    view->host_pages = /* obeys D-178 */
        aperture->SizeInPages < pages ? aperture->SizeInPages : (uint32_t)pages;
}

/* As the driver says it; *banks receives its table. With SupportsCpuHostAperture the window stands
 * where others have CpuTranslatedAddress. */
static void read_descriptor(uint16_t level, const void *descriptor, struct vidmm_segment_view *view,
                            const SIZE_T **banks)
{
    struct vidmm_segment_info *info = &view->info;

    memset(info, 0, sizeof(*info));
    view->protected_size = 0;
    if (level >= VIDMM_LEVEL(2, 0)) {
        const DXGK_SEGMENTDESCRIPTOR4 *d = descriptor;

        READ(info, d);
        info->system_memory_end = d->SystemMemoryEndAddress;
        view->invalid_count = d->NumInvalidMemoryRanges;
        if (d->Flags.SupportsCpuHostAperture) {
            info->cpu_translated_address = 0;
            take_host_aperture(view, &d->CpuHostAperture, d->Flags.Use64KBPages);
        }
    } else if (level >= VIDMM_LEVEL(1, 2)) {
        const DXGK_SEGMENTDESCRIPTOR3 *d = descriptor;

        READ(info, d);
        info->system_memory_end = d->SystemMemoryEndAddress;
        info->bank_count = d->NbOfBanks;
        *banks = d->pBankRangeTable;
    } else {
        const DXGK_SEGMENTDESCRIPTOR *d = descriptor;

        READ(info, d);
        info->bank_count = d->NbOfBanks;
        *banks = d->pBankRangeTable;
    }
}

/* ---- flags ----------------------------------------------------------------------------------- */

static bool is_preserved_rightly(DXGK_SEGMENTFLAGS flags)
{
    bool hibernate = flags.PreservedDuringHibernate,
         partly = flags.PartiallyPreservedDuringHibernate;

    return !(hibernate && partly) && ((!hibernate && !partly) || flags.PreservedDuringStandby);
}

/* obeys D-039: unknown flags preserve nothing */
static void forget_preserved(struct vidmm_segment_info *info)
{
    DXGK_SEGMENTFLAGS flags = {.Value = info->flags};

    flags.PreservedDuringStandby = 0;
    flags.PreservedDuringHibernate = 0;
    flags.PartiallyPreservedDuringHibernate = 0;
    info->flags = flags.Value;
}

/* obeys D-043: the window stands where an address would, so the CPU sees no more than the window */
static void forget_visible(uint16_t level, struct vidmm_segment_info *info)
{
    DXGK_SEGMENTFLAGS flags = {.Value = info->flags};

    if (level >= VIDMM_LEVEL(2, 0) && flags.SupportsCpuHostAperture)
        flags.CpuVisible = 0;
    info->flags = flags.Value;
}

/* One that is told, unless the adapter is strict. */
static NTSTATUS see(struct vidmm_adapter *adapter, bool found, enum vidmm_rule_id rule,
                    const char *what, uint64_t value, struct vidmm_report *report)
{
    if (!found)
        return STATUS_SUCCESS;
    if (vidmm_breach_is_refused(adapter, rule, false, what, value, report))
        return STATUS_GRAPHICS_DRIVER_MISMATCH;
    vidmm_seen(adapter, rule, what, value);
    return STATUS_SUCCESS;
}

VIDMM_SEES(D_006);
VIDMM_SEES(D_009);
VIDMM_SEES(D_034);
static NTSTATUS check_flags(struct vidmm_adapter *adapter, struct vidmm_segment_info *info,
                            struct vidmm_report *report)
{
    DXGK_SEGMENTFLAGS flags = {.Value = info->flags};
    bool visible_memory = flags.CpuVisible && !flags.Aperture;
    NTSTATUS status;

    if (vidmm_flags_are_refused(adapter, VIDMM_FLAGS_SEGMENT, 0, flags.Value, "Flags of a segment",
                                report))
        return STATUS_GRAPHICS_DRIVER_MISMATCH;
    status = see(adapter, flags.Aperture && flags.CpuVisible, VIDMM_RULE_D_034,
                 "Flags of a segment", flags.Value, report);
    if (status == STATUS_SUCCESS) {
        status =
            see(adapter, info->cpu_translated_address != 0 && !visible_memory, VIDMM_RULE_D_009,
                "CpuTranslatedAddress", info->cpu_translated_address, report);
    }
    if (status == STATUS_SUCCESS) {
        status = see(adapter, info->size % VIDMM_PAGE_SIZE != 0, VIDMM_RULE_D_006,
                     "Size of a segment", info->size, report);
    }
    if (status == STATUS_SUCCESS)
        vidmm_seen_flags(adapter, VIDMM_FLAGS_SEGMENT, 0, flags.Value, "Flags of a segment");
    if (!is_preserved_rightly(flags))
        forget_preserved(info);
    forget_visible(adapter->level, info);
    return status;
}

/* The member that is wrong about a segment's range for protected content; NULL: none is. *value
 * receives it. */
static const char *wrong_protected(const DXGK_SEGMENTDESCRIPTOR4 *descriptor, uint64_t *value)
{
    uint64_t start = descriptor->VprRangeStartOffset, size = descriptor->VprRangeSize;

    *value = descriptor->VprAlignment;
    if (*value == 0)
        return "VprAlignment";
    *value = start;
    if (start % descriptor->VprAlignment != 0 || start > descriptor->Size)
        return "VprRangeStartOffset";
    *value = size;
    if (size == 0 || size % descriptor->VprAlignment != 0 || size > descriptor->Size - start)
        return "VprRangeSize";
    *value = descriptor->VprReserveSize;
    return *value > size ? "VprReserveSize" : NULL;
}

/* The whole pages of it that are not reserved for the driver: VprReserveSize, at its end. */
static void take_protected(const DXGK_SEGMENTDESCRIPTOR4 *descriptor,
                           struct vidmm_segment_view *view)
{
    uint64_t mask = VIDMM_PAGE_SIZE - 1, start = descriptor->VprRangeStartOffset;
    uint64_t last = start + descriptor->VprRangeSize, end = last - descriptor->VprReserveSize;

    start = (start + mask) & ~mask;
    end &= ~mask;
    if (descriptor->Flags.Aperture || start >= end)
        return;
    view->protected_offset = start;
    view->protected_size = end - start;
    view->protected_kept = ((last + mask) & ~mask) - end;
}

VIDMM_SEES(D_231);
static NTSTATUS check_protected(struct vidmm_adapter *adapter, struct vidmm_segment_view *view,
                                const void *descriptor, struct vidmm_report *report)
{
    const DXGK_SEGMENTDESCRIPTOR4 *newer = descriptor;
    const char *wrong;
    uint64_t value;

    if (adapter->level < VIDMM_LEVEL(2, 0) || !newer->Flags.VprSupported)
        return STATUS_SUCCESS;
    wrong = wrong_protected(newer, &value);
    if (!wrong)
        take_protected(newer, view);
    return see(adapter, wrong != NULL, VIDMM_RULE_D_231, wrong, value, report);
}

/* ---- banks ----------------------------------------------------------------------------------- */

/* Whether all ends but the last, which is the segment's own, ascend inside the segment. */
static bool do_tile(const struct vidmm_segment_info *info, const SIZE_T *banks)
{
    uint64_t before = 0;
    uint32_t bank;

    for (bank = 0; bank + 1 < info->bank_count; bank++) {
        if (banks[bank] <= before || banks[bank] >= info->size)
            return false;
        before = banks[bank];
    }
    return true;
}

/* Copy the table; the last end may be left out, so it is never read (obeys D-015). */
static NTSTATUS copy_banks(struct vidmm_adapter *adapter, uint32_t id, const SIZE_T *banks)
{
    struct vidmm_segment_info *info = &adapter->segments[id].info;
    uint64_t *ends = vidmm_allocate(adapter->host, info->bank_count * sizeof(*ends));
    uint32_t bank;

    VIDMM_ASSERT(info->bank_count > 0 && !adapter->segments[id].bank_ends);
    if (!ends)
        return STATUS_NO_MEMORY;
    for (bank = 0; bank + 1 < info->bank_count; bank++)
        ends[bank] = banks[bank];
    ends[bank] = info->size;
    info->bank_ends = adapter->segments[id].bank_ends = ends;
    return STATUS_SUCCESS;
}

VIDMM_SEES(D_015);
VIDMM_SEES(D_035);
static NTSTATUS take_banks(struct vidmm_adapter *adapter, uint32_t id, const SIZE_T *banks,
                           struct vidmm_report *report)
{
    struct vidmm_segment_info *info = &adapter->segments[id].info;
    DXGK_SEGMENTFLAGS flags = {.Value = info->flags};
    NTSTATUS status = STATUS_SUCCESS;

    if (!flags.UseBanking) {
        info->bank_count = 0;
        return STATUS_SUCCESS;
    }
    if (info->bank_count == 0 || info->bank_count > BANKS_MOST || (info->bank_count > 1 && !banks))
        status = see(adapter, true, VIDMM_RULE_D_035, "NbOfBanks", info->bank_count, report);
    else if (!do_tile(info, banks))
        status = see(adapter, true, VIDMM_RULE_D_015, "pBankRangeTable", banks[0], report);
    else
        return copy_banks(adapter, id, banks);
    info->bank_count = 0;
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static NTSTATUS refuse(struct vidmm_report *report, const char *what, uint64_t value,
                       const char *legal)
{
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, what, value, legal);
}

static bool ranges_meet(const struct vidmm_segment_info *a, const struct vidmm_segment_info *b)
{
    return a->base_address < b->base_address + b->size &&
           b->base_address < a->base_address + a->size;
}

bool vidmm_segment_is_agp(const struct vidmm_adapter *adapter, uint32_t id)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

    VIDMM_ASSERT(id <= adapter->segment_count);
    return flags.Agp;
}

bool vidmm_find_agp(const struct vidmm_adapter *adapter, uint64_t *base, uint64_t *size)
{
    const struct vidmm_host *host = adapter->host;

    return host->find_agp_aperture && host->find_agp_aperture(host->context, base, size);
}

/* A part of the chipset's aperture: all of it, at its own address. Here it is an aperture like the
 * others but for who maps it. */
static NTSTATUS take_agp(struct vidmm_adapter *adapter, uint32_t id, struct vidmm_report *report)
{
    struct vidmm_segment_info *info = &adapter->segments[id].info;
    DXGK_SEGMENTFLAGS flags = {.Value = info->flags}, agp = {.Agp = 1};
    uint64_t base = 0, size = 0;
    uint32_t other;

    VIDMM_ASSERT(id >= 1 && id <= adapter->segment_count);
    if (flags.Value != agp.Value) {
        return refuse(report, "Flags of a segment", flags.Value,
                      "Agp stands alone, or the adapter does not start (D-032)");
    }
    if (!vidmm_find_agp(adapter, &base, &size)) {
        return refuse(report, "Flags of a segment", flags.Value,
                      "Agp is refused where there is no AGP aperture (D-032)");
    }
    for (other = 1; other < id; other++) {
        if (vidmm_segment_is_agp(adapter, other)) {
            return refuse(report, "Flags of a segment", flags.Value,
                          "there is one AGP segment at most (D-032)");
        }
    }
    agp.Aperture = 1;
    *info = (struct vidmm_segment_info){.flags = agp.Value,
                                        .base_address = base, /* obeys D-008 */
                                        .size = size,
                                        .commit_limit = size};
    return STATUS_SUCCESS;
}

/* From 2.0 on an aperture has no place among the addresses of a GPU that translates. */
static bool has_addresses(const struct vidmm_adapter *adapter, uint32_t id)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

    return adapter->model == VIDMM_MODEL_PHYSICAL || !flags.Aperture;
}

VIDMM_SEES(D_003);
static NTSTATUS check_place(const struct vidmm_adapter *adapter, uint32_t id,
                            struct vidmm_report *report)
{
    const struct vidmm_segment_info *info = &adapter->segments[id].info;
    uint32_t other;

    VIDMM_ASSERT(id >= 1 && id <= adapter->segment_count);
    if (info->size == 0) {
        return refuse(report, "Size of a segment", info->size,
                      "it must be a page of 4096 bytes at least (D-006)");
    }
    if (info->size >= UINT64_C(1) << 44 || info->base_address + info->size < info->size) {
        return refuse(report, "Size of a segment", info->size,
                      "it must be below 2^44 bytes, and end below 2^64");
    }
    for (other = 1; other < id; other++) {
        if (has_addresses(adapter, id) && has_addresses(adapter, other) &&
            ranges_meet(info, &adapter->segments[other].info)) {
            return refuse(report, "BaseAddress of a segment", info->base_address,
                          "it lies inside another segment (D-003)");
        }
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_ddi_take_segment(struct vidmm_adapter *adapter, uint32_t id, const void *descriptor,
                                struct vidmm_report *report)
{
    struct vidmm_segment_info *info = &adapter->segments[id].info;
    const SIZE_T *banks = NULL;
    DXGK_SEGMENTFLAGS flags;
    NTSTATUS status;

    read_descriptor(adapter->level, descriptor, &adapter->segments[id], &banks);
    flags.Value = info->flags;
    if (flags.Agp)
        return take_agp(adapter, id, report);
    status = check_flags(adapter, info, report);
    if (status == STATUS_SUCCESS)
        status = check_protected(adapter, &adapter->segments[id], descriptor, report);
    info->size &= ~(uint64_t)(VIDMM_PAGE_SIZE - 1); /* kit: drivers do not round */
    if (status == STATUS_SUCCESS)
        status = check_place(adapter, id, report);
    if (info->commit_limit > info->size) /* D-010: a lower one is a limit, a higher one none */
        adapter->findings++;
    if (!flags.Aperture || info->commit_limit == 0 || info->commit_limit > info->size)
        info->commit_limit = info->size; /* obeys D-010; kit: 0 means Size */
    return status == STATUS_SUCCESS ? take_banks(adapter, id, banks, report) : status;
}

VIDMM_SEES(W_003);
NTSTATUS vidmm_ddi_check_segments(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint32_t id, apertures = 0;

    if (adapter->level < VIDMM_LEVEL(2, 0))
        return STATUS_SUCCESS;
    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

        apertures += flags.Aperture;
        if (flags.SupportsCpuHostAperture && id != adapter->segment_count) {
            return refuse(report, "id of a segment with SupportsCpuHostAperture", id,
                          "it is the last of NbSegment, or Windows does not start the adapter "
                          "(W-003)");
        }
    }
    return see(adapter, apertures != 1, VIDMM_RULE_D_019, "count of aperture segments", apertures,
               report);
}
