/*
 * region.h: the pages that a lock names, as the driver's paging operations want them.
 *
 *     pages      0 1 2 3 | 4 5 6 7 | 8 9          alignment 4, of an allocation of 10 pages
 *     written              . x . .
 *     locked             [ 4 5 6 7 ]
 *
 * A lock of a PermanentSysMem allocation gives its backing store, and at the unlock the pages that
 * it named go to the segment by a paging operation. A driver whose paging operations need a least
 * size or an alignment says so to nobody but its own user-mode half, which therefore names whole
 * regions. The end of the allocation ends a region, too.
 *
 * Ownership: nothing is kept. Source: DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, PermanentSysMem;
 * D3DDDICB_LOCK; S3-009, S0-014.
 */
#ifndef UMD_REGION_H
#define UMD_REGION_H

#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_report;

/* The driver's paging operations: regions of `least` pages or more, which begin at a multiple of
 * `alignment` pages and end at one. */
struct umd_region_rule {
    uint32_t least;     /* 0 and 1: any size */
    uint32_t alignment; /* 0 and 1: any page */
};

struct umd_region {
    uint32_t first, count; /* pages */
};

/* Widen a region of an allocation of so many pages to the smallest one that obeys the rule, as far
 * as the allocation has pages. STATUS_INVALID_PARAMETER: the region is empty, or not inside the
 * allocation; then it is as it was. The report (may be NULL) says why. */
NTSTATUS umd_region_widen(const struct umd_region_rule *rule, uint32_t allocation_pages,
                          struct umd_region *region, struct vidmm_report *report);

/* Widen a region, and lock its pages. flags: VIDMM_LOCK_... without VIDMM_LOCK_ENTIRE; pages: room
 * for the list of them, as many as `room`. *data receives the address of the allocation's first
 * byte. vidmm_unlock() ends it. STATUS_INVALID_PARAMETER also: too little room, or LockEntire;
 * otherwise what vidmm_lock_pages() answers. After a refusal nothing is locked. */
NTSTATUS umd_region_lock(struct vidmm_allocation *allocation, const struct umd_region_rule *rule,
                         uint32_t flags, struct umd_region *region, uint32_t *pages, uint32_t room,
                         void **data, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
