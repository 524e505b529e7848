/* cache.c: the processor's caches, where the GPU does not see them.
 *
 * C1  bytes outside of dirty_begin .. dirty_end are in memory as the CPU last wrote them, where the
 *     GPU has not written them since
 * C2  gpu_wrote is false: the caches hold nothing that is older than memory
 */
#include <umd/cache.h>

#include <umd/track.h>
#include <vidmm/adapter.h>
#include <vidmm/cache.h>
#include <wddm/ntstatus.h>

void umd_cache_init(struct umd_cache *cache, bool cached)
{
    *cache = (struct umd_cache){.cached = cached};
}

void umd_cache_cpu_wrote(struct umd_cache *cache, uint64_t offset, uint64_t length)
{
    if (length == 0)
        return;
    if (cache->dirty_begin == cache->dirty_end) {
        cache->dirty_begin = offset;
        cache->dirty_end = offset + length;
        return;
    }
    if (offset < cache->dirty_begin)
        cache->dirty_begin = offset;
    if (offset + length > cache->dirty_end)
        cache->dirty_end = offset + length;
}

NTSTATUS umd_cache_before_gpu(struct umd_cache *cache, struct vidmm_device *device,
                              struct vidmm_allocation *allocation, uint32_t access,
                              struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (!cache->cached)
        return status;
    if (cache->dirty_begin != cache->dirty_end)
        status = vidmm_invalidate_cache(device, allocation, cache->dirty_begin,
                                        cache->dirty_end - cache->dirty_begin, report);
    if (status != STATUS_SUCCESS)
        return status;
    cache->dirty_begin = cache->dirty_end = 0; /* C1 */
    cache->gpu_wrote |= (access & UMD_WRITE) != 0;
    return status;
}

NTSTATUS umd_cache_before_cpu(struct umd_cache *cache, struct vidmm_device *device,
                              struct vidmm_allocation *allocation, bool over,
                              struct vidmm_report *report)
{
    if (!cache->cached || !cache->gpu_wrote)
        return STATUS_SUCCESS;
    NTSTATUS status =
        vidmm_invalidate_cache(device, allocation, 0, vidmm_allocation_size(allocation), report);
    if (status == STATUS_SUCCESS)
        cache->gpu_wrote = !over; /* C2 */
    return status;
}
