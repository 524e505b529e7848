/* seen_renaming.c: renaming.def, broken once and kept once. */
#include "lock_with.h"
#include "present.h"
#include "rename.h"

void breaks_D_173(void **state)
{
    struct vidmm_report report = {{0}};

    (void)state;
    assert_int_equal(lock_with(VIDMM_LOCK_NO_EXISTING_REFERENCE, &report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(report.text, "D-173"));
}

void keeps_D_173(void **state)
{
    struct vidmm_report report = {{0}};

    (void)state;
    assert_int_equal(lock_with(VIDMM_LOCK_NO_EXISTING_REFERENCE | VIDMM_LOCK_DISCARD, &report),
                     STATUS_SUCCESS);
}

/* A blt of what is no surface: the driver refuses it, if it hears of it. */
static NTSTATUS present_from(struct shown *shown, struct vidmm_allocation *source)
{
    static const RECT one = {0, 0, 1, 1};
    const struct vidmm_standard wish = {.type = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE,
                                        .width = 64,
                                        .height = 8,
                                        .format = D3DDDIFMT_X8R8G8B8};
    struct vidmm_allocation *destination;
    struct vidmm_resource *resource;
    struct rig *rig = &shown->rig;
    NTSTATUS status;
    uint32_t pitch;

    assert_int_equal(
        vidmm_standard_create(rig->device, &wish, &resource, &destination, &pitch, &rig->report),
        STATUS_SUCCESS);
    const struct vidmm_present copy = {
        .source = source, .destination = destination, .source_rect = one, .destination_rect = one};
    status = vidmm_present(rig->context, &copy, true, &rig->value, &rig->report);
    vidmm_resource_destroy(resource);
    return status;
}

/* The older of two, after the newer. */
void breaks_D_172(void **state)
{
    struct rig_allocation versions[VERSIONS], *list[2] = {&versions[1], &versions[0]};
    struct shown shown;
    size_t from;
    void *data;

    (void)state;
    rename_begin(&shown, versions, 1);
    rename_use(&shown, versions);
    assert_int_equal(rename_discard(&shown.rig, &versions[0], &versions[1], 0), STATUS_SUCCESS);
    from = shown.call_count;
    /* in one list of patch locations: the driver has seen it, nothing is queued */
    shown_refused(&shown, rig_render(&shown.rig, list, 2, 0), STATUS_INVALID_PARAMETER, "D-172");
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_RENDER), 1);
    rename_use(&shown, &versions[0]);
    rename_use(&shown, &versions[1]);
    from = shown.call_count;
    /* in a later one: not even the driver */
    shown_refused(&shown, rig_render(&shown.rig, &list[1], 1, 0), STATUS_INVALID_PARAMETER,
                  "D-172");
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_RENDER), 0);
    assert_int_equal(vidmm_lock(versions[0].handle, 0, &data, NULL), STATUS_INVALID_PARAMETER);
    from = shown.call_count;
    shown_refused(&shown, present_from(&shown, versions[0].handle), STATUS_INVALID_PARAMETER,
                  "D-172");
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_PRESENT), 0);
    rename_end(&shown, versions);
}

void keeps_D_172(void **state)
{
    struct rig_allocation versions[VERSIONS], *list[2] = {&versions[0], &versions[1]};
    struct shown shown;

    (void)state;
    rename_begin(&shown, versions, 1);
    rename_use(&shown, versions);
    assert_int_equal(rename_discard(&shown.rig, &versions[0], &versions[1], 0), STATUS_SUCCESS);
    rename_use(&shown, &versions[0]);
    assert_int_equal(rig_render(&shown.rig, list, 2, 0), STATUS_SUCCESS);
    rename_use(&shown, &versions[1]);
    shown_present(&shown);
    rename_end(&shown, versions);
}
