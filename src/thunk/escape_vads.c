/* escape_vads.c: addresses, as tests ask for them. */
#include "thunk/escape_vads.h"

#include <string.h>

#include <vidmm/caps.h>
#include <vidmm/engine.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

/* The runs of one reservation, added up. */
struct vad {
    uint64_t start, end;
    uint32_t ranges; /* that mean an allocation */
    bool whole;      /* it begins there */
    bool mapped;
    bool has_wanted;
    struct vidmm_address_info wanted; /* the range that was asked for */
};

/* Describe the reservation that begins at `address` or behind it, or the rest of one from there on,
 * and its range number `wanted`. False: there is none. */
static bool find_vad(struct vidmm_adapter *adapter, uint64_t process, uint32_t physical,
                     uint64_t address, uint32_t wanted, struct vad *vad)
{
    struct vidmm_address_info info;

    if (!vidmm_find_addresses(adapter, process, physical, address, &info))
        return false;
    *vad = (struct vad){.start = info.start, .whole = info.begins, .mapped = info.mapped};
    do {
        if (info.state == VIDMM_ADDRESSES_MAPPED && vad->ranges++ == wanted) {
            vad->has_wanted = true;
            vad->wanted = info;
        }
        vad->end = info.end;
    } while (vidmm_find_addresses(adapter, process, physical, vad->end, &info) && !info.begins);
    return true;
}

static uint32_t count_vads(struct vidmm_adapter *adapter, uint64_t process)
{
    uint32_t count = 0;
    struct vad vad = {0};

    while (find_vad(adapter, process, 0, vad.end, 0, &vad))
        count++;
    return count;
}

static NTSTATUS get_vad(struct vidmm_adapter *adapter, uint64_t process, D3DKMT_VAD_DESC *answer)
{
    struct vad vad = {0};

    for (uint32_t i = 0; i <= answer->VadIndex; i++)
        if (!find_vad(adapter, process, 0, vad.end, 0, &vad))
            return vidmm_thunk_refuse("GetVad.VadIndex is %u; the process has %u", answer->VadIndex,
                                      (unsigned)i);
    answer->VadAddress = vad.start;
    answer->NumMappedRanges = vad.ranges;
    answer->VadType = vad.mapped;
    answer->StartAddress = vad.start;
    answer->EndAddress = vad.end;
    return STATUS_SUCCESS;
}

static NTSTATUS get_range(struct vidmm_adapter *adapter, uint64_t process,
                          D3DKMT_VA_RANGE_DESC *answer)
{
    D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE protection = {.Value = 0};
    struct vidmm_adapter_caps caps;
    struct vad vad;

    vidmm_adapter_get_caps(adapter, &caps);
    if (answer->PhysicalAdapterIndex >= caps.physical_adapters)
        return vidmm_thunk_refuse("GetVadRange.PhysicalAdapterIndex is %u; expected 0 to %u",
                                  answer->PhysicalAdapterIndex,
                                  (unsigned)caps.physical_adapters - 1);
    if (!find_vad(adapter, process, answer->PhysicalAdapterIndex, answer->VadAddress,
                  answer->VaRangeIndex, &vad) ||
        !vad.whole || vad.start != answer->VadAddress)
        return vidmm_thunk_refuse("GetVadRange.VadAddress is 0x%llx, where no VAD begins",
                                  (unsigned long long)answer->VadAddress);
    if (!vad.has_wanted)
        return vidmm_thunk_refuse("GetVadRange.VaRangeIndex is %u; the VAD has %u",
                                  answer->VaRangeIndex, (unsigned)vad.ranges);
    protection.Write = (vad.wanted.access & VIDMM_ADDRESSES_WRITE) != 0;
    protection.Execute = (vad.wanted.access & VIDMM_ADDRESSES_EXECUTE) != 0;
    answer->StartAddress = vad.wanted.start;
    answer->EndAddress = vad.wanted.end;
    answer->DriverProtection = vad.wanted.driver_protection;
    answer->OwnerType = 1;
    answer->pOwner = vad.wanted.allocation;
    answer->OwnerOffset = vad.wanted.offset;
    answer->Protection = (UINT)protection.Value;
    return STATUS_SUCCESS;
}

/* ---- entries of page tables ------------------------------------------------------------------ */

static NTSTATUS check_pte(const struct vidmm_adapter_caps *caps, const D3DKMT_GET_PTE *wanted)
{
    const uint32_t most = sizeof(wanted->Pte) / sizeof(wanted->Pte[0]);

    if (!caps->page_tables) {
        vidmm_thunk_refuse("hAdapter has no page tables of its own");
        return STATUS_NOT_SUPPORTED;
    }
    if (wanted->PhysicalAdapterIndex >= caps->physical_adapters)
        return vidmm_thunk_refuse("GetPte.PhysicalAdapterIndex is %u; expected 0 to %u",
                                  wanted->PhysicalAdapterIndex,
                                  (unsigned)caps->physical_adapters - 1);
    if (wanted->PageTableLevel >= caps->mmu.PageTableLevelCount)
        return vidmm_thunk_refuse("GetPte.PageTableLevel is %u; expected 0 to %u",
                                  wanted->PageTableLevel,
                                  (unsigned)caps->mmu.PageTableLevelCount - 1);
    if (wanted->NumPtes == 0 || wanted->NumPtes > most)
        return vidmm_thunk_refuse("GetPte.NumPtes is %u; expected 1 to %u", wanted->NumPtes,
                                  (unsigned)most);
    for (uint32_t i = wanted->PageTableLevel; i < caps->mmu.PageTableLevelCount; i++)
        if (wanted->PageTableIndex[i] >> caps->levels[i].PageTableIndexBitCount != 0)
            return vidmm_thunk_refuse("GetPte.PageTableIndex[%u] is %u; expected 0 to %u",
                                      (unsigned)i, wanted->PageTableIndex[i],
                                      (1u << caps->levels[i].PageTableIndexBitCount) - 1);
    return STATUS_SUCCESS;
}

static NTSTATUS get_pte(struct vidmm_adapter *adapter, uint64_t process, D3DKMT_GET_PTE *answer)
{
    struct vidmm_adapter_caps caps;
    bool wide = false;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    status = check_pte(&caps, answer);
    if (status != STATUS_SUCCESS)
        return status;
    memset(answer->Pte, 0, sizeof(answer->Pte));
    answer->NumValidEntries = 0;
    wide = caps.mmu.DualPteSupported && answer->PageTableLevel <= 1 && answer->b64KBPte;
    answer->NumValidEntries = vidmm_find_page_entries(
        adapter, process, answer->PhysicalAdapterIndex, answer->PageTableLevel,
        answer->PageTableIndex, &wide, answer->Pte, answer->NumPtes);
    answer->b64KBPte = wide;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_escape_vads(struct vidmm_adapter *adapter, uint64_t process,
                           D3DKMT_VIDMM_ESCAPE *escape)
{
    switch (escape->GetVads.Command) {
    case D3DKMT_VAD_ESCAPE_GETVAD:
        return get_vad(adapter, process, &escape->GetVads.GetVad);
    case D3DKMT_VAD_ESCAPE_GETVADRANGE:
        return get_range(adapter, process, &escape->GetVads.GetVadRange);
    case D3DKMT_VAD_ESCAPE_GET_PTE:
        return get_pte(adapter, process, &escape->GetVads.GetPte);
    default:
        escape->GetVads.GetNumVads.NumVads = count_vads(adapter, process);
        return STATUS_SUCCESS;
    }
}
