/* rules_virtual.c: the rules of paging and submission by addresses, and of drivers at 2.0, broken
 * and kept. */
#include "rig_virtual.h"

#define SIZE (16 * RIG_PAGE)        /* of each half of the scratch range */
#define LOCAL RIG_ADDRESS           /* its first half is mapped to segment 2 ... */
#define SYSTEM (RIG_ADDRESS + SIZE) /* ... and its second to system memory */

/* ---- Addresses of the paging process ---- */

void breaks_D_106(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_build(rig, rig_transfer_virtual(LOCAL, SYSTEM, SIZE + RIG_PAGE,
                                        DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_106), 1);
    rig_build(rig, rig_transfer_virtual(LOCAL + (UINT64_C(1) << 30), SYSTEM, SIZE,
                                        DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_106), 2);
}

void keeps_D_106(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_build(rig, rig_transfer_virtual(LOCAL, SYSTEM, SIZE, DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM));
    rig_page_virtual(rig);
}

void breaks_D_107(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_build(rig, rig_transfer_virtual(LOCAL, SYSTEM, SIZE, DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_107), 1);
    rig_build(rig, rig_transfer_virtual(SYSTEM, LOCAL, SIZE, DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_107), 2);
    rig_build(rig, rig_transfer_virtual(SYSTEM, LOCAL, SIZE, 3));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_107), 3);
}

void keeps_D_107(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_build(rig, rig_transfer_virtual(LOCAL, SYSTEM, SIZE, DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM));
    rig_build(rig, rig_transfer_virtual(SYSTEM, LOCAL, SIZE, DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL));
    rig_build(rig, rig_transfer_virtual(LOCAL, LOCAL + SIZE / 2, SIZE / 2,
                                        DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL));
    rig_page_virtual(rig);
}

void breaks_D_110(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_build(rig, rig_fill_virtual(LOCAL, 0));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_110), 1);
    rig_forget_addresses(rig, rig->system_process);
    rig_build(rig, rig_fill_virtual(LOCAL - RIG_PAGE, SIZE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_110), 2);
}

void keeps_D_110(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_build(rig, rig_fill_virtual(LOCAL + 64, SIZE - 64));
    rig_forget_addresses(rig, rig->system_process);
    rig_page_virtual(rig);
}

void breaks_D_388(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_map_page(rig, rig->system_process, 3, RIG_MEMORY, 0x400000); /* and no FlushTlb */
    rig_build(rig, rig_transfer_virtual(LOCAL, SYSTEM, SIZE, DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_388), 1);
    rig_page_virtual(rig);
    rig_forget_addresses(rig, rig->system_process);
    rig_map_page(rig, rig->system_process, 32, RIG_MEMORY, 0x400000); /* it was invalid */
    rig_build(rig, rig_transfer_virtual(SYSTEM + SIZE, LOCAL, RIG_PAGE,
                                        DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_388), 2);
    rig->paging_context = rig->context; /* of the program's process */
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig_page_virtual(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_388), 3);
    rig_allow(rig, VIDMM_RULE_D_266); /* the program's context is no companion */
}

/* An entry elsewhere may have changed; one that was invalid is not remembered, if the GPU says so;
 * before the first use nothing is. */
void keeps_D_388(struct rig *rig)
{
    rig_map_page(rig, rig->system_process, 40, RIG_MEMORY, 0x400000);
    rig_map_scratch(rig);
    rig_map_page(rig, rig->system_process, 41, RIG_MEMORY, 0x400000);
    rig_build(rig, rig_transfer_virtual(LOCAL, SYSTEM, SIZE, DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM));
    rig_forget_addresses(rig, rig->system_process);
    rig->mmu = (DXGK_GPUMMUCAPS){.InvalidTlbEntriesNotCached = 1}.Value;
    rig_query_mmu(rig);
    rig_map_page(rig, rig->system_process, 32, RIG_MEMORY, 0x400000);
    rig_build(rig, rig_transfer_virtual(SYSTEM + SIZE, LOCAL, RIG_PAGE,
                                        DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL));
    rig_page_virtual(rig);
}

void breaks_D_389(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_map_page(rig, rig->system_process, 3, RIG_MEMORY, 0x400000);
    rig_build(rig, rig_fill_virtual(LOCAL, SIZE));
}

/* Flush a page of the paging process, whose root is at the start of the segment. */
static void flush_page(struct rig *rig, UINT page)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_flush_tlb(rig->system_process, 0);

    asked.FlushTlb.StartVirtualAddress = RIG_ADDRESS + page * RIG_PAGE;
    asked.FlushTlb.EndVirtualAddress = asked.FlushTlb.StartVirtualAddress + RIG_PAGE;
    rig_build(rig, asked);
}

void keeps_D_389(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_map_page(rig, rig->system_process, 3, RIG_MEMORY, 0x400000);
    rig_forget_addresses(rig, rig->system_process);
    rig_build(rig, rig_fill_virtual(LOCAL, SIZE));

    /* Two pages are changed, and each is flushed; nothing between them was. */
    rig_forget_addresses(rig, rig->system_process);
    rig_map_page(rig, rig->system_process, 1, RIG_MEMORY, 0x500000);
    rig_map_page(rig, rig->system_process, 12, RIG_MEMORY, 0x600000);
    flush_page(rig, 1);
    flush_page(rig, 12);
    rig_build(rig, rig_fill_virtual(LOCAL + 4 * RIG_PAGE, 2 * RIG_PAGE));
}

void breaks_W_020(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_allow(rig, VIDMM_RULE_D_110); /* so much is not mapped */
    rig_build(rig, rig_fill_virtual(LOCAL, (UINT64_C(256) << 20) + RIG_PAGE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_020), 1);
    rig_build(rig, rig_fill_virtual(LOCAL, SIZE)); /* and no FlushTlb */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_020), 2);
    rig_build(rig, rig_transfer_virtual(LOCAL, SYSTEM, SIZE, DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_020), 3);
}

/* A second pass of a fill is not another one. */
void keeps_W_020(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 64, 7);
    rig_build(rig, rig_fill_virtual(LOCAL, SIZE));
    rig_page_virtual(rig);
    DXGKARG_BUILDPAGINGBUFFER again = rig_fill_virtual(LOCAL, SIZE);
    again.MultipassOffset = 7;
    rig_build(rig, again);
    rig_forget_addresses(rig, rig->system_process);
    rig_build(rig, rig_fill_virtual(LOCAL, SIZE));
    rig_forget_addresses(rig, rig->system_process);
    rig_page_virtual(rig);
}

/* ---- Submission ---- */

void breaks_W_016(struct rig *rig)
{
    DXGKARG_SUBMITCOMMAND command;

    rig_map_scratch(rig);
    command = rig_paging_submit(rig, ++rig->fence);
    rig_allow(rig, VIDMM_RULE_S4_007); /* nor was it patched */
    rig_submit(rig, &command);
}

void keeps_W_016(struct rig *rig)
{
    rig_map_scratch(rig);
    rig_page_virtual(rig);
}

void breaks_W_017(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_flush_tlb(rig->process, RIG_TABLES);
    DXGKARG_SUBMITCOMMANDVIRTUAL command;

    rig_build(rig, asked);
    asked.DmaBufferGpuVirtualAddress = 0x10000;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_017), 1);
    command = rig_paging_virtual(rig);
    command.DmaBufferVirtualAddress += 64;
    rig->driver->DxgkDdiSubmitCommandVirtual(rig->adapter, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_017), 2);
}

/* A second part of the buffer has an offset; behind an aperture there are addresses. */
void keeps_W_017(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_flush_tlb(rig->process, RIG_TABLES);
    DXGKARG_SUBMITCOMMANDVIRTUAL command;

    for (int i = 0; i < 2; i++) {
        rig_build(rig, asked);
        command = rig_paging_virtual(rig);
        rig->driver->DxgkDdiSubmitCommandVirtual(rig->adapter, &command);
        rig->buffers[rig->current].start = rig->buffers[rig->current].end;
        rig_complete(rig, RIG_PAGING_NODE, command.SubmissionFenceId);
    }
    assert_int_not_equal(command.DmaBufferVirtualAddress, 0);
    rig->paging_segment = RIG_APERTURE;
    rig_query_mmu(rig);
    asked.DmaBufferGpuVirtualAddress = 0x10000;
    rig_build(rig, asked);
    command = rig_paging_virtual(rig);
    command.DmaBufferVirtualAddress += 0x10000;
    rig->driver->DxgkDdiSubmitCommandVirtual(rig->adapter, &command);
}

void breaks_D_259(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_flush_tlb(rig->process, RIG_TABLES);

    rig_build(rig, asked);
    rig_place(rig, &asked);
    asked.DmaBufferWriteOffset = 0;
    rig_build_raw(rig, &asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_259), 1);
    rig_new_buffer(rig);
    rig_place(rig, &asked);
    asked.hSystemContext = rig->context;
    rig_build_raw(rig, &asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_259), 2);
    rig_allow(rig, VIDMM_RULE_S4_006); /* the first buffer is not submitted */
}

void keeps_D_259(struct rig *rig)
{
    rig_build(rig, rig_flush_tlb(rig->process, RIG_TABLES));
    rig_build(rig, rig_flush_tlb(rig->process, RIG_TABLES));
    rig_page_virtual(rig);
}

void breaks_D_090(struct rig *rig)
{
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig->status = STATUS_UNSUCCESSFUL;
    rig_run_virtual(rig, rig->context);
}

void keeps_D_090(struct rig *rig)
{
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig->status = STATUS_INVALID_PARAMETER;
    rig_run_virtual(rig, rig->context);
    rig->status = STATUS_SUCCESS;
    rig_run_virtual(rig, rig->context);
}

/* ---- Notices of residency ---- */

static void notify(struct rig *rig, const struct rig_allocation *allocation, bool resident,
                   uint64_t offset)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_NOTIFY_RESIDENCY};

    asked.NotifyResidency.hAllocation = allocation->handle;
    asked.NotifyResidency.Resident = resident;
    asked.NotifyResidency.PhysicalAddress.SegmentId = resident ? RIG_MEMORY : 0;
    asked.NotifyResidency.PhysicalAddress.SegmentOffset = offset;
    rig_build(rig, asked);
}

void breaks_D_142(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    notify(rig, allocation, false, 0); /* it never came */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_142), 1);
    notify(rig, allocation, true, 0x100000);
    notify(rig, allocation, true, 0x100000);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_142), 2);
    notify(rig, allocation, false, 0x100000);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_142), 3);
}

void keeps_D_142(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    for (int i = 0; i < 3; i++) {
        notify(rig, allocation, true, 0x100000);
        notify(rig, allocation, false, 0);
    }
}

/* ---- Answers of drivers ---- */

static void create_context(struct rig *rig, UINT flags, UINT set)
{
    DXGKARG_CREATECONTEXT create = {.hContext = rig, .EngineAffinity = 1};

    create.Flags.Value = flags;
    rig->dma_set = set;
    assert_int_equal(rig->driver->DxgkDdiCreateContext(rig->device, &create), STATUS_SUCCESS);
}

void breaks_W_001(struct rig *rig)
{
    create_context(rig, 4, 0);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_001), 1);
    create_context(rig, 4, RIG_SET(RIG_MEMORY));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_001), 2);
}

/* A context by physical addresses may answer 0 (D-014). */
void keeps_W_001(struct rig *rig)
{
    create_context(rig, 0, 0);
    create_context(rig, 4, RIG_SET(RIG_MEMORY) | RIG_SET(RIG_APERTURE));
}

void breaks_S3_033(struct rig *rig)
{
    rig->info.FlagsWddm2.ExplicitResidencyNotification = 1;
    rig_simple(rig);
}

void keeps_S3_033(struct rig *rig)
{
    rig->info.FlagsWddm2.ExplicitResidencyNotification = 1;
    rig->info.FlagsWddm2.AccessedPhysically = 1;
    rig_simple(rig);
}
