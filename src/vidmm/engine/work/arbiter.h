/* arbiter.h: the turn, among all works that wait; arbiter.c says by what rule.
 *
 *     queues    context 7   [ 3 ] [ 8 ] [ 9 ]         numbers: in order of arrival
 *               context 2   [ 5 ]
 *               none        [ 4 ] [ 6 ]               pin requests, what locks have fetched
 *                             \
 *     turn                     3, then 4, 5, 6, 8, 9
 */
#ifndef VIDMM_ENGINE_WORK_ARBITER_H
#define VIDMM_ENGINE_WORK_ARBITER_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_context_queue;
struct vidmm_engine;
struct vidmm_work;

/* The queue of a context. NULL: nothing of it waits. */
struct vidmm_context_queue *vidmm_arbiter_find(const struct vidmm_engine *engine, uint32_t context);
/* The queue of a context, made if there is none: a work is added next. NULL: no memory, and nothing
 * has changed. */
struct vidmm_context_queue *vidmm_arbiter_reserve(struct vidmm_engine *engine, uint32_t context);
/* No work is added to a queue that was reserved: it goes, if nothing waits there. */
void vidmm_arbiter_forget(struct vidmm_engine *engine, struct vidmm_context_queue *queue);
/* The work arrives: it waits in `queue`, which was reserved for it. */
void vidmm_arbiter_add(struct vidmm_engine *engine, struct vidmm_work *work);
/* It leaves its queue, where `before` stands before it; NULL: it is the first. If it was its turn,
 * another's begins. */
void vidmm_arbiter_remove(struct vidmm_engine *engine, struct vidmm_work *before,
                          struct vidmm_work *work);
/* The wait at the head of the queue is over: its works have turns again. */
void vidmm_arbiter_release(struct vidmm_engine *engine, struct vidmm_context_queue *queue);
/* Time has passed: delays that are over have turns. True: there are such. */
bool vidmm_arbiter_pass_time(struct vidmm_engine *engine);
/* When the next delay is over. UINT64_MAX: none is at the head of its queue. */
uint64_t vidmm_arbiter_deadline(const struct vidmm_engine *engine);
/* The work whose turn it is, which is not begun, waits for the CPU to unlock something: it has no
 * turn before the next event, and others go on. */
void vidmm_arbiter_bar(struct vidmm_engine *engine);
/* Something has happened: the works that were barred are looked at again. */
void vidmm_arbiter_unbar(struct vidmm_engine *engine);
/* A queue has turns again, or has none any more: it is somebody's turn by the rule, unless the one
 * whose turn it is is begun. */
void vidmm_arbiter_choose_anew(struct vidmm_engine *engine);
/* The work whose turn it is, by the rule. NULL: nothing waits. */
struct vidmm_work *vidmm_arbiter_choose(const struct vidmm_engine *engine);

#endif
