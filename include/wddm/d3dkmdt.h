/*
 * d3dkmdt.h: kernel mode's view of nodes, faults, preemption and its own allocations.
 */
#ifndef WDDM_D3DKMDT_H
#define WDDM_D3DKMDT_H

#include "d3dukmdt.h"      /* what user mode and kernel mode share */
#include "d3dkmdt_types.h" /* what is kernel mode's alone */

#endif /* WDDM_D3DKMDT_H */
