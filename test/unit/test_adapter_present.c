/* test_adapter_present.c: copies between surfaces, pixel by pixel; the refusals; a driver that can
 * do nothing but present. */
#include "test_adapter_rig.h"

#include <vidmm/present.h>
#include <vidmm/resource.h>

enum { WIDTH = 256, HEIGHT = 32, PIXELS = WIDTH * HEIGHT };

struct surface {
    struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;
};

static struct rig rig;
static struct surface shadow, primary;

static struct surface surface_of(D3DKMDT_STANDARDALLOCATION_TYPE type, D3DDDIFORMAT format)
{
    const struct vidmm_standard wish = {
        .type = type, .width = WIDTH, .height = HEIGHT, .format = format};
    struct surface surface;
    uint32_t pitch;
    NTSTATUS status = vidmm_standard_create(rig.device, &wish, &surface.resource,
                                            &surface.allocation, &pitch, &rig.report);

    if (status != STATUS_SUCCESS)
        fail_msg("a surface: 0x%08x: %s", (unsigned)status, rig.report.text);
    return surface;
}

static void begin(const char *gpu, bool renders)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    rig_build(&rig, &options);
    if (!renders)
        rig.driver.DxgkDdiRender = NULL;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    shadow = surface_of(D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, D3DDDIFMT_X8R8G8B8);
    primary = surface_of(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, D3DDDIFMT_X8R8G8B8);
}

static void finish(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

/* Pixel i of the surface is first + i. */
static void draw(const struct surface *surface, uint32_t first)
{
    void *data;

    assert_int_equal(vidmm_lock(surface->allocation, 0, &data, NULL), STATUS_SUCCESS);
    for (uint32_t i = 0; i < PIXELS; i++)
        ((uint32_t *)data)[i] = first + i;
    assert_int_equal(vidmm_unlock(surface->allocation), STATUS_SUCCESS);
}

static void read(const struct surface *surface, uint32_t pixels[PIXELS])
{
    void *data;

    assert_int_equal(vidmm_lock(surface->allocation, 0, &data, NULL), STATUS_SUCCESS);
    memcpy(pixels, data, PIXELS * sizeof(*pixels));
    assert_int_equal(vidmm_unlock(surface->allocation), STATUS_SUCCESS);
}

static struct vidmm_present copy_of(RECT source, RECT destination)
{
    return (struct vidmm_present){.source = shadow.allocation,
                                  .destination = primary.allocation,
                                  .source_rect = source,
                                  .destination_rect = destination};
}

static NTSTATUS present(const struct vidmm_present *copy)
{
    rig.report.text[0] = 0;
    return vidmm_present(rig.context, copy, true, &rig.value, &rig.report);
}

static bool is_in(const RECT *rect, LONG x, LONG y)
{
    return x >= rect->left && x < rect->right && y >= rect->top && y < rect->bottom;
}

/* Compare the picture on the screen with the one that must be there. */
static void assert_screen(const struct vidmm_present *copy, uint32_t drawn, uint32_t before)
{
    static uint32_t screen[PIXELS], behind[PIXELS];
    LONG right = copy->source_rect.left - copy->destination_rect.left;
    LONG down = copy->source_rect.top - copy->destination_rect.top;

    read(&primary, screen);
    read(&shadow, behind);
    for (LONG y = 0; y < HEIGHT; y++)
        for (LONG x = 0; x < WIDTH; x++) {
            uint32_t at = (uint32_t)(y * WIDTH + x), expected = before + at;

            for (uint32_t i = 0; i < copy->sub_rect_count; i++)
                if (is_in(&copy->sub_rects[i], x, y))
                    expected = drawn + (uint32_t)((y + down) * WIDTH + x + right);
            if (screen[at] != expected)
                fail_msg("pixel %d, %d is 0x%x, not 0x%x", (int)x, (int)y, screen[at], expected);
            assert_int_equal(behind[at], drawn + at);
        }
}

static void only_the_sub_rectangles_are_written(void **state)
{
    static const RECT subs[] = {{20, 3, 21, 4}, {30, 5, 130, 9}, {219, 22, 220, 23}};
    struct vidmm_present copy;

    (void)state;
    begin(NULL, true);
    copy = copy_of((RECT){5, 1, 205, 21}, (RECT){20, 3, 220, 23});
    draw(&shadow, 0x1000000);
    draw(&primary, 0x2000000);
    copy.sub_rects = subs;
    copy.sub_rect_count = 3;
    assert_int_equal(present(&copy), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    assert_screen(&copy, 0x1000000, 0x2000000);
    finish();
}

/* 4 KiB of DMA buffer hold some fifty rectangles. */
static void what_does_not_fit_goes_on_in_the_next_dma_buffer(void **state)
{
    static RECT subs[PIXELS / 16];
    struct vidmm_present copy;

    (void)state;
    begin(NULL, true);
    copy = copy_of((RECT){0, 0, WIDTH, HEIGHT}, (RECT){0, 0, WIDTH, HEIGHT});
    draw(&shadow, 7);
    draw(&primary, 0x5000000);
    for (uint32_t i = 0; i < PIXELS / 16; i += 2) {
        LONG x = (LONG)(i * 16 % WIDTH), y = (LONG)(i * 16 / WIDTH);

        subs[copy.sub_rect_count++] = (RECT){x, y, x + 16, y + 1};
    }
    copy.sub_rects = subs;
    assert_int_equal(present(&copy), STATUS_SUCCESS);
    assert_true(rig.value >= 4);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    assert_screen(&copy, 7, 0x5000000);
    finish();
}

/* Other allocations push the surfaces' contents about between the presents. */
static void surfaces_are_paged_like_all_else(void **state)
{
    static const RECT all = {0, 0, WIDTH, HEIGHT};
    static const char *const gpus[] = {
        "multi_engine off\n",
        "segment 1 aperture 256K\nsegment 2 memory 128K cpuvisible\n",
        "segment 1 aperture 1M\nsegment 2 memory 256K pitchaligned\n",
        "wddm 1.0\n",
        "dma_buffer_segment 1\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
        struct vidmm_present copy;

        begin(gpus[i], true);
        copy = copy_of(all, all);
        copy.sub_rects = &all;
        copy.sub_rect_count = 1;
        for (uint32_t round = 1; round < 6; round++) {
            draw(&shadow, round << 24);
            assert_int_equal(present(&copy), STATUS_SUCCESS);
            for (uint32_t j = 0; j < 3; j++) {
                struct rig_allocation big, *list[] = {&big};

                assert_int_equal(rig_create(&rig, &big, 14 * VIDMM_PAGE_SIZE, 2, 1),
                                 STATUS_SUCCESS);
                assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
                vidmm_allocation_destroy(big.handle);
            }
            assert_screen(&copy, round << 24, 0);
        }
        finish();
    }
}

static void a_driver_that_only_presents_does_that(void **state)
{
    static const RECT all = {0, 0, WIDTH, HEIGHT};
    struct vidmm_present copy;
    uint64_t value;

    (void)state;
    begin(NULL, false);
    copy = copy_of(all, all);
    assert_int_equal(vidmm_render(rig.context, NULL, 0, NULL, 0, true, &value, &rig.report),
                     STATUS_NOT_SUPPORTED);
    assert_non_null(strstr(rig.report.text, "DxgkDdiRender"));
    draw(&shadow, 99);
    assert_int_equal(present(&copy), STATUS_SUCCESS); /* no sub-rectangles: all of it */
    copy.sub_rects = &all;
    copy.sub_rect_count = 1;
    assert_screen(&copy, 99, 0);
    finish();
}

static void assert_refused(const struct vidmm_present *copy, NTSTATUS expected, const char *word)
{
    uint64_t value = rig.value;

    assert_int_equal(present(copy), expected);
    if (strstr(rig.report.text, word) == NULL)
        fail_msg("\"%s\" does not name %s", rig.report.text, word);
    assert_int_equal(rig.value, value);
}

static void what_is_no_copy_is_refused(void **state)
{
    static const RECT all = {0, 0, WIDTH, HEIGHT}, outside = {0, 0, WIDTH + 1, HEIGHT};
    static const RECT wrong[] = {
        {-1, 0, 5, 5}, {0, -7, 5, 5}, {5, 0, 5, 5}, {0, 9, 5, 2}, {INT32_MIN, 0, INT32_MAX, 1}};
    struct vidmm_present copy;

    (void)state;
    begin(NULL, true);
    copy = copy_of(all, all);
    copy.source = NULL;
    assert_refused(&copy, STATUS_INVALID_PARAMETER, "source or destination");
    copy.source = copy.destination;
    assert_refused(&copy, STATUS_INVALID_PARAMETER, "same memory");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        copy = copy_of(wrong[i], all);
        assert_refused(&copy, STATUS_INVALID_PARAMETER, "source_rect");
        copy = copy_of(all, wrong[i]);
        assert_refused(&copy, STATUS_INVALID_PARAMETER, "destination_rect");
        copy = copy_of(all, all);
        copy.sub_rects = &wrong[i];
        copy.sub_rect_count = 1;
        assert_refused(&copy, STATUS_INVALID_PARAMETER, "sub_rect");
    }
    copy = copy_of((RECT){0, 0, 5, 5}, (RECT){0, 0, 5, 6});
    assert_refused(&copy, STATUS_INVALID_PARAMETER, "stretched");
    copy = copy_of(all, all);
    copy.sub_rects = &outside;
    copy.sub_rect_count = 1;
    assert_refused(&copy, STATUS_INVALID_PARAMETER, "sub_rect");
    finish();
}

/* The manager does not know how large a surface is; the driver does. */
static void what_the_driver_refuses_is_not_queued(void **state)
{
    static const RECT all = {0, 0, WIDTH, HEIGHT}, more = {0, 0, WIDTH, HEIGHT + 1};
    struct vidmm_present copy;
    struct surface narrow;

    (void)state;
    begin(NULL, true);
    narrow = surface_of(D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, D3DDDIFMT_R5G6B5);
    copy = copy_of(all, all);
    copy.source = narrow.allocation;
    assert_refused(&copy, STATUS_GRAPHICS_CANNOTCOLORCONVERT, "DxgkDdiPresent");
    copy = copy_of(more, more);
    assert_refused(&copy, STATUS_INVALID_PARAMETER, "DxgkDdiPresent");
    rig.driver_refusals = 1;
    copy = copy_of(all, all);
    assert_int_equal(present(&copy), STATUS_SUCCESS);
    rig.driver.DxgkDdiPresent = NULL;
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_sub_rectangles_are_written),
        cmocka_unit_test(what_does_not_fit_goes_on_in_the_next_dma_buffer),
        cmocka_unit_test(surfaces_are_paged_like_all_else),
        cmocka_unit_test(a_driver_that_only_presents_does_that),
        cmocka_unit_test(what_is_no_copy_is_refused),
        cmocka_unit_test(what_the_driver_refuses_is_not_queued),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
