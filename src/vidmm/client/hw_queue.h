/* hw_queue.h: hardware queues, as the other files of this room need them. */
#ifndef VIDMM_CLIENT_HW_QUEUE_H
#define VIDMM_CLIENT_HW_QUEUE_H

struct vidmm_context;
struct vidmm_device;

/* A context is destroyed, and all that was queued on it is done: if it is a queue's lane, the queue
 * goes. The mutex is not held. */
void vidmm_hw_queue_finish(struct vidmm_context *context);
/* A packet of the lane has ended with an error: who waits for the progress fence waits for nothing
 * that could come. The mutex is held. */
void vidmm_hw_queue_give_up(const struct vidmm_context *lane);
/* The lane of some queue of a context, or of the device (context NULL). NULL: there is none any
 * more. The mutex is not held. */
struct vidmm_context *vidmm_hw_queue_lane(const struct vidmm_device *device,
                                          const struct vidmm_context *context);

#endif
