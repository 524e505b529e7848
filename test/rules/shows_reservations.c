/* shows_reservations.c: gpuva.def: addresses that are reserved, and mean no memory. */
#include "unit/test_addressed.h"

#include <vidmm/engine.h>

#include "rules.h"

enum { RESERVED = 4096 }; /* pages: the memory has 256 */

/* A page that nobody has written, as the GPU checks it. */
static struct rig_allocation nothing_written = {.pages = 1, .id = 0x7777};

static uint64_t taken(void)
{
    struct vidmm_segment_use use;

    vidmm_adapter_segment_use(rig.adapter, MEMORY, &use);
    return use.taken;
}

/* Reserve 16 MiB, and look at the state of all of it. Answers how much memory that took. */
static uint64_t reserve_in(uint32_t state)
{
    uint64_t before = taken();
    struct vidmm_address_info info;

    assert_true(reserve(AT, BYTES(RESERVED), state) == AT);
    assert_true(vidmm_find_addresses(rig.adapter, 1, AT, &info));
    assert_int_equal(info.state, state);
    assert_true(info.start == AT && info.end == AT + BYTES(RESERVED));
    assert_int_equal(info.allocation, 0);
    return taken() - before;
}

static void faults_in(const char *gpu, uint32_t state)
{
    start(gpu);
    assert_in_range(reserve_in(state), 0, BYTES(12)); /* tables: eight leaves, and those above */
    touch_and_fault(&first, &nothing_written, AT + BYTES(RESERVED - 1));
    assert_int_not_equal(vidmm_device_condition(first.device, NULL), STATUS_SUCCESS);
    end_program(&first);
    rig_finish(&rig);
}

static void is_unknown_to_others(void)
{
    struct vidmm_address_info info;

    begin_program(&second, 2);
    assert_true(!vidmm_find_addresses(rig.adapter, 2, AT, &info) || info.start != AT);
    end_program(&second);
}

void shows_D_224(void **state)
{
    static const char *const gpus[] = {"zero_pte on\n", "zero_pte off\n"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        faults_in(gpus[i], VIDMM_ADDRESSES_NO_ACCESS);
        faults_in(gpus[i], VIDMM_ADDRESSES_NO_COMMIT);
        start(gpus[i]);
        assert_in_range(reserve_in(VIDMM_ADDRESSES_ZERO), 0, BYTES(13)); /* and a page of zeros */
        touch(&first, &nothing_written, AT, false);
        touch(&first, &nothing_written, AT + BYTES(RESERVED - 1), false);
        is_unknown_to_others();
        finish();
    }
}
