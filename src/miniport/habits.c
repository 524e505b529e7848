/* habits.c: options of an adapter, from a configuration. */
#include "miniport/habits.h"

#include <vidmm/adapter.h>

#include "miniport/configuration.h"

#define SPLIT_SIZE (UINT64_C(1) << 20) /* bytes of a part */

/* Transfers in parts, where the file asks for them, as the documents have them: the manager knows
 * no other way. */
bool vidmm_miniport_splits(const struct vidmm_miniport_configuration *habits)
{
    return habits->split_asked && habits->split == VIDMM_SPLIT_DOCUMENTED;
}

void vidmm_miniport_adapter_options(const struct vidmm_miniport_configuration *habits,
                                    bool post_device, struct vidmm_adapter_options *options)
{
    vidmm_adapter_options_default(options);
    options->queue_limit = habits->queue_limit;
    options->timeout_ms = habits->fence_timeout_ms;
    options->submit_empty = habits->submit_empty;
    options->patch_paging = habits->patch_paging;
    options->system_context = habits->system_context;
    options->one_operation = !habits->batching;
    if (vidmm_miniport_splits(habits))
        options->split_transfer_size = SPLIT_SIZE;
    options->post_device = post_device;
    options->poison = true;
}
