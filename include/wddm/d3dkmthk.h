/*
 * d3dkmthk.h: user mode's requests to the graphics kernel.
 *
 * The arguments of the D3DKMT calls. Handles are the kernel's. "in" is written by the caller,
 * "out" by the kernel; members without a comment are told by their page. A member X_Align beside a
 * pointer X is X, widened to 64 bits.
 */
#ifndef WDDM_D3DKMTHK_H
#define WDDM_D3DKMTHK_H

#include "d3dkmdt.h"

#include "d3dkmthk_adapter.h"    /* adapters, devices */
#include "d3dkmthk_allocation.h" /* allocations, locks, residency, budgets, addresses */
#include "d3dkmthk_escape.h"     /* escapes */
#include "d3dkmthk_hwqueue.h"    /* hardware queues */
#include "d3dkmthk_query.h"      /* what an adapter is */
#include "d3dkmthk_share.h"      /* NT handles */
#include "d3dkmthk_statistics.h" /* statistics */
#include "d3dkmthk_submit.h"     /* contexts, submission */
#include "d3dkmthk_sync.h"       /* waits and signals */

#endif /* WDDM_D3DKMTHK_H */
