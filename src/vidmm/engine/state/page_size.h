/* page_size.h: how large the pages are by which an allocation is mapped.
 *
 *     addresses    |..|................|................|....|     . a page of 4 KiB
 *     pages        |4K|      64K       |      64K       | 4K |
 *     memory       |..|................|................|    |     a run of the segment
 *                     ^ of both a multiple of 64 KiB
 *
 * A page is as large as the memory lies together and the format has pages. It is one of 64 KiB if
 * the allocation's alignment and size are multiples of that, and its segment has such pages
 * (D-126). A large page has no DriverProtection (D-119), and none is of an allocation with
 * DisableLargePageMapping. The place of an allocation that is away is not known: its pages are as
 * large as they could be, and they are looked at again when it comes.
 *
 * System memory is mapped where an aperture shows it. It has such pages if the backing store of the
 * allocation lies in units of as many (VIDMM_WISH_STORE_64K, VIDMM_WISH_STORE_LARGE): each unit
 * together and aligned, as those of the allocation are; two units may lie anywhere.
 *
 * Source: "Support for 64KB pages", DXGK_GPUMMUCAPS.
 */
#ifndef VIDMM_ENGINE_STATE_PAGE_SIZE_H
#define VIDMM_ENGINE_STATE_PAGE_SIZE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/address/page_table.h"

struct vidmm_address_meaning;
struct vidmm_engine;
struct vidmm_process;
struct vidmm_placement;
struct vidmm_wish;

/* The largest page that a mapping of the allocation may have; NULL: it is none. */
enum vidmm_page_size vidmm_page_size_most(const struct vidmm_engine *engine,
                                          const struct vidmm_placement *placement,
                                          const struct vidmm_address_meaning *meaning);
/* Whether what has one wish may be mapped by pages of a size that the other wish does not allow. */
bool vidmm_page_size_differs(const struct vidmm_engine *engine, const struct vidmm_wish *one,
                             const struct vidmm_wish *other);
/* How far behind a multiple of 64 KiB the address of that byte of the allocation is to be: as far
 * as its memory is. 0: it may be such a multiple. */
uint64_t vidmm_page_size_beyond(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                                uint64_t offset);
/* Set pages of the tables for addresses [start, end), which mean the allocation in order from
 * meaning->offset on. It was prepared, or all of them are pages already. */
void vidmm_page_size_set(const struct vidmm_engine *engine, struct vidmm_page_tables *tables,
                         const struct vidmm_placement *placement,
                         const struct vidmm_address_meaning *meaning, uint64_t start, uint64_t end);
/* Bytes of a page table. */
uint32_t vidmm_table_size(const struct vidmm_engine *engine, const struct vidmm_page_table *table);
/* A page table of so many bytes has memory from here on: the statistics count it. */
void vidmm_table_count(struct vidmm_engine *engine, uint64_t bytes);
/* Let the root of a process reach the address behind the last that is mapped. STATUS_NO_MEMORY:
 * nothing has changed. */
NTSTATUS vidmm_root_grow(struct vidmm_engine *engine, struct vidmm_process *process, uint64_t end);
/* Addresses up to there were freed: the root may be smaller. */
void vidmm_root_shrink(struct vidmm_engine *engine, struct vidmm_process *process, uint64_t freed);

#endif
