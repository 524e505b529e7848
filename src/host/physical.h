/* physical.h: the physical address space of a machine, on one memory file.
 *
 *     file offset = physical address        (the file is sparse: a hole costs nothing)
 *
 *     the file     ....[ system memory ]..........[ BAR ]......[ BAR ]...
 *                         |        \                 |
 *     CPU addresses   [ linear ] [ frames 7,3,4 ]  [ linear ]
 *
 * If the processor's caches are apart, the file holds system memory three times: as it is, as the
 * caches hold it, and as it was when the two were last the same. The dirty bytes of the caches are
 * those that differ between the second and the third.
 *
 * Every region has one linear mapping for life. Frames that are not consecutive can be mapped once
 * more, in an order of one's own; each run of consecutive frames costs one of the system's limited
 * number of mappings, so runs are joined, and consecutive frames are answered from the linear
 * mapping.
 *
 * A page of system memory may have its bytes elsewhere: at a source, a page that processes of the
 * system share. All mappings show that one then.
 *
 * find() may be called by any thread at any time. map and unmap are for one thread at a time.
 * Adding and removing a BAR is for one thread while nobody uses that BAR.
 */
#ifndef VIDMM_HOST_PHYSICAL_H
#define VIDMM_HOST_PHYSICAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/machine.h"

#define VIDMM_PHYSICAL_BARS 96u /* windows for device memory */
#define VIDMM_PHYSICAL_LOW_UNITS (VIDMM_MACHINE_LOW_SIZE / VIDMM_MACHINE_LOW_UNIT)
/* Linux gives a process 65,530 mappings by default; the rest of the process needs some. */
#define VIDMM_PHYSICAL_RUN_LIMIT 57344u

/* Device memory: a window of the address space, in which size bytes exist. */
struct vidmm_physical_bar {
    uint64_t low; /* first address, of a window below 4 GiB; 0: it is at a place of its own above */
    _Atomic uint64_t size; /* bytes, whole pages; 0: no such memory */
    _Atomic(uint8_t *) address;
    uint64_t view_size; /* bytes, whole pages, of a view in its place; 0: there is none */
    uint8_t *view;      /* mappings of the view see it here; NULL: there are none */
};

struct vidmm_physical_mapping;
struct vidmm_physical_view;

struct vidmm_physical {
    int file;
    uint8_t *system;      /* linear mapping */
    const uint8_t *shown; /* the same, and the CPU cannot write there */
    uint8_t *caches;      /* the same bytes as the caches hold them; NULL: they are not apart */
    uint8_t *clean;       /* bytes equal here and there have not been written by the CPU */
    uint64_t system_size;
    /* For each page of system memory: where its bytes are; NULL: in the file. NULL: all are. */
    _Atomic(_Atomic(uint8_t *) *) sources;
    struct vidmm_physical_bar bars[VIDMM_PHYSICAL_BARS];
    _Atomic uint8_t
        low[VIDMM_PHYSICAL_LOW_UNITS];        /* whose a unit is: number of window + 1; 0: free */
    struct vidmm_physical_mapping **mappings; /* hashed by address */
    struct vidmm_physical_view *views;        /* addresses that show memory which is elsewhere */
    uint64_t mapping_count;
    uint64_t run_count; /* mappings of the system that they cost */
};

/* Make the file and map system memory. False: errno says why. */
bool vidmm_physical_init(struct vidmm_physical *physical, uint64_t system_size, bool caches_apart);
void vidmm_physical_finish(struct vidmm_physical *physical);

/* Give window `bar` size bytes of memory. False: it has some, or there is no room. */
bool vidmm_physical_add_bar(struct vidmm_physical *physical, unsigned bar, uint64_t size);
void vidmm_physical_remove_bar(struct vidmm_physical *physical, unsigned bar);

/* The first physical address of window `bar`. */
uint64_t vidmm_physical_bar_base(const struct vidmm_physical *physical, unsigned bar);
/* Move window `bar`, which has nothing yet, below 4 GiB, where it has `size` bytes, a power of two;
 * and back. False: there is no room. */
bool vidmm_physical_place_low(struct vidmm_physical *physical, unsigned bar, uint64_t size);
void vidmm_physical_place_high(struct vidmm_physical *physical, unsigned bar);
/* Whether some window is below 4 GiB; whether one is at the address. */
bool vidmm_physical_has_low(const struct vidmm_physical *physical);
bool vidmm_physical_is_low(const struct vidmm_physical *physical, uint64_t address);

/* The linear CPU address, or NULL unless all bytes lie in one region. size 0: NULL. */
void *vidmm_physical_find(struct vidmm_physical *physical, uint64_t address, uint64_t size);
/* The address at which the CPU reads a page of system memory, and cannot write it. */
const void *vidmm_physical_read_only(const struct vidmm_physical *physical, uint64_t frame);

/* From now on the bytes of these frames, which nobody maps, are those at `source`: pages of shared
 * mappings, which stay there until it ends. For one thread at a time, where the caches are not
 * apart. False: no address space, or no memory; nothing has changed. */
bool vidmm_physical_set_source(struct vidmm_physical *physical, uint64_t count,
                               const uint64_t *frames, uint8_t *source);
/* They have bytes of their own again, which mean nothing. False: no address space; the frames are
 * to be used no more. */
bool vidmm_physical_end_source(struct vidmm_physical *physical, uint64_t count,
                               const uint64_t *frames);

/* Map `count` (1 or more) page frames of system memory in this order; cached: as the caches hold
 * them, where these are apart. NULL: no address space. */
void *vidmm_physical_map(struct vidmm_physical *physical, uint64_t count, const uint64_t *frames,
                         bool cached);
/* Lay them over `address` instead, which is mapped memory of `count` pages. False: no. */
bool vidmm_physical_map_over(struct vidmm_physical *physical, void *address, uint64_t count,
                             const uint64_t *frames, bool cached);
/* Lay memory of a device or of the system, from a physical address on, over `where`. False: no. */
bool vidmm_physical_map_range_over(struct vidmm_physical *physical, void *where, uint64_t address,
                                   uint64_t size);
/* How many of the system's mappings that takes; 0: there is no such memory. */
uint64_t vidmm_physical_range_runs(struct vidmm_physical *physical, uint64_t address,
                                   uint64_t size);
/* Show these pages from `address` on, which is of no region; count 0: none. Views are shown and
 * looked up by one thread at a time. False: no memory. */
bool vidmm_physical_show_view(struct vidmm_physical *physical, uint64_t address, uint64_t count,
                              const uint64_t *pages);
/* Make window `bar`, which has no memory, one of views, `size` bytes; and undo. */
void vidmm_physical_add_view(struct vidmm_physical *physical, unsigned bar, uint64_t size);
void vidmm_physical_remove_view(struct vidmm_physical *physical, unsigned bar);
/* A CPU address at which [address, address + size) of a window of views is seen from now on,
 * whatever is shown there; where nothing is, the bytes mean nothing. As for views, one thread at a
 * time. NULL: it is in no such window, or there is no address space. */
void *vidmm_physical_map_view(struct vidmm_physical *physical, uint64_t address, uint64_t size);
/* Whether window `bar` has neither memory nor views. */
bool vidmm_physical_is_free(const struct vidmm_physical *physical, unsigned bar);
/* The page frames behind `count` pages that were mapped. False: they were not, or not all. */
bool vidmm_physical_frames(struct vidmm_physical *physical, const void *address, uint64_t count,
                           uint64_t *frames, bool *cached);

/* If the caches are apart: write their dirty lines of a page back, and forget the page. */
void vidmm_physical_flush(struct vidmm_physical *physical, uint64_t frame);
/* If the caches are apart: forget the page, dirty lines too. */
void vidmm_physical_forget(struct vidmm_physical *physical, uint64_t frame);

/* How many of the system's mappings it takes to show the frames in this order. */
uint64_t vidmm_physical_runs(uint64_t count, const uint64_t *frames);

/* Undo it. False: there is no such mapping, at this address, of count pages. */
bool vidmm_physical_unmap(struct vidmm_physical *physical, void *address, uint64_t count);

#endif
