/* decommit.h: backing stores of offered allocations, given up when system memory is short. */
#ifndef VIDMM_CLIENT_DECOMMIT_H
#define VIDMM_CLIENT_DECOMMIT_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;

/* Give up backing stores of allocations that were offered with AllowDecommit, until `size` bytes
 * have come together or there are no more. False: nothing was given up. The mutex is not held. */
bool vidmm_decommit(struct vidmm_adapter *adapter, uint64_t size);

#endif
