/* answers_of_iommu.h: a driver at 2.9 that answers PHYSICAL_MEMORY_CAPS and IOMMU_CAPS as told.
 *
 *     iommu_answers_init()         answers of a driver that is right
 *     iommu.caps ... = ...         one of them wrong
 *     options = iommu_options()
 *     shown_init(&shown, &options, iommu_bend)
 */
#ifndef TEST_RULES_ANSWERS_OF_IOMMU_H
#define TEST_RULES_ANSWERS_OF_IOMMU_H

#include "rules_rig.h"

#define IOMMU_BY_LIST "wddm 2.9\nmap_aperture2 on\n"
#define IOMMU_BY_MDL "wddm 2.9\n"

static struct iommu_answers {
    const char *gpu;
    uint32_t links;
    DXGK_IOMMU_CAPS caps;
    uint64_t highest[SOFTGPU_LINKS]; /* by physical adapter; 0: it refuses */
    bool refused;                    /* IOMMU_CAPS */
    bool secure_supported, secure_required;
    HANDLE adapters[SOFTGPU_LINKS]; /* as they were added */
    uint32_t added;
    DXGKDDI_QUERYADAPTERINFO *query;
    DXGKDDI_ADD_DEVICE *add;
} iommu;

static inline void iommu_answers_init(void)
{
    iommu = (struct iommu_answers){.gpu = IOMMU_BY_MDL, .links = 1};
}

static inline struct rig_options iommu_options(void)
{
    struct rig_options options = rig_defaults();

    options.gpu = iommu.gpu;
    options.links = iommu.links;
    return options;
}

static inline NTSTATUS iommu_add(const PDEVICE_OBJECT device, PVOID *context)
{
    NTSTATUS status = iommu.add(device, context);

    assert_true(iommu.added < SOFTGPU_LINKS);
    iommu.adapters[iommu.added++] = *context;
    return status;
}

static inline NTSTATUS iommu_answer_highest(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_PHYSICAL_MEMORY_CAPS *caps = query->pOutputData;
    uint32_t index = 0;

    assert_int_equal(query->OutputDataSize, sizeof(*caps));
    while (index < iommu.added && iommu.adapters[index] != adapter)
        index++;
    assert_true(index < iommu.added);
    if (iommu.highest[index] == 0)
        return STATUS_NOT_SUPPORTED;
    caps->HighestVisibleAddress.QuadPart = (LONGLONG)iommu.highest[index];
    return STATUS_SUCCESS;
}

static inline NTSTATUS iommu_query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_DRIVERCAPS *driver = query->pOutputData;
    NTSTATUS status;

    if (query->Type == DXGKQAITYPE_PHYSICAL_MEMORY_CAPS)
        return iommu_answer_highest(adapter, query);
    if (query->Type == DXGKQAITYPE_IOMMU_CAPS) {
        assert_ptr_equal(adapter, iommu.adapters[0]);
        assert_int_equal(query->OutputDataSize, sizeof(iommu.caps));
        memcpy(query->pOutputData, &iommu.caps, sizeof(iommu.caps));
        return iommu.refused ? STATUS_NOT_SUPPORTED : STATUS_SUCCESS;
    }
    status = iommu.query(adapter, query);
    if (query->Type == DXGKQAITYPE_DRIVERCAPS) {
        driver->MemoryManagementCaps.IoMmuSecureModeSupported = iommu.secure_supported;
        driver->MemoryManagementCaps.IoMmuSecureModeRequired = iommu.secure_required;
    }
    return status;
}

static inline void iommu_bend(DRIVER_INITIALIZATION_DATA *driver)
{
    iommu.added = 0;
    iommu.query = driver->DxgkDdiQueryAdapterInfo;
    iommu.add = driver->DxgkDdiAddDevice;
    driver->DxgkDdiQueryAdapterInfo = iommu_query;
    driver->DxgkDdiAddDevice = iommu_add;
}

#endif
