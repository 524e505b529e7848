/*
 * shadow_instance.c: which instance of an allocation a call means.
 *
 * A lock with Discard may make the manager rename: one handle, several places at once, each with
 * pages of its own. Each instance has a record; the first stands in the map under the handle, a
 * further one under its own address (`key`), linked from the first.
 *
 *     what is read at a place          the one that is there
 *     what goes to or comes from pages the one whose pages they are, by their first page frame
 *     neither                          the first that is nowhere, or the first
 *
 * A new one is believed in only if all that are known have other pages, and the driver's
 * description lets it be renamed, so often: otherwise a manager that forgets where an allocation is
 * would look like one that renames.
 *
 * Source: "Requesting to Rename an Allocation"; PFND3DDDI_LOCKCB; rules S1-016, D-170.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/shadow.h"

#include "wddm/level.h"

/* Overlay, Capture; ExistingSysMem, ExistingKernelSysMem; LinkMirrored, LinkInstanced */
#define NOT_RENAMED 0x3330u
#define CPU_VISIBLE 0x40001u /* or CpuVisibleOnDemand, which is read so */

/* Whether one more instance may be. */
static bool may_rename(const struct vidmm_shadow *shadow,
                       const struct vidmm_shadow_allocation *first)
{
    uint32_t count = 0;

    if (shadow->level >= VIDMM_LEVEL(2, 0) || (first->flags & NOT_RENAMED) != 0 ||
        (first->flags & CPU_VISIBLE) == 0)
        return false;
    for (const struct vidmm_shadow_allocation *one = first; one != NULL; one = one->instance)
        count++;
    return first->renaming == 0 || count < first->renaming; /* obeys S1-016 */
}

static struct vidmm_shadow_allocation *add(struct vidmm_shadow *shadow,
                                           struct vidmm_shadow_allocation *first)
{
    struct vidmm_shadow_allocation *made = vidmm_shadow_allocate(shadow, sizeof *made);

    if (made == NULL)
        return first;
    made->key = made;
    made->handle = first->handle;
    made->size = first->size;
    made->span = first->span;
    made->pitch_span = first->pitch_span;
    made->read_set = first->read_set;
    made->write_set = first->write_set;
    made->eviction_set = first->eviction_set;
    made->flags = first->flags;
    made->renaming = first->renaming;
    made->placed = (struct vidmm_shadow_moment){.submitted = true};
    if (!vidmm_map_set(&shadow->allocations, NULL, made->key, made)) {
        shadow->lost = true;
        free(made);
        return first;
    }
    made->instance = first->instance;
    first->instance = made;
    return made;
}

struct vidmm_shadow_allocation *vidmm_shadow_instance_at(const struct vidmm_shadow *shadow,
                                                         struct vidmm_shadow_allocation *first,
                                                         unsigned segment, uint64_t address)
{
    uint64_t offset;

    if (vidmm_shadow_segment(shadow, segment) == NULL)
        return NULL;
    offset = address - shadow->segments[segment].base;
    for (struct vidmm_shadow_allocation *one = first; one != NULL; one = one->instance) {
        bool aperture = vidmm_shadow_is_aperture(shadow, one->segment);
        if (one->segment == segment && offset >= one->offset &&
            offset - one->offset <
                (aperture ? one->mapped : vidmm_shadow_span(shadow, one, segment)))
            return one;
    }
    return NULL;
}

/* One of which it is not known whose pages it has. */
static struct vidmm_shadow_allocation *without_pages(struct vidmm_shadow_allocation *first,
                                                     bool anywhere)
{
    struct vidmm_shadow_allocation *one = first;

    while (one != NULL && (one->pages != 0 || (one->segment != 0 && !anywhere)))
        one = one->instance;
    return one;
}

/* The first that is nowhere; the first, if each is somewhere. */
static struct vidmm_shadow_allocation *nowhere(struct vidmm_shadow_allocation *first)
{
    struct vidmm_shadow_allocation *one = first;

    while (one != NULL && one->segment != 0)
        one = one->instance;
    return one == NULL ? first : one;
}

/* Whether the call takes it out of a memory segment. A map does that if nothing is used there. */
static bool leaves(const struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build)
{
    const struct vidmm_shadow_allocation *first = build->allocation;
    const struct vidmm_shadow_side *to = &build->destination;

    if (!vidmm_shadow_is_aperture(shadow, to->segment))
        return to->segment == 0;
    return ((first->read_set | first->write_set) >> (to->segment - 1) & 1) == 0;
}

/* Whether the manager has given back the pages of the one that is said to have them: it stands in
 * memory, the call neither takes it from there nor goes there, and another waits for pages. */
static bool has_lost_pages(const struct vidmm_shadow *shadow,
                           const struct vidmm_shadow_build *build,
                           const struct vidmm_shadow_allocation *one)
{
    const struct vidmm_shadow_side *to = &build->destination;

    return one != NULL && !leaves(shadow, build) && one->segment != 0 &&
           !vidmm_shadow_is_aperture(shadow, one->segment) &&
           vidmm_shadow_instance_at(shadow, build->allocation, to->segment, to->address) != one &&
           nowhere(build->allocation)->segment == 0;
}

/* The one whose pages these are. */
static struct vidmm_shadow_allocation *instance_of_pages(struct vidmm_shadow *shadow,
                                                         const struct vidmm_shadow_build *build,
                                                         uint64_t pages)
{
    struct vidmm_shadow_allocation *first = build->allocation, *one;

    for (one = first; one != NULL && one->pages != pages; one = one->instance)
        ;
    if (has_lost_pages(shadow, build, one)) {
        one->pages = 0;
        one = nowhere(first);
    }
    if (one == NULL)
        one = without_pages(first, leaves(shadow, build));
    if (one == NULL && may_rename(shadow, first))
        one = add(shadow, first);
    if (one == NULL)
        one = without_pages(first, true);
    if (one == NULL) /* the manager has given back the pages of one that is nowhere */
        for (one = first; one != NULL && (one->segment != 0 || one->operations > 0);
             one = one->instance)
            ;
    if (one == NULL)
        return first;
    one->pages = pages;
    return one;
}

/* The first page frame of the side's pages, and 1; 0: it has none. */
static uint64_t pages_of(const struct vidmm_shadow_side *side)
{
    return side->used && side->mdl != NULL && side->mdl->ByteCount > 0
               ? (uint64_t)MmGetMdlPfnArray(side->mdl)[0] + 1
               : 0;
}

/* An aperture mapping that was taken for another instance is `one` if `one` was to leave through
 * it: a fill does not say whose pages it is for, so it may have been taken for the wrong one. They
 * exchange what is known of their pages, and the other one is nowhere again. */
static void join(struct vidmm_shadow *shadow, struct vidmm_shadow_allocation *first,
                 struct vidmm_shadow_allocation *one, const struct vidmm_shadow_side *to)
{
    struct vidmm_shadow_allocation *mapped;
    uint64_t start, end, pages = one->pages;

    if (!to->used || !vidmm_shadow_is_aperture(shadow, to->segment))
        return;
    mapped = vidmm_shadow_instance_at(shadow, first, to->segment, to->address);
    if (mapped == NULL || mapped == one)
        return;
    one->pages = mapped->pages;
    mapped->pages = pages;
    start = mapped->offset;
    end = start + mapped->mapped;
    vidmm_shadow_leave_place(shadow, mapped);
    if (start < end &&
        !vidmm_ranges_set(&shadow->segments[to->segment].ranges, start, end, one->key, 0))
        shadow->lost = true;
}

struct vidmm_shadow_allocation *vidmm_shadow_instance(struct vidmm_shadow *shadow,
                                                      const struct vidmm_shadow_build *build)
{
    struct vidmm_shadow_allocation *first = build->allocation, *one = NULL;
    const struct vidmm_shadow_side *from = &build->source, *to = &build->destination;
    uint64_t pages = pages_of(from) != 0 ? pages_of(from) : pages_of(to);

    if (first == NULL)
        return NULL;
    if (from->used && from->segment != 0)
        one = vidmm_shadow_instance_at(shadow, first, from->segment, from->address);
    if (one != NULL) {
        join(shadow, first, one, to);
        one->pages = one->pages == 0 ? pages : one->pages;
        return one;
    }
    if (pages != 0)
        return instance_of_pages(shadow, build, pages);
    if (to->used && to->segment != 0)
        one = vidmm_shadow_instance_at(shadow, first, to->segment, to->address);
    return one == NULL ? nowhere(first) : one;
}
