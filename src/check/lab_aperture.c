/* lab_aperture.c: the tests of an aperture segment: MapApertureSegment or MapApertureSegment2, and
 * UnmapApertureSegment.
 *
 *      memory segment --Transfer--> aperture range ==> pages of the MDL, or the dummy page
 *
 * Most often only the GPU sees an aperture, so it is the GPU that looks: through a transfer to or
 * from a memory segment. Without a memory segment the calls are made and nothing is compared;
 * presents show then what the GPU sees (lab_present.c). An aperture that is CpuVisible is looked at
 * by the CPU as well, at CpuTranslatedAddress: if the device is a plug-in's, for the memory of
 * another device stays where it is.
 *
 * A driver says what an aperture is for in the sets of its allocations. One that no set names is
 * not used. The GPU copies from memory to one that an EvictionSegmentSet names (without, what
 * leaves memory goes straight to an MDL, S1-015); and from one to memory where an allocation may
 * be in both.
 */
#include "check/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>

#include "miniport/configuration.h"
#include "check/host.h"

#define PAGE VIDMM_PAGE_SIZE
#define RANGE UINT64_C(16) /* pages */

/* System pages, as the GPU finds them. */
enum order {
    SCATTERED,
    IN_A_ROW,
    LOGICAL, /* by numbers that are no page frames: obeys D-105 */
};

/* A range of the aperture, system pages for it, a place in a memory segment. */
struct window {
    struct vidmm_lab *lab;
    struct vidmm_rig_allocation *allocation;
    struct vidmm_rig_pages pages;
    uint64_t first_page;     /* of the aperture */
    uint64_t memory_address; /* in lab->memory, a place of RANGE pages */
};

static enum vidmm_rig_answer map(struct window *w, uint64_t page, uint64_t count, uint64_t mdl_page)
{
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    vidmm_rig_fill_map(w->lab->rig, &a, w->lab->aperture, w->first_page + page, count, &w->pages,
                       mdl_page);
    a.MapApertureSegment.hAllocation = w->allocation ? w->allocation->kmd : NULL;
    return vidmm_rig_build(w->lab->rig, &a);
}

static enum vidmm_rig_answer unmap(struct window *w, uint64_t page, uint64_t count)
{
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    a.UnmapApertureSegment.hDevice = w->lab->rig->device;
    a.UnmapApertureSegment.hAllocation = w->allocation ? w->allocation->kmd : NULL;
    a.UnmapApertureSegment.SegmentId = w->lab->aperture;
    a.UnmapApertureSegment.OffsetInPages = w->first_page + page;
    a.UnmapApertureSegment.NumberOfPages = count;
    a.UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)(w->lab->rig->dummy.frames[0] * PAGE); /* obeys S4-045 */
    return vidmm_rig_build(w->lab->rig, &a);
}

/* Have the GPU copy between the aperture range and the memory segment. */
static bool copy(struct window *w, uint64_t page, uint64_t count, bool to_aperture)
{
    uint64_t aperture = (w->first_page + page) * PAGE, size = count * PAGE;
    uint32_t memory = w->lab->memory;
    enum vidmm_rig_answer answer =
        to_aperture
            ? vidmm_lab_copy(w->lab, memory, w->memory_address, w->lab->aperture, aperture, size)
            : vidmm_lab_copy(w->lab, w->lab->aperture, aperture, memory, w->memory_address, size);

    return answer == VIDMM_RIG_BUILT && vidmm_rig_finish(w->lab->rig);
}

static void close_window(struct window *w)
{
    vidmm_rig_no_logical(w->lab->rig, &w->pages);
    vidmm_rig_give_pages(w->lab->rig, &w->pages);
    vidmm_rig_destroy(w->lab->rig, w->allocation);
}

static bool open_window(struct window *w, struct vidmm_lab *lab, enum order order)
{
    struct vidmm_rig *rig = lab->rig;
    const struct vidmm_rig_segment *aperture = &rig->segments[lab->aperture];

    *w = (struct window){.lab = lab, .first_page = lab->free_page};
    if (rig->dead || (w->first_page + RANGE) * PAGE > aperture->size)
        return false;
    w->allocation = vidmm_rig_create(rig, RANGE * PAGE);
    if (w->allocation &&
        (((vidmm_rig_set(rig, &w->allocation->info) | w->allocation->info.EvictionSegmentSet) >>
              (lab->aperture - 1) &
          1) == 0 ||
         w->allocation->size < RANGE * PAGE)) {
        vidmm_rig_destroy(rig, w->allocation);
        w->allocation = NULL;
    }
    if (lab->memory)
        w->memory_address = rig->segments[lab->memory].size / 2 / PAGE * PAGE;
    if (lab->memory && w->memory_address + RANGE * PAGE > rig->segments[lab->memory].size)
        vidmm_board_skip(rig->board, "segment %u has no room for what the GPU copies", lab->memory);
    else if (vidmm_rig_take_pages(rig, RANGE * PAGE, order != SCATTERED, &w->pages)) {
        if (order == LOGICAL)
            vidmm_rig_make_logical(rig, &w->pages);
        return true;
    }
    close_window(w);
    return false;
}

/* May the GPU copy from memory to the aperture? */
static bool writes(const struct vidmm_lab *lab)
{
    return lab->memory && lab->rig->habits->through_aperture &&
           (lab->rig->eviction_set >> (lab->aperture - 1) & 1) != 0;
}

/* From it to memory: also where the allocation may be in both. */
static bool reads(const struct window *w)
{
    const struct vidmm_lab *lab = w->lab;
    uint32_t sets = w->allocation ? vidmm_rig_set(lab->rig, &w->allocation->info) : 0;

    return writes(lab) || (lab->memory && lab->rig->habits->through_aperture &&
                           (sets >> (lab->aperture - 1) & sets >> (lab->memory - 1) & 1) != 0);
}

/* Does the GPU find the pages that are mapped? Logical ones are there for a device on the bus, and
 * not for a driver that is its own device in software. */
static bool finds(const struct window *w)
{
    return !w->pages.logical || w->lab->rig->place->miniport.plugin != NULL;
}

/* Map all, look from both sides, unmap. */
static void map_and_look(struct vidmm_lab *lab, uint64_t mdl_page, enum order order)
{
    uint64_t seed = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab), back = vidmm_lab_seed(lab);
    uint64_t count = RANGE - mdl_page;
    uint8_t bytes[RANGE * PAGE];
    struct window w;

    if (!open_window(&w, lab, order))
        return;
    vidmm_board_operation(
        lab->rig->board,
        "MapApertureSegment of segment %u, %llu pages from page %llu of the MDL or ADL%s",
        lab->aperture, (unsigned long long)count, (unsigned long long)mdl_page,
        order == LOGICAL ? ", by logical pages" : "");
    uint8_t *mapped = w.pages.address + mdl_page * PAGE;
    vidmm_lab_fill(w.pages.address, RANGE * PAGE, junk);
    bool done = map(&w, 0, count, mdl_page) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig);
    if (done && reads(&w) && finds(&w) &&
        vidmm_lab_put(lab, lab->memory, w.memory_address, count * PAGE, seed) &&
        (!writes(lab) || copy(&w, 0, count, true))) {
        if (writes(lab))
            vidmm_lab_expect(lab, VIDMM_CHECK_MAPPING, mapped, count * PAGE, seed, junk,
                             "what the GPU wrote to the range, in the MDL's pages");
        if (writes(lab) && mdl_page > 0)
            vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, w.pages.address, mdl_page * PAGE, junk, 0,
                             "in pages of the MDL that are not mapped");
        vidmm_lab_fill(mapped, count * PAGE, back);
        if (copy(&w, 0, count, false) &&
            vidmm_lab_look(lab, lab->memory, w.memory_address, count * PAGE, bytes))
            vidmm_lab_expect(lab, VIDMM_CHECK_MAPPING, bytes, count * PAGE, back, seed,
                             "what the GPU read from the range");
    }
    if (done) {
        vidmm_board_operation(lab->rig->board, "UnmapApertureSegment of segment %u", lab->aperture);
        unmap(&w, 0, count);
        vidmm_rig_finish(lab->rig);
    }
    close_window(&w);
}

/* Why the CPU cannot look; NULL: it can. */
static const char *no_view(const struct vidmm_lab *lab)
{
    const struct vidmm_rig_segment *aperture = &lab->rig->segments[lab->aperture];

    if (aperture->cpu_translated == 0)
        return "CpuTranslatedAddress is 0";
    if (!lab->rig->place->miniport.plugin)
        return "no plug-in says what the device shows there";
    return NULL;
}

/* Bytes that the CPU writes on either side of the map are there on the other. */
static void compare_view(struct window *w, uint8_t *cpu)
{
    struct vidmm_lab *lab = w->lab;
    uint64_t seed = vidmm_lab_seed(lab), back = vidmm_lab_seed(lab), size = RANGE * PAGE;

    vidmm_lab_fill(w->pages.address, size, seed);
    vidmm_lab_expect(lab, VIDMM_CHECK_MAPPING, cpu, size, seed, 0,
                     "what the CPU reads at CpuTranslatedAddress");
    vidmm_lab_fill(cpu, size, back);
    vidmm_lab_expect(lab, VIDMM_CHECK_MAPPING, w->pages.address, size, back, seed,
                     "what the CPU wrote at CpuTranslatedAddress, in the MDL's pages");
}

/* Map all, and have the CPU look at it through the aperture. */
static void map_and_view(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    const struct vidmm_host *host = rig->host;
    const char *reason = no_view(lab);
    struct window w;
    uint8_t *cpu;

    if (reason) {
        vidmm_board_skip(rig->board, "it is CpuVisible, and the CPU does not look: %s", reason);
        return;
    }
    if (!open_window(&w, lab, SCATTERED))
        return;
    vidmm_board_operation(rig->board, "MapApertureSegment of segment %u, seen by the CPU",
                          lab->aperture);
    if (map(&w, 0, RANGE, 0) == VIDMM_RIG_BUILT && vidmm_rig_finish(rig)) {
        cpu = host->map_physical(host->context,
                                 rig->segments[lab->aperture].cpu_translated + w.first_page * PAGE,
                                 RANGE * PAGE);
        if (cpu) {
            compare_view(&w, cpu);
            host->unmap_physical(host->context, cpu, RANGE * PAGE);
        } else {
            vidmm_board_skip(rig->board, "nothing of the device is at CpuTranslatedAddress");
        }
        unmap(&w, 0, RANGE);
        vidmm_rig_finish(rig);
    }
    close_window(&w);
}

/* Whether a page holds one of the pages of a pattern. */
static bool is_page_of(const uint8_t *page, uint64_t pages, uint64_t seed)
{
    uint8_t bytes[RANGE * PAGE];

    vidmm_lab_fill(bytes, pages * PAGE, seed);
    for (uint64_t i = 0; i < pages; i++)
        if (memcmp(bytes + i * PAGE, page, PAGE) == 0)
            return true;
    return false;
}

/* The GPU's writes to an unmapped range go to the dummy page: obeys S4-045, S4-046. */
static void judge_dummy(struct window *w, uint64_t first, uint64_t count, uint64_t old,
                        uint64_t seed)
{
    struct vidmm_lab *lab = w->lab;
    uint64_t all = RANGE * PAGE, kept;

    kept = vidmm_lab_match(w->pages.address, all, old);
    if (kept < all)
        vidmm_check_find(lab->rig->board, VIDMM_CHECK_DUMMY_PAGE, lab->rig->record,
                         "pages %llu to %llu of segment %u were unmapped; what the GPU wrote there "
                         "is in page %llu of the memory that was mapped before",
                         (unsigned long long)(w->first_page + first),
                         (unsigned long long)(w->first_page + first + count - 1), lab->aperture,
                         (unsigned long long)(kept / PAGE));
    else if (!is_page_of(lab->rig->dummy.address, count, seed))
        vidmm_check_find(lab->rig->board, VIDMM_CHECK_DUMMY_PAGE, lab->rig->record,
                         "pages %llu to %llu of segment %u were unmapped; what the GPU wrote there "
                         "is not on the dummy page at 0x%llx",
                         (unsigned long long)(w->first_page + first),
                         (unsigned long long)(w->first_page + first + count - 1), lab->aperture,
                         (unsigned long long)(lab->rig->dummy.frames[0] * PAGE));
    vidmm_board_step(lab->rig->board)->bytes += count * PAGE;
    memset(lab->rig->dummy.address, 0, PAGE);
}

/* From an unmapped range the GPU reads the dummy page, as often as there are pages. */
static void read_dummy(struct window *w, uint64_t first, uint64_t count)
{
    struct vidmm_lab *lab = w->lab;
    uint64_t before = vidmm_lab_seed(lab), seed = vidmm_lab_seed(lab), page = 0;
    uint8_t bytes[RANGE * PAGE];

    vidmm_lab_fill(lab->rig->dummy.address, PAGE, seed);
    if (vidmm_lab_put(lab, lab->memory, w->memory_address, count * PAGE, before) &&
        copy(w, first, count, false) &&
        vidmm_lab_look(lab, lab->memory, w->memory_address, count * PAGE, bytes)) {
        while (page < count && vidmm_lab_match(bytes + page * PAGE, PAGE, seed) == PAGE)
            page++;
        if (page < count)
            vidmm_check_find(lab->rig->board, VIDMM_CHECK_DUMMY_PAGE, lab->rig->record,
                             "pages %llu to %llu of segment %u were unmapped; what the GPU read "
                             "from page %llu is not the dummy page at 0x%llx",
                             (unsigned long long)(w->first_page + first),
                             (unsigned long long)(w->first_page + first + count - 1), lab->aperture,
                             (unsigned long long)(w->first_page + first + page),
                             (unsigned long long)(lab->rig->dummy.frames[0] * PAGE));
        vidmm_board_step(lab->rig->board)->bytes += count * PAGE;
    }
    memset(lab->rig->dummy.address, 0, PAGE);
}

/* Pages beside those that were unmapped lead to the MDL as before: obeys S4-048. */
static void read_rest(struct window *w, uint64_t first, uint64_t count)
{
    struct vidmm_lab *lab = w->lab;
    uint64_t seed = vidmm_lab_seed(lab), before = vidmm_lab_seed(lab);
    uint8_t bytes[RANGE * PAGE];

    vidmm_lab_fill(w->pages.address + first * PAGE, count * PAGE, seed);
    if (vidmm_lab_put(lab, lab->memory, w->memory_address, count * PAGE, before) &&
        copy(w, first, count, false) &&
        vidmm_lab_look(lab, lab->memory, w->memory_address, count * PAGE, bytes))
        vidmm_lab_expect(lab, VIDMM_CHECK_MAPPING, bytes, count * PAGE, seed, before,
                         "what the GPU read from pages beside those that were unmapped");
}

/* Unmap a part, and let the GPU write to it; the rest stays mapped. */
static void unmap_and_look(struct vidmm_lab *lab)
{
    uint64_t seed = vidmm_lab_seed(lab), old = vidmm_lab_seed(lab);
    const uint64_t first = 4, count = 8;
    struct window w;

    if (!open_window(&w, lab, SCATTERED))
        return;
    vidmm_board_operation(lab->rig->board,
                          "UnmapApertureSegment of %llu pages out of %llu of segment %u",
                          (unsigned long long)count, (unsigned long long)RANGE, lab->aperture);
    vidmm_lab_fill(w.pages.address, RANGE * PAGE, old);
    bool done = map(&w, 0, RANGE, 0) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig) &&
                unmap(&w, first, count) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig);
    if (done && !writes(lab) && reads(&w))
        read_dummy(&w, first, count);
    else if (done && writes(lab) &&
             vidmm_lab_put(lab, lab->memory, w.memory_address, count * PAGE, seed) &&
             copy(&w, first, count, true))
        judge_dummy(&w, first, count, old, seed);
    if (done && reads(&w)) {
        read_rest(&w, 0, first);
        read_rest(&w, first + count, RANGE - first - count);
    }
    if (done) {
        unmap(&w, 0, first);
        unmap(&w, first + count, RANGE - first - count);
        vidmm_rig_finish(lab->rig);
    }
    close_window(&w);
}

static uint32_t page_behind_buffers(const struct vidmm_rig *rig, uint32_t id)
{
    uint32_t page = 64;

    for (uint32_t i = 0; id == rig->paging_segment && i < rig->buffer_count; i++)
        if (rig->buffers[i].aperture_page + rig->buffers[i].pages.count > page)
            page = rig->buffers[i].aperture_page + (uint32_t)rig->buffers[i].pages.count;
    return (page + RANGE) * PAGE > rig->segments[id].size ? 0 : page;
}

static void use_aperture(struct vidmm_lab *lab, uint32_t id)
{
    lab->aperture = id;
    lab->free_page = page_behind_buffers(lab->rig, id);
    map_and_look(lab, 0, SCATTERED);
    map_and_look(lab, 3, SCATTERED);
    map_and_look(lab, 2, IN_A_ROW);
    if (vidmm_rig_maps_by_list(lab->rig) && !lab->rig->segments[id].flags.CpuVisible)
        map_and_look(lab, 2, LOGICAL); /* a view of the CPU's shows page frames alone */
    unmap_and_look(lab);
    if (lab->rig->segments[id].flags.CpuVisible)
        map_and_view(lab);
    if (!lab->memory && (!lab->rig->segments[id].flags.CpuVisible || no_view(lab)))
        vidmm_board_skip(lab->rig->board,
                         "nothing compared here: there is no memory segment from "
                         "which the GPU could look into the aperture%s",
                         lab->rig->driver->DxgkDdiPresent ? "; DxgkDdiPresent does" : "");
    else if (lab->memory && !lab->rig->habits->through_aperture)
        vidmm_board_skip(lab->rig->board,
                         "nothing compared: the configuration says through_aperture off");
    else if (lab->memory && !writes(lab))
        vidmm_board_skip(lab->rig->board, "nothing is copied from memory to it: no "
                                          "EvictionSegmentSet of an allocation names it");
}

void vidmm_check_aperture(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    lab->aperture = 0;
    for (uint32_t id = 1; id <= rig->segment_count && !rig->dead; id++) {
        if (!rig->segments[id].flags.Aperture ||
            !vidmm_board_try(rig->board, "segment %u: Map and UnmapApertureSegment", id))
            continue;
        if ((rig->named_set >> (id - 1) & 1) != 0)
            use_aperture(lab, id);
        else
            vidmm_board_skip(rig->board, "not used: no set of an allocation names it");
    }
}
