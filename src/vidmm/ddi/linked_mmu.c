/* linked_mmu.c: page tables of the physical adapters of a link: asked, and held against the lead's.
 *
 * A page allows each adapter page tables of its own kind. Here a table has one place for all of
 * them, so more than the bits of an address has to be alike; what differs is refused as not
 * supported.
 *
 * Source: DXGK_QUERYGPUMMUCAPSIN, DXGK_QUERYPAGETABLELEVELDESCIN, DXGK_QUERYSEGMENTIN4.
 */
#include "vidmm/ddi/linked_mmu.h"

#include <string.h>

#include <vidmm/host.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/mmu.h"
#include "vidmm/ddi/query.h"
#include "vidmm/ddi/question.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/report.h"

#include "base/assert.h"
#include "base/text.h"

/* A member of a description, as the lead and another have it. */
struct member {
    const char *name;
    uint64_t lead, other;
};

/* "WHAT is VALUE on physical adapter N, and VALUE on the lead; LEGAL" */
static NTSTATUS refuse(struct vidmm_report *report, NTSTATUS status, const struct member *member,
                       uint32_t index, const char *legal)
{
    struct vidmm_text text = vidmm_report_begin(report);

    vidmm_text_string(&text, member->name);
    vidmm_text_string(&text, " is ");
    vidmm_text_number(&text, member->other);
    vidmm_text_string(&text, " on physical adapter ");
    vidmm_text_number(&text, index);
    vidmm_text_string(&text, ", and ");
    vidmm_text_number(&text, member->lead);
    vidmm_text_string(&text, " on the lead; ");
    vidmm_text_string(&text, legal);
    return status;
}

static NTSTATUS refuse_answer(struct vidmm_report *report, const char *what, NTSTATUS status)
{
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, what, (uint32_t)status,
                                "a driver with GpuMmuSupported describes the page tables of each "
                                "physical adapter");
}

/* The first member that is not as the lead's. */
static NTSTATUS compare(const struct member *members, size_t count, uint32_t index,
                        struct vidmm_report *report)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (members[i].lead != members[i].other)
            return refuse(report, STATUS_NOT_SUPPORTED, &members[i], index,
                          "this version runs a link of GPUs that are alike");
    return STATUS_SUCCESS;
}

/* ---- page tables ----------------------------------------------------------------------------- */

/* obeys D-228 */
static NTSTATUS compare_caps(const DXGK_GPUMMUCAPS *lead, const DXGK_GPUMMUCAPS *other,
                             uint32_t index, struct vidmm_report *report)
{
    const struct member bits = {"GPUMMUCAPS.VirtualAddressBitCount", lead->VirtualAddressBitCount,
                                other->VirtualAddressBitCount};
    const struct member members[] = {
        {"GPUMMUCAPS.Flags", lead->Value, other->Value},
        {"GPUMMUCAPS.PageTableUpdateMode", lead->PageTableUpdateMode, other->PageTableUpdateMode},
        {"GPUMMUCAPS.LeafPageTableSizeFor64KPagesInBytes",
         lead->LeafPageTableSizeFor64KPagesInBytes, other->LeafPageTableSizeFor64KPagesInBytes},
        {"GPUMMUCAPS.PageTableLevelCount", lead->PageTableLevelCount, other->PageTableLevelCount},
    };

    if (bits.lead != bits.other) {
        return refuse(report, STATUS_GRAPHICS_DRIVER_MISMATCH, &bits, index,
                      "all physical adapters of a link have addresses of as many bits (D-228)");
    }
    return compare(members, sizeof(members) / sizeof(members[0]), index, report);
}

static NTSTATUS compare_levels(const DXGK_PAGE_TABLE_LEVEL_DESC *lead,
                               const DXGK_PAGE_TABLE_LEVEL_DESC *other, uint32_t index,
                               struct vidmm_report *report)
{
    const struct member members[] = {
        {"PAGETABLELEVELDESC.PageTableIndexBitCount", lead->PageTableIndexBitCount,
         other->PageTableIndexBitCount},
        {"PAGETABLELEVELDESC.PageTableSegmentId", lead->PageTableSegmentId,
         other->PageTableSegmentId},
        {"PAGETABLELEVELDESC.PagingProcessPageTableSegmentId",
         lead->PagingProcessPageTableSegmentId, other->PagingProcessPageTableSegmentId},
        {"PAGETABLELEVELDESC.PageTableSizeInBytes", lead->PageTableSizeInBytes,
         other->PageTableSizeInBytes},
        {"PAGETABLELEVELDESC.PageTableAlignmentInBytes", lead->PageTableAlignmentInBytes,
         other->PageTableAlignmentInBytes},
    };

    return compare(members, sizeof(members) / sizeof(members[0]), index, report);
}

static NTSTATUS ask_mmu(struct vidmm_adapter *adapter, uint32_t index, struct vidmm_report *report)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    DXGK_QUERYGPUMMUCAPSIN input = {.PhysicalAdapterIndex = index};
    DXGK_GPUMMUCAPS caps;
    NTSTATUS status = vidmm_question_put(adapter, DXGKQAITYPE_GPUMMUCAPS, &input, sizeof(input),
                                         &caps, sizeof(caps));
    uint32_t level;

    if (status != STATUS_SUCCESS)
        return refuse_answer(report, "status of QueryAdapterInfo(GPUMMUCAPS)", status);
    status = compare_caps(&mmu->caps, &caps, index, report);
    for (level = 0; level < mmu->caps.PageTableLevelCount && status == STATUS_SUCCESS; level++) {
        DXGK_QUERYPAGETABLELEVELDESCIN of = {.LevelIndex = (WORD)level,
                                             .PhysicalAdapterIndex = (WORD)index};
        DXGK_PAGE_TABLE_LEVEL_DESC description;

        status = vidmm_question_put(adapter, DXGKQAITYPE_PAGETABLELEVELDESC, &of, sizeof(of),
                                    &description, sizeof(description));
        if (status != STATUS_SUCCESS)
            return refuse_answer(report, "status of QueryAdapterInfo(PAGETABLELEVELDESC)", status);
        status = compare_levels(&mmu->levels[level], &description, index, report);
    }
    return status;
}

/* The root is the same for all of the link, so what it leads to has to be at one place in each: in
 * a memory segment. */
static NTSTATUS check_place(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint32_t level;

    for (level = 0; level < mmu->caps.PageTableLevelCount; level++) {
        const DXGK_PAGE_TABLE_LEVEL_DESC *description = &mmu->levels[level];
        bool programs = description->PageTableSegmentId == 0;

        if (programs || description->PagingProcessPageTableSegmentId == 0) {
            return vidmm_report_refusal(
                report, STATUS_NOT_SUPPORTED,
                programs ? "PAGETABLELEVELDESC.PageTableSegmentId"
                         : "PAGETABLELEVELDESC.PagingProcessPageTableSegmentId",
                0,
                "the page tables of a link lie in a memory segment, at one place in each GPU "
                "(D-228)");
        }
    }
    return STATUS_SUCCESS;
}

/* Whether there is anything to ask of the others. */
static bool has_others(const struct vidmm_adapter *adapter)
{
    return vidmm_adapter_is_linked(adapter) && adapter->model == VIDMM_MODEL_GPU_MMU;
}

NTSTATUS vidmm_ddi_query_linked_mmu(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    if (!has_others(adapter))
        return status;
    for (index = 1; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = ask_mmu(adapter, index, report);
    return status == STATUS_SUCCESS ? check_place(adapter, report) : status;
}

/* ---- segments -------------------------------------------------------------------------------- */

static NTSTATUS compare_segment(const struct vidmm_segment_view *lead,
                                const DXGK_SEGMENTDESCRIPTOR4 *other, uint32_t index,
                                struct vidmm_report *report)
{
    const struct member members[] = {
        {"Size of a segment", lead->info.size, other->Size},
        {"BaseAddress of a segment", lead->info.base_address,
         (uint64_t)other->BaseAddress.QuadPart},
        {"CommitLimit of a segment", lead->info.commit_limit, other->CommitLimit},
        {"SupportsCpuHostAperture of a segment",
         ((DXGK_SEGMENTFLAGS){.Value = lead->info.flags}).SupportsCpuHostAperture,
         other->Flags.SupportsCpuHostAperture},
        {"CpuVisible of a segment", ((DXGK_SEGMENTFLAGS){.Value = lead->info.flags}).CpuVisible,
         other->Flags.CpuVisible},
    };

    return compare(members, sizeof(members) / sizeof(members[0]), index, report);
}

static void take_addresses(struct vidmm_link *link, uint32_t id,
                           const DXGK_SEGMENTDESCRIPTOR4 *descriptor)
{
    bool hosted = descriptor->Flags.SupportsCpuHostAperture;

    link->cpu_addresses[id] = hosted ? descriptor->CpuHostAperture.PhysicalAddress
                                     : (uint64_t)descriptor->CpuTranslatedAddress.QuadPart;
}

static NTSTATUS ask_segments(struct vidmm_adapter *adapter, uint32_t index,
                             struct vidmm_report *report)
{
    const uint8_t *descriptors;
    size_t stride;
    uint32_t count, id;
    NTSTATUS status = vidmm_ddi_ask_segments_of(adapter, index, &descriptors, &stride, &count);
    struct member number = {"NbSegment", adapter->segment_count, count};

    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                    "status of the segment query of a further physical adapter",
                                    (uint32_t)status, "it must succeed (D-001)");
    }
    status = compare(&number, 1, index, report);
    for (id = 1; id <= adapter->segment_count && status == STATUS_SUCCESS; id++) {
        const DXGK_SEGMENTDESCRIPTOR4 *descriptor = (const void *)(descriptors + (id - 1) * stride);

        status = compare_segment(&adapter->segments[id], descriptor, index, report);
        take_addresses(adapter->miniport->links[index], id, descriptor);
    }
    vidmm_free(adapter->host, (void *)(uintptr_t)descriptors);
    return status;
}

NTSTATUS vidmm_ddi_query_linked_segments(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index, id;

    if (!has_others(adapter))
        return status;
    for (id = 1; id <= adapter->segment_count; id++)
        adapter->miniport->lead.cpu_addresses[id] =
            adapter->segments[id].host_pages != 0
                ? adapter->segments[id].host_address
                : adapter->segments[id].info.cpu_translated_address;
    for (index = 1; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = ask_segments(adapter, index, report);
    return status;
}

/* ---- the CPU --------------------------------------------------------------------------------- */

static bool is_seen(const struct vidmm_adapter *adapter, uint32_t id)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

    return flags.CpuVisible && !flags.Aperture && vidmm_ddi_holds_paging_tables(adapter, id);
}

NTSTATUS vidmm_ddi_map_linked_tables(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint32_t index, id;

    for (index = 0; has_others(adapter) && index < adapter->link_count; index++)
        for (id = 1; id <= adapter->segment_count; id++) {
            struct vidmm_link *link = adapter->miniport->links[index];

            if (!is_seen(adapter, id) || link->cpu_addresses[id] == 0)
                continue; /* that the CPU sees nothing of page tables is told later (W-004) */
            link->memory[id] = link->host->map_physical(
                link->host->context, link->cpu_addresses[id], adapter->segments[id].info.size);
            if (!link->memory[id]) {
                return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                            "CpuTranslatedAddress", link->cpu_addresses[id],
                                            "there is no such memory of the device (D-009)");
            }
        }
    return STATUS_SUCCESS;
}

void vidmm_ddi_unmap_linked_tables(struct vidmm_adapter *adapter)
{
    uint32_t index, id;

    for (index = 0; index < adapter->link_count; index++)
        for (id = 1; id <= adapter->segment_count; id++) {
            struct vidmm_link *link = adapter->miniport->links[index];

            if (link->memory[id])
                link->host->unmap_physical(link->host->context, link->memory[id],
                                           adapter->segments[id].info.size);
            link->memory[id] = NULL;
        }
}
