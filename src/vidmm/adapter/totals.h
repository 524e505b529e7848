/* totals.h: how much memory for graphics there is. */
#ifndef VIDMM_ADAPTER_TOTALS_H
#define VIDMM_ADAPTER_TOTALS_H

#include <stdint.h>

struct vidmm_adapter;

/* Bytes that all apertures together may show at once; 0: no limit (D-011). */
uint64_t vidmm_aperture_commit_limit(const struct vidmm_adapter *adapter);

#endif
