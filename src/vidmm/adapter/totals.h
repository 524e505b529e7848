/* totals.h: how much memory for graphics there is. */
#ifndef VIDMM_ADAPTER_TOTALS_H
#define VIDMM_ADAPTER_TOTALS_H

#include <stdint.h>

struct vidmm_adapter;
struct vidmm_packet_use;

/* Bytes that all apertures together may show at once; 0: no limit (D-011). */
uint64_t vidmm_aperture_commit_limit(const struct vidmm_adapter *adapter);
/* Add packets of one kind to a sum. */
void vidmm_packets_add(struct vidmm_packet_use *sum, const struct vidmm_packet_use *more);

#endif
