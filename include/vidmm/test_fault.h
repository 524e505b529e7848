/* test_fault.h: what the manager is to do wrong, or never, because a test says so
 * (vidmm_adapter_set_faults(), VIDMM_EVENT_SET_FAULTS). A bit each. Source: D3DKMT_VIDMM_ESCAPE,
 * SetFault. */
#ifndef VIDMM_TEST_FAULT_H
#define VIDMM_TEST_FAULT_H

#ifdef __cplusplus
extern "C" {
#endif

/* By the manager's client half. */
#define VIDMM_TEST_PROBE_AND_LOCK 1u    /* existing memory cannot be had: STATUS_NO_MEMORY */
#define VIDMM_TEST_NO_WRITE_COMBINED 2u /* backing stores without Cached are not cached at all */
/* An allocation that was never locked gets no address: STATUS_NO_MEMORY. */
#define VIDMM_TEST_NO_USER_MODE_MAPPING 4u
#define VIDMM_TEST_NO_PRE_PATCHING 0x100u /* DxgkDdiRender is told of no place (D-337) */
#define VIDMM_TEST_NO_VA_ROTATION 0x200u  /* no address follows: what is locked stays */
#define VIDMM_TEST_COMPLEX_LOCK 0x400u    /* each lock asks the engine */

/* By its engine. */
#define VIDMM_TEST_SPLIT_POINT 8u      /* a DMA buffer is split wherever it can be */
#define VIDMM_TEST_NO_DEMOTION 16u     /* no aperture has what a memory segment would have, too */
#define VIDMM_TEST_NO_SWIZZLING 32u    /* no swizzling range is acquired */
#define VIDMM_TEST_NEVER_DISCARD 64u   /* what is offered keeps its content */
#define VIDMM_TEST_ALWAYS_DISCARD 128u /* ... or loses it at once; not both */

#define VIDMM_TEST_SUB_RANGES 0x800u  /* transfers go by 64 KiB of system memory */
#define VIDMM_TEST_MIN_RANGES 0x1000u /* ... or by a page */

#define VIDMM_TEST_CLIENT 0x707u  /* all of the first */
#define VIDMM_TEST_ENGINE 0x18f8u /* all of the others */

#ifdef __cplusplus
}
#endif

#endif
