/*
 * test_memory.c: each allocation of memory that the tap makes fails once.
 *
 * The linker puts the functions below in the place of malloc, calloc and realloc, for the tap and
 * for nothing else here: the rig takes its memory elsewhere. If one of them fails, the calls go
 * through as if nothing had happened; the tap says that it did not judge all of them, breaks
 * nothing and gives everything back.
 */
#include "rig.h"

static size_t made, fail_at; /* of the tap's allocations */
static size_t live;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

/* Memory that the rig takes and gives back outside of a run is not counted, nor memory that a
 * program takes as it ends. */
static bool counting;

static bool refused(void)
{
    return counting && ++made == fail_at;
}

void *__wrap_malloc(size_t size)
{
    if (refused())
        return NULL;
    live += counting;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (refused())
        return NULL;
    live += counting;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    if (refused())
        return NULL;
    live += counting && block == NULL;
    return __real_realloc(block, size);
}

void __wrap_free(void *block)
{
    live -= counting && block != NULL;
    __real_free(block);
}

static void swallow(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
}

/* Something of everything; every answer is what the miniport gave. */
static void work(struct rig *rig)
{
    struct rig_allocation *allocations[20];
    UINT both = RIG_SET(RIG_MEMORY) | RIG_SET(RIG_APERTURE);
    DXGKARG_BUILDPAGINGBUFFER asked;

    for (uint64_t i = 0; i < 20; i++) {
        allocations[i] = rig_allocate(rig, 0x10000, both, both, both);
        assert_int_equal(
            rig_build(rig, rig_fill(allocations[i], RIG_MEMORY, RIG_MEMORY_BASE + i * 0x10000)),
            STATUS_SUCCESS);
    }
    rig_page(rig);
    for (uint64_t i = 0; i < 12; i++)
        rig_render(rig, allocations[i], RIG_MEMORY, RIG_MEMORY_BASE + i * 0x10000);
    rig_complete(rig, RIG_RENDER_NODE, rig->fence);
    rig_build(rig, rig_transfer_in(allocations[5], RIG_MEMORY, 0)); /* a breach, to be kept */
    rig_map_in(rig, allocations[7], 16);
    asked = rig_unmap(rig, allocations[7], 20);
    asked.UnmapApertureSegment.NumberOfPages = 4; /* from the middle */
    rig_build(rig, asked);
    asked = rig_transfer_out(allocations[0], RIG_MEMORY, RIG_MEMORY_BASE);
    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 100, 9);
    assert_int_equal(rig_build(rig, asked), STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    rig_page(rig);
    asked.MultipassOffset = 9;
    assert_int_equal(rig_build(rig, asked), STATUS_SUCCESS);
    rig_page(rig);
    rig_close(rig, allocations[3]);
    rig_destroy(rig, allocations[3]);
}

/* False: there was nothing to fail any more. */
static bool run(size_t n)
{
    struct vidmm_tap_config config = {.log = swallow, .list_limit = 200};
    struct rig rig;
    bool failed;

    made = live = 0;
    fail_at = n;
    counting = true;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config);
    work(&rig);
    failed = made >= n;
    if (!failed)
        assert_true(vidmm_tap_complete(rig.tap));
    if (vidmm_tap_complete(rig.tap)) /* a line of the log may be cut short, and nothing else */
        assert_int_equal(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_007), 1);
    vidmm_tap_report(rig.tap, VIDMM_REPORT_TEXT, swallow, NULL);
    rig.driver->DxgkDdiStopDevice(rig.adapter);
    rig.driver->DxgkDdiRemoveDevice(rig.adapter);
    vidmm_tap_destroy(rig.tap);
    counting = false;
    assert_int_equal(live, 0);
    rig.tap = NULL;
    rig_forget(&rig);
    return failed;
}

static void each_allocation_fails_once_and_the_calls_go_on(void **state)
{
    DRIVER_INITIALIZATION_DATA driver = {.Version = DXGKDDI_INTERFACE_VERSION_WDDM1_3};
    size_t n = 2;

    (void)state;
    made = 0;
    fail_at = 1;
    counting = true;
    assert_null(vidmm_tap_create(NULL, &driver)); /* the first one is the tap itself */
    counting = false;
    while (run(n))
        n++;
    assert_true(n > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_fails_once_and_the_calls_go_on),
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
