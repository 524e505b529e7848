/* exit.h: the exit statuses of the tool and of what works for it. */
#ifndef VIDMM_HOST_EXIT_H
#define VIDMM_HOST_EXIT_H

/* Clean; a mismatch or a violation was found; it could not run, for the reason on stderr. */
enum { VIDMM_CLEAN = 0, VIDMM_FINDINGS = 1, VIDMM_COULD_NOT_RUN = 2 };

#endif
