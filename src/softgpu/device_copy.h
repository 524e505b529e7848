/*
 * device_copy.h: how the engines move bytes: as fast as the processor can.
 *
 * The fastest way depends on how much there is to move in all, not on the run at hand: a transfer
 * of many scattered pages outgrows the caches as one large run does. Below that, string
 * instructions (or memcpy); above, stores that go past the caches, while the next run is fetched.
 * The processor is asked once which of these it has; on another architecture all is plain C.
 */
#ifndef SOFTGPU_DEVICE_COPY_H
#define SOFTGPU_DEVICE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fastest ways of this processor. Constant after the init; any number of threads may use it. */
struct softgpu_mover {
    uint64_t stream_from; /* bytes in all from which the stores of a copy go past the caches */
    uint64_t stream_fills_from; /* ... of a fill */
    bool strings;               /* string instructions are fast */
    bool wide;                  /* 32-byte registers */
};

void softgpu_mover_init(struct softgpu_mover *mover);

/*
 * Copy `bytes` bytes; the two do not overlap.
 *
 * next     where the source goes on after these bytes, to be fetched ahead; or NULL.
 * total    bytes of the whole transfer that this is a part of.
 */
void softgpu_copy(const struct softgpu_mover *mover, void *destination, const void *source,
                  size_t bytes, const void *next, uint64_t total);

/*
 * Repeat a 32-bit pattern over `bytes` bytes, beginning with its byte `phase` (0 .. 3).
 *
 * total    as above.
 */
void softgpu_fill(const struct softgpu_mover *mover, void *destination, uint32_t pattern,
                  unsigned phase, size_t bytes, uint64_t total);

/* Make what was copied and filled visible to other processors before anything that follows. */
void softgpu_mover_drain(const struct softgpu_mover *mover);

#endif
