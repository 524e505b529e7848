/* mmu.c: how a GPU at WDDM 2.x translates addresses, as its miniport says it: asked and judged.
 *
 *     VirtualAddressBitCount
 *     |  root  |  level 1  |  level 0  |  12 bits  |
 *              '-- PageTableIndexBitCount of each --'
 *
 * Source: DXGK_VIDMMCAPS, DXGK_PHYSICALADAPTERCAPS, DXGK_GPUMMUCAPS, DXGK_PAGE_TABLE_LEVEL_DESC,
 * DXGK_IOMMU_CAPS, DXGK_PHYSICAL_MEMORY_CAPS; rules D-131, D-134, D-135, D-226, D-238, D-281,
 * W-007, W-028.
 */
#include "vidmm/ddi/mmu.h"

#include <string.h>

#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/memory_range.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/question.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

#define INDEX_BITS_MOST 20u
#define PAGE_BITS 12u
#define LARGE_PAGE (64u << 10)

static NTSTATUS refuse(struct vidmm_report *report, const char *what, uint64_t value,
                       const char *legal)
{
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, what, value, legal);
}

/* ---- the model ------------------------------------------------------------------------------- */

NTSTATUS vidmm_ddi_take_model(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    DXGK_VIDMMCAPS caps = adapter->miniport->caps.MemoryManagementCaps;

    if (adapter->level < VIDMM_LEVEL(2, 0))
        return STATUS_SUCCESS;
    if (caps.GpuMmuSupported && caps.IoMmuSupported) {
        return refuse(
            report, "MemoryManagementCaps", caps.Value,
            "GpuMmuSupported (0x40) and IoMmuSupported (0x80) exclude each other (D-226)");
    }
    if (caps.VirtualAddressingSupported != (caps.GpuMmuSupported || caps.IoMmuSupported)) {
        return refuse(report, "MemoryManagementCaps", caps.Value,
                      "VirtualAddressingSupported (0x20) stands with GpuMmuSupported (0x40) or "
                      "IoMmuSupported (0x80), and either of these with it (D-226)");
    }
    if (caps.VirtualAddressingSupported && !adapter->miniport->multi_engine) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "SchedulingCaps",
                                    adapter->miniport->caps.SchedulingCaps.Value,
                                    "this version gives virtual addresses to contexts only: with "
                                    "VirtualAddressingSupported, MultiEngineAware (0x1)");
    }
    if (caps.IoMmuSupported && vidmm_adapter_is_linked(adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "physical adapters of the link",
                                    adapter->link_count,
                                    "this version runs no link with the processor's page tables "
                                    "(IoMmuSupported, 0x80)");
    }
    if (caps.IoMmuSupported && !adapter->host->open_space) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "MemoryManagementCaps",
                                    caps.Value,
                                    "IoMmuSupported (0x80) needs a machine with an IOMMU");
    }
    adapter->model = caps.GpuMmuSupported  ? VIDMM_MODEL_GPU_MMU
                     : caps.IoMmuSupported ? VIDMM_MODEL_IO_MMU
                                           : VIDMM_MODEL_PHYSICAL;
    return STATUS_SUCCESS;
}

uint32_t vidmm_ddi_table_levels(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->mmu.caps.PageTableLevelCount;
}

bool vidmm_ddi_holds_paging_tables(const struct vidmm_adapter *adapter, uint32_t segment)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint32_t level;

    for (level = 0; level < mmu->caps.PageTableLevelCount; level++)
        if (mmu->levels[level].PagingProcessPageTableSegmentId == segment)
            return true;
    return false;
}

const char *vidmm_ddi_missing_entry(const struct vidmm_adapter *adapter)
{
    const DRIVER_INITIALIZATION_DATA *driver = &adapter->miniport->driver;
    bool physical = adapter->model == VIDMM_MODEL_PHYSICAL;
    bool tables = adapter->model == VIDMM_MODEL_GPU_MMU;
    const struct {
        bool wanted, there;
        const char *name;
    } rows[] = {
        {physical, driver->DxgkDdiPatch, "DxgkDdiPatch"},
        {physical, driver->DxgkDdiSubmitCommand, "DxgkDdiSubmitCommand"},
        {physical, driver->DxgkDdiRender || driver->DxgkDdiPresent, "DxgkDdiRender"},
        {!physical, driver->DxgkDdiSubmitCommandVirtual, "DxgkDdiSubmitCommandVirtual"},
        {!physical, driver->DxgkDdiCreateProcess, "DxgkDdiCreateProcess"},
        {!physical, driver->DxgkDdiDestroyProcess, "DxgkDdiDestroyProcess"},
        {tables, driver->DxgkDdiSetRootPageTable, "DxgkDdiSetRootPageTable"},
        {tables && vidmm_ddi_table_levels(adapter) == DXGK_MIN_PAGE_TABLE_LEVEL_COUNT,
         driver->DxgkDdiGetRootPageTableSize, "DxgkDdiGetRootPageTableSize"},
    };
    size_t index;

    for (index = 0; index < sizeof(rows) / sizeof(rows[0]); index++)
        if (rows[index].wanted && !rows[index].there)
            return rows[index].name;
    return NULL;
}

/* ---- the physical adapter -------------------------------------------------------------------- */

DXGK_PHYSICALADAPTERFLAGS vidmm_ddi_physical_flags(const struct vidmm_adapter *adapter)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    DXGK_PHYSICALADAPTERFLAGS flags = {.Value = 0};

    if (mmu->has_physical_caps)
        flags = mmu->physical_caps.Flags;
    if (adapter->level < VIDMM_LEVEL(2, 1))
        flags.MovePagingSupported = flags.VPRPagingContextRequired = 0;
    if (adapter->level < VIDMM_LEVEL(2, 2))
        flags.AllowHardwareProtectedNoVpr = 0;
    return flags;
}

/* Nothing is sent to that node, so that a driver with a wrong one starts. */
VIDMM_SEES(D_233);
static NTSTATUS see_protected_node(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint32_t node = adapter->miniport->mmu.physical_caps.VPRPagingNode;

    if (!vidmm_ddi_physical_flags(adapter).VPRPagingContextRequired || node < adapter->node_count)
        return STATUS_SUCCESS;
    if (vidmm_breach_is_refused(adapter, VIDMM_RULE_D_233, false, "VPRPagingNode", node, report))
        return STATUS_GRAPHICS_DRIVER_MISMATCH;
    vidmm_seen(adapter, VIDMM_RULE_D_233, "VPRPagingNode", node);
    return STATUS_SUCCESS;
}

static NTSTATUS take_physical_caps(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    DXGK_PHYSICALADAPTERFLAGS flags = mmu->physical_caps.Flags;
    bool tables = adapter->model == VIDMM_MODEL_GPU_MMU;
    uint32_t nodes = mmu->physical_caps.NumExecutionNodes;

    if (flags.GpuMmuSupported != tables) {
        return refuse(report, "PHYSICALADAPTERCAPS.Flags", flags.Value,
                      tables ? "GpuMmuSupported (0x2) is set in MemoryManagementCaps and has to be "
                               "here, or Windows does not start the adapter (W-007)"
                             : "GpuMmuSupported (0x2) is clear in MemoryManagementCaps and has to "
                               "be here, or Windows does not start the adapter (W-007)");
    }
    if (!adapter->miniport->multi_engine)
        return STATUS_SUCCESS;
    if (nodes < 1 || nodes > VIDMM_NODES) {
        return refuse(report, "PHYSICALADAPTERCAPS.NumExecutionNodes", nodes,
                      "a physical adapter has 1 to 64 nodes (D-295)");
    }
    if (mmu->physical_caps.PagingNodeIndex >= nodes) {
        return refuse(report, "PHYSICALADAPTERCAPS.PagingNodeIndex",
                      mmu->physical_caps.PagingNodeIndex,
                      "it must be below NumExecutionNodes (D-260)");
    }
    adapter->node_count = nodes;
    adapter->paging_node = mmu->physical_caps.PagingNodeIndex;
    return see_protected_node(adapter, report);
}

/* obeys W-028: what it refuses of these does not keep it from starting */
static NTSTATUS query_physical(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    DXGK_QUERYPHYSICALADAPTERCAPSIN input = {.PhysicalAdapterIndex = 0};
    size_t size = adapter->level >= VIDMM_LEVEL(2, 7)
                      ? sizeof(mmu->physical_caps)
                      : offsetof(DXGK_PHYSICALADAPTERCAPS, VirtualCopyNodeIndex);
    DXGK_64_BIT_ONLY_CAPS only;
    NTSTATUS status = vidmm_question_put(adapter, DXGKQAITYPE_PHYSICALADAPTERCAPS, &input,
                                         sizeof(input), &mmu->physical_caps, size);

    mmu->has_physical_caps = status == STATUS_SUCCESS;
    if (mmu->has_physical_caps) {
        status = take_physical_caps(adapter, report);
        if (status != STATUS_SUCCESS)
            return status;
    }
    vidmm_question_put(adapter, DXGKQAITYPE_64BITONLYCAPS, NULL, 0, &only, sizeof(only));
    return STATUS_SUCCESS;
}

/* ---- page tables ----------------------------------------------------------------------------- */

VIDMM_SEES(D_134);
static NTSTATUS check_mmu_caps(const DXGK_GPUMMUCAPS *caps, struct vidmm_report *report)
{
    if (caps->PageTableLevelCount < DXGK_MIN_PAGE_TABLE_LEVEL_COUNT ||
        caps->PageTableLevelCount > DXGK_MAX_PAGE_TABLE_LEVEL_COUNT) {
        return refuse(report, "GPUMMUCAPS.PageTableLevelCount", caps->PageTableLevelCount,
                      "page tables have 2 to 6 levels (D-134)");
    }
    if (caps->VirtualAddressBitCount <= PAGE_BITS || caps->VirtualAddressBitCount > 64) {
        return refuse(report, "GPUMMUCAPS.VirtualAddressBitCount", caps->VirtualAddressBitCount,
                      "an address has 13 to 64 bits");
    }
    if (caps->PageTableUpdateMode > DXGK_PAGETABLEUPDATE_GPU_PHYSICAL) {
        return refuse(report, "GPUMMUCAPS.PageTableUpdateMode", caps->PageTableUpdateMode,
                      "it is 0 (CPU_VIRTUAL), 1 (GPU_VIRTUAL) or 2 (GPU_PHYSICAL)");
    }
    if (caps->LeafPageTableSizeFor64KPagesInBytes % VIDMM_PAGE_SIZE != 0) {
        return refuse(report, "GPUMMUCAPS.LeafPageTableSizeFor64KPagesInBytes",
                      caps->LeafPageTableSizeFor64KPagesInBytes,
                      "it is a multiple of 4096 bytes, the page of the CPU");
    }
    return STATUS_SUCCESS;
}

/* With two levels the root is resized, and what is said of its size is where it begins. */
static bool is_resized(const DXGK_GPUMMUCAPS *caps, uint32_t level)
{
    return caps->PageTableLevelCount == DXGK_MIN_PAGE_TABLE_LEVEL_COUNT && level == 1;
}

VIDMM_SEES(D_135);
static NTSTATUS check_level(const DXGK_GPUMMUCAPS *caps, uint32_t level,
                            const DXGK_PAGE_TABLE_LEVEL_DESC *description,
                            struct vidmm_report *report)
{
    uint32_t least = is_resized(caps, level) ? 0 : 1, size = description->PageTableSizeInBytes;
    uint32_t alignment = description->PageTableAlignmentInBytes;

    if (description->PageTableIndexBitCount < least ||
        description->PageTableIndexBitCount > INDEX_BITS_MOST) {
        return refuse(report, "PAGETABLELEVELDESC.PageTableIndexBitCount",
                      description->PageTableIndexBitCount,
                      "a table has 2 to 2^20 entries: 1 to 20 bits, and 0 of a root that is "
                      "resized");
    }
    if (size % VIDMM_PAGE_SIZE != 0 || (size == 0 && least == 1)) {
        return refuse(report, "PAGETABLELEVELDESC.PageTableSizeInBytes", size,
                      "a table is a multiple of 4096 bytes, the page of the CPU (D-135)");
    }
    if (size > VIDMM_PAGE_SIZE && (description->PageTableSegmentId == 0 ||
                                   description->PagingProcessPageTableSegmentId == 0)) {
        return refuse(report, "PAGETABLELEVELDESC.PageTableSizeInBytes", size,
                      "a table in system memory (segment 0) has 4096 bytes (D-135)");
    }
    if ((alignment & (alignment - 1)) != 0) {
        return refuse(report, "PAGETABLELEVELDESC.PageTableAlignmentInBytes", alignment,
                      "it is 0 or a power of two");
    }
    return STATUS_SUCCESS;
}

/* Whether the levels reach as far as addresses do. */
static NTSTATUS check_coverage(const struct vidmm_mmu *mmu, struct vidmm_report *report)
{
    uint32_t level, bits = PAGE_BITS;

    for (level = 0; level < mmu->caps.PageTableLevelCount; level++)
        bits += mmu->levels[level].PageTableIndexBitCount;
    if (mmu->caps.PageTableLevelCount == DXGK_MIN_PAGE_TABLE_LEVEL_COUNT) {
        bits = PAGE_BITS + mmu->levels[0].PageTableIndexBitCount;
        if (mmu->caps.VirtualAddressBitCount <= bits) {
            return refuse(report, "GPUMMUCAPS.VirtualAddressBitCount",
                          mmu->caps.VirtualAddressBitCount,
                          "one leaf table translates as many bits, and nothing is left for the "
                          "root: it is more than 12 and PageTableIndexBitCount of level 0");
        }
        return STATUS_SUCCESS;
    }
    if (bits < mmu->caps.VirtualAddressBitCount) {
        return refuse(report, "PageTableIndexBitCount of all levels, and 12 for the page", bits,
                      "the levels do not cover VirtualAddressBitCount: they translate as many bits "
                      "at least");
    }
    return STATUS_SUCCESS;
}

static NTSTATUS query_levels(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint32_t level;

    for (level = 0; level < mmu->caps.PageTableLevelCount; level++) {
        DXGK_QUERYPAGETABLELEVELDESCIN input = {.LevelIndex = (WORD)level};
        NTSTATUS status =
            vidmm_question_put(adapter, DXGKQAITYPE_PAGETABLELEVELDESC, &input, sizeof(input),
                               &mmu->levels[level], sizeof(mmu->levels[level]));

        if (status != STATUS_SUCCESS) {
            return refuse(report, "status of QueryAdapterInfo(PAGETABLELEVELDESC)",
                          (uint32_t)status,
                          "a driver with GpuMmuSupported describes each level of its page tables");
        }
        status = check_level(&mmu->caps, level, &mmu->levels[level], report);
        if (status != STATUS_SUCCESS)
            return status;
    }
    return check_coverage(mmu, report);
}

NTSTATUS vidmm_ddi_query_mmu(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    DXGK_QUERYGPUMMUCAPSIN input = {.PhysicalAdapterIndex = 0};
    NTSTATUS status;

    if (adapter->level < VIDMM_LEVEL(2, 0))
        return STATUS_SUCCESS;
    status = query_physical(adapter, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_query_hardware_memory(adapter, report);
    if (status != STATUS_SUCCESS || adapter->model != VIDMM_MODEL_GPU_MMU)
        return status;
    status = vidmm_question_put(adapter, DXGKQAITYPE_GPUMMUCAPS, &input, sizeof(input), &mmu->caps,
                                sizeof(mmu->caps));
    if (status != STATUS_SUCCESS) {
        memset(&mmu->caps, 0, sizeof(mmu->caps));
        return refuse(report, "status of QueryAdapterInfo(GPUMMUCAPS)", (uint32_t)status,
                      "a driver with GpuMmuSupported describes its page tables");
    }
    status = check_mmu_caps(&mmu->caps, report);
    return status == STATUS_SUCCESS ? query_levels(adapter, report) : status;
}

/* ---- page tables and segments ---------------------------------------------------------------- */

static NTSTATUS check_segment(const struct vidmm_adapter *adapter, const char *what, uint32_t id,
                              struct vidmm_report *report)
{
    DXGK_SEGMENTFLAGS flags = {.Value = 0};

    if (id <= adapter->segment_count)
        flags.Value = adapter->segments[id].info.flags;
    if (id <= adapter->segment_count && (id == 0 || !flags.Aperture))
        return STATUS_SUCCESS;
    return refuse(report, what, id,
                  "page tables lie in a memory segment, or in system memory: the id of a memory "
                  "segment, or 0");
}

/* Pages of 64 KiB are 16 entries of a leaf: a leaf holds whole ones. */
static NTSTATUS check_nesting(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    uint64_t covered = UINT64_C(1) << (PAGE_BITS + mmu->levels[0].PageTableIndexBitCount);
    bool large = mmu->caps.DualPteSupported || mmu->caps.SysMem64KBPageSupported;
    uint32_t id;

    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

        large = large || flags.Use64KBPages;
    }
    if (!large || covered % LARGE_PAGE == 0)
        return STATUS_SUCCESS;
    return refuse(report, "PAGETABLELEVELDESC.PageTableIndexBitCount of level 0",
                  mmu->levels[0].PageTableIndexBitCount,
                  "pages of 64 KiB do not nest in a leaf table of so few entries: 4 to 20 bits");
}

VIDMM_SEES(D_131);
NTSTATUS vidmm_ddi_check_tables(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_mmu *mmu = &adapter->miniport->mmu;
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t level;

    for (level = 0; level < mmu->caps.PageTableLevelCount && status == STATUS_SUCCESS; level++) {
        const DXGK_PAGE_TABLE_LEVEL_DESC *description = &mmu->levels[level];

        status = check_segment(adapter, "PAGETABLELEVELDESC.PageTableSegmentId",
                               description->PageTableSegmentId, report);
        if (status == STATUS_SUCCESS) {
            status = check_segment(adapter, "PAGETABLELEVELDESC.PagingProcessPageTableSegmentId",
                                   description->PagingProcessPageTableSegmentId, report);
        }
        if (status == STATUS_SUCCESS && description->PageTableSegmentId != 0 &&
            mmu->caps.PageTableUpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL) {
            status = refuse(report, "PAGETABLELEVELDESC.PageTableSegmentId",
                            description->PageTableSegmentId,
                            "with PageTableUpdateMode CPU_VIRTUAL tables lie in system memory: 0 "
                            "(D-131)");
        }
    }
    return status == STATUS_SUCCESS && mmu->caps.PageTableLevelCount != 0
               ? check_nesting(adapter, report)
               : status;
}

/* ---- an IOMMU -------------------------------------------------------------------------------- */

/* The highest visible address belongs to all physical adapters of a link, for they share one
 * domain. So each is asked, and the least answer is the limit; a lead that names more than another
 * has not named the minimum. */

/* The answer of one physical adapter; 0: it says nothing. */
static uint64_t ask_highest(struct vidmm_adapter *adapter, uint32_t index)
{
    struct vidmm_miniport *miniport = adapter->miniport;
    DXGK_PHYSICAL_MEMORY_CAPS caps = {.HighestVisibleAddress.QuadPart = 0};
    HANDLE lead = miniport->h_adapter;
    NTSTATUS status;

    miniport->h_adapter = miniport->links[index]->h_adapter;
    status =
        vidmm_question_put(adapter, DXGKQAITYPE_PHYSICAL_MEMORY_CAPS, NULL, 0, &caps, sizeof(caps));
    miniport->h_adapter = lead;
    return status == STATUS_SUCCESS ? (uint64_t)caps.HighestVisibleAddress.QuadPart : 0;
}

/* obeys D-281 */
void vidmm_ddi_query_iommu(struct vidmm_adapter *adapter)
{
    struct vidmm_iommu_caps *answers = &adapter->miniport->iommu;
    DXGK_IOMMU_CAPS caps = {.Value = 0};
    uint32_t index;

    if (adapter->level < VIDMM_LEVEL(2, 9))
        return;
    for (index = 0; index < adapter->link_count; index++) {
        VIDMM_ASSERT(!adapter->miniport->links[index]->started);
        answers->highest[index] = ask_highest(adapter, index);
    }
    answers->told = vidmm_question_put(adapter, DXGKQAITYPE_IOMMU_CAPS, NULL, 0, &caps,
                                       sizeof(caps)) == STATUS_SUCCESS;
    answers->value = caps.Value;
}

uint64_t vidmm_ddi_highest_visible(const struct vidmm_adapter *adapter)
{
    const uint64_t *highest = adapter->miniport->iommu.highest;
    uint64_t least = UINT64_MAX;
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++)
        if (highest[index] != 0 && highest[index] < least)
            least = highest[index];
    return least;
}

/* The member that is wrong, and its value; NULL: none. */
static const char *find_breach(const struct vidmm_adapter *adapter, uint64_t *value)
{
    const struct vidmm_iommu_caps *answers = &adapter->miniport->iommu;
    DXGK_VIDMMCAPS caps = adapter->miniport->caps.MemoryManagementCaps;
    DXGK_IOMMU_CAPS iommu = {.Value = answers->value};
    const struct {
        bool broken;
        uint64_t value;
        const char *what;
    } rows[] = {
        {answers->told && iommu.IommuIsolationSupported != caps.IoMmuSecureModeSupported,
         iommu.IommuIsolationSupported, "IommuIsolationSupported"},
        {answers->told && iommu.IommuIsolationRequired != caps.IoMmuSecureModeRequired,
         iommu.IommuIsolationRequired, "IommuIsolationRequired"},
        {answers->told && iommu.DmaRemappingSupported && !caps.MapAperture2Supported,
         iommu.DmaRemappingSupported, "DmaRemappingSupported without MapAperture2Supported"},
        {answers->highest[0] > vidmm_ddi_highest_visible(adapter), answers->highest[0],
         "HighestVisibleAddress, and less of another physical adapter,"},
    };
    size_t index;

    for (index = 0; index < sizeof(rows) / sizeof(rows[0]); index++) {
        if (rows[index].broken) {
            *value = rows[index].value;
            return rows[index].what;
        }
    }
    return NULL;
}

VIDMM_SEES(D_238);
NTSTATUS vidmm_ddi_judge_iommu(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint64_t value, least = vidmm_ddi_highest_visible(adapter) >> VIDMM_PAGE_SHIFT;
    const char *what = find_breach(adapter, &value);

    if (what && vidmm_breach_is_refused(adapter, VIDMM_RULE_D_238, false, what, value, report))
        return STATUS_GRAPHICS_DRIVER_MISMATCH;
    if (what)
        vidmm_seen(adapter, VIDMM_RULE_D_238, what, value);
    if (least < adapter->highest_frame)
        adapter->highest_frame = least;
    return STATUS_SUCCESS;
}
