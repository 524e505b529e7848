/* lab.h: known bytes, put somewhere and looked for elsewhere.
 *
 *      pages (MDL) --Transfer--> segment --Transfer--> other pages
 *        pattern A     known J      A?       known O       A?
 *
 * A pattern is a number for every eight bytes, of a seed and the offset: no two places look alike.
 * Every place that is about to be written holds another pattern first, so that a driver that moves
 * nothing is told from one that does. The CPU reads a segment directly if it sees it, and otherwise
 * by a transfer of raw bytes (hAllocation NULL, S4-027) to system pages.
 */
#ifndef CHECK_LAB_H
#define CHECK_LAB_H

#include "check/board.h"
#include "check/rig.h"

struct vidmm_lab {
    struct vidmm_rig *rig;
    uint64_t seed;                 /* the last pattern */
    struct vidmm_rig_pages window; /* for looking into segments that the CPU does not see */
    uint32_t memory, aperture;     /* segment ids; 0: there is none */
    uint32_t free_page;            /* of the aperture: the first behind the paging buffers */
};

/* The parts of a transfer. */
struct vidmm_lab_transfer {
    const struct vidmm_rig_allocation *allocation; /* NULL: raw bytes */
    const struct vidmm_rig_pages *pages;           /* the system side */
    uint32_t segment;
    uint64_t address;      /* of the allocation's start, in the segment; from its start */
    uint64_t offset, size; /* of the part */
    bool in;               /* towards the segment */
    bool by_address;       /* the part's own address, whatever the offset */
    bool start, end;
};

/* The next pattern's seed. */
uint64_t vidmm_lab_seed(struct vidmm_lab *lab);
void vidmm_lab_fill(void *bytes, uint64_t size, uint64_t seed);
/* Bytes that are the pattern's; where they end, if they are not all. */
uint64_t vidmm_lab_match(const void *bytes, uint64_t size, uint64_t seed);
/* Find if `bytes` are not pattern `seed`. `before` is the pattern that was there; what: "in segment
 * 1", "in the system pages". Answers whether they are. */
bool vidmm_lab_expect(struct vidmm_lab *lab, enum vidmm_check_finding_id id, const void *bytes,
                      uint64_t size, uint64_t seed, uint64_t before, const char *what);

enum vidmm_rig_answer vidmm_lab_transfer(struct vidmm_lab *lab,
                                         const struct vidmm_lab_transfer *transfer);
/* Put a pattern into a segment, or fetch what is there to `bytes`. False: the rig is dead. */
bool vidmm_lab_put(struct vidmm_lab *lab, uint32_t segment, uint64_t address, uint64_t size,
                   uint64_t seed);
bool vidmm_lab_look(struct vidmm_lab *lab, uint32_t segment, uint64_t address, uint64_t size,
                    void *bytes);
/* A whole transfer between two segments. */
enum vidmm_rig_answer vidmm_lab_copy(struct vidmm_lab *lab, uint32_t from, uint64_t from_address,
                                     uint32_t to, uint64_t to_address, uint64_t size);

/* ---- sequences ---- */

void vidmm_check_memory(struct vidmm_lab *lab);   /* lab_memory.c: Transfer, Fill, Discard, ... */
void vidmm_check_aperture(struct vidmm_lab *lab); /* lab_aperture.c: Map, Unmap */
void vidmm_check_virtual(
    struct vidmm_lab *lab); /* lab_virtual.c: page tables and what needs them */
void vidmm_check_preemption(struct vidmm_lab *lab); /* lab_preempt.c: where it is announced */
void vidmm_check_timeout(struct vidmm_lab *lab);    /* lab_timeout.c: resets, with nothing queued */
/* Everything is complete: find if DxgkDdiQueryCurrentFence does not say so. */
void vidmm_check_current_fence(struct vidmm_rig *rig); /* lab_timeout.c */
/* Known bytes to the memory segment, by the GPU, and a look at them. what: "in the segment, after
 * ...". Answers false if they are not there, or the rig is dead. lab_timeout.c */
bool vidmm_lab_pages(struct vidmm_lab *lab, const char *what);
/* cross_adapter.c: a surface that two adapters share, where the caps say so. */
void vidmm_check_cross_adapter(struct vidmm_rig *rig);
/* lab_power.c: down to D3 and up again, in each way that there is. */
void vidmm_check_power(struct vidmm_lab *lab);
/* Do so in one of the ways, from 0 on. False: there is no such way, or the adapter is not where it
 * should be, and the board says so. Nothing may be queued. */
bool vidmm_lab_power(struct vidmm_lab *lab, unsigned way);
/* How it goes down; PowerActionNone, where there is no such way. */
POWER_ACTION vidmm_lab_way_down(unsigned way);

/* ---- lab_protected.c: what is protected ---- */

void vidmm_check_protected(struct vidmm_lab *lab);
/* Does a transfer change the bytes of the allocation on their way out of the segment? */
bool vidmm_lab_is_encrypted(const struct vidmm_lab *lab,
                            const struct vidmm_rig_allocation *allocation, uint32_t segment);
/* A place in the memory segment at which the flags say that content is there afterwards, in one of
 * the ways: the preferred one, or another, and every second time in the protected range. There is
 * none: UINT64_MAX. Find if bytes that were pattern `seed` before are not so at that place. */
uint64_t vidmm_lab_kept(const struct vidmm_lab *lab, uint64_t preferred, uint64_t size,
                        unsigned way);
void vidmm_lab_judge_kept(struct vidmm_lab *lab, const void *bytes, uint64_t size, uint64_t at,
                          uint64_t seed);
/* lab_render.c: DxgkDdiRender with what a program can hand it. */
void vidmm_check_render(struct vidmm_lab *lab);
/* lab_relocate.c: the references in the DMA buffers that Render makes. */
void vidmm_check_relocation(struct vidmm_lab *lab);
/* lab_render.c: DxgkDdiEscape with what any program may send. */
void vidmm_check_escape(struct vidmm_rig *rig);
struct vidmm_check_rendered;
/* Find if a DxgkDdiRender that succeeded left its pointers outside its buffers. */
void vidmm_check_judge_rendered(struct vidmm_rig *rig, const DXGK_CONTEXTINFO *info,
                                const struct vidmm_check_rendered *done);
/* A context of node 0, or the device where the driver has no contexts, with its DMA buffers; NULL:
 * there is none, and the board says so. lab_present.c */
HANDLE vidmm_lab_open_context(struct vidmm_rig *rig, DXGK_CONTEXTINFO *info);
void vidmm_lab_close_context(struct vidmm_rig *rig, HANDLE context);
void vidmm_check_readings(struct vidmm_lab *lab); /* lab_readings.c: points that can be read in two
                                                   * ways */
/* Does the driver reset engines one by one? A finding if it says so and cannot. Obeys D-304. */
bool vidmm_check_resets_engines(const struct vidmm_rig *rig); /* lab_timeout.c */
/* Ask after the paging engine. */
void vidmm_check_engine_status(struct vidmm_rig *rig, bool idle); /* lab_timeout.c */
void vidmm_check_hang(struct vidmm_lab *lab); /* lab_hang.c: a GPU that stands still */
void vidmm_check_ranges(
    struct vidmm_lab *lab); /* lab_range.c: swizzling ranges, SpecialLockTransfer */
/* lab_context.c: a context, with what the driver makes for it; how many allocations of contexts
 * there are; away with it: find if more are left than there were before. */
HANDLE vidmm_lab_create_context(struct vidmm_rig *rig);
unsigned vidmm_lab_context_allocations(const struct vidmm_rig *rig);
void vidmm_lab_destroy_context(struct vidmm_rig *rig, HANDLE context, unsigned before);
/* lab_context.c: InitContextResource. middle: the address that the middle of the memory segment is
 * mapped at for the paging process, VIDMM_LAB_MAPPED pages of it; 0: paging does not go by
 * address. */
#define VIDMM_LAB_MAPPED UINT64_C(16)
void vidmm_check_context(struct vidmm_lab *lab, uint64_t middle);
void vidmm_check_present(struct vidmm_lab *lab); /* lab_present.c: a blt, where Render is missing */

#endif
