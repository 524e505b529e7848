/*
 * pictures.h: hands what the manager hears and does to whoever wants to see it.
 *
 *     manager (struct vidmm_observer) --+--> chart (SVG)
 *     programs (listeners)  ------------+--> recording (JSON for Perfetto)
 *                                       +--> what comes in again
 *                                       '--> which submission a device failed at
 *
 * The manager calls from its threads, programs from theirs: a lock keeps them apart.
 */
#ifndef VIDMM_TOOL_PICTURES_H
#define VIDMM_TOOL_PICTURES_H

#include <pthread.h>
#include <stdio.h>

#include <vidmm/adapter.h>

#include "trace/replay.h"

#define VIDMM_PICTURES_PROGRAMS 2u
#define VIDMM_PICTURES_BUFFERS 4096u /* ids of DMA buffers that are told apart */

/* How a device came into error, as the manager said it. */
struct vidmm_device_error {
    bool seen;
    uint32_t device;
    uint32_t reason;     /* enum vidmm_reason */
    uint64_t needed;     /* bytes */
    bool known;          /* the submission */
    uint64_t submission; /* of the device, counted from 0 */
};

struct softgpu_config;
struct vidmm_dialect;
struct vidmm_lists;
struct vidmm_memory;
struct vidmm_pictures;
struct vidmm_trace;

/* The facts about a program that pictures show. */
struct vidmm_program_view {
    struct vidmm_replay_listener listener; /* for the program */
    struct vidmm_pictures *pictures;
    const struct vidmm_trace *trace;
    uint32_t number;      /* 0, 1 */
    uint32_t device;      /* its id, once created */
    uint64_t submissions; /* those that its device has queued */
};

struct vidmm_pictures {
    pthread_mutex_t mutex;
    struct vidmm_chart *chart;   /* or NULL */
    struct vidmm_chrome *chrome; /* or NULL */
    struct vidmm_again *again;
    struct vidmm_lists *lists;      /* or NULL: no chart */
    struct vidmm_observer observer; /* for the manager */
    const struct vidmm_dialect *dialect;
    uint64_t begun_ns;

    struct vidmm_program_view programs[VIDMM_PICTURES_PROGRAMS];
    uint32_t program_count;

    uint32_t newest_device; /* id */
    struct {
        uint32_t device;
        uint64_t submission;
    } buffers[VIDMM_PICTURES_BUFFERS]; /* by DMA buffer: the last use */
    struct vidmm_device_error error;   /* the first */
};

/*
 * Get ready for programs that play these traces on a GPU of this configuration.
 *
 * recording, chart   wanted or not. recording: the file; it is written while things go on.
 * False: no memory.
 */
bool vidmm_pictures_init(struct vidmm_pictures *pictures, const struct vidmm_memory *memory,
                         const struct softgpu_config *config, const struct vidmm_dialect *dialect,
                         const struct vidmm_trace *const *traces, const char *const *names,
                         uint32_t count, bool chart, FILE *recording);

/* The device that was created last belongs to this program. */
void vidmm_pictures_device(struct vidmm_pictures *pictures, uint32_t program);

/* End the recording. False: it is not whole. */
bool vidmm_pictures_finish(struct vidmm_pictures *pictures);

#endif
