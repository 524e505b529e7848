/*
 * shadow.c: the objects of an adapter, as its calls show them.
 *
 * Destroying is taken over before the miniport does it, creating after: in between the handle may
 * be given to the next object by another thread.
 */
#include "contract/shadow.h"

#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/d3dkmddi_segment.h>

#include "wddm/level.h"

void vidmm_shadow_init(struct vidmm_shadow *shadow, uint16_t level)
{
    memset(shadow, 0, sizeof *shadow);
    shadow->level = level;
}

/* ---- Memory ---- */

void *vidmm_shadow_allocate(struct vidmm_shadow *shadow, size_t size)
{
    void *block = calloc(1, size);

    if (block == NULL)
        shadow->lost = true;
    return block;
}

bool vidmm_shadow_grow(struct vidmm_shadow *shadow, void *array, size_t element, size_t count,
                       size_t *capacity)
{
    size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
    void *block;

    if (count < *capacity)
        return true;
    memcpy(&block, array, sizeof block);
    block = realloc(block, wanted * element);
    if (block == NULL) {
        shadow->lost = true;
        return false;
    }
    memset((char *)block + *capacity * element, 0, (wanted - *capacity) * element);
    memcpy(array, &block, sizeof block);
    *capacity = wanted;
    return true;
}

struct vidmm_shadow_allocation *vidmm_shadow_hold(struct vidmm_shadow_allocation *allocation)
{
    if (allocation != NULL)
        allocation->holds++;
    return allocation;
}

void vidmm_shadow_release(struct vidmm_shadow_allocation *allocation)
{
    if (allocation != NULL && --allocation->holds == 0 && allocation->destroyed)
        free(allocation);
}

/* ---- Asking ---- */

const struct vidmm_shadow_segment *vidmm_shadow_segment(const struct vidmm_shadow *shadow,
                                                        unsigned id)
{
    return id == 0 || id > shadow->segment_count ? NULL : &shadow->segments[id];
}

bool vidmm_shadow_is_map(const DXGKARG_BUILDPAGINGBUFFER *asked)
{
    return asked->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT ||
           asked->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT2;
}

bool vidmm_shadow_is_aperture(const struct vidmm_shadow *shadow, unsigned id)
{
    DXGK_SEGMENTFLAGS flags = {0};
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(shadow, id);

    flags.Value = segment == NULL ? 0 : segment->flags;
    return flags.Aperture || flags.Agp;
}

bool vidmm_shadow_is_agp(const struct vidmm_shadow *shadow, unsigned id)
{
    DXGK_SEGMENTFLAGS flags = {0};
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(shadow, id);

    flags.Value = segment == NULL ? 0 : segment->flags;
    return flags.Agp;
}

uint64_t vidmm_shadow_span(const struct vidmm_shadow *shadow,
                           const struct vidmm_shadow_allocation *allocation, unsigned id)
{
    DXGK_SEGMENTFLAGS flags = {0};
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(shadow, id);

    flags.Value = segment == NULL ? 0 : segment->flags;
    return flags.PitchAlignment && allocation->pitch_span > allocation->span
               ? allocation->pitch_span
               : allocation->span;
}

struct vidmm_shadow_allocation *vidmm_shadow_allocation(const struct vidmm_shadow *shadow,
                                                        HANDLE handle)
{
    return handle == NULL ? NULL : vidmm_map_find(&shadow->allocations, NULL, handle);
}

HANDLE vidmm_shadow_device_of(const struct vidmm_shadow *shadow, HANDLE context)
{
    const struct vidmm_shadow_context *found = vidmm_map_find(&shadow->contexts, NULL, context);

    if (found != NULL)
        return found->device;
    return vidmm_map_find(&shadow->devices, NULL, context) != NULL ? context : NULL;
}

bool vidmm_shadow_done(const struct vidmm_shadow *shadow, const struct vidmm_shadow_moment *moment)
{
    return moment->submitted && moment->serial <= shadow->nodes[moment->node].completed;
}

unsigned vidmm_shadow_busy_node(const struct vidmm_shadow *shadow,
                                const struct vidmm_shadow_allocation *allocation, unsigned except)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++)
        if (i != except && allocation->last_use[i].any > shadow->nodes[i].completed)
            return i;
    return VIDMM_SHADOW_NODES;
}

/* ---- Adapter ---- */

static void take_segment(struct vidmm_shadow *shadow, unsigned id, uint32_t flags, uint64_t base,
                         uint64_t size, uint64_t commit_limit)
{
    struct vidmm_shadow_segment *segment = &shadow->segments[id];

    segment->flags = flags;
    segment->base = base;
    segment->size = size;
    segment->commit_limit = commit_limit == 0 ? size : commit_limit;
}

#define TAKE_SEGMENT(shadow, id, descriptor)                                                       \
    take_segment(shadow, id, (descriptor)->Flags.Value,                                            \
                 (uint64_t)(descriptor)->BaseAddress.QuadPart, (descriptor)->Size,                 \
                 (descriptor)->CommitLimit)

static void take_segment4(struct vidmm_shadow *shadow, unsigned id,
                          const DXGK_SEGMENTDESCRIPTOR4 *descriptor)
{
    struct vidmm_shadow_segment *segment = &shadow->segments[id];

    TAKE_SEGMENT(shadow, id, descriptor);
    vidmm_shadow_take_host(shadow, id, descriptor);
    segment->protected_offset = segment->protected_size = 0;
    segment->protected_wrongly = false;
    if (!descriptor->Flags.VprSupported)
        return;
    segment->protected_wrongly =
        descriptor->VprRangeSize == 0 || descriptor->VprRangeStartOffset > segment->size ||
        descriptor->VprRangeSize > segment->size - descriptor->VprRangeStartOffset;
    segment->protected_offset = descriptor->VprRangeStartOffset;
    segment->protected_size = descriptor->VprRangeSize;
}

static SIZE_T stride_of(const DXGKARG_QUERYADAPTERINFO *query)
{
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT)
        return sizeof(DXGK_SEGMENTDESCRIPTOR);
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT3)
        return sizeof(DXGK_SEGMENTDESCRIPTOR3);
    return query->OutputDataSize < sizeof(DXGK_QUERYSEGMENTOUT4) /* D-027 */
               ? 0
               : ((const DXGK_QUERYSEGMENTOUT4 *)query->pOutputData)->SegmentDescriptorStride;
}

/* An AGP-type segment lies where the system said that the AGP aperture does (D-008). */
static void place_agp(struct vidmm_shadow *shadow, const DXGKARG_QUERYADAPTERINFO *query)
{
    const DXGK_QUERYSEGMENTIN *in = query->pInputData;

    if (in == NULL || query->Type == DXGKQAITYPE_QUERYSEGMENT4)
        return;
    for (unsigned id = 1; id <= shadow->segment_count; id++)
        if (vidmm_shadow_is_agp(shadow, id)) {
            shadow->segments[id].base = (uint64_t)in->AgpApertureBase.QuadPart;
            shadow->segments[id].size = (uint64_t)in->AgpApertureSize.QuadPart;
            shadow->segments[id].commit_limit = shadow->segments[id].size;
        }
}

/* The three queries answer structs that begin alike: number, array, paging buffer. */
static void take_segments(struct vidmm_shadow *shadow, const DXGKARG_QUERYADAPTERINFO *query)
{
    const DXGK_QUERYSEGMENTOUT *out = query->pOutputData;
    const char *descriptor = (const char *)out->pSegmentDescriptor;
    SIZE_T stride = stride_of(query);

    shadow->announced_segments = out->NbSegment;
    if (descriptor == NULL || stride == 0)
        return;
    shadow->segment_count =
        out->NbSegment < VIDMM_SHADOW_SEGMENTS ? out->NbSegment : VIDMM_SHADOW_SEGMENTS - 1;
    for (unsigned id = 1; id <= shadow->segment_count; id++, descriptor += stride)
        if (query->Type == DXGKQAITYPE_QUERYSEGMENT)
            TAKE_SEGMENT(shadow, id, (const DXGK_SEGMENTDESCRIPTOR *)(const void *)descriptor);
        else if (query->Type == DXGKQAITYPE_QUERYSEGMENT3)
            TAKE_SEGMENT(shadow, id, (const DXGK_SEGMENTDESCRIPTOR3 *)(const void *)descriptor);
        else
            take_segment4(shadow, id, (const void *)descriptor);
    place_agp(shadow, query);
    shadow->paging_buffer_size = out->PagingBufferSize;
    shadow->paging_private_size = out->PagingBufferPrivateDataSize;
    shadow->mmu.paging_segment = out->PagingBufferSegmentId;
    shadow->segments_known = true;
}

static void take_caps(struct vidmm_shadow *shadow, const DXGK_DRIVERCAPS *caps)
{
    UINT node = caps->MemoryManagementCaps.PagingNode;

    shadow->scheduling_caps = caps->SchedulingCaps.Value;
    shadow->pages_by_address =
        shadow->level >= VIDMM_LEVEL(2, 0) && caps->MemoryManagementCaps.GpuMmuSupported;
    shadow->paging_node = node < VIDMM_SHADOW_NODES ? node : 0;
    shadow->mmu.supported =
        shadow->level >= VIDMM_LEVEL(2, 0) && caps->MemoryManagementCaps.GpuMmuSupported;
}

void vidmm_shadow_query(struct vidmm_shadow *shadow, const DXGKARG_QUERYADAPTERINFO *query)
{
    switch (query->Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        if (query->pOutputData != NULL &&
            query->OutputDataSize >= offsetof(DXGK_DRIVERCAPS, GpuEngineTopology))
            take_caps(shadow, query->pOutputData);
        break;
    case DXGKQAITYPE_QUERYSEGMENT:
    case DXGKQAITYPE_QUERYSEGMENT3:
    case DXGKQAITYPE_QUERYSEGMENT4:
        if (query->pOutputData != NULL && query->OutputDataSize >= sizeof(DXGK_QUERYSEGMENTOUT))
            take_segments(shadow, query);
        break;
    case DXGKQAITYPE_GPUMMUCAPS:
    case DXGKQAITYPE_PAGETABLELEVELDESC:
        vidmm_shadow_take_mmu(shadow, query);
        break;
    default:
        break;
    }
}

/* ---- Devices and contexts ---- */

void vidmm_shadow_create_device(struct vidmm_shadow *shadow, HANDLE device, HANDLE kernel_handle)
{
    if (device != NULL && !vidmm_map_set(&shadow->devices, NULL, device, device))
        shadow->lost = true;
    if (device != NULL && kernel_handle != NULL &&
        !vidmm_map_set(&shadow->kernel_devices, NULL, device, kernel_handle))
        shadow->lost = true;
}

/* The KMD still has it while it gives back what it has for it; then the handle is anybody's. */
void vidmm_shadow_leave_device(struct vidmm_shadow *shadow, HANDLE device)
{
    if (vidmm_map_find(&shadow->devices, NULL, device) != NULL &&
        !vidmm_map_set(&shadow->devices, NULL, device, &shadow->devices))
        shadow->lost = true;
}

void vidmm_shadow_destroy_device(struct vidmm_shadow *shadow, HANDLE device)
{
    if (vidmm_map_find(&shadow->devices, NULL, device) != (void *)&shadow->devices)
        return; /* it is another's already */
    vidmm_map_remove(&shadow->devices, NULL, device);
    vidmm_map_remove(&shadow->kernel_devices, NULL, device);
}

void vidmm_shadow_create_context(struct vidmm_shadow *shadow, HANDLE device,
                                 const DXGKARG_CREATECONTEXT *create, HANDLE kernel_handle)
{
    struct vidmm_shadow_context *context;

    if (create->hContext == NULL)
        return;
    vidmm_shadow_destroy_context(shadow, create->hContext);
    context = vidmm_shadow_allocate(shadow, sizeof *context);
    if (context == NULL)
        return;
    context->device = device;
    context->kernel_handle = kernel_handle;
    context->node = create->NodeOrdinal < VIDMM_SHADOW_NODES ? create->NodeOrdinal : 0;
    context->link =
        create->EngineAffinity != 0 ? (unsigned)__builtin_ctz(create->EngineAffinity) : 0;
    context->flags = create->Flags.Value;
    context->companion_node = shadow->level >= VIDMM_LEVEL(2, 0)
                                  ? create->ContextInfo.PagingCompanionNodeId
                                  : VIDMM_SHADOW_NODES;
    if (!vidmm_map_set(&shadow->contexts, NULL, create->hContext, context)) {
        shadow->lost = true;
        free(context);
    }
}

bool vidmm_shadow_is_companion(const struct vidmm_shadow *shadow, HANDLE handle)
{
    const struct vidmm_shadow_context *context = vidmm_map_find(&shadow->contexts, NULL, handle);
    DXGK_CREATECONTEXTFLAGS flags = {.Value = context == NULL ? 0 : context->flags};

    if (context == NULL || flags.SystemContext || !flags.VirtualAddressing || context->commanded)
        return false;
    for (size_t i = 0; i < shadow->contexts.capacity; i++) {
        const struct vidmm_shadow_context *other = shadow->contexts.entries[i].value;

        if (other != NULL && other != context && other->device == context->device &&
            other->companion_node == context->node && !other->paged)
            return true;
    }
    return false;
}

void vidmm_shadow_destroy_context(struct vidmm_shadow *shadow, HANDLE context)
{
    vidmm_shadow_forget_context(shadow, context);
    free(vidmm_map_remove(&shadow->contexts, NULL, context));
}

/* ---- Allocations ---- */

static void forget_one(struct vidmm_shadow *shadow, struct vidmm_shadow_allocation *allocation)
{
    vidmm_shadow_hold(allocation);
    vidmm_shadow_leave_place(shadow, allocation);
    allocation->destroyed = true;
    allocation->instance = NULL;
    vidmm_shadow_release(allocation);
}

/* With all its instances. */
static void forget_allocation(struct vidmm_shadow *shadow,
                              struct vidmm_shadow_allocation *allocation)
{
    struct vidmm_shadow_allocation *next;

    for (; allocation != NULL; allocation = next) {
        next = allocation->instance;
        vidmm_map_remove(&shadow->allocations, NULL, allocation->key);
        forget_one(shadow, allocation);
    }
}

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
}

static void take_priority(struct vidmm_shadow_priorities *priorities,
                          const DXGK_ALLOCATIONINFO *info)
{
    const uint32_t kind[4] = {info->Flags.Value, info->SupportedReadSegmentSet,
                              info->SupportedWriteSegmentSet, info->EvictionSegmentSet};

    if (priorities->count++ == 0) {
        priorities->first = info->AllocationPriority;
        memcpy(priorities->kind, kind, sizeof kind);
    }
    priorities->differ = priorities->differ || priorities->first != info->AllocationPriority;
    priorities->of_kinds = priorities->of_kinds || memcmp(priorities->kind, kind, sizeof kind) != 0;
}

/* FNV-1a. */
static uint64_t hash(const unsigned char *bytes, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

void vidmm_shadow_standard(struct vidmm_shadow *shadow,
                           const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *data)
{
    if (data->StandardAllocationType != D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE ||
        data->pAllocationPrivateDriverData == NULL)
        return;
    shadow->primary_data_size = data->AllocationPrivateDriverDataSize;
    shadow->primary_data = hash(data->pAllocationPrivateDriverData, shadow->primary_data_size);
}

static bool is_shared_primary(const struct vidmm_shadow *shadow, const DXGK_ALLOCATIONINFO *info)
{
    return shadow->primary_data_size > 0 &&
           shadow->primary_data_size == info->PrivateDriverDataSize &&
           shadow->primary_data == hash(info->pPrivateDriverData, info->PrivateDriverDataSize);
}

static void create_one(struct vidmm_shadow *shadow, const DXGK_ALLOCATIONINFO *info)
{
    struct vidmm_shadow_allocation *allocation, *old;

    if (info->hAllocation == NULL)
        return;
    allocation = vidmm_shadow_allocate(shadow, sizeof *allocation);
    if (allocation == NULL)
        return;
    allocation->handle = allocation->key = info->hAllocation;
    allocation->renaming = info->MaximumRenamingListLength;
    allocation->size = info->Size;
    allocation->span = whole_pages(info->Size);
    allocation->pitch_span = whole_pages(info->PitchAlignedSize);
    allocation->read_set = info->SupportedReadSegmentSet;
    allocation->write_set = info->SupportedWriteSegmentSet;
    allocation->eviction_set = info->EvictionSegmentSet;
    allocation->flags = info->Flags.Value;
    allocation->for_range = shadow->level >= VIDMM_LEVEL(2, 1) && info->FlagsWddm2.CreateInVpr;
    allocation->shown = is_shared_primary(shadow, info);
    allocation->placed = (struct vidmm_shadow_moment){.submitted = true};
    old = vidmm_map_remove(&shadow->allocations, NULL, info->hAllocation);
    if (old != NULL)
        forget_allocation(shadow, old);
    if (!vidmm_map_set(&shadow->allocations, NULL, info->hAllocation, allocation)) {
        shadow->lost = true;
        free(allocation);
    }
}

/* Nobody hears when the segments of an allocation change, only that they will: it may be in the old
 * ones and in the new ones from here on. */
void vidmm_shadow_validate_property(struct vidmm_shadow *shadow,
                                    const DXGKARG_VALIDATEUPDATEALLOCPROPERTY *update)
{
    struct vidmm_shadow_allocation *allocation =
        vidmm_map_find(&shadow->allocations, NULL, update->hAllocation);

    if (allocation == NULL || !update->SetSupportedSegmentSet)
        return;
    allocation->read_set |= update->SupportedSegmentSet;
    allocation->write_set |= update->SupportedSegmentSet;
}

/* The element of the list that a present shows from. */
void vidmm_shadow_present(struct vidmm_shadow *shadow, HANDLE context,
                          const DXGKARG_PRESENT *present)
{
    const struct vidmm_shadow_opening *opening;

    if (shadow->level >= VIDMM_LEVEL(2, 0) || present->pAllocationList == NULL)
        return; /* from 2.0 on the list may be another kind */
    opening = vidmm_map_find(
        &shadow->openings, vidmm_shadow_device_of(shadow, context),
        present->pAllocationList[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation);
    if (opening != NULL && opening->allocation != NULL)
        opening->allocation->shown = true;
}

void vidmm_shadow_create_allocation(struct vidmm_shadow *shadow,
                                    const DXGKARG_CREATEALLOCATION *create)
{
    for (UINT i = 0; i < create->NumAllocations; i++) {
        create_one(shadow, &create->pAllocationInfo[i]);
        take_priority(&shadow->priorities, &create->pAllocationInfo[i]);
    }
    if (create->Flags.Resource && create->hResource != NULL &&
        !vidmm_map_set(&shadow->resources, NULL, create->hResource, create->hResource))
        shadow->lost = true;
}

bool vidmm_shadow_has_resource(const struct vidmm_shadow *shadow, HANDLE resource)
{
    return vidmm_map_find(&shadow->resources, NULL, resource) != NULL;
}

void vidmm_shadow_destroy_allocation(struct vidmm_shadow *shadow,
                                     const DXGKARG_DESTROYALLOCATION *destroy)
{
    for (UINT i = 0; i < destroy->NumAllocations; i++) {
        struct vidmm_shadow_allocation *allocation =
            vidmm_map_remove(&shadow->allocations, NULL, destroy->pAllocationList[i]);
        if (allocation != NULL)
            forget_allocation(shadow, allocation);
    }
    if (destroy->Flags.DestroyResource)
        vidmm_map_remove(&shadow->resources, NULL, destroy->hResource);
}

static void close_one(struct vidmm_shadow *shadow, HANDLE device, HANDLE handle)
{
    struct vidmm_shadow_opening *opening = vidmm_map_remove(&shadow->openings, device, handle);

    if (opening == NULL)
        return;
    if (opening->allocation != NULL)
        opening->allocation->opens--;
    vidmm_shadow_release(opening->allocation);
    free(opening);
}

static void open_one(struct vidmm_shadow *shadow, HANDLE device, HANDLE handle, HANDLE resolved)
{
    struct vidmm_shadow_opening *opening;

    if (handle == NULL)
        return;
    close_one(shadow, device, handle);
    opening = vidmm_shadow_allocate(shadow, sizeof *opening);
    if (opening == NULL)
        return;
    if (!vidmm_map_set(&shadow->openings, device, handle, opening)) {
        shadow->lost = true;
        free(opening);
        return;
    }
    opening->allocation = vidmm_shadow_hold(vidmm_shadow_allocation(shadow, resolved));
    if (opening->allocation != NULL)
        opening->allocation->opens++;
}

void vidmm_shadow_open_allocation(struct vidmm_shadow *shadow, HANDLE device,
                                  const DXGKARG_OPENALLOCATION *open, const HANDLE *resolved)
{
    for (UINT i = 0; i < open->NumAllocations; i++)
        open_one(shadow, device, open->pOpenAllocation[i].hDeviceSpecificAllocation, resolved[i]);
}

void vidmm_shadow_close_allocation(struct vidmm_shadow *shadow, HANDLE device,
                                   const DXGKARG_CLOSEALLOCATION *close)
{
    for (UINT i = 0; i < close->NumAllocations; i++)
        close_one(shadow, device, close->pOpenHandleList[i]);
}

/* ---- The end ---- */

static void free_openings(struct vidmm_shadow *shadow)
{
    for (size_t i = 0; i < shadow->openings.capacity; i++) {
        struct vidmm_shadow_opening *opening = shadow->openings.entries[i].value;
        if (opening != NULL)
            vidmm_shadow_release(opening->allocation);
        free(opening);
    }
    vidmm_map_finish(&shadow->openings);
}

static void free_values(struct vidmm_map *map)
{
    for (size_t i = 0; i < map->capacity; i++)
        free(map->entries[i].value);
    vidmm_map_finish(map);
}

static void free_buffers(struct vidmm_shadow *shadow)
{
    for (size_t i = 0; i < shadow->buffers.capacity; i++) {
        struct vidmm_shadow_buffer *buffer = shadow->buffers.entries[i].value;
        if (buffer == NULL)
            continue;
        vidmm_shadow_operations_end(&buffer->waiting);
        free(buffer->waiting.items);
        free(buffer);
    }
    vidmm_map_finish(&shadow->buffers);
}

void vidmm_shadow_stop(struct vidmm_shadow *shadow)
{
    vidmm_shadow_reset(shadow);
    free_buffers(shadow);
    vidmm_map_finish(&shadow->host_pages);
    shadow->building = NULL;
}

static void free_work(struct vidmm_shadow *shadow)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++) {
        struct vidmm_shadow_node *node = &shadow->nodes[i];
        for (size_t k = 0; k < node->capacity; k++)
            free(node->queue[k].operations.items);
        free(node->queue);
    }
    for (size_t i = 0; i < shadow->packet_capacity; i++)
        free(shadow->packets[i].references);
    free(shadow->packets);
    free(shadow->pending);
}

/* Owners of ranges and holders of allocations go before the allocations. */
void vidmm_shadow_finish(struct vidmm_shadow *shadow)
{
    uint16_t level = shadow->level;

    vidmm_shadow_stop(shadow);
    free_work(shadow);
    free_openings(shadow);
    for (unsigned id = 0; id < VIDMM_SHADOW_SEGMENTS; id++)
        vidmm_ranges_finish(&shadow->segments[id].ranges);
    free_values(&shadow->contexts);
    vidmm_shadow_finish_mmu(shadow);
    vidmm_map_finish(&shadow->devices);
    vidmm_map_finish(&shadow->kernel_devices);
    vidmm_map_finish(&shadow->resources);
    free(shadow->context_allocations);
    free_values(&shadow->allocations);
    vidmm_shadow_init(shadow, level);
}
