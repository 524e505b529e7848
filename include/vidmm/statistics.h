/* statistics.h: what a process has of an adapter now, and what it has had done.
 *
 *     process ---> its devices ---> allocations    bytes in segments, in system memory
 *                              '--> contexts       DMA buffers, packets by node
 *
 * A process is the number that its devices were created with. All is told of the devices that it
 * has when it is asked, so what a device has counted goes with the device; a process without one
 * gets zeros. An allocation that several devices have open is each one's. Any thread may ask. The
 * questions about allocations look at each of them, with the adapter's mutex held.
 *
 * Source: D3DKMTQueryStatistics.
 */
#ifndef VIDMM_STATISTICS_H
#define VIDMM_STATISTICS_H

#include <stdint.h>

#include <vidmm/plan.h>

struct vidmm_adapter;

#ifdef __cplusplus
extern "C" {
#endif

/* Classes of AllocationPriority: below LOW, from LOW, NORMAL, HIGH and MAXIMUM on. */
#define VIDMM_PRIORITY_RANKS 5u

/* Slots of DXGK_SEGMENTPREFERENCE, and one for what is in a segment that no slot names. */
#define VIDMM_PREFERENCE_SLOTS 5u

struct vidmm_amount {
    uint64_t count, bytes;
};

/* Allocations in a segment: of a process, or all. */
struct vidmm_allocations_in {
    struct vidmm_amount committed; /* they have a range there, or are given one */
    struct vidmm_amount resident[VIDMM_PREFERENCE_SLOTS + 1]; /* of these, their content is there:
                                                               * by the slot that names it */
};

/* The part of an adapter that a process has. Bytes. */
struct vidmm_process_use {
    struct vidmm_amount dma_buffers;                /* of its contexts */
    uint64_t allocation_lists, patch_lists;         /* of these */
    uint64_t system_memory;                         /* of its allocations: pages that were taken */
    uint64_t write_combined, cached;                /* of these, as the CPU sees them */
    uint64_t by_preference[VIDMM_PREFERENCE_SLOTS]; /* resident, by the slot that names the
                                                     * segment */
    uint64_t evicted; /* of allocations that it made alone, since each device was created */
    /* On a residency list of it, and in an aperture though memory would be better: by segment group
     * and by the class of its own priority. */
    uint64_t demoted[VIDMM_SEGMENT_GROUPS][VIDMM_PRIORITY_RANKS];
};

/* `use` receives zeros for a segment that is none. */
void vidmm_process_allocations(const struct vidmm_adapter *adapter, uint64_t process,
                               uint32_t segment, struct vidmm_allocations_in *use);
/* ... of all processes. One that several devices have open counts once. */
void vidmm_segment_allocations(const struct vidmm_adapter *adapter, uint32_t segment,
                               struct vidmm_allocations_in *use);
void vidmm_process_use(const struct vidmm_adapter *adapter, uint64_t process,
                       struct vidmm_process_use *use);
/* The DMA buffers of a process on a node, with those of its hardware queues. `use` receives zeros
 * for a node that is none. */
void vidmm_process_packets(const struct vidmm_adapter *adapter, uint64_t process, uint32_t node,
                           struct vidmm_packet_use *use);
/* How many frames a video present source has shown of a process (vidmm_display_show()), and of all
 * programs since the start. 0 for a source that is none. */
uint64_t vidmm_process_frames(const struct vidmm_adapter *adapter, uint64_t process,
                              uint32_t source);
uint64_t vidmm_source_frames(const struct vidmm_adapter *adapter, uint32_t source);
/* Bytes of allocations that have left a segment so far, by priority: `bytes` receives zeros for an
 * id that is none. */
void vidmm_segment_evicted(const struct vidmm_adapter *adapter, uint32_t segment,
                           uint64_t bytes[VIDMM_PRIORITY_RANKS]);

#ifdef __cplusplus
}
#endif

#endif
