/* query.c: D3DKMTQueryAdapterInfo.
 *
 * A type of query has a structure of its own, and a size that is another is refused. The answers
 * are computed from what the adapter says of itself. A type that is not in the table answers
 * STATUS_NOT_SUPPORTED, and is counted with the functions that are not built.
 */
#include <assert.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/caps.h>
#include <vidmm/hw_queue.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/d3dkmthk_adapter.h>
#include <wddm/d3dkmthk_query.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/query.h"
#include "thunk/query_identity.h"

#define LEVEL(Major, Minor) ((Major)*256u + (Minor))

/* ---- memory ---------------------------------------------------------------------------------- */

static D3DKMT_SEGMENTSIZEINFO sizes_of(const struct vidmm_adapter *adapter)
{
    struct vidmm_memory_totals totals;

    vidmm_adapter_memory_totals(adapter, &totals);
    return (D3DKMT_SEGMENTSIZEINFO){.DedicatedVideoMemorySize = totals.dedicated_video,
                                    .DedicatedSystemMemorySize = totals.dedicated_system,
                                    .SharedSystemMemorySize = totals.shared};
}

static NTSTATUS segment_size(struct vidmm_adapter *adapter, void *data)
{
    *(D3DKMT_SEGMENTSIZEINFO *)data = sizes_of(adapter);
    return STATUS_SUCCESS;
}

static NTSTATUS check_physical(const struct vidmm_adapter_caps *caps, uint32_t index)
{
    if (index < caps->physical_adapters)
        return STATUS_SUCCESS;
    return vidmm_thunk_refuse("PhysicalAdapterIndex is %u; expected 0 to %u", (unsigned)index,
                              (unsigned)caps->physical_adapters - 1);
}

D3DKMT_MEMORY_SEGMENT_GROUP vidmm_query_segment_group(const struct vidmm_adapter_caps *caps,
                                                      DXGK_SEGMENTFLAGS flags)
{
    bool is_non_local = flags.Aperture || flags.Agp;

    if (caps->level >= LEVEL(2, 0) && flags.LocalBudgetGroup != flags.NonLocalBudgetGroup)
        is_non_local = flags.NonLocalBudgetGroup;
    return is_non_local ? D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL : D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL;
}

/* Segments without ApplicationTarget are apart from budgets (D-205). */
static bool has_budget(const struct vidmm_adapter_caps *caps, DXGK_SEGMENTFLAGS flags)
{
    return caps->level < LEVEL(2, 0) || flags.ApplicationTarget;
}

bool vidmm_query_is_in_group(const struct vidmm_adapter *adapter, uint32_t segment, uint32_t group)
{
    struct vidmm_segment_info info;
    struct vidmm_adapter_caps caps;
    DXGK_SEGMENTFLAGS flags;

    vidmm_adapter_get_caps(adapter, &caps);
    vidmm_adapter_segment(adapter, segment, &info);
    flags.Value = info.flags;
    return has_budget(&caps, flags) && (uint32_t)vidmm_query_segment_group(&caps, flags) == group;
}

void vidmm_query_group_sizes(const struct vidmm_adapter *adapter, D3DKMT_SEGMENTGROUPSIZEINFO *info)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *info = (D3DKMT_SEGMENTGROUPSIZEINFO){.LegacyInfo = sizes_of(adapter)};
    for (uint32_t id = 1; id <= vidmm_adapter_segments(adapter); id++) {
        struct vidmm_segment_info segment;
        DXGK_SEGMENTFLAGS flags;

        vidmm_adapter_segment(adapter, id, &segment);
        flags.Value = segment.flags;
        if (!has_budget(&caps, flags))
            info->NonBudgetMemory += segment.size;
        else if (vidmm_query_segment_group(&caps, flags) == D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL)
            info->NonLocalMemory += segment.commit_limit;
        else
            info->LocalMemory += segment.size;
    }
}

static NTSTATUS segment_group_size(struct vidmm_adapter *adapter, void *data)
{
    D3DKMT_SEGMENTGROUPSIZEINFO *info = data;
    uint32_t index = info->PhysicalAdapterIndex;
    struct vidmm_adapter_caps caps;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    status = check_physical(&caps, index);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_query_group_sizes(adapter, info);
    info->PhysicalAdapterIndex = index;
    return STATUS_SUCCESS;
}

/* ---- kinds and caps -------------------------------------------------------------------------- */

/* The numbers of D3DKMT_DRIVERVERSION say the level, but for 1.1. */
static NTSTATUS driver_version(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_DRIVERVERSION *)data =
        caps.level == LEVEL(1, 1)
            ? KMT_DRIVERVERSION_WDDM_1_1
            : (D3DKMT_DRIVERVERSION)((caps.level >> 8) * 1000 + (caps.level & 0xff) * 100);
    return STATUS_SUCCESS;
}

static NTSTATUS adapter_type(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_ADAPTERTYPE *)data = (D3DKMT_ADAPTERTYPE){
        .RenderSupported = caps.renders,
        .DisplaySupported = caps.video_present_sources > 0,
        .PostDevice = caps.post_device,
        .HybridDiscrete = caps.driver.HybridDiscrete != 0,
        .HybridIntegrated = caps.driver.HybridIntegrated != 0,
        .Detachable = caps.driver.MiscCaps.Detachable,
        .ComputeOnly = caps.driver.MiscCaps.ComputeOnly,
        .RuntimePowerManagement = caps.driver.SupportRuntimePowerManagement != 0};
    return STATUS_SUCCESS;
}

static NTSTATUS physical_adapter_count(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    ((D3DKMT_PHYSICAL_ADAPTER_COUNT *)data)->Count = caps.physical_adapters;
    return STATUS_SUCCESS;
}

/* Bits of displays that the manager has nothing to do with are clear. */
static NTSTATUS caps_1_2(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_WDDM_1_2_CAPS *)data =
        (D3DKMT_WDDM_1_2_CAPS){.PreemptionCaps = caps.driver.PreemptionCaps,
                               .SupportNonVGA = caps.driver.SupportNonVGA != 0,
                               .SupportSmoothRotation = caps.driver.SupportSmoothRotation != 0,
                               .SupportPerEngineTDR = caps.driver.SupportPerEngineTDR != 0,
                               .SupportKernelModeCommandBuffer = caps.kernel_mode_commands,
                               .SupportGammaRamp = caps.driver.GammaRampCaps.Value != 0,
                               .SupportHWCursor = caps.driver.PointerCaps.Value != 0,
                               .SupportSurpriseRemovalInHibernation =
                                   caps.driver.SupportSurpriseRemovalInHibernation != 0};
    return STATUS_SUCCESS;
}

static NTSTATUS caps_1_3(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_WDDM_1_3_CAPS *)data = (D3DKMT_WDDM_1_3_CAPS){
        .IsHybridIntegratedGPU = caps.driver.HybridIntegrated != 0,
        .IsHybridDiscreteGPU = caps.driver.HybridDiscrete != 0,
        .SupportCrossAdapterResource = caps.driver.MemoryManagementCaps.CrossAdapterResource};
    return STATUS_SUCCESS;
}

static NTSTATUS caps_2_0(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_WDDM_2_0_CAPS *)data = (D3DKMT_WDDM_2_0_CAPS){
        .Support64BitAtomics = !caps.driver.SchedulingCaps.No64BitAtomics,
        .GpuMmuSupported = caps.page_tables,
        .IoMmuSupported = caps.io_mmu,
        .SupportContextlessPresent = caps.driver.MiscCaps.SupportContextlessPresent,
        .SupportSurpriseRemoval = caps.driver.SupportSurpriseRemoval != 0};
    return STATUS_SUCCESS;
}

/* Hardware does not schedule here, and flips no queue: its bits are clear in all three. */
/* Whether the hardware schedules on some node. */
static bool has_hw_queues(const struct vidmm_adapter *adapter)
{
    struct vidmm_adapter_caps caps;
    bool any = false;

    vidmm_adapter_get_caps(adapter, &caps);
    for (uint32_t node = 0; node < caps.nodes; node++)
        any |= vidmm_hw_queues_of(adapter, node) != 0;
    return any;
}

static NTSTATUS caps_2_7(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_WDDM_2_7_CAPS *)data = (D3DKMT_WDDM_2_7_CAPS){
        .HwSchSupported = has_hw_queues(adapter),
        .HwSchEnabled = has_hw_queues(adapter),
        .IndependentVidPnVSyncControl = caps.driver.MiscCaps.IndependentVidPnVSyncControl};
    return STATUS_SUCCESS;
}

static NTSTATUS caps_2_9(struct vidmm_adapter *adapter, void *data)
{
    bool any = has_hw_queues(adapter);

    *(D3DKMT_WDDM_2_9_CAPS *)data = (D3DKMT_WDDM_2_9_CAPS){
        .HwSchSupportState = any ? DXGK_FEATURE_SUPPORT_STABLE : DXGK_FEATURE_SUPPORT_ALWAYS_OFF,
        .HwSchEnabled = any};
    return STATUS_SUCCESS;
}

static NTSTATUS caps_3_0(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_WDDM_3_0_CAPS *)data =
        (D3DKMT_WDDM_3_0_CAPS){.DisplayableSupported = caps.driver.MiscCaps.DisplayableSupport};
    return STATUS_SUCCESS;
}

static NTSTATUS cross_adapter(struct vidmm_adapter *adapter, void *data)
{
    D3DKMT_CROSSADAPTERRESOURCE_SUPPORT *query = data;
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    query->SupportTier = D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_NONE;
    if (caps.driver.MemoryManagementCaps.CrossAdapterResource)
        query->SupportTier = D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_COPY;
    if (caps.driver.MemoryManagementCaps.CrossAdapterResourceTexture)
        query->SupportTier = D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_TEXTURE;
    if (caps.driver.MemoryManagementCaps.CrossAdapterResourceScanout)
        query->SupportTier = D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_SCANOUT;
    return STATUS_SUCCESS;
}

/* ---- what this machine has not --------------------------------------------------------------- */

/* Nobody replaces the driver of an adapter that is started. */
static NTSTATUS update_status(struct vidmm_adapter *adapter, void *data)
{
    (void)adapter;
    *(BOOL *)data = FALSE;
    return STATUS_SUCCESS;
}

static NTSTATUS paravirtualization(struct vidmm_adapter *adapter, void *data)
{
    (void)adapter;
    ((D3DKMT_PARAVIRTUALIZATION *)data)->SecureContainer = FALSE;
    return STATUS_SUCCESS;
}

/* No tracked workload can be created. */
static NTSTATUS tracked_workload(struct vidmm_adapter *adapter, void *data)
{
    D3DKMT_TRACKEDWORKLOAD_SUPPORT *query = data;
    struct vidmm_adapter_caps caps;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    status = check_physical(&caps, query->PhysicalAdapterIndex);
    if (status == STATUS_SUCCESS)
        query->Support = FALSE;
    return status;
}

/* There is no registry, so no value is found there. */
static NTSTATUS registry(struct vidmm_adapter *adapter, void *data)
{
    D3DDDI_QUERYREGISTRY_INFO *query = data;
    struct vidmm_adapter_caps caps;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    status = check_physical(&caps, query->PhysicalAdapterIndex);
    if (status != STATUS_SUCCESS)
        return status;
    if ((unsigned)query->QueryType >= D3DDDI_QUERYREGISTRY_MAX)
        return vidmm_thunk_refuse("QueryType is %d; expected 0 to 3", (int)query->QueryType);
    if (query->QueryFlags.Reserved != 0)
        return vidmm_thunk_refuse("QueryFlags is 0x%x, which has reserved bits set",
                                  query->QueryFlags.Value);
    query->Status = D3DDDI_QUERYREGISTRY_STATUS_FAIL;
    query->OutputValueSize = 0;
    return STATUS_SUCCESS;
}

/* ---- addresses, nodes, the bus --------------------------------------------------------------- */

static NTSTATUS virtual_addresses(struct vidmm_adapter *adapter, void *data)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    *(D3DKMT_VIRTUALADDRESSINFO *)data = (D3DKMT_VIRTUALADDRESSINFO){
        .VirtualAddressFlags = {.VirtualAddressSupported = caps.page_tables}};
    return STATUS_SUCCESS;
}

static NTSTATUS gpummu_caps(struct vidmm_adapter *adapter, void *data)
{
    D3DKMT_QUERY_GPUMMU_CAPS *query = data;
    struct vidmm_adapter_caps caps;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    status = check_physical(&caps, query->PhysicalAdapterIndex);
    if (status != STATUS_SUCCESS)
        return status;
    if (!caps.page_tables) {
        vidmm_thunk_refuse("hAdapter has no page tables of its own");
        return STATUS_NOT_SUPPORTED;
    }
    query->Caps = (D3DKMT_GPUMMU_CAPS){
        .Flags = {.ReadOnlyMemorySupported = caps.mmu.ReadOnlyMemorySupported,
                  .NoExecuteMemorySupported = caps.mmu.NoExecuteMemorySupported,
                  .CacheCoherentMemorySupported = caps.mmu.CacheCoherentMemorySupported},
        .VirtualAddressBitCount = caps.mmu.VirtualAddressBitCount};
    return STATUS_SUCCESS;
}

/* The low half of the number is the node's, the high half the physical adapter's. */
static NTSTATUS node_metadata(struct vidmm_adapter *adapter, void *data)
{
    D3DKMT_NODEMETADATA *query = data;
    struct vidmm_adapter_caps caps;
    DXGK_NODEMETADATA metadata;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    status = check_physical(&caps, query->NodeOrdinalAndAdapterIndex >> 16);
    if (status == STATUS_SUCCESS)
        status = vidmm_query_node_metadata(adapter, query->NodeOrdinalAndAdapterIndex & 0xffff,
                                           &metadata, vidmm_thunk_report());
    if (status == STATUS_SUCCESS)
        query->NodeData = metadata;
    return status;
}

/* BusType has no numbers on its page, and is left as the caller has it. */
static NTSTATUS device_ids(struct vidmm_adapter *adapter, void *data)
{
    D3DKMT_QUERY_DEVICE_IDS *query = data;
    struct vidmm_adapter_caps caps;
    struct vidmm_device_ids ids;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    status = check_physical(&caps, query->PhysicalAdapterIndex);
    if (status != STATUS_SUCCESS)
        return status;
    if (!vidmm_adapter_device_ids(adapter, query->PhysicalAdapterIndex, &ids)) {
        vidmm_thunk_refuse("hAdapter has no config space that this machine can read");
        return STATUS_NOT_SUPPORTED;
    }
    query->DeviceIds.VendorID = ids.vendor;
    query->DeviceIds.DeviceID = ids.device;
    query->DeviceIds.SubVendorID = ids.subsystem_vendor;
    query->DeviceIds.SubSystemID = ids.subsystem;
    query->DeviceIds.RevisionID = ids.revision;
    return STATUS_SUCCESS;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define QUERY(Name, Type, answer)                                                                  \
    {                                                                                              \
        KMTQAITYPE_##Name, #Name, sizeof(Type), answer, NULL                                       \
    }
#define IDENTITY(Name, Type, tell)                                                                 \
    {                                                                                              \
        KMTQAITYPE_##Name, #Name, sizeof(Type), NULL, tell                                         \
    }

static const struct query {
    KMTQUERYADAPTERINFOTYPE type;
    const char *name;
    uint32_t size;
    NTSTATUS (*answer)(struct vidmm_adapter *adapter, void *data); /* one of them */
    NTSTATUS (*tell)(const struct vidmm_thunk_adapter *adapter, void *data);
} queries[] = {
    QUERY(GETSEGMENTSIZE, D3DKMT_SEGMENTSIZEINFO, segment_size),
    QUERY(GETSEGMENTGROUPSIZE, D3DKMT_SEGMENTGROUPSIZEINFO, segment_group_size),
    QUERY(DRIVERVERSION, D3DKMT_DRIVERVERSION, driver_version),
    QUERY(DRIVERVERSION_RENDER, D3DKMT_DRIVERVERSION, driver_version),
    QUERY(ADAPTERTYPE, D3DKMT_ADAPTERTYPE, adapter_type),
    QUERY(ADAPTERTYPE_RENDER, D3DKMT_ADAPTERTYPE, adapter_type),
    QUERY(PHYSICALADAPTERCOUNT, D3DKMT_PHYSICAL_ADAPTER_COUNT, physical_adapter_count),
    QUERY(PHYSICALADAPTERDEVICEIDS, D3DKMT_QUERY_DEVICE_IDS, device_ids),
    QUERY(WDDM_1_2_CAPS, D3DKMT_WDDM_1_2_CAPS, caps_1_2),
    QUERY(WDDM_1_2_CAPS_RENDER, D3DKMT_WDDM_1_2_CAPS, caps_1_2),
    QUERY(WDDM_1_3_CAPS, D3DKMT_WDDM_1_3_CAPS, caps_1_3),
    QUERY(WDDM_1_3_CAPS_RENDER, D3DKMT_WDDM_1_3_CAPS, caps_1_3),
    QUERY(WDDM_2_0_CAPS, D3DKMT_WDDM_2_0_CAPS, caps_2_0),
    QUERY(WDDM_2_7_CAPS, D3DKMT_WDDM_2_7_CAPS, caps_2_7),
    QUERY(WDDM_2_9_CAPS, D3DKMT_WDDM_2_9_CAPS, caps_2_9),
    QUERY(WDDM_3_0_CAPS, D3DKMT_WDDM_3_0_CAPS, caps_3_0),
    QUERY(CROSSADAPTERRESOURCE_SUPPORT, D3DKMT_CROSSADAPTERRESOURCE_SUPPORT, cross_adapter),
    QUERY(CHECKDRIVERUPDATESTATUS, BOOL, update_status),
    QUERY(CHECKDRIVERUPDATESTATUS_RENDER, BOOL, update_status),
    QUERY(PARAVIRTUALIZATION_RENDER, D3DKMT_PARAVIRTUALIZATION, paravirtualization),
    QUERY(TRACKEDWORKLOAD_SUPPORT, D3DKMT_TRACKEDWORKLOAD_SUPPORT, tracked_workload),
    QUERY(QUERYREGISTRY, D3DDDI_QUERYREGISTRY_INFO, registry),
    QUERY(VIRTUALADDRESSINFO, D3DKMT_VIRTUALADDRESSINFO, virtual_addresses),
    QUERY(QUERY_GPUMMU_CAPS, D3DKMT_QUERY_GPUMMU_CAPS, gpummu_caps),
    QUERY(NODEMETADATA, D3DKMT_NODEMETADATA, node_metadata),
    IDENTITY(DRIVER_DESCRIPTION, D3DKMT_DRIVER_DESCRIPTION, vidmm_query_description),
    IDENTITY(DRIVER_DESCRIPTION_RENDER, D3DKMT_DRIVER_DESCRIPTION, vidmm_query_description),
    IDENTITY(ADAPTERREGISTRYINFO, D3DKMT_ADAPTERREGISTRYINFO, vidmm_query_registry_info),
    IDENTITY(ADAPTERREGISTRYINFO_RENDER, D3DKMT_ADAPTERREGISTRYINFO, vidmm_query_registry_info),
    IDENTITY(QUERY_ADAPTER_UNIQUE_GUID, D3DKMT_QUERY_ADAPTER_UNIQUE_GUID, vidmm_query_guid),
    IDENTITY(KMD_DRIVER_VERSION, D3DKMT_KMD_DRIVER_VERSION, vidmm_query_driver_version),
    IDENTITY(XBOX, D3DKMT_XBOX, vidmm_query_no),
    IDENTITY(QUERY_ISBADDRIVERFORHWPROTECTIONDISABLED, D3DKMT_ISBADDRIVERFORHWPROTECTIONDISABLED,
             vidmm_query_no),
    IDENTITY(PANELFITTER_SUPPORT, D3DKMT_PANELFITTER_SUPPORT, vidmm_query_no),
    IDENTITY(HYBRID_DLIST_DLL_SUPPORT, D3DKMT_HYBRID_DLIST_DLL_SUPPORT, vidmm_query_no),
};

/* The answer is made in a buffer of ours: a program's may lie at any address. */
static NTSTATUS answer_query(struct vidmm_thunk_process *process,
                             const struct vidmm_thunk_adapter *adapter,
                             const D3DKMT_QUERYADAPTERINFO *arguments)
{
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        _Alignas(16) unsigned char data[sizeof(D3DKMT_DRIVER_DESCRIPTION)];
        UINT size = arguments->PrivateDriverDataSize;
        bool longer =
            queries[i].type == KMTQAITYPE_QUERYREGISTRY; /* its end is as long as wanted */
        NTSTATUS status;

        if (queries[i].type != arguments->Type)
            continue;
        assert(queries[i].size <= sizeof(data));
        if (longer ? size < queries[i].size : size != queries[i].size)
            return vidmm_thunk_refuse("PrivateDriverDataSize of %s is %u; expected %u%s",
                                      queries[i].name, size, queries[i].size,
                                      longer ? " or more" : "");
        memcpy(data, arguments->pPrivateDriverData, queries[i].size);
        status = queries[i].tell != NULL ? queries[i].tell(adapter, data)
                                         : queries[i].answer(adapter->adapter, data);
        if (status == STATUS_SUCCESS)
            memcpy(arguments->pPrivateDriverData, data, queries[i].size);
        return status;
    }
    atomic_fetch_add_explicit(&process->missed[VIDMM_THUNK_QueryAdapterInfo], 1,
                              memory_order_relaxed);
    vidmm_thunk_refuse("Type is %d, which is not built", (int)arguments->Type);
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_thunk_QueryAdapterInfo(struct vidmm_thunk_process *process,
                                      D3DKMT_QUERYADAPTERINFO *arguments)
{
    struct vidmm_thunk_object *object;
    const struct vidmm_thunk_adapter *adapter;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pPrivateDriverData == NULL)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL");
    object =
        vidmm_thunk_find_and_hold(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    adapter = object->of;
    if (arguments->Type == KMTQAITYPE_UMDRIVERPRIVATE)
        status = vidmm_query_private(adapter->adapter, arguments->pPrivateDriverData,
                                     arguments->PrivateDriverDataSize, vidmm_thunk_report());
    else
        status = answer_query(process, adapter, arguments);
    vidmm_thunk_let_go(process, object);
    return status;
}
