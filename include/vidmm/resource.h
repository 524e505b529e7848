/* resource.h: allocations that belong together, that several devices share, that the system asks
 * for.
 *
 *     vidmm_resource_create()  ->  resource --- allocation, allocation, ...      of one device
 *                                     |
 *              shared: a handle       '--- vidmm_resource_open(another device, handle)
 *                                              -> resource --- allocation, allocation, ...
 *
 * A resource is created in one call of DxgkDdiCreateAllocation, opened and closed as a whole, and
 * destroyed with its last opening. An opening gives allocations of the device that opens: it
 * renders from them as from its own. All openings are the same memory.
 *
 * Ownership: a resource and its allocations belong to their device and go with it. Everything may
 * be called by any thread at passive level. Source: D3DDDICB_ALLOCATE, D3DKMTOpenResource,
 * DXGKARG_CREATEALLOCATION, DXGKARG_OPENALLOCATION; rules D-046 to D-067, D-377 to D-383, S0-006.
 */
#ifndef VIDMM_RESOURCE_H
#define VIDMM_RESOURCE_H

#include <stdbool.h>

#include <wddm/d3dkmdt_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_device;
struct vidmm_report;
struct vidmm_resource;

#define VIDMM_NO_SOURCE UINT32_MAX /* D3DDDI_ID_NOTAPPLICABLE */
#define VIDMM_RESOURCE_MOST 1024u  /* allocations of one creation */

/* One allocation that is to be created: the user-mode driver's data for it. */
struct vidmm_description {
    const void *private_data; /* the driver's business; copied */
    uint32_t private_data_size;
    uint32_t vidpn_source; /* of a primary: the video present source; otherwise VIDMM_NO_SOURCE */
    bool primary;          /* D3DDDI_ALLOCATIONINFO, Flags.Primary */
    void *address;         /* existing memory (vidmm_allocation_create_over()); NULL: none */
    uint64_t size;         /* bytes of it; 0: as many as the driver describes */
};

struct vidmm_resource_options {
    const void *private_data; /* of the resource as a whole; copied */
    uint32_t private_data_size;
    bool shared; /* other devices may open it; nothing can be added to it (D-058) */
};

/* Create a resource of `count` allocations (0 to VIDMM_RESOURCE_MOST; an unshared one may be
 * empty), and open it. allocations receives them, in the order of the descriptions.
 * STATUS_INVALID_PARAMETER: a count out of range, a shared resource without allocations, a source
 * for what is no primary (D-062), or what the driver described (the report names the rule);
 * otherwise as vidmm_allocation_create(). Refused: nothing has been created. */
NTSTATUS vidmm_resource_create(struct vidmm_device *device,
                               const struct vidmm_resource_options *options,
                               const struct vidmm_description *descriptions, uint32_t count,
                               struct vidmm_resource **resource,
                               struct vidmm_allocation **allocations, struct vidmm_report *report);

/* Create more allocations of an unshared resource. STATUS_INVALID_PARAMETER also: it is shared
 * (D-058). */
NTSTATUS vidmm_resource_add(struct vidmm_resource *resource,
                            const struct vidmm_description *descriptions, uint32_t count,
                            struct vidmm_allocation **allocations, struct vidmm_report *report);

/* Close it: its handle and those of its allocations die at once; the memory goes when nothing
 * refers to it any more, here or, if it is shared, by another opening. A shared one waits until the
 * GPU has done what the device has queued. Takes NULL. Source: D3DDDICB_DEALLOCATE, hResource;
 * D-053, D-066. */
void vidmm_resource_destroy(struct vidmm_resource *resource);

/* Free allocations by list, all of one resource or all of none (D-066). STATUS_INVALID_PARAMETER:
 * one is NULL, or named twice; they are mixed, of several devices, or of a shared resource, which
 * goes as a whole; nothing has been freed. A resource that is left empty is still to be destroyed
 * (D-067). */
NTSTATUS vidmm_allocations_destroy(struct vidmm_allocation *const *allocations, uint32_t count,
                                   struct vidmm_report *report);

#define VIDMM_DESTROY_ASSUME_NOT_IN_USE 1u
#define VIDMM_DESTROY_SYNCHRONOUS 2u

/* Free allocations as vidmm_allocations_destroy(), by flags. Without any the call does not wait:
 * the handles die, and memory and addresses go when all has run that was queued before, on any
 * device whose residency list names the allocation (S2-005).
 * VIDMM_DESTROY_ASSUME_NOT_IN_USE: they go at once, whatever the allocations' own device has queued
 * (D-181). The caller vouches for it: commands that use one all the same meet a page fault, or what
 * has come to its place. A DMA buffer whose list names it holds it all the same: so the flag says
 * nothing new below WDDM 2.0. VIDMM_DESTROY_SYNCHRONOUS: the call returns when the memory has gone;
 * what the caller itself would have to do before that is never done (D-182).
 * STATUS_INVALID_PARAMETER also: another flag. Source: D3DDDICB_DESTROYALLOCATION2FLAGS. */
NTSTATUS vidmm_allocations_destroy2(struct vidmm_allocation *const *allocations, uint32_t count,
                                    uint32_t flags, struct vidmm_report *report);
/* Close a resource as vidmm_resource_destroy(), by those flags; a shared one waits for its device
 * with VIDMM_DESTROY_ASSUME_NOT_IN_USE, too. STATUS_INVALID_PARAMETER: another flag; nothing has
 * been closed. */
NTSTATUS vidmm_resource_destroy2(struct vidmm_resource *resource, uint32_t flags,
                                 struct vidmm_report *report);

/* The handle by which another device opens it; 0: it is not shared. */
uint32_t vidmm_resource_handle(const struct vidmm_resource *resource);
uint32_t vidmm_resource_count(const struct vidmm_resource *resource); /* allocations */

/* Open a shared resource for a device of the same adapter. allocations receives as many as
 * vidmm_resource_count() says of any opening; `room` for fewer is refused.
 * STATUS_INVALID_PARAMETER: no shared resource has this handle, or too little room;
 * STATUS_NO_MEMORY; why the device is in error (vidmm_device_condition()); or what the driver
 * answered to DxgkDdiOpenAllocation. */
NTSTATUS vidmm_resource_open(struct vidmm_device *device, uint32_t handle,
                             struct vidmm_resource **resource,
                             struct vidmm_allocation **allocations, uint32_t room,
                             struct vidmm_report *report);

/* A surface that the system itself wants. */
struct vidmm_standard {
    D3DKMDT_STANDARDALLOCATION_TYPE type; /* shared primary, shadow, staging, GDI surface; VGPU */
    uint32_t width, height;               /* pixels, 1 to 65535; staging: of the back buffer */
    D3DDDIFORMAT format;                  /* staging: D3DDDIFMT_X8R8G8B8 (D-382) */
    uint32_t vidpn_source;                /* shared primary */
    D3DKMDT_GDISURFACETYPE gdi;           /* GDI surface: of which kind; 0: a texture */
    void *address; /* GDI surface, EXISTINGSYSMEM: page aligned; the caller's as long as it lives */
    uint64_t size; /* ... whole pages of it; virtual-GPU surface: its bytes, 1 at least */
    uint32_t alignment, driver_segment, driver_data; /* virtual-GPU surface: for the driver */
};

/* Have the driver describe a standard allocation (DxgkDdiGetStandardAllocationDriverData, for the
 * sizes and then for the data) and create it, as a resource of one. A shared primary is shared,
 * pinned and may be locked by every process that has it open (D-383). *pitch receives the bytes of
 * a row, 0 where the driver does not say (shared primary). STATUS_INVALID_PARAMETER: a type that is
 * none or newer than the driver (D-380), a kind of GDI surface that is the system's own or newer
 * than the driver, a size out of range, or existing memory that is not legal (S0-030);
 * STATUS_NOT_SUPPORTED: the driver has no DxgkDdiGetStandardAllocationDriverData; otherwise as
 * vidmm_resource_create(). */
NTSTATUS vidmm_standard_create(struct vidmm_device *device, const struct vidmm_standard *standard,
                               struct vidmm_resource **resource,
                               struct vidmm_allocation **allocation, uint32_t *pitch,
                               struct vidmm_report *report);

/* Judge the flags of a program's creation, before it is carried out: of `count` allocations, which
 * are added to a resource that there is, or not. flags: D3DKMT_CREATEALLOCATIONFLAGS.
 * STATUS_INVALID_PARAMETER: CreateShared without CreateResource, NtSecuritySharing without
 * CreateShared (D-059); from WDDM 2.0 on, StandardAllocation without exactly one of ExistingSysMem
 * and ExistingSection, or one of these without it, or of several allocations, or for a resource
 * that there is (D-060). Nothing is told of what is not refused. */
NTSTATUS vidmm_creation_check(const struct vidmm_device *device, uint32_t flags, uint32_t count,
                              bool adds, struct vidmm_report *report);

/* Memory of a program that is to be an allocation as it lies
 * (D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP). */
struct vidmm_heap {
    void *address;  /* page aligned; the program's until the allocation goes */
    uint64_t size;  /* whole pages, below 4 GiB */
    uint32_t flags; /* D3DKMT_CREATEALLOCATIONFLAGS: StandardAllocation, ExistingSysMem, ... */
};

/* Create a standard allocation over memory of the program, from WDDM 2.0 on. The driver describes
 * it as a GDI surface that adapters share, of one row with as many bytes as the heap, and is not
 * told whose memory it is. With CreateResource *resource receives a resource, shared with
 * CreateShared; without, NULL. STATUS_INVALID_PARAMETER: as vidmm_creation_check(); the memory is
 * not of whole pages, or an address at which another allocation is locked (D-061); the driver
 * describes more bytes than there are (S0-030). STATUS_NOT_SUPPORTED: an older driver, one without
 * DxgkDdiGetStandardAllocationDriverData, or ExistingSection. Otherwise as
 * vidmm_resource_create(). */
NTSTATUS vidmm_heap_create(struct vidmm_device *device, const struct vidmm_heap *heap,
                           struct vidmm_resource **resource, struct vidmm_allocation **allocation,
                           struct vidmm_report *report);

/* The driver's private data of an allocation of a shared resource, which stay as long as it is
 * open; NULL and 0 of another. */
const void *vidmm_allocation_private_data(const struct vidmm_allocation *allocation,
                                          uint32_t *size);

#ifdef __cplusplus
}
#endif

#endif
