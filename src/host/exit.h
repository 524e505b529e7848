/* exit.h: the exit statuses of the tool and of what works for it. */
#ifndef VIDMM_HOST_EXIT_H
#define VIDMM_HOST_EXIT_H

/* Clean; a mismatch or a violation was found; it could not run, for the reason on stderr; it could
 * not because memory is too small, of the GPU or of this machine: with more it may. */
enum { VIDMM_CLEAN = 0, VIDMM_FINDINGS = 1, VIDMM_COULD_NOT_RUN = 2, VIDMM_OUT_OF_MEMORY = 3 };

#endif
