/* process.h: a process as the miniport knows it, from WDDM 2.0 on. A structure and no more. The
 * adapter's mutex guards it.
 */
#ifndef VIDMM_OBJECT_PROCESS_H
#define VIDMM_OBJECT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;

#define VIDMM_DRIVER_RANGES 16u /* of one process */

/* Addresses [start, end) that the miniport has reserved (D-225). */
struct vidmm_driver_range {
    uint64_t start, end;
    bool mappable; /* AllowUserModeMapping: programs may map there */
};

#define VIDMM_MAP_NOTES 8u /* of one process */

/* Addresses [start, end) are mapped when the paging queue passes the value (pending_map.c). */
struct vidmm_map_note {
    uint64_t start, end;
    uint64_t value; /* 0: there is no such note */
    uint32_t queue; /* its id in events */
};

struct vidmm_process {
    struct vidmm_adapter *adapter;
    struct vidmm_process *next, **link; /* of its adapter */
    uint64_t process;                   /* as vidmm_device_create() is told; 0: the system's */
    bool system;
    uint32_t devices;    /* that it has on the adapter */
    uint32_t id;         /* in events, from 1; 0: the system's, where it has no page tables */
    uint32_t space;      /* in events: the addresses in which companion contexts run; 0: none */
    uint32_t lost_space; /* ... of one that came to nothing: its page tables may still be written */
    uint32_t handle;     /* the kernel's, for callbacks */
    uint32_t pasid;      /* of its address space, under an IOMMU; else 0 */
    HANDLE h_process;    /* the miniport's; NULL: it has no DxgkDdiCreateProcess */
    uint64_t space_free; /* addresses there that mean nothing (client/companion.c) */
    bool accompanies;    /* a thread makes a companion for one of its contexts */
    bool made;           /* the miniport was told of it */
    bool in_creation;    /* the miniport may reserve addresses: it is in the call for that */
    uint32_t range_count;
    struct vidmm_driver_range ranges[VIDMM_DRIVER_RANGES]; /* that many */
    struct vidmm_map_note maps[VIDMM_MAP_NOTES];           /* the newest of its programs' */
    uint32_t map_next;                                     /* the one that is overwritten next */
};

/* Whether events name it, or one of its spaces, by that number. */
static inline bool vidmm_process_has(const struct vidmm_process *process, uint32_t id)
{
    return process->id == id || (id != 0 && (process->space == id || process->lost_space == id));
}

#endif
