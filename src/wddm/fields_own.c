/* fields_own.c: members that are printed in a way of their own. */
#include "wddm/fields_own.h"

#include <wddm/d3dkmddi_paging.h>
#include <wddm/d3dkmddi_submit.h>

#include "base/text.h"
#include "wddm/writer.h"

/* Five segments in order of preference, as "2,1(end)"; 0 ends the list. */
void vidmm_print_preference(struct vidmm_writer *writer, const char *name, const void *member)
{
    UINT value = *(const UINT *)member;
    const char *separator = writer->json ? "\"" : "";

    vidmm_writer_name(writer, name);
    vidmm_text_string(writer->text, separator);
    for (unsigned i = 0; i < 5 && (value >> 6 * i & 31) != 0; i++) {
        if (i > 0)
            vidmm_text_char(writer->text, ',');
        vidmm_text_number(writer->text, value >> 6 * i & 31);
        if ((value >> 6 * i & 32) != 0)
            vidmm_text_string(writer->text, "(end)");
    }
    if ((value & 31) == 0)
        vidmm_text_string(writer->text, "none");
    vidmm_text_string(writer->text, separator);
}

/* A memory descriptor list: its address and how many pages it covers. */
void vidmm_print_mdl(struct vidmm_writer *writer, const char *name, const void *member)
{
    const MDL *mdl = *(MDL *const *)member;

    vidmm_writer_open(writer, name, '{');
    vidmm_writer_hex(writer, "pMdl", (uintptr_t)mdl);
    if (mdl != NULL)
        vidmm_writer_number(writer, "pages",
                            ((uint64_t)mdl->ByteOffset + mdl->ByteCount + PAGE_SIZE - 1) >>
                                PAGE_SHIFT);
    vidmm_writer_close(writer, '}');
}

/* Source or Destination of a transfer: a segment id, then a segment address or, for id 0, an
 * MDL. */
void vidmm_print_side(struct vidmm_writer *writer, const char *name, const void *member)
{
    const struct {
        UINT SegmentId;
        union {
            LARGE_INTEGER SegmentAddress;
            MDL *pMdl;
        };
    } *side = member;

    if (side->SegmentId == 0) {
        vidmm_print_mdl(writer, name, &side->pMdl);
        return;
    }
    vidmm_writer_open(writer, name, '{');
    vidmm_writer_number(writer, "SegmentId", side->SegmentId);
    vidmm_writer_hex(writer, "SegmentAddress", (uint64_t)side->SegmentAddress.QuadPart);
    vidmm_writer_close(writer, '}');
}

/* The table's place in a segment, or its address, as the mode has it. */
void vidmm_print_table_place(struct vidmm_writer *writer, const char *name, const void *member)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = member;
    const DXGK_PAGETABLEUPDATEADDRESS *at = &update->PageTableAddress;

    (void)name;
    vidmm_writer_open(writer, "PageTableAddress", '{');
    if (update->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL) {
        vidmm_writer_hex(writer, "CpuVirtual", (uintptr_t)at->CpuVirtual);
    } else if (update->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_VIRTUAL) {
        vidmm_writer_hex(writer, "GpuVirtual", at->GpuVirtual);
    } else {
        vidmm_writer_number(writer, "SegmentId", at->GpuPhysical.SegmentId);
        vidmm_writer_hex(writer, "SegmentOffset", at->GpuPhysical.SegmentOffset);
    }
    vidmm_writer_close(writer, '}');
}

void vidmm_print_allocation(struct vidmm_writer *writer, const char *name, const void *member)
{
    const DXGK_ALLOCATIONLIST *entry = member;

    vidmm_writer_open(writer, name, '{');
    vidmm_writer_hex(writer, "h", (uintptr_t)entry->hDeviceSpecificAllocation);
    vidmm_writer_number(writer, "SegmentId", entry->SegmentId);
    vidmm_writer_hex(writer, "Address", (uint64_t)entry->PhysicalAddress.QuadPart);
    if (entry->WriteOperation)
        vidmm_writer_number(writer, "Write", 1);
    vidmm_writer_close(writer, '}');
}

void vidmm_print_patch_location(struct vidmm_writer *writer, const char *name, const void *member)
{
    const D3DDDI_PATCHLOCATIONLIST *location = member;

    vidmm_writer_open(writer, name, '{');
    vidmm_writer_number(writer, "AllocationIndex", location->AllocationIndex);
    vidmm_writer_number(writer, "SlotId", location->SlotId);
    vidmm_writer_hex(writer, "AllocationOffset", location->AllocationOffset);
    vidmm_writer_hex(writer, "PatchOffset", location->PatchOffset);
    vidmm_writer_hex(writer, "SplitOffset", location->SplitOffset);
    vidmm_writer_close(writer, '}');
}
