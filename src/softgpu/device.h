/*
 * device.h: the GPU in software, as the machine sees it.
 *
 *     +----------------------------- the device ------------------------------+
 *     | BAR 0: registers | rings | page tables of the apertures | poison page |
 *     | BAR 1: the bytes of the memory segments                               |
 *     |                                                                       |
 *     |   ring 0 --> engine 0 (render) --.                                    |
 *     |   ring 1 --> engine 1 (copy) ----+--> bus: memory(), raise_interrupt()|
 *     +------------------------------------------------------------------------+
 *        ^ doorbells: vendor words of the config space
 *
 * Engines run commands from DMA and paging buffers, at the same time as each other, one command a
 * step of the bus. A command that is malformed, or that names an address where nothing is, is a
 * fault: it is counted, the first is described, the command is left out and its packet goes on; a
 * packet whose commands cannot be told apart any more ends there. Its fence completes in each case.
 *
 * The bus outlives the device; the machine destroys the device only after its engines have stopped.
 */
#ifndef SOFTGPU_DEVICE_H
#define SOFTGPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

#include "base/content.h"

#ifdef __cplusplus
extern "C" {
#endif

struct softgpu_config;
struct softgpu_device;
struct vidmm_bus;
struct vidmm_device_model;

#define SOFTGPU_TEXT 160u /* bytes of a description, the closing 0 included */

/* The work of the device since it was created. */
struct softgpu_statistics {
    uint64_t packets;        /* submissions executed, empty and paging ones included */
    uint64_t paging_packets; /* of these, paging buffers */
    uint64_t commands;       /* executed, TOUCH and paging */
    uint64_t transfers;      /* Transfer commands (one operation may need several) */
    uint64_t bytes_in;       /* transferred from system memory to a memory segment */
    uint64_t bytes_out;      /* from a memory segment to system memory */
    uint64_t bytes_moved;    /* between the rest: within or between memory segments */
    uint64_t bytes_filled;
    uint64_t bytes_discarded;
    uint64_t pages_mapped;   /* aperture page-table entries set to a page */
    uint64_t pages_unmapped; /* aperture page-table entries set to the dummy page */
    uint64_t content_checks; /* references of TOUCH checked */
    uint64_t content_pages;  /* pages of them */
    uint64_t content_bytes_written;
    uint64_t content_sum;        /* over those checks, in any order: what was found, and of whom */
    uint64_t content_mismatches; /* references with a page that is wrong */
    uint64_t check_ns;           /* time spent in checks and writes of contents, all engines */
    uint64_t context_inits;      /* areas of contexts that got their first content */
    uint64_t context_loads, context_saves; /* contexts that an engine has begun to run, and left */
    uint64_t faults;
    uint64_t dummy_accesses;     /* pages used through an aperture range that was unmapped */
    uint64_t page_faults;        /* of the faults, those of an address of page tables */
    uint64_t table_words;        /* words of page tables that engines wrote */
    uint64_t flushes;            /* FlushTlb commands */
    uint64_t table_walks;        /* translations that were not kept */
    uint64_t signals;            /* monitored fences signalled */
    uint64_t waits;              /* commands held, until a fence had its value */
    uint64_t interrupts;         /* raised */
    uint64_t driver_refusals;    /* calls that the driver half found wrong, by its own count */
    uint64_t driver_build_calls; /* calls of BuildPagingBuffer */
    uint64_t driver_most_queued; /* most submissions the driver had unfinished at once */
    uint64_t driver_prepatched;  /* addresses that its Render wrote */
    uint64_t driver_repatched;   /* of these, those that its Patch had to change */
    uint64_t driver_arrivals;    /* NotifyResidency: allocations that became resident ... */
    uint64_t driver_departures;  /* ... and that no longer were */
    uint64_t driver_stops;       /* calls of StopDevice */
    uint64_t driver_releases;    /* of StopDeviceAndReleasePostDisplayOwnership that it obeyed */

    /* The first of each; an empty text: none yet. */
    char fault[SOFTGPU_TEXT];
    char mismatch[SOFTGPU_TEXT];
    char refusal[SOFTGPU_TEXT];

    /* The first mismatch in numbers; meaningful if content_mismatches is not 0. */
    struct {
        struct vidmm_content_finding finding;
        uint32_t content_id;
        uint32_t generation; /* the GPU's last write */
        uint64_t page;       /* of the allocation */
        uint64_t address;    /* segment address of the page */
        uint32_t fence;      /* of the packet */
    } first_mismatch;
};

/*
 * Make a device and plug it into a bus.
 *
 * config   must pass softgpu_config_check(); copied.
 * model    receives what the machine calls the device by.
 * error    receives one sentence if the answer is NULL; may be NULL if error_size is 0.
 * NULL: no memory for the segments or the records, or the bus can run no more engines. The bus may
 * have given memory and engines by then; the machine takes them back with the slot.
 */
struct softgpu_device *softgpu_device_create(const struct vidmm_bus *bus,
                                             const struct softgpu_config *config,
                                             struct vidmm_device_model *model, char *error,
                                             size_t error_size);

/* Take the device apart. NULL is fine. No engine of it may be in a step, none is stepped later. */
void softgpu_device_destroy(struct softgpu_device *device);

/* Why the driver half of this GPU answered `status` to the call it refused last, as a sentence that
 * is cut to `size` bytes; it is told once. device: a struct softgpu_device. False: it has refused
 * none since, or with another status; text is as it was. Any thread; struct vidmm_adapter_options
 * has a place for it (driver_reason). */
bool softgpu_device_reason(void *device, NTSTATUS status, char *text, uint32_t size);

/* Read the statistics. Any thread, at any time; numbers of a running device are a moment old. */
void softgpu_device_statistics(const struct softgpu_device *device,
                               struct softgpu_statistics *statistics);

/* Read the first `bytes` of what a video present source shows, as it is now, into `picture`. False:
 * the screen is dark, there is no such source, it shows less, or what it shows is nowhere; *picture
 * is as it was, or partly written. Any thread. */
bool softgpu_device_picture(const struct softgpu_device *device, uint32_t source, void *picture,
                            uint64_t bytes);

/* From here on remember where the newest packets of user mode have written. Before the GPU
 * works. */
void softgpu_device_watch(struct softgpu_device *device);
/* Whether the packet with that fence, which an engine has run to its end, has written a byte of
 * those of a segment (offset from its start), or with segment 0 of physical memory. device: a
 * struct softgpu_device. False: it has not, or it is not remembered. Any thread. */
bool softgpu_device_wrote(void *device, uint32_t engine, uint32_t fence, uint32_t segment,
                          uint64_t offset, uint64_t bytes);

/* Put a GPU on the cable of another, the lead of a link, before either works: it has the next
 * place. With page tables each reaches the memory of all. GPUs of a link may use the same system
 * memory: on the cable one command does at a time. */
void softgpu_device_link(struct softgpu_device *device, struct softgpu_device *lead);

/* Tell an engine (0 to the last) to hang before a packet: that of `fence`; 0: the next.
 * preemptible: a preemption gets it out of there, otherwise a reset. The newest word counts. */
void softgpu_device_hang(struct softgpu_device *device, uint32_t engine, uint32_t fence,
                         bool preemptible);

/* Let a hung engine go on, as a person who unplugs and replugs it would not dare. */
void softgpu_device_release(struct softgpu_device *device);

#ifdef __cplusplus
}
#endif

#endif
