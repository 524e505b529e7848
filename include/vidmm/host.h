/* host.h: the operating system, as the manager asks for it.
 *
 * One table an adapter. The manager keeps no memory, page, clock, thread or lock of its own; this
 * table has those that it needs, so that it links into a kernel, runs under POSIX threads, or under
 * a simulated host where time is a number and a seed chooses who runs next. The engine (vidmm_step)
 * calls none of this but memory; the rest is for the two faces.
 *
 * The host owns the table; it outlives the adapter.
 */
#ifndef VIDMM_HOST_H
#define VIDMM_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_ANY_FRAME UINT64_MAX /* no limit on the page frame number */

/* How the processor's caches treat pages, as MEMORY_CACHING_TYPE numbers it. */
enum vidmm_caching {
    VIDMM_NON_CACHED = 0,
    VIDMM_CACHED = 1,
    VIDMM_WRITE_COMBINED = 2,
};

/* Levels of a processor, as Windows numbers them on x64. */
#define VIDMM_PASSIVE_LEVEL 0u
#define VIDMM_DISPATCH_LEVEL 2u
#define VIDMM_DEVICE_LEVEL 5u

/* The functions that the host calls. All are the adapter's; none is called before connect() or
 * after disconnect() has returned. */
struct vidmm_host_client {
    void *argument;
    /* The interrupt service routine, at device level, never twice at once. True: it was ours. */
    bool (*service)(void *argument, uint32_t message);
    /* The deferred procedure call, at dispatch level, once for any number of queue_dpc() since. */
    void (*dpc)(void *argument);
    /* Work at passive level: called once or more after wake(), never twice at once. */
    void (*work)(void *argument);
    /* work() never calls wait(): a thread in wait() may run it meanwhile, which is faster than
     * waking a thread for it. False: it may, and has a thread of its own. */
    bool work_never_waits;
};

struct vidmm_window; /* the host's */

struct vidmm_host {
    void *context;
    struct vidmm_memory memory; /* for records; not for contents of allocations */

    /* Bytes of system memory in all, as the operating system sees it; 0, or NULL: it does not
     * say. */
    uint64_t (*system_memory)(void *context);
    /* Whether any of these physical addresses is memory that the operating system manages. NULL: it
     * does not say. */
    bool (*manages_memory)(void *context, uint64_t physical_address, uint64_t size);

    /* Pages of system memory. `frames` receives `count` page frame numbers, all at or below
     * highest_frame and none of them 0; consecutive if contiguous, otherwise in any order; wherever
     * they are mapped, they are mapped with this caching. Contents are undefined.
     * False: not that many pages; nothing has changed. */
    bool (*take_pages)(void *context, uint64_t count, uint64_t highest_frame, bool contiguous,
                       enum vidmm_caching caching, uint64_t *frames);
    /* As take_pages(), in units of so many pages, a power of two of which `count` is a multiple:
     * the frames of a unit are consecutive and rise, and the first of them is a multiple of `unit`.
     * NULL: a GPU maps system memory by pages of 4 KiB alone. */
    bool (*take_units)(void *context, uint64_t count, uint64_t unit, uint64_t highest_frame,
                       enum vidmm_caching caching, uint64_t *frames);
    void (*release_pages)(void *context, uint64_t count, const uint64_t *frames);
    /* Fill the pages with zeros. */
    void (*clear_pages)(void *context, uint64_t count, const uint64_t *frames);
    /* The pages stay taken, their bytes are wanted no more: the host may give the storage back or
     * poison it. */
    void (*drop_pages)(void *context, uint64_t count, const uint64_t *frames);
    /* Write back what the processor's caches hold of cached pages, and forget it: the CPU's writes
     * are in memory then, and its next reads find the content of memory. NULL: a device that reads
     * or writes memory sees and changes the caches too; there is nothing to flush. */
    void (*flush_pages)(void *context, uint64_t count, const uint64_t *frames);
    /* Make the pages appear at consecutive CPU addresses, in the order of `frames`. NULL: no
     * address space. */
    void *(*map_pages)(void *context, uint64_t count, const uint64_t *frames);
    void (*unmap_pages)(void *context, void *address, uint64_t count);
    /* Make a page of system memory appear at an address at which programs read it and cannot write:
     * a write there is a fault of the program's. It costs as little as can be, for there may be a
     * page for each fence of a process. NULL: no address space. Both members may be NULL: the host
     * cannot keep anybody from writing, and map_pages() serves. */
    const void *(*map_for_reading)(void *context, uint64_t frame);
    void (*unmap_for_reading)(void *context, const void *address);
    /* Make physical addresses of a device's memory appear. NULL: not such a range. */
    void *(*map_physical)(void *context, uint64_t physical_address, uint64_t size);
    void (*unmap_physical)(void *context, void *address, uint64_t size);
    /* Windows: `count` pages of addresses that stay while what they show changes: pages of system
     * memory, a device's memory, or nothing. A window that is closed shows nothing: a thread that
     * touches it waits until it shows something again, and then reads or writes that. Created
     * closed. NULL: no address space. The address stays until destroy_window(), which takes
     * NULL. */
    struct vidmm_window *(*create_window)(void *context, uint64_t count, void **address);
    void (*destroy_window)(void *context, struct vidmm_window *window);
    /* See to it that show_pages() of these frames, one for each page of the window, cannot fail.
     * False: it might; nothing has changed. */
    bool (*reserve_window)(void *context, struct vidmm_window *window, const uint64_t *frames);
    /* Show the pages, in the order of `frames`, for which the window was reserved. */
    void (*show_pages)(void *context, struct vidmm_window *window, const uint64_t *frames);
    /* Make sure that show_physical() of this address cannot fail. False: no address space, or no
     * memory of a device is there. */
    bool (*reserve_physical)(void *context, struct vidmm_window *window, uint64_t physical_address);
    /* Show a device's memory from this physical address on. */
    void (*show_physical)(void *context, struct vidmm_window *window, uint64_t physical_address);
    /* Reserve for, and show, pages of devices' memory in any order: page frame numbers, one for
     * each page of the window. reserve_device_pages() with NULL: for whatever pages. A reservation
     * is good for the next call that shows something. */
    bool (*reserve_device_pages)(void *context, struct vidmm_window *window,
                                 const uint64_t *frames);
    void (*show_device_pages)(void *context, struct vidmm_window *window, const uint64_t *frames);
    /* On return nobody reads or writes what it showed. */
    void (*close_window)(void *context, struct vidmm_window *window);

    /* Adopt memory that exists: `count` pages at a page-aligned address, of a program or (kernel)
     * of the kernel. They stay where they are and keep their bytes; `frames` receives their page
     * frame numbers, *caching how they are mapped. False: it is not such memory, all of it, to read
     * and write; nothing has changed. Passive level. */
    bool (*lock_pages)(void *context, void *address, uint64_t count, bool kernel, uint64_t *frames,
                       enum vidmm_caching *caching);
    /* Undo it; the bytes stay. */
    void (*unlock_pages)(void *context, void *address, uint64_t count, const uint64_t *frames);

    /* The AGP aperture of the chipset: where devices see it. False, or NULL: there is none. */
    bool (*find_agp_aperture)(void *context, uint64_t *base, uint64_t *size);
    /* The GART: show pages of system memory in it, from page `first` on; show nothing there.
     * Passive level. */
    void (*map_agp)(void *context, uint64_t first, uint64_t count, const uint64_t *frames);
    void (*unmap_agp)(void *context, uint64_t first, uint64_t count);

    /* The IOMMU: addresses of the processor that devices use as well (the IoMmu model). NULL all of
     * them: the machine has none. open_space(): begin the address space of a process; *pasid, which
     * is not 0, is what devices call it by. False: there are too many. close_space(): devices reach
     * nothing by it from then on. */
    bool (*open_space)(void *context, uint32_t *pasid);
    void (*close_space)(void *context, uint32_t pasid);
    /* Reserve `count` pages of a space, from a page-aligned address on, so that map_space() of them
     * cannot fail; they show nothing yet. The same pages may be reserved more than once, and stay
     * until they were released as often. False: no memory, no such space, or some of them are
     * reserved with others. */
    bool (*reserve_space)(void *context, uint32_t pasid, uint64_t address, uint64_t count);
    /* Give back what was reserved from the address on. */
    void (*release_space)(void *context, uint32_t pasid, uint64_t address);
    /* Have all that was reserved from the address on show these frames, one for each page, instead
     * of what it showed; have it show nothing. Nothing happens if nothing was reserved there. */
    void (*map_space)(void *context, uint32_t pasid, uint64_t address, const uint64_t *frames,
                      bool write);
    void (*unmap_space)(void *context, uint32_t pasid, uint64_t address);

    /* The IOMMU between the device and system memory. NULL all of them: there is none, and the
     * device reaches all memory. create_domain(): a domain in which nothing is mapped yet; the
     * device reaches all memory until it is attached. False: no memory. destroy_domain(): nothing
     * is mapped in it any more; devices that are attached to it reach all memory again. Passive
     * level. */
    bool (*create_domain)(void *context);
    void (*destroy_domain)(void *context);
    /* Let the devices that are, or will be, attached to the domain reach pages of system memory, at
     * their own addresses; and no longer. A page is reached until it was unmapped as often as it
     * was mapped. Neither can fail. To dispatch level. */
    void (*map_domain)(void *context, uint64_t count, const uint64_t *frames);
    void (*unmap_domain)(void *context, uint64_t count, const uint64_t *frames);
    /* Domains that show pages at other addresses (DMA remapping). NULL all of them: a domain shows
     * pages at their own addresses alone. highest_page(): the greatest page frame number that
     * system memory has. create_logical_domain(): as create_domain(); devices that are attached to
     * it find system memory at logical pages, and by no other address. take_logical(): `count`
     * consecutive logical pages, none of them above `highest` nor 0, which show nothing yet; *first
     * is the lowest of them. False: there are not so many, or no memory; nothing has changed.
     * release_logical(): they show nothing any more. map_logical(): have them show the page frames,
     * one each; unmap_logical(): nothing again. Neither can fail. To dispatch level. */
    uint64_t (*highest_page)(void *context);
    bool (*create_logical_domain)(void *context);
    bool (*take_logical)(void *context, uint64_t count, uint64_t highest, uint64_t *first);
    void (*release_logical)(void *context, uint64_t first, uint64_t count);
    void (*map_logical)(void *context, uint64_t first, uint64_t count, const uint64_t *frames);
    void (*unmap_logical)(void *context, uint64_t first, uint64_t count);
    /* hold_device(): the device reaches no system memory until attach_domain(), which attaches it
     * to the domain of `owner`, the host of this device or of one that it is linked to; NULL: to
     * none. False: the device is held still. Passive level. */
    void (*hold_device)(void *context);
    bool (*attach_domain)(void *context, const struct vidmm_host *owner);

    /* The device's config space. False: no such register. */
    bool (*read_config)(void *context, uint32_t offset, void *buffer, uint32_t length);
    bool (*write_config)(void *context, uint32_t offset, const void *buffer, uint32_t length);

    /* Interrupts and work. */
    bool (*connect)(void *context, const struct vidmm_host_client *client);
    void (*disconnect)(void *context); /* on return nothing of the client is running */
    bool (*queue_dpc)(void *context);  /* false: one is pending already. Any thread, any level */
    /* On return no deferred procedure call that was pending before is pending or running. Passive
     * level, without the mutex held, not from within one. NULL: there is nothing to flush, a call
     * runs inside queue_dpc(). */
    void (*flush_dpcs)(void *context);
    /* Run routine in exclusion with the service routine, at device level; false: not connected. */
    bool (*synchronize)(void *context, bool (*routine)(void *argument), void *argument,
                        bool *result);
    void (*wake)(void *context); /* have work() called, and waiters look again. Any thread, level */
    /* Have work() called at or soon after this time, once; replaces the time set before.
     * UINT64_MAX: never. A simulated host with nothing else to do goes forward to it. */
    void (*set_timer)(void *context, uint64_t at_ns);
    uint8_t (*raise_irql)(void *context, uint8_t irql); /* answers the level before */
    void (*lower_irql)(void *context, uint8_t irql);
    uint8_t (*current_irql)(void *context);

    /* Time and waiting. */
    uint64_t (*now_ns)(void *context); /* never goes back */
    void (*lock)(void *context);       /* the adapter's one mutex; not recursive */
    void (*unlock)(void *context);
    /* Let others run until ready() answers true: it is asked again after every wake(), without the
     * mutex held, and it may take the mutex. Passive level only. False: it is false and nothing in
     * the machine can change any more, or `timeout_ns` have passed (UINT64_MAX: no limit). */
    bool (*wait)(void *context, bool (*ready)(void *argument), void *argument, uint64_t timeout_ns);
    /* Whether this thread is inside work(), which nothing may wait in if it never waits. NULL: the
     * host does not know. */
    bool (*is_in_work)(void *context);

    /* The processor is an x86 or x64. Every GPU sees its caches there, so flush_pages is NULL, or
     * no adapter starts (S2-026). False: another, or the host does not say. */
    bool x64;
};

#ifdef __cplusplus
}
#endif

#endif
