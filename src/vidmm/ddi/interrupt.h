/* interrupt.h: interrupts, deferred procedure calls, and what the driver reports by them. Nothing
 * here takes the mutex, allocates or waits but vidmm_flush_dpcs().
 */
#ifndef VIDMM_DDI_INTERRUPT_H
#define VIDMM_DDI_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;
struct _DXGKRNL_INTERFACE;

/* Call the driver's interrupt routine, and its DPC routine; the argument of both is a link. The
 * host calls both. True: the interrupt was the device's. */
bool vidmm_ddi_interrupt(void *argument, uint32_t message);
void vidmm_ddi_dpc(void *argument);
/* Fill the callbacks that are about interrupts. */
void vidmm_ddi_fill_interrupts(struct _DXGKRNL_INTERFACE *table);
/* The engines of these nodes were reset: until they are resumed they have nothing to report. */
void vidmm_ddi_silence(struct vidmm_adapter *adapter, uint64_t nodes);
/* They are given something to do again. */
void vidmm_ddi_resume(struct vidmm_adapter *adapter, uint64_t nodes);
/* Wait until the DPCs that are queued have run, of every physical adapter. */
void vidmm_flush_dpcs(const struct vidmm_adapter *adapter);

#endif
