/* page_out.h: memory leaves its segment now, or moves inside it, for tests.
 *
 *     texture in segment 2 --> vidmm_page_out() --> texture in system memory, with its bytes
 *                                                   the next submission that needs it brings it in
 *
 * A residency list goes on naming what has left, and counts it as before; so no program notices. A
 * submission that was queued before is behind it when the call returns.
 *
 * Some memory stays: a shared primary and a primary that is displayed, what is locked at an address
 * that cannot follow, and what a context that runs is bound to. An offered allocation would leave
 * without its content, so it stays too.
 *
 *     | a | hole | b | hole | c | hole |     vidmm_compact()    | a | b | c |        hole        |
 *
 *     bytes that the CPU sees of a texture   vidmm_check_transfer()   ... that the GPU pages out
 *
 * Source: D3DKMT_VIDMM_ESCAPE, Evict, EvictByNtHandle, EvictByCriteria, Defrag; the tests by their
 * names: document 4 speaks of that of the dummy page.
 */
#ifndef VIDMM_PAGE_OUT_H
#define VIDMM_PAGE_OUT_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_report;
struct vidmm_resource;

#ifdef __cplusplus
extern "C" {
#endif

/* Have an allocation leave, and return when it has. STATUS_GRAPHICS_ALLOCATION_BUSY: it stays;
 * STATUS_INVALID_PARAMETER: it is offered; STATUS_DEVICE_BUSY: the adapter has no power;
 * STATUS_NO_MEMORY; STATUS_DEVICE_REMOVED: the adapter has stopped. */
NTSTATUS vidmm_page_out(struct vidmm_allocation *allocation, struct vidmm_report *report);
/* Have all allocations of a resource leave. STATUS_GRAPHICS_ALLOCATION_BUSY: one of them stays, and
 * none has left. Other answers as above. */
NTSTATUS vidmm_page_out_resource(struct vidmm_resource *resource, struct vidmm_report *report);
/* Have all allocations leave of the shared resource with that handle, which is global to the
 * adapter. STATUS_INVALID_PARAMETER: there is none. Other answers as above. */
NTSTATUS vidmm_page_out_shared(struct vidmm_adapter *adapter, uint32_t handle,
                               struct vidmm_report *report);

/* Allocations of `minimum` to `maximum` bytes. */
struct vidmm_page_out_criteria {
    uint64_t minimum, maximum;
    bool primaries;   /* primaries alone */
    bool locked;      /* ... what the CPU has locked alone: its pointers stay, and lead to it */
    bool apertures;   /* ... what an aperture shows alone: it shows the dummy page then */
    bool one_process; /* ... of the devices that were created with this number alone: */
    uint64_t process;
};

/* Have all allocations leave that meet the criteria and may leave; context allocations are not
 * looked at. STATUS_INVALID_PARAMETER: `criteria` is NULL, or its maximum is below its minimum.
 * Other answers as above, but no allocation is busy. */
NTSTATUS vidmm_page_out_all(struct vidmm_adapter *adapter,
                            const struct vidmm_page_out_criteria *criteria,
                            struct vidmm_report *report);

/* Have an allocation leave its memory segment, and compare the bytes that the CPU has seen there
 * with those that the GPU has brought to system memory. segment: look at it only if it is in that
 * one; 0: in any. *looked (may be NULL) says whether there was anything to compare: there is not if
 * it is in no such memory segment, the CPU does not see it there, or another process may write it
 * or the driver keeps a copy of it (a shared resource, existing memory, PermanentSysMem). Nothing
 * may be queued that writes it: suspend its process (suspend.h) and let the GPU end before.
 * STATUS_SUCCESS: the bytes are the same, or nothing was compared; STATUS_UNSUCCESSFUL: they are
 * not, and the report names the first that differs; STATUS_GRAPHICS_ALLOCATION_BUSY: it is locked,
 * or stays; STATUS_NOT_SUPPORTED: the adapter's level is below 2.0; STATUS_NO_MEMORY; other answers
 * as above. */
NTSTATUS vidmm_check_transfer(struct vidmm_allocation *allocation, uint32_t segment, bool *looked,
                              struct vidmm_report *report);

/* Have what is in a segment move towards one end of it, in its order, around what stays, and return
 * when it has. segment: 1 to vidmm_adapter_segments(). way: enum vidmm_compaction of plan.h. From
 * WDDM 2.0 on an allocation that lies in several runs of pages gets one range, if there is room for
 * that. Besides what stays above, page tables and buffers of commands do. STATUS_INVALID_PARAMETER:
 * no such segment or way; STATUS_NO_MEMORY: nothing has moved; STATUS_DEVICE_BUSY: the adapter has
 * no power; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_compact(struct vidmm_adapter *adapter, uint32_t segment, uint32_t way,
                       struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
