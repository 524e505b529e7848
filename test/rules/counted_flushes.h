/* counted_flushes.h: a machine whose caches no device sees; its host counts the pages that it is
 * told to flush. One machine at a time.
 */
#ifndef COUNTED_FLUSHES_H
#define COUNTED_FLUSHES_H

#include "rules_rig.h"

static struct vidmm_host counting_host;
static const struct vidmm_host *machine_host;
static uint64_t flushed; /* pages, since the begin */

static void flush_counted(void *context, uint64_t count, const uint64_t *frames)
{
    flushed += count;
    machine_host->flush_pages(context, count, frames);
}

/* Begin, on a GPU with these lines; NULL: on that of the rig. */
static void begin_with_caches_apart(struct shown *shown, const char *gpu)
{
    struct rig_options options = rig_defaults();
    NTSTATUS status;

    options.caches_apart = true;
    options.gpu = gpu;
    shown_build(shown, &options, NULL);
    machine_host = vidmm_slot_host(shown->rig.slot);
    counting_host = *machine_host;
    counting_host.flush_pages = flush_counted;
    status =
        vidmm_adapter_start(&counting_host, &shown->rig.driver, shown, &shown->rig.options.adapter,
                            &shown->rig.adapter, &shown->rig.report);
    if (status == STATUS_SUCCESS)
        status = vidmm_device_create(shown->rig.adapter, 1, &shown->rig.device, NULL);
    if (status == STATUS_SUCCESS)
        status = vidmm_context_create(shown->rig.device, 0, NULL, 0, &shown->rig.context, NULL);
    assert_int_equal(status, STATUS_SUCCESS);
    flushed = 0;
}

#endif
