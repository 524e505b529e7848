/* foreign_share.c: heaps and fences of other processes of the system, made once more here. */
#include "thunk/foreign_share.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vidmm/fence.h>
#include <vidmm/plan.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "thunk/carried.h"
#include "thunk/keeper.h"
#include "thunk/mirror.h"
#include "thunk/nt_handle.h"
#include "thunk/process.h"
#include "thunk/share.h"
#include "thunk/sync.h"

/* ---- out ------------------------------------------------------------------------------------- */

/* The file of a mirror, which begins with the first handle. -1: it cannot be had. */
static int begin_mirror(struct vidmm_thunk_machine *machine, struct vidmm_sync_share *sync)
{
    int made = -1, file = -1;

    pthread_mutex_lock(&machine->mutex);
    if (sync->mirror == NULL) {
        made = vidmm_carried_file(VIDMM_MIRROR_BYTES);
        if (made >= 0) {
            sync->mirror = vidmm_mirror_create(sync->device, sync->fence, made);
            close(made);
        }
    }
    if (sync->mirror != NULL)
        file = vidmm_mirror_file(sync->mirror);
    pthread_mutex_unlock(&machine->mutex);
    return file;
}

bool vidmm_export(struct vidmm_thunk_machine *machine, const struct vidmm_nt_target *target,
                  struct vidmm_carried *carried)
{
    const struct vidmm_share *share = target->share;

    if (share != NULL)
        *carried = (struct vidmm_carried){.kind = VIDMM_CARRIED_HEAP,
                                          .flags = share->flags,
                                          .runtime = share->runtime.size,
                                          .size = share->file_size,
                                          .file = share->file};
    else
        *carried = (struct vidmm_carried){.kind = VIDMM_CARRIED_FENCE,
                                          .flags = target->sync->flags.Value,
                                          .type = (uint32_t)target->sync->type,
                                          .file = -1};
    if (share == NULL && !target->sync->flags.NoSignal && !target->sync->flags.NoWait)
        carried->file = begin_mirror(machine, target->sync);
    return carried->file >= 0;
}

/* ---- in -------------------------------------------------------------------------------------- */

/* The record of a heap that has been made, with the data of the runtime behind its memory. */
static struct vidmm_share *describe(const struct vidmm_carried *carried,
                                    struct vidmm_adapter *adapter,
                                    const struct vidmm_nt_target *target,
                                    const struct vidmm_allocation *allocation)
{
    struct vidmm_share_data words = {NULL, 0}, runtime = {NULL, carried->runtime};
    void *bytes = malloc((size_t)carried->runtime + 1);
    struct vidmm_share *share = NULL;

    words.bytes = vidmm_allocation_private_data(allocation, &words.size);
    runtime.bytes = bytes;
    if (bytes != NULL && pread(carried->file, bytes, carried->runtime, (off_t)carried->size) ==
                             (ssize_t)carried->runtime)
        share = vidmm_share_create(runtime, (struct vidmm_share_data){NULL, 0}, &words, 1);
    free(bytes);
    if (share == NULL)
        return NULL;
    share->adapter = adapter;
    share->handle = vidmm_resource_handle(target->resource);
    share->nt = true;
    share->flags = carried->flags;
    share->file = carried->file;
    share->file_size = carried->size;
    return share;
}

/* A resource over memory that is mapped. The file is the share's on success. */
static bool make_heap(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                      const struct vidmm_carried *carried, struct vidmm_nt_target *target)
{
    const struct vidmm_heap heap = {target->memory, carried->size, carried->flags};
    struct vidmm_allocation *allocation;
    struct vidmm_device *device;

    if (vidmm_keeper_take(machine, adapter, &device) != STATUS_SUCCESS ||
        vidmm_heap_create(device, &heap, &target->resource, &allocation, vidmm_thunk_report()) !=
            STATUS_SUCCESS)
        return false;
    if (target->resource != NULL)
        target->share = describe(carried, adapter, target, allocation);
    if (target->share == NULL) {
        if (target->resource != NULL)
            vidmm_resource_destroy2(target->resource, VIDMM_DESTROY_SYNCHRONOUS, NULL);
        else
            vidmm_allocations_destroy2(&allocation, 1, VIDMM_DESTROY_SYNCHRONOUS, NULL);
        vidmm_thunk_refuse("no memory for a resource of another process, or its handle is none");
        return false;
    }
    vidmm_share_publish(machine, target->share);
    return true;
}

static bool import_heap(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                        const struct vidmm_carried *carried, struct vidmm_nt_target *target)
{
    void *memory = mmap(NULL, carried->size, PROT_READ | PROT_WRITE, MAP_SHARED, carried->file, 0);

    if (memory == MAP_FAILED) {
        vidmm_thunk_refuse("the system maps no %llu bytes of another process",
                           (unsigned long long)carried->size);
        return false;
    }
    *target = (struct vidmm_nt_target){.memory = memory, .memory_size = carried->size};
    if (make_heap(machine, adapter, carried, target))
        return true;
    munmap(memory, carried->size);
    return false;
}

static struct vidmm_sync_share *make_fence(struct vidmm_thunk_machine *machine,
                                           struct vidmm_adapter *adapter,
                                           const struct vidmm_carried *carried)
{
    struct vidmm_sync_share *share = calloc(1, sizeof(*share));
    uint32_t flags = VIDMM_FENCE_SHARED | VIDMM_FENCE_NT_SECURITY_SHARING;

    if (share == NULL)
        return NULL;
    share->adapter = adapter;
    share->type = (D3DDDI_SYNCHRONIZATIONOBJECT_TYPE)carried->type;
    share->flags.Value = carried->flags;
    if (share->type == D3DDDI_FENCE || share->flags.NoGPUAccess)
        flags |= VIDMM_FENCE_NO_GPU_ACCESS;
    if (share->flags.NoSignalMaxValueOnTdr)
        flags |= VIDMM_FENCE_NO_MAX_VALUE;
    if (vidmm_keeper_take(machine, adapter, &share->device) != STATUS_SUCCESS ||
        vidmm_fence_create(share->device, vidmm_mirror_value(carried->file), flags, &share->fence,
                           vidmm_thunk_report()) != STATUS_SUCCESS) {
        free(share);
        return NULL;
    }
    share->mirror = vidmm_mirror_create(share->device, share->fence, carried->file);
    if (share->mirror != NULL)
        return share;
    vidmm_thunk_refuse("no memory, thread or descriptor for a fence of another process");
    vidmm_fence_destroy(share->fence);
    free(share);
    return NULL;
}

static bool import_fence(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                         const struct vidmm_carried *carried, struct vidmm_nt_target *target)
{
    D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS flags = {.Value = carried->flags};

    if ((carried->type != D3DDDI_FENCE && carried->type != D3DDDI_MONITORED_FENCE) ||
        !flags.Shared || !flags.NtSecuritySharing || flags.NoSignal || flags.NoWait)
        return false;
    target->sync = make_fence(machine, adapter, carried);
    if (target->sync != NULL)
        vidmm_sync_share_publish(machine, target->sync);
    return target->sync != NULL;
}

bool vidmm_import(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                  int descriptor, struct vidmm_nt_target *target)
{
    struct vidmm_carried carried;
    bool made;

    *target = (struct vidmm_nt_target){0};
    if (!vidmm_carried_look(descriptor, &carried)) {
        vidmm_thunk_refuse(
            "hNtHandle is %d, which carries nothing of another process; that process can share "
            "a fence, or a resource over existing memory with CrossAdapter",
            descriptor);
        return false;
    }
    if (carried.kind == VIDMM_CARRIED_FENCE) {
        made = import_fence(machine, adapter, &carried, target);
        close(carried.file);
        return made;
    }
    made = import_heap(machine, adapter, &carried, target);
    if (!made)
        close(carried.file); /* otherwise it is the share's */
    return made;
}
