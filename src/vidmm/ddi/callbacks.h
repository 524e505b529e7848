/* callbacks.h: DXGKRNL_INTERFACE, what the miniport may call. */
#ifndef VIDMM_DDI_CALLBACKS_H
#define VIDMM_DDI_CALLBACKS_H

struct vidmm_link;

/* Fill the physical adapter's table, but for its Size. */
void vidmm_ddi_fill_callbacks(struct vidmm_link *link);

#endif
