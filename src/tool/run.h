/*
 * run.h: recorded programs play on a software GPU under the manager, from start to stop.
 *
 *     programs --> manager --> auditor's tap --> softgpu's driver --> softgpu's device
 *        '-------------- one machine, one slot, one adapter --------------'
 *
 * Everything is made for the run and taken apart after it.
 */
#ifndef VIDMM_TOOL_RUN_H
#define VIDMM_TOOL_RUN_H

#include <vidmm/adapter.h>

#include "softgpu/config.h"
#include "softgpu/device.h"
#include "trace/again.h"
#include "trace/trace.h"

#define VIDMM_RUN_PROGRAMS 2u

struct vidmm_run_options {
    const char *files[VIDMM_RUN_PROGRAMS]; /* "-": standard input */
    uint32_t file_count;
    struct softgpu_config config;
    uint64_t seed; /* of the interleaving and the contents */
    bool threads;  /* POSIX threads instead of the simulated host */
    bool spill, evict_through_aperture;
    uint64_t command_uses; /* most allocations of one command; 0: a submission is one */
    bool strict;           /* the manager refuses whatever breaks a rule */
    uint32_t links;        /* GPUs, linked, that are alike; 0, 1: one that is not linked */
    bool caches_apart;     /* the processor's caches are not coherent with the GPU */
    bool halve_budget;     /* in mid-run, of each program (from WDDM 2.0 on) */
    bool contiguous;       /* no allocation lies in runs of pages (from WDDM 2.0 on, mmu gpu) */
    bool quiet;            /* no line of progress */
    bool warm; /* touch all memory before the clock of play_s starts, as a machine long up has */
    const char *ddi_log, *timeline, *events; /* files to write, "-" for standard output, or NULL */
};

struct vidmm_run_program {
    char name[64]; /* of the file, without folder */
    char app[160];
    struct vidmm_trace_statistics trace;
    uint64_t frames, submissions, allocations, writes, maps, unmaps; /* done */
    uint64_t renames;                   /* of the writes, to another instance */
    uint64_t trimmed;                   /* bytes that left because the manager asked for it */
    uint64_t pages_checked, mismatches; /* by the CPU */
    uint64_t check_ns;
};

/* The result of a run. Texts are sentences; an empty one: there is nothing to say. */
struct vidmm_run_result {
    char problem[512];  /* why it could not run to its end */
    bool out_of_memory; /* that is the problem: of the GPU, or of this machine */
    int interrupted;    /* by this signal, before its end; 0: by none */
    struct vidmm_run_program programs[VIDMM_RUN_PROGRAMS];
    uint32_t program_count;
    uint64_t memory_bytes, aperture_bytes; /* of the segments */
    struct vidmm_statistics manager;
    struct vidmm_again_count again; /* what is paged because memory is short */
    struct softgpu_statistics device;
    uint64_t content_sum; /* over what all GPUs found, in any order */
    uint64_t checks;      /* of contents: references of the GPU, and writes of the CPU */
    uint64_t mismatches;  /* of these */
    char mismatch[400];   /* the first */
    char *findings;       /* lines: the findings that the manager let pass; malloc()ed, or NULL */
    uint64_t stopped;     /* accesses of the GPUs that the IOMMU did not let through */
    uint64_t violations;
    char *violation_report; /* paragraphs, malloc()ed; NULL if there are none */
    double wall_s, check_s;
    double play_s; /* of wall_s, from the programs' first event to their last */
};

/*
 * Play the files. result->problem tells whether it worked; the rest is as far as it went.
 *
 * Messages on the way go to stderr, and only if that is a terminal. A signal that
 * vidmm_interrupt_watch() has noted ends the run early.
 */
void vidmm_run(const struct vidmm_run_options *options, struct vidmm_run_result *result);

/* Give back what the result holds. */
void vidmm_run_result_finish(struct vidmm_run_result *result);

#endif
