/* host.h: a foreign driver, loaded: a machine, a device, the kernel, DriverEntry.
 *
 *      configuration --> machine, slot --> device model (plug-in, or BARs alone)
 *                               |
 *      driver.so --dlopen--> kernel (src/kit) --DriverEntry--> DRIVER_INITIALIZATION_DATA
 *                                                                      |
 *                                              shim <------------------+
 *                                               |
 *                                       table: for a tap, then for a manager or a rig
 *
 * All of this lives in the child process. A fault that nobody handles, and a bug check, end the
 * child with a finding on the board; so does whoever gives up.
 */
#ifndef CHECK_HOST_H
#define CHECK_HOST_H

#include <wddm/dispmprt.h>

#include "check/board.h"
#include "miniport/miniport.h"

struct vidmm_check_host {
    struct vidmm_board *board;
    struct vidmm_miniport miniport;
    struct vidmm_miniport_owner owner;       /* of the miniport: it tells the board */
    const DRIVER_INITIALIZATION_DATA *table; /* through the shim */
    bool print;                              /* debug output goes to stderr */
};

/* Make all of it, up to the return of DriverEntry. False: the board has the problem, or a finding;
 * the parts made are to be closed all the same. `plugin` may be NULL: then the configuration's. */
bool vidmm_check_host_open(struct vidmm_check_host *host, struct vidmm_board *board,
                           const struct vidmm_miniport_configuration *configuration,
                           const char *driver, const char *plugin, const char *journal, bool print);

/* Unload the driver, stop the kernel (which reports leaks), take the machine apart. */
void vidmm_check_host_close(struct vidmm_check_host *host);

/* Write what the line `hang` of the configuration says: the GPU stands still from then on. False:
 * the device has no such register. */
bool vidmm_check_host_hang(struct vidmm_check_host *host);

/* End the child here and now. */
_Noreturn void vidmm_check_host_end(struct vidmm_board *board, enum vidmm_board_end end);

#endif
