/* command_memory.c: memory that the GPU fetches commands from, as pages.
 *
 * Behind the commands and behind the private data stands a guard: a miniport that writes there has
 * hurt nobody, and is found out (kit).
 */
#include "vidmm/object/command_memory.h"

#include <string.h>

#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/memory.h"

#include "base/assert.h"

#define GUARD_BYTE 0xa7
#define GUARD_WORD UINT64_C(0xa7a7a7a7a7a7a7a7)

static uint8_t *guard_of(void *start, uint32_t size)
{
    return (uint8_t *)start + size;
}

/* Eight bytes at a time: every call that writes commands is looked at. */
static bool is_whole(const uint8_t *guard)
{
    uint64_t word = GUARD_WORD;
    uint32_t index;

    for (index = 0; index < VIDMM_GUARD_SIZE && word == GUARD_WORD; index += sizeof(word))
        memcpy(&word, guard + index, sizeof(word));
    return word == GUARD_WORD;
}

uint32_t vidmm_guarded_was_overrun(struct vidmm_command_memory *memory)
{
    uint8_t *guard = guard_of(memory->backing.address, memory->size);
    uint8_t *private_guard =
        memory->private_data ? guard_of(memory->private_data, memory->private_size) : NULL;
    uint32_t reason = VIDMM_REASON_NONE;

    VIDMM_ASSERT(memory->backing.address && memory->size > 0);
    VIDMM_ASSERT(!memory->private_data == (memory->private_size == 0));
    if (private_guard && !is_whole(private_guard)) {
        memset(private_guard, GUARD_BYTE, VIDMM_GUARD_SIZE);
        reason = VIDMM_REASON_PRIVATE_OVERRUN;
    }
    if (!is_whole(guard)) {
        memset(guard, GUARD_BYTE, VIDMM_GUARD_SIZE);
        reason = VIDMM_REASON_OVERRUN;
    }
    return reason;
}

static bool init_private_data(const struct vidmm_adapter *adapter,
                              struct vidmm_command_memory *memory)
{
    if (memory->private_size == 0)
        return true;
    memory->private_data = /* zeroed, and not touched again: obeys D-013 and D-330 */
        vidmm_allocate(adapter->host, memory->private_size + VIDMM_GUARD_SIZE);
    if (memory->private_data)
        memset(guard_of(memory->private_data, memory->private_size), GUARD_BYTE, VIDMM_GUARD_SIZE);
    return memory->private_data != NULL;
}

NTSTATUS vidmm_guarded_init(const struct vidmm_adapter *adapter,
                            struct vidmm_command_memory *memory, bool contiguous, uint32_t size,
                            uint32_t private_size)
{
    NTSTATUS status;

    VIDMM_ASSERT(size > 0);
    memset(memory, 0, sizeof(*memory));
    memory->size = size;
    memory->private_size = private_size;
    if (!init_private_data(adapter, memory))
        return STATUS_NO_MEMORY;
    status = vidmm_backing_init(&memory->backing, adapter, (uint64_t)size + VIDMM_GUARD_SIZE,
                                contiguous, VIDMM_WRITE_COMBINED);
    if (status == STATUS_SUCCESS && !vidmm_backing_map(&memory->backing, adapter->host))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        memset(guard_of(memory->backing.address, size), GUARD_BYTE, VIDMM_GUARD_SIZE);
    if (status == STATUS_SUCCESS && contiguous) /* it has no place in an aperture */
        vidmm_backing_reach(adapter, &memory->backing);
    return status;
}

void vidmm_guarded_finish(const struct vidmm_adapter *adapter, struct vidmm_command_memory *memory)
{
    if (memory->id == 0)
        vidmm_backing_finish(&memory->backing, adapter->host);
    vidmm_free(adapter->host, memory->private_data);
    memset(memory, 0, sizeof(*memory));
}
