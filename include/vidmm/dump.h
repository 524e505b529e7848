/* dump.h: the bytes of video memory as they lie there, for those who look for a mistake.
 *
 *     segment 1 (memory)   | a, in tiles | free | b, padded rows | ...
 *                              offset ->|-- size --|
 *                                       '----------'--> buffer: byte for byte
 *
 * The GPU copies the memory that the CPU cannot see: a paging operation Transfer of no allocation
 * (hAllocation NULL), which the miniport carries out "without performing any swizzling or tiling".
 * So a Swizzled allocation shows its tiles, one in a segment with PitchAlignment the padding of its
 * rows, and free places what was left there. Nothing is evicted, moved or unlocked for it.
 *
 * Source: DXGKDDI_BUILDPAGINGBUFFER, Transfer; DXGKARG_BUILDPAGINGBUFFER, hAllocation; S4-027.
 */
#ifndef VIDMM_DUMP_H
#define VIDMM_DUMP_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_segment_range {
    uint32_t segment; /* SegmentId */
    uint32_t engine;  /* of linked adapters, whose memory: 0 is the lead's. Otherwise 0 */
    uint64_t offset;  /* bytes from the start of the segment, whole pages */
    uint64_t size;    /* bytes, whole pages; below 4 GiB, as TransferOffset has 32 bits */
};

/* Read a range of a memory segment into buffer, of range->size bytes. The bytes are those of one
 * moment: all that was submitted before has ended, and nothing is submitted until they have been
 * read; the CPU may write by a lock meanwhile. Takes as many pages of system memory as it reads.
 * Waits for the GPU; any thread. The report may be NULL. STATUS_INVALID_PARAMETER: no such segment
 * or engine, an aperture (what it shows is system memory), a size of 0 or above the limit, what is
 * not whole pages, or not inside the segment; STATUS_NOT_SUPPORTED: a driver at WDDM 2.0 or above,
 * where this operation does not exist; STATUS_NO_MEMORY; STATUS_DEVICE_BUSY: the adapter has no
 * power, or is being reset; STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST: it was reset meanwhile, and
 * with that the content was lost; STATUS_DEVICE_REMOVED: it has stopped. Refused: buffer is as it
 * was. */
NTSTATUS vidmm_read_segment(struct vidmm_adapter *adapter, const struct vidmm_segment_range *range,
                            void *buffer, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
