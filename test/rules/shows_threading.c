/* shows_threading.c: threading.def, obeyed. */
#include "hang.h"

static struct shown shown;

static bool is_of_the_scheduler(enum vidmm_ddi ddi)
{
    return ddi == VIDMM_DDI_BUILD_PAGING_BUFFER || ddi == VIDMM_DDI_PATCH ||
           ddi == VIDMM_DDI_SUBMIT_COMMAND || ddi == VIDMM_DDI_PREEMPT_COMMAND ||
           ddi == VIDMM_DDI_QUERY_ENGINE_STATUS || ddi == VIDMM_DDI_RESET_ENGINE ||
           ddi == VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP;
}

/* With a hang: no two of the seven are open at once. */
void shows_D_310(void **state)
{
    struct rig_options options = hang_options("hang 0 1\nengine_reset on\n");
    unsigned open = 0, groups = 0;

    (void)state;
    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    for (size_t i = 0; i < shown.call_count; i++) {
        if (!is_of_the_scheduler(shown.calls[i].ddi))
            continue;
        open += shown.calls[i].returned ? -1u : 1u;
        assert_true(open <= 1);
        groups += shown.calls[i].ddi == VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP;
    }
    assert_true(groups > 0);
    hang_finish(&shown);
}
