/* share.h: what a machine keeps of a shared resource besides its memory: the data of the runtime
 * and of the user-mode driver, for those who open it.
 *
 *     CreateAllocation2, CreateShared ---> share, by the resource's global handle
 *     QueryResourceInfo, OpenResource <--- ... as long as an opening of it is there
 *
 * Source: D3DKMT_CREATEALLOCATION, D3DKMT_QUERYRESOURCEINFO, D3DKMT_OPENRESOURCE.
 */
#ifndef VIDMM_THUNK_SHARE_H
#define VIDMM_THUNK_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_adapter;
struct vidmm_thunk_machine;

/* A piece of data. */
struct vidmm_share_data {
    const void *bytes;
    uint32_t size;
};

struct vidmm_share {
    struct vidmm_share *next;
    struct vidmm_adapter *adapter;
    uint32_t handle;   /* of the resource, global to the adapter */
    bool nt;           /* NtSecuritySharing: opened by NT handles alone */
    uint32_t openings; /* resources of processes that it is, and NT handles */
    uint32_t count;    /* allocations */
    struct vidmm_share_data runtime, resource;
    struct vidmm_share_data *allocations;
    /* Memory that other processes of the system reach too (heap_file.h); -1: there is none. */
    int file;
    uint64_t file_size; /* bytes of the memory in it; behind it are those of `runtime` */
    uint32_t flags;     /* ... of its creation */
};

/* Copy what belongs to a resource that is about to be shared; handle and adapter are set later.
 * NULL: no memory. */
struct vidmm_share *vidmm_share_create(struct vidmm_share_data runtime,
                                       struct vidmm_share_data resource,
                                       const struct vidmm_share_data *allocations, uint32_t count);
void vidmm_share_destroy(struct vidmm_share *share);

/* Make it known, with one opening. */
void vidmm_share_publish(struct vidmm_thunk_machine *machine, struct vidmm_share *share);
/* One opening more, of a global handle; NULL: no such resource. One less; the last takes the
 * share. */
struct vidmm_share *vidmm_share_open(struct vidmm_thunk_machine *machine,
                                     struct vidmm_adapter *adapter, uint32_t handle);
void vidmm_share_close(struct vidmm_thunk_machine *machine, struct vidmm_share *share);
void vidmm_share_forget_all(struct vidmm_thunk_machine *machine);

/* Bytes of the private data of all allocations together. */
uint32_t vidmm_share_total(const struct vidmm_share *share);

#endif
