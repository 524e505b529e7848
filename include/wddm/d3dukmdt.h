/*
 * d3dukmdt.h: types that user mode and kernel mode share.
 *
 * Handles, addresses, the lists that describe a submission, and the arguments of user mode's calls
 * that both sides spell alike. "in" is written by the caller, "out" by whoever is called; sizes and
 * offsets are bytes.
 */
#ifndef WDDM_D3DUKMDT_H
#define WDDM_D3DUKMDT_H

#include "d3dukmdt_types.h"      /* limits, handles, addresses */
#include "d3dukmdt_sync.h"       /* GPU virtual addresses, synchronization */
#include "d3dukmdt_allocation.h" /* allocations, locks, residency */
#include "d3dukmdt_submit.h"     /* lists and flags of a submission */

#endif /* WDDM_D3DUKMDT_H */
