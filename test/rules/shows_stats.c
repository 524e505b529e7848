/* shows_stats.c: stats.def, obeyed. */
#include "rules_rig.h"

#define MB(count) ((uint64_t)(count) << 20)

enum { APERTURE = 1, POPULATED = 0x40 };

/* Chosen numbers: by which of them each minimum and maximum is decided. */
void shows_D_246(void **state)
{
    static const struct {
        uint64_t system, commit_limit, memory, populated, apertures;
        uint64_t available, dedicated_system, shared, total;
    } rows[] = {
        {MB(1023), 0, MB(128), 0, MB(256), MB(1023) / 2, 0, MB(256), MB(384)},
        {MB(1024), MB(100), MB(128), 0, MB(256), MB(512), 0, MB(100), MB(228)},
        {MB(1024), MB(999), MB(128), 0, MB(256), MB(512), 0, MB(256), MB(384)},
        {MB(256), 0, MB(128), MB(32), MB(256), MB(128), MB(32), MB(96), MB(256)},
        {MB(64), 0, 0, MB(16), MB(256), MB(64), MB(16), MB(48), MB(64)},
        {MB(64), 0, 0, MB(200), MB(256), MB(64), MB(64), 0, MB(64)},
    };
    struct rig_options options = rig_defaults();
    struct vidmm_memory_totals totals;
    struct shown shown;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct vidmm_segment_info segments[] = {
            {.flags = APERTURE, .size = MB(4096), .commit_limit = rows[i].apertures / 2},
            {.size = rows[i].memory, .commit_limit = rows[i].memory},
            {.flags = POPULATED, .size = rows[i].populated, .commit_limit = rows[i].populated},
            {.flags = APERTURE, .size = MB(4096), .commit_limit = rows[i].apertures / 2},
        };

        totals = vidmm_memory_totals(segments, 4, rows[i].system, rows[i].commit_limit);
        assert_int_equal(totals.system, rows[i].system);
        assert_int_equal(totals.available, rows[i].available);
        assert_int_equal(totals.dedicated_video, rows[i].memory);
        assert_int_equal(totals.dedicated_system, rows[i].dedicated_system);
        assert_int_equal(totals.shared, rows[i].shared);
        assert_int_equal(totals.total, rows[i].total);
    }
    options.gpu = "segment 1 aperture 1M\nsegment 2 memory 256K\nsegment 3 memory 64K populated\n";
    shown_init(&shown, &options, NULL);
    vidmm_adapter_memory_totals(shown.rig.adapter, &totals); /* of a machine with 8 MB */
    assert_int_equal(totals.available, MB(64));
    assert_int_equal(totals.dedicated_video, 256 << 10);
    assert_int_equal(totals.dedicated_system, 64 << 10);
    assert_int_equal(totals.shared, MB(1));
    shown_finish(&shown);
}
