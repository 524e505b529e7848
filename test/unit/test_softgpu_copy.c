/* Moving bytes: every way of every processor moves exactly what it was told to. */
#include "harness.h"

#include "softgpu/device_copy.h"

enum { SPACE = 3 * 4096, MARGIN = 256 };

static _Alignas(64) unsigned char from[SPACE + 2 * MARGIN], to[SPACE + 2 * MARGIN],
    expected[SPACE + 2 * MARGIN];

/* The real one, and what it would be on lesser processors. */
static struct softgpu_mover mover_of(unsigned which)
{
    struct softgpu_mover mover;

    softgpu_mover_init(&mover);
    if (which & 1)
        mover.strings = false;
    if (which & 2)
        mover.wide = false;
    return mover;
}

static void scramble(unsigned char *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(seed + i * 7 + (i >> 8));
}

static void a_copy_is_exact_at_every_alignment_and_size(void **state)
{
    static const size_t sizes[] = {0, 1, 7, 31, 32, 33, 127, 128, 129, 4095, 4096, 4097, 9001};

    (void)state;
    for (unsigned which = 0; which < 4; which++)
        for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
            for (unsigned shift = 0; shift < 36; shift += 5)
                for (unsigned huge = 0; huge < 2; huge++) {
                    struct softgpu_mover mover = mover_of(which);
                    uint64_t total = huge ? UINT64_MAX - 1 : sizes[s];

                    scramble(from, sizeof(from), 3);
                    scramble(to, sizeof(to), 200);
                    memcpy(expected, to, sizeof(to));
                    memcpy(expected + MARGIN + shift, from + MARGIN + 3 * shift % 17, sizes[s]);
                    softgpu_copy(&mover, to + MARGIN + shift, from + MARGIN + 3 * shift % 17,
                                 sizes[s], s % 2 ? from : NULL, total);
                    softgpu_mover_drain(&mover);
                    assert_memory_equal(to, expected, sizeof(to));
                }
}

static void a_fill_is_exact_at_every_alignment_size_and_phase(void **state)
{
    static const size_t sizes[] = {0, 1, 3, 5, 8, 31, 33, 127, 129, 4096, 4099, 9001};
    static const uint32_t patterns[] = {0x44332211, 0x5a5a5a5a};

    (void)state;
    for (unsigned which = 0; which < 8; which++)
        for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
            for (unsigned shift = 0; shift < 36; shift++)
                for (unsigned huge = 0; huge < 2; huge++) {
                    struct softgpu_mover mover = mover_of(which);
                    uint32_t pattern = patterns[which / 4];
                    unsigned phase = shift % 4;

                    scramble(to, sizeof(to), 200);
                    memcpy(expected, to, sizeof(to));
                    for (size_t i = 0; i < sizes[s]; i++)
                        expected[MARGIN + shift + i] =
                            (unsigned char)(pattern >> 8 * ((phase + i) % 4));
                    softgpu_fill(&mover, to + MARGIN + shift, pattern, phase, sizes[s],
                                 huge ? UINT64_MAX - 1 : sizes[s]);
                    softgpu_mover_drain(&mover);
                    assert_memory_equal(to, expected, sizeof(to));
                }
}

static void streaming_begins_past_the_caches(void **state)
{
    struct softgpu_mover mover;

    (void)state;
    softgpu_mover_init(&mover);
    assert_true(mover.stream_from >= 1 << 20);
}

/* Runs that outgrow the caches as source and destination may still fit as a destination alone. */
static void a_fill_stays_in_the_caches_longer_than_a_copy(void **state)
{
    struct softgpu_mover mover;

    (void)state;
    softgpu_mover_init(&mover);
    assert_true(mover.stream_fills_from >= mover.stream_from);
    if (mover.stream_from > 8u << 20 && mover.stream_from != UINT64_MAX)
        assert_true(mover.stream_fills_from >= 2 * mover.stream_from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_exact_at_every_alignment_and_size),
        cmocka_unit_test(a_fill_is_exact_at_every_alignment_size_and_phase),
        cmocka_unit_test(streaming_begins_past_the_caches),
        cmocka_unit_test(a_fill_stays_in_the_caches_longer_than_a_copy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
