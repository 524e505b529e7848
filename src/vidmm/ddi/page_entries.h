/* page_entries.h: entries of page tables, as DXGK_PTE says them.
 *
 *     VIDMM_DO_ENTRY  index 3: table at ...  --+
 *     VIDMM_DO_ENTRY  index 4: invalid       --+--> entries[3], entries[4]
 *     VIDMM_DO_BUILD  UPDATE_PAGE_TABLE 3 + 2 ---------> pPageTableEntries
 *
 * The entries of a leaf follow from the operation itself. Nobody but the pump is here, and who
 * asks for entries (vidmm_page_entries_tell()).
 *
 * Source: DXGK_PTE; rules D-118, D-121, D-122, W-011, W-015.
 */
#ifndef VIDMM_DDI_PAGE_ENTRIES_H
#define VIDMM_DDI_PAGE_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_operation;
struct _DXGK_PTE;

/* Room for the entries of one table, of any level that the driver has described; nothing without
 * page tables. False: no memory. */
bool vidmm_page_entries_init(struct vidmm_adapter *adapter);
void vidmm_page_entries_finish(struct vidmm_adapter *adapter);

/* Note what the next update of a table above a leaf is to say (VIDMM_DO_ENTRY). The table that it
 * leads to has been written. */
void vidmm_page_entries_note(struct vidmm_adapter *adapter,
                             const struct vidmm_operation *operation);
/* The entries of an update, of which the first stands for all if it repeats. `allocation`: that
 * its pages are of; NULL: it has none. */
struct _DXGK_PTE *vidmm_page_entries_of(struct vidmm_adapter *adapter,
                                        const struct vidmm_allocation *allocation,
                                        const struct vidmm_operation *operation);
/* With DualPteSupported, pPageTableEntries64KB of the same update: those of level 1 that lead to
 * leaves of 64 KiB pages, or those of such a leaf, which vidmm_page_entries_of() has filled in.
 * NULL: none. */
struct _DXGK_PTE *vidmm_page_entries_second(const struct vidmm_adapter *adapter,
                                            const struct vidmm_operation *operation);
/* Say an entry that vidmm_engine_page_entry() has described. All zeros, invalid, of what is not
 * there yet. The mutex is held. */
void vidmm_page_entries_tell(struct vidmm_adapter *adapter, const struct vidmm_operation *told,
                             struct _DXGK_PTE *entry);

#endif
