/* managed.h: a driver with page tables under the real manager, behind the rig's tests. */
#ifndef CHECK_MANAGED_H
#define CHECK_MANAGED_H

#include <stdint.h>

struct vidmm_check_host;

/* Start it, page and submit by address, stop it; the board says how it went. The adapter is not
 * there yet, or is gone again. apertures: bit n is set if segment n + 1 is one. */
void vidmm_check_managed(struct vidmm_check_host *host, uint32_t apertures);

#endif
