/*
 * rules.h: the tests that the rows of src/wddm/rules ask for.
 *
 *     SHOWN(S0_004, VIDMM, ...)   void shows_S0_004(void **state)    in shows_lock1.c
 *     SEEN(S0_015, KMD, ...)      void breaks_S0_015(void **state)   in seen_flags_v1.c
 *                                 void keeps_S0_015(void **state)    there too
 *     LAYOUT(S0_003, KMD, ...)    void holds_S0_003(void **state)    in layout.c
 *
 * The file is named by the row's area, with underlines. Each is a cmocka test that makes its own
 * machine, adapter and program (rules_rig.h) and takes them apart. A row without its tests does not
 * link, and a test without a row does not compile: nothing declares it.
 */
#ifndef TEST_RULES_RULES_H
#define TEST_RULES_RULES_H

#define SHOWN(id, party, level, how, source, bugcheck, sentence) void shows_##id(void **state);
#define SEEN(id, party, level, how, source, bugcheck, sentence)                                    \
    void breaks_##id(void **state);                                                                \
    void keeps_##id(void **state);
#define LAYOUT(id, party, level, how, source, bugcheck, sentence) void holds_##id(void **state);
#include "wddm/rules.def"

/* The rules that the auditor judges, and the manager shows as well: ALSO(id, area). */
#define RULES_ALSO_SHOWN(ALSO)                                                                     \
    ALSO(D_256, "submission")                                                                      \
    ALSO(S4_012, "multipass")                                                                      \
    ALSO(S4_013, "multipass")                                                                      \
    ALSO(S4_015, "multipass")                                                                      \
    ALSO(S4_016, "multipass")                                                                      \
    ALSO(S4_017, "paging-transfer")                                                                \
    ALSO(S4_019, "paging-transfer")                                                                \
    ALSO(S4_018, "paging-transfer")                                                                \
    ALSO(D_071, "paging-transfer")                                                                 \
    ALSO(S4_020, "paging-transfer")                                                                \
    ALSO(S4_024, "paging-transfer")                                                                \
    ALSO(S4_026, "paging-transfer")                                                                \
    ALSO(S4_033, "paging-discard")                                                                 \
    ALSO(D_070, "paging-transfer")                                                                 \
    ALSO(D_072, "paging-transfer")                                                                 \
    ALSO(D_137, "paging-context")                                                                  \
    ALSO(D_138, "paging-context")                                                                  \
    ALSO(S4_029, "paging-fill")                                                                    \
    ALSO(S4_030, "paging-fill")                                                                    \
    ALSO(S4_044, "paging-aperture")                                                                \
    ALSO(S4_043, "paging-aperture")                                                                \
    ALSO(D_098, "paging-aperture")                                                                 \
    ALSO(D_007, "segments")                                                                        \
    ALSO(D_004, "segments")                                                                        \
    ALSO(D_097, "paging-aperture")                                                                 \
    ALSO(S1_009, "allocation-info")                                                                \
    ALSO(S4_007, "submission")                                                                     \
    ALSO(D_081, "submission")                                                                      \
    ALSO(D_334, "submission")                                                                      \
    ALSO(D_080, "submission")                                                                      \
    ALSO(D_082, "submission")                                                                      \
    ALSO(S4_006, "submission")                                                                     \
    ALSO(D_076, "submission")                                                                      \
    ALSO(D_313, "threading")                                                                       \
    ALSO(D_053, "create-destroy")                                                                  \
    ALSO(D_282, "adapter")                                                                         \
    ALSO(D_001, "segments")                                                                        \
    ALSO(D_013, "submission")                                                                      \
    ALSO(D_077, "submission")                                                                      \
    ALSO(S1_011, "allocation-info")                                                                \
    ALSO(D_085, "submission")                                                                      \
    ALSO(D_050, "create-destroy")                                                                  \
    ALSO(D_084, "submission")                                                                      \
    ALSO(D_078, "submission")                                                                      \
    ALSO(D_239, "tdr")                                                                             \
    ALSO(D_106, "paging-virtual")                                                                  \
    ALSO(D_107, "paging-virtual")                                                                  \
    ALSO(D_110, "paging-virtual")                                                                  \
    ALSO(D_114, "paging-pagetable")                                                                \
    ALSO(D_119, "paging-pagetable")                                                                \
    ALSO(D_120, "paging-pagetable")                                                                \
    ALSO(D_121, "paging-pagetable")                                                                \
    ALSO(D_123, "paging-pagetable")                                                                \
    ALSO(D_124, "paging-pagetable")                                                                \
    ALSO(D_127, "paging-pagetable")                                                                \
    ALSO(D_128, "paging-pagetable")                                                                \
    ALSO(D_130, "paging-pagetable")                                                                \
    ALSO(D_136, "paging-pagetable")                                                                \
    ALSO(D_259, "submission")                                                                      \
    ALSO(D_264, "paging-pagetable")                                                                \
    ALSO(D_266, "gpuva")                                                                           \
    ALSO(D_388, "gpuva")                                                                           \
    ALSO(D_389, "gpuva")                                                                           \
    ALSO(W_009, "paging-pagetable")                                                                \
    ALSO(W_012, "paging-pagetable")                                                                \
    ALSO(W_013, "paging-pagetable")                                                                \
    ALSO(W_016, "submission")                                                                      \
    ALSO(W_017, "submission")                                                                      \
    ALSO(D_142, "paging-residency-notify")                                                         \
    ALSO(D_176, "cpu-host-aperture")                                                               \
    ALSO(D_177, "cpu-host-aperture")                                                               \
    ALSO(W_020, "gpuva")                                                                           \
    ALSO(S3_023, "protected-vpr-drm")                                                              \
    ALSO(S1_018, "linked-adapter")                                                                 \
    ALSO(D_232, "protected-vpr-drm")                                                               \
    ALSO(D_233, "protected-vpr-drm")
/* Those that the manager never brings about, and why: NEVER(id, why). */
#define RULES_NEVER_BROUGHT_ABOUT(NEVER)                                                           \
    NEVER(D_102, "it maps a list of pages whole, so AdlOffset is 0")                               \
    NEVER(D_129, "it copies no entries of page tables (W-029)")

#define RULES_DECLARE(id, area) void shows_##id(void **state);
RULES_ALSO_SHOWN(RULES_DECLARE)

#endif
