/* lab_readings.c: where the documents can be read in two ways, the other way is tried, too.
 *
 *     15   DxgkDdiPatch is called for paging buffers; or it is not
 *     33   a paging submission names no context; or the system context
 *      -   a paging buffer in which nothing was written is not submitted; or it is
 *
 * The first way is the one that the configuration asks for, or the usual one: the other sequences
 * have gone it. A driver that cannot go the other is not wrong: a fault found here is a note. The
 * context is another matter: a driver has to bear both (D-319). It may be beyond use afterwards, so
 * this comes last.
 */
#include "check/lab.h"

#include <vidmm/page.h>

#include "miniport/configuration.h"

enum reading { PATCHED, CONTEXT, EMPTY, READINGS };

static const struct {
    const char *what, *off, *on, *both;
} words[READINGS] = {
    [PATCHED] = {"reading 15, paging buffers", "without DxgkDdiPatch", "with DxgkDdiPatch",
                 "with and without DxgkDdiPatch"},
    [CONTEXT] = {"reading 33, paging submissions", "without a context", "with the system context",
                 "with the system context and without a context"},
    [EMPTY] = {"empty paging buffers", "when not submitted", "when submitted",
               "when submitted and when not submitted"},
};

static bool *switch_of(struct vidmm_miniport_configuration *habits, enum reading reading)
{
    switch (reading) {
    case PATCHED:
        return &habits->patch_paging;
    case CONTEXT:
        return &habits->system_context;
    default:
        return &habits->submit_empty;
    }
}

/* Why it cannot be tried; NULL: it can. */
static const char *obstacle(const struct vidmm_rig *rig, enum reading reading)
{
    if (rig->dead)
        return "the driver is beyond use by now";
    if (reading == PATCHED && !rig->driver->DxgkDdiPatch)
        return "there is no DxgkDdiPatch";
    if (reading == CONTEXT && !rig->system_context)
        return "there is no system context";
    return NULL;
}

/* A page goes in; and a buffer of one operation that writes nothing, if there is such a one. */
static bool works(struct vidmm_lab *lab, enum reading reading)
{
    struct vidmm_rig *rig = lab->rig;

    vidmm_board_operation(rig->board, "%s", words[reading].what);
    if (!vidmm_lab_pages(lab, "in the segment, read the other way"))
        return false;
    if (reading != EMPTY || !lab->aperture)
        return true;
    DXGKARG_BUILDPAGINGBUFFER arguments = {.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT};
    arguments.UnmapApertureSegment.hDevice = rig->device;
    arguments.UnmapApertureSegment.SegmentId = lab->aperture;
    arguments.UnmapApertureSegment.OffsetInPages = lab->free_page;
    arguments.UnmapApertureSegment.NumberOfPages = 1;
    arguments.UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)(rig->dummy.frames[0] * VIDMM_PAGE_SIZE);
    return vidmm_rig_build(rig, &arguments) == VIDMM_RIG_BUILT && vidmm_rig_finish(rig);
}

static void try_reading(struct vidmm_lab *lab, enum reading reading)
{
    struct vidmm_rig *rig = lab->rig;
    const struct vidmm_miniport_configuration *habits = rig->habits;
    struct vidmm_miniport_configuration other = *habits;
    bool *on = switch_of(&other, reading);
    const char *first = *on ? words[reading].on : words[reading].off;
    const char *why = obstacle(rig, reading), *second;

    if (why) {
        vidmm_board_fact(rig->board, "%s: tried only %s: %s", words[reading].what, first, why);
        return;
    }
    *on = !*on;
    second = *on ? words[reading].on : words[reading].off;
    rig->habits = &other;
    rig->board->lenient = true;
    bool both = works(lab, reading);
    rig->board->lenient = false;
    rig->habits = habits;
    if (both)
        vidmm_board_fact(rig->board, "%s: works %s", words[reading].what, words[reading].both);
    else
        vidmm_board_fact(rig->board, "%s: works %s, does not work %s", words[reading].what, first,
                         second);
    if (!both && reading == CONTEXT) /* obeys D-319: of the three, one that a driver must bear */
        vidmm_rig_breach(rig, VIDMM_RULE_D_319, true, "paging works %s, and does not work %s",
                         first, second);
}

/* If nothing works either way, no reading is to blame. */
static bool usual_works(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    bool works;

    vidmm_board_operation(rig->board, "a page, by the usual reading");
    rig->board->lenient = true;
    works = vidmm_lab_pages(lab, "in the segment, read the usual way");
    rig->board->lenient = false;
    return works;
}

void vidmm_check_readings(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;

    if (rig->dead || !vidmm_rig_finish(rig) || !vidmm_board_try(rig->board, "the other reading"))
        return;
    if (!usual_works(lab)) {
        vidmm_board_skip(rig->board, "nothing arrives by the usual reading, so the other one "
                                     "proves nothing");
        rig->spent = rig->dead;
        return;
    }
    for (int reading = 0; reading < READINGS; reading++)
        try_reading(lab, (enum reading)reading);
    rig->spent = rig->dead;
}
