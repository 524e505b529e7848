/*
 * config.h: the properties of the software GPU: a small text, a line a fact.
 *
 *     wddm 1.3
 *     segment 1 aperture 256M
 *     segment 2 memory 256M cpuvisible
 *     engines render copy
 *     habit queued
 *
 * README.md in this folder lists every key with its range. The same keys can be set one by one,
 * which is what a command line does.
 *
 * A configuration is plain data, owned by whoever declares it; softgpu_device_create() copies it.
 */
#ifndef SOFTGPU_CONFIG_H
#define SOFTGPU_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOFTGPU_SEGMENTS 8u  /* most segments */
#define SOFTGPU_ENGINES 4u   /* most engines */
#define SOFTGPU_HW_QUEUES 4u /* most rings of hardware queues */
#define SOFTGPU_RINGS (SOFTGPU_ENGINES + SOFTGPU_HW_QUEUES)
#define SOFTGPU_RANGES 16u /* most swizzling ranges */
#define SOFTGPU_BANKS 8u   /* most banks of a segment */
#define SOFTGPU_SOURCES 4u /* most video present sources */

enum softgpu_segment_kind {
    SOFTGPU_SEGMENT_NONE, /* not configured */
    SOFTGPU_SEGMENT_APERTURE,
    SOFTGPU_SEGMENT_MEMORY,
    SOFTGPU_SEGMENT_AGP, /* its size is the system's choice */
};

#define SOFTGPU_VPR_ALIGNMENT 0x10000u /* of start and size of a protected range */

struct softgpu_segment {
    enum softgpu_segment_kind kind;
    bool cpu_visible;        /* memory only: the CPU reaches it through a BAR */
    bool cache_coherent;     /* aperture only */
    uint64_t size;           /* bytes, whole pages */
    uint64_t commit_limit;   /* bytes, aperture only; 0: as much as its size */
    bool host_aperture;      /* memory only, the last: SupportsCpuHostAperture ... */
    bool host_cached;        /* ... and SupportsCachedCpuHostAperture */
    bool pitch_aligned;      /* memory only: bytes lie in rows (hardware.h) */
    bool populated;          /* memory only: PopulatedFromSystemMemory */
    bool standby, hibernate; /* memory only: PreservedDuringStandby, PreservedDuringHibernate */
    bool direct_flip;        /* memory only: DirectFlip */
    bool partly;             /* memory only: PartiallyPreservedDuringHibernate ... */
    uint64_t preserved_end;  /* ... up to here: SystemMemoryEndAddress */
    uint64_t vpr_start, vpr_size; /* memory only: the protected range; 0 bytes: it has none */
    bool vpr_standby;             /* ... VprPreservedDuringStandby */
    bool vpr_lost;                /* ... VprPreservedDuringStandby, a lie */
    bool encrypted;      /* memory only: EncryptedPagingSupported, what is protected is paged so */
    bool cleartext;      /* memory only: EncryptedPagingSupported, a lie */
    uint32_t bank_count; /* memory only; 0: no banks */
    uint64_t bank_ends[SOFTGPU_BANKS]; /* ascending; the last is the segment's size */
};

enum softgpu_engine_kind { SOFTGPU_ENGINE_RENDER, SOFTGPU_ENGINE_COPY };

/* How the driver builds and completes paging work. */
enum softgpu_habit {
    SOFTGPU_QUEUED,    /* every operation is a command; completion comes by interrupt, later */
    SOFTGPU_IMMEDIATE, /* map and unmap inside BuildPagingBuffer; records are copied and their MDL
                          is read at execution; all is done and reported inside SubmitCommand */
};

enum softgpu_interrupts {
    SOFTGPU_PROMPT, /* one an executed packet */
    SOFTGPU_LATE,   /* one when an engine has run dry, for the newest packet only */
};

/* How the driver takes part in timeout detection and recovery: as it should, or wrong in one
 * way. */
enum softgpu_recovery {
    SOFTGPU_RECOVERS,
    SOFTGPU_PREEMPT_FAILS, /* PreemptCommand fails */
    SOFTGPU_ENGINE_FAILS,  /* ResetEngine fails, which is legal */
    SOFTGPU_ABORTED_FENCE, /* ResetEngine answers a LastAbortedFenceId never submitted */
    SOFTGPU_GROUP_EMPTY,   /* QueryDependentEngineGroup leaves the node out */
    SOFTGPU_GROUP_ALL,     /* ... puts all nodes in, which is legal */
    SOFTGPU_RESET_FAILS,   /* ResetFromTimeout fails */
    SOFTGPU_POWER_FAILS,   /* SetPowerState fails, having done nothing */
    SOFTGPU_RELEASE_FAILS, /* StopDeviceAndReleasePostDisplayOwnership fails, having done nothing */
    SOFTGPU_RESET_REPORTS, /* the last fence is reported once more inside ResetEngine */
};

/* The place where the GPU saves its contexts. */
enum softgpu_save {
    SOFTGPU_SAVE_NONE,   /* it has none to save */
    SOFTGPU_SAVE_MEMORY, /* context allocations in a memory segment; the GPU makes their content */
    SOFTGPU_SAVE_APERTURE, /* in an aperture; the CPU makes it, by a VirtualAddress */
};

#define SOFTGPU_LEVELS 6u        /* most levels of page tables */
#define SOFTGPU_ADDRESS_BITS 60u /* widest address */

enum softgpu_mmu_kind {
    SOFTGPU_MMU_NONE, /* addresses are physical */
    SOFTGPU_MMU_GPU,  /* the GPU has page tables */
    SOFTGPU_MMU_IO,   /* addresses are the processor's, by way of the bus's IOMMU */
};

/* How page tables are written: the values of DXGK_PAGETABLEUPDATEMODE. */
enum softgpu_update_mode {
    SOFTGPU_UPDATE_CPU_VIRTUAL,
    SOFTGPU_UPDATE_GPU_VIRTUAL,
    SOFTGPU_UPDATE_GPU_PHYSICAL,
};

/* Tables of pages of 64 KiB. */
enum softgpu_64k {
    SOFTGPU_64K_OFF,
    SOFTGPU_64K_SINGLE, /* an entry above names a table of either */
    SOFTGPU_64K_DUAL,   /* an entry above names a table of each: it is two words */
};

enum softgpu_on_page_fault {
    SOFTGPU_PAGE_FAULT_SKIPS,  /* the packet ends, the engine goes on */
    SOFTGPU_PAGE_FAULT_STANDS, /* the engine stands until it is reset */
};

/* The node that the driver names for companion contexts (PagingCompanionNodeId). */
enum softgpu_companion {
    SOFTGPU_COMPANION_PAGING, /* the one that paging runs on */
    SOFTGPU_COMPANION_NONE,   /* one that there is not */
    SOFTGPU_COMPANION_FIRST,  /* node 0, and behind it the others */
};

/* Page tables of the GPU. */
struct softgpu_mmu {
    uint32_t kind;                                  /* enum softgpu_mmu_kind */
    uint32_t levels;                                /* 2 .. SOFTGPU_LEVELS */
    uint32_t index_bits[SOFTGPU_LEVELS];            /* of a table of each level, the leaf's first */
    uint32_t update_mode;                           /* enum softgpu_update_mode */
    uint32_t table_segment;                         /* where tables are: 0, or a memory segment */
    uint32_t paging_table_segment;                  /* where those of the paging process are */
    uint32_t pages_64k;                             /* enum softgpu_64k */
    uint32_t on_page_fault;                         /* enum softgpu_on_page_fault */
    uint32_t companion;                             /* enum softgpu_companion */
    bool zero_pte, read_only, no_execute, coherent; /* what an entry may say */
    bool large_pages;                               /* an entry above the leaf may end a walk ... */
    bool unaligned_large; /* ... with a page that is not aligned to its size ... */
    bool system_large;    /* ... in system memory */
    bool system_64k;      /* pages of 64 KiB may be system memory */
    bool cached_tables;   /* tables in system memory are found as the caches have them */
    bool invalid_cached;  /* what was invalid is kept until a flush, as what is valid is */
    bool explicit_invalidation, idle_updates; /* caps that only tell the manager what to do */
};

/* Bits of an address; bytes of an entry so wide, 2 ^ bits of them, and of a table of a level: whole
 * pages. */
static inline uint32_t softgpu_address_bits(const struct softgpu_mmu *mmu)
{
    uint32_t bits = 12;

    for (uint32_t i = 0; i < mmu->levels; i++)
        bits += mmu->index_bits[i];
    return bits;
}

static inline uint32_t softgpu_size_of_table(uint32_t entry, uint32_t bits)
{
    return entry << bits < 4096u ? 4096u : entry << bits;
}

static inline uint32_t softgpu_table_size(const struct softgpu_mmu *mmu, uint32_t level)
{
    return softgpu_size_of_table(level == 1 && mmu->pages_64k == SOFTGPU_64K_DUAL ? 16 : 8,
                                 mmu->index_bits[level]);
}

struct softgpu_config {
    uint32_t wddm;          /* level the driver registers: 10 .. 13, 20 .. 29, 30 .. 32 */
    uint32_t segment_count; /* segments 1 .. segment_count, in segments[0 ..] */
    struct softgpu_segment segments[SOFTGPU_SEGMENTS];
    uint32_t engine_count; /* nodes 0 .. engine_count - 1 */
    enum softgpu_engine_kind engines[SOFTGPU_ENGINES];
    uint32_t hw_queues; /* rings for hardware queues, of all nodes together; from 2.5 */
    bool multi_engine;  /* MultiEngineAware: contexts exist */
    bool preemption;    /* PreemptionAware; from 1.2 */
    bool engine_reset;  /* SupportPerEngineTDR; from 1.2 */
    bool cancel;        /* CancelCommandAware; from 1.2 */
    bool non_vga;       /* SupportNonVGA; from 1.2 */
    enum softgpu_recovery recovery;
    enum softgpu_save context_save; /* from 1.2, with multi_engine */

    enum softgpu_habit habit;
    uint32_t queue;         /* packets that the queue of an engine holds; StartDevice refuses
                                       a RequiredDmaQueueEntry above it */
    uint32_t paging_buffer; /* PagingBufferSize, bytes */
    uint32_t paging_buffer_segment; /* 0 or an aperture segment */
    uint32_t private_data;          /* PagingBufferPrivateDataSize, bytes */
    uint32_t dma_buffer;            /* DmaBufferSize, bytes */
    uint32_t dma_buffer_segment;    /* 0 or an aperture segment */
    uint32_t dma_private_data;      /* DmaBufferPrivateDataSize, bytes */
    uint32_t allocation_list;       /* AllocationListSize, elements */
    uint32_t patch_list;            /* PatchLocationListSize, elements */
    uint64_t highest_address;       /* HighestAcceptableAddress, bytes */

    uint32_t range_count; /* NumberOfSwizzlingRanges */
    uint32_t range_limit; /* of these, how many the driver has means to set up at once; 0: all */

    struct softgpu_mmu mmu;  /* from 2.0 */
    bool map_aperture2;      /* MapAperture2Supported; from 2.9 */
    bool atomics_64;         /* a fence is written 64 bits at a time; off: No64BitAtomics */
    bool isolation;          /* IoMmuSecureModeSupported; from 2.4 */
    bool remapping;          /* softgpu_driver_remap(); from 2.9 */
    bool move_paging;        /* MovePagingSupported; from 2.1 */
    bool vpr_context;        /* VPRPagingContextRequired, of node 0; from 2.1 */
    bool hardware_protected; /* AllowHardwareProtectedNoVpr; from 2.2 */

    bool alternate_primary; /* a shared primary has UseAlternateVA */
    uint32_t sources;       /* video present sources, each with an output; 0: it only renders */
    uint32_t history;       /* PrecisionBits of time stamps: 0, 32 to 64; a lie: 1 to 31 */

    enum softgpu_interrupts interrupts;
    bool execute;        /* TOUCH checks and writes; paging always runs */
    bool poison_discard; /* DiscardContent overwrites the range */

    /* Answers on demand. Calls of BuildPagingBuffer are counted from 1; 0: never. */
    bool busy_first;          /* BUSY to each Transfer and Discard without AllocationIsIdle */
    uint32_t busy_at;         /* BUSY to this call, if it is one of those */
    uint32_t insufficient_at; /* INSUFFICIENT to this call, with as little done as progress needs */
    uint32_t insufficient_every; /* INSUFFICIENT to each n-th call, 2 or more */

    uint32_t hang_engine;  /* with hang_packet: this engine stops ... */
    uint32_t hang_packet;  /* ... before its n-th packet, from 1; 0: never */
    bool hang_every;       /* ... before each n-th */
    bool hang_preemptible; /* ... and a preemption gets it out of there */

    uint64_t broken; /* a bit a misbehaviour: softgpu_broken_name() */
};

/* Rings that the GPU runs: a node's each, then those of hardware queues. */
static inline uint32_t softgpu_rings(const struct softgpu_config *config)
{
    return config->engine_count + config->hw_queues;
}

/* The page of the last segment, 4 KiB or 64 KiB, as a shift; and pages of its CPU host aperture, a
 * sixteenth of its memory. */
static inline uint32_t softgpu_host_page_shift(const struct softgpu_config *config)
{
    return config->mmu.kind == SOFTGPU_MMU_GPU && config->mmu.pages_64k != SOFTGPU_64K_OFF ? 16
                                                                                           : 12;
}

static inline uint32_t softgpu_host_pages(const struct softgpu_config *config)
{
    const struct softgpu_segment *segment = &config->segments[config->segment_count - 1];
    uint64_t pages = segment->size / 16 >> softgpu_host_page_shift(config);

    return !segment->host_aperture ? 0 : pages != 0 ? (uint32_t)pages : 1;
}

/*
 * The default: nothing in it is right by accident. Aperture is segment 1 and memory segment 2, each
 * with a base address of its own; paging and DMA buffers live in the aperture.
 */
struct softgpu_config softgpu_config_default(void);

/*
 * Read a configuration text over `config`, which holds the values of the keys it does not name
 * (begin with the default). A text that has a `segment` line replaces all segments, one that has
 * an `engines` line all engines.
 *
 * error    receives one sentence with line, word and legal range; may be NULL if error_size is 0.
 * False: error says why; config is as it was.
 */
bool softgpu_config_parse(const char *text, struct softgpu_config *config, char *error,
                          size_t error_size);

/* Is there a key of this name? */
bool softgpu_config_knows(const char *key);

/*
 * Set one key, as a line `key value` of the text does. `segment` changes or appends that
 * segment and leaves the others.
 *
 * False: error says why, without a line number; config is as it was. The keys are not held against
 * each other: softgpu_config_check() does.
 */
bool softgpu_config_set(struct softgpu_config *config, const char *key, const char *value,
                        char *error, size_t error_size);

/* Hold the keys against each other (a paging-buffer segment that is no aperture, ...). False: error
 * says why. softgpu_config_parse() has done it; a driver that lies on purpose (`broken`) passes. */
bool softgpu_config_check(const struct softgpu_config *config, char *error, size_t error_size);

/* Have so many levels of page tables (2 .. SOFTGPU_LEVELS), of the default widths. */
void softgpu_config_set_levels(struct softgpu_mmu *mmu, uint32_t levels);

/* Id of the first segment of a kind, 0 if there is none. */
uint32_t softgpu_config_segment(const struct softgpu_config *config,
                                enum softgpu_segment_kind kind);

/*
 * The misbehaviours of `broken`, one a bit: names and what each does.
 *
 * number   0 .. ; NULL behind the last.
 */
const char *softgpu_broken_name(uint32_t number);
const char *softgpu_broken_sentence(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
