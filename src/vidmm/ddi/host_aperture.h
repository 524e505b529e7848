/* host_aperture.h: the CPU host aperture, as the miniport is asked to map its pages.
 *
 * Pages for locks are the engine's. The last ones are a view of the page tables of the paging
 * process, if the CPU sees these by the aperture alone:
 *
 *     segment         | table | table | table | table | . . .
 *                             |       |       |
 *     aperture   | for locks ........ | view  |                  its last pages show some of them
 *
 * The view moves to a table that is to be written, and is taken back when all are. With
 * CPU_VIRTUAL it stays at those that paging writes. Its pages are its own: no lock is in its way.
 *
 * Source: "CPU host aperture"; DXGKDDI_MAPCPUHOSTAPERTURE; rules D-174, D-176, D-177, W-004.
 */
#ifndef VIDMM_DDI_HOST_APERTURE_H
#define VIDMM_DDI_HOST_APERTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;
struct vidmm_report;
struct vidmm_table_view;

/* Whether the segment has one that can be used: the driver has both functions, and where there is
 * more than one physical adapter, these have page tables, none of the paging process in there. The
 * lead's is used then, and shows what belongs to the lead. */
bool vidmm_ddi_has_host_aperture(const struct vidmm_adapter *adapter, uint32_t segment);
/* Map or unmap the pages of an allocation, and write the answer: VIDMM_EVENT_HOST_ANSWERED.
 * Refused: none of them is mapped. */
void vidmm_ddi_host_aperture(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                             struct vidmm_event *answer);
/* Keep pages for a view of tables that end at `end`: for `least` bytes, or for more, up to `most`,
 * if an eighth of the aperture has them. Refused: the report says why. */
NTSTATUS vidmm_table_view_plan(struct vidmm_adapter *adapter, uint32_t segment, uint64_t end,
                               uint64_t least, uint64_t most, struct vidmm_report *report);
/* Make the pages appear to the CPU. Nothing, without a view. Refused: the host cannot. */
NTSTATUS vidmm_table_view_take(struct vidmm_adapter *adapter, struct vidmm_report *report);
void vidmm_table_view_finish(struct vidmm_adapter *adapter);
/* Let it show bytes of the segment, `least` at most, and find them. NULL: the driver has answered
 * *status. */
uint8_t *vidmm_table_view_show(struct vidmm_adapter *adapter, uint64_t offset, uint64_t size,
                               NTSTATUS *status);
/* Find a byte of the segment. NULL: the view does not show it. */
uint8_t *vidmm_table_view_find(const struct vidmm_table_view *view, uint32_t page_size,
                               uint64_t offset);
/* It shows nothing from here on. Answers what the driver does. */
NTSTATUS vidmm_table_view_hide(struct vidmm_adapter *adapter);

#endif
