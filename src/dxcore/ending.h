/* ending.h: a process of `vidmm run` whose end runs no destructors: its machine is taken apart all
 * the same, so that the account is whole.
 *
 *     exit(), main's end --------------------------------------------> destructor --> end
 *     _exit(), _Exit(), quick_exit(), abort(), a fault: the thread waits <--> worker --> end
 *     SIGHUP, SIGINT, SIGTERM ----> guard, which then sends it again --^
 *
 * A signal that the program has a handler for, or passes over, is left alone. Nobody waits longer
 * than VIDMM_ENDING_SECONDS; then there is no account. SIGKILL leaves none.
 */
#ifndef VIDMM_DXCORE_ENDING_H
#define VIDMM_DXCORE_ENDING_H

#define VIDMM_ENDING_SECONDS 5

/* Begin, in a process that has no other thread of ours; again in a fork's child. end: takes the
 * machine apart, however often it is called. Without memory, threads or opener.c there is less to
 * see at the end, and nothing else is lost. */
void vidmm_ending_watch(void (*end)(void));

/* If the process ends by one of these causes, do not come back. */
void vidmm_ending_hold(void);
/* ... and nor do threads that fault from here on. No handler that is there is needed any more. */
void vidmm_ending_hold_faults(void);

/* opener.c exports this name: have _exit() and _Exit() call the function first. */
#define VIDMM_ENDING_HOOK "vidmm_run_before_exit"

#endif
