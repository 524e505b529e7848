/*
 * softgpu.h: how a user-mode driver speaks to the software GPU.
 *
 *     user-mode driver                driver half                     device half
 *     ----------------                -----------                     -----------
 *     softgpu_allocation  ----------> CreateAllocation
 *     softgpu_touch, references ----> Render -> DMA buffer, patched -> render engine
 *
 * A user-mode driver describes an allocation in its private driver data and draws with command
 * buffers. The driver half believes none of it: every member is checked, and what is copied is what
 * was checked. This header is all that the two need to share; it needs no other.
 *
 * All numbers are little endian, all structs have the same layout under every compiler. Reserved
 * members are 0.
 */
#ifndef SOFTGPU_SOFTGPU_H
#define SOFTGPU_SOFTGPU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOFTGPU_PAGE_SIZE 4096u

/*
 * Private driver data of one allocation (D3DDDI_ALLOCATIONINFO.pPrivateDriverData).
 *
 * The user-mode driver's wish; the driver half copies it to DXGK_ALLOCATIONINFO, after these
 * checks, each of which fails the creation with STATUS_INVALID_PARAMETER: magic; size not 0;
 * alignment 0 (a page) or a power of two; the sets name segments that exist, the preferences
 * segments of both sets, the eviction set aperture segments; priority not 0; the reserved bits of
 * the flags 0.
 */
struct softgpu_allocation {
    uint32_t magic;         /* SOFTGPU_ALLOCATION_MAGIC */
    uint32_t flags;         /* DXGK_ALLOCATIONINFOFLAGS.Value */
    uint64_t size;          /* bytes; need not be whole pages */
    uint32_t alignment;     /* bytes */
    uint32_t read_set;      /* SupportedReadSegmentSet: bit n is segment n + 1; 0: every segment */
    uint32_t write_set;     /* SupportedWriteSegmentSet; 0: every segment */
    uint32_t evict_set;     /* EvictionSegmentSet; 0: straight to system memory */
    uint32_t preferred;     /* DXGK_SEGMENTPREFERENCE.Value; 0: no preference */
    uint32_t priority;      /* AllocationPriority; D3DDDI_ALLOCATIONPRIORITY_NORMAL is 0x78000000 */
    uint32_t renaming;      /* MaximumRenamingListLength */
    uint32_t width, height; /* the answer of DxgkDdiDescribeAllocation, pixels and lines; or 0 */
    uint32_t format;        /* of that answer, D3DDDIFORMAT; or 0 */
    uint32_t hinted_bank;   /* DXGK_SEGMENTBANKPREFERENCE.Value; 0: no preference */
    uint32_t gpu; /* from WDDM 2.0 on: the GPU of the link to which it belongs; 0: the lead */
};

#define SOFTGPU_ALLOCATION_MAGIC 0x41474653u /* "SFGA" */
#define SOFTGPU_PRIORITY_NORMAL 0x78000000u

/*
 * Commands. A command buffer is one command after another; each begins with this header and is a
 * multiple of 8 bytes long.
 */
struct softgpu_command {
    uint32_t opcode; /* SOFTGPU_TOUCH */
    uint32_t size;   /* bytes of the command, header and all */
};

#define SOFTGPU_TOUCH 0x54474653u       /* "SFGT" */
#define SOFTGPU_TOUCH_REFERENCES 65536u /* most references of one command */

/*
 * TOUCH: use allocations. `reference_count` references follow. The engine checks every page of
 * each, and writes to those marked so (src/base/content.h says what the bytes are). All of them are
 * needed at the same time: a command cannot be split, a command buffer of several can between them.
 *
 * The engine has a row of slots. Reference n of a TOUCH is bound to slot n; bindings of the command
 * before in further slots are undone, if element 0 of the allocation list is NULL, which is how a
 * driver says so (D-338). Otherwise it stays bound, and in its place.
 */
struct softgpu_touch {
    struct softgpu_command command;
    uint32_t reference_count;
    uint32_t reserved;
    uint64_t seed; /* of the contents */
};

/* One allocation of a TOUCH. Written once: name no allocation twice in one command. */
struct softgpu_reference {
    uint32_t allocation_index; /* into the allocation list of the DMA buffer */
    uint32_t flags;            /* SOFTGPU_REFERENCE_... */
    uint64_t pages;      /* pages to check, from the start; not more than the allocation has */
    uint64_t digest;     /* expected of the CPU's writes */
    uint32_t content_id; /* the owner of its bytes */
    uint32_t generation; /* number of the GPU's last write; the write makes it one more */
};

/* The allocation-list element must carry WriteOperation. */
#define SOFTGPU_REFERENCE_WRITE 0x1u

/* The allocation stands in this slot since the command before: the engine takes its address from
 * the slot. If it does not stand there, the driver binds it, as without this flag. */
#define SOFTGPU_REFERENCE_BOUND 0x2u

/*
 * Commands of a context with GPU virtual addresses. User mode writes the DMA buffer itself, and
 * the engine runs it as it is: each of these names addresses of the process, and nothing else is
 * obeyed there. All begin with struct softgpu_command, as above.
 */
#define SOFTGPU_VIRTUAL_TOUCH 0x53470002u  /* struct softgpu_virtual_touch */
#define SOFTGPU_VIRTUAL_COPY 0x53470003u   /* struct softgpu_virtual_copy */
#define SOFTGPU_VIRTUAL_FILL 0x53470004u   /* struct softgpu_virtual_fill */
#define SOFTGPU_VIRTUAL_SIGNAL 0x5347000fu /* struct softgpu_virtual_signal */
#define SOFTGPU_VIRTUAL_WAIT 0x53470010u   /* struct softgpu_virtual_wait */
#define SOFTGPU_VIRTUAL_SPACE 0x20000000u  /* the value of each `space` */

/* A touch, as struct softgpu_touch is, whose references name addresses. */
struct softgpu_virtual_touch {
    struct softgpu_command command;
    uint32_t reference_count;
    uint32_t reserved;
    uint64_t seed;
    /* struct softgpu_virtual_reference references[] */
};

struct softgpu_virtual_reference {
    uint64_t gpuva; /* of the first page */
    uint64_t pages, digest;
    uint32_t content_id, generation;
    uint32_t flags; /* SOFTGPU_REFERENCE_WRITE, or 0 */
    uint32_t reserved;
};

struct softgpu_virtual_copy {
    struct softgpu_command command;
    uint64_t bytes;
    struct {
        uint32_t space, reserved; /* SOFTGPU_VIRTUAL_SPACE */
        uint64_t gpuva;
    } source, destination;
};

struct softgpu_virtual_fill {
    struct softgpu_command command;
    uint64_t bytes;
    uint64_t gpuva;
    uint32_t space; /* SOFTGPU_VIRTUAL_SPACE */
    uint32_t pattern;
};

/* Write the value of a monitored fence, when all before it in the DMA buffer is done. */
struct softgpu_virtual_signal {
    struct softgpu_command command;
    uint64_t gpuva; /* of 8 bytes, aligned */
    uint64_t value;
};

/*
 * Go on when a monitored fence has the value: it is at or above it. Until then the engine stands,
 * and looks again when an engine of the link has signalled or completed something, or the driver
 * speaks to the GPU. Nothing looks by itself: a program that signals by the processor tells
 * the driver (SOFTGPU_ESCAPE_LOOK).
 */
struct softgpu_virtual_wait {
    struct softgpu_command command;
    uint64_t gpuva; /* of 8 bytes, aligned */
    uint64_t value;
    uint32_t bits; /* that are compared: 64, or the lower 32, which wrap; No64BitAtomics: 32 */
    uint32_t reserved;
};

/* A message to the driver (DxgkDdiEscape), answered in place: how much the GPU has still to do, and
 * how many addresses Render knew already. */
struct softgpu_escape {
    uint32_t magic;      /* SOFTGPU_ESCAPE_MAGIC */
    uint32_t queued;     /* out: packets in the rings, the one that is executed too */
    uint64_t prepatched; /* out: addresses that Render wrote, so far */
    uint64_t repatched;  /* out: of these, those that Patch had to change */
};

#define SOFTGPU_ESCAPE_MAGIC 0x45474653u /* "SFGE" */
/* A struct softgpu_escape with this as its `magic` tells the driver that the processor has
 * signalled a fence; the GPU looks at its waits again. */
#define SOFTGPU_ESCAPE_LOOK 0x4c474653u /* "SFGL" */

/* Bytes of a TOUCH of n references. */
static inline uint32_t softgpu_touch_size(uint32_t references)
{
    return (uint32_t)(sizeof(struct softgpu_touch) + references * sizeof(struct softgpu_reference));
}

#ifdef __cplusplus
}
#endif

#endif
