/* counted.c: a reference that changes nothing is counted here, and the engine does not hear of it.
 *
 *     MakeResident --> on the list, in place, of a device at work --> counted here once more
 *                  '-> otherwise -----------------------------------> the engine counts it
 *     Evict -------> counted here ----------------------------------> counted here once less
 *                  '-> not, or the engine has to know -------------> the engine counts it less
 *
 * A program makes resident what a submission needs, and evicts it behind that; most of it is on the
 * list and in place anyway. So the call that is made most takes the mutex, looks at each
 * allocation, and changes a number: there is no event, so no time is read, no plan is made and
 * nobody pumps. The engine's questions are asked under the mutex, so they are answered for as long
 * as that is held.
 *
 * Three Evicts the engine hears of though they take nothing off its list: NotWrittenTo, for what it
 * says of the content (D-200); of a process above its budget, for the bytes to trim; and the first
 * one that finds it within the budget again. They are events with VIDMM_EVICT_KEEPS.
 *
 * Invariants, the adapter's mutex held
 *   CO1  `counted` is above 0 only while the engine's list counts the allocation for the program:
 *        so it is on the list as long as the program has it there, and the engine's count falls to
 *        0 with the last reference. Evict takes from here first.
 *   CO2  A program's count is the engine's and `counted` together.
 *   CO3  An allocation of a shared resource is counted by the engine alone: a device may have it
 *        open more than once, and all these openings have one place on the list.
 *
 * Source: D3DDDI_MAKERESIDENT, D3DKMT_EVICT; rules D-194, D-200.
 */
#include "vidmm/client/counted.h"

#include <vidmm/engine.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"

static bool may_count(const struct vidmm_device *device, const struct vidmm_allocation *allocation)
{
    return !allocation->original && allocation->counted < UINT32_MAX / 2 && /* CO3 */
           vidmm_engine_stands_listed(device->adapter->engine, device->id, allocation->id);
}

bool vidmm_counted_again(const struct vidmm_device *device,
                         struct vidmm_allocation *const *allocations, uint32_t count)
{
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(device->adapter));
    if (device->adapter->stopped)
        return false;
    for (index = 0; index < count; index++)
        if (!may_count(device, allocations[index]))
            return false;
    for (index = 0; index < count; index++)
        allocations[index]->counted++; /* CO1 */
    return true;
}

bool vidmm_counted_less(const struct vidmm_device *device,
                        struct vidmm_allocation *const *allocations, uint32_t count)
{
    uint32_t index = 0;

    VIDMM_ASSERT(vidmm_adapter_is_locked(device->adapter));
    if (device->adapter->stopped ||
        !vidmm_engine_is_within_budget(device->adapter->engine, device->id))
        return false;
    while (index < count && allocations[index]->counted > 0)
        allocations[index++]->counted--;
    if (index == count)
        return true;
    while (index > 0)
        allocations[--index]->counted++;
    return false;
}

uint32_t vidmm_counted_part(struct vidmm_allocation *const *allocations, uint32_t count,
                            uint32_t *ids)
{
    uint32_t others = 0, end = count, index;

    for (index = 0; index < count; index++) {
        struct vidmm_allocation *allocation = allocations[index];

        if (allocation->counted > 0) {
            allocation->counted--;
            ids[--end] = allocation->id;
        } else {
            ids[others++] = vidmm_original(allocation)->id;
        }
    }
    VIDMM_ASSERT(others == end);
    return others;
}

void vidmm_counted_restore(struct vidmm_adapter *adapter, const uint32_t *lowered, uint32_t count)
{
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    for (index = 0; index < count; index++) {
        struct vidmm_allocation *allocation =
            vidmm_slot_find(&adapter->handles, lowered[index] - 1, VIDMM_HANDLE_ALLOCATION);

        VIDMM_ASSERT(allocation && !allocation->original); /* CO3 */
        allocation->counted++;
    }
}
