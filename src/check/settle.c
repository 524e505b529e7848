/* settle.c: the board, made whole. The driver's process can write to it by a wild pointer. */
#include "check/board.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the character that begins here; 0: it is none. */
static size_t character(const unsigned char *at, size_t room)
{
    size_t size = *at < 0x80                  ? 1
                  : *at >= 0xC2 && *at < 0xE0 ? 2
                  : *at >= 0xE0 && *at < 0xF0 ? 3
                                              : 0;

    if (*at >= 0xF0 && *at < 0xF5)
        size = 4;
    for (size_t i = 1; i < size; i++)
        if (i >= room || (at[i] & 0xC0) != 0x80)
            return 0;
    return size;
}

/* End it, and let it have nothing that cannot be printed. False: it had no end. */
static bool settle_text(char *text, size_t size)
{
    unsigned char *at = (unsigned char *)text, *end = at + size - 1;
    bool ended = memchr(text, 0, size) != NULL;

    *end = 0;
    while (*at) {
        size_t length = character(at, (size_t)(end - at));

        if (length == 0 || (*at < 0x20 && *at != '\n') || *at == 0x7F)
            *at = '?';
        at += length > 1 ? length : 1;
    }
    return ended;
}
#define TEXT(text) settle_text((text), sizeof(text))

static bool settle_count(atomic_uint *count, unsigned most)
{
    if (atomic_load(count) <= most)
        return true;
    atomic_store(count, most);
    return false;
}

/* A byte that a wild pointer has written may be neither true nor false, and is not to be read as
 * one before this. */
static bool settle_flag(void *flag)
{
    unsigned char *byte = flag;
    bool whole = *byte <= 1;

    if (!whole)
        *byte = 0;
    return whole;
}
_Static_assert(sizeof(bool) == 1 && sizeof(atomic_bool) == 1, "a flag is a byte");

static bool settle_finding(struct vidmm_board_finding *finding)
{
    bool whole = settle_flag(&finding->ready);

    whole &= TEXT(finding->id);
    whole &= TEXT(finding->sentence);
    whole &= TEXT(finding->document);
    whole &= TEXT(finding->operation);
    whole &= TEXT(finding->text);
    whole &= TEXT(finding->before);
    return (whole & TEXT(finding->record)) != 0;
}

static bool settle_trace(struct vidmm_board_trace *trace)
{
    bool whole = settle_flag(&trace->ready);

    whole &= TEXT(trace->what) && trace->count <= VIDMM_BOARD_FRAMES;
    if (trace->count > VIDMM_BOARD_FRAMES)
        trace->count = VIDMM_BOARD_FRAMES;
    for (unsigned i = 0; i < VIDMM_BOARD_FRAMES; i++)
        whole &= TEXT(trace->frames[i].file);
    return whole;
}

/* B2 of board.c: findings and notes may be more than there is room for; but not without end. */
enum { FINDINGS_MOST = 1 << 30 };

static bool settle_all(struct vidmm_board *board)
{
    bool whole = settle_count(&board->finding_count, FINDINGS_MOST);

    whole &= settle_count(&board->note_count, FINDINGS_MOST);
    whole &= settle_count(&board->fact_count, VIDMM_BOARD_FACTS);
    whole &= settle_count(&board->start_count, VIDMM_BOARD_STARTS);
    whole &= settle_count(&board->step_count, VIDMM_BOARD_STEPS);
    whole &= settle_count(&board->step, VIDMM_BOARD_STEPS);
    whole &= board->steps_before <= VIDMM_BOARD_STEPS;
    whole &= settle_count(&board->end, VIDMM_BOARD_COULD_NOT_RUN);
    for (unsigned i = 0; i < VIDMM_BOARD_FINDINGS; i++) {
        whole &= settle_finding(&board->findings[i]);
        whole &= settle_finding(&board->notes[i]);
    }
    for (unsigned i = 0; i < VIDMM_BOARD_FACTS; i++)
        whole &= TEXT(board->facts[i]);
    for (unsigned i = 0; i < VIDMM_BOARD_STARTS; i++) {
        whole &= TEXT(board->starts[i].call);
        whole &= TEXT(board->starts[i].answer);
    }
    whole &= TEXT(board->start_end);
    for (unsigned i = 0; i < VIDMM_BOARD_STEPS; i++) {
        whole &= TEXT(board->steps[i].name);
        whole &= TEXT(board->steps[i].skipped);
        whole &= settle_flag(&board->steps[i].done);
    }
    for (unsigned i = 0; i < VIDMM_BOARD_TRACES; i++)
        whole &= settle_trace(&board->traces[i]);
    whole &= TEXT(board->operation);
    whole &= TEXT(board->only);
    whole &= TEXT(board->passed);
    whole &= TEXT(board->problem);
    whole &= settle_flag(&board->out_of_memory);
    whole &= settle_flag(&board->more);
    whole &= settle_flag(&board->lenient);
    return whole && board->seals[0] == VIDMM_BOARD_SEAL && board->seals[1] == ~VIDMM_BOARD_SEAL;
}

void vidmm_board_settle(struct vidmm_board *board, bool plugin)
{
    static const char what[] = "the pages on which its process tells the tool what it sees were "
                               "written over: what stands there is not believed";

    if (settle_all(board))
        return;
    atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
    memset(board->calls, 0, sizeof(board->calls));
    board->operation[0] = 0;
    atomic_store(&board->unconfined, 0);
    atomic_store(&board->finding_count, 0);
    atomic_store(&board->note_count, 0);
    atomic_store(&board->fact_count, 0);
    atomic_store(&board->step_count, 0);
    atomic_store(&board->step, 0);
    board->steps_before = board->findings_before = board->traces_before = 0;
    memset(board->findings, 0, sizeof(board->findings));
    memset(board->traces, 0, sizeof(board->traces));
    board->lenient = false;
    snprintf(board->problem, sizeof(board->problem), "%s%s", what,
             plugin ? "; the driver has done it, or the plug-in" : "");
    if (!plugin)
        vidmm_check_find(board, VIDMM_CHECK_REACH, "", "%s", what);
}
