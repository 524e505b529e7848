/* seen_iommu.c: iommu.def broken, and answered. */
#include "answers_of_iommu.h"

/* The manager's words of D-238 in a start with these answers: so many breaches. */
static void told(uint64_t findings)
{
    struct rig_options options = iommu_options();
    struct shown shown;

    shown_init(&shown, &options, iommu_bend);
    assert_int_equal(shown_findings(&shown, "D-238"), findings);
    shown_finish(&shown);
    options.adapter.strict = true;
    shown_build(&shown, &options, iommu_bend);
    if (findings > 0)
        shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-238");
    else
        assert_int_equal(rig_start(&shown.rig), STATUS_SUCCESS);
    if (findings == 0)
        rig_stop(&shown.rig);
    shown_end(&shown);
}

/* Each of 16 pairs of caps: an answer of IOMMU_CAPS and MemoryManagementCaps agree or do not. */
static void isolation(bool agree)
{
    for (unsigned said = 0; said < 4; said++)
        for (unsigned cap = 0; cap < 4; cap++) {
            iommu_answers_init();
            iommu.caps.IommuIsolationSupported = said & 1;
            iommu.caps.IommuIsolationRequired = (said >> 1) & 1;
            iommu.secure_supported = (cap & 1) != 0;
            iommu.secure_required = (cap >> 1) != 0;
            if ((said == cap) == agree)
                told(!agree);
        }
}

static void remapping(bool supported, const char *gpu, uint64_t findings)
{
    iommu_answers_init();
    iommu.caps.DmaRemappingSupported = supported;
    iommu.gpu = gpu;
    told(findings);
}

/* The lead's answer, and those of the two others. */
static void visible(uint64_t lead, uint64_t second, uint64_t third, uint64_t findings)
{
    iommu_answers_init();
    iommu.links = 3;
    iommu.highest[0] = lead;
    iommu.highest[1] = second;
    iommu.highest[2] = third;
    told(findings);
}

/* Allocations of 64 pages that there is memory for if the second GPU reaches so many bytes of it;
 * system memory begins at 4 GiB. */
static uint32_t fitting(uint64_t bytes)
{
    struct rig_allocation allocations[16];
    struct rig_options options;
    struct shown shown;
    uint32_t count = 0;

    iommu_answers_init();
    iommu.links = 2;
    iommu.highest[0] = iommu.highest[1] = (UINT64_C(4) << 30) + bytes - 1;
    options = iommu_options();
    shown_init(&shown, &options, iommu_bend);
    while (count < 16 && rig_create(&shown.rig, &allocations[count], 64 * VIDMM_PAGE_SIZE, 1, 1) ==
                             STATUS_SUCCESS)
        count++;
    shown_finish(&shown);
    return count;
}

#define WHOLE ((UINT64_C(1) << 40) - 1)
#define HALF ((UINT64_C(1) << 39) - 1)

void breaks_D_238(void **state)
{
    (void)state;
    isolation(false);
    remapping(true, IOMMU_BY_MDL, 1);
    visible(WHOLE, HALF, WHOLE, 1);
    visible(WHOLE, WHOLE, HALF, 1);
}

void keeps_D_238(void **state)
{
    (void)state;
    isolation(true);
    remapping(true, IOMMU_BY_LIST, 0);
    remapping(false, IOMMU_BY_MDL, 0);
    visible(HALF, HALF, HALF, 0);
    visible(HALF, HALF, WHOLE, 0); /* the lead has named the minimum */
    visible(HALF, 0, 0, 0);        /* nobody else says anything */
    iommu_answers_init();
    iommu.refused = true; /* nothing was said, so nothing disagrees */
    iommu.secure_supported = true;
    told(0);
    assert_in_range(fitting(1 << 20), 1, 3); /* no page above the limit is used */
    assert_int_equal(fitting(64 << 20), 16);
}
