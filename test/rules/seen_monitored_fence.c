/* seen_monitored_fence.c: monitored-fence.def broken by programs, and answered. */
#include "unit/test_fence_rig.h"

#include "rules.h"

static NTSTATUS ask_for(uint32_t flags)
{
    struct vidmm_fence *fence;

    return vidmm_fence_create(one.device, 0, flags, &fence, &fence_rig.report);
}

static void is_refused(NTSTATUS status, NTSTATUS expected)
{
    assert_int_equal(status, expected);
    if (strstr(fence_rig.report.text, "D-191") == NULL)
        fail_msg("\"%s\" lacks the rule", fence_rig.report.text);
    fence_rig.report.text[0] = '\0';
}

void breaks_D_191(void **state)
{
    struct vidmm_report *report = &fence_rig.report;
    struct vidmm_fence_point unsignaled, unwaited;

    (void)state;
    fence_start("");
    is_refused(ask_for(VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT), STATUS_INVALID_PARAMETER);
    is_refused(ask_for(VIDMM_FENCE_NT_SECURITY_SHARING), STATUS_INVALID_PARAMETER);
    unsignaled = (struct vidmm_fence_point){fence_make(one.device, 0, VIDMM_FENCE_NO_SIGNAL), 1};
    unwaited = (struct vidmm_fence_point){fence_make(one.device, 0, VIDMM_FENCE_NO_WAIT), 1};
    is_refused(vidmm_context_signal_fences(one.contexts[0], &unsignaled, 1, report),
               STATUS_ACCESS_DENIED);
    is_refused(vidmm_context_wait_for_fences(one.contexts[0], &unwaited, 1, report),
               STATUS_ACCESS_DENIED);
    is_refused(vidmm_fence_signal(one.device, &unsignaled, 1, report), STATUS_ACCESS_DENIED);
    is_refused(vidmm_fence_wait(one.device, &unwaited, 1, false, report), STATUS_ACCESS_DENIED);
    assert_int_equal(vidmm_fence_value(unsignaled.fence), 0);
    fence_finish();
}

void keeps_D_191(void **state)
{
    struct vidmm_report *report = &fence_rig.report;
    struct vidmm_fence_point unsignaled, unwaited;

    (void)state;
    fence_start("");
    fence_succeeds(ask_for(VIDMM_FENCE_NT_SECURITY_SHARING | VIDMM_FENCE_SHARED), "shared");
    unsignaled = (struct vidmm_fence_point){fence_make(one.device, 3, VIDMM_FENCE_NO_SIGNAL), 3};
    unwaited = (struct vidmm_fence_point){fence_make(one.device, 0, VIDMM_FENCE_NO_WAIT), 1};
    fence_succeeds(vidmm_context_wait_for_fences(one.contexts[0], &unsignaled, 1, report), "wait");
    fence_succeeds(vidmm_fence_wait(one.device, &unsignaled, 1, false, report), "wait");
    fence_succeeds(vidmm_context_signal_fences(one.contexts[0], &unwaited, 1, report), "signal");
    fence_settle();
    assert_int_equal(vidmm_fence_value(unwaited.fence), 1);
    fence_finish();
}
