/* lab_habits.c: habits that the documents leave open and drivers have in several ways, in a
 * sentence each.
 *
 * The rig counts while it works (struct vidmm_board_seen); here it is told, by the parent, so that
 * it is told of a driver that crashed, too. How transfers in parts are read is tried in
 * lab_memory.c.
 */
#include "check/check.h"
#include "miniport/configuration.h"

#include <string.h>

#include "base/text.h"
#include "wddm/fields.h"

static const char *split_words(const struct vidmm_board_seen *seen,
                               const struct vidmm_miniport_configuration *habits)
{
    switch ((enum vidmm_miniport_split)seen->split) {
    case VIDMM_SPLIT_DOCUMENTED:
        return "as documented: TransferOffset counts on the segment's side";
    case VIDMM_SPLIT_BY_ADDRESS:
        return "TransferOffset is ignored on the segment's side (configuration: split by_address)";
    case VIDMM_SPLIT_OTHER:
        return "in a way of its own (configuration: split off)";
    default:
        return habits->split == VIDMM_SPLIT_OFF ? "not tried: split off" : "not tried";
    }
}

/* Names of the operations in a set. */
static void name_operations(struct vidmm_text *text, uint32_t set)
{
    for (uint32_t operation = 0; operation < 32; operation++) {
        const char *name = vidmm_paging_operation_name((DXGK_BUILDPAGINGBUFFER_OPERATION)operation);

        if (!(set >> operation & 1) || !name)
            continue;
        vidmm_text_char(text, ' ');
        vidmm_text_string(text, name);
    }
}

void vidmm_check_habits(struct vidmm_board *board,
                        const struct vidmm_miniport_configuration *habits)
{
    const struct vidmm_board_seen *seen = &board->seen;
    char names[160];
    struct vidmm_text text;

    if (seen->packed == 0)
        return;
    vidmm_board_fact(board, "habit: batching: at most %s in a paging buffer%s",
                     vidmm_counted(seen->packed, "operation").text,
                     habits->batching ? "" : " (configuration: batching off)");
    vidmm_board_fact(board, "habit: transfers in parts: %s", split_words(seen, habits));
    vidmm_board_fact(board, "habit: in flight: %s at most; the limit is %u (configuration: queue)",
                     vidmm_counted(seen->in_flight, "submission").text, habits->queue_limit);
    vidmm_text_init(&text, names, sizeof(names));
    name_operations(&text, seen->by_cpu & ~seen->by_gpu);
    if (seen->by_cpu & ~seen->by_gpu)
        vidmm_board_fact(board, "habit: done while building, nothing written:%s", names);
}
