/* lock_flags.c: the flags that a lock may have.
 *
 * Source: D3DDDICB_LOCKFLAGS, D3DDDICB_LOCK; rules S0-004, D-149, D-150, D-153, D-154, D-173.
 */
#include "vidmm/client/lock_flags.h"

#include <vidmm/lock.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/facts.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "wddm/rule.h"

#define KNOWN_FLAGS 0x7ffu

VIDMM_SEES(D_149);
VIDMM_SEES(D_173);

/* Pairs of flags; NULL: none is wrong. */
static const char *find_conflict(uint32_t flags)
{
    static const struct {
        uint32_t mask, value;
        const char *why;
    } conflicts[] = {
        {0x3, 0x3, "ReadOnly excludes WriteOnly (D-149)"},
        {0x48, 0x48, "IgnoreSync excludes AcquireAperture (D-149)"},
        {0x240, 0x200, "UseAlternateVA needs AcquireAperture (D-149)"},
        {0x180, 0x100, "NoExistingReference needs Discard (D-173)"},
    };
    size_t index;

    if ((flags & ~KNOWN_FLAGS) != 0)
        return "bits 11 to 31 are reserved and zero";
    for (index = 0; index < sizeof(conflicts) / sizeof(conflicts[0]); index++)
        if ((flags & conflicts[index].mask) == conflicts[index].value)
            return conflicts[index].why;
    return NULL;
}

static NTSTATUS check_pages(const struct vidmm_lock_arguments *arguments,
                            struct vidmm_report *report)
{
    uint64_t pages = vidmm_original(arguments->allocation)->backing.pages;
    uint32_t index;

    if ((arguments->flags & VIDMM_LOCK_ENTIRE) != 0) {
        return arguments->page_count == 0 && !arguments->pages
                   ? STATUS_SUCCESS
                   : vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "NumPages",
                                          arguments->page_count,
                                          "LockEntire takes no list of pages (D-153)");
    }
    if (arguments->page_count == 0 || !arguments->pages) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_CANT_LOCK_MEMORY, "NumPages",
                                    arguments->page_count,
                                    "without LockEntire a list of pages is needed (D-153)");
    }
    for (index = 0; index < arguments->page_count; index++) {
        if (arguments->pages[index] >= pages) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "a page of the list",
                                        arguments->pages[index],
                                        "the allocation has no such page (D-154)");
        }
    }
    return STATUS_SUCCESS;
}

/* Whether the GPU's use may be ignored: where an aperture can show it and the caches hide
 * nothing. */
static bool may_ignore(const struct vidmm_allocation *allocation)
{
    return allocation->aperture_read && allocation->aperture_written && !allocation->incoherent;
}

static NTSTATUS check_alternate(const struct vidmm_lock_arguments *arguments,
                                struct vidmm_report *report)
{
    const struct vidmm_allocation *allocation = vidmm_original(arguments->allocation);
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    bool alternate = (arguments->flags & VIDMM_LOCK_USE_ALTERNATE_VA) != 0;

    if (alternate && arguments->allocation->original) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "UseAlternateVA is not for what is shared (D-157)");
    }
    if (alternate ? allocation->primary && !flags.UseAlternateVA : flags.UseAlternateVA) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "a primary is locked by an alternate address if it was created "
                                    "for it, and then in no other way (D-157)");
    }
    if (alternate && allocation->keeps_copy) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "it is always locked in its backing store (S0-012)");
    }
    if (alternate && allocation->adapter->range_count == 0) { /* obeys S4-051 */
        return vidmm_report_refusal(report, STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED,
                                    "NumberOfSwizzlingRanges", 0,
                                    vidmm_adapter_is_linked(allocation->adapter)
                                        ? "UseAlternateVA needs one, and on a link there is none"
                                        : "UseAlternateVA needs one at least");
    }
    return STATUS_SUCCESS;
}

/* obeys S2-007, S2-013: from WDDM 2.0 on there are neither renaming nor swizzling ranges */
static NTSTATUS check_services(const struct vidmm_lock_arguments *arguments,
                               struct vidmm_report *report)
{
    const struct vidmm_allocation *allocation = vidmm_original(arguments->allocation);
    uint32_t ranges = VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA;

    if (allocation->untracked && (arguments->flags & ranges) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "from WDDM 2.0 on there are no swizzling ranges: neither "
                                    "AcquireAperture nor UseAlternateVA (S2-013)");
    }
    if (allocation->untracked && (arguments->flags & VIDMM_LOCK_DISCARD) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "from WDDM 2.0 on a program renames for itself: no Discard "
                                    "(S2-007)");
    }
    if ((arguments->flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0 && !allocation->local) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "AcquireAperture is for what may be in a memory segment");
    }
    return STATUS_SUCCESS;
}

VIDMM_SEES(S0_005);
VIDMM_SEES(S3_004);
VIDMM_SEES(S2_007);
NTSTATUS vidmm_lock_check(const struct vidmm_lock_arguments *arguments, struct vidmm_report *report)
{
    const struct vidmm_allocation *allocation = vidmm_original(arguments->allocation);
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    uint32_t ignores = VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_IGNORE_READ_SYNC;
    const char *conflict;

    if ((arguments->flags & ~VIDMM_LOCK_DONOT_WAIT) == VIDMM_LOCK_ENTIRE &&
        arguments->page_count == 0 && !arguments->pages && flags.CpuVisible && !flags.Protected &&
        !flags.UseAlternateVA)
        return STATUS_SUCCESS; /* the most frequent request */
    conflict = find_conflict(arguments->flags);
    if (conflict) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    conflict);
    }
    if (!flags.CpuVisible) {
        vidmm_seen(allocation->adapter,
                   allocation->untracked ? VIDMM_RULE_S3_004 : VIDMM_RULE_S0_005,
                   "Flags of what is locked", flags.Value);
        return vidmm_report_refusal(
            report, STATUS_INVALID_PARAMETER, "Flags of the allocation", flags.Value,
            allocation->untracked ? "it was created without CpuVisible (S3-004)"
                                  : "it was created without CpuVisible (S0-004)");
    }
    if (flags.Protected) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags of the allocation",
                                    flags.Value,
                                    "it is Protected: no address of a program's is its (S0-026)");
    }
    if ((arguments->flags & ignores) != 0 && !may_ignore(allocation) && !allocation->untracked) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "IgnoreSync and IgnoreReadSync are for what an aperture can "
                                    "show and the caches do not hide (D-150)");
    }
    if (check_services(arguments, report) != STATUS_SUCCESS)
        return STATUS_INVALID_PARAMETER;
    if (check_alternate(arguments, report) != STATUS_SUCCESS)
        return check_alternate(arguments, report);
    return check_pages(arguments, report);
}
