/*
 * scenario.h: a story: a GPU, what programs do on it, and what the manager is expected to do then.
 *
 *     # evict-oldest.scn: the allocation used longest ago leaves first
 *     segment 1 aperture 1M               |
 *     segment 2 memory 8M                 | the GPU (docs/softgpu.md), the manager, the
 *                                         machine
 *
 *     alloc a b c 4M                      |
 *     submit a:w b                        |  acts, one after the other
 *     submit c:w                          |
 *
 *     expect                              |
 *       [  1] alloc a b c 4M              |  the narrative: acts, and what came of them
 *       ...                               |
 *
 * docs/scenarios.md is the source of every rule here. A story in memory has passed all of them:
 * every word was understood, every allocation that an act names is alive by then, unless the act is
 * one that must be refused. Its words about the GPU stand by themselves and have been held against
 * their own rules.
 *
 * A story belongs to whoever read it; it is not changed afterwards.
 */
#ifndef VIDMM_STORY_SCENARIO_H
#define VIDMM_STORY_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <vidmm/adapter.h>

#include "softgpu/config.h"

#define VIDMM_SCENARIO_NAME 24u         /* bytes of a name, the closing 0 included */
#define VIDMM_SCENARIO_PROCESSES 4u     /* of a story */
#define VIDMM_SCENARIO_ALLOCATIONS 256u /* of a story, in all */
#define VIDMM_SCENARIO_RESOURCES 64u    /* of a story, each opening one */
#define VIDMM_SCENARIO_ACTS 512u
#define VIDMM_SCENARIO_REFERENCES 64u /* of an act */
#define VIDMM_SCENARIO_PAGES 8u       /* of a list */
#define VIDMM_SCENARIO_POOL 4096u     /* of all acts */
#define VIDMM_SCENARIO_SIZE_MAX (UINT64_C(1) << 34)
#define VIDMM_SCENARIO_TEXT_MAX (1u << 20) /* bytes of a file */

enum vidmm_act_kind {
    VIDMM_ACT_START,    /* the adapter; otherwise it starts, unseen, with the first act */
    VIDMM_ACT_ALLOC,    /* create allocations */
    VIDMM_ACT_RESOURCE, /* create a resource of allocations */
    VIDMM_ACT_STANDARD, /* have the driver describe one */
    VIDMM_ACT_EXTEND,   /* create allocations in a resource */
    VIDMM_ACT_OPEN,     /* a shared resource, in another process */
    VIDMM_ACT_CLOSE,    /* a resource, or an opening of it */
    VIDMM_ACT_SUBMIT,   /* queue a command that uses allocations */
    VIDMM_ACT_PRESENT,  /* copy one surface into another */
    VIDMM_ACT_WAIT,     /* until the process's commands are complete */
    VIDMM_ACT_LOCK,     /* and look at every byte */
    VIDMM_ACT_WRITE,    /* every page, by the CPU */
    VIDMM_ACT_UNLOCK,
    VIDMM_ACT_LOCK2, /* and look at every byte */
    VIDMM_ACT_LOOK,  /* at every byte of what is locked; value 1: it is to be stale */
    VIDMM_ACT_UNLOCK2,
    VIDMM_ACT_INVALIDATE, /* D3DKMTInvalidateCache of all of it */
    VIDMM_ACT_RESIDENT,   /* make resident, and wait for it */
    VIDMM_ACT_EVICT,      /* off the residency list */
    VIDMM_ACT_MAP,        /* at GPU virtual addresses */
    VIDMM_ACT_UNMAP,      /* those are free again */
    VIDMM_ACT_OFFER,      /* the process does without the content for now */
    VIDMM_ACT_RECLAIM,    /* and wants it again */
    VIDMM_ACT_PRIORITY,   /* the order in which allocations leave */
    VIDMM_ACT_DESTROY,
    VIDMM_ACT_EXIT,       /* the process ends, and its device goes */
    VIDMM_ACT_HOLD,       /* from here on the GPU stands still between acts */
    VIDMM_ACT_GO,         /* and runs again */
    VIDMM_ACT_HANG,       /* tell the GPU to */
    VIDMM_ACT_NEIGHBOUR,  /* another adapter renders */
    VIDMM_ACT_RELEASE,    /* a GPU that hangs goes on */
    VIDMM_ACT_POWER,      /* off, standby, hibernate, hybrid; on */
    VIDMM_ACT_RESIDENCY,  /* ask where allocations are */
    VIDMM_ACT_CONDITION,  /* ask after the process's device */
    VIDMM_ACT_ESCAPE,     /* ask the driver */
    VIDMM_ACT_STATISTICS, /* ask what the manager has done */
    VIDMM_ACT_MEMORY,     /* ask what memory there is */
    VIDMM_ACT_HISTORY,    /* read a history buffer */
    VIDMM_ACT_DUMP,       /* read the raw bytes of a segment */
    VIDMM_ACT_STOP,       /* the adapter; otherwise it stops, unseen, at the end */
};

/* An allocation that an act names, or a resource. */
struct vidmm_act_reference {
    uint32_t allocation; /* index into allocations[] */
    bool of_resource;    /* OFFER, RECLAIM, PRIORITY, RESIDENCY: `allocation` is an index into
                        resources[] */
    bool write;
    uint32_t offer;   /* SUBMIT: VIDMM_OFFER_..., once the GPU is done with it; 0: not */
    bool older;       /* SUBMIT: the instance that it was before the last discard */
    bool lost;        /* SUBMIT: the GPU is to find that a write of the CPU is lost (S2-030) */
    bool bound;       /* SUBMIT: it stands in its slot since the command before */
    uint32_t command; /* SUBMIT: of the command buffer, from 0 on */
};

struct vidmm_act {
    enum vidmm_act_kind kind;
    uint32_t line;
    const char *text; /* the line, without what is between words, without `refused` */
    bool refused;     /* it must be */
    bool no_wait;     /* SUBMIT, NEIGHBOUR: answer at once */
    bool preemptible; /* HANG */
    uint32_t process;
    uint32_t node;          /* SUBMIT, PRESENT, HANG */
    enum vidmm_power power; /* POWER */
    uint32_t first, count;  /* references[first .. first + count - 1] */
    uint32_t
        value; /* OFFER, PRIORITY; LOCK: VIDMM_LOCK_...; HANG: fence or 0; PRESENT: sub-rectangles
                  */
    uint32_t data;                                    /* LOCK: PrivateDriverData */
    uint32_t pages[VIDMM_SCENARIO_PAGES], page_count; /* LOCK */
    uint32_t resource; /* RESOURCE to CLOSE: index into resources[] */
    uint32_t standard; /* STANDARD: D3DKMDT_STANDARDALLOCATION_..., and its pixels; PRESENT:
                        * pixels */
    uint32_t width, height;
    uint32_t segment, engine; /* DUMP */
    uint64_t offset, size;    /* DUMP */
};

/* How an allocation is to be, as softgpu's driver is told (softgpu.h). */
struct vidmm_scenario_allocation {
    char name[VIDMM_SCENARIO_NAME];
    uint64_t size;
    uint32_t alignment, flags, preferred, priority, hinted_bank;
    uint32_t renaming; /* MaximumRenamingListLength */
    uint32_t read_set, write_set, evict_set;
    uint32_t process;  /* its owner */
    uint32_t resource; /* index into resources[], and 1; 0: none */
    uint32_t memory;   /* the allocation whose memory it is: itself, or what was opened */
};

/* A resource, or an opening of one in another process. */
struct vidmm_scenario_resource {
    char name[VIDMM_SCENARIO_NAME];
    uint32_t process; /* its owner */
    uint32_t opened;  /* the resource that it opens, and 1; 0: it was created */
    bool shared;
};

struct vidmm_scenario {
    char subject[160]; /* of the first line, behind the file's name */
    struct softgpu_config gpu;
    struct vidmm_adapter_options manager;
    uint64_t system_memory; /* bytes */
    uint64_t agp_aperture;  /* bytes; 0: none */
    bool agp_posts;         /* its bridge holds back what the GPU writes */
    uint32_t links;         /* GPUs that are linked; 0, 1: one that is not */
    bool caches_apart;      /* the machine's caches are not coherent with the GPU */
    bool x64;               /* its processor is one: caches_apart is refused */
    uint64_t seed;          /* of the machine: the story's own; 0: the eager order */

    uint32_t process_count;
    char processes[VIDMM_SCENARIO_PROCESSES][VIDMM_SCENARIO_NAME];
    uint32_t allocation_count;
    struct vidmm_scenario_allocation allocations[VIDMM_SCENARIO_ALLOCATIONS];
    uint32_t resource_count;
    struct vidmm_scenario_resource resources[VIDMM_SCENARIO_RESOURCES];
    uint32_t act_count;
    struct vidmm_act acts[VIDMM_SCENARIO_ACTS];
    uint32_t reference_count;
    struct vidmm_act_reference references[VIDMM_SCENARIO_POOL];

    bool expects;     /* there is a line `expect` */
    size_t body_size; /* bytes of the file before that line */
    char *expected;   /* lines behind it, without what they are indented by, each ending in \n */
    char *words;      /* the text that the acts point into */
};

/*
 * Read a story.
 *
 * name     stands for the file in errors.
 * text     `size` bytes; need not end in a 0.
 * error    receives one sentence that begins with file and line, and names word and legal range.
 * NULL: it is not as docs/scenarios.md has it, or there is no memory.
 */
struct vidmm_scenario *vidmm_scenario_read(const char *name, const char *text, size_t size,
                                           char *error, size_t error_size);

/* Takes NULL. */
void vidmm_scenario_destroy(struct vidmm_scenario *scenario);

/* The result of playing one. */
struct vidmm_scenario_result {
    char problem[400];  /* why it could not be played to its end; empty: it was */
    char *narrative;    /* lines, each ending in \n; as far as it went. NULL: no memory */
    uint64_t checks;    /* of contents */
    uint64_t wrong;     /* of these */
    uint64_t surprises; /* acts refused that should not be, or not refused that should */
    uint64_t breaches;  /* of the contract, by the manager or by a driver that is not said to lie */
    char surprise[400]; /* the first of what should not be, a sentence; empty: nothing */
};

/*
 * Play a story, from start to stop.
 *
 * seed     0: the story's own. Another: under that interleaving; the narrative may then differ.
 * result   to be finished by vidmm_scenario_result_finish().
 */
void vidmm_scenario_play(const struct vidmm_scenario *scenario, uint64_t seed,
                         struct vidmm_scenario_result *result);
void vidmm_scenario_result_finish(struct vidmm_scenario_result *result);

/* Print how two narratives differ, line by line, with a few lines around: "-" only expected, "+"
 * only found. False: there is no memory to compare them; nothing is printed. */
bool vidmm_scenario_diff(const char *expected, const char *found, FILE *file);

#endif
