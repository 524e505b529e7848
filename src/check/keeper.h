/* keeper.h: the process between the tool and the driver's. */
#ifndef CHECK_KEEPER_H
#define CHECK_KEEPER_H

#include <sys/types.h>

#include "check/check.h"

/* Run `body` in a child process, watch over it, end what it leaves; the board has what came of it.
 * It ends with the process `tool`, too. */
_Noreturn void vidmm_keeper_run(struct vidmm_board *board,
                                const struct vidmm_check_options *options, vidmm_check_body *body,
                                void *argument, pid_t tool);

#endif
