/* lies.c: the eighteen lies, and a program for each that makes it matter. */
#include "lies.h"

/* One allocation in the memory segment is cleared, written, and read. */
static void draw_one(struct trial *trial)
{
    trial_create(trial, 0, 20, 2);
    trial_draw(trial, 1, 1);
    trial_draw(trial, 1, 0);
    trial_touch(trial, 0);
    trial_draw(trial, 1, 1);
    trial_touch(trial, 0);
}

/* Four allocations of 20 pages in a segment of 64: each draw makes one leave that the draw before
 * it has written, most often before that has been executed. */
static void crowd(struct trial *trial)
{
    uint32_t which, round;

    for (which = 0; which < 4; which++)
        trial_create(trial, which, 20, 2);
    trial_create(trial, 4, 6, 1);
    for (round = 0; round < 4; round++) {
        for (which = 0; which < 4; which++) {
            uint32_t pair = 1u << which | 1u << (which + 1) % 4;

            trial_draw(trial, pair | 16, pair);
        }
        trial_touch(trial, round);
    }
}

/* Three allocations of 150 pages in a segment of 256: their page lists do not fit into a small
 * paging buffer. */
static void crowd_of_giants(struct trial *trial)
{
    uint32_t which, round;

    for (which = 0; which < 3; which++)
        trial_create(trial, which, 150, 2);
    for (round = 0; round < 3; round++)
        for (which = 0; which < 3; which++)
            trial_draw(trial, 1u << which, 1u << which);
}

/* One allocation in the aperture is written by the CPU and read by the GPU, in turns. */
static void take_turns(struct trial *trial)
{
    trial_create(trial, 0, 20, 1);
    for (uint32_t round = 0; round < 3; round++) {
        trial_touch(trial, 0);
        trial_draw(trial, 1, 1);
    }
}

/* Three contexts, each with 16 pages of its own, two of them on one node. The drawing of the one on
 * the other node takes the place of the first's, and the third has the node save the first late. */
static void three_contexts(struct trial *trial)
{
    uint32_t round;

    trial_create(trial, 0, 10, 2);
    trial_create(trial, 1, 36, 2);
    trial_create(trial, 2, 2, 2);
    for (round = 0; round < 3; round++) {
        trial_draw(trial, 1, 1);
        trial_touch(trial, 0); /* waits for it */
        trial_draw_by(trial, 1, 2, 2);
        trial_touch(trial, 1);
        trial_draw_by(trial, 0, 4, 4);
        trial_touch(trial, 2);
    }
}

/* One engine stops before a DMA buffer, with paging and more behind it, until it is preempted. */
static void stop_and_go(struct trial *trial)
{
    uint32_t which;

    for (which = 0; which < 3; which++)
        trial_create(trial, which, 15, 2);
    trial_draw(trial, 1, 1);
    trial_touch(trial, 0);
    trial_hang(trial, true);
    for (which = 0; which < 3; which++)
        trial_draw(trial, 1u << which, 1u << which);
    trial_touch(trial, 2);
}

/* The content of memory is lost when the adapter is reset, and a program that comes afterwards
 * begins anew. */
static void begin_anew(struct trial *trial)
{
    for (uint32_t life = 0; life < 2; life++) {
        trial_create(trial, 0, 10, 2);
        trial_draw(trial, 1, 1);
        trial_touch(trial, 0);
        trial_draw(trial, 1, 1);
        if (life == 0) {
            trial_hang(trial, false);
            trial_draw(trial, 1, 1);
            trial_lose(trial);
        }
    }
}

/* One allocation in AGP memory is written by both, in turns. */
static void take_turns_by_bridge(struct trial *trial)
{
    trial_create(trial, 0, 20, 4);
    for (uint32_t round = 0; round < 3; round++) {
        trial_draw(trial, 1, 1);
        trial_touch(trial, 0);
    }
}

/* One allocation is written; then the middle of it is read where it stands. */
static void dump_one(struct trial *trial)
{
    trial_create(trial, 0, 20, 2);
    trial_draw(trial, 1, 1);
    trial_dump(trial, 0);
    trial_draw(trial, 1, 1);
    trial_dump(trial, 0);
}

const struct lie lies[LIES] = {
    [LIE_BARE_OFFSET - 1] =
        {
            .name = "a_bare_offset",
            .rule = VIDMM_RULE_D_007,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_FAULT | SEEN_IN_CONTENTS,
            .program = draw_one,
        },
    [LIE_IDLE_FORGOTTEN - 1] =
        {
            .name = "a_forgotten_allocation_is_idle",
            .gpu = "busy first\n",
            .rule = VIDMM_RULE_S4_024,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_END,
            .program = crowd,
        },
    [LIE_MULTIPASS_TOUCHED - 1] =
        {
            .name = "a_touched_multipass_offset",
            .gpu = "memory 1M\naperture 4M\npaging_buffer 128\n",
            .rule = VIDMM_RULE_S4_016,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_END,
            .program = crowd_of_giants,
        },
    [LIE_EARLY_REUSE - 1] =
        {
            .name = "a_buffer_reused_before_its_fence",
            .gpu = "memory 1M\naperture 4M\npaging_buffer 128\n",
            .rule = VIDMM_RULE_S4_012,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_FAULT | SEEN_IN_CONTENTS,
            .program = crowd_of_giants,
            .paging_buffers = 4,
        },
    [LIE_EARLY_UNMAP - 1] =
        {
            .name = "an_unmap_before_the_fence_of_its_transfer",
            .gpu = "habit immediate\n",
            .rule = VIDMM_RULE_S4_043,
            .seen = SEEN_BY_AUDITOR | SEEN_IN_CONTENTS | SEEN_ON_DUMMY,
            .program = crowd,
            .evict_through_aperture = true,
        },
    [LIE_MDL_BYTES - 1] =
        {
            .name = "an_mdl_offset_in_bytes",
            .rule = VIDMM_RULE_D_071,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_REFUSAL | SEEN_AS_END,
            .program = crowd,
            .split_pages = 4,
        },
    [LIE_SET_BIT - 1] =
        {
            .name = "a_set_bit_taken_as_a_segment_id",
            .rule = VIDMM_RULE_S1_009,
            .seen = SEEN_BY_AUDITOR,
            .program = draw_one,
        },
    [LIE_MDL_TRANSFER - 1] =
        {
            .name = "a_transfer_offset_on_the_mdl_side",
            .rule = VIDMM_RULE_D_070,
            .seen = SEEN_BY_AUDITOR | SEEN_IN_CONTENTS,
            .program = crowd,
            .split_pages = 4,
        },
    [LIE_NO_END - 1] =
        {
            .name = "a_missing_transfer_end",
            .rule = VIDMM_RULE_S4_019,
            .seen = SEEN_BY_AUDITOR,
            .program = crowd,
        },
    [LIE_BUSY_VICTIM - 1] =
        {
            .name = "a_victim_still_in_use",
            .rule = VIDMM_RULE_D_085,
            .seen = SEEN_BY_AUDITOR | SEEN_IN_CONTENTS,
            .program = crowd,
            .paging_buffers = 4,
        },
    [LIE_NO_PATCH - 1] =
        {
            .name = "a_skipped_patch",
            .rule = VIDMM_RULE_D_081,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_FAULT | SEEN_IN_CONTENTS,
            .program = draw_one,
        },
    [LIE_NO_FLUSH - 1] =
        {
            .name = "a_cache_not_flushed",
            .rule = VIDMM_RULE_COUNT, /* no call shows it */
            .seen = SEEN_IN_CONTENTS,
            .program = take_turns,
            .caches_apart = true,
        },
    [LIE_CONTEXT_LEAVES - 1] =
        {
            .name = "a_context_that_leaves_while_it_runs",
            .gpu = "context_save memory\nengines render render copy\n",
            .rule = VIDMM_RULE_D_138,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_FAULT,
            .program = three_contexts,
        },
    [LIE_NEW_FENCE - 1] =
        {
            .name = "preempted_paging_with_a_new_fence",
            .gpu = "engines render\n",
            .rule = VIDMM_RULE_D_084,
            .seen = SEEN_BY_AUDITOR,
            .program = stop_and_go,
        },
    [LIE_COPYING_PURGE - 1] =
        {
            .name = "a_copy_after_a_reset",
            .rule = VIDMM_RULE_D_239,
            .seen = SEEN_BY_AUDITOR,
            .program = begin_anew,
        },
    [LIE_NO_SWITCH - 1] =
        {
            .name = "a_context_that_is_not_left",
            .rule = VIDMM_RULE_D_256,
            .seen = SEEN_BY_AUDITOR,
            .program = crowd,
        },
    [LIE_LEFT_POSTED - 1] =
        {
            .name = "a_write_left_in_the_bridge",
            .gpu = "segment 1 aperture 1M\nsegment 2 memory 256K cpuvisible\nsegment 3 agp 4K\n",
            .rule = VIDMM_RULE_COUNT, /* no call shows it */
            .seen = SEEN_IN_CONTENTS,
            .program = take_turns_by_bridge,
            .bridged = true,
        },
    [LIE_SHIFTED_READ - 1] =
        {
            .name = "a_read_one_page_further_on",
            .rule = VIDMM_RULE_COUNT, /* nobody but who reads knows where */
            .seen = SEEN_IN_CONTENTS,
            .program = dump_one,
        },
};
