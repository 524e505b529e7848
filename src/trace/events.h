/*
 * events.h: a run of the manager as a file: its engine's configuration, and every event since.
 *
 *     adapter -- observer --> struct vidmm_recorder --+--> events     # vidmm-events 5
 *                                                     |               engine nodes 2 paging_node 1
 *                                                                     ...
 *                                                     |               segment 2 memory 268435456
 *                                                                     ...
 *                                                     |               120 create_device 1
 *                                                     |               480 submit 2 7 0 2 3:W 4:R
 *                                                     '--> plan       [2] submit dma_buffer 7 ...
 *
 *     events -- vidmm_events_play() --> a fresh engine --> the same plan, byte for byte
 *
 * The engine has no clock, thread or pointer of its own, so the list says all that happened to it:
 * the same list gives the same plan, whatever threads did in the recorded run. A run that went
 * wrong is such a file. One thing is not in it: that the host had no memory for a record. A run in
 * which that happened can play otherwise.
 *
 * The format is text, a line an event, its time in nanoseconds first; docs/scenarios.md has it
 * whole. Numbers are decimal, ids as in <vidmm/plan.h>. A plan is text as well, an operation a
 * line, with the number of the event (counted from 1) that it came of.
 */
#ifndef VIDMM_TRACE_EVENTS_H
#define VIDMM_TRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <vidmm/adapter.h>

struct vidmm_memory;
struct vidmm_trace_error;

/* Writes down a run. The adapter calls its observer one event at a time, from any thread, so one
 * recorder serves one adapter. Yours; the files are yours too, and outlive it. */
struct vidmm_recorder {
    struct vidmm_observer observer; /* for vidmm_adapter_options */
    FILE *events;
    FILE *plan;     /* or NULL: the plan is not wanted */
    uint64_t event; /* events so far */
};

/* Begin. Nothing is written before the adapter makes its engine. */
void vidmm_recorder_init(struct vidmm_recorder *recorder, FILE *events, FILE *plan);

/* Say whether all of it was written; the files stay open. After the adapter has been stopped. */
bool vidmm_recorder_is_whole(struct vidmm_recorder *recorder);

/* Append one event, or one operation of event number `number`, as the recorder does. */
void vidmm_events_write_config(FILE *file, const struct vidmm_engine_config *config);
void vidmm_events_write(FILE *file, const struct vidmm_event *event);
void vidmm_events_write_operation(FILE *plan, uint64_t number,
                                  const struct vidmm_operation *operation);

/* The result of playing events. */
struct vidmm_events_result {
    uint64_t events;     /* stepped */
    uint64_t refused;    /* of these, the engine refused */
    uint64_t operations; /* in the plan */
};

/*
 * Step a fresh engine through recorded events.
 *
 * text     `size` bytes of the file; need not end in a 0.
 * name     stands for the file in errors.
 * memory   for the engine's records.
 * plan     receives the operations; or NULL.
 * result   receives what was done, in either case.
 * False: a line is not as the format has it, or there is no memory for the engine; error names
 * line, word and what is legal. The plan has the operations of the lines before it.
 */
bool vidmm_events_play(const char *name, const char *text, size_t size,
                       const struct vidmm_memory *memory, FILE *plan,
                       struct vidmm_events_result *result, struct vidmm_trace_error *error);

#endif
