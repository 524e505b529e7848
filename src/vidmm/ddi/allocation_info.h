/* allocation_info.h: one allocation as the miniport describes it. */
#ifndef VIDMM_DDI_ALLOCATION_INFO_H
#define VIDMM_DDI_ALLOCATION_INFO_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct _DXGK_ALLOCATIONINFO;
struct vidmm_adapter;
struct vidmm_report;
struct vidmm_wish;

/* Judge what the miniport describes of an allocation, and read it as the engine's wish. *info is
 * amended: values that the miniport may not give are left out of it. Refused: the report says why,
 * and *wish is as it was. */
NTSTATUS vidmm_ddi_take_wish(struct vidmm_adapter *adapter, struct _DXGK_ALLOCATIONINFO *info,
                             bool primary, struct vidmm_wish *wish, struct vidmm_report *report);
/* It has become an allocation: hold it against the overlays that there are, or are to come. */
void vidmm_ddi_created(struct vidmm_adapter *adapter, const struct vidmm_wish *wish);

#endif
