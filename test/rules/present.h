/* present.h: a surface behind the screen is copied to it, for rules that hold for Present as for
 * Render. */
#ifndef TEST_RULES_PRESENT_H
#define TEST_RULES_PRESENT_H

#include <vidmm/present.h>
#include <vidmm/resource.h>

#include "rules_rig.h"

static inline void shown_present(struct shown *shown)
{
    static const RECT all = {0, 0, 64, 8};
    static const D3DKMDT_STANDARDALLOCATION_TYPE types[] = {
        D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE};
    struct vidmm_allocation *surfaces[2];
    struct vidmm_resource *resource;
    struct rig *rig = &shown->rig;
    uint32_t pitch;

    for (uint32_t i = 0; i < 2; i++) {
        const struct vidmm_standard wish = {
            .type = types[i], .width = 64, .height = 8, .format = D3DDDIFMT_X8R8G8B8};

        assert_int_equal(vidmm_standard_create(rig->device, &wish, &resource, &surfaces[i], &pitch,
                                               &rig->report),
                         STATUS_SUCCESS);
    }
    const struct vidmm_present copy = {.source = surfaces[0],
                                       .destination = surfaces[1],
                                       .source_rect = all,
                                       .destination_rect = all};
    assert_int_equal(vidmm_present(rig->context, &copy, true, &rig->value, &rig->report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
}

#endif
