/* handles.h: the driver's handles of allocations that live.
 *
 * The manager names an allocation to the driver by the handle that the driver gave it. If two
 * that live have one handle, nobody can say which is meant: bytes go to the wrong one.
 */
#ifndef CHECK_HANDLES_H
#define CHECK_HANDLES_H

#include <wddm/d3dkmddi_allocation.h>

struct vidmm_board;

/* The driver has made these, with success: a handle that lives already is a finding (C-039). A
 * handle that is NULL names nothing, and is not kept. Any thread. */
void vidmm_handles_made(struct vidmm_board *board, const DXGKARG_CREATEALLOCATION *made);

/* The driver is about to destroy these. Any thread. */
void vidmm_handles_gone(const DXGKARG_DESTROYALLOCATION *gone);

/* The adapter has gone, and all its handles with it. */
void vidmm_handles_forget(void);

#endif
