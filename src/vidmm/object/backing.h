/* backing.h: system pages of an allocation or of a buffer, for the two faces (object/adapter.h).
 *
 * The owner of a backing owns its pages and its MDL, from init to finish; adopted memory stays its
 * own owner's. The CPU sees it where it is mapped, and nowhere else.
 */
#ifndef VIDMM_OBJECT_BACKING_H
#define VIDMM_OBJECT_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/host.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;

struct vidmm_backing {
    MDL *mdl;         /* Windows' own, with its page-frame array; NULL: none */
    void *address;    /* where the CPU sees all of it; NULL: not mapped */
    uint64_t logical; /* the first page by which a GPU whose memory is remapped finds them; 0: their
                       * own numbers are */
    uint32_t pages;
    uint8_t caching; /* enum vidmm_caching */
    bool existing;   /* somebody else's pages, adopted: `address` is theirs */
    bool reached;    /* the GPU reaches them through the IOMMU */
};

/* Units in which pages may lie together: pages of each, powers of two; 0: there is none such. */
struct vidmm_units {
    uint64_t large, wide; /* as many as a large page, and as one of 64 KiB, has */
};

/* Take the pages and make their MDL. The GPUs of the adapter find them at its highest_frame or
 * below: there the pages are, or the logical ones that are to show them. Refused: nothing was
 * taken. */
NTSTATUS vidmm_backing_init(struct vidmm_backing *backing, const struct vidmm_adapter *adapter,
                            uint64_t size, bool contiguous, enum vidmm_caching caching);
/* As vidmm_backing_init(), of pages that lie together where the host has such: each whole unit of
 * the backing store is consecutive frames from a multiple of the unit on. The rest, and all for
 * want of units, is pages in any order. */
NTSTATUS vidmm_backing_init_in_units(struct vidmm_backing *backing,
                                     const struct vidmm_adapter *adapter, uint64_t size,
                                     struct vidmm_units units, enum vidmm_caching caching);
/* Whether the GPU finds each whole unit of so many pages at consecutive pages, from a multiple of
 * `unit` on; and there is one. Looks at every page. */
bool vidmm_backing_lies_in_units(const struct vidmm_backing *backing, uint64_t unit);
/* Adopt pages that exist, of the calling program or of the kernel. STATUS_INVALID_PARAMETER: they
 * do not, or not all at highest_frame or below; nothing was adopted. */
NTSTATUS vidmm_backing_adopt(struct vidmm_backing *backing, const struct vidmm_adapter *adapter,
                             void *address, uint64_t size, bool kernel);
/* Let the GPU reach the pages through the IOMMU, if there is one between them and it does not reach
 * them yet; and undo it, as vidmm_backing_finish() does. To dispatch level. */
void vidmm_backing_reach(const struct vidmm_adapter *adapter, struct vidmm_backing *backing);
void vidmm_backing_part(struct vidmm_backing *backing, const struct vidmm_host *host);
/* Write back and forget what the processor's caches hold of it, where they are not coherent. */
void vidmm_backing_flush(const struct vidmm_backing *backing, const struct vidmm_host *host);
/* Write back and forget what the caches hold of some of its pages. */
void vidmm_backing_flush_pages(const struct vidmm_backing *backing, const struct vidmm_host *host,
                               uint64_t first, uint64_t count);
/* Make the CPU see it. False: no address space. */
bool vidmm_backing_map(struct vidmm_backing *backing, const struct vidmm_host *host);
/* Take the address away again, unless the pages were there before. */
void vidmm_backing_unmap(struct vidmm_backing *backing, const struct vidmm_host *host);
void vidmm_backing_clear(const struct vidmm_backing *backing, const struct vidmm_host *host);
void vidmm_backing_drop(const struct vidmm_backing *backing, const struct vidmm_host *host);
/* The page frame at so many bytes from its start. */
uint64_t vidmm_backing_frame(const struct vidmm_backing *backing, uint64_t offset);
/* The page by which the GPU finds the bytes there: the page frame, or a logical page. */
uint64_t vidmm_backing_page(const struct vidmm_backing *backing, uint64_t offset);
/* Address by which the GPU finds its first byte: all of it, if it was taken contiguous. */
uint64_t vidmm_backing_address(const struct vidmm_backing *backing);
/* Answers what it is, and leaves it as one that has lost its pages, which the caller owns now. */
struct vidmm_backing vidmm_backing_take_out(struct vidmm_backing *backing);
/* Gives all back; takes one that was never initialised but zeroed. */
void vidmm_backing_finish(struct vidmm_backing *backing, const struct vidmm_host *host);
/* Room for those of engines 1 and up of a link, zeroed. NULL: no memory. */
struct vidmm_backing *vidmm_instances_new(const struct vidmm_adapter *adapter);
/* Gives all back, and the room; takes NULL. */
void vidmm_instances_finish(const struct vidmm_adapter *adapter, struct vidmm_backing *instances);

#endif
