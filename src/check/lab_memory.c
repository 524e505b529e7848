/* lab_memory.c: the tests of a memory segment: Transfer, Fill, DiscardContent, and the rest.
 *
 * Each operation stands between two pages that must not change.
 */
#include "check/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/page.h>

#include "miniport/configuration.h"
#include "wddm/level.h"

#define KIB UINT64_C(1024)
#define PAGE VIDMM_PAGE_SIZE

/* A range of the segment with a page on either side, an allocation that stands there, and system
 * pages of its size. */
struct bench {
    struct vidmm_lab *lab;
    uint32_t segment;
    struct vidmm_rig_allocation *allocation; /* NULL: the driver makes none for this segment, or
                                              * one whose bytes are encrypted on their way */
    struct vidmm_rig_pages in, out;
    uint64_t address, size;
    uint64_t before, outside; /* patterns: in the range, around it */
    uint8_t *bytes;           /* of the range and its neighbours */
};

static bool lives_in(const struct bench *bench)
{
    return (vidmm_rig_set(bench->lab->rig, &bench->allocation->info) >> (bench->segment - 1) & 1) !=
           0;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

/* Where: near the segment's start, in its middle, at its end. */
static bool place(struct bench *bench, unsigned where)
{
    const struct vidmm_rig_segment *segment = &bench->lab->rig->segments[bench->segment];
    uint64_t alignment = bench->allocation && bench->allocation->info.Alignment > PAGE
                             ? bench->allocation->info.Alignment
                             : PAGE;

    if (bench->size + 2 * PAGE + alignment > segment->size)
        return false;
    uint64_t last = (segment->size - PAGE - bench->size) / alignment * alignment;
    uint64_t first = round_up(PAGE, alignment);
    bench->address = where == 0   ? first
                     : where == 1 ? round_up(first + (last - first) / 2, alignment)
                                  : last;
    if (bench->address > last)
        bench->address = last;
    return bench->address >= PAGE;
}

static void close_bench(struct bench *bench)
{
    struct vidmm_rig *rig = bench->lab->rig;

    vidmm_rig_give_pages(rig, &bench->in);
    vidmm_rig_give_pages(rig, &bench->out);
    vidmm_rig_destroy(rig, bench->allocation);
    free(bench->bytes);
}

/* False: there is no room for it, or the rig is dead; it is closed. */
static bool open_bench(struct bench *bench, struct vidmm_lab *lab, uint64_t size, unsigned where)
{
    struct vidmm_rig *rig = lab->rig;

    *bench = (struct bench){.lab = lab, .segment = lab->memory, .size = round_up(size, PAGE)};
    if (rig->dead)
        return false;
    bench->allocation = vidmm_rig_create(rig, size);
    if (bench->allocation &&
        (!lives_in(bench) || vidmm_lab_is_encrypted(lab, bench->allocation, bench->segment))) {
        vidmm_rig_destroy(rig, bench->allocation);
        bench->allocation = NULL;
    }
    if (bench->allocation)
        bench->size = bench->allocation->size;
    bench->bytes = malloc(bench->size + 2 * PAGE);
    if (bench->bytes && !place(bench, where))
        vidmm_board_skip(rig->board,
                         "the segment has no room for %llu KiB and a page on either side",
                         (unsigned long long)(bench->size / KIB));
    else if (bench->bytes && vidmm_rig_take_pages(rig, bench->size, false, &bench->in) &&
             vidmm_rig_take_pages(rig, bench->size, false, &bench->out))
        return true;
    close_bench(bench);
    return false;
}

static bool surround(struct bench *bench)
{
    struct vidmm_lab *lab = bench->lab;

    bench->before = vidmm_lab_seed(lab);
    bench->outside = vidmm_lab_seed(lab);
    return vidmm_lab_put(lab, bench->segment, bench->address - PAGE, PAGE, bench->outside) &&
           vidmm_lab_put(lab, bench->segment, bench->address + bench->size, PAGE, bench->outside) &&
           vidmm_lab_put(lab, bench->segment, bench->address, bench->size, bench->before);
}

/* Fetch the range with its neighbours, and judge those. False: the rig is dead. */
static bool look(struct bench *bench)
{
    struct vidmm_lab *lab = bench->lab;

    if (!vidmm_lab_look(lab, bench->segment, bench->address - PAGE, bench->size + 2 * PAGE,
                        bench->bytes))
        return false;
    vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bench->bytes, PAGE, bench->outside, 0,
                     "in the page before the range");
    vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bench->bytes + PAGE + bench->size, PAGE,
                     bench->outside, 0, "in the page behind the range");
    return true;
}

static struct vidmm_lab_transfer whole(const struct bench *bench, bool in)
{
    return (struct vidmm_lab_transfer){.allocation = bench->allocation,
                                       .pages = in ? &bench->in : &bench->out,
                                       .segment = bench->segment,
                                       .address = bench->address,
                                       .size = bench->size,
                                       .in = in,
                                       .start = true,
                                       .end = true};
}

/* ---- Transfer ---- */

static const uint64_t sizes[] = {4 * KIB,  8 * KIB,   12 * KIB,  64 * KIB,
                                 68 * KIB, 252 * KIB, 1024 * KIB};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static void transfer_whole(struct vidmm_lab *lab, uint64_t size, unsigned where)
{
    struct bench bench;
    uint64_t seed = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab);

    if (!open_bench(&bench, lab, size, where))
        return;
    vidmm_board_operation(lab->rig->board, "Transfer of %llu KiB, system pages to segment %u",
                          (unsigned long long)(bench.size / KIB), bench.segment);
    vidmm_lab_fill(bench.in.address, bench.size, seed);
    vidmm_lab_fill(bench.out.address, bench.size, junk);
    struct vidmm_lab_transfer in = whole(&bench, true), out = whole(&bench, false);
    if (surround(&bench) && vidmm_lab_transfer(lab, &in) == VIDMM_RIG_BUILT &&
        vidmm_rig_finish(lab->rig) && look(&bench)) {
        vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, bench.bytes + PAGE, bench.size, seed,
                         bench.before, "in the segment");
        vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bench.in.address, bench.size, seed, 0,
                         "in the source's pages");
        vidmm_lab_put(lab, bench.segment, bench.address, bench.size, seed);
        vidmm_board_operation(lab->rig->board, "Transfer of %llu KiB, segment %u to system pages",
                              (unsigned long long)(bench.size / KIB), bench.segment);
        if (vidmm_lab_transfer(lab, &out) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig))
            vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, bench.out.address, bench.size, seed, junk,
                             "in the system pages");
    }
    close_bench(&bench);
}

/* In parts of 1, 2, 3, ... pages. */
static bool transfer_parts(struct bench *bench, bool in, bool by_address)
{
    struct vidmm_lab_transfer part = whole(bench, in);
    uint64_t pages = 1;

    part.by_address = by_address;
    for (uint64_t at = 0; at < bench->size; at += part.size, pages++) {
        part.offset = at;
        part.size = bench->size - at < pages * PAGE ? bench->size - at : pages * PAGE;
        part.start = at == 0;
        part.end = at + part.size == bench->size;
        if (vidmm_lab_transfer(bench->lab, &part) != VIDMM_RIG_BUILT)
            return false;
    }
    return vidmm_rig_finish(bench->lab->rig);
}

/* Does a transfer in parts arrive, read in one way? */
static bool arrives(struct bench *bench, bool by_address)
{
    uint64_t seed = vidmm_lab_seed(bench->lab);

    vidmm_lab_fill(bench->in.address, bench->size, seed);
    return surround(bench) && transfer_parts(bench, true, by_address) &&
           vidmm_lab_look(bench->lab, bench->segment, bench->address, bench->size, bench->bytes) &&
           vidmm_lab_match(bench->bytes, bench->size, seed) == bench->size;
}

/* How the driver reads parts: no finding, a habit. */
static void try_split(struct vidmm_lab *lab)
{
    struct bench bench;

    if (lab->rig->board->seen.split != VIDMM_SPLIT_OFF || !open_bench(&bench, lab, 64 * KIB, 1))
        return;
    vidmm_board_operation(lab->rig->board, "Transfer of 64 KiB in parts, to see how they are read");
    if (arrives(&bench, false))
        lab->rig->board->seen.split = VIDMM_SPLIT_DOCUMENTED;
    else if (arrives(&bench, true))
        lab->rig->board->seen.split = VIDMM_SPLIT_BY_ADDRESS;
    else
        lab->rig->board->seen.split = VIDMM_SPLIT_OTHER;
    close_bench(&bench);
}

static void transfer_split(struct vidmm_lab *lab, uint64_t size)
{
    struct bench bench;
    uint64_t seed = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab);
    bool by_address = lab->rig->habits->split == VIDMM_SPLIT_BY_ADDRESS;

    if (!open_bench(&bench, lab, size, 1))
        return;
    vidmm_board_operation(lab->rig->board,
                          "Transfer of %llu KiB in parts, system pages to segment %u",
                          (unsigned long long)(bench.size / KIB), bench.segment);
    vidmm_lab_fill(bench.in.address, bench.size, seed);
    vidmm_lab_fill(bench.out.address, bench.size, junk);
    if (surround(&bench) && transfer_parts(&bench, true, by_address) && look(&bench)) {
        vidmm_lab_expect(lab, VIDMM_CHECK_SPLIT, bench.bytes + PAGE, bench.size, seed, bench.before,
                         "in the segment");
        vidmm_lab_put(lab, bench.segment, bench.address, bench.size, seed);
        vidmm_board_operation(lab->rig->board,
                              "Transfer of %llu KiB in parts, segment %u to system pages",
                              (unsigned long long)(bench.size / KIB), bench.segment);
        if (transfer_parts(&bench, false, by_address))
            vidmm_lab_expect(lab, VIDMM_CHECK_SPLIT, bench.out.address, bench.size, seed, junk,
                             "in the system pages");
    }
    close_bench(&bench);
}

/* The middle of an allocation as bytes that are nobody's: neither its beginning nor its order is
 * the driver's business (S4-027). */
static void transfer_raw(struct vidmm_lab *lab, uint64_t size)
{
    uint64_t seed = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab);
    struct bench bench;

    if (!open_bench(&bench, lab, size, 1))
        return;
    struct vidmm_lab_transfer in = whole(&bench, true), out = whole(&bench, false);
    in.allocation = out.allocation = NULL;
    in.address = out.address = bench.address + PAGE;
    in.size = out.size = bench.size - 2 * PAGE;
    vidmm_lab_fill(bench.in.address, bench.size, seed);
    vidmm_lab_fill(bench.out.address, bench.size, junk);
    vidmm_board_operation(lab->rig->board,
                          "Transfer of %llu KiB without an allocation, system pages to segment %u",
                          (unsigned long long)(in.size / KIB), bench.segment);
    if (surround(&bench) && vidmm_lab_transfer(lab, &in) == VIDMM_RIG_BUILT &&
        vidmm_rig_finish(lab->rig) && look(&bench)) {
        vidmm_lab_expect(lab, VIDMM_CHECK_RAW, bench.bytes + 2 * PAGE, in.size, seed, bench.before,
                         "in the segment");
        vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bench.bytes + PAGE, PAGE, bench.before, 0,
                         "in the page before the bytes");
        vidmm_lab_put(lab, bench.segment, in.address, in.size, seed);
        vidmm_board_operation(
            lab->rig->board,
            "Transfer of %llu KiB without an allocation, segment %u to system pages",
            (unsigned long long)(in.size / KIB), bench.segment);
        if (vidmm_lab_transfer(lab, &out) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig))
            vidmm_lab_expect(lab, VIDMM_CHECK_RAW, bench.out.address, out.size, seed, junk,
                             "in the system pages");
    }
    close_bench(&bench);
}

/* ---- Fill, DiscardContent ---- */

static void fill(struct vidmm_lab *lab, uint64_t size, uint32_t pattern)
{
    DXGKARG_BUILDPAGINGBUFFER a;
    struct bench bench;
    uint64_t wrong = 0, first = 0;

    if (!open_bench(&bench, lab, size, 1))
        return;
    vidmm_board_operation(lab->rig->board, "Fill of %llu KiB of segment %u with 0x%08x",
                          (unsigned long long)(bench.size / KIB), bench.segment, pattern);
    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_FILL;
    a.Fill.hAllocation = bench.allocation ? bench.allocation->kmd : NULL;
    a.Fill.FillSize = bench.size;
    a.Fill.FillPattern = pattern;
    a.Fill.Destination.SegmentId = bench.segment;
    a.Fill.Destination.SegmentAddress.QuadPart =
        (LONGLONG)(lab->rig->segments[bench.segment].base + bench.address);
    if (surround(&bench) && vidmm_rig_build(lab->rig, &a) == VIDMM_RIG_BUILT &&
        vidmm_rig_finish(lab->rig) && look(&bench)) {
        for (uint64_t i = 0; i < bench.size; i += sizeof(pattern))
            if (memcmp(bench.bytes + PAGE + i, &pattern, sizeof(pattern)) != 0 && wrong++ == 0)
                first = i;
        vidmm_board_step(lab->rig->board)->bytes += bench.size;
        if (wrong)
            vidmm_check_find(lab->rig->board, VIDMM_CHECK_CONTENT, lab->rig->record,
                             "in the segment: 0x%llx of 0x%llx bytes are not 0x%08x, the first at "
                             "0x%llx: %s",
                             (unsigned long long)wrong * 4, (unsigned long long)bench.size, pattern,
                             (unsigned long long)first,
                             vidmm_lab_match(bench.bytes + PAGE, bench.size, bench.before) ==
                                     bench.size
                                 ? "nothing was filled"
                                 : "the fill is not complete");
    }
    close_bench(&bench);
}

static void discard_of(const struct bench *bench, DXGKARG_BUILDPAGINGBUFFER *a)
{
    memset(a, 0, sizeof(*a));
    a->Operation = DXGK_OPERATION_DISCARD_CONTENT;
    a->DiscardContent.hAllocation = bench->allocation ? bench->allocation->kmd : NULL;
    a->DiscardContent.SegmentId = bench->segment;
    a->DiscardContent.SegmentAddress.QuadPart =
        (LONGLONG)(bench->lab->rig->segments[bench->segment].base + bench->address);
}

static void discard(struct vidmm_lab *lab, uint64_t size)
{
    DXGKARG_BUILDPAGINGBUFFER a;
    struct bench bench;

    if (!open_bench(&bench, lab, size, 0))
        return;
    vidmm_board_operation(lab->rig->board, "DiscardContent in segment %u", bench.segment);
    discard_of(&bench, &a);
    if (bench.allocation && surround(&bench) && vidmm_rig_build(lab->rig, &a) == VIDMM_RIG_BUILT &&
        vidmm_rig_finish(lab->rig))
        look(&bench);
    close_bench(&bench);
}

/* ---- ReadPhysical, WritePhysical ---- */

/* obeys S4-035 to S4-038. Both operations are for memory of the AGP, and a driver of a GPU that has
 * none may leave them out; bytes that stay may have been written as they were. So this is a
 * note. */
static void judge_access(struct vidmm_lab *lab, DXGK_BUILDPAGINGBUFFER_OPERATION operation,
                         bool stay)
{
    bool nothing = (lab->rig->board->seen.by_cpu >> operation & 1) != 0;

    if (operation == DXGK_OPERATION_READ_PHYSICAL && nothing)
        vidmm_rig_breach(lab->rig, VIDMM_RULE_S4_035, false,
                         "ReadPhysical wrote no commands: no GPU reads, unless registers had it do "
                         "so");
    if (operation == DXGK_OPERATION_WRITE_PHYSICAL && stay)
        vidmm_rig_breach(lab->rig, nothing ? VIDMM_RULE_S4_038 : VIDMM_RULE_S4_037, false,
                         "WritePhysical wrote %s, and all bytes are as they were",
                         nothing ? "no commands" : "commands");
}

/* The GPU may write eight bytes at most. */
static void physical(struct vidmm_lab *lab, DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    bool write = operation == DXGK_OPERATION_WRITE_PHYSICAL;
    DXGKARG_BUILDPAGINGBUFFER a;
    struct bench bench;

    if (!open_bench(&bench, lab, PAGE, 0))
        return;
    vidmm_board_operation(lab->rig->board, "%s in segment %u",
                          write ? "WritePhysical" : "ReadPhysical", bench.segment);
    memset(&a, 0, sizeof(a));
    a.Operation = operation;
    a.ReadPhysical.SegmentId = bench.segment;
    a.ReadPhysical.PhysicalAddress.QuadPart =
        (LONGLONG)(lab->rig->segments[bench.segment].base + bench.address);
    if (surround(&bench) && vidmm_rig_build(lab->rig, &a) == VIDMM_RIG_BUILT &&
        vidmm_rig_finish(lab->rig) && look(&bench)) {
        uint8_t *bytes = bench.bytes + PAGE;

        judge_access(lab, operation, vidmm_lab_match(bytes, 8, bench.before) == 8);
        if (write) /* whatever bytes they are now */
            vidmm_lab_fill(bytes, 8, bench.before);
        vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bytes, bench.size, bench.before, 0,
                         "around the 8 bytes");
    }
    close_bench(&bench);
}

/* ---- many in flight ---- */

enum { FLIGHT = 64, BUSY = 16 };

static bool send(struct bench *benches, unsigned count, bool in)
{
    for (unsigned n = 0; n < count; n++) {
        unsigned i = in ? n : count - 1 - n;
        struct vidmm_lab_transfer t = whole(&benches[i], in);

        if (vidmm_lab_transfer(benches[i].lab, &t) != VIDMM_RIG_BUILT ||
            !vidmm_rig_submit(benches[i].lab->rig))
            return false;
    }
    return vidmm_rig_finish(benches[0].lab->rig);
}

static unsigned line_up(struct vidmm_lab *lab, struct bench *benches, uint64_t *seeds,
                        unsigned most)
{
    unsigned count = 0;
    uint64_t at = PAGE;

    for (; count < most; count++) {
        struct bench *bench = &benches[count];

        if (!open_bench(bench, lab, 16 * KIB, 0))
            break;
        uint64_t alignment = bench->allocation && bench->allocation->info.Alignment > PAGE
                                 ? bench->allocation->info.Alignment
                                 : PAGE;
        bench->address = round_up(at, alignment);
        at = bench->address + bench->size;
        if (at + PAGE > lab->rig->segments[bench->segment].size) {
            close_bench(bench);
            break;
        }
        seeds[count] = vidmm_lab_seed(lab);
        bench->before = vidmm_lab_seed(lab);
        vidmm_lab_fill(bench->in.address, bench->size, seeds[count]);
        vidmm_lab_put(lab, bench->segment, bench->address, bench->size, bench->before);
        vidmm_lab_fill(bench->out.address, bench->size, bench->before);
    }
    return count;
}

static void many_in_flight(struct vidmm_lab *lab)
{
    static struct bench benches[FLIGHT];
    uint64_t seeds[FLIGHT];
    unsigned most = lab->rig->habits->queue_limit + 1;
    unsigned count = line_up(lab, benches, seeds, most < FLIGHT ? most : FLIGHT);
    bool done;

    if (count == 0)
        return;
    vidmm_board_operation(lab->rig->board, "%u Transfers, each in a submission of its own", count);
    done = send(benches, count, true) && send(benches, count, false);
    for (unsigned i = 0; done && i < count; i++)
        vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, benches[i].out.address, benches[i].size,
                         seeds[i], benches[i].before, "in the system pages, there and back");
    while (count > 0)
        close_bench(&benches[--count]);
}

/* Every one of them, the newest first, so that most of the queue is still before it. */
static bool send_back(struct bench *benches, unsigned count)
{
    bool done = true;

    for (unsigned i = count; done && i > 0; i--) {
        struct vidmm_lab_transfer out = whole(&benches[i - 1], false);

        done = vidmm_lab_transfer(benches[i - 1].lab, &out) == VIDMM_RIG_BUILT &&
               vidmm_rig_submit(benches[i - 1].lab->rig);
    }
    return done;
}

/* ... the last that was sent first. */
static bool discard_all(struct bench *benches, unsigned count)
{
    DXGKARG_BUILDPAGINGBUFFER a;
    bool done = true;

    for (unsigned i = 0; done && i < count; i++) {
        discard_of(&benches[i], &a);
        done = !benches[i].allocation ||
               (vidmm_rig_build(benches[i].lab->rig, &a) == VIDMM_RIG_BUILT &&
                vidmm_rig_submit(benches[i].lab->rig));
    }
    return done;
}

static bool send_in(struct bench *benches, unsigned count)
{
    bool done = true;

    for (unsigned i = 0; done && i < count; i++) {
        struct vidmm_lab_transfer in = whole(&benches[i], true);

        done = vidmm_lab_transfer(benches[i].lab, &in) == VIDMM_RIG_BUILT &&
               vidmm_rig_submit(benches[i].lab->rig);
    }
    return done;
}

/* obeys S4-025, S4-034: AllocationIsIdle is clear, and the GPU is busy with each allocation that is
 * named. A driver that does such an operation while it builds it does it too early: a transfer out
 * before the one that goes in, a discard before the one that goes out. */
static void busy(struct vidmm_lab *lab, bool discards)
{
    static struct bench benches[FLIGHT];
    struct vidmm_rig *rig = lab->rig;
    uint64_t seeds[FLIGHT];
    unsigned count = line_up(lab, benches, seeds, BUSY);
    bool done = count > 0;

    vidmm_board_operation(rig->board,
                          "%u Transfers in, and out again%s, with AllocationIsIdle "
                          "clear and nothing waited for",
                          count, discards ? "; then DiscardContent of each" : "");
    done = done && send_in(benches, count) && (!discards || vidmm_rig_finish(rig)) &&
           send_back(benches, count) && (!discards || discard_all(benches, count));
    done = vidmm_rig_finish(rig) && done;
    for (unsigned i = 0; done && i < count; i++)
        vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, benches[i].out.address, benches[i].size,
                         seeds[i], benches[i].before,
                         "in the system pages, of an allocation that was busy");
    while (count > 0)
        close_bench(&benches[--count]);
}

/* A list of one page, which lives until the fence (kit.md, 3). */
struct one_page {
    MDL mdl;
    PFN_NUMBER frame;
};

enum { PACKED = 64 };

static bool pack(struct bench *bench, bool in, uint64_t pages, struct one_page *lists)
{
    struct vidmm_lab_transfer t = whole(bench, in);
    const struct vidmm_rig_pages *all = t.pages;
    bool done = true;

    t.allocation = NULL; /* raw, so that each is a whole transfer */
    t.size = PAGE;
    for (uint64_t i = 0; done && i < pages; i++) {
        struct vidmm_rig_pages page = {.mdl = &lists[i].mdl, .count = 1};

        lists[i] = (struct one_page){*all->mdl, all->frames[i]};
        lists[i].mdl.ByteCount = PAGE;
        t.pages = &page;
        t.address = bench->address + i * PAGE;
        done = vidmm_lab_transfer(bench->lab, &t) == VIDMM_RIG_BUILT;
    }
    return vidmm_rig_finish(bench->lab->rig) && done;
}

/* Operations packed into as few paging buffers as they fit. */
static void packed(struct vidmm_lab *lab)
{
    static struct one_page lists[2][PACKED];
    struct bench bench;
    uint64_t seed = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab);

    if (!open_bench(&bench, lab, PACKED * PAGE, 1))
        return;
    uint64_t pages = bench.size / PAGE < PACKED ? bench.size / PAGE : PACKED;
    vidmm_board_operation(lab->rig->board, "%llu Transfers of one page each, packed",
                          (unsigned long long)pages);
    vidmm_lab_fill(bench.in.address, bench.size, seed);
    vidmm_lab_fill(bench.out.address, bench.size, junk);
    if (surround(&bench) && pack(&bench, true, pages, lists[0]) &&
        pack(&bench, false, pages, lists[1]))
        vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, bench.out.address, pages * PAGE, seed, junk,
                         "in the system pages, there and back");
    close_bench(&bench);
}

/* ---- all of it ---- */

static void try_transfers(struct vidmm_lab *lab)
{
    struct vidmm_board *board = lab->rig->board;

    if (vidmm_board_try(board, "segment %u: Transfer, whole", lab->memory))
        for (size_t i = 0; i < SIZES; i++)
            transfer_whole(lab, sizes[i], (unsigned)(i % 3));
    if (vidmm_board_try(board, "segment %u: Transfer, its device gone", lab->memory)) {
        lab->rig->share = true;
        transfer_whole(lab, 64 * KIB, 1);
        lab->rig->share = false;
    }
    if (vidmm_board_try(board, "segment %u: Transfer, in parts", lab->memory)) {
        if (lab->rig->habits->split == VIDMM_SPLIT_OFF)
            vidmm_board_skip(board, "the configuration says: split off");
        else
            try_split(lab);
        for (size_t i = 1; i < SIZES && lab->rig->habits->split != VIDMM_SPLIT_OFF; i++)
            transfer_split(lab, sizes[i]);
    }
    if (vidmm_board_try(board, "segment %u: Transfer without an allocation", lab->memory))
        for (size_t i = 2; i < SIZES; i++)
            transfer_raw(lab, sizes[i]);
    if (vidmm_board_try(board, "segment %u: Transfers packed, many in flight", lab->memory)) {
        packed(lab);
        many_in_flight(lab);
    }
    if (vidmm_board_try(board, "segment %u: Transfer and discard, while busy", lab->memory)) {
        busy(lab, false);
        busy(lab, true);
    }
}

static void check_segment(struct vidmm_lab *lab)
{
    struct vidmm_board *board = lab->rig->board;

    try_transfers(lab);
    vidmm_check_protected(lab);
    if (vidmm_board_try(board, "segment %u: Fill", lab->memory))
        for (size_t i = 0; i < SIZES; i++)
            fill(lab, sizes[i], i % 2 ? 0x12345678u : 0);
    if (vidmm_board_try(board, "segment %u: DiscardContent", lab->memory))
        discard(lab, 64 * KIB);
    if (lab->rig->level < VIDMM_LEVEL(2, 0) &&
        vidmm_board_try(board, "segment %u: ReadPhysical, WritePhysical", lab->memory)) {
        physical(lab, DXGK_OPERATION_READ_PHYSICAL);
        physical(lab, DXGK_OPERATION_WRITE_PHYSICAL);
    }
}

/* How far apart its rows are is the driver's own secret. */
static void skip_rows(const struct vidmm_rig *rig, uint32_t id)
{
    char name[64];

    snprintf(name, sizeof(name), "segment %u", id);
    vidmm_board_begin(rig->board, name);
    vidmm_board_skip(rig->board, "PitchAlignment: where a byte lies is the driver's own choice");
}

void vidmm_check_memory(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    uint32_t kept = lab->memory;

    for (uint32_t id = 1; id <= rig->segment_count && !rig->dead; id++) {
        if (rig->segments[id].flags.Aperture)
            continue;
        if (rig->segments[id].flags.PitchAlignment) {
            skip_rows(rig, id);
            continue;
        }
        lab->memory = id;
        check_segment(lab);
    }
    lab->memory = kept;
}
