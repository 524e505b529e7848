/* lies.c: the lies, and a program for each that makes it matter. */
#include "lies.h"

#define BY_ADDRESS                                                                                 \
    "wddm 2.6\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\nmmu gpu\n"                   \
    "paging_buffer_segment 1\n"

/* ... and the CPU writes the fences of paging queues. */
#define BY_ADDRESS_AND_CPU                                                                         \
    "wddm 2.1\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\nmmu gpu\n"                   \
    "paging_buffer_segment 1\n"

/* Bits of an allocation: ExplicitResidencyNotification, and what it is for. */
enum { ACCESSED_PHYSICALLY = 0x8000, NOTIFIES = 0x10000 };

#define WINDOWED "wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M hostaperture\n"

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

/* Three allocations are seen by the CPU in a window that has room for two of them. */
static void look_through_the_window(struct trial *trial)
{
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t which = 0; which < 3; which++)
            trial_show(trial, which, 7);
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

/* Eight allocations of 40 pages, resident in turn in a memory that page tables share. */
static void page_in_turn(struct trial *trial)
{
    uint32_t which, round;

    for (which = 0; which < 8; which++)
        trial_map(trial, which, 40, false);
    for (round = 0; round < 3; round++) {
        for (which = 0; which < 8; which++) {
            trial_return(trial, which);
            trial_use(trial, which, true);
            trial_leave(trial, which);
        }
    }
}

/* Each comes to the place of another, since they come in another order than before. */
static void page_by_turns(struct trial *trial)
{
    uint32_t which, round;

    for (which = 0; which < 8; which++)
        trial_map(trial, which, which % 2 == 0 ? 20 : 60, false);
    for (round = 0; round < 4; round++) {
        for (which = 0; which < 8; which++) {
            uint32_t one = (which * (2 * round + 1) + round) % 8;

            trial_return(trial, one);
            trial_return(trial, (one + 4) % 8);
            trial_use(trial, one, true);
            trial_use(trial, (one + 4) % 8, true);
            trial_leave(trial, one);
            trial_leave(trial, (one + 4) % 8);
        }
    }
}

/* Mapped where it was at first. */
static void page_elsewhere(struct trial *trial)
{
    uint32_t which, round;

    for (which = 0; which < 8; which++) {
        trial_map(trial, which, which % 2 == 0 ? 20 : 60, true);
        trial_use(trial, which, true);
        trial_leave(trial, which);
    }
    for (round = 0; round < 3; round++) {
        for (which = 8; which-- > 0;) {
            trial_return(trial, which);
            trial_return(trial, (which + 3) % 8);
            trial_use(trial, which, true);
            trial_leave(trial, which);
            trial_leave(trial, (which + 3) % 8);
        }
    }
}

/* Twice requested, and once evicted. */
static void count_twice(struct trial *trial)
{
    for (uint32_t which = 0; which < 2; which++) {
        trial_map(trial, which, 40, false);
        trial_return(trial, which);
        trial_return(trial, which);
        trial_use(trial, which, true);
        trial_leave(trial, which);
        trial_use(trial, which, true);
        trial_leave(trial, which);
    }
}

/* 80 pages are resident, and the budget is 50 from then on. */
static void live_on_a_budget(struct trial *trial)
{
    for (uint32_t which = 0; which < 3; which++)
        trial_map(trial, which, 40, false);
    trial_return(trial, 0);
    trial_return(trial, 1);
    trial_use(trial, 0, true);
    trial_limit(trial, 50, 2, 30);
    trial_leave(trial, 0);
    trial_leave(trial, 1);
}

/* Four allocations get another address each, behind a fence. */
static void change_behind_fences(struct trial *trial)
{
    for (uint32_t which = 0; which < 4; which++) {
        trial_map(trial, which, 20, true);
        trial_use(trial, which, true);
        trial_change(trial, which);
        trial_use(trial, which, true);
        trial_leave(trial, which);
    }
}

/* Something in use leaves, and something else comes to its place. */
static void leave_in_use(struct trial *trial)
{
    uint32_t which, round;

    for (which = 0; which < 6; which++)
        trial_map(trial, which, 100, false);
    for (round = 0; round < 4; round++) {
        for (which = 0; which < 6; which++) {
            trial_return(trial, which);
            trial_use(trial, which, false);
            trial_leave(trial, which);
        }
    }
}

/* Its addresses are freed while the GPU uses it; each has a leaf of its own. */
static void move_in_use(struct trial *trial)
{
    for (uint32_t which = 0; which < 4; which++)
        trial_map(trial, which, 40, true);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t which = 0; which < 4; which++) {
            trial_use(trial, which, false);
            trial_move(trial, which);
        }
    }
}

/* Something in use is destroyed, and addresses of something else change. */
static void destroy_in_use(struct trial *trial)
{
    trial_map(trial, 4, 40, true);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t which = 0; which < 4; which++) {
            trial_map(trial, which, 40, true);
            trial_use(trial, which, false);
            trial_destroy(trial, which);
            trial_move(trial, 4);
        }
    }
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
    [LIE_NO_FORGETTING - 1] =
        {
            .name = "a_tlb_that_is_not_flushed",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_W_012,
            .seen = SEEN_BY_AUDITOR,
            .program = page_by_turns,
            .by_address = true,
        },
    [LIE_SCRATCH_STALE - 1] =
        {
            .name = "a_scratch_range_that_is_not_flushed",
            .gpu = BY_ADDRESS_AND_CPU,
            .rule = VIDMM_RULE_D_388,
            .seen = SEEN_BY_AUDITOR,
            .program = page_by_turns,
            .by_address = true,
        },
    [LIE_STALE_ENTRY - 1] =
        {
            .name = "an_entry_for_a_place_of_before",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_IN_CONTENTS,
            .program = page_elsewhere,
            .by_address = true,
        },
    [LIE_EARLY_SIGNAL - 1] =
        {
            .name = "a_signal_before_the_bytes",
            .gpu = BY_ADDRESS_AND_CPU,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_BY_PROGRAM,
            .program = page_in_turn,
            .by_address = true,
        },
    [LIE_COUNT_LOST - 1] =
        {
            .name = "an_eviction_of_what_is_counted",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_AS_PAGE_FAULT,
            .program = count_twice,
            .by_address = true,
        },
    [LIE_WRONG_PROCESS - 1] =
        {
            .name = "an_update_of_another_process",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_D_127,
            .seen = SEEN_BY_AUDITOR,
            .program = page_in_turn,
            .by_address = true,
        },
    [LIE_LARGE_HOLE - 1] =
        {
            .name = "a_large_page_over_a_hole",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_D_123,
            .seen = SEEN_BY_AUDITOR,
            .program = page_in_turn,
            .by_address = true,
        },
    [LIE_NO_ROOT - 1] =
        {
            .name = "a_root_that_is_not_set",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_W_013,
            .seen = SEEN_BY_AUDITOR,
            .program = page_in_turn,
            .by_address = true,
        },
    [LIE_NOT_ZERO - 1] =
        {
            .name = "a_fill_with_something_else",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_IN_CONTENTS,
            .program = page_in_turn,
            .by_address = true,
        },
    [LIE_NO_BUDGET - 1] =
        {
            .name = "a_budget_that_is_ignored",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_BY_PROGRAM,
            .program = live_on_a_budget,
            .by_address = true,
        },
    [LIE_NO_TRIM - 1] =
        {
            .name = "a_trim_that_nobody_hears_of",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_BY_PROGRAM,
            .program = live_on_a_budget,
            .by_address = true,
        },
    [LIE_USED_EVICTED - 1] =
        {
            .name = "an_eviction_of_what_is_in_use",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_AS_PAGE_FAULT,
            .program = leave_in_use,
            .by_address = true,
        },
    [LIE_NOT_CLEARED - 1] =
        {
            .name = "a_table_that_is_not_cleared",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_D_120,
            .seen = SEEN_BY_AUDITOR,
            .program = page_in_turn,
            .by_address = true,
        },
    [LIE_BYTES_FOR_PAGES - 1] =
        {
            .name = "an_entry_in_bytes",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_D_121,
            .seen = SEEN_BY_AUDITOR,
            .program = page_in_turn,
            .by_address = true,
        },
    [LIE_COMPANION_STRAYS - 1] =
        {
            .name = "a_companion_on_another_node",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_D_266,
            .seen = SEEN_BY_AUDITOR,
            .program = change_behind_fences,
            .by_address = true,
        },
    [LIE_NEXT_HOST_PAGE - 1] =
        {
            .name = "a_window_on_the_page_behind",
            .gpu = WINDOWED,
            .rule = VIDMM_RULE_D_176,
            .seen = SEEN_BY_AUDITOR | SEEN_IN_CONTENTS,
            .program = look_through_the_window,
            .by_lock2 = true,
        },
    [LIE_UNMAP_TWICE - 1] =
        {
            .name = "a_window_unmapped_twice",
            .gpu = WINDOWED,
            .rule = VIDMM_RULE_D_177,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_REFUSAL | SEEN_AS_END,
            .program = look_through_the_window,
            .by_lock2 = true,
        },
    [LIE_TABLE_DROPPED - 1] =
        {
            .name = "a_table_that_goes_while_it_is_used",
            .gpu = BY_ADDRESS "idle_updates on\n",
            .rule = VIDMM_RULE_COUNT, /* D-132: the auditor does not know when a packet ends */
            .seen = SEEN_AS_PAGE_FAULT,
            .program = move_in_use,
            .by_address = true,
        },
    [LIE_EARLY_END - 1] =
        {
            .name = "a_destruction_that_does_not_wait",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_COUNT,
            .seen = SEEN_AS_PAGE_FAULT,
            .program = destroy_in_use,
            .by_address = true,
        },
    [LIE_NO_NOTICE - 1] =
        {
            .name = "a_departure_that_nobody_hears_of",
            .gpu = BY_ADDRESS,
            .rule = VIDMM_RULE_D_142,
            .seen = SEEN_BY_AUDITOR | SEEN_AS_REFUSAL,
            .program = page_in_turn,
            .by_address = true,
            .flags = NOTIFIES | ACCESSED_PHYSICALLY,
        },
};
