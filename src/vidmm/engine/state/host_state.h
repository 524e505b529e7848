/* host_state.h: the CPU host aperture of an adapter, for the modules of the engine that look into
 * it. Structures only; host_mapping.h has what is done with them.
 */
#ifndef VIDMM_ENGINE_STATE_HOST_STATE_H
#define VIDMM_ENGINE_STATE_HOST_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/space/host_pages.h"
#include "vidmm/engine/state/place.h"

struct vidmm_placement;

/* Pages of the aperture that a placement has, by the first of them. */
struct vidmm_host_mapping {
    struct vidmm_placement *owner; /* NULL: no chain begins here */
    struct place at;               /* mapped: the place that the pages show */
    uint32_t older, newer;         /* mapped: by use */
    bool mapped;                   /* the driver was told; otherwise they are reserved */
    bool dead;                     /* the owner was destroyed */
    uint32_t dead_next;            /* of those, the next */
};

struct vidmm_host {
    uint32_t segment;   /* that has the aperture; 0: there is none */
    uint32_t page_size; /* bytes */
    struct vidmm_host_pages pages;
    struct vidmm_host_mapping *mappings; /* by page */
    uint32_t oldest, newest;             /* of those that are mapped; VIDMM_NO_HOST_PAGE: none */
    uint32_t mapped;                     /* so many are */
    uint32_t dead; /* the first whose owner was destroyed; or ...NO_HOST_PAGE */
    uint32_t call; /* of the call under way: first page */
    bool peeks;    /* the claim under way asks whether the mapping is in use, no more */
    bool broken;   /* the driver failed where nobody could do without: it is not asked again */
};

#endif
