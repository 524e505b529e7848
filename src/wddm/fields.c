/* fields.c: the tables of members. */
#include "wddm/fields.h"

#include <wddm/d3dkmddi_callback.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/d3dkmddi_display.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/d3dkmddi_submit.h>

#include "wddm/fields_own.h"
#include "wddm/fields_table.h"
#include "wddm/level.h"
#include "wddm/mask.h"

/* ---- Names of enumerated values ---- */

#define ENUM(type, prefix) static const struct vidmm_enum_value type##_values[] = {
#define VALUE(enumerator) {#enumerator, enumerator},
#define END_ENUM(type)                                                                             \
    }                                                                                              \
    ;
#include "wddm/enums.def"
#undef ENUM
#undef VALUE
#undef END_ENUM

#define ENUM(type, prefix_)                                                                        \
    static const struct vidmm_enum type##_names = {.prefix = sizeof prefix_ - 1,                   \
                                                   .count = sizeof type##_values /                 \
                                                            sizeof type##_values[0],               \
                                                   .values = type##_values};
#define VALUE(enumerator)
#define END_ENUM(type)
#include "wddm/enums.def"
#undef ENUM
#undef VALUE
#undef END_ENUM

const char *vidmm_enum_name(const struct vidmm_enum *type, int value)
{
    for (size_t i = 0; i < type->count; i++)
        if (type->values[i].value == value)
            return type->values[i].name + type->prefix;
    return NULL;
}

const char *vidmm_paging_operation_name(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    return vidmm_enum_name(&DXGK_BUILDPAGINGBUFFER_OPERATION_names, (int)operation);
}

/* ---- Elements of lists ---- */

#define ELEMENT(function, type)                                                                    \
    {                                                                                              \
        .size = sizeof(type), .kind = VIDMM_FIELD_OWN, .when = BOTH, .until = UINT16_MAX,          \
        .print = function                                                                          \
    }
static const struct vidmm_field allocation_element[] = {
    ELEMENT(vidmm_print_allocation, DXGK_ALLOCATIONLIST),
};
FIELDS(allocation_element, DXGK_ALLOCATIONLIST);
static const struct vidmm_field location_element[] = {
    ELEMENT(vidmm_print_patch_location, D3DDDI_PATCHLOCATIONLIST),
};
FIELDS(location_element, D3DDDI_PATCHLOCATIONLIST);
static const struct vidmm_field handle_element[] = {
    {.size = sizeof(HANDLE), .kind = VIDMM_FIELD_HEX, .when = BOTH, .until = UINT16_MAX},
};
FIELDS(handle_element, HANDLE);
static const struct vidmm_field host_page[] = {
    {.size = sizeof(UINT32), .kind = VIDMM_FIELD_NUMBER, .when = BOTH, .until = UINT16_MAX},
};
FIELDS(host_page, UINT32);
static const struct vidmm_field memory_page[] = {
    {.size = sizeof(UINT64), .kind = VIDMM_FIELD_NUMBER, .when = BOTH, .until = UINT16_MAX},
};
FIELDS(memory_page, UINT64);

/* ---- Adapter ---- */

static const struct vidmm_field add_device[] = {
    HEX(struct vidmm_ddi_add_device, PhysicalDeviceObject, ENTERED),
    HEX(struct vidmm_ddi_add_device, MiniportDeviceContext, RETURNED),
};
FIELDS(add_device, struct vidmm_ddi_add_device);

static const struct vidmm_field start_device[] = {
    NUMBER(struct vidmm_ddi_start_device, RequiredDmaQueueEntry, BOTH),
    HEX(struct vidmm_ddi_start_device, DeviceHandle, ENTERED),
    NUMBER(struct vidmm_ddi_start_device, NumberOfVideoPresentSources, RETURNED),
    NUMBER(struct vidmm_ddi_start_device, NumberOfChildren, RETURNED),
};
FIELDS(start_device, struct vidmm_ddi_start_device);

static const struct vidmm_field child_relations[] = {
    NUMBER(struct vidmm_ddi_query_child_relations, ChildRelationsSize, ENTERED),
};
FIELDS(child_relations, struct vidmm_ddi_query_child_relations);

static const struct vidmm_field power_state[] = {
    NUMBER(struct vidmm_ddi_set_power_state, DeviceUid, ENTERED),
    NUMBER(struct vidmm_ddi_set_power_state, DevicePowerState, ENTERED),
    NUMBER(struct vidmm_ddi_set_power_state, ActionType, ENTERED),
};
FIELDS(power_state, struct vidmm_ddi_set_power_state);

static const struct vidmm_field interrupt_routine[] = {
    NUMBER(struct vidmm_ddi_interrupt_routine, MessageNumber, ENTERED),
};
FIELDS(interrupt_routine, struct vidmm_ddi_interrupt_routine);

static const struct vidmm_field control_interrupt[] = {
    NAME(struct vidmm_ddi_control_interrupt, InterruptType, ENTERED, DXGK_INTERRUPT_TYPE),
    NUMBER(struct vidmm_ddi_control_interrupt, EnableInterrupt, ENTERED),
};
FIELDS(control_interrupt, struct vidmm_ddi_control_interrupt);

static const struct vidmm_field query[] = {
    NAME(DXGKARG_QUERYADAPTERINFO, Type, ENTERED, DXGK_QUERYADAPTERINFOTYPE),
    NUMBER(DXGKARG_QUERYADAPTERINFO, InputDataSize, ENTERED),
    NUMBER(DXGKARG_QUERYADAPTERINFO, OutputDataSize, ENTERED),
};
FIELDS(query, DXGKARG_QUERYADAPTERINFO);

static const struct vidmm_field caps[] = {
    HEX(DXGK_DRIVERCAPS, HighestAcceptableAddress, RETURNED),
    NUMBER(DXGK_DRIVERCAPS, MaxAllocationListSlotId, RETURNED),
    NUMBER(DXGK_DRIVERCAPS, ApertureSegmentCommitLimit, RETURNED),
    NUMBER(DXGK_DRIVERCAPS, InterruptMessageNumber, RETURNED),
    NUMBER(DXGK_DRIVERCAPS, NumberOfSwizzlingRanges, RETURNED),
    MASK(DXGK_DRIVERCAPS, SchedulingCaps, RETURNED, DXGK_VIDSCHCAPS),
    MASK(DXGK_DRIVERCAPS, MemoryManagementCaps.Value, RETURNED, DXGK_VIDMMCAPS),
    NUMBER(DXGK_DRIVERCAPS, MemoryManagementCaps.PagingNode, RETURNED),
    NUMBER(DXGK_DRIVERCAPS, GpuEngineTopology.NbAsymetricProcessingNodes, RETURNED),
};
FIELDS(caps, DXGK_DRIVERCAPS);

#define SEGMENT_MEMBERS(type)                                                                      \
    MASK(type, Flags, BOTH, DXGK_SEGMENTFLAGS), HEX(type, BaseAddress, BOTH),                      \
        HEX(type, CpuTranslatedAddress, BOTH), NUMBER(type, Size, BOTH),                           \
        NUMBER(type, CommitLimit, BOTH)
static const struct vidmm_field segment[] = {
    SEGMENT_MEMBERS(DXGK_SEGMENTDESCRIPTOR),
    NUMBER(DXGK_SEGMENTDESCRIPTOR, NbOfBanks, BOTH),
};
FIELDS(segment, DXGK_SEGMENTDESCRIPTOR);
static const struct vidmm_field segment3[] = {
    SEGMENT_MEMBERS(DXGK_SEGMENTDESCRIPTOR3),
    NUMBER(DXGK_SEGMENTDESCRIPTOR3, NbOfBanks, BOTH),
};
FIELDS(segment3, DXGK_SEGMENTDESCRIPTOR3);
static const struct vidmm_field segment4[] = {
    SEGMENT_MEMBERS(DXGK_SEGMENTDESCRIPTOR4),
    NUMBER(DXGK_SEGMENTDESCRIPTOR4, NumInvalidMemoryRanges, BOTH),
};
FIELDS(segment4, DXGK_SEGMENTDESCRIPTOR4);

#define SEGMENT_ANSWER(type)                                                                       \
    NUMBER(type, NbSegment, RETURNED), NUMBER(type, PagingBufferSegmentId, RETURNED),              \
        NUMBER(type, PagingBufferSize, RETURNED),                                                  \
        NUMBER(type, PagingBufferPrivateDataSize, RETURNED)
static const struct vidmm_field segments[] = {
    SEGMENT_ANSWER(DXGK_QUERYSEGMENTOUT),
    LIST(DXGK_QUERYSEGMENTOUT, pSegmentDescriptor, NbSegment, RETURNED, segment_fields),
};
FIELDS(segments, DXGK_QUERYSEGMENTOUT);
static const struct vidmm_field segments3[] = {
    SEGMENT_ANSWER(DXGK_QUERYSEGMENTOUT3),
    LIST(DXGK_QUERYSEGMENTOUT3, pSegmentDescriptor, NbSegment, RETURNED, segment3_fields),
};
FIELDS(segments3, DXGK_QUERYSEGMENTOUT3);
static const struct vidmm_field segments4[] = {
    SEGMENT_ANSWER(DXGK_QUERYSEGMENTOUT4),
    NUMBER(DXGK_QUERYSEGMENTOUT4, SegmentDescriptorStride, RETURNED),
    {.name = "pSegmentDescriptor",
     .offset = offsetof(DXGK_QUERYSEGMENTOUT4, pSegmentDescriptor),
     .size = sizeof(void *),
     .kind = VIDMM_FIELD_LIST,
     .when = RETURNED,
     .until = UINT16_MAX,
     .detail = &segment4_fields,
     .count_offset = offsetof(DXGK_QUERYSEGMENTOUT4, NbSegment),
     .stride_offset = offsetof(DXGK_QUERYSEGMENTOUT4, SegmentDescriptorStride)},
};
FIELDS(segments4, DXGK_QUERYSEGMENTOUT4);

/* ---- Devices and contexts ---- */

/* pInfo is not looked at: it shares its place with Flags, and a driver that leaves it alone leaves
 * those there. */
static const struct vidmm_field create_device[] = {
    HEX(DXGKARG_CREATEDEVICE, hDevice, BOTH),
    MASK(DXGKARG_CREATEDEVICE, Flags, ENTERED, DXGK_CREATEDEVICEFLAGS),
};
FIELDS(create_device, DXGKARG_CREATEDEVICE);
static const struct vidmm_field create_process[] = {
    HEX(DXGKARG_CREATEPROCESS, hDxgkProcess, ENTERED),
    HEX(DXGKARG_CREATEPROCESS, hKmdProcess, RETURNED), HEX(DXGKARG_CREATEPROCESS, Flags, ENTERED),
    NUMBER(DXGKARG_CREATEPROCESS, NumPasid, ENTERED)};
FIELDS(create_process, DXGKARG_CREATEPROCESS);
static const struct vidmm_field destroy_process[] = {
    HEX(struct vidmm_ddi_destroy_process, hKmdProcess, ENTERED)};
FIELDS(destroy_process, struct vidmm_ddi_destroy_process);
static const struct vidmm_field physical_address[] = {
    NUMBER(D3DGPU_PHYSICAL_ADDRESS, SegmentId, ENTERED),
    HEX(D3DGPU_PHYSICAL_ADDRESS, SegmentOffset, ENTERED)};
FIELDS(physical_address, D3DGPU_PHYSICAL_ADDRESS);
static const struct vidmm_field set_root[] = {
    HEX(DXGKARG_SETROOTPAGETABLE, hContext, ENTERED),
    STRUCT(DXGKARG_SETROOTPAGETABLE, Address, ENTERED, physical_address_fields),
    NUMBER(DXGKARG_SETROOTPAGETABLE, NumEntries, ENTERED),
};
FIELDS(set_root, DXGKARG_SETROOTPAGETABLE);
static const struct vidmm_field context_info[] = {
    NUMBER(DXGK_CONTEXTINFO, DmaBufferSize, RETURNED),
    HEX(DXGK_CONTEXTINFO, DmaBufferSegmentSet, RETURNED),
    NUMBER(DXGK_CONTEXTINFO, DmaBufferPrivateDataSize, RETURNED),
    NUMBER(DXGK_CONTEXTINFO, AllocationListSize, RETURNED),
    NUMBER(DXGK_CONTEXTINFO, PatchLocationListSize, RETURNED),
};
FIELDS(context_info, DXGK_CONTEXTINFO);
static const struct vidmm_field create_context[] = {
    HEX(DXGKARG_CREATECONTEXT, hContext, BOTH),
    NUMBER(DXGKARG_CREATECONTEXT, NodeOrdinal, ENTERED),
    HEX(DXGKARG_CREATECONTEXT, EngineAffinity, ENTERED),
    MASK(DXGKARG_CREATECONTEXT, Flags, ENTERED, DXGK_CREATECONTEXTFLAGS),
    NUMBER(DXGKARG_CREATECONTEXT, PrivateDriverDataSize, ENTERED),
    STRUCT(DXGKARG_CREATECONTEXT, ContextInfo, RETURNED, context_info_fields),
};
FIELDS(create_context, DXGKARG_CREATECONTEXT);

/* ---- Allocations ---- */

#define V2 VIDMM_LEVEL(2, 0)
#define V3 VIDMM_LEVEL(3, 0)
static const struct vidmm_field allocation_info[] = {
    NUMBER(DXGK_ALLOCATIONINFO, PrivateDriverDataSize, ENTERED),
    HEX(DXGK_ALLOCATIONINFO, hAllocation, RETURNED),
    NUMBER(DXGK_ALLOCATIONINFO, Alignment, RETURNED),
    NUMBER(DXGK_ALLOCATIONINFO, Size, RETURNED),
    NUMBER(DXGK_ALLOCATIONINFO, PitchAlignedSize, RETURNED),
    HEX(DXGK_ALLOCATIONINFO, HintedBank, RETURNED),
    OWN(DXGK_ALLOCATIONINFO, PreferredSegment, RETURNED, vidmm_print_preference),
    HEX(DXGK_ALLOCATIONINFO, SupportedReadSegmentSet, RETURNED),
    HEX(DXGK_ALLOCATIONINFO, SupportedWriteSegmentSet, RETURNED),
    HEX(DXGK_ALLOCATIONINFO, EvictionSegmentSet, RETURNED),
    FIELD(DXGK_ALLOCATIONINFO, MaximumRenamingListLength, VIDMM_FIELD_NUMBER, RETURNED, 0, V2,
          NULL),
    FIELD(DXGK_ALLOCATIONINFO, PhysicalAdapterIndex, VIDMM_FIELD_NUMBER, RETURNED, V2, UINT16_MAX,
          NULL),
    FIELD(DXGK_ALLOCATIONINFO, Flags, VIDMM_FIELD_MASK, RETURNED, 0, V2,
          &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS),
    FIELD(DXGK_ALLOCATIONINFO, FlagsWddm2, VIDMM_FIELD_MASK, RETURNED, V2, UINT16_MAX,
          &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS_WDDM2_0),
    FIELD(DXGK_ALLOCATIONINFO, Flags2, VIDMM_FIELD_MASK, RETURNED, V3, UINT16_MAX,
          &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS2),
    HEX(DXGK_ALLOCATIONINFO, AllocationPriority, RETURNED),
};
FIELDS(allocation_info, DXGK_ALLOCATIONINFO);
static const struct vidmm_field create_allocation[] = {
    MASK(DXGKARG_CREATEALLOCATION, Flags, ENTERED, DXGK_CREATEALLOCATIONFLAGS),
    HEX(DXGKARG_CREATEALLOCATION, hResource, BOTH),
    NUMBER(DXGKARG_CREATEALLOCATION, PrivateDriverDataSize, ENTERED),
    NUMBER(DXGKARG_CREATEALLOCATION, NumAllocations, ENTERED),
    LIST(DXGKARG_CREATEALLOCATION, pAllocationInfo, NumAllocations, BOTH, allocation_info_fields),
};
FIELDS(create_allocation, DXGKARG_CREATEALLOCATION);
static const struct vidmm_field destroy_allocation[] = {
    MASK(DXGKARG_DESTROYALLOCATION, Flags, ENTERED, DXGK_DESTROYALLOCATIONFLAGS),
    HEX(DXGKARG_DESTROYALLOCATION, hResource, ENTERED),
    LIST(DXGKARG_DESTROYALLOCATION, pAllocationList, NumAllocations, ENTERED,
         handle_element_fields),
};
FIELDS(destroy_allocation, DXGKARG_DESTROYALLOCATION);
static const struct vidmm_field open_info[] = {
    HEX(DXGK_OPENALLOCATIONINFO, hAllocation, ENTERED),
    NUMBER(DXGK_OPENALLOCATIONINFO, PrivateDriverDataSize, ENTERED),
    HEX(DXGK_OPENALLOCATIONINFO, hDeviceSpecificAllocation, RETURNED),
};
FIELDS(open_info, DXGK_OPENALLOCATIONINFO);
static const struct vidmm_field open_allocation[] = {
    MASK(DXGKARG_OPENALLOCATION, Flags, ENTERED, DXGK_OPENALLOCATIONFLAGS),
    LIST(DXGKARG_OPENALLOCATION, pOpenAllocation, NumAllocations, BOTH, open_info_fields),
};
FIELDS(open_allocation, DXGKARG_OPENALLOCATION);
static const struct vidmm_field close_allocation[] = {
    LIST(DXGKARG_CLOSEALLOCATION, pOpenHandleList, NumAllocations, ENTERED, handle_element_fields),
};
FIELDS(close_allocation, DXGKARG_CLOSEALLOCATION);
static const struct vidmm_field describe_allocation[] = {
    HEX(DXGKARG_DESCRIBEALLOCATION, hAllocation, ENTERED),
    NUMBER(DXGKARG_DESCRIBEALLOCATION, Width, RETURNED),
    NUMBER(DXGKARG_DESCRIBEALLOCATION, Height, RETURNED),
};
FIELDS(describe_allocation, DXGKARG_DESCRIBEALLOCATION);
static const struct vidmm_field validate_property[] = {
    HEX(DXGKARG_VALIDATEUPDATEALLOCPROPERTY, hAllocation, ENTERED),
    HEX(DXGKARG_VALIDATEUPDATEALLOCPROPERTY, SupportedSegmentSet, ENTERED),
    HEX(DXGKARG_VALIDATEUPDATEALLOCPROPERTY, PreferredSegment, ENTERED),
    HEX(DXGKARG_VALIDATEUPDATEALLOCPROPERTY, Flags, ENTERED),
    HEX(DXGKARG_VALIDATEUPDATEALLOCPROPERTY, PropertyMaskValue, ENTERED),
};
FIELDS(validate_property, DXGKARG_VALIDATEUPDATEALLOCPROPERTY);
static const struct vidmm_field standard_allocation[] = {
    NUMBER(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA, StandardAllocationType, ENTERED),
};
FIELDS(standard_allocation, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA);

static const struct vidmm_field acquire_range[] = {
    HEX(DXGKARG_ACQUIRESWIZZLINGRANGE, hAllocation, ENTERED),
    NUMBER(DXGKARG_ACQUIRESWIZZLINGRANGE, RangeId, ENTERED),
    NUMBER(DXGKARG_ACQUIRESWIZZLINGRANGE, SegmentId, ENTERED),
    NUMBER(DXGKARG_ACQUIRESWIZZLINGRANGE, RangeSize, BOTH),
    HEX(DXGKARG_ACQUIRESWIZZLINGRANGE, CPUTranslatedAddress, RETURNED),
};
FIELDS(acquire_range, DXGKARG_ACQUIRESWIZZLINGRANGE);

static const struct vidmm_field release_range[] = {
    HEX(DXGKARG_RELEASESWIZZLINGRANGE, hAllocation, ENTERED),
    NUMBER(DXGKARG_RELEASESWIZZLINGRANGE, RangeId, ENTERED),
};
FIELDS(release_range, DXGKARG_RELEASESWIZZLINGRANGE);

static const struct vidmm_field map_host[] = {
    HEX(DXGKARG_MAPCPUHOSTAPERTURE, hAllocation, ENTERED),
    NUMBER(DXGKARG_MAPCPUHOSTAPERTURE, SegmentId, ENTERED),
    NUMBER(DXGKARG_MAPCPUHOSTAPERTURE, PhysicalAdapterIndex, ENTERED),
    LIST(DXGKARG_MAPCPUHOSTAPERTURE, pCpuHostAperturePages, NumberOfPages, ENTERED,
         host_page_fields),
    LIST(DXGKARG_MAPCPUHOSTAPERTURE, pMemorySegmentPages, NumberOfPages, ENTERED,
         memory_page_fields),
};
FIELDS(map_host, DXGKARG_MAPCPUHOSTAPERTURE);
static const struct vidmm_field unmap_host[] = {
    NUMBER(DXGKARG_UNMAPCPUHOSTAPERTURE, SegmentId, ENTERED),
    NUMBER(DXGKARG_UNMAPCPUHOSTAPERTURE, PhysicalAdapterIndex, ENTERED),
    LIST(DXGKARG_UNMAPCPUHOSTAPERTURE, pCpuHostAperturePages, NumberOfPages, ENTERED,
         host_page_fields),
};
FIELDS(unmap_host, DXGKARG_UNMAPCPUHOSTAPERTURE);

/* ---- Work ---- */

/* The command buffer and the incoming patch locations are user memory: not looked at (D-336). */
static const struct vidmm_field render[] = {
    NUMBER(DXGKARG_RENDER, CommandLength, ENTERED),
    HEX(DXGKARG_RENDER, pDmaBuffer, BOTH),
    NUMBER(DXGKARG_RENDER, DmaSize, ENTERED),
    HEX(DXGKARG_RENDER, pDmaBufferPrivateData, BOTH),
    NUMBER(DXGKARG_RENDER, DmaBufferPrivateDataSize, ENTERED),
    NUMBER(DXGKARG_RENDER, DmaBufferSegmentId, ENTERED),
    HEX(DXGKARG_RENDER, DmaBufferPhysicalAddress, ENTERED),
    NUMBER(DXGKARG_RENDER, MultipassOffset, BOTH),
    LIST(DXGKARG_RENDER, pAllocationList, AllocationListSize, ENTERED, allocation_element_fields),
    NUMBER(DXGKARG_RENDER, PatchLocationListInSize, ENTERED),
    HEX(DXGKARG_RENDER, pPatchLocationListOut, BOTH),
    NUMBER(DXGKARG_RENDER, PatchLocationListOutSize, ENTERED),
};
FIELDS(render, DXGKARG_RENDER);

static const struct vidmm_field present[] = {
    HEX(DXGKARG_PRESENT, pDmaBuffer, BOTH),
    NUMBER(DXGKARG_PRESENT, DmaSize, ENTERED),
};
FIELDS(present, DXGKARG_PRESENT);

static const struct vidmm_field patch[] = {
    HEX(DXGKARG_PATCH, hContext, ENTERED),
    MASK(DXGKARG_PATCH, Flags, ENTERED, DXGK_PATCHFLAGS),
    HEX(DXGKARG_PATCH, SubmissionFenceId, ENTERED),
    NUMBER(DXGKARG_PATCH, EngineOrdinal, ENTERED),
    NUMBER(DXGKARG_PATCH, DmaBufferSegmentId, ENTERED),
    HEX(DXGKARG_PATCH, DmaBufferPhysicalAddress, ENTERED),
    HEX(DXGKARG_PATCH, pDmaBuffer, ENTERED),
    NUMBER(DXGKARG_PATCH, DmaBufferSize, ENTERED),
    NUMBER(DXGKARG_PATCH, DmaBufferSubmissionStartOffset, ENTERED),
    NUMBER(DXGKARG_PATCH, DmaBufferSubmissionEndOffset, ENTERED),
    NUMBER(DXGKARG_PATCH, DmaBufferPrivateDataSize, ENTERED),
    NUMBER(DXGKARG_PATCH, DmaBufferPrivateDataSubmissionStartOffset, ENTERED),
    NUMBER(DXGKARG_PATCH, DmaBufferPrivateDataSubmissionEndOffset, ENTERED),
    LIST(DXGKARG_PATCH, pAllocationList, AllocationListSize, ENTERED, allocation_element_fields),
    LIST(DXGKARG_PATCH, pPatchLocationList, PatchLocationListSize, ENTERED,
         location_element_fields),
    NUMBER(DXGKARG_PATCH, PatchLocationListSubmissionStart, ENTERED),
    NUMBER(DXGKARG_PATCH, PatchLocationListSubmissionLength, ENTERED),
};
FIELDS(patch, DXGKARG_PATCH);

static const struct vidmm_field submit[] = {
    HEX(DXGKARG_SUBMITCOMMAND, hContext, ENTERED),
    MASK(DXGKARG_SUBMITCOMMAND, Flags, ENTERED, DXGK_SUBMITCOMMANDFLAGS),
    HEX(DXGKARG_SUBMITCOMMAND, SubmissionFenceId, ENTERED),
    FIELD(DXGKARG_SUBMITCOMMAND, NodeOrdinal, VIDMM_FIELD_NUMBER, ENTERED, VIDMM_LEVEL(1, 2),
          UINT16_MAX, NULL),
    NUMBER(DXGKARG_SUBMITCOMMAND, EngineOrdinal, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMAND, DmaBufferSegmentId, ENTERED),
    HEX(DXGKARG_SUBMITCOMMAND, DmaBufferPhysicalAddress, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMAND, DmaBufferSize, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMAND, DmaBufferSubmissionStartOffset, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMAND, DmaBufferSubmissionEndOffset, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMAND, DmaBufferPrivateDataSize, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMAND, DmaBufferPrivateDataSubmissionStartOffset, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMAND, DmaBufferPrivateDataSubmissionEndOffset, ENTERED),
};
FIELDS(submit, DXGKARG_SUBMITCOMMAND);

static const struct vidmm_field submit_virtual[] = {
    HEX(DXGKARG_SUBMITCOMMANDVIRTUAL, hContext, ENTERED),
    MASK(DXGKARG_SUBMITCOMMANDVIRTUAL, Flags, ENTERED, DXGK_SUBMITCOMMANDFLAGS),
    HEX(DXGKARG_SUBMITCOMMANDVIRTUAL, SubmissionFenceId, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMANDVIRTUAL, NodeOrdinal, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMANDVIRTUAL, EngineOrdinal, ENTERED),
    HEX(DXGKARG_SUBMITCOMMANDVIRTUAL, DmaBufferVirtualAddress, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMANDVIRTUAL, DmaBufferSize, ENTERED),
    NUMBER(DXGKARG_SUBMITCOMMANDVIRTUAL, DmaBufferPrivateDataSize, ENTERED),
};
FIELDS(submit_virtual, DXGKARG_SUBMITCOMMANDVIRTUAL);

static const struct vidmm_field preempt[] = {
    HEX(DXGKARG_PREEMPTCOMMAND, PreemptionFenceId, ENTERED),
    NUMBER(DXGKARG_PREEMPTCOMMAND, NodeOrdinal, ENTERED),
    NUMBER(DXGKARG_PREEMPTCOMMAND, EngineOrdinal, ENTERED),
};
FIELDS(preempt, DXGKARG_PREEMPTCOMMAND);

static const struct vidmm_field cancel[] = {
    HEX(DXGKARG_CANCELCOMMAND, hContext, ENTERED),
    HEX(DXGKARG_CANCELCOMMAND, pDmaBuffer, ENTERED),
    NUMBER(DXGKARG_CANCELCOMMAND, DmaBufferSubmissionStartOffset, ENTERED),
    NUMBER(DXGKARG_CANCELCOMMAND, DmaBufferSubmissionEndOffset, ENTERED),
};
FIELDS(cancel, DXGKARG_CANCELCOMMAND);

static const struct vidmm_field format_history[] = {
    HEX(DXGKARG_FORMATHISTORYBUFFER, pHistoryBuffer, ENTERED),
    NUMBER(DXGKARG_FORMATHISTORYBUFFER, HistoryBufferSize, ENTERED),
    HEX(DXGKARG_FORMATHISTORYBUFFER, pFormattedBuffer, ENTERED),
    NUMBER(DXGKARG_FORMATHISTORYBUFFER, FormattedBufferSize, ENTERED),
    NUMBER(DXGKARG_FORMATHISTORYBUFFER, NumTimestamps, RETURNED),
    NUMBER(DXGKARG_FORMATHISTORYBUFFER, Precision.PrecisionBits, RETURNED),
    NUMBER(DXGKARG_FORMATHISTORYBUFFER, Offset, BOTH),
};
FIELDS(format_history, DXGKARG_FORMATHISTORYBUFFER);

static const struct vidmm_field current_fence[] = {
    NUMBER(DXGKARG_QUERYCURRENTFENCE, NodeOrdinal, ENTERED),
    NUMBER(DXGKARG_QUERYCURRENTFENCE, EngineOrdinal, ENTERED),
    HEX(DXGKARG_QUERYCURRENTFENCE, CurrentFence, RETURNED),
};
FIELDS(current_fence, DXGKARG_QUERYCURRENTFENCE);

static const struct vidmm_field engine_status[] = {
    NUMBER(DXGKARG_QUERYENGINESTATUS, NodeOrdinal, ENTERED),
    NUMBER(DXGKARG_QUERYENGINESTATUS, EngineOrdinal, ENTERED),
    HEX(DXGKARG_QUERYENGINESTATUS, EngineStatus, RETURNED),
};
FIELDS(engine_status, DXGKARG_QUERYENGINESTATUS);

static const struct vidmm_field engine_group[] = {
    NUMBER(DXGKARG_QUERYDEPENDENTENGINEGROUP, NodeOrdinal, ENTERED),
    NUMBER(DXGKARG_QUERYDEPENDENTENGINEGROUP, EngineOrdinal, ENTERED),
    HEX(DXGKARG_QUERYDEPENDENTENGINEGROUP, DependentNodeOrdinalMask, RETURNED),
};
FIELDS(engine_group, DXGKARG_QUERYDEPENDENTENGINEGROUP);

static const struct vidmm_field reset_engine[] = {
    NUMBER(DXGKARG_RESETENGINE, NodeOrdinal, ENTERED),
    NUMBER(DXGKARG_RESETENGINE, EngineOrdinal, ENTERED),
    HEX(DXGKARG_RESETENGINE, LastAbortedFenceId, RETURNED),
};
FIELDS(reset_engine, DXGKARG_RESETENGINE);

/* ---- Paging ---- */

#define ARG DXGKARG_BUILDPAGINGBUFFER
static const struct vidmm_field build[] = {
    NAME(ARG, Operation, ENTERED, DXGK_BUILDPAGINGBUFFER_OPERATION),
};
FIELDS(build, ARG);

static const struct vidmm_field build_buffer[] = {
    HEX(ARG, pDmaBuffer, BOTH),
    NUMBER(ARG, DmaSize, ENTERED),
    HEX(ARG, pDmaBufferPrivateData, BOTH),
    NUMBER(ARG, DmaBufferPrivateDataSize, ENTERED),
    HEX(ARG, MultipassOffset, BOTH),
};
FIELDS(build_buffer, ARG);

const struct vidmm_fields *vidmm_fields_of_buffer(void)
{
    return &build_buffer_fields;
}

/* ---- Context allocations ---- */

#define REQUEST DXGKARGCB_CREATECONTEXTALLOCATION
static const struct vidmm_field create_context_allocation[] = {
    HEX(REQUEST, ContextAllocationFlags.Value, ENTERED),
    HEX(REQUEST, hDevice, ENTERED),
    HEX(REQUEST, hContext, ENTERED),
    HEX(REQUEST, hDriverAllocation, ENTERED),
    NUMBER(REQUEST, Size, ENTERED),
    NUMBER(REQUEST, Alignment, ENTERED),
    HEX(REQUEST, SupportedSegmentSet, ENTERED),
    HEX(REQUEST, EvictionSegmentSet, ENTERED),
    MASK(REQUEST, Flags, ENTERED, DXGK_ALLOCATIONINFOFLAGS),
    HEX(REQUEST, hAllocation, RETURNED),
};
FIELDS(create_context_allocation, REQUEST);

static const struct vidmm_field destroy_context_allocation[] = {
    HEX(struct vidmm_ddi_destroy_context_allocation, hAllocation, ENTERED),
};
FIELDS(destroy_context_allocation, struct vidmm_ddi_destroy_context_allocation);

/* ---- Interrupts ---- */

#define NOTICE DXGKARGCB_NOTIFY_INTERRUPT_DATA
static const struct vidmm_field notice[] = {
    NAME(NOTICE, InterruptType, ENTERED, DXGK_INTERRUPT_TYPE),
};
FIELDS(notice, NOTICE);

static const struct vidmm_field completed[] = {
    HEX(NOTICE, DmaCompleted.SubmissionFenceId, ENTERED),
    NUMBER(NOTICE, DmaCompleted.NodeOrdinal, ENTERED),
    NUMBER(NOTICE, DmaCompleted.EngineOrdinal, ENTERED),
};
FIELDS(completed, NOTICE);

static const struct vidmm_field preempted[] = {
    HEX(NOTICE, DmaPreempted.PreemptionFenceId, ENTERED),
    HEX(NOTICE, DmaPreempted.LastCompletedFenceId, ENTERED),
    NUMBER(NOTICE, DmaPreempted.NodeOrdinal, ENTERED),
    NUMBER(NOTICE, DmaPreempted.EngineOrdinal, ENTERED),
};
FIELDS(preempted, NOTICE);

static const struct vidmm_field faulted[] = {
    HEX(NOTICE, DmaFaulted.FaultedFenceId, ENTERED),
    HEX(NOTICE, DmaFaulted.Status, ENTERED),
    NUMBER(NOTICE, DmaFaulted.NodeOrdinal, ENTERED),
    NUMBER(NOTICE, DmaFaulted.EngineOrdinal, ENTERED),
};
FIELDS(faulted, NOTICE);

const struct vidmm_fields *vidmm_fields_of_interrupt(DXGK_INTERRUPT_TYPE type)
{
    switch (type) {
    case DXGK_INTERRUPT_DMA_COMPLETED:
        return &completed_fields;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
        return &preempted_fields;
    case DXGK_INTERRUPT_DMA_FAULTED:
        return &faulted_fields;
    default:
        return NULL;
    }
}

const struct vidmm_fields *vidmm_fields_of_query(DXGK_QUERYADAPTERINFOTYPE type)
{
    switch (type) {
    case DXGKQAITYPE_DRIVERCAPS:
        return &caps_fields;
    case DXGKQAITYPE_QUERYSEGMENT:
        return &segments_fields;
    case DXGKQAITYPE_QUERYSEGMENT3:
        return &segments3_fields;
    case DXGKQAITYPE_QUERYSEGMENT4:
        return &segments4_fields;
    default:
        return NULL;
    }
}

const struct vidmm_fields *vidmm_fields_of_call(enum vidmm_ddi ddi)
{
    static const struct vidmm_fields *const calls[VIDMM_DDI_COUNT] = {
        [VIDMM_DDI_ADD_DEVICE] = &add_device_fields,
        [VIDMM_DDI_START_DEVICE] = &start_device_fields,
        [VIDMM_DDI_QUERY_CHILD_RELATIONS] = &child_relations_fields,
        [VIDMM_DDI_SET_POWER_STATE] = &power_state_fields,
        [VIDMM_DDI_QUERY_ADAPTER_INFO] = &query_fields,
        [VIDMM_DDI_INTERRUPT_ROUTINE] = &interrupt_routine_fields,
        [VIDMM_DDI_CONTROL_INTERRUPT] = &control_interrupt_fields,
        [VIDMM_DDI_CREATE_DEVICE] = &create_device_fields,
        [VIDMM_DDI_CREATE_CONTEXT] = &create_context_fields,
        [VIDMM_DDI_CREATE_ALLOCATION] = &create_allocation_fields,
        [VIDMM_DDI_DESTROY_ALLOCATION] = &destroy_allocation_fields,
        [VIDMM_DDI_OPEN_ALLOCATION] = &open_allocation_fields,
        [VIDMM_DDI_CLOSE_ALLOCATION] = &close_allocation_fields,
        [VIDMM_DDI_DESCRIBE_ALLOCATION] = &describe_allocation_fields,
        [VIDMM_DDI_VALIDATE_PROPERTY] = &validate_property_fields,
        [VIDMM_DDI_GET_STANDARD_ALLOCATION] = &standard_allocation_fields,
        [VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE] = &acquire_range_fields,
        [VIDMM_DDI_RELEASE_SWIZZLING_RANGE] = &release_range_fields,
        [VIDMM_DDI_MAP_CPU_HOST_APERTURE] = &map_host_fields,
        [VIDMM_DDI_UNMAP_CPU_HOST_APERTURE] = &unmap_host_fields,
        [VIDMM_DDI_RENDER] = &render_fields,
        [VIDMM_DDI_PRESENT] = &present_fields,
        [VIDMM_DDI_PATCH] = &patch_fields,
        [VIDMM_DDI_SUBMIT_COMMAND] = &submit_fields,
        [VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL] = &submit_virtual_fields,
        [VIDMM_DDI_CREATE_PROCESS] = &create_process_fields,
        [VIDMM_DDI_DESTROY_PROCESS] = &destroy_process_fields,
        [VIDMM_DDI_SET_ROOT_PAGE_TABLE] = &set_root_fields,
        [VIDMM_DDI_PREEMPT_COMMAND] = &preempt_fields,
        [VIDMM_DDI_CANCEL_COMMAND] = &cancel_fields,
        [VIDMM_DDI_FORMAT_HISTORY_BUFFER] = &format_history_fields,
        [VIDMM_DDI_BUILD_PAGING_BUFFER] = &build_fields,
        [VIDMM_DDI_QUERY_CURRENT_FENCE] = &current_fence_fields,
        [VIDMM_DDI_QUERY_ENGINE_STATUS] = &engine_status_fields,
        [VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP] = &engine_group_fields,
        [VIDMM_DDI_RESET_ENGINE] = &reset_engine_fields,
        [VIDMM_DDI_NOTIFY_INTERRUPT] = &notice_fields,
        [VIDMM_DDI_CREATE_CONTEXT_ALLOCATION] = &create_context_allocation_fields,
        [VIDMM_DDI_DESTROY_CONTEXT_ALLOCATION] = &destroy_context_allocation_fields,
    };

    return calls[ddi];
}
