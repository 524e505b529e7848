/* sweep_picture.h: the points of a sweep, drawn. */
#ifndef VIDMM_TOOL_SWEEP_PICTURE_H
#define VIDMM_TOOL_SWEEP_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct vidmm_sweep;

#define VIDMM_SWEEPS 4u /* programs in one picture */

/* Usual sizes of a GPU's memory, of a card for example, in bytes; the last is 0. */
extern const uint64_t vidmm_sweep_cards[];

/* Bytes a second, if so many frames are drawn in one. */
double vidmm_sweep_a_second(const struct vidmm_sweep *sweep, uint64_t bytes, uint64_t rate);

/* One sentence without a full stop about what the points say. */
void vidmm_sweep_verdict(const struct vidmm_sweep *sweep, char *text, size_t size);

/* Draw 1 to VIDMM_SWEEPS sweeps that have points. False: the file would not take it. */
bool vidmm_sweep_draw(const struct vidmm_sweep *sweeps, uint32_t count, uint64_t rate, FILE *file);

#endif
