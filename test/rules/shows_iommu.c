/* shows_iommu.c: iommu.def and D-281, obeyed. */
#include "answers_of_iommu.h"

static bool asks(const struct shown_call *call, DXGK_QUERYADAPTERINFOTYPE type)
{
    return call->ddi == VIDMM_DDI_QUERY_ADAPTER_INFO && !call->returned &&
           call->argument.query.Type == type;
}

/* The records of one start: how often either question was asked, none of them before the last
 * AddDevice nor after the first StartDevice. */
static void asked(uint32_t links, const char *gpu, unsigned of_memory, unsigned of_iommu)
{
    struct rig_options options;
    unsigned memory = 0, caps = 0;
    struct shown shown;
    size_t first;

    iommu_answers_init();
    iommu.links = links;
    iommu.gpu = gpu;
    options = iommu_options();
    shown_init(&shown, &options, iommu_bend);
    first = shown_next(&shown, 0, VIDMM_DDI_START_DEVICE);
    assert_int_not_equal(first, SIZE_MAX);
    for (size_t index = 0; index < shown.call_count; index++) {
        bool of_either = asks(&shown.calls[index], DXGKQAITYPE_PHYSICAL_MEMORY_CAPS) ||
                         asks(&shown.calls[index], DXGKQAITYPE_IOMMU_CAPS);

        assert_true(!of_either || index < first);
        assert_true(!of_either || shown_next(&shown, index, VIDMM_DDI_ADD_DEVICE) == SIZE_MAX);
        assert_true(caps == 0 || !asks(&shown.calls[index], DXGKQAITYPE_PHYSICAL_MEMORY_CAPS));
        memory += asks(&shown.calls[index], DXGKQAITYPE_PHYSICAL_MEMORY_CAPS);
        caps += asks(&shown.calls[index], DXGKQAITYPE_IOMMU_CAPS);
    }
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_ADD_DEVICE), links);
    assert_int_equal(shown_count(&shown, first, VIDMM_DDI_START_DEVICE), links);
    assert_int_equal(memory, of_memory);
    assert_int_equal(caps, of_iommu);
    shown_finish(&shown);
}

void shows_D_281(void **state)
{
    (void)state;
    asked(1, IOMMU_BY_MDL, 1, 1);
    asked(3, IOMMU_BY_MDL, 3, 1);
    asked(1, "wddm 3.0\n", 1, 1);
    asked(1, "wddm 2.8\n", 0, 0);
    asked(2, "wddm 1.3\n", 0, 0);
}
