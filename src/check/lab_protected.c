/* lab_protected.c: what the flags of a memory segment promise to protected content.
 *
 *     EncryptedPagingSupported     known bytes --Transfer out--> others --Transfer in--> known
 *     VprPreservedDuringStandby    known bytes in the range --down, up--> known bytes
 *
 * Memory that the hardware guards may not show its bytes. So known bytes are looked for before they
 * are relied upon, and where they are not found nothing is judged.
 */
#include "check/lab_space.h"

#include <stdlib.h>

#include <vidmm/page.h>

#include "wddm/level.h"

#define BYTES (VIDMM_LAB_MAPPED * VIDMM_PAGE_SIZE)

bool vidmm_lab_is_encrypted(const struct vidmm_lab *lab,
                            const struct vidmm_rig_allocation *allocation, uint32_t segment)
{
    return lab->rig->level >= VIDMM_LEVEL(2, 0) && allocation &&
           allocation->info.FlagsWddm2.HardwareProtected &&
           lab->rig->segments[segment].flags.EncryptedPagingSupported;
}

/* ---- encryption ------------------------------------------------------------------------------ */

/* Bytes in system memory that were pattern `seed` in the segment. */
static void judge_cipher(struct vidmm_lab *lab, const void *bytes, uint64_t seed)
{
    if (vidmm_lab_match(bytes, BYTES, seed) == BYTES)
        vidmm_rig_breach(lab->rig, VIDMM_RULE_D_232, true,
                         "segment %u has EncryptedPagingSupported, and 0x%llx bytes of a "
                         "HardwareProtected allocation that were paged out are in system memory "
                         "as they were in the segment",
                         lab->memory, (unsigned long long)BYTES);
}

/* Bytes in the segment that were so, and have been paged out and in. */
static void judge_plain(struct vidmm_lab *lab, const void *bytes, uint64_t seed)
{
    uint64_t right = vidmm_lab_match(bytes, BYTES, seed);

    if (right != BYTES)
        vidmm_rig_breach(lab->rig, VIDMM_RULE_D_232, true,
                         "segment %u has EncryptedPagingSupported, and 0x%llx bytes of a "
                         "HardwareProtected allocation that were paged out and in again are not "
                         "what they were from byte 0x%llx on",
                         lab->memory, (unsigned long long)BYTES, (unsigned long long)right);
}

/* Why it cannot be tried; NULL: it can, and *allocation is made. */
static const char *make_protected(struct vidmm_lab *lab, struct vidmm_rig_allocation **allocation)
{
    *allocation = vidmm_rig_create(lab->rig, BYTES);
    if (!vidmm_lab_is_encrypted(lab, *allocation, lab->memory))
        return "the driver's allocations are not HardwareProtected: no content is";
    if ((vidmm_rig_set(lab->rig, &(*allocation)->info) >> (lab->memory - 1) & 1) == 0)
        return "the driver's allocations are not for this segment";
    if ((*allocation)->size != BYTES || lab->rig->segments[lab->memory].size < 2 * BYTES)
        return "the driver makes no allocation of 64 KiB, or the segment has no room for it";
    if ((*allocation)->info.Alignment > BYTES)
        return "the driver's allocations are aligned to more than 64 KiB, where none is tried";
    return NULL;
}

/* Have the test page a protected allocation of 64 KiB, if the memory segment encrypts such. */
static void try_encryption(struct vidmm_lab *lab,
                           void (*test)(void *, const struct vidmm_rig_allocation *),
                           void *argument)
{
    struct vidmm_rig_allocation *allocation = NULL;
    const char *why;

    if (lab->rig->level < VIDMM_LEVEL(2, 0) ||
        !lab->rig->segments[lab->memory].flags.EncryptedPagingSupported ||
        !vidmm_board_try(lab->rig->board, "segment %u: protected content is paged", lab->memory))
        return;
    why = make_protected(lab, &allocation);
    if (why)
        vidmm_board_skip(lab->rig->board, "%s", why);
    else
        test(argument, allocation);
    vidmm_rig_destroy(lab->rig, allocation);
}

/* The allocation begins behind as many bytes as it has, of the segment. */
static bool page(struct vidmm_lab *lab, const struct vidmm_rig_allocation *allocation,
                 const struct vidmm_rig_pages *pages, bool in)
{
    const struct vidmm_lab_transfer transfer = {.allocation = allocation,
                                                .pages = pages,
                                                .segment = lab->memory,
                                                .address = BYTES,
                                                .size = BYTES,
                                                .in = in,
                                                .start = true,
                                                .end = true};

    return vidmm_lab_transfer(lab, &transfer) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig);
}

/* Known bytes to the segment; false: they cannot be seen there. */
static bool is_open(struct vidmm_lab *lab, uint64_t seed, uint8_t *bytes)
{
    return vidmm_lab_put(lab, lab->memory, BYTES, BYTES, seed) &&
           vidmm_lab_look(lab, lab->memory, BYTES, BYTES, bytes) &&
           vidmm_lab_match(bytes, BYTES, seed) == BYTES;
}

static void page_by_place(void *argument, const struct vidmm_rig_allocation *allocation)
{
    struct vidmm_lab *lab = argument;
    uint64_t seed = vidmm_lab_seed(lab);
    struct vidmm_rig_pages pages;
    uint8_t *bytes = malloc(BYTES);

    vidmm_board_operation(lab->rig->board, "Transfer of 64 KiB of protected content, out and in");
    if (bytes && vidmm_rig_take_pages(lab->rig, BYTES, false, &pages)) {
        if (!is_open(lab, seed, bytes)) {
            vidmm_board_skip(lab->rig->board, "bytes that are put there are not found there");
        } else if (page(lab, allocation, &pages, false)) {
            judge_cipher(lab, pages.address, seed);
            if (vidmm_lab_put(lab, lab->memory, BYTES, BYTES, vidmm_lab_seed(lab)) &&
                page(lab, allocation, &pages, true) &&
                vidmm_lab_look(lab, lab->memory, BYTES, BYTES, bytes))
                judge_plain(lab, bytes, seed);
        }
        vidmm_rig_give_pages(lab->rig, &pages);
    }
    free(bytes);
}

void vidmm_check_protected(struct vidmm_lab *lab)
{
    try_encryption(lab, page_by_place, lab);
}

/* Known bytes to the local pages; false: they are not fetched from there. */
static bool fill_local(struct vidmm_space *space, uint64_t seed)
{
    vidmm_lab_fill(space->pages[0].address, BYTES, seed);
    return vidmm_space_transfer(space, space->system, space->local, VIDMM_LAB_MAPPED) &&
           vidmm_space_transfer(space, space->local, space->other, VIDMM_LAB_MAPPED) &&
           vidmm_lab_match(space->pages[1].address, BYTES, seed) == BYTES;
}

static bool transfer_of(struct vidmm_space *space, const struct vidmm_rig_allocation *allocation,
                        uint64_t from, uint64_t to)
{
    bool done;

    space->named = allocation->kmd;
    done = vidmm_space_transfer(space, from, to, VIDMM_LAB_MAPPED);
    space->named = NULL;
    return done;
}

static void page_by_address(void *argument, const struct vidmm_rig_allocation *allocation)
{
    struct vidmm_space *space = argument;
    struct vidmm_lab *lab = space->lab;
    uint64_t seed = vidmm_lab_seed(lab);

    vidmm_board_operation(lab->rig->board,
                          "TransferVirtual of 64 KiB of protected content, out and in");
    if (!fill_local(space, seed)) {
        vidmm_board_skip(lab->rig->board, "bytes that are put there are not found there");
        return;
    }
    if (!transfer_of(space, allocation, space->local, space->other))
        return;
    judge_cipher(lab, space->pages[1].address, seed);
    vidmm_lab_fill(space->pages[0].address, BYTES, vidmm_lab_seed(lab));
    if (vidmm_space_transfer(space, space->system, space->local, VIDMM_LAB_MAPPED) &&
        transfer_of(space, allocation, space->other, space->local) &&
        vidmm_space_transfer(space, space->local, space->system, VIDMM_LAB_MAPPED))
        judge_plain(lab, space->pages[0].address, seed);
}

void vidmm_check_protected_space(struct vidmm_space *space)
{
    try_encryption(space->lab, page_by_address, space);
}

/* ---- survival -------------------------------------------------------------------------------- */

static bool is_in_range(const struct vidmm_rig_segment *segment, uint64_t at, uint64_t size)
{
    return at >= segment->protected_start && size <= segment->protected_size &&
           at - segment->protected_start <= segment->protected_size - size;
}

static bool is_outside(const struct vidmm_rig_segment *segment, uint64_t at, uint64_t size)
{
    return segment->protected_size == 0 || at + size <= segment->protected_start ||
           at >= segment->protected_start + segment->protected_size;
}

static bool is_kept(const struct vidmm_rig_segment *segment, uint64_t at, uint64_t size,
                    POWER_ACTION down)
{
    if (is_in_range(segment, at, size))
        return down == PowerActionSleep && segment->flags.VprPreservedDuringStandby;
    if (!is_outside(segment, at, size))
        return false;
    return down == PowerActionSleep       ? segment->flags.PreservedDuringStandby
           : down == PowerActionHibernate ? segment->flags.PreservedDuringHibernate
                                          : false;
}

uint64_t vidmm_lab_kept(const struct vidmm_lab *lab, uint64_t preferred, uint64_t size,
                        unsigned way)
{
    const struct vidmm_rig_segment *segment = &lab->rig->segments[lab->memory];
    const uint64_t places[] = {way % 2 == 1 ? segment->protected_start : preferred, preferred, 0,
                               segment->protected_start + segment->protected_size,
                               segment->protected_start};

    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (size <= segment->size && places[i] <= segment->size - size &&
            is_kept(segment, places[i], size, vidmm_lab_way_down(way)))
            return places[i];
    return UINT64_MAX;
}

void vidmm_lab_judge_kept(struct vidmm_lab *lab, const void *bytes, uint64_t size, uint64_t at,
                          uint64_t seed)
{
    uint64_t right;

    if (!is_in_range(&lab->rig->segments[lab->memory], at, size)) {
        vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, bytes, size, seed, 0,
                         "in the segment, whose flags say that it is preserved");
        return;
    }
    right = vidmm_lab_match(bytes, size, seed);
    if (right != size)
        vidmm_rig_breach(lab->rig, VIDMM_RULE_D_232, true,
                         "segment %u has VprPreservedDuringStandby, and 0x%llx bytes in its "
                         "protected range are not what they were before the standby, from byte "
                         "0x%llx on",
                         lab->memory, (unsigned long long)size, (unsigned long long)right);
}

/* ---- survival, where paging goes by address -------------------------------------------------- */

static bool has_tables(const struct vidmm_space *space, uint64_t at)
{
    for (unsigned level = 0; level < space->count; level++) {
        const struct vidmm_space_table *table = &space->tables[level];

        if (table->segment == space->lab->memory && table->offset < at + BYTES &&
            at < table->offset + table->size)
            return true;
    }
    return false;
}

static bool aim(struct vidmm_space *space, uint64_t at)
{
    space->memory_offset = at;
    return vidmm_space_map_local(space, true, false);
}

uint64_t vidmm_space_put_kept(struct vidmm_space *space, uint64_t at)
{
    uint64_t seed = vidmm_lab_seed(space->lab);

    return at != UINT64_MAX && !has_tables(space, at) && aim(space, at) && fill_local(space, seed)
               ? seed
               : 0;
}

void vidmm_space_judge_kept(struct vidmm_space *space, uint64_t at, uint64_t seed)
{
    if (aim(space, at) && vidmm_space_transfer(space, space->local, space->other, VIDMM_LAB_MAPPED))
        vidmm_lab_judge_kept(space->lab, space->pages[1].address, BYTES, at, seed);
}
