/* process.h: the GPU virtual addresses of processes, and commands that are found by them: for GPUs
 * with page tables (GpuMmuSupported), from WDDM 2.0 on. A GPU with the CPU's page tables
 * (IoMmuSupported) has vidmm_shared_address() and vidmm_submit_command() of it, and nothing else.
 *
 *     vidmm_reserve_addresses()    addresses without a meaning        [ no access, or zero ]
 *     vidmm_map_addresses()        an allocation at new addresses     [ allocation ]
 *                                  ... or at some of a reservation    [ zero | allocation | zero ]
 *     vidmm_update_addresses()     another meaning, or that of others
 *     ..._addresses_after()        ... when a fence has come to a value
 *     vidmm_free_addresses()
 *     vidmm_submit_command()       commands at an address, by a context
 *
 * A process is the number that its devices were created with; all of its devices have the same
 * addresses, and no other process has them. Addresses may mean an allocation that is not resident:
 * then the GPU may not use them (D-202, D-253). The manager writes page tables by itself. A change
 * answers a value of a paging queue, which comes to it when the GPU knows the change (D-219); work
 * that is submitted behind the change finds it in any case.
 *
 * Ownership: addresses belong to their process, and are freed with its last device; those that mean
 * an allocation are freed with the allocation (D-184). Everything may be called by any thread. None
 * waits but vidmm_submit_command(), if it is told to. After any answer but success and
 * STATUS_PENDING nothing has changed. Without page tables all of it answers STATUS_NOT_SUPPORTED.
 *
 * Sources: D3DDDI_RESERVEGPUVIRTUALADDRESS, D3DDDI_MAPGPUVIRTUALADDRESS,
 * D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION, D3DKMT_FREEGPUVIRTUALADDRESS, D3DKMT_SUBMITCOMMAND;
 * D-091 to D-093, D-184, D-217 to D-223, W-010, W-022.
 */
#ifndef VIDMM_PROCESS_H
#define VIDMM_PROCESS_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_address_info;
struct vidmm_context;
struct vidmm_device;
struct vidmm_fence_point;
struct vidmm_paging_queue;
struct vidmm_report;
struct _DXGK_PTE; /* wddm/d3dukmdt_sync.h */

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_RESERVATION_GRANULE 0x10000u /* bytes: reservations are of whole 64 KiB (D-218) */
#define VIDMM_UPDATES_AT_ONCE 65536u       /* of one batch, at most */
#define VIDMM_WAITING_UPDATES 128u         /* of a context, until a call blocks (D-222) */
#define VIDMM_UPDATE_AT_ONCE 1u            /* no fence is waited for */
#define VIDMM_UPDATE_DO_NOT_BLOCK 2u
#define VIDMM_WRITTEN_PRIMARIES 16u /* of one submission, at most (D-092) */

/* Addresses that are asked for. Bytes. */
struct vidmm_address_request {
    uint64_t base;             /* honoured, if it is free (W-022); 0: the manager chooses */
    uint64_t minimum, maximum; /* base 0: from here on, and below there; 0: anywhere */
    uint64_t size;
};

/* The meaning of addresses. */
struct vidmm_address_use {
    uint32_t state;  /* VIDMM_ADDRESSES_NO_ACCESS .. VIDMM_ADDRESSES_MAPPED of plan.h */
    uint32_t access; /* MAPPED: VIDMM_ADDRESSES_WRITE, ..._EXECUTE */
    struct vidmm_allocation *allocation; /* MAPPED; else NULL (D-217) */
    uint64_t offset;                     /* MAPPED: bytes into the allocation, whole pages */
    uint64_t period; /* update, MAPPED: after so many bytes from the offset again; 0: never */
    uint64_t driver_protection;
};

/* Reserve addresses for the process of a device. queue: of the same device, and its fence tells;
 * NULL: none does, and the answer is STATUS_SUCCESS. state: NO_ACCESS, ZERO or NO_COMMIT. Sizes and
 * bounds are whole 64 KiB. *address receives the first. STATUS_PENDING: queue, and *value (may be
 * NULL) is what it comes to. STATUS_INVALID_PARAMETER: a member that is not legal, or addresses
 * that are not free; STATUS_NO_MEMORY: there are no such addresses, or no memory for a record;
 * STATUS_NOT_SUPPORTED; STATUS_DEVICE_REMOVED; why the device is in error, with a queue. */
NTSTATUS vidmm_reserve_addresses(struct vidmm_device *device, struct vidmm_paging_queue *queue,
                                 const struct vidmm_address_request *request, uint32_t state,
                                 uint64_t driver_protection, uint64_t *address, uint64_t *value,
                                 struct vidmm_report *report);

/* Map addresses of the process of the queue's device: new ones, or with a base, some of a
 * reservation too. use->state: MAPPED; or NO_ACCESS or ZERO, of a reservation that was reserved
 * (D-217). Sizes, bounds and the offset are whole pages of 4 KiB; the range lies in the allocation,
 * which is of the device. Answers as vidmm_reserve_addresses(). */
NTSTATUS vidmm_map_addresses(struct vidmm_paging_queue *queue,
                             const struct vidmm_address_request *request,
                             const struct vidmm_address_use *use, uint64_t *address,
                             uint64_t *value, struct vidmm_report *report);

/* Give addresses of one reservation, which was reserved, another meaning: use->state MAPPED,
 * NO_ACCESS or ZERO (D-222). Answers as vidmm_reserve_addresses(). */
NTSTATUS vidmm_update_addresses(struct vidmm_paging_queue *queue, uint64_t base, uint64_t size,
                                const struct vidmm_address_use *use, uint64_t *value,
                                struct vidmm_report *report);

/* Give addresses of a reservation the meaning that others have now, of a reservation too; the two
 * may overlap. Answers as vidmm_reserve_addresses(). Source:
 * D3DDDI_UPDATEGPUVIRTUALADDRESS_COPY. */
NTSTATUS vidmm_copy_addresses(struct vidmm_paging_queue *queue, uint64_t base, uint64_t size,
                              uint64_t source, uint64_t *value, struct vidmm_report *report);

/* One change of a batch. */
struct vidmm_address_operation {
    uint64_t base, size;          /* as of vidmm_update_addresses() */
    bool copied;                  /* as vidmm_copy_addresses() from `source`; else as `use` says */
    uint64_t source;              /* copied */
    struct vidmm_address_use use; /* not copied */
};

/* Change addresses when a fence has come to a value, and signal the fence with that value + 1 when
 * the GPU knows the changes (D-222). The changes are made in their order, those of one context in
 * the order of the calls, and on nothing but the fence do they wait: work of the context that needs
 * them waits for the signal. All ranges that are changed are in one reservation, and so are all
 * sources of copies; count is 1 to VIDMM_UPDATES_AT_ONCE, and `operations` is copied. flags: of
 * VIDMM_UPDATE_AT_ONCE and VIDMM_UPDATE_DO_NOT_BLOCK. Allocations need not be resident. If more
 * than VIDMM_WAITING_UPDATES changes of the context would wait, the call blocks until earlier ones
 * are made.
 *
 * A change whose allocation or reservation is gone by then is left out, and so is one for which
 * there is no memory. A fence that is destroyed holds nothing back, and is not signaled. If the
 * context is destroyed, or its device in error, the rest is given up. The first batch of a context
 * makes a paging queue of the device, for its changes alone, and if the driver can have one a
 * companion context, on which they run (D-266).
 *
 * STATUS_SUCCESS: the batch is made, or will be. STATUS_INVALID_PARAMETER: an operation that is
 * not legal, with its reason, a flag that there is not, no fence, a fence of another device that
 * is not shared, 2^64 - 1 as value; STATUS_ACCESS_DENIED: the fence was made with NO_SIGNAL or
 * NO_WAIT; STATUS_TIMEOUT: the context has too many changes, and nothing goes on that could make
 * them; STATUS_DEVICE_BUSY: it has, and the call may not block; STATUS_NO_MEMORY;
 * STATUS_NOT_SUPPORTED; STATUS_DEVICE_REMOVED; why the device is in error. After each but the
 * first nothing has changed. Source: D3DKMT_UPDATEGPUVIRTUALADDRESS,
 * D3DKMTUpdateGpuVirtualAddress. */
NTSTATUS vidmm_update_addresses_after(struct vidmm_context *context,
                                      const struct vidmm_address_operation *operations,
                                      uint32_t count, const struct vidmm_fence_point *after,
                                      uint32_t flags, struct vidmm_report *report);

/* Free addresses of the device's process, all of which are reserved or mapped (D-220).
 * STATUS_INVALID_PARAMETER: no whole pages, or some of them are free; STATUS_NO_MEMORY: none for
 * the two ends of a reservation that is cut; STATUS_NOT_SUPPORTED; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_free_addresses(struct vidmm_device *device, uint64_t base, uint64_t size,
                              struct vidmm_report *report);

/* Tell the address at which the CPU and the GPU find an allocation, where the GPU uses the CPU's
 * page tables (IoMmuSupported): that of Lock2, for as long as the allocation lives, locked or not.
 * The GPU finds it there while it is resident, in each process that has it open. *address receives
 * the address of the first byte. STATUS_INVALID_PARAMETER: NULL, or the allocation may be in a
 * memory segment (AccessedPhysically), to which these page tables do not lead;
 * STATUS_NOT_SUPPORTED: a GPU of another kind. Source: IoMmu model; D-268. */
NTSTATUS vidmm_shared_address(const struct vidmm_allocation *allocation, uint64_t *address,
                              struct vidmm_report *report);

/* Describe the addresses of a process that hold `address`, or else the first behind it, as they are
 * asked for and maybe not yet known to the GPU. *info (engine.h) receives a run whose meaning goes
 * on. physical_adapter: to which of a link they mean that; 0: to the lead. False: there are none,
 * the process has no device here, or there are fewer adapters. For tools. Source: D3DKMT_VAD_DESC,
 * D3DKMT_VA_RANGE_DESC. */
bool vidmm_find_addresses(struct vidmm_adapter *adapter, uint64_t process,
                          uint32_t physical_adapter, uint64_t address,
                          struct vidmm_address_info *info);

/* Read entries of a process's page tables as they are asked for now, and maybe not yet known to the
 * GPU. Levels count from the leaf, which is 0. indices, 6 of them, lead there: indices[n] is the
 * entry of the table of level n on the way from the root, and indices[level] is the first that is
 * read; those of levels that the driver has not are not looked at. `entries` has `room` elements,
 * and receives the entries from there to the end of the table; *wide receives, if there are any,
 * whether the table is a leaf of 64 KiB pages. With DualPteSupported it says, at levels 0 and 1,
 * that those for pages of 64 KiB are asked for, and stays. physical_adapter: whose tables, of a
 * link; 0: the lead's. Answers how many were read. 0: no such adapter, level, table or entry, no
 * page tables, or the process has no device here. For tools. Source: D3DKMT_GET_PTE, DXGK_PTE. */
uint32_t vidmm_find_page_entries(struct vidmm_adapter *adapter, uint64_t process,
                                 uint32_t physical_adapter, uint32_t level, const uint32_t *indices,
                                 bool *wide, struct _DXGK_PTE *entries, uint32_t room);

/* Commands of a program. */
struct vidmm_command {
    uint64_t address; /* of the process: the first command */
    uint32_t length;  /* bytes, 1 .. */
    uint32_t private_data_size;
    const void *private_data;                          /* for the driver, unchanged; copied */
    struct vidmm_allocation *const *written_primaries; /* (D-092) */
    uint32_t written_primary_count;                    /* to VIDMM_WRITTEN_PRIMARIES */
};

/* Queue commands on a context (DxgkDdiSubmitCommandVirtual). All that the device's residency list
 * names is in place when they run; nothing of the addresses is looked at. *value receives the
 * context's fence value, which counts with those of vidmm_render(). wait: if all places of the
 * context are in use, wait for one; otherwise STATUS_DEVICE_BUSY. STATUS_INVALID_PARAMETER: no
 * context, or more private data than the driver asked for (D-091), a member that is not legal, a
 * primary of another device, or one that is not resident (D-093); STATUS_NOT_SUPPORTED;
 * STATUS_NO_MEMORY; STATUS_TIMEOUT; why the device is in error. */
NTSTATUS vidmm_submit_command(struct vidmm_context *context, const struct vidmm_command *command,
                              bool wait, uint64_t *value, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
