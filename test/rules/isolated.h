/* isolated.h: a driver whose GPU the IOMMU can isolate, and what it answers about its memory. */
#ifndef RULES_ISOLATED_H
#define RULES_ISOLATED_H

#include "rules_rig.h"

#define ISOLATED_GPU "wddm 2.4\n"
#define ISOLATED_RANGES 3u

static struct isolated {
    DXGKDDI_QUERYADAPTERINFO *query;
    bool older;         /* it does not say that it can be isolated */
    SIZE_T save_size;   /* bytes */
    UINT32 range_count; /* of the first pass */
    UINT32 more;        /* that the second pass says there are */
    DXGK_PHYSICAL_MEMORY_RANGE ranges[ISOLATED_RANGES];
    unsigned size_asked, first_asked, second_asked;
    bool physical_asked; /* PHYSICALADAPTERCAPS came before all of these */
} isolated;

static inline NTSTATUS isolated_ranges(DXGK_HARDWARERESERVEDRANGES *out)
{
    if (out->pPhysicalRanges == NULL) {
        assert_int_equal(out->NumRanges, 0);
        isolated.first_asked++;
        out->NumRanges = isolated.range_count;
        return STATUS_SUCCESS;
    }
    isolated.second_asked++;
    assert_int_equal(out->NumRanges, isolated.range_count);
    memcpy(out->pPhysicalRanges, isolated.ranges,
           isolated.range_count * sizeof(isolated.ranges[0]));
    out->NumRanges += isolated.more;
    return STATUS_SUCCESS;
}

static inline NTSTATUS isolated_query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_FRAMEBUFFERSAVEAREA *area = query->pOutputData;
    NTSTATUS status;

    if (query->Type == DXGKQAITYPE_FRAMEBUFFERSAVESIZE) {
        assert_true(isolated.physical_asked);
        assert_int_equal(query->InputDataSize, sizeof(UINT));
        assert_int_equal(*(const UINT *)query->pInputData, isolated.size_asked);
        assert_int_equal(query->OutputDataSize, sizeof(*area));
        isolated.size_asked++;
        area->MaximumSize = isolated.save_size;
        return STATUS_SUCCESS;
    }
    if (query->Type == DXGKQAITYPE_HARDWARERESERVEDRANGES)
        return isolated_ranges(query->pOutputData);
    isolated.physical_asked |= query->Type == DXGKQAITYPE_PHYSICALADAPTERCAPS;
    status = isolated.query(adapter, query);
    if (query->Type == DXGKQAITYPE_DRIVERCAPS && !isolated.older)
        ((DXGK_DRIVERCAPS *)query->pOutputData)->MemoryManagementCaps.IoMmuSecureModeSupported = 1;
    return status;
}

static inline void isolated_bend(DRIVER_INITIALIZATION_DATA *driver)
{
    isolated.query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = isolated_query;
}

/* Start one that answers `isolated`. */
static inline NTSTATUS isolated_start(struct shown *shown, const char *gpu, bool strict)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    options.adapter.strict = strict;
    shown_build(shown, &options, isolated_bend);
    return rig_start(&shown->rig);
}

#endif
