/* crash.h: a fault that nobody handles becomes a finding, and ends the child. */
#ifndef CHECK_CRASH_H
#define CHECK_CRASH_H

#include <stdint.h>

#include "check/board.h"

/* Watch for faults from now on. Before the kernel starts, which catches some of them first.
 * `driver_file` is what dlopen() answered, `driver` its path. */
void vidmm_crash_watch(struct vidmm_board *board, void *driver_file, const char *driver);

/* Where in the driver's file an address of this process lies; 0: not in it. */
uint64_t vidmm_crash_address(const void *address);

/* Have the next finding of this thread made at the innermost frame that is the driver's. */
void vidmm_crash_note_stack(void);

#endif
