/* lies.h: thirty-eight managers, each of which breaks one rule, and what has to see it.
 *
 *      lies.c          the table: lie, configuration, program, what catches it
 *         |
 *      test_lies.c     machine, software GPU, auditor between the two; plays the program; judges
 *         |
 *         +--- lie.c and src/vidmm with the edit of lie n: the test wants the lie found
 *         +--- lie.c and the library, n = 0: the test wants each program to come out clean
 *
 * Program and configuration of a lie are the same under both managers, so what is found under one
 * and not under the other is the lie.
 */
#ifndef TEST_LIES_LIES_H
#define TEST_LIES_LIES_H

#include <stdbool.h>
#include <stdint.h>

#include "wddm/rule.h"

/* The lies, by number; test/mutants/named.txt has the edit that makes each. */
enum {
    LIE_NONE,
    LIE_BARE_OFFSET,       /* an address in a segment without its BaseAddress */
    LIE_IDLE_FORGOTTEN,    /* the retry after BUSY without AllocationIsIdle */
    LIE_MULTIPASS_TOUCHED, /* MultipassOffset reset between the passes */
    LIE_EARLY_REUSE,       /* a paging buffer reused before its fence */
    LIE_EARLY_UNMAP,       /* the eviction aperture unmapped before the transfer ran */
    LIE_MDL_BYTES,         /* MdlOffset in bytes */
    LIE_SET_BIT,           /* bit n of a set read as segment n */
    LIE_MDL_TRANSFER,      /* TransferOffset applied to the MDL side */
    LIE_NO_END,            /* TransferEnd missing */
    LIE_BUSY_VICTIM,       /* a victim that a submitted DMA buffer still names */
    LIE_NO_PATCH,          /* DxgkDdiPatch skipped */
    LIE_NO_FLUSH,          /* the CPU's writes left in its caches */
    LIE_CONTEXT_LEAVES,    /* a context allocation moves while a node runs its context */
    LIE_NEW_FENCE,         /* preempted paging submitted again with a new fence */
    LIE_COPYING_PURGE,     /* allocations that a reset took are transferred all the same */
    LIE_NO_SWITCH,         /* a context not left before what it has used moves */
    LIE_LEFT_POSTED,       /* the GPU's writes to AGP memory left in the bridge */
    LIE_SHIFTED_READ,      /* the raw bytes of a segment read one page further on */
    LIE_NO_FORGETTING,     /* changed entries of a program are not flushed */
    LIE_SCRATCH_STALE,     /* nor those of the scratch range, but the first */
    LIE_STALE_ENTRY,       /* entries lead to the place where the allocation was */
    LIE_EARLY_SIGNAL,      /* a paging queue comes to a value before the work has ended */
    LIE_COUNT_LOST,        /* one eviction for two requests */
    LIE_WRONG_PROCESS,     /* page tables are written for another process */
    LIE_LARGE_HOLE,        /* entries that lead to tables are large pages */
    LIE_NO_ROOT,           /* a context runs without a root page table */
    LIE_NOT_ZERO,          /* new memory is filled with something else */
    LIE_NO_BUDGET,         /* more is resident than the budget */
    LIE_NO_TRIM,           /* nobody is asked to trim */
    LIE_USED_EVICTED,      /* what leaves is not waited for */
    LIE_NOT_CLEARED,       /* a table is written without InitialUpdate */
    LIE_BYTES_FOR_PAGES,   /* addresses in entries in bytes */
    LIE_COMPANION_STRAYS,  /* companion contexts on another node than the driver has named */
    LIE_NEXT_HOST_PAGE,    /* the CPU host aperture shows the page behind */
    LIE_UNMAP_TWICE,       /* its pages are unmapped once more */
    LIE_TABLE_DROPPED,     /* page tables go while packets use them */
    LIE_EARLY_END,         /* what is destroyed is gone before the packets that use it have ended */
    LIE_NO_NOTICE,         /* NotifyResidency does not tell that an allocation leaves */
    LIES_END,
    LIES = LIES_END - 1
};

/* The lie that the manager in this program was built with; 0: none. */
extern const int lies_switch;

/* The judges that see it; a set. */
enum {
    SEEN_BY_AUDITOR = 1,     /* a violation of the rule that the table names */
    SEEN_IN_CONTENTS = 2,    /* GPU or CPU read bytes that are not those of the allocation */
    SEEN_AS_FAULT = 4,       /* the GPU met an address or a command that is none */
    SEEN_AS_REFUSAL = 8,     /* the driver was asked for something that is wrong in itself */
    SEEN_ON_DUMMY = 16,      /* the GPU used a range of an aperture that was not mapped */
    SEEN_AS_END = 32,        /* the adapter ended: the driver's answers made no sense any more */
    SEEN_AS_PAGE_FAULT = 64, /* an address of page tables led nowhere */
    SEEN_BY_PROGRAM = 128,   /* the manager's answers to the program cannot be true */
    SEEN_SETS = 256,
};

/* A machine with an adapter in it. Under a lying manager any call may be refused; the program goes
 * on all the same. */
struct trial;

/* Make allocation number `which` of so many pages, less a hundred bytes. set: bit n is segment n +
 * 1; segment 1 is the aperture, 2 the memory. */
void trial_create(struct trial *trial, uint32_t which, uint32_t pages, uint32_t set);

/* Queue a command that checks these allocations and writes to some of them: bit n is number n. */
void trial_draw(struct trial *trial, uint32_t checked, uint32_t written);

/* Queue such a command by another context: number 0 is on the first node too, number 1 on the
 * second. */
void trial_draw_by(struct trial *trial, uint32_t other, uint32_t checked, uint32_t written);

/* Check an allocation by the CPU and write to a third of its pages. Waits for the GPU. */
void trial_touch(struct trial *trial, uint32_t which);

/* Read the middle of an allocation, which is alone in the memory segment, from that segment. */
void trial_dump(struct trial *trial, uint32_t which);

/* Have the render engine hang before its next packet, until it is preempted, or until it is
 * reset. */
void trial_hang(struct trial *trial, bool preemptible);

/* Wait for what hangs; the device is lost with all it has, and there is a new one. */
void trial_lose(struct trial *trial);

/* Make allocation number `which` of so many pages for physical addresses from 2.0 on, resident in
 * segment 2; the CPU locks it there, writes and reads every page; and it leaves. */
void trial_show(struct trial *trial, uint32_t which, uint32_t pages);

/* ---- a program with addresses: on a GPU with page tables, and without locks ---- */

/* Make allocation number `which` of so many pages, and map it; resident: it is so before. */
void trial_map(struct trial *trial, uint32_t which, uint32_t pages, bool resident);

/* Free its addresses, whatever uses them, wait for what does, and map it there again. */
void trial_move(struct trial *trial, uint32_t which);

/* Put it onto the residency list, and wait; take it off; or destroy it. */
void trial_return(struct trial *trial, uint32_t which);
void trial_leave(struct trial *trial, uint32_t which);
void trial_destroy(struct trial *trial, uint32_t which);

/* Have the GPU check it and write it. waits: until that has ended. */
void trial_use(struct trial *trial, uint32_t which, bool waits);

/* Have it at another address, too, once a fence has come to a value; it does. */
void trial_change(struct trial *trial, uint32_t which);

/* Set the budget; the program is to hear that it has `trim` pages too many, and that number `which`
 * cannot be resident. */
void trial_limit(struct trial *trial, uint32_t pages, uint32_t which, uint32_t trim);

struct lie {
    const char *name;        /* the lie, without which all is well */
    const char *gpu;         /* lines of a configuration, over RIG_GPU */
    enum vidmm_rule_id rule; /* the rule that the auditor finds broken; VIDMM_RULE_COUNT: no call
                              * shows it */
    unsigned seen;           /* SEEN_..., each of which has to be */
    void (*program)(struct trial *trial);
    uint32_t paging_buffers;
    uint32_t flags;       /* of allocations that have addresses */
    uint32_t split_pages; /* of a sub-transfer; 0: a transfer is one piece */
    bool by_address;      /* its program has addresses */
    bool by_lock2;        /* its program looks at what it has by trial_show() alone */
    bool evict_through_aperture;
    bool bridged;      /* segment 3 is of AGP type, and its bridge posts writes */
    bool caches_apart; /* of the machine, and all allocations are Cached */
};

/* The table: the lie that is number n is lies[n - 1]. */
extern const struct lie lies[LIES];

#endif
