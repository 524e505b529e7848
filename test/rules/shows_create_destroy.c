/* shows_create_destroy.c: create-destroy.def, obeyed. */
#include "rules_rig.h"

static NTSTATUS create_of(struct shown *shown, uint64_t size)
{
    struct rig_allocation allocation;

    return rig_create(&shown->rig, &allocation, size, 2, 1);
}

void shows_D_049(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    size_t at = 0, seen = 0;

    (void)state;
    shown_init(&shown, &options, NULL);
    rig_work(&shown.rig, 1, 40);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_ALLOCATION)) != SIZE_MAX; at++, seen++) {
        assert_int_equal(shown.calls[at].argument.create.Flags.Value, 0);
        assert_null(shown.calls[at].argument.create.hResource);
    }
    assert_true(seen > 5);
    shown_finish(&shown);
}

/* Each failure, injected where it comes from. */
static NTSTATUS answer;

static NTSTATUS create_answered(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    return answer != STATUS_SUCCESS ? answer : shown_bend.create(adapter, arguments);
}

static void bend_answer(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend.create = driver->DxgkDdiCreateAllocation;
    driver->DxgkDdiCreateAllocation = create_answered;
}

void shows_D_065(void **state)
{
    static const struct {
        NTSTATUS driver, program;
    } rows[] = {
        {STATUS_INVALID_PARAMETER, STATUS_INVALID_PARAMETER},
        {STATUS_NO_MEMORY, STATUS_NO_MEMORY},
        {STATUS_GRAPHICS_DRIVER_MISMATCH, STATUS_INVALID_PARAMETER},
        {STATUS_UNSUCCESSFUL, STATUS_INVALID_PARAMETER},
    };
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    answer = STATUS_SUCCESS;
    shown_init(&shown, &options, bend_answer);
    for (size_t index = 0; index < sizeof(rows) / sizeof(rows[0]); index++) {
        answer = rows[index].driver;
        assert_int_equal(create_of(&shown, 100), rows[index].program);
    }
    answer = STATUS_SUCCESS;
    assert_int_equal(create_of(&shown, 1 << 20), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(create_of(&shown, 100), STATUS_SUCCESS);
    shown_finish(&shown);
}
