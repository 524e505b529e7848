/* replay_miniport.h: vidmm replay with --miniport: recorded programs on a foreign driver. */
#ifndef VIDMM_TOOL_REPLAY_MINIPORT_H
#define VIDMM_TOOL_REPLAY_MINIPORT_H

#include <stdbool.h>
#include <stdio.h>

/* Is --miniport among the arguments? The options are other ones then. */
bool vidmm_replay_wants_miniport(int count, char *const *arguments);
/* Do it; answers the exit status. */
int vidmm_replay_miniport(int count, char *const *arguments);
/* Print its options. */
void vidmm_replay_miniport_help(FILE *file);

#endif
