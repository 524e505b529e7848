/*
 * interrupt.h: the effect of Ctrl-C on a long run: it ends early, and tells how far it came.
 *
 * The first SIGINT, SIGTERM or SIGHUP is noted, and the run ends at its next step, so that summary,
 * picture and recordings are whole as far as they go. The second ends the process as it would
 * anyway, and so does the first when the run has not ended 20 seconds later: a GPU that hangs again
 * and again may keep it from its next step.
 */
#ifndef VIDMM_TOOL_INTERRUPT_H
#define VIDMM_TOOL_INTERRUPT_H

/* Note the signals from now on, those that are not ignored. More than once is no harm. */
void vidmm_interrupt_watch(void);

/* The run has ended: all that is still to be told, drawn and written may take its time. */
void vidmm_interrupt_ended(void);

/* The number of the signal that was noted; 0: none. Any thread; cheap. */
int vidmm_interrupt_signal(void);

#endif
