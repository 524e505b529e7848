/* map.c: the CPU writes and reads an allocation that the GPU uses too.
 *
 * M1  mapped: `current` stays what it is, for only a discard changes it
 * M2  without NO_OVERWRITE no use is in the way when the pointer is handed out
 */
#include <umd/map.h>

#include <stddef.h>

#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "umd/refuse.h"

#define ALL_FLAGS                                                                                  \
    (UMD_MAP_READ | UMD_MAP_WRITE | UMD_MAP_DISCARD | UMD_MAP_NO_OVERWRITE | UMD_MAP_DO_NOT_WAIT)

static const char *wrong_flags(uint32_t flags)
{
    const uint32_t access = flags & (UMD_MAP_READ | UMD_MAP_WRITE);
    const uint32_t way = flags & (UMD_MAP_DISCARD | UMD_MAP_NO_OVERWRITE);

    if ((flags & ~ALL_FLAGS) != 0)
        return "flags: one that there is not; expected bits of 0x1f";
    if (access == 0)
        return "flags: neither READ (1) nor WRITE (2)";
    if (way != 0 && access != UMD_MAP_WRITE)
        return "flags: DISCARD (4) and NO_OVERWRITE (8) go with WRITE (2) alone";
    if (way == (UMD_MAP_DISCARD | UMD_MAP_NO_OVERWRITE))
        return "flags: DISCARD (4) or NO_OVERWRITE (8), not both";
    if ((way & UMD_MAP_NO_OVERWRITE) != 0 && (flags & UMD_MAP_DO_NOT_WAIT) != 0)
        return "flags: DO_NOT_WAIT (16) not with NO_OVERWRITE (8), which never waits";
    return NULL;
}

static NTSTATUS check(const struct umd_pool *pool, uint32_t flags, struct vidmm_report *report)
{
    const char *why = wrong_flags(flags);

    if (why == NULL && pool->mapped)
        why = "pool: it is mapped; expected one that is not";
    if (why == NULL && pool->current->data == NULL)
        why = "pool: the CPU does not see its allocation; expected data that is not NULL";
    return why == NULL ? STATUS_SUCCESS : umd_refuse(report, STATUS_INVALID_PARAMETER, why);
}

/* Have the GPU out of the way. M2 */
static NTSTATUS settle(struct umd_pool *pool, uint32_t flags, struct vidmm_report *report)
{
    bool wait = (flags & UMD_MAP_DO_NOT_WAIT) == 0;

    if ((flags & UMD_MAP_NO_OVERWRITE) != 0)
        return STATUS_SUCCESS;
    if ((flags & UMD_MAP_DISCARD) != 0)
        return umd_pool_discard(pool, wait, report);
    return umd_track_wait(pool->options.queues, &pool->current->track,
                          (flags & UMD_MAP_WRITE) != 0 ? UMD_READ | UMD_WRITE : UMD_READ, wait,
                          report);
}

NTSTATUS umd_map(struct umd_pool *pool, uint32_t flags, struct vidmm_device *device, void **data,
                 struct vidmm_report *report)
{
    NTSTATUS status = check(pool, flags, report);

    if (status == STATUS_SUCCESS)
        status = settle(pool, flags, report);
    if (status != STATUS_SUCCESS)
        return status;
    struct umd_instance *current = pool->current;
    bool over = (flags & UMD_MAP_NO_OVERWRITE) == 0 ||
                !umd_track_is_busy(pool->options.queues, &current->track, UMD_READ);
    status = umd_cache_before_cpu(&current->cache, device, current->allocation, over, report);
    if (status != STATUS_SUCCESS)
        return status;
    pool->mapped = true;
    *data = current->data;
    return status;
}

NTSTATUS umd_unmap(struct umd_pool *pool, uint64_t offset, uint64_t length,
                   struct vidmm_report *report)
{
    if (!pool->mapped)
        return umd_refuse(report, STATUS_INVALID_PARAMETER,
                          "pool: it is not mapped; expected one that is");
    uint64_t size = vidmm_allocation_size(pool->current->allocation);
    if (offset > size || length > size - offset)
        return umd_refuse(report, STATUS_INVALID_PARAMETER,
                          "length: more bytes from the offset on than the allocation has");
    umd_cache_cpu_wrote(&pool->current->cache, offset, length);
    pool->mapped = false;
    return STATUS_SUCCESS;
}
