/* lab.c: patterns, and looking for them. */
#include "check/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/page.h>

uint64_t vidmm_lab_seed(struct vidmm_lab *lab)
{
    return ++lab->seed * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t word_at(uint64_t seed, uint64_t index)
{
    uint64_t x = seed + (index + 1) * UINT64_C(0xBF58476D1CE4E5B9);

    x ^= x >> 29;
    x *= UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 32;
}

void vidmm_lab_fill(void *bytes, uint64_t size, uint64_t seed)
{
    for (uint64_t i = 0; i < size / 8; i++) {
        uint64_t word = word_at(seed, i);

        memcpy((uint8_t *)bytes + i * 8, &word, 8);
    }
}

uint64_t vidmm_lab_match(const void *bytes, uint64_t size, uint64_t seed)
{
    uint64_t i = 0;

    for (; i < size / 8; i++) {
        uint64_t word = word_at(seed, i);

        if (memcmp((const uint8_t *)bytes + i * 8, &word, 8) != 0)
            break;
    }
    return i * 8;
}

/* Describe the bytes found in place of those expected. */
static const char *describe(const uint8_t *bytes, uint64_t size, uint64_t at, uint64_t seed,
                            uint64_t before, char *text, size_t text_size)
{
    uint64_t found, word, zero = 0;

    memcpy(&found, bytes + at, 8);
    word = word_at(before, at / 8);
    if (memcmp(&found, &word, 8) == 0)
        return vidmm_lab_match(bytes, size, before) == size
                   ? "what was there before: nothing was moved"
                   : "what was there before";
    if (memcmp(&found, &zero, 8) == 0)
        return "zeros";
    for (uint64_t i = 0; i < size / 8; i++) {
        word = word_at(seed, i);
        if (memcmp(&found, &word, 8) == 0) {
            snprintf(text, text_size, "what belongs to byte 0x%llx: the bytes are displaced",
                     (unsigned long long)i * 8);
            return text;
        }
    }
    snprintf(text, text_size, "0x%016llx", (unsigned long long)found);
    return text;
}

bool vidmm_lab_expect(struct vidmm_lab *lab, enum vidmm_check_finding_id id, const void *bytes,
                      uint64_t size, uint64_t seed, uint64_t before, const char *what)
{
    uint64_t at = vidmm_lab_match(bytes, size, seed), wrong = 0;
    char text[120];

    vidmm_board_step(lab->rig->board)->bytes += size;
    if (at == size)
        return true;
    for (uint64_t i = at / 8; i < size / 8; i++) {
        uint64_t word = word_at(seed, i);

        wrong += memcmp((const uint8_t *)bytes + i * 8, &word, 8) != 0 ? 8 : 0;
    }
    vidmm_check_find(lab->rig->board, id, lab->rig->record,
                     "%s: 0x%llx of 0x%llx bytes are wrong, the first at 0x%llx: there is %s", what,
                     (unsigned long long)wrong, (unsigned long long)size, (unsigned long long)at,
                     describe(bytes, size, at, seed, before, text, sizeof(text)));
    return false;
}

/* ---- transfers ---- */

enum vidmm_rig_answer vidmm_lab_transfer(struct vidmm_lab *lab, const struct vidmm_lab_transfer *t)
{
    DXGKARG_BUILDPAGINGBUFFER a;
    LONGLONG address = (LONGLONG)(lab->rig->segments[t->segment].base + t->address +
                                  (t->by_address ? t->offset : 0));

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_TRANSFER;
    a.Transfer.hAllocation = t->allocation ? t->allocation->kmd : NULL;
    a.Transfer.TransferOffset = (UINT)t->offset;
    a.Transfer.TransferSize = t->size;
    a.Transfer.MdlOffset = (UINT)(t->offset / VIDMM_PAGE_SIZE);
    a.Transfer.Flags.TransferStart = t->start;
    a.Transfer.Flags.TransferEnd = t->end;
    if (t->in) {
        a.Transfer.Source.pMdl = t->pages->mdl;
        a.Transfer.Destination.SegmentId = t->segment;
        a.Transfer.Destination.SegmentAddress.QuadPart = address;
    } else {
        a.Transfer.Source.SegmentId = t->segment;
        a.Transfer.Source.SegmentAddress.QuadPart = address;
        a.Transfer.Destination.pMdl = t->pages->mdl;
    }
    return vidmm_rig_build(lab->rig, &a);
}

enum vidmm_rig_answer vidmm_lab_copy(struct vidmm_lab *lab, uint32_t from, uint64_t from_address,
                                     uint32_t to, uint64_t to_address, uint64_t size)
{
    enum vidmm_rig_answer answer;
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_TRANSFER;
    a.Transfer.TransferSize = size;
    a.Transfer.Flags.TransferStart = a.Transfer.Flags.TransferEnd = 1;
    a.Transfer.Source.SegmentId = from;
    a.Transfer.Source.SegmentAddress.QuadPart =
        (LONGLONG)(lab->rig->segments[from].base + from_address);
    a.Transfer.Destination.SegmentId = to;
    a.Transfer.Destination.SegmentAddress.QuadPart =
        (LONGLONG)(lab->rig->segments[to].base + to_address);
    lab->rig->looking = true;
    answer = vidmm_rig_build(lab->rig, &a);
    lab->rig->looking = false;
    return answer;
}

/* Raw bytes through the window, a part at a time. */
static bool through_window(struct vidmm_lab *lab, uint32_t segment, uint64_t address, uint64_t size,
                           bool in)
{
    struct vidmm_lab_transfer t = {.pages = &lab->window,
                                   .segment = segment,
                                   .address = address,
                                   .size = size,
                                   .in = in,
                                   .start = true,
                                   .end = true};

    bool done;

    lab->rig->looking = true;
    done = vidmm_lab_transfer(lab, &t) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig);
    lab->rig->looking = false;
    return done;
}

static uint64_t window_size(const struct vidmm_lab *lab)
{
    return lab->window.count * VIDMM_PAGE_SIZE;
}

bool vidmm_lab_put(struct vidmm_lab *lab, uint32_t segment, uint64_t address, uint64_t size,
                   uint64_t seed)
{
    uint8_t *cpu = lab->rig->segments[segment].cpu;
    bool done = true;

    if (cpu) {
        vidmm_lab_fill(cpu + address, size, seed);
        return true;
    }
    uint8_t *bytes = malloc(size);
    if (!bytes)
        return false;
    vidmm_lab_fill(bytes, size, seed);
    for (uint64_t at = 0; done && at < size; at += window_size(lab)) {
        uint64_t part = size - at < window_size(lab) ? size - at : window_size(lab);

        memcpy(lab->window.address, bytes + at, part);
        done = through_window(lab, segment, address + at, part, true);
    }
    free(bytes);
    return done;
}

bool vidmm_lab_look(struct vidmm_lab *lab, uint32_t segment, uint64_t address, uint64_t size,
                    void *bytes)
{
    const uint8_t *cpu = lab->rig->segments[segment].cpu;
    bool done = true;

    if (cpu) {
        memcpy(bytes, cpu + address, size);
        return true;
    }
    for (uint64_t at = 0; done && at < size; at += window_size(lab)) {
        uint64_t part = size - at < window_size(lab) ? size - at : window_size(lab);

        memset(lab->window.address, 0x5A, part);
        done = through_window(lab, segment, address + at, part, false);
        memcpy((uint8_t *)bytes + at, lab->window.address, part);
    }
    return done;
}
