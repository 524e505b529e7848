/* update_queue.h: changes of addresses that wait for monitored fences, a queue a context. */
#ifndef VIDMM_CLIENT_UPDATE_QUEUE_H
#define VIDMM_CLIENT_UPDATE_QUEUE_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_context;

/* The context goes: what it has not changed stays as it is. The mutex is not held. */
void vidmm_update_queue_finish(struct vidmm_context *context);
/* A paging queue that makes changes has come to a value (`updates_due`): go on. False: none has.
 * The mutex is held. */
bool vidmm_update_queues_advance(struct vidmm_adapter *adapter);

#endif
