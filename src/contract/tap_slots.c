/*
 * tap_slots.c: the functions that stand between, one set for each slot.
 *
 * AddDevice, Unload and the like get nothing by which to find a tap, so a set belongs to one: which
 * one stands in `slots`, the only state of the process that this module has.
 */
#include <stdatomic.h>
#include <string.h>

#include "contract/tap.h"

/* A tap is put here before its functions are handed out, and leaves when nobody calls them. */
static struct vidmm_tap *slots[VIDMM_TAPS];
static atomic_bool taken[VIDMM_TAPS];

#define SLOT 0
#include "contract/tap_slot.h"
#undef SLOT
#define SLOT 1
#include "contract/tap_slot.h"
#undef SLOT
#define SLOT 2
#include "contract/tap_slot.h"
#undef SLOT
#define SLOT 3
#include "contract/tap_slot.h"
#undef SLOT
#define SLOT 4
#include "contract/tap_slot.h"
#undef SLOT
#define SLOT 5
#include "contract/tap_slot.h"
#undef SLOT
#define SLOT 6
#include "contract/tap_slot.h"
#undef SLOT
#define SLOT 7
#include "contract/tap_slot.h"
#undef SLOT

static const struct {
    void (*driver)(const DRIVER_INITIALIZATION_DATA *driver, DRIVER_INITIALIZATION_DATA *wrapped);
    void (*kernel)(const DXGKRNL_INTERFACE *kernel, DXGKRNL_INTERFACE *wrapped);
} wrappers[] = {
    {slot0_wrap_driver, slot0_wrap_kernel}, {slot1_wrap_driver, slot1_wrap_kernel},
    {slot2_wrap_driver, slot2_wrap_kernel}, {slot3_wrap_driver, slot3_wrap_kernel},
    {slot4_wrap_driver, slot4_wrap_kernel}, {slot5_wrap_driver, slot5_wrap_kernel},
    {slot6_wrap_driver, slot6_wrap_kernel}, {slot7_wrap_driver, slot7_wrap_kernel},
};
_Static_assert(sizeof wrappers / sizeof wrappers[0] == VIDMM_TAPS, "a set for each tap");

bool vidmm_tap_take_slot(struct vidmm_tap *tap)
{
    for (int i = 0; i < VIDMM_TAPS; i++) {
        if (atomic_exchange(&taken[i], true))
            continue;
        slots[i] = tap;
        tap->slot = i;
        tap->wrapped = tap->driver;
        wrappers[i].driver(&tap->driver, &tap->wrapped);
        return true;
    }
    return false;
}

void vidmm_tap_release_slot(struct vidmm_tap *tap)
{
    slots[tap->slot] = NULL;
    atomic_store(&taken[tap->slot], false);
}

void vidmm_tap_wrap_kernel(struct vidmm_tap *tap)
{
    tap->wrapped_kernel = tap->kernel;
    wrappers[tap->slot].kernel(&tap->kernel, &tap->wrapped_kernel);
}
