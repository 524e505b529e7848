/* complete.h: the submissions that the program knows to be complete. All need
 * vidmm_record_lock(). */
#ifndef VIDMM_RECORDER_COMPLETE_H
#define VIDMM_RECORDER_COMPLETE_H

#include "recorder/state.h"

/* Everything submitted to the queue so far signals the fence; takes none. */
void vidmm_complete_by_fence(struct vidmm_record_device *device, struct vidmm_record_queue *queue,
                             VkFence fence);
/* It gives the semaphore this value; 0: the semaphore has none, and nothing is noted. */
void vidmm_complete_by_semaphore(struct vidmm_record_device *device,
                                 struct vidmm_record_queue *queue, VkSemaphore semaphore,
                                 uint64_t value);

#endif
