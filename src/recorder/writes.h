/*
 * writes.h: which pages of mapped memory the CPU has written.
 *
 * By default each mapped byte is compared, at a submission, with a copy of it, page by page. With
 * $VIDMM_RECORD_WRITES=protect pages are write-protected instead, and the fault of the first write
 * marks the page: that costs less, but a system call that is to fill such a page fails (EFAULT).
 * Changes of a memory that the GPU may be writing are taken to be the GPU's. All calls need
 * vidmm_record_lock().
 */
#ifndef VIDMM_RECORDER_WRITES_H
#define VIDMM_RECORDER_WRITES_H

#include "recorder/state.h"

/* memory->mapped, offset and length have been set: watch it. */
void vidmm_writes_watch(struct vidmm_record_memory *memory);
/* Tell what was written, and watch it no longer. */
void vidmm_writes_unwatch(struct vidmm_record_memory *memory);
/* Tell what was written, of one memory, or of all that is watched. */
void vidmm_writes_look(struct vidmm_record_memory *memory);
void vidmm_writes_look_all(struct vidmm_record_device *device);
/* The program has said that it wrote this range of the memory. */
void vidmm_writes_said(struct vidmm_record_memory *memory, uint64_t offset, uint64_t size);
/* A submission that writes the memory is on its way. */
void vidmm_writes_by_gpu(struct vidmm_record_memory *memory, struct vidmm_record_queue *queue);
/* Submissions have completed: queue->completed has been raised. */
void vidmm_writes_completed(struct vidmm_record_queue *queue);
/* Say in the recording how writes were found, and at what cost. */
void vidmm_writes_say_cost(void);

#endif
