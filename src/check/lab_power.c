/* lab_power.c: the adapter goes down to D3 and comes back, for each reason that the power manager
 * gives, and with another reason on the way up than on the way down: on D0 a driver does not go by
 * ActionType.
 *
 *     idle, dark --SetPowerState(D3, a)--> asleep --SetPowerState(D0, b)--> paging as before
 *
 * Video memory may forget its content in between, so nothing is looked for that was there before,
 * but in a segment whose flags say that it is preserved on the way down that is taken.
 */
#include "check/lab.h"

#include <stdlib.h>

#include <wddm/ntstatus.h>

static const struct {
    POWER_ACTION down, up;
    const char *name;
} ways[] = {
    {PowerActionSleep, PowerActionSleep, "down and up with PowerActionSleep"},
    {PowerActionSleep, PowerActionNone, "down with PowerActionSleep, up with PowerActionNone"},
    {PowerActionHibernate, PowerActionHibernate, "down and up with PowerActionHibernate"},
    {PowerActionHibernate, PowerActionNone,
     "down with PowerActionHibernate, up with PowerActionNone"},
    {PowerActionNone, PowerActionNone, "down and up with PowerActionNone"},
    {PowerActionNone, PowerActionSleep, "down with PowerActionNone, up with PowerActionSleep"},
};

/* obeys D-314. False: the adapter is not where it should be. */
static bool set_power(struct vidmm_rig *rig, DEVICE_POWER_STATE state, POWER_ACTION action)
{
    NTSTATUS status =
        rig->driver->DxgkDdiSetPowerState(rig->adapter, DISPLAY_ADAPTER_HW_ID, state, action);

    if (status >= 0)
        return true;
    vidmm_rig_breach(rig, VIDMM_RULE_D_314, true, "DxgkDdiSetPowerState to D%d answered %s",
                     state - PowerDeviceD0, vidmm_rig_status(status));
    return false;
}

bool vidmm_lab_power(struct vidmm_lab *lab, unsigned way)
{
    struct vidmm_rig *rig = lab->rig;
    bool right;

    if (way >= sizeof(ways) / sizeof(ways[0]) || rig->dead)
        return false;
    vidmm_board_operation(rig->board, "%s", ways[way].name);
    vidmm_rig_flush_dpcs(rig);
    right = set_power(rig, PowerDeviceD3, ways[way].down);
    return set_power(rig, PowerDeviceD0, ways[way].up) && right;
}

POWER_ACTION vidmm_lab_way_down(unsigned way)
{
    return way < sizeof(ways) / sizeof(ways[0]) ? ways[way].down : PowerActionNone;
}

/* ---- where paging goes by place ---- */

#define KEPT (UINT64_C(16) << 10) /* bytes that are looked for */

/* Known bytes where they are preserved; 0: nowhere, or the hardware does not show them. */
static uint64_t put_kept(struct vidmm_lab *lab, uint64_t at, uint8_t *bytes)
{
    uint64_t seed = vidmm_lab_seed(lab);

    return at != UINT64_MAX && vidmm_lab_put(lab, lab->memory, at, KEPT, seed) &&
                   vidmm_lab_look(lab, lab->memory, at, KEPT, bytes) &&
                   vidmm_lab_match(bytes, KEPT, seed) == KEPT
               ? seed
               : 0;
}

static bool go_and_look(struct vidmm_lab *lab, unsigned way, uint8_t *bytes)
{
    uint64_t at = vidmm_lab_kept(lab, 0, KEPT, way), seed = put_kept(lab, at, bytes);

    if (!vidmm_lab_power(lab, way))
        return false;
    if (seed != 0 && vidmm_lab_look(lab, lab->memory, at, KEPT, bytes))
        vidmm_lab_judge_kept(lab, bytes, KEPT, at, seed);
    return vidmm_lab_pages(lab, "in the segment, after DxgkDdiSetPowerState to D0");
}

static bool try_way(struct vidmm_lab *lab, unsigned way)
{
    uint8_t *bytes = malloc(KEPT);
    bool done = bytes && go_and_look(lab, way, bytes);

    free(bytes);
    return done;
}

/* Why it cannot be tried; NULL: it can. */
static const char *obstacle(const struct vidmm_lab *lab)
{
    const struct vidmm_rig *rig = lab->rig;

    if (!rig->driver->DxgkDdiSetPowerState)
        return "there is no DxgkDdiSetPowerState";
    if (!lab->memory)
        return "there is an aperture only: nothing would show that the GPU works again";
    if (rig->paging_segment != 0)
        return "paging buffers are seen through an aperture, of which the way down may empty the "
               "map";
    return NULL;
}

void vidmm_check_power(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    const char *why = obstacle(lab);

    if (rig->dead || !vidmm_rig_finish(rig) || !vidmm_board_try(rig->board, "power down, power up"))
        return;
    if (why)
        vidmm_board_skip(rig->board, "%s", why);
    for (unsigned way = 0; !why && try_way(lab, way); way++)
        continue;
}
