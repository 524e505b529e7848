/* test_start_order.c: the calls by which an adapter at WDDM 2.x starts and stops, one by one. */
#include "test_start_rig.h"

/* The measured order begins with QueryChildRelations; the questions before StartDevice are a page's
 * (D-281). */
#define QUERIES_BEFORE                                                                             \
    "AddDevice\n"                                                                                  \
    "QueryAdapterInfo 34, in 0, out 8\n"                                                           \
    "QueryAdapterInfo 35, in 0, out 4\n"                                                           \
    "StartDevice\n"                                                                                \
    "QueryChildRelations\n"                                                                        \
    "QueryAdapterInfo 1, in 0, out 592\n"                                                          \
    "QueryAdapterInfo 15, in 4, out 32\n"                                                          \
    "QueryAdapterInfo 47, in 0, out 4\n"

#define QUERIES_BEHIND                                                                             \
    "GetNodeMetadata 0\n"                                                                          \
    "GetNodeMetadata 1\n"                                                                          \
    "QueryAdapterInfo 11, array of 0\n"                                                            \
    "QueryAdapterInfo 11, array of 2\n"                                                            \
    "QueryAdapterInfo 10, in 4, out 4\n"                                                           \
    "QueryAdapterInfo 16, in 0, out 4\n"

#define SYSTEM_VIRTUAL                                                                             \
    "CreateProcess flags 1, NumPasid 1\n"                                                          \
    "CreateDevice flags 1 x2\n"                                                                    \
    "CreateContext flags 5, node 0\n"

#define STOPS                                                                                      \
    "DestroyContext\n"                                                                             \
    "DestroyDevice x2\n"                                                                           \
    "DestroyProcess\n"                                                                             \
    "StopDevice\n"                                                                                 \
    "RemoveDevice\n"

static void a_gpu_with_page_tables_starts_in_the_measured_order(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script_starts();
    script_expect(QUERIES_BEFORE
                  "QueryAdapterInfo 13, in 4, out 24\n"
                  "QueryAdapterInfo 14 level 0, in 4, out 20\n"
                  "QueryAdapterInfo 14 level 1, in 4, out 20\n"
                  "QueryAdapterInfo 14 level 2, in 4, out 20\n"
                  "QueryAdapterInfo 14 level 3, in 4, out 20\n" QUERIES_BEHIND SYSTEM_VIRTUAL
                  "UpdatePageTable level 0, 0 + 512, Repeat, InitialUpdate\n"
                  "UpdatePageTable level 0, 0 + 512, Repeat, InitialUpdate, 4096 further x511\n"
                  "UpdatePageTable level 1, 0 + 512, Repeat, InitialUpdate\n"
                  "UpdatePageTable level 1, 0 + 512\n"
                  "UpdatePageTable level 2, 0 + 512, Repeat, InitialUpdate\n"
                  "UpdatePageTable level 2, 0 + 1\n"
                  "UpdatePageTable level 3, 0 + 512, Repeat, InitialUpdate\n"
                  "UpdatePageTable level 3, 0 + 1\n"
                  "SetRootPageTable segment 1, offset 0, 512 entries\n");
    script_stop();
    script_expect(STOPS);
    script_finish();
}

/* The GPU uses the CPU's page tables: there are none to describe, and none to write. */
static void a_gpu_with_the_tables_of_the_cpu_starts_in_order(void **state)
{
    (void)state;
    script_init(SCRIPT_IO_MMU);
    script_starts();
    script_expect(QUERIES_BEFORE QUERIES_BEHIND SYSTEM_VIRTUAL);
    script_stop();
    script_expect(STOPS);
    script_finish();
}

static void a_gpu_without_address_translation_starts_in_order(void **state)
{
    (void)state;
    script_init(SCRIPT_PHYSICAL);
    script_starts();
    script_expect(QUERIES_BEFORE QUERIES_BEHIND "CreateProcess flags 1, NumPasid 1\n"
                                                "CreateDevice flags 1 x2\n"
                                                "CreateContext flags 1, node 0\n");
    script_stop();
    script_expect(STOPS);
    script_finish();
}

/* Its paging buffers are mapped into their aperture as below 2.0. */
static void a_gpu_without_address_translation_maps_its_paging_buffers(void **state)
{
    (void)state;
    script_init(SCRIPT_PHYSICAL);
    script.paging_segment = 2;
    script_starts();
    assert_non_null(strstr(script_calls(), "CreateContext flags 1, node 0\n"
                                           "BuildPagingBuffer operation 5 x2\n"));
    script_stop();
    script_expect("BuildPagingBuffer operation 6 x2\n" STOPS);
    script_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_with_page_tables_starts_in_the_measured_order),
        cmocka_unit_test(a_gpu_with_the_tables_of_the_cpu_starts_in_order),
        cmocka_unit_test(a_gpu_without_address_translation_starts_in_order),
        cmocka_unit_test(a_gpu_without_address_translation_maps_its_paging_buffers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
