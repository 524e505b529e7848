/* crash.h: a fault that nobody handles becomes a finding, and ends the child; where threads are.
 *
 *      the fault is             in the driver, or in what a frame of the driver's has called
 *                                                      --> C-001, the driver crashed
 *                               in the plug-in         --> the plug-in failed
 *                               anywhere else          --> the tool failed: never a finding
 *
 * In the last two cases the board gets the frames of the thread that fell, and of each thread that
 * is inside a call of the driver.
 */
#ifndef CHECK_CRASH_H
#define CHECK_CRASH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct vidmm_board;

/* Watch for faults from now on. Before the kernel starts, which catches some of them first.
 * `driver_file` is what dlopen() answered, `driver` its path. */
void vidmm_crash_watch(struct vidmm_board *board, void *driver_file, const char *driver);
/* The driver's file is being loaded; or has been, or does not load. From the first call on, what a
 * filter (confine.h) refuses is told. */
void vidmm_crash_loading(struct vidmm_board *board, bool now);
/* Tell which file is the plug-in's, once it is loaded: faults in it are told as the plug-in's. */
void vidmm_crash_know_plugin(void *plugin_file);

/* The position of an address of this process in the driver's file; 0: not in it. */
uint64_t vidmm_crash_address(const void *address);

/* Have the next finding of this thread made at the innermost frame that is the driver's. */
void vidmm_crash_note_stack(void);

/* Have each thread of the child that is inside a call of the driver say where it is, on the board;
 * if none is, each that runs another routine of the driver's. Waits a second at most. In the child,
 * and in its parent. */
void vidmm_crash_ask(struct vidmm_board *board, pid_t child);

#endif
