/*
 * stream.h: what the recorder writes: one file a process, in the folder that $VIDMM_RECORD names.
 *
 *     # vidmm-recording 1
 *     # KEY: VALUE            anywhere; the last of a key counts
 *     t A memory size types   allocated: bits of trace/trace.h
 *     t F memory              freed
 *     t B part memory offset size kind   a resource (b: buffer, i: image) has a part of a memory
 *     t X part                it has it no longer
 *     t M memory, t U memory  mapped, unmapped
 *     t D memory offset size  written by the CPU
 *     t S queue part:R ...    submitted; each part is named once
 *     t C queue, t K queue n  complete: everything so far, or all up to n
 *     t P                     presented
 *
 * `vidmm record` makes a trace of it (trace/recording.h). All calls need vidmm_record_lock(). Lines
 * are handed to the kernel at each submission, so a program that dies loses little.
 */
#ifndef VIDMM_RECORDER_STREAM_H
#define VIDMM_RECORDER_STREAM_H

#include <stdint.h>

/* Open the file of this process, if that is not done. Time counts from the first call. */
void vidmm_stream_begin(void);
/* A header line. */
__attribute__((format(printf, 2, 3))) void vidmm_stream_header(const char *key, const char *format,
                                                               ...);
/* The time, and the beginning of an event. */
__attribute__((format(printf, 1, 2))) void vidmm_stream_event(const char *format, ...);
/* More of it, up to the end of the line. */
__attribute__((format(printf, 1, 2))) void vidmm_stream_more(const char *format, ...);
void vidmm_stream_flush(void);
/* Nanoseconds of a clock that never goes back. */
uint64_t vidmm_stream_now(void);

#endif
