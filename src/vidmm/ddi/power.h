/* power.h: DxgkDdiSetPowerState. */
#ifndef VIDMM_DDI_POWER_H
#define VIDMM_DDI_POWER_H

#include <vidmm/plan.h>

struct vidmm_adapter;

/* Tell the driver of the change, for each physical adapter. The caller has the driver for himself
 * (pump/alone.h). It cannot be refused. */
void vidmm_ddi_set_power(const struct vidmm_adapter *adapter, enum vidmm_power power);

#endif
