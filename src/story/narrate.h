/*
 * narrate.h: tells what the manager hears and does, in the documents' words.
 *
 *     manager (struct vidmm_observer) ----+
 *                                         +--> lines of text
 *     whoever acts: "submit a:w b" -------'
 *
 *     [ 12] submit a:w b                                   an act, as it was written
 *     [ 12]   b: system memory -> segment 2 +4M transfer 4M what came of it, by event of the engine
 *     [ 15]   paging buffer 1 -> node 1, fence 9
 *
 * The number is that of the engine's event, counted from where the narrator was told to speak; the
 * lines of an event carry its number, an act that of the next event. Allocations have the names
 * that whoever acts gives them, submissions are counted from 1.
 *
 * A narrator belongs to whoever created it. The manager calls the observer one event at a time;
 * acts come from one thread, and not while another makes the manager work.
 */
#ifndef VIDMM_STORY_NARRATE_H
#define VIDMM_STORY_NARRATE_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_narrator;

/* NULL: no memory. */
struct vidmm_narrator *vidmm_narrator_create(void);
void vidmm_narrator_destroy(struct vidmm_narrator *narrator); /* takes NULL */

/* The observer for the adapter's options. */
const struct vidmm_observer *vidmm_narrator_observer(struct vidmm_narrator *narrator);

/* Speak, or be silent. It begins silent. Events that nobody hears of are not counted. */
void vidmm_narrator_speak(struct vidmm_narrator *narrator, bool speak);

/* A line for an act; and one below it, indented, for what it answered. */
void vidmm_narrator_act(struct vidmm_narrator *narrator, const char *process, const char *text);
__attribute__((format(printf, 2, 3))) void vidmm_narrator_say(struct vidmm_narrator *narrator,
                                                              const char *format, ...);

/* The last line. */
__attribute__((format(printf, 2, 3))) void vidmm_narrator_end(struct vidmm_narrator *narrator,
                                                              const char *format, ...);

/* The next allocation that is created has this name; NULL: it has none. Copied. */
void vidmm_narrator_name(struct vidmm_narrator *narrator, const char *name);
/* The one after that (the last of those named so far), of several created together, has this
 * one. */
void vidmm_narrator_name_next(struct vidmm_narrator *narrator, const char *name);
/* The next device that is created belongs to this process. Copied. */
void vidmm_narrator_process(struct vidmm_narrator *narrator, const char *name);

/* How many events were heard since it speaks. */
uint64_t vidmm_narrator_events(const struct vidmm_narrator *narrator);

/* All lines so far; the caller frees it. NULL: memory has run out at some time. */
char *vidmm_narrator_text(struct vidmm_narrator *narrator);

#endif
