/*
 * broken.h: a driver that lies, in exactly one way at a time.
 *
 * Each misbehaviour has a name, which is what the configuration says (`broken segments_zero`), and
 * changes one answer or one act of the driver half, and of the device half for the last few. A
 * manager must survive each with a clear error, and a checker must name it.
 */
#ifndef SOFTGPU_BROKEN_H
#define SOFTGPU_BROKEN_H

#include <stdbool.h>
#include <stdint.h>

/* BROKEN(NAME, "name", "what it does") */
#define SOFTGPU_BROKEN_LIST(BROKEN)                                                                \
    BROKEN(START_FAILS, "start_fails", "StartDevice answers STATUS_UNSUCCESSFUL")                  \
    BROKEN(CHILDREN, "children", "a render-only adapter announces 1000 children")                  \
    BROKEN(CAPS_FAIL, "caps_fail", "QueryAdapterInfo fails for DRIVERCAPS")                        \
    BROKEN(CAPS_OVERRUN, "caps_overrun", "DRIVERCAPS is written beyond OutputDataSize")            \
    BROKEN(NODES_ZERO, "nodes_zero", "no processing node")                                         \
    BROKEN(NODES_MANY, "nodes_many", "65 processing nodes")                                        \
    BROKEN(PAGING_NODE, "paging_node", "the paging node does not exist")                           \
    BROKEN(PREEMPTION_ALONE, "preemption_alone", "PreemptionAware without MultiEngineAware")       \
    BROKEN(SEGMENTS_FAIL, "segments_fail", "the segment query fails")                              \
    BROKEN(SEGMENTS_ZERO, "segments_zero", "the segment query counts no segment")                  \
    BROKEN(SEGMENTS_MANY, "segments_many", "the segment query counts 33 segments")                 \
    BROKEN(SEGMENTS_CHANGE, "segments_change", "one segment more in the second pass")              \
    BROKEN(SEGMENTS_OVERLAP, "segments_overlap", "all segments begin at one BaseAddress")          \
    BROKEN(SEGMENT_EMPTY, "segment_empty", "the last segment has size 0")                          \
    BROKEN(SEGMENT_RAGGED, "segment_ragged", "the size of the last segment is no whole page")      \
    BROKEN(SEGMENT_HUGE, "segment_huge", "the last segment ends behind the last address")          \
    BROKEN(SEGMENT_FLAGS, "segment_flags", "an aperture is marked CacheCoherent and Agp")          \
    BROKEN(COMMIT_LIMIT, "commit_limit", "the commit limit of an aperture exceeds its size")       \
    BROKEN(PAGING_IN_MEMORY, "paging_in_memory", "the paging-buffer segment is a memory segment")  \
    BROKEN(PAGING_NOWHERE, "paging_nowhere", "the paging-buffer segment does not exist")           \
    BROKEN(PAGING_SIZE_ZERO, "paging_size_zero", "PagingBufferSize is 0")                          \
    BROKEN(DMA_IN_MEMORY, "dma_in_memory", "DmaBufferSegmentSet names a memory segment")           \
    BROKEN(DMA_SIZE_ZERO, "dma_size_zero", "DmaBufferSize is 0")                                   \
    BROKEN(ALLOCATION_NO_HANDLE, "allocation_no_handle", "CreateAllocation returns no handle")     \
    BROKEN(ALLOCATION_EMPTY, "allocation_empty", "an allocation of size 0")                        \
    BROKEN(ALLOCATION_ALIGNMENT, "allocation_alignment", "an alignment that is no power of two")   \
    BROKEN(ALLOCATION_NOWHERE, "allocation_nowhere", "supported sets name no segment that exists") \
    BROKEN(ALLOCATION_PREFERENCE, "allocation_preference", "a preference outside the sets")        \
    BROKEN(ALLOCATION_EVICTION, "allocation_eviction", "eviction into a memory segment")           \
    BROKEN(ALLOCATION_PRIORITY, "allocation_priority", "AllocationPriority is 0")                  \
    BROKEN(ALLOCATION_FLAGS, "allocation_flags", "a reserved flag of an allocation is set")        \
    BROKEN(OPEN_NO_HANDLE, "open_no_handle", "OpenAllocation returns no handle")                   \
    BROKEN(RENDER_OVERRUN, "render_overrun", "Render moves pDmaBuffer behind the buffer")          \
    BROKEN(RENDER_WRITES_BEHIND, "render_writes_behind", "Render writes behind the DMA buffer")    \
    BROKEN(RENDER_PATCH_RANGE, "render_patch_range", "a patch offset lies outside the buffer")     \
    BROKEN(RENDER_PATCH_INDEX, "render_patch_index", "a patch location names no allocation")       \
    BROKEN(PATCH_FAILS, "patch_fails", "Patch answers STATUS_UNSUCCESSFUL")                        \
    BROKEN(SUBMIT_FAILS, "submit_fails", "SubmitCommand answers STATUS_UNSUCCESSFUL")              \
    BROKEN(BUILD_ILLEGAL, "build_illegal", "BuildPagingBuffer answers STATUS_NO_MEMORY")           \
    BROKEN(BUILD_STUCK, "build_stuck", "INSUFFICIENT_DMA_BUFFER for ever, nothing done")           \
    BROKEN(BUILD_BUSY_FOREVER, "build_busy_forever", "ALLOCATION_BUSY though AllocationIsIdle")    \
    BROKEN(BUILD_BUSY_FILL, "build_busy_fill", "ALLOCATION_BUSY to a Fill")                        \
    BROKEN(BUILD_OVERRUN, "build_overrun", "pDmaBuffer is moved behind the buffer")                \
    BROKEN(BUILD_BACKWARD, "build_backward", "pDmaBuffer is moved before the buffer")              \
    BROKEN(BUILD_WRITES_BEHIND, "build_writes_behind", "bytes are written behind the buffer")      \
    BROKEN(BUILD_PRIVATE_OVERRUN, "build_private_overrun",                                         \
           "private data is written behind its end")                                               \
    BROKEN(UNMAP_TO_ZERO, "unmap_to_zero", "an unmapped aperture range shows page 0")              \
    BROKEN(UNMAP_IGNORED, "unmap_ignored", "an unmapped aperture range still shows its pages")     \
    BROKEN(FILL_TAIL, "fill_tail", "the end of a Fill that is no whole page is left out")          \
    BROKEN(TRANSFER_LAST_PAGE, "transfer_last_page", "the last page of a Transfer is left out")    \
    BROKEN(MULTIPASS_RESTART, "multipass_restart", "MultipassOffset is not advanced")              \
    BROKEN(RAW_PITCHED, "raw_pitched", "a Transfer without hAllocation goes by pitch and tiles")   \
    BROKEN(FENCE_NEVER_GIVEN, "fence_never_given", "a fence is reported that was never submitted") \
    BROKEN(FENCE_TWICE, "fence_twice", "each fence is reported twice")                             \
    BROKEN(FENCE_EARLY, "fence_early", "a fence is reported before its packet runs")               \
    BROKEN(FENCE_BACKWARD, "fence_backward", "an older fence is reported after a newer one")       \
    BROKEN(FENCE_NODE, "fence_node", "fences are reported for a node that does not exist")         \
    BROKEN(NO_DPC, "no_dpc", "the interrupt service routine queues no DPC")                        \
    BROKEN(NO_NOTIFY_DPC, "no_notify_dpc", "the DPC does not call DxgkCbNotifyDpc")                \
    BROKEN(NO_INTERRUPT, "no_interrupt", "the device raises no interrupt")                         \
    BROKEN(RANGE_STATUS, "range_status", "AcquireSwizzlingRange answers STATUS_UNSUCCESSFUL")      \
    BROKEN(RANGE_NO_ADDRESS, "range_no_address", "AcquireSwizzlingRange sets no address")          \
    BROKEN(RANGE_SIZE, "range_size", "AcquireSwizzlingRange changes RangeSize")                    \
    BROKEN(PREEMPT_IGNORED, "preempt_ignored", "PreemptCommand is announced and does nothing")

enum softgpu_broken {
#define SOFTGPU_BROKEN_NUMBER(name, text, sentence) SOFTGPU_BROKEN_##name,
    SOFTGPU_BROKEN_LIST(SOFTGPU_BROKEN_NUMBER)
#undef SOFTGPU_BROKEN_NUMBER
        SOFTGPU_BROKEN_COUNT
};

_Static_assert(SOFTGPU_BROKEN_COUNT <= 64, "a bit of a 64-bit word each");

/* Whether a misbehaviour is switched on in a word of them. */
static inline bool softgpu_is_broken(uint64_t word, enum softgpu_broken which)
{
    return word >> which & 1;
}

/* The misbehaviour of that name, SOFTGPU_BROKEN_COUNT if there is none. */
enum softgpu_broken softgpu_broken_find(const char *name);

#endif
