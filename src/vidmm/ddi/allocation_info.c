/* allocation_info.c: one allocation as the miniport describes it: judged, and read as the engine's
 * wish.
 *
 *   refused      what cannot be placed or backed, and what a page says is not created
 *   told once    everything else that is illegal, and then read without it: reserved bits do not
 *                count, a preference or eviction segment that is none is left out
 *
 * A flag without a behaviour in this version is refused by name, so that nobody believes it is
 * there.
 *
 * Source: DXGK_ALLOCATIONINFO, DXGK_ALLOCATIONINFOFLAGS; rules S0, S1, D-016, D-037.
 */
#include "vidmm/ddi/allocation_info.h"

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/isolation.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/mmu.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/seen_flags.h"

#include "base/assert.h"
#include "wddm/flag_rule.h"
#include "wddm/level.h"
#include "wddm/rule.h"

#define RESERVED_FLAGS 0xfff80000u
#define OTHER_FLAGS 0x3c80u      /* bits that mean something else from 2.0 on (S3-037) */
#define WIDE_PAGE (64u << 10)    /* bytes: Use64KBPages */
#define APERTURE_FOR_CPU 0xf002u /* Version from which CpuVisible needs an aperture (W-024) */

/* Whether it may be in memory of 64 KiB pages. */
static bool is_for_wide(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info)
{
    return ((info->SupportedReadSegmentSet | info->SupportedWriteSegmentSet) &
            adapter->sets.wide) != 0;
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* obeys D-104: the cap is checked by itself */
static bool wants_address(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info)
{
    return adapter->level >= VIDMM_LEVEL(2, 9) && info->FlagsWddm2.MapApertureCpuVisible &&
           info->FlagsWddm2.AccessedPhysically;
}

/* obeys D-233: hardware that protects an allocation at a time needs no range */
static bool is_for_protected(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info)
{
    return adapter->level >= VIDMM_LEVEL(2, 1) &&
           (info->FlagsWddm2.CreateInVpr ||
            (info->FlagsWddm2.HardwareProtected &&
             !vidmm_ddi_physical_flags(adapter).AllowHardwareProtectedNoVpr));
}

/* A flag of WDDM 2.x without a behaviour in this version, or without the cap that it needs. */
VIDMM_SEES(S3_027);
static NTSTATUS check_new_flags(const struct vidmm_adapter *adapter,
                                const DXGK_ALLOCATIONINFO *info, struct vidmm_report *report)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = info->FlagsWddm2;

    if (flags.MapApertureCpuVisible && adapter->level >= VIDMM_LEVEL(2, 9) &&
        !adapter->miniport->caps.MemoryManagementCaps.MapAperture2Supported) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "Flags: MapApertureCpuVisible (0x2000) needs the cap "
                                  "MapAperture2Supported (S3-027, S3-028)",
                                  flags.Value); /* obeys S3-028 */
    }
    if (wants_address(adapter, info) && adapter->model == VIDMM_MODEL_GPU_MMU) {
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "Flags: MapApertureCpuVisible (0x2000) of what is accessed "
                                  "physically is not supported by this version on a GPU with page "
                                  "tables of its own",
                                  flags.Value);
    }
    if (is_for_protected(adapter, info) && (flags.Overlay || flags.Capture)) {
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "Flags: CreateInVpr (0x400) or HardwareProtected (0x20000) with "
                                  "Overlay or Capture is not supported by this version",
                                  flags.Value);
    }
    if (flags.ExplicitResidencyNotification && adapter->model != VIDMM_MODEL_GPU_MMU) {
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "Flags: ExplicitResidencyNotification (0x10000) is not supported "
                                  "by this version but on a GPU with page tables of its own",
                                  flags.Value);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS check_flags(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info,
                            struct vidmm_report *report)
{
    if (info->Flags.HardwareProtected && adapter->level < VIDMM_LEVEL(2, 1)) {
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "Flags: HardwareProtected (0x20000) is not supported by "
                                  "this version below WDDM 2.1",
                                  info->Flags.Value);
    }
    return STATUS_SUCCESS;
}

VIDMM_SEES(S1_004);
VIDMM_SEES(S1_005);
static NTSTATUS check_size(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info,
                           struct vidmm_report *report)
{
    uint32_t alignment = info->Alignment;

    if (info->Size == 0 || info->Size > 0xfffff000u ||
        (info->Size > 0xffff0000u && is_for_wide(adapter, info))) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "Size: 1 byte to 4 GiB less a page, what an MDL can describe (S1-005)", info->Size);
    }
    if (info->PitchAlignedSize >= UINT64_C(1) << 44) { /* no segment has as many */
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "PitchAlignedSize: 0, or Size to 2^44 bytes (S1-006)",
                                  info->PitchAlignedSize);
    }
    if ((alignment & (alignment - 1)) != 0) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "Alignment: 0 or a power of two (S1-004)", alignment);
    }
    return STATUS_SUCCESS;
}

static bool names_only(uint32_t set, uint32_t count)
{
    return count == 32 || set >> count == 0;
}

static NTSTATUS check_sets(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info,
                           struct vidmm_report *report)
{
    uint32_t count = adapter->segment_count;

    if (info->SupportedReadSegmentSet == 0 || !names_only(info->SupportedReadSegmentSet, count)) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "SupportedReadSegmentSet: one segment at least, none that does not exist "
            "(S1-009)",
            info->SupportedReadSegmentSet);
    }
    if (!names_only(info->SupportedWriteSegmentSet, count)) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "SupportedWriteSegmentSet: no segment that does not exist (S1-011)",
            info->SupportedWriteSegmentSet);
    }
    return STATUS_SUCCESS;
}

VIDMM_SEES(S1_019);
static NTSTATUS check_handle(const DXGK_ALLOCATIONINFO *info, struct vidmm_report *report)
{
    if (!info->hAllocation) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "hAllocation: the driver's handle, not NULL (S1-019)", 0);
    }
    return STATUS_SUCCESS;
}

/* Why a word of Flags2 is refused; NULL: it is not. DisablePartialResidency and
 * RestrictedToSingleSegment are kept in any case, since an allocation is in one segment, all of it,
 * and NoImplicitSynchronization asks for less than is done. */
static const char *refused_flag2(const struct vidmm_adapter *adapter,
                                 const DXGK_ALLOCATIONINFO *info)
{
    DXGK_ALLOCATIONINFOFLAGS2 flags = info->Flags2;

    if (adapter->level < VIDMM_LEVEL(3, 2) && (flags.Value & ~0x1u) != 0)
        return "Flags2: below WDDM 3.2 the bits from 0x2 on are reserved, and 0 (D-069)";
    if (flags.NotifyEviction && adapter->model != VIDMM_MODEL_GPU_MMU)
        return "Flags2: NotifyEviction (0x10) is supported on a GPU with page tables alone";
    if (flags.NotifyEviction && info->FlagsWddm2.AccessedPhysically)
        return "Flags2: NotifyEviction (0x10) with AccessedPhysically is not supported by this "
               "version";
    if ((flags.Value & 0x20) != 0 && adapter->model != VIDMM_MODEL_GPU_MMU)
        return "Flags2: NotifyIoMmuUnmap (0x20) is supported on a GPU with page tables alone";
    if ((flags.Value & 0x20) != 0 && info->FlagsWddm2.AccessedPhysically)
        return "Flags2: NotifyIoMmuUnmap (0x20) with AccessedPhysically is not supported by this "
               "version";
    if ((flags.Value & ~0x3fu) != 0)
        return "Flags2: bits from 0x40 on are reserved, and 0";
    return NULL;
}

/* The members that WDDM 2.x has more, or reads otherwise. */
VIDMM_SEES(S1_018);
VIDMM_SEES(S2_018);
VIDMM_SEES(W_024);
static NTSTATUS check_new_members(const struct vidmm_adapter *adapter,
                                  const DXGK_ALLOCATIONINFO *info, struct vidmm_report *report)
{
    const char *refused = adapter->level >= VIDMM_LEVEL(3, 0) ? refused_flag2(adapter, info) : NULL;

    if (info->PhysicalAdapterIndex >= adapter->link_count) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "PhysicalAdapterIndex: below the number of physical adapters "
                                  "(S1-018)",
                                  info->PhysicalAdapterIndex);
    }
    if (refused)
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED, refused, info->Flags2.Value);
    if (info->FlagsWddm2.CpuVisible &&
        (info->SupportedWriteSegmentSet & adapter->sets.apertures) == 0 &&
        (adapter->interface_version >= APERTURE_FOR_CPU ||
         (info->SupportedWriteSegmentSet & adapter->sets.hidden) != 0)) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "SupportedWriteSegmentSet: an aperture too, for CpuVisible; below "
            "Version 0xF002 CpuVisible memory segments alone will do (S2-018, "
            "W-024)",
            info->SupportedWriteSegmentSet);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS check(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info,
                      struct vidmm_report *report)
{
    bool newer = adapter->level >= VIDMM_LEVEL(2, 0);
    NTSTATUS status = check_size(adapter, info, report);

    if (status == STATUS_SUCCESS)
        status = check_flags(adapter, info, report);
    if (status == STATUS_SUCCESS && newer)
        status = check_new_flags(adapter, info, report);
    if (status == STATUS_SUCCESS)
        status = check_sets(adapter, info, report);
    if (status == STATUS_SUCCESS && newer)
        status = check_new_members(adapter, info, report);
    if (status == STATUS_SUCCESS)
        status = check_handle(info, report);
    return status;
}

/* ---- what it may not say, and said ----------------------------------------------------------- */

struct breach {
    enum vidmm_rule_id rule;
    const char *what;
    uint64_t value;
};

#define MOST_BREACHES 12u

struct breaches {
    struct breach found[MOST_BREACHES];
    uint32_t count;
    bool in_flags; /* the word may have some too: a rule speaks of a bit that is set */
};

static void find(struct breaches *breaches, bool found, enum vidmm_rule_id rule, const char *what,
                 uint64_t value)
{
    if (found) {
        VIDMM_ASSERT(breaches->count < MOST_BREACHES);
        breaches->found[breaches->count++] = (struct breach){rule, what, value};
    }
}

/* Keep the preferences that name segments of `sets`. */
static uint32_t preferences_in(uint32_t preferred, uint32_t sets)
{
    uint32_t kept = 0, slot, count = 0;

    for (slot = 0; slot < 5; slot++) {
        uint32_t group = preferred >> (6 * slot) & 0x3f, id = group & 0x1f;

        if (id == 0) /* obeys D-018: it ends the list */
            break;
        if ((sets >> (id - 1) & 1) != 0)
            kept |= group << (6 * count++);
    }
    return kept;
}

/* Whether every bank that is named exists in the most preferred segment. */
static bool names_banks(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info)
{
    uint32_t segment = info->PreferredSegment.SegmentId0, group;
    uint32_t count = segment == 0 ? 0 : adapter->segments[segment].info.bank_count;

    for (group = 0; group < 4 && info->HintedBank.Value != 0; group++)
        if ((info->HintedBank.Value >> (8 * group) & 0x7f) > count)
            return false;
    return true;
}

/* The apertures of which the allocation is larger than 80 percent, and through which it is to
 * leave. */
static uint32_t crowded(const struct vidmm_adapter *adapter, uint32_t eviction_set, uint64_t size)
{
    uint32_t set = eviction_set & adapter->sets.apertures, crowded = 0, id;

    for (id = 1; set >> (id - 1) != 0; id++)
        if ((set >> (id - 1) & 1) != 0 && size > adapter->segments[id].info.size / 5 * 4)
            crowded |= 1u << (id - 1);
    return crowded;
}

/* Whether overlays may be where it is too large. */
static bool crowds_overlays(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info)
{
    return (crowded(adapter, info->EvictionSegmentSet, info->Size) &
            adapter->miniport->overlay_apertures) != 0;
}

void vidmm_ddi_created(struct vidmm_adapter *adapter, const struct vidmm_wish *wish)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};

    if (!flags.Overlay && !flags.Capture) {
        adapter->miniport->crowded_apertures |= crowded(adapter, wish->eviction_set, wish->size);
        return;
    }
    adapter->miniport->overlay_apertures |=
        (wish->read_set | wish->write_set) & adapter->sets.apertures;
    if ((adapter->miniport->overlay_apertures & adapter->miniport->crowded_apertures) !=
        0) { /* an allocation came before it */
        if (adapter->level >= VIDMM_LEVEL(2, 0))
            vidmm_seen(adapter, VIDMM_RULE_S3_021, "EvictionSegmentSet of what is larger",
                       adapter->miniport->crowded_apertures);
        vidmm_seen(adapter, VIDMM_RULE_S0_044, "EvictionSegmentSet of what is larger",
                   adapter->miniport->crowded_apertures);
    }
}

VIDMM_SEES(S1_010);
VIDMM_SEES(S1_012);
VIDMM_SEES(S1_023);
static void find_in_preferences(const DXGK_ALLOCATIONINFO *info, struct breaches *breaches)
{
    uint32_t preferred = preferences_in(info->PreferredSegment.Value, UINT32_MAX);

    find(breaches, preferences_in(preferred, info->SupportedReadSegmentSet) != preferred,
         VIDMM_RULE_S1_010, "PreferredSegment", info->PreferredSegment.Value);
    find(breaches, preferences_in(preferred, info->SupportedWriteSegmentSet) != preferred,
         VIDMM_RULE_S1_012, "PreferredSegment", info->PreferredSegment.Value);
    find(breaches, info->AllocationPriority == 0, VIDMM_RULE_S1_023, "AllocationPriority", 0);
}

VIDMM_SEES(S0_044);
VIDMM_SEES(S3_021);
VIDMM_SEES(S1_006);
VIDMM_SEES(S1_013);
VIDMM_SEES(D_016);
VIDMM_SEES(S1_024);
VIDMM_SEES(D_104);
VIDMM_SEES(D_024);
static void find_breaches(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info,
                          struct breaches *breaches)
{
    bool pinned = info->Flags.Overlay || info->Flags.Capture, crowds;
    uint32_t rows = adapter->sets.rows;

    breaches->count = 0;
    breaches->in_flags = vidmm_flag_rules_speak_of(VIDMM_FLAGS_ALLOCATION, info->Flags.Value);
    find_in_preferences(info, breaches);
    find(breaches, (info->EvictionSegmentSet & ~adapter->sets.apertures) != 0, VIDMM_RULE_S1_013,
         "EvictionSegmentSet", info->EvictionSegmentSet);
    find(breaches, (info->EvictionSegmentSet & rows) != 0, VIDMM_RULE_D_037, "EvictionSegmentSet",
         info->EvictionSegmentSet);
    find(breaches,
         info->PitchAlignedSize != 0 && (rows == 0 || info->PitchAlignedSize < info->Size),
         VIDMM_RULE_S1_006, "PitchAlignedSize", info->PitchAlignedSize);
    find(breaches,
         adapter->level >= VIDMM_LEVEL(2, 9) && info->FlagsWddm2.MapApertureCpuVisible &&
             adapter->miniport->caps.MemoryManagementCaps.MapAperture2Supported &&
             !info->FlagsWddm2.AccessedPhysically,
         VIDMM_RULE_D_104, "Flags", info->FlagsWddm2.Value); /* no address arrives */
    find(breaches, is_for_wide(adapter, info) && info->Alignment % WIDE_PAGE != 0, VIDMM_RULE_D_024,
         "Alignment", info->Alignment);
    find(breaches, !names_banks(adapter, info), VIDMM_RULE_D_016, "HintedBank",
         info->HintedBank.Value);
    crowds = !pinned && crowds_overlays(adapter, info);
    find(breaches, crowds && adapter->level >= VIDMM_LEVEL(2, 0), VIDMM_RULE_S3_021, "Size",
         info->Size);
    find(breaches, crowds, VIDMM_RULE_S0_044, "Size", info->Size);
    find(breaches,
         adapter->level >= VIDMM_LEVEL(2, 0) && adapter->level < VIDMM_LEVEL(3, 0) &&
             info->Flags2.Value != 0,
         VIDMM_RULE_S1_024, "Flags2", info->Flags2.Value);
}

static bool is_refused(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info,
                       unsigned is, const struct breaches *breaches, struct vidmm_report *report)
{
    uint32_t index;

    if (breaches->in_flags && vidmm_flags_are_refused(adapter, VIDMM_FLAGS_ALLOCATION, is,
                                                      info->Flags.Value, "Flags", report))
        return true;
    for (index = 0; index < breaches->count; index++) {
        const struct breach *breach = &breaches->found[index];

        if (vidmm_breach_is_refused(adapter, breach->rule, false, breach->what, breach->value,
                                    report))
            return true;
    }
    return false;
}

static void tell(struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info, unsigned is,
                 const struct breaches *breaches)
{
    uint32_t index;

    if (breaches->in_flags)
        vidmm_seen_flags(adapter, VIDMM_FLAGS_ALLOCATION, is, info->Flags.Value, "Flags");
    if (info->Flags.ExplicitResidencyNotification) /* obeys S0-061: reported, and no more */
        vidmm_seen(adapter, VIDMM_RULE_S0_061, "Flags", info->Flags.Value);
    for (index = 0; index < breaches->count; index++) {
        vidmm_seen(adapter, breaches->found[index].rule, breaches->found[index].what,
                   breaches->found[index].value);
    }
}

/* ---- how it is read -------------------------------------------------------------------------- */

/* obeys D-025: it begins on a page of 64 KiB and has whole ones. Existing memory is as large as it
 * is. */
static void widen(DXGK_ALLOCATIONINFO *info)
{
    if (info->Alignment < WIDE_PAGE)
        info->Alignment = WIDE_PAGE;
    if (!info->Flags.ExistingSysMem && !info->Flags.ExistingKernelSysMem)
        info->Size = (info->Size + WIDE_PAGE - 1) / WIDE_PAGE * WIDE_PAGE;
    if (info->PitchAlignedSize != 0 && info->PitchAlignedSize < info->Size)
        info->PitchAlignedSize = info->Size;
}

/* Remove from the description all that it may not say. */
static void amend(const struct vidmm_adapter *adapter, DXGK_ALLOCATIONINFO *info)
{
    uint32_t rows = adapter->sets.rows, apertures = adapter->sets.apertures;
    uint32_t most_preferred = info->PreferredSegment.SegmentId0;

    info->Flags.Value &= ~RESERVED_FLAGS;
    if (adapter->level < VIDMM_LEVEL(1, 3))
        info->Flags.HistoryBuffer = 0; /* Reserved03 then (S0-054) */
    if (adapter->level >= VIDMM_LEVEL(2, 0))
        info->Flags.Value &= ~OTHER_FLAGS; /* obeys S3-037 */
    if (info->Flags.CpuVisibleOnDemand) /* obeys S0-064, S3-035: every pointer is made on demand */
        info->Flags.CpuVisible = 1;
    info->EvictionSegmentSet &= apertures & ~rows; /* obeys D-037 */
    if (info->PitchAlignedSize != 0 && info->PitchAlignedSize < info->Size)
        info->PitchAlignedSize = info->Size;
    if (info->PitchAlignedSize == 0) { /* "not supported in a pitch-aligned segment" */
        info->SupportedReadSegmentSet &= ~rows;
        info->SupportedWriteSegmentSet &= ~rows;
    }
    info->PreferredSegment.Value =
        preferences_in(info->PreferredSegment.Value,
                       info->SupportedReadSegmentSet & info->SupportedWriteSegmentSet);
    if (info->PreferredSegment.SegmentId0 != most_preferred)
        info->HintedBank.Value = 0; /* obeys S1-007: they are banks of the one that is left out */
    if (is_for_wide(adapter, info))
        widen(info);
    if (info->AllocationPriority == 0)
        info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
}

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
}

/* obeys S1-021: pAllocationUsageHint is not looked at. */
static struct vidmm_wish wish_of(const DXGK_ALLOCATIONINFO *info)
{
    DXGK_ALLOCATIONINFOFLAGS flags = info->Flags;

    if (flags.ExistingSysMem || flags.ExistingKernelSysMem)
        flags.PermanentSysMem = 1; /* obeys S0-033 */
    return (struct vidmm_wish){
        .size = whole_pages(info->Size), /* obeys S1-005 */
        .alignment = info->Alignment > VIDMM_PAGE_SIZE ? info->Alignment : VIDMM_PAGE_SIZE,
        .read_set = info->SupportedReadSegmentSet, /* obeys S1-009: bit n is segment n + 1 */
        .write_set = info->SupportedWriteSegmentSet,
        .eviction_set = info->EvictionSegmentSet,
        .preferred = info->PreferredSegment.Value,
        .flags = flags.Value,
        .priority = info->AllocationPriority,
        .hinted_bank = info->HintedBank.Value,
        .pitch_aligned_size = whole_pages(info->PitchAlignedSize), /* obeys S1-006 */
    };
}

/* The flags of the wish that drivers below WDDM 2.0 do not know. */
static uint32_t flags_of_newer(const struct vidmm_adapter *adapter, const DXGK_ALLOCATIONINFO *info)
{
    bool notifies = adapter->level >= VIDMM_LEVEL(3, 2) && info->Flags2.NotifyEviction;
    bool of_unmap = adapter->level >= VIDMM_LEVEL(3, 2) && (info->Flags2.Value & 0x20) != 0 &&
                    vidmm_ddi_isolation_is_told(adapter);
    bool elsewhere = vidmm_adapter_is_linked(adapter) && info->PhysicalAdapterIndex != 0;

    return (info->FlagsWddm2.DisableLargePageMapping ? VIDMM_WISH_NO_LARGE_PAGES : 0u) |
           (notifies ? VIDMM_WISH_NOTIFIES_EVICTION : 0u) |
           (of_unmap ? VIDMM_WISH_NOTIFIES_UNMAP : 0u) | (elsewhere ? VIDMM_WISH_ELSEWHERE : 0u) |
           (wants_address(adapter, info) ? VIDMM_WISH_APERTURE_ADDRESS : 0u);
}

/* The protected ranges of the segments of the set. */
static uint32_t protected_of(const struct vidmm_adapter *adapter, uint32_t set)
{
    uint32_t ranges = 0, id;

    for (id = 1; id <= adapter->segment_count; id++)
        if ((set >> (id - 1) & 1) != 0 && adapter->segments[id].protected_id != 0)
            ranges |= 1u << (adapter->segments[id].protected_id - 1);
    return ranges;
}

/* The preferences, each as the protected range of its segment; those without one are left out. */
static uint32_t preferred_of(const struct vidmm_adapter *adapter, uint32_t preferred)
{
    uint32_t kept = 0, count = 0, slot;

    for (slot = 0; slot < 5; slot++) {
        uint32_t group = preferred >> (6 * slot) & 0x3f;
        uint32_t range = adapter->segments[group & 0x1f].protected_id;

        if ((group & 0x1f) == 0) /* obeys D-018: it ends the list */
            break;
        if (range != 0)
            kept |= ((group & 0x20) | range) << (6 * count++);
    }
    return kept;
}

/* The segments of what is for a protected range are those ranges of the segments that it names, and
 * no others. */
static NTSTATUS keep_to_range(const struct vidmm_adapter *adapter, struct vidmm_wish *wish,
                              struct vidmm_report *report)
{
    uint32_t ranges = protected_of(adapter, wish->write_set);

    if (ranges == 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "SupportedWriteSegmentSet",
                                    wish->write_set,
                                    "a segment with VprSupported and a protected range at least, "
                                    "for CreateInVpr, and for HardwareProtected without "
                                    "AllowHardwareProtectedNoVpr (S3-023, D-231, D-233)");
    }
    wish->read_set = wish->write_set = ranges; /* obeys S3-023 */
    wish->preferred = preferred_of(adapter, wish->preferred);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_ddi_take_wish(struct vidmm_adapter *adapter, DXGK_ALLOCATIONINFO *info, bool primary,
                             struct vidmm_wish *wish, struct vidmm_report *report)
{
    unsigned is =
        (adapter->sets.coherent != 0 ? VIDMM_IS_COHERENT : 0u) | (primary ? VIDMM_IS_PRIMARY : 0u);
    bool in_range = is_for_protected(adapter, info); /* its bit is another's below 2.1 */
    uint32_t newer_flags = 0;
    struct breaches breaches;
    NTSTATUS status;

    if (adapter->level >= VIDMM_LEVEL(2, 0)) {
        newer_flags = flags_of_newer(adapter, info);
        info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet; /* obeys S1-025, S1-027 */
    }
    find_breaches(adapter, info, &breaches);
    if (is_refused(adapter, info, is, &breaches, report))
        return STATUS_INVALID_PARAMETER;
    status = check(adapter, info, report);
    if (status != STATUS_SUCCESS)
        return status;
    tell(adapter, info, is, &breaches);
    amend(adapter, info);
    if (info->SupportedReadSegmentSet == 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "PitchAlignedSize", 0,
                                    "it has no other segment than pitch-aligned ones (S1-006)");
    }
    *wish = wish_of(info);
    wish->flags |= newer_flags;
    return in_range ? keep_to_range(adapter, wish, report) : STATUS_SUCCESS;
}
