/* again.h: counts what the manager pages because memory is short: bytes that come in again, bytes
 * that go out, and the frames in which either happens.
 *
 *     events, operations, frames --> vidmm_again --> vidmm_again_count
 *
 * An allocation comes in again when a transfer brings it into a memory segment that it had left
 * before: by a page-out, or, but where the GPU pages by addresses, because its content in the
 * segment was given up. Its first way in is
 * the program's own need, and is not counted. Belongs to whoever made it; one thread at a time.
 */
#ifndef VIDMM_TRACE_AGAIN_H
#define VIDMM_TRACE_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_again_count {
    uint64_t bytes_again, bytes_out;
    uint64_t frames_held; /* frames during which one of the two grew */
};

struct vidmm_again;
struct vidmm_event;
struct vidmm_memory;
struct vidmm_operation;

/* Bit n of `apertures`: segment n + 1 is one. NULL: no memory. */
struct vidmm_again *vidmm_again_create(const struct vidmm_memory *memory, uint32_t apertures);
void vidmm_again_destroy(struct vidmm_again *again); /* takes NULL */

/* Take in what the manager hears and does. */
void vidmm_again_event(struct vidmm_again *again, const struct vidmm_event *event);
void vidmm_again_operation(struct vidmm_again *again, const struct vidmm_operation *operation);
/* A frame has ended. */
void vidmm_again_frame(struct vidmm_again *again);

/* False: there was no memory for all that went on, and the numbers are too small. */
bool vidmm_again_counted(const struct vidmm_again *again, struct vidmm_again_count *count);

#endif
