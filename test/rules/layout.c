/*
 * layout.c: the rules that a layout says. The compiler asserts all that C allows; C gives no way to
 * ask for the place of a bit-field, so that is compared here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <wddm/d3dkmddi.h>

#include "rules.h"
#include "wddm/mask.h"

static uint32_t mask_of(const struct vidmm_mask *word, const char *name)
{
    for (size_t index = 0; index < word->count; index++)
        if (strcmp(word->bits[index].name, name) == 0)
            return word->bits[index].mask;
    fail_msg("%s has no bit %s", word->name, name);
    return 0;
}

/* The named bit, the mask of masks.def and the number of the contract are the same bit. */
#define ASSERT_MASK(member, mask)                                                                  \
    do {                                                                                           \
        DXGK_ALLOCATIONINFOFLAGS named = {.Value = 0}, masked = {.Value = (mask)};                 \
        named.member = 1;                                                                          \
        assert_int_equal(named.Value, mask);                                                       \
        assert_int_equal(masked.member, 1);                                                        \
        assert_int_equal(mask_of(&vidmm_mask_DXGK_ALLOCATIONINFOFLAGS, #member), mask);            \
    } while (0)

_Static_assert(sizeof(DXGK_ALLOCATIONINFOFLAGS) == 4, "S0-002: 32 bits");

void holds_S0_002(void **state)
{
    const struct vidmm_mask *word = &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = 0};
    uint32_t seen = 0;

    (void)state;
    for (size_t index = 0; index < word->count; index++) {
        assert_int_equal(seen & word->bits[index].mask, 0);
        seen |= word->bits[index].mask;
    }
    assert_int_equal(seen, 0x7ffff);
    ASSERT_MASK(CpuVisible, 0x1);
    ASSERT_MASK(PermanentSysMem, 0x2);
    ASSERT_MASK(Cached, 0x4);
    ASSERT_MASK(Protected, 0x8);
    ASSERT_MASK(ExistingSysMem, 0x10);
    ASSERT_MASK(ExistingKernelSysMem, 0x20);
    ASSERT_MASK(FromEndOfSegment, 0x40);
    ASSERT_MASK(Swizzled, 0x80);
    ASSERT_MASK(Overlay, 0x100);
    ASSERT_MASK(Capture, 0x200);
    ASSERT_MASK(UseAlternateVA, 0x400);
    ASSERT_MASK(SynchronousPaging, 0x800);
    ASSERT_MASK(LinkMirrored, 0x1000);
    ASSERT_MASK(LinkInstanced, 0x2000);
    ASSERT_MASK(HistoryBuffer, 0x4000);
    ASSERT_MASK(AccessedPhysically, 0x8000);
    ASSERT_MASK(ExplicitResidencyNotification, 0x10000);
    ASSERT_MASK(HardwareProtected, 0x20000);
    ASSERT_MASK(CpuVisibleOnDemand, 0x40000);
    flags.Cached = 1;
    flags.Value |= 0x1;
    assert_int_equal(flags.Value, 0x5); /* CpuVisible, Cached */
    assert_int_equal(flags.CpuVisible, 1);
}

void holds_S0_003(void **state)
{
    (void)state;
    ASSERT_MASK(CpuVisible, 0x1);
}

void holds_S0_007(void **state)
{
    (void)state;
    ASSERT_MASK(PermanentSysMem, 0x2);
}

void holds_S0_017(void **state)
{
    (void)state;
    ASSERT_MASK(Cached, 0x4);
}

void holds_S0_041(void **state)
{
    (void)state;
    ASSERT_MASK(Swizzled, 0x80);
}

/* Nothing lies between LinkInstanced and HistoryBuffer, and nothing else in bit 14. */
void holds_S0_054(void **state)
{
    const struct vidmm_mask *word = &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS;
    unsigned names = 0;

    (void)state;
    ASSERT_MASK(LinkInstanced, 0x2000);
    ASSERT_MASK(HistoryBuffer, 0x4000);
    for (size_t index = 0; index < word->count; index++)
        names += (word->bits[index].mask & 0x4000) != 0;
    assert_int_equal(names, 1);
}

void holds_S0_063(void **state)
{
    (void)state;
    ASSERT_MASK(HardwareProtected, 0x20000);
    ASSERT_MASK(CpuVisibleOnDemand, 0x40000);
}

_Static_assert(offsetof(DXGK_ALLOCATIONINFO, MaximumRenamingListLength) ==
                   offsetof(DXGK_ALLOCATIONINFO, PhysicalAdapterIndex),
               "S1-017: one place, two names");

void holds_S1_017(void **state)
{
    DXGK_ALLOCATIONINFO info = {0};

    (void)state;
    info.MaximumRenamingListLength = 7;
    assert_int_equal(info.PhysicalAdapterIndex, 7);
    assert_int_equal(sizeof(info.MaximumRenamingListLength), sizeof(info.PhysicalAdapterIndex));
}

_Static_assert(offsetof(DXGK_ALLOCATIONINFO, Flags) == offsetof(DXGK_ALLOCATIONINFO, FlagsWddm2),
               "S1-020: one place, two words");

void holds_S1_020(void **state)
{
    DXGK_ALLOCATIONINFO info = {0};

    (void)state;
    info.Flags.Swizzled = 1;
    assert_int_equal(info.FlagsWddm2.DisableLargePageMapping, 1);
    assert_int_equal(sizeof(info.Flags), sizeof(info.FlagsWddm2));
}

/* ---- the word from WDDM 2.0 on ---- */

#define ASSERT_NEW_MASK(member, mask)                                                              \
    do {                                                                                           \
        DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 named = {.Value = 0}, masked = {.Value = (mask)};         \
        named.member = 1;                                                                          \
        assert_int_equal(named.Value, mask);                                                       \
        assert_int_equal(masked.member, 1);                                                        \
        assert_int_equal(mask_of(&vidmm_mask_DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, #member), mask);    \
    } while (0)

_Static_assert(sizeof(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0) == 4, "S3-002: 32 bits");

/* The names of a bit of the word: 0 or 1. */
static unsigned names_of(uint32_t bit)
{
    const struct vidmm_mask *word = &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS_WDDM2_0;
    unsigned names = 0;

    for (size_t index = 0; index < word->count; index++)
        names += (word->bits[index].mask & bit) != 0;
    return names;
}

void holds_S3_002(void **state)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = {.Value = 0};

    (void)state;
    ASSERT_NEW_MASK(CpuVisible, 0x1);
    ASSERT_NEW_MASK(PermanentSysMem, 0x2);
    ASSERT_NEW_MASK(Cached, 0x4);
    ASSERT_NEW_MASK(Protected, 0x8);
    ASSERT_NEW_MASK(ExistingSysMem, 0x10);
    ASSERT_NEW_MASK(ExistingKernelSysMem, 0x20);
    ASSERT_NEW_MASK(FromEndOfSegment, 0x40);
    ASSERT_NEW_MASK(DisableLargePageMapping, 0x80);
    ASSERT_NEW_MASK(Overlay, 0x100);
    ASSERT_NEW_MASK(Capture, 0x200);
    ASSERT_NEW_MASK(CreateInVpr, 0x400);
    ASSERT_NEW_MASK(MapApertureCpuVisible, 0x2000);
    ASSERT_NEW_MASK(HistoryBuffer, 0x4000);
    ASSERT_NEW_MASK(AccessedPhysically, 0x8000);
    ASSERT_NEW_MASK(ExplicitResidencyNotification, 0x10000);
    ASSERT_NEW_MASK(HardwareProtected, 0x20000);
    ASSERT_NEW_MASK(CpuVisibleOnDemand, 0x40000);
    flags.Cached = 1;
    flags.Value |= 0x1;
    assert_int_equal(flags.Value, 0x5);
    assert_int_equal(flags.CpuVisible, 1);
}

/* Each of the two pairs has one bit, so that what stands behind them is where it must be. */
void holds_S3_003(void **state)
{
    (void)state;
    ASSERT_NEW_MASK(CreateInVpr, 0x400);
    ASSERT_NEW_MASK(MapApertureCpuVisible, 0x2000);
    ASSERT_NEW_MASK(HistoryBuffer, 0x4000);
    ASSERT_NEW_MASK(AccessedPhysically, 0x8000);
    for (uint32_t bit = 0x400; bit <= 0x4000; bit <<= 1)
        assert_int_equal(names_of(bit), bit == 0x800 || bit == 0x1000 ? 0 : 1);
}

void holds_S3_034(void **state)
{
    (void)state;
    ASSERT_NEW_MASK(HardwareProtected, 0x20000);
}

/* The names of the older word that the newer one does not have; its own for their bits, or none. */
void holds_S3_037(void **state)
{
    static const char *const gone[] = {"Swizzled", "UseAlternateVA", "SynchronousPaging",
                                       "LinkMirrored", "LinkInstanced"};
    const struct vidmm_mask *older = &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS;
    const struct vidmm_mask *newer = &vidmm_mask_DXGK_ALLOCATIONINFOFLAGS_WDDM2_0;
    uint32_t lost = 0;

    (void)state;
    for (size_t name = 0; name < sizeof(gone) / sizeof(gone[0]); name++) {
        lost |= mask_of(older, gone[name]);
        for (size_t index = 0; index < newer->count; index++)
            assert_string_not_equal(newer->bits[index].name, gone[name]);
    }
    assert_int_equal(lost, 0x80 | 0x400 | 0x800 | 0x1000 | 0x2000);
    ASSERT_NEW_MASK(DisableLargePageMapping, 0x80);
    ASSERT_NEW_MASK(CreateInVpr, 0x400);
    ASSERT_NEW_MASK(MapApertureCpuVisible, 0x2000);
    assert_int_equal(names_of(0x800) + names_of(0x1000), 0);
}
