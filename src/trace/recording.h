/*
 * recording.h: from what the recorder wrote of a process (recorder/stream.h) to a trace.
 *
 *     PID.raw ---> vidmm_recording_read ---> vidmm_recording_write ---> FILE.vmt.gz, by allocation
 *                                                                  '--> FILE.vmt.gz, by resource
 *
 * The recorder writes as things happen. A trace says of an allocation at its first line what will
 * ever be bound to it, and in its head how many frames there are: so a recording is read twice. The
 * two views are of one run: `allocation` has what the program allocated, `resource` has each buffer
 * and image as if it were an allocation of its own (traces/format.md, Granularity).
 */
#ifndef VIDMM_TRACE_RECORDING_H
#define VIDMM_TRACE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_recording;

enum vidmm_granularity { VIDMM_BY_ALLOCATION, VIDMM_BY_RESOURCE };

/* A header line of a trace. */
struct vidmm_recording_header {
    const char *key, *value;
};

struct vidmm_recording_counts {
    uint64_t frames, submissions, duration_us;
    uint32_t allocations, resources;
    bool cut; /* the last line is not whole: the process was killed */
};

/* Read a recording. NULL: error says why not. It must stay where it is until it is destroyed. */
struct vidmm_recording *vidmm_recording_read(const char *path, char *error, size_t error_size);
void vidmm_recording_destroy(struct vidmm_recording *recording); /* takes NULL */

struct vidmm_recording_counts vidmm_recording_count(const struct vidmm_recording *recording);

/* The last header of that key; NULL: the recorder wrote none. */
const char *vidmm_recording_header(const struct vidmm_recording *recording, const char *key);

/*
 * Write a trace, compressed. Other headers stand among those of the recording.
 *
 * False: the recording is damaged, or the file cannot be written; error says where, or why.
 */
bool vidmm_recording_write(const struct vidmm_recording *recording,
                           enum vidmm_granularity granularity,
                           const struct vidmm_recording_header *headers, size_t header_count,
                           const char *path, char *error, size_t error_size);

#endif
