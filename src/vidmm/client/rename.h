/* rename.h: a lock with Discard, which need not wait; and who may still be named afterwards. */
#ifndef VIDMM_CLIENT_RENAME_H
#define VIDMM_CLIENT_RENAME_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_allocation;
struct vidmm_dma_buffer;
struct vidmm_lock_arguments;
struct vidmm_render_reference;
struct vidmm_report;

/* Whether a discard may give another instance of it: obeys D-171. */
bool vidmm_rename_may(const struct vidmm_allocation *allocation);
/* Lock with Discard: arguments->allocation becomes the instance that is locked. Refused: no lock is
 * held, and the report says why. The mutex is not held. */
NTSTATUS vidmm_rename_lock(struct vidmm_lock_arguments *arguments, struct vidmm_report *report);
/* Hold the references of a command buffer, or the patch locations of a DMA buffer, against D-172.
 * STATUS_INVALID_PARAMETER: the report says which. The mutex is not held. */
NTSTATUS vidmm_rename_check(const struct vidmm_render_reference *references, uint32_t count,
                            struct vidmm_report *report);
NTSTATUS vidmm_rename_check_patches(struct vidmm_dma_buffer *dma_buffer,
                                    struct vidmm_report *report);
/* The DMA buffer is queued: instances older than those that it names are retired. */
void vidmm_rename_referenced(const struct vidmm_dma_buffer *dma_buffer);

#endif
