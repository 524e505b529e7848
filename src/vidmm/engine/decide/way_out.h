/* way_out.h: how the content of a memory segment leaves it; way_out.c draws the choice.
 *
 * The answer is data. The caller has the range taken, or the content lost (leaving.c).
 *
 * Source: DXGK_ALLOCATIONINFO, EvictionSegmentSet.
 */
#ifndef VIDMM_ENGINE_DECIDE_WAY_OUT_H
#define VIDMM_ENGINE_DECIDE_WAY_OUT_H

#include "vidmm/engine/decide/room.h"

enum way_out {
    WAY_THROUGH, /* through an eviction aperture: its passage */
    WAY_DIRECT,  /* straight to the MDL: no aperture can be had */
    WAY_LOST,    /* a pinned placement takes the room that it needs: the content is lost (S0-045) */
    WAY_LATER,   /* something in flight ends first, then ask again */
};

struct vidmm_way_out {
    enum way_out way;
    struct vidmm_passage passage; /* WAY_THROUGH */
};

/* Decide how a page-out goes, which has an EvictionSegmentSet and is next to be built. Nothing has
 * changed; the answer holds until anything has. */
struct vidmm_way_out vidmm_way_out_decide(struct vidmm_engine *engine,
                                          const struct vidmm_placement *placement);

#endif
