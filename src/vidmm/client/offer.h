/* offer.h: offers that come with a command buffer. */
#ifndef VIDMM_CLIENT_OFFER_H
#define VIDMM_CLIENT_OFFER_H

#include <stdint.h>

struct vidmm_context;
struct vidmm_render_reference;

/* Offer what the references of a command buffer that is queued are marked for; a locked allocation
 * is passed over. The mutex is not held. */
void vidmm_offer_referenced(struct vidmm_context *context,
                            const struct vidmm_render_reference *references, uint32_t count);

#endif
