/* seen_flags_v2.c: flags-v2.def broken, and answered; and what other areas say of the word of WDDM
 * 2.0 and later. */
#include "flag_words.h"
#include "primary_flags.h"

#include <vidmm/lock.h>
#include <vidmm/lock2.h>

#include "vidmm/object/allocation.h"
#include "wddm/level.h"

#define AT_2_0 "wddm 2.0\n"

/* Helpers over memory of programs and the kernel are of this level too. */
static void newer(void)
{
    existing_gpu = AT_2_0;
}

static void older(void)
{
    existing_gpu = NULL;
}

/* The word may be refused for something else, but not by this rule. */
static void flags_spared(const char *rule, const char *gpu, uint32_t flags)
{
    struct shown shown;

    flags_described = flags;
    flags_begin(&shown, gpu, flags_describe, true);
    if (flags_create(&shown) != STATUS_SUCCESS && strstr(shown.rig.report.text, rule) != NULL)
        fail_msg("%s", shown.rig.report.text);
    assert_int_equal(shown_findings(&shown, rule), 0);
    shown_finish(&shown);
}

/* A word of the older layout is told, and let pass or refused: a strict adapter names one rule of
 * those that it breaks. */
static void older_word(const char *gpu, uint32_t flags)
{
    struct shown shown;

    flags_described = flags;
    flags_pass("S3-001", gpu, flags_describe, 1);
    flags_begin(&shown, gpu, flags_describe, true);
    shown_refused(&shown, flags_create(&shown), STATUS_INVALID_PARAMETER, "(S3-0");
    shown_finish(&shown);
}

void breaks_S3_001(void **state)
{
    (void)state;
    older_word(AT_2_0, CPU_VISIBLE | SYNCHRONOUS_PAGING);
    older_word(AT_2_0, CPU_VISIBLE | USE_ALTERNATE_VA);
    older_word("wddm 2.6\n", CPU_VISIBLE | LINK_INSTANCED);
    older_word("wddm 2.9\n", CPU_VISIBLE | LINK_MIRRORED | SYNCHRONOUS_PAGING);
}

/* Its own word, whole; and below 2.0 the other one. */
void keeps_S3_001(void **state)
{
    (void)state;
    flags_kept("S3-001", AT_2_0, CPU_VISIBLE | PERMANENT | FROM_END | ACCESSED_PHYSICALLY | 0x80);
    assert_false(flags_break(VIDMM_RULE_S3_001, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 9), 0,
                             ALL_NAMED & ~(uint32_t)UNNAMED_FROM_2_0));
    flags_kept("S3-001", "wddm 1.3\n", CPU_VISIBLE | SYNCHRONOUS_PAGING);
}

void breaks_S3_006(void **state)
{
    (void)state;
    flags_broken("S3-006", AT_2_0, PERMANENT);
    newer();
    primary_flags("S3-006", CPU_VISIBLE | PERMANENT, true);
    older();
}

void keeps_S3_006(void **state)
{
    (void)state;
    flags_kept("S3-006", AT_2_0, CPU_VISIBLE | PERMANENT);
    flags_spared("S3-006", "wddm 1.3\n", PERMANENT);
    newer();
    primary_flags("S3-006", CPU_VISIBLE | PERMANENT, false);
    older();
}

/* ---- Cached ---- */

void breaks_S3_010(void **state)
{
    (void)state;
    flags_broken("S3-010", AT_2_0, CACHED);
    newer();
    primary_flags("S3-010", CPU_VISIBLE | CACHED, true);
    older();
}

/* The caching type of the backing store of an allocation with these flags. */
static enum vidmm_caching caching_of(uint32_t flags)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation;
    enum vidmm_caching caching;
    struct shown shown;

    options.gpu = AT_2_0;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, &allocation, VIDMM_PAGE_SIZE, 1, flags),
                     STATUS_SUCCESS);
    caching = allocation.handle->backing.caching;
    shown_finish(&shown);
    return caching;
}

void keeps_S3_010(void **state)
{
    (void)state;
    flags_kept("S3-010", AT_2_0, CPU_VISIBLE | CACHED);
    newer();
    primary_flags("S3-010", CPU_VISIBLE | CACHED, false);
    older();
    assert_int_equal(caching_of(CPU_VISIBLE), VIDMM_WRITE_COMBINED); /* by default */
    assert_int_equal(caching_of(CPU_VISIBLE | CACHED), VIDMM_CACHED);
}

/* Existing memory whose caching type is another than the flag says. */
void breaks_S3_012(void **state)
{
    (void)state;
    newer();
    assert_int_equal(kernel_flags("S3-012", CPU_VISIBLE | CACHED | EXISTING_KERNEL,
                                  VIDMM_WRITE_COMBINED, false, false),
                     1);
    kernel_flags("S3-012", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_WRITE_COMBINED, false,
                 true);
    assert_int_equal(kernel_apart("S3-012", CPU_VISIBLE | EXISTING_KERNEL, VIDMM_CACHED), 1);
    older();
}

void keeps_S3_012(void **state)
{
    (void)state;
    newer();
    for (unsigned apart = 0; apart < 2; apart++) {
        uint64_t (*told)(const char *, uint32_t, enum vidmm_caching) =
            apart ? kernel_apart : kernel_told;

        assert_int_equal(told("S3-012", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_CACHED), 0);
        assert_int_equal(told("S3-012", CPU_VISIBLE | EXISTING_KERNEL, VIDMM_WRITE_COMBINED), 0);
    }
    /* A machine whose caches hide nothing loses nothing. */
    assert_int_equal(kernel_told("S3-012", CPU_VISIBLE | EXISTING_KERNEL, VIDMM_CACHED), 0);
    older();
}

/* ---- Protected ---- */

void breaks_S3_014(void **state)
{
    (void)state;
    flags_broken("S3-014", AT_2_0, CPU_VISIBLE | PROTECTED | PERMANENT);
    for (uint32_t other = PERMANENT; other <= EXISTING_KERNEL; other <<= 1)
        assert_true(flags_break(VIDMM_RULE_S3_014, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                                CPU_VISIBLE | PROTECTED | other) ==
                    (other != CACHED && other != PROTECTED));
    newer();
    primary_flags("S3-014", CPU_VISIBLE | PROTECTED, true);
    older();
}

/* ... and in kernel memory: no program has an address of it. */
void keeps_S3_014(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation;
    struct shown shown;
    void *data = NULL;

    (void)state;
    flags_kept("S3-014", AT_2_0, CPU_VISIBLE | PROTECTED | CACHED);
    newer();
    primary_flags("S3-014", CPU_VISIBLE | PROTECTED, false);
    older();
    options.gpu = AT_2_0;
    shown_init(&shown, &options, NULL);
    for (uint32_t set = 1; set <= 3; set++) {
        assert_int_equal(
            rig_create(&shown.rig, &allocation, VIDMM_PAGE_SIZE, set, CPU_VISIBLE | PROTECTED),
            STATUS_SUCCESS);
        assert_int_not_equal(vidmm_lock(allocation.handle, 0, &data, NULL), STATUS_SUCCESS);
        assert_null(data);
    }
    shown_finish(&shown);
}

/* ---- existing memory ---- */

/* Ranges that do not begin or end at a page, or are not there. */
void breaks_S3_015(void **state)
{
    struct existing existing;

    (void)state;
    newer();
    existing_flags("S3-015", CPU_VISIBLE | PERMANENT | EXISTING, false);
    for (uint32_t other = PERMANENT; other <= EXISTING_KERNEL; other <<= 1)
        assert_true(flags_break(VIDMM_RULE_S3_015, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                                CPU_VISIBLE | EXISTING | other) ==
                    (other != CACHED && other != EXISTING));
    existing_take(&existing, 3);
    primary_over("S3-015", &existing, CPU_VISIBLE | EXISTING, true);
    existing_refused(&existing, 16, VIDMM_PAGE_SIZE, CPU_VISIBLE | EXISTING, "S0-031");
    existing.size -= 16;
    existing_refused(&existing, 0, VIDMM_PAGE_SIZE, CPU_VISIBLE | EXISTING, "S0-031");
    existing.size += 16;
    existing_give_back(&existing);
    existing = (struct existing){(char *)VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE}; /* nothing is there */
    existing_refused(&existing, 0, VIDMM_PAGE_SIZE, CPU_VISIBLE | EXISTING, "S0-030");
    older();
}

void keeps_S3_015(void **state)
{
    struct existing existing;

    (void)state;
    newer();
    existing_flags("S3-015", CPU_VISIBLE | CACHED | EXISTING, true);
    existing_take(&existing, 3);
    primary_over("S3-015", &existing, CPU_VISIBLE | EXISTING, false);
    existing_accepted(&existing, 3 * VIDMM_PAGE_SIZE, CPU_VISIBLE | EXISTING);
    existing_give_back(&existing);
    older();
}

void breaks_S3_016(void **state)
{
    (void)state;
    newer();
    assert_int_equal(kernel_flags("S3-016", CPU_VISIBLE | PERMANENT | CACHED | EXISTING_KERNEL,
                                  VIDMM_CACHED, false, false),
                     1);
    kernel_flags("S3-016", CPU_VISIBLE | PERMANENT | CACHED | EXISTING_KERNEL, VIDMM_CACHED, false,
                 true);
    for (uint32_t other = PERMANENT; other <= EXISTING_KERNEL; other <<= 1)
        assert_true(flags_break(VIDMM_RULE_S3_016, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                                CPU_VISIBLE | EXISTING_KERNEL | other) ==
                    (other != CACHED && other != EXISTING_KERNEL));
    assert_int_equal(
        kernel_flags("S3-016", CPU_VISIBLE | EXISTING_KERNEL, VIDMM_CACHED, true, false), 1);
    kernel_range(16, 0, "S0-036");
    kernel_range(0, 16, "S0-036");
    existing_flags("S0-036", CPU_VISIBLE | CACHED | EXISTING_KERNEL, false); /* a program's */
    older();
}

void keeps_S3_016(void **state)
{
    (void)state;
    newer();
    assert_int_equal(
        kernel_flags("S3-016", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_CACHED, false, false),
        0);
    assert_int_equal(kernel_flags("S3-016", CPU_VISIBLE, VIDMM_CACHED, true, false), 0);
    older();
}

/* ---- bits with a name at some levels, or without one ---- */

void breaks_S3_024(void **state)
{
    (void)state;
    flags_broken("S3-024", AT_2_0, CPU_VISIBLE | CREATE_IN_VPR);
}

void keeps_S3_024(void **state)
{
    (void)state;
    flags_spared("S3-024", "wddm 2.1\n", CPU_VISIBLE | CREATE_IN_VPR);
    flags_kept("S3-024", AT_2_0, CPU_VISIBLE);
}

void breaks_S3_025(void **state)
{
    (void)state;
    flags_broken("S3-025", AT_2_0, CPU_VISIBLE | SYNCHRONOUS_PAGING);
    flags_broken("S3-025", "wddm 2.9\n", CPU_VISIBLE | SYNCHRONOUS_PAGING);
}

void keeps_S3_025(void **state)
{
    (void)state;
    flags_kept("S3-025", "wddm 1.3\n", CPU_VISIBLE | SYNCHRONOUS_PAGING);
    flags_spared("S3-025", AT_2_0, CPU_VISIBLE | LINK_MIRRORED);
}

void breaks_S3_026(void **state)
{
    (void)state;
    flags_broken("S3-026", AT_2_0, CPU_VISIBLE | LINK_MIRRORED);
    flags_broken("S3-026", "wddm 2.9\n", CPU_VISIBLE | LINK_MIRRORED);
}

void keeps_S3_026(void **state)
{
    (void)state;
    flags_kept("S3-026", "wddm 1.3\n", CPU_VISIBLE | LINK_MIRRORED);
    flags_spared("S3-026", AT_2_0, CPU_VISIBLE | SYNCHRONOUS_PAGING);
}

void breaks_S3_029(void **state)
{
    (void)state;
    flags_broken("S3-029", AT_2_0, CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE);
    flags_broken("S3-029", "wddm 2.8\n", CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE);
}

void keeps_S3_029(void **state)
{
    (void)state;
    flags_spared("S3-029", "wddm 2.9\n", CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE);
    flags_kept("S3-029", "wddm 2.8\n", CPU_VISIBLE);
}

void breaks_S3_036(void **state)
{
    (void)state;
    flags_broken("S3-036", AT_2_0, CPU_VISIBLE | 1u << 31);
    flags_broken("S3-036", "wddm 2.9\n", CPU_VISIBLE | 1u << 19);
    for (unsigned bit = 0; bit < 32; bit++)
        assert_true(flags_break(VIDMM_RULE_S3_036, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(3, 2), 0,
                                1u << bit) == (bit >= 19));
}

void keeps_S3_036(void **state)
{
    (void)state;
    flags_kept("S3-036", AT_2_0, CPU_VISIBLE | 1u << 18);
}

/* ---- HistoryBuffer ---- */

static const char coherent_2_0[] = AT_2_0 "segment 1 aperture 1M cachecoherent\n"
                                          "segment 2 memory 256K cpuvisible\n";

void breaks_S3_030(void **state)
{
    (void)state;
    flags_broken("S3-030", AT_2_0, HISTORY_BUFFER);
    flags_broken("S3-030", AT_2_0, CPU_VISIBLE | HISTORY_BUFFER | FROM_END);
    flags_broken("S3-030", AT_2_0, CPU_VISIBLE | HISTORY_BUFFER | CACHED); /* for nothing */
    flags_broken("S3-030", coherent_2_0, CPU_VISIBLE | HISTORY_BUFFER);
    for (unsigned bit = 1; bit < 32; bit++)
        if (bit != 2 && bit != 14)
            assert_true(flags_break(VIDMM_RULE_S3_030, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0),
                                    VIDMM_IS_COHERENT,
                                    CPU_VISIBLE | CACHED | HISTORY_BUFFER | 1u << bit));
}

void keeps_S3_030(void **state)
{
    (void)state;
    flags_kept("S3-030", AT_2_0, CPU_VISIBLE | HISTORY_BUFFER);
    flags_kept("S3-030", coherent_2_0, CPU_VISIBLE | CACHED | HISTORY_BUFFER);
}

/* ---- MapApertureCpuVisible ---- */

static unsigned destroyed;
static DXGKDDI_DESTROYALLOCATION *destroy;

static NTSTATUS count_destroyed(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    destroyed += arguments->NumAllocations;
    return destroy(adapter, arguments);
}

static void bend_creation_and_count(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_creation(driver);
    destroy = driver->DxgkDdiDestroyAllocation;
    driver->DxgkDdiDestroyAllocation = count_destroyed;
    destroyed = 0;
}

/* The creation fails, and what the driver had made goes. */
static void without_cap(const char *rule)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    options.gpu = "wddm 2.9\n";
    flags_described = CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE;
    shown_bend.change = flags_describe;
    shown_init(&shown, &options, bend_creation_and_count);
    shown_refused(&shown, flags_create(&shown), STATUS_INVALID_PARAMETER, rule);
    assert_int_equal(destroyed, 1);
    flags_described = CPU_VISIBLE;
    assert_int_equal(flags_create(&shown), STATUS_SUCCESS);
    shown_finish(&shown);
}

void breaks_S3_027(void **state)
{
    (void)state;
    without_cap("S3-027");
}

void shows_S3_028(void **state)
{
    (void)state;
    without_cap("S3-028");
    flags_spared("S3-028", "wddm 2.9\nmap_aperture2 on\n", CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE);
}

void keeps_S3_027(void **state)
{
    (void)state;
    flags_spared("S3-027", "wddm 2.9\nmap_aperture2 on\n", CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE);
    flags_kept("S3-027", "wddm 2.9\n", CPU_VISIBLE);
}

/* ---- Cached, and what it is locked for ------------------------------------------------------- */

/* Lock an allocation so often with these flags, and once more: by Lock2 or by other flags, or not
 * at all. Destroy it, and answer how often S3-013 was found broken. */
static uint64_t gone_after(uint32_t described, uint32_t locks, uint32_t flags, bool once_more,
                           bool by_lock2, uint32_t other)
{
    struct rig_allocation *one;
    struct shown shown;
    uint64_t findings;
    void *data;

    shown_init_gpu(&shown, "wddm 2.0\n", NULL);
    one = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, one, VIDMM_PAGE_SIZE, 1, described), STATUS_SUCCESS);
    for (uint32_t i = 0; i < locks; i++) {
        assert_int_equal(vidmm_lock(one->handle, flags, &data, NULL), STATUS_SUCCESS);
        assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    }
    if (once_more && by_lock2) { /* has no modes: it may have read */
        assert_int_equal(vidmm_lock2(one->handle, 0, &data, NULL), STATUS_SUCCESS);
        assert_int_equal(vidmm_unlock2(one->handle, NULL), STATUS_SUCCESS);
    } else if (once_more) {
        assert_int_equal(vidmm_lock(one->handle, other, &data, NULL), STATUS_SUCCESS);
        assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    }
    assert_int_equal(shown_findings(&shown, "S3-013"), 0); /* who knows what is still to come */
    vidmm_allocation_destroy(one->handle);
    one->handle = NULL;
    shown_settle(&shown);
    findings = shown_findings(&shown, "S3-013");
    assert_int_equal(shown_findings(&shown, "S0-023"), 0);
    shown_finish(&shown);
    return findings;
}

enum { USED_CACHED = 0x8005, USED_PLAIN = 0x8001, USED_ENOUGH = 8 };

void breaks_S3_013(void **state)
{
    (void)state;
    assert_int_equal(gone_after(USED_CACHED, USED_ENOUGH, VIDMM_LOCK_ENTIRE | VIDMM_LOCK_WRITE_ONLY,
                                false, false, 0),
                     1);
    assert_int_equal(gone_after(USED_CACHED, USED_ENOUGH, VIDMM_LOCK_ENTIRE | VIDMM_LOCK_WRITE_ONLY,
                                true, false, VIDMM_LOCK_ENTIRE | VIDMM_LOCK_WRITE_ONLY),
                     1);
}

/* Read back once; not Cached; too few locks to tell; never locked. */
void keeps_S3_013(void **state)
{
    const uint32_t writes = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_WRITE_ONLY;

    (void)state;
    assert_int_equal(gone_after(USED_CACHED, 9, writes, true, false, VIDMM_LOCK_ENTIRE), 0);
    assert_int_equal(
        gone_after(USED_CACHED, 9, writes, true, false, VIDMM_LOCK_ENTIRE | VIDMM_LOCK_READ_ONLY),
        0);
    assert_int_equal(gone_after(USED_CACHED, 9, writes, true, true, 0), 0);
    assert_int_equal(gone_after(USED_CACHED, 9, VIDMM_LOCK_ENTIRE, false, false, 0), 0);
    assert_int_equal(gone_after(USED_PLAIN, 9, writes, false, false, 0), 0);
    assert_int_equal(gone_after(USED_CACHED, USED_ENOUGH - 1, writes, false, false, 0), 0);
    assert_int_equal(gone_after(USED_CACHED, 0, 0, false, false, 0), 0);
}
