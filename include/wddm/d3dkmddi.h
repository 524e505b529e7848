/*
 * d3dkmddi.h: the interface between the graphics kernel and a display miniport driver.
 *
 * The kernel calls the driver (DXGKDDI_...) with arguments (DXGKARG_...); the driver calls the
 * kernel back (DXGKCB_..., DXGKARGCB_...). The memory manager and the scheduler are the kernel's
 * part. One header a subject:
 *
 *     d3dkmddi_query.h       what the driver says of itself and its page tables
 *     d3dkmddi_segment.h     the memory that it has
 *     d3dkmddi_allocation.h  what lives there
 *     d3dkmddi_paging.h      how it gets there and leaves
 *     d3dkmddi_context.h     processes, devices, contexts
 *     d3dkmddi_submit.h      commands
 *     d3dkmddi_hwqueue.h     hardware queues
 *     d3dkmddi_completion.h  how a driver reports
 *     d3dkmddi_vidpn.h       video present networks
 *     d3dkmddi_display.h     what is shown, and what lies over it
 *     d3dkmddi_power.h       parts whose power is managed one by one
 *     d3dkmddi_callback.h    what the driver may call
 *     d3dkmddi_entry.h       what the driver must offer
 *
 * Conventions. A comment at a member says its direction (in: written by the caller, out: by the
 * callee), its meaning and its unit; sizes and offsets are bytes. A member without a comment is
 * described on its Page, in the public DDI reference. A declaration that a version lacks is absent
 * in a build for it (DXGKDDI_INTERFACE_VERSION, d3dukmdt.h); a bit it lacks is unnamed.
 */
#ifndef WDDM_D3DKMDDI_H
#define WDDM_D3DKMDDI_H

#include "d3dkmdt.h"
#include "d3dkmdt_display_spellings.h"
#include "d3dkmddi_query.h"
#include "d3dkmddi_query_spellings.h"
#include "d3dkmddi_segment.h"
#include "d3dkmddi_allocation.h"
#include "d3dkmddi_paging.h"
#include "d3dkmddi_context.h"
#include "d3dkmddi_submit.h"
#include "d3dkmddi_hwqueue.h"
#include "d3dkmddi_completion.h"
#include "d3dkmddi_vidpn.h"
#include "d3dkmddi_display.h"
#include "d3dkmddi_power.h"
#include "d3dkmddi_callback.h"
#include "d3dkmddi_callback_display.h"
#include "d3dkmddi_entry.h"

#endif /* WDDM_D3DKMDDI_H */
