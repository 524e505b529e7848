/*
 * trace.h: a program's use of GPU memory, as a recorder wrote it down.
 *
 *     NAME.vmt.gz --gunzip--> lines --> struct vidmm_trace --> statistics, replay
 *
 *     # vidmm-trace 1                 headers[0 .. header_count - 1], without this first line
 *     # app: vkcube
 *     8079 A 1 1048576 local,image    records[0]: ALLOCATE, allocations[0]
 *     9411 S 0 2 1:W 2:R              records[n]: SUBMIT, references[first .. first + count - 1]
 *     9500 P                          records[n + 1]: PRESENT
 *
 * traces/format.md is the source of every rule here. A trace in memory has passed all of them:
 * every reference is to a live allocation, every range lies inside its allocation, ids are used
 * once, time never goes back. Ids of the file, which may be any number, become indices of
 * allocations[], which count from 0 in the order of the file.
 *
 * A trace belongs to whoever read it, is never changed, and may be read by many threads.
 */
#ifndef VIDMM_TRACE_TRACE_H
#define VIDMM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <vidmm/memory.h>

#define VIDMM_TRACE_SIZE_MAX (UINT64_C(1) << 40)  /* bytes of an allocation */
#define VIDMM_TRACE_ALLOCATIONS_MAX (1u << 22)    /* of a trace */
#define VIDMM_TRACE_RECORDS_MAX (1u << 25)        /* of a trace */
#define VIDMM_TRACE_REFERENCES_MAX (1u << 16)     /* of a submission */
#define VIDMM_TRACE_ALL_REFERENCES_MAX (1u << 27) /* of a trace */
#define VIDMM_TRACE_QUEUES 16u                    /* queues are 0 .. 15 */
#define VIDMM_TRACE_LINE_MAX (1u << 20)           /* bytes of a line, its end not counted */
#define VIDMM_TRACE_HEADERS_MAX 256u

/* The properties that the program asked for, and the content that it put there: bits of `types`. */
enum {
    VIDMM_TRACE_LOCAL = 1,         /* in the memory of the GPU */
    VIDMM_TRACE_VISIBLE = 2,       /* the CPU can map it */
    VIDMM_TRACE_COHERENT = 4,      /* CPU writes need no flush */
    VIDMM_TRACE_CACHED = 8,        /* the CPU caches it */
    VIDMM_TRACE_DEDICATED = 0x10,  /* for one image or buffer */
    VIDMM_TRACE_IMPORT = 0x20,     /* memory that was somebody else's */
    VIDMM_TRACE_EXPORT = 0x40,     /* may be handed to somebody else */
    VIDMM_TRACE_BUFFER = 0x80,     /* a buffer was bound to it, at some time */
    VIDMM_TRACE_IMAGE = 0x100,     /* an image was */
    VIDMM_TRACE_SWAPCHAIN = 0x200, /* an image of the window system */
};
#define VIDMM_TRACE_TYPES 10u /* how many bits there are */

/* Further bits of `types`, that no file has: vidmm_trace_mark_writers() finds them in the
 * events. */
enum {
    VIDMM_TRACE_CPU_WRITES = 0x10000,
    VIDMM_TRACE_GPU_WRITES = 0x20000,
};

/* The word that the file has for bit number `bit` (0 .. VIDMM_TRACE_TYPES - 1). */
const char *vidmm_trace_type_name(uint32_t bit);

struct vidmm_trace_allocation {
    uint64_t size; /* bytes, 1 .. VIDMM_TRACE_SIZE_MAX */
    uint32_t id;   /* in the file */
    uint32_t types;
    uint32_t line;       /* of its A */
    uint32_t freed_line; /* of its F; 0: it is live at the end */
};

/* The events, by the letter that the file has for them. */
enum vidmm_trace_op {
    VIDMM_TRACE_ALLOCATE = 'A',
    VIDMM_TRACE_FREE = 'F',
    VIDMM_TRACE_MAP = 'M',
    VIDMM_TRACE_UNMAP = 'U',
    VIDMM_TRACE_WRITE = 'D',       /* the CPU wrote a range */
    VIDMM_TRACE_SUBMIT = 'S',      /* the GPU gets a command buffer */
    VIDMM_TRACE_COMPLETE = 'C',    /* all submissions so far on a queue are complete */
    VIDMM_TRACE_COMPLETE_TO = 'K', /* the first few are */
    VIDMM_TRACE_PRESENT = 'P',     /* the end of a frame */
};

struct vidmm_trace_record {
    uint64_t time_us;
    uint32_t line;
    uint16_t op;         /* enum vidmm_trace_op */
    uint16_t queue;      /* SUBMIT, COMPLETE, COMPLETE_TO */
    uint32_t allocation; /* ALLOCATE, FREE, MAP, UNMAP, WRITE: index of allocations[] */
    uint32_t reserved;
    union {
        struct {
            uint64_t offset, size; /* bytes; inside the allocation; size is 1 or more */
        } write;
        struct {
            uint32_t first, count; /* in references[]; count may be 0 */
        } submit;
        struct {
            uint32_t submissions; /* on this queue, 0 .. as many as were made so far */
        } complete;               /* COMPLETE and COMPLETE_TO */
    };
};

/* An allocation that a submission uses; in one submission each is named once. */
struct vidmm_trace_reference {
    uint32_t allocation; /* index of allocations[] */
    uint32_t write;      /* 1: written, perhaps read too; 0: read only */
};

struct vidmm_trace_header {
    const char *key, *value;
};

struct vidmm_trace {
    struct vidmm_trace_record *records;
    struct vidmm_trace_allocation *allocations;
    struct vidmm_trace_reference *references;
    struct vidmm_trace_header *headers;
    uint32_t record_count, allocation_count, reference_count, header_count;
    uint32_t skipped;           /* events of a kind that is not known here */
    bool presents;              /* there is a PRESENT; without one each submission is a frame */
    struct vidmm_memory memory; /* where all of this is from */
};

/* Why a trace was refused: `file:line: what, its value, the legal range`. */
struct vidmm_trace_error {
    char text[400];
};

/*
 * Read a trace from a file, compressed by gzip or not. The path "-" is standard input.
 *
 * memory   for the trace; must stay until vidmm_trace_destroy().
 * NULL: the file cannot be read, is damaged, breaks a rule of the format or goes beyond one of the
 * limits above, or there is no memory; error says which and where.
 */
struct vidmm_trace *vidmm_trace_read(const struct vidmm_memory *memory, const char *path,
                                     struct vidmm_trace_error *error);

/* Read a trace from `size` bytes of uncompressed text; `name` stands for the file in errors. */
struct vidmm_trace *vidmm_trace_parse(const struct vidmm_memory *memory, const char *name,
                                      const void *text, size_t size,
                                      struct vidmm_trace_error *error);

/* Takes NULL. */
void vidmm_trace_destroy(struct vidmm_trace *trace);

/* Mark each allocation that the CPU, or the GPU, ever writes. */
void vidmm_trace_mark_writers(struct vidmm_trace *trace);

/* Write the text of a trace, uncompressed. A trace that was read is written as it was, but for
 * events of unknown kind. False: the file would not take it all. */
bool vidmm_trace_write(const struct vidmm_trace *trace, FILE *file);

/* The value of a header line; NULL if the trace has no such key. */
const char *vidmm_trace_header(const struct vidmm_trace *trace, const char *key);

/* The facts about a trace that need no replay. Sizes are as the program asked for them, except
 * where pages are named. */
struct vidmm_trace_statistics {
    uint64_t allocations, frees, maps, unmaps, writes, submissions, references, completions;
    uint64_t frames; /* presents; submissions if there are none */
    uint64_t duration_us;
    uint64_t total_bytes;      /* of all allocations that ever were */
    uint64_t peak_live_bytes;  /* most at one time */
    uint64_t peak_local_bytes; /* most at one time of those that are `local` */
    uint64_t written_bytes;    /* by the CPU */
    /* The largest sum, over the allocations of one submission that are `local`, of their sizes in
     * whole pages: less memory than this cannot run the program. */
    uint64_t largest_submission_bytes;
    uint32_t largest_submission;       /* the first that is so large, counted from 0 */
    uint32_t largest_submission_line;  /* 0: there is none */
    uint32_t largest_submission_frame; /* counted from 0 */
};

void vidmm_trace_measure(const struct vidmm_trace *trace,
                         struct vidmm_trace_statistics *statistics);

/* The least memory, in bytes and whole pages, with which no submission of the trace runs out of it:
 * the largest sum of local allocations that one names, or the largest local allocation. */
uint64_t vidmm_trace_least_memory(const struct vidmm_trace *trace);

/* Bytes of a submission's local allocations, in whole pages. */
uint64_t vidmm_trace_submission_bytes(const struct vidmm_trace *trace,
                                      const struct vidmm_trace_record *submit);

#endif
