/*
 * chrome.h: a recording that Perfetto (ui.perfetto.dev) and chrome://tracing open.
 *
 *     events, operations, frames --> vidmm_chrome --> {"traceEvents": [...]}
 *
 *     process "programs"  a track a program: its frames, which share a name
 *     process "adapter"   a track a node: DMA buffers, named after their program, and paging
 *                         buffers, from submission to fence,
 *                         inside a paging buffer its operations, each as wide as its share of bytes
 *                         a counter a segment: bytes in use; counters of bytes paged in and out
 *
 * Times are the caller's, and never go back. A paging buffer lasts from its submission, or from the
 * end of the one before on its node, to its fence. Written while it happens; the file belongs to
 * the caller. A recording belongs to whoever made it; one thread at a time.
 */
#ifndef VIDMM_TRACE_CHROME_H
#define VIDMM_TRACE_CHROME_H

#include <stdio.h>

#include <vidmm/plan.h>

#define VIDMM_CHROME_PROGRAMS 8u

struct vidmm_chrome_options {
    uint32_t apertures;   /* bit n: segment n + 1 is one */
    uint32_t paging_node; /* where paging buffers are submitted */
    uint32_t node_count;  /* names of nodes 0 .. node_count - 1 */
    const char *nodes[VIDMM_NODES];
    uint32_t program_count;
    const char *programs[VIDMM_CHROME_PROGRAMS];
};

struct vidmm_chrome;
struct vidmm_engine_config;
struct vidmm_memory;

/* Begin the file. NULL: no memory. */
struct vidmm_chrome *vidmm_chrome_create(const struct vidmm_memory *memory,
                                         const struct vidmm_chrome_options *options, FILE *file);

/* Tell of the engine, before its first event; otherwise page tables do not count as in use. */
void vidmm_chrome_engine(struct vidmm_chrome *chrome, const struct vidmm_engine_config *config);

/* Take in what the manager hears and does (struct vidmm_observer). */
void vidmm_chrome_event(struct vidmm_chrome *chrome, uint64_t time_ns,
                        const struct vidmm_event *event);
void vidmm_chrome_operation(struct vidmm_chrome *chrome, uint64_t time_ns,
                            const struct vidmm_operation *operation);

/* Say by which program and number people know an allocation. */
void vidmm_chrome_name(struct vidmm_chrome *chrome, uint32_t allocation, uint32_t program,
                       uint32_t number);

/* The DMA buffer is of the program from now on. */
void vidmm_chrome_buffer(struct vidmm_chrome *chrome, uint32_t dma_buffer, uint32_t program);

/* Frame `frame` (counted from 1) of a program has ended. */
void vidmm_chrome_frame(struct vidmm_chrome *chrome, uint64_t time_ns, uint32_t program,
                        uint32_t frame);

/* End the file and give everything back. True: all of it was written, and nothing was left out for
 * want of memory. Takes NULL. */
bool vidmm_chrome_finish(struct vidmm_chrome *chrome);

#endif
