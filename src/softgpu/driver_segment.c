/*
 * Theory. One description of a segment, in the four forms that the levels ask for it: QUERYSEGMENT
 * below 1.2, QUERYSEGMENT3 below 2.0, QUERYSEGMENT4 from there on, whose descriptors are as far
 * apart as the system says.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

static BOOLEAN broken(const struct softgpu_adapter *adapter, enum softgpu_broken which)
{
    return softgpu_adapter_is_broken(adapter, which);
}

/* A segment as every version of the query describes it. */
struct description {
    DXGK_SEGMENTFLAGS flags;
    UINT64 base_address, cpu_address, size, commit_limit, preserved_end;
    UINT banks;
    SIZE_T *bank_ends;
    UINT64 vpr_start, vpr_size;
    const struct softgpu_host_register *host_aperture; /* NULL: it has none */
};

static void lie_about_segment(const struct softgpu_adapter *adapter, UINT index,
                              struct description *segment)
{
    BOOLEAN last = index + 1 == adapter->registers->segment_count;

    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_OVERLAP))
        segment->base_address = SOFTGPU_SEGMENT_BASE(1);
    if (last && broken(adapter, SOFTGPU_BROKEN_SEGMENT_EMPTY))
        segment->size = 0;
    if (last && broken(adapter, SOFTGPU_BROKEN_SEGMENT_RAGGED))
        segment->size -= 100;
    if (last && broken(adapter, SOFTGPU_BROKEN_SEGMENT_HUGE))
        segment->size = (UINT64)1 << 63;
    if (segment->flags.Aperture && broken(adapter, SOFTGPU_BROKEN_SEGMENT_FLAGS)) {
        segment->flags.CacheCoherent = 1;
        segment->flags.Agp = 1;
    }
    if (segment->flags.Aperture && broken(adapter, SOFTGPU_BROKEN_COMMIT_LIMIT))
        segment->commit_limit = segment->size + SOFTGPU_PAGE_SIZE;
}

/* obeys D-015: all ends but the last, which may be left out */
static void describe_banks(struct softgpu_adapter *adapter, UINT index, struct description *segment)
{
    const struct softgpu_segment_register *at = &adapter->registers->segments[index];

    for (UINT i = 0; i + 1 < at->bank_count; i++)
        adapter->bank_ends[index][i] = at->bank_ends[i];
    segment->flags.UseBanking = at->bank_count != 0;
    segment->banks = at->bank_count;
    segment->bank_ends = at->bank_count != 0 ? adapter->bank_ends[index] : NULL;
}

static void describe_second(struct description *segment, BOOLEAN pages_64k)
{
    segment->flags.ApplicationTarget = !segment->flags.Aperture;
    segment->flags.LocalBudgetGroup = !segment->flags.Aperture;
    segment->flags.NonLocalBudgetGroup = segment->flags.Aperture;
    segment->flags.Use64KBPages = !segment->flags.Aperture && pages_64k;
}

static struct description describe(struct softgpu_adapter *adapter, UINT segment_index)
{
    const struct softgpu_registers *registers = adapter->registers;
    UINT index = segment_index < registers->segment_count ? segment_index : 0;
    const struct softgpu_segment_register *at = &registers->segments[index];
    struct description segment = {
        .base_address = at->base_address,
        .cpu_address = at->cpu_address,
        .size = at->size,
        .commit_limit = at->commit_limit,
        .preserved_end = at->preserved_end,
        .vpr_start = at->vpr_start,
        .vpr_size = at->vpr_size,
    };

    if (at->kind ==
        SOFTGPU_SEGMENT_AGP) /* obeys D-032: it stands alone, and nothing else is read */
        return (struct description){.flags = {.Agp = 1}};
    segment.flags.Aperture = at->kind == SOFTGPU_SEGMENT_APERTURE;
    segment.flags.CpuVisible = (at->flags & SOFTGPU_SEGMENT_CPU_VISIBLE) != 0;
    segment.flags.CacheCoherent = (at->flags & SOFTGPU_SEGMENT_CACHE_COHERENT) != 0;
    segment.flags.PitchAlignment = (at->flags & SOFTGPU_SEGMENT_PITCH_ALIGNED) != 0;
    segment.flags.PopulatedFromSystemMemory = (at->flags & SOFTGPU_SEGMENT_POPULATED) != 0;
    segment.flags.PreservedDuringStandby = (at->flags & SOFTGPU_SEGMENT_STANDBY) != 0;
    segment.flags.PreservedDuringHibernate = (at->flags & SOFTGPU_SEGMENT_HIBERNATE) != 0;
    segment.flags.PartiallyPreservedDuringHibernate = (at->flags & SOFTGPU_SEGMENT_PARTLY) != 0;
    segment.flags.VprSupported = at->vpr_size != 0;
    segment.flags.VprPreservedDuringStandby = (at->flags & SOFTGPU_SEGMENT_VPR_STANDBY) != 0;
    segment.flags.EncryptedPagingSupported = (at->flags & SOFTGPU_SEGMENT_ENCRYPTED) != 0;
    segment.flags.DirectFlip = /* obeys D-041: every memory can be shown from */
        adapter->level >= 12 && (at->flags & SOFTGPU_SEGMENT_DIRECT_FLIP) != 0;
    if (adapter->level >= 20 && registers->host_aperture.segment == index + 1) {
        segment.host_aperture = &registers->host_aperture;
        segment.flags.SupportsCpuHostAperture = 1;
        segment.flags.SupportsCachedCpuHostAperture =
            (at->flags & SOFTGPU_SEGMENT_HOST_CACHED) != 0;
    }
    if (adapter->level >= 20) /* obeys D-205: memory is what budgets are about */
        describe_second(&segment,
                        softgpu_has_tables(adapter) && registers->mmu.pages_64k != SOFTGPU_64K_OFF);
    describe_banks(adapter, index, &segment);
    lie_about_segment(adapter, segment_index, &segment);
    return segment;
}

static UINT count_segments(const struct softgpu_adapter *adapter, BOOLEAN second)
{
    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_ZERO))
        return 0;
    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_MANY))
        return 33;
    if (second && broken(adapter, SOFTGPU_BROKEN_SEGMENTS_CHANGE))
        return adapter->registers->segment_count + 1;
    return adapter->registers->segment_count;
}

static UINT paging_segment(const struct softgpu_adapter *adapter)
{
    const struct softgpu_registers *registers = adapter->registers;

    if (broken(adapter, SOFTGPU_BROKEN_PAGING_NOWHERE))
        return registers->segment_count + 1;
    if (broken(adapter, SOFTGPU_BROKEN_PAGING_IN_MEMORY))
        for (UINT i = 0; i < registers->segment_count; i++)
            if (registers->segments[i].kind == SOFTGPU_SEGMENT_MEMORY)
                return i + 1;
    return registers->paging_buffer_segment;
}

static UINT paging_size(const struct softgpu_adapter *adapter)
{
    return broken(adapter, SOFTGPU_BROKEN_PAGING_SIZE_ZERO) ? 0 : adapter->registers->paging_buffer;
}

static void query_segments(struct softgpu_adapter *adapter, DXGK_QUERYSEGMENTOUT *out)
{
    DXGK_SEGMENTDESCRIPTOR *descriptors = out->pSegmentDescriptor;
    UINT room = out->NbSegment;

    out->NbSegment = count_segments(adapter, descriptors != NULL);
    if (descriptors == NULL) /* obeys D-001, D-285: the first pass counts, and no more */
        return;
    for (UINT i = 0; i < room && i < out->NbSegment; i++) {
        struct description segment = describe(adapter, i);

        descriptors[i].BaseAddress.QuadPart = (LONGLONG)segment.base_address;
        descriptors[i].CpuTranslatedAddress.QuadPart = (LONGLONG)segment.cpu_address;
        descriptors[i].Size = segment.size;
        descriptors[i].NbOfBanks = segment.banks;
        descriptors[i].pBankRangeTable = segment.bank_ends;
        descriptors[i].CommitLimit = segment.commit_limit;
        descriptors[i].Flags = segment.flags;
    }
    out->PagingBufferSegmentId = paging_segment(adapter);
    out->PagingBufferSize = paging_size(adapter);
    out->PagingBufferPrivateDataSize = adapter->registers->private_data;
}

static void query_segments_3(struct softgpu_adapter *adapter, DXGK_QUERYSEGMENTOUT3 *out)
{
    DXGK_SEGMENTDESCRIPTOR3 *descriptors = out->pSegmentDescriptor;
    UINT room = out->NbSegment;

    out->NbSegment = count_segments(adapter, descriptors != NULL);
    if (descriptors == NULL)
        return;
    for (UINT i = 0; i < room && i < out->NbSegment; i++) {
        struct description segment = describe(adapter, i);

        descriptors[i].Flags = segment.flags;
        descriptors[i].BaseAddress.QuadPart = (LONGLONG)segment.base_address;
        descriptors[i].CpuTranslatedAddress.QuadPart = (LONGLONG)segment.cpu_address;
        descriptors[i].Size = segment.size;
        descriptors[i].NbOfBanks = segment.banks;
        descriptors[i].pBankRangeTable = segment.bank_ends;
        descriptors[i].CommitLimit = segment.commit_limit;
        descriptors[i].SystemMemoryEndAddress = segment.preserved_end;
    }
    out->PagingBufferSegmentId = paging_segment(adapter);
    out->PagingBufferSize = paging_size(adapter);
    out->PagingBufferPrivateDataSize = adapter->registers->private_data;
}

/* Descriptors are walked by the stride, and written as far as it goes. */
static void query_segments_4(struct softgpu_adapter *adapter, DXGK_QUERYSEGMENTOUT4 *out)
{
    BYTE *at = out->pSegmentDescriptor;
    UINT room = out->NbSegment;

    out->NbSegment = count_segments(adapter, at != NULL);
    if (at == NULL)
        return;
    for (UINT i = 0; i < room && i < out->NbSegment; i++, at += out->SegmentDescriptorStride) {
        struct description segment = describe(adapter, i);
        DXGK_SEGMENTDESCRIPTOR4 descriptor = {
            .Flags = segment.flags,
            .BaseAddress.QuadPart = (LONGLONG)segment.base_address,
            .Size = segment.size,
            .CommitLimit = segment.commit_limit,
            .SystemMemoryEndAddress = segment.preserved_end,
            .CpuHostAperture.SizeInPages = 0, /* the larger of the union: all of it is written */
            .VprRangeStartOffset = segment.vpr_start,
            .VprRangeSize = segment.vpr_size,
            .VprAlignment = segment.vpr_size != 0 ? SOFTGPU_VPR_ALIGNMENT : 0,
        };

        if (segment.host_aperture != NULL) { /* obeys D-178, D-175: pages of the segment */
            descriptor.CpuHostAperture =
                (DXGK_CPUHOSTAPERTURE){.PhysicalAddress = segment.host_aperture->cpu_address,
                                       .SizeInPages = segment.host_aperture->pages};
        } else {
            descriptor.CpuTranslatedAddress.QuadPart = (LONGLONG)segment.cpu_address;
        }
        memcpy(at, &descriptor,
               out->SegmentDescriptorStride < sizeof(descriptor) ? out->SegmentDescriptorStride
                                                                 : sizeof(descriptor));
    }
    out->PagingBufferSegmentId = paging_segment(adapter);
    out->PagingBufferSize = paging_size(adapter);
    out->PagingBufferPrivateDataSize = adapter->registers->private_data;
}

/* The questions of each level, with their inputs and outputs. */
static const struct question {
    UINT least_level, last_level;
    DXGK_QUERYADAPTERINFOTYPE type;
    const char *name;
    size_t in, out;
} questions[] = {
    {10, 11, DXGKQAITYPE_QUERYSEGMENT, "QUERYSEGMENT", sizeof(DXGK_QUERYSEGMENTIN),
     sizeof(DXGK_QUERYSEGMENTOUT)},
    {12, 13, DXGKQAITYPE_QUERYSEGMENT3, "QUERYSEGMENT3", sizeof(DXGK_QUERYSEGMENTIN),
     sizeof(DXGK_QUERYSEGMENTOUT3)},
    {20, 32, DXGKQAITYPE_QUERYSEGMENT4, "QUERYSEGMENT4", sizeof(DXGK_QUERYSEGMENTIN4),
     sizeof(DXGK_QUERYSEGMENTOUT4)},
};

static const struct question *find_question(DXGK_QUERYADAPTERINFOTYPE type)
{
    const struct question *question = questions;

    while (question->type != type)
        question++;
    return question;
}

/* The GPU of the link that QUERYSEGMENT4 asks about, which has been checked. */
static struct softgpu_adapter *member_of(struct softgpu_adapter *adapter,
                                         const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    const DXGK_QUERYSEGMENTIN4 *in = pQueryAdapterInfo->pInputData;

    return softgpu_engine(adapter, in->PhysicalAdapterIndex);
}

static NTSTATUS check_segment_query(struct softgpu_adapter *adapter,
                                    const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    const struct question *question = find_question(pQueryAdapterInfo->Type);

    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_FAIL))
        return STATUS_INVALID_PARAMETER;
    if (adapter->level < question->least_level || adapter->level > question->last_level) /* D-282 */
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER,
            "QueryAdapterInfo: %s asked of a driver of WDDM " SOFTGPU_LEVEL_FORMAT, question->name,
            SOFTGPU_LEVEL(adapter));
    if (pQueryAdapterInfo->pInputData == NULL || pQueryAdapterInfo->InputDataSize < question->in ||
        pQueryAdapterInfo->pOutputData == NULL || pQueryAdapterInfo->OutputDataSize < question->out)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "QueryAdapterInfo segments: input of %u bytes, output of %u",
                              pQueryAdapterInfo->InputDataSize, pQueryAdapterInfo->OutputDataSize);
    if (adapter->level >= 20 && member_of(adapter, pQueryAdapterInfo) == NULL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "QueryAdapterInfo QUERYSEGMENT4: there is no such adapter");
    return STATUS_SUCCESS;
}

NTSTATUS softgpu_query_segments(struct softgpu_adapter *adapter,
                                const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    NTSTATUS status = check_segment_query(adapter, pQueryAdapterInfo);

    if (!NT_SUCCESS(status))
        return status;
    if (adapter->level < 12)
        query_segments(adapter, pQueryAdapterInfo->pOutputData);
    else if (adapter->level < 20)
        query_segments_3(adapter, pQueryAdapterInfo->pOutputData);
    else
        query_segments_4(member_of(adapter, pQueryAdapterInfo), pQueryAdapterInfo->pOutputData);
    return STATUS_SUCCESS;
}
