/* shows_submission_virtual.c: what the manager obeys when packets go by GPU virtual addresses. */
#include "unit/test_by_address.h"

#include <vidmm/process.h>

#include "rules.h"
#include "vidmm/ddi/miniport.h"

static unsigned submissions, patches;

static NTSTATUS count_submission(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    (void)adapter;
    (void)arguments;
    submissions++;
    return STATUS_SUCCESS;
}

static NTSTATUS count_patch(HANDLE adapter, const DXGKARG_PATCH *arguments)
{
    (void)adapter;
    (void)arguments;
    patches++;
    return STATUS_SUCCESS;
}

/* Content goes in, out and in. */
static struct vidmm_allocation *page(const char *gpu)
{
    struct vidmm_allocation *allocation;

    by_start(gpu);
    allocation = by_create(16 * 4096, 2);
    by_make_resident(allocation->id);
    by_evict(allocation->id);
    by_make_resident(allocation->id);
    by_wait();
    return allocation;
}

static void finish(struct vidmm_allocation *allocation)
{
    vidmm_allocation_destroy(allocation);
    by_finish();
}

/* The driver has the entries for physical addresses, too: nobody calls them. */
void shows_W_016(void **state)
{
    struct vidmm_allocation *allocation;
    const DXGKARG_SUBMITCOMMANDVIRTUAL *submit;
    unsigned from = 0;

    (void)state;
    submissions = patches = 0;
    by_bend = (struct by_bend){.submit = count_submission, .patch = count_patch};
    allocation = page(BY_GPU);
    by_bend = (struct by_bend){.submit = NULL};
    for (unsigned i = 0; i < 3; i++) {
        submit = &by_find(&from, BY_SUBMIT)->submit;
        assert_true(submit->Flags.Paging);
        assert_ptr_equal(submit->hContext, by_calls[0].build.hSystemContext);
        assert_non_null(submit->hContext);
        assert_true(submit->DmaBufferSize > 0);
        assert_int_equal(submit->NodeOrdinal, by_rig.adapter->paging_node);
    }
    assert_int_equal(submissions + patches, 0);
    finish(allocation);
}

void shows_W_017(void **state)
{
    struct vidmm_allocation *allocation;

    (void)state;
    allocation = page(BY_GPU "paging_buffer_segment 0\n");
    for (unsigned i = 0; i < by_count; i++)
        if (by_calls[i].what == BY_SUBMIT)
            assert_int_equal(by_calls[i].submit.DmaBufferVirtualAddress, 0);
        else if (by_calls[i].what < BY_SUBMIT)
            assert_int_equal(by_calls[i].build.DmaBufferGpuVirtualAddress, 0);
    finish(allocation);
    allocation = page(BY_GPU "paging_buffer_segment 1\n");
    for (unsigned i = 0; i < by_count; i++)
        if (by_calls[i].what == BY_SUBMIT)
            assert_true(by_calls[i].submit.DmaBufferVirtualAddress >= 0x10000);
        else if (by_calls[i].what < BY_SUBMIT)
            assert_true(by_calls[i].build.DmaBufferGpuVirtualAddress >= 0x10000);
    finish(allocation);
}

/* The bytes before a call are those of the calls before it, and the packet is where they are. */
void shows_D_259(void **state)
{
    struct vidmm_allocation *allocation;
    const DXGKARG_BUILDPAGINGBUFFER *first = NULL;
    unsigned packets = 0;

    (void)state;
    allocation = page(BY_GPU "paging_buffer_segment 1\n");
    for (unsigned i = 0; i < by_count; i++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &by_calls[i].build;

        if (by_calls[i].what == BY_SUBMIT) {
            assert_int_equal(by_calls[i].submit.DmaBufferVirtualAddress,
                             first->DmaBufferGpuVirtualAddress);
            first = NULL;
            packets++;
            continue;
        }
        first = first != NULL ? first : build;
        assert_int_equal((uintptr_t)build->pDmaBuffer - (uintptr_t)first->pDmaBuffer,
                         build->DmaBufferWriteOffset);
        assert_int_equal(build->DmaBufferGpuVirtualAddress, first->DmaBufferGpuVirtualAddress);
        assert_ptr_equal(build->hSystemContext, by_rig.adapter->miniport->h_system_context);
    }
    assert_int_equal(packets, 3);
    finish(allocation);
}

/* Commands that touch nothing, where the program finds them. */
static uint64_t write_commands(struct vidmm_allocation *allocation, uint32_t *length)
{
    const struct vidmm_host *host = by_rig.adapter->host;
    const struct softgpu_virtual_touch touch = {.command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(touch)}};
    uint64_t frame = vidmm_backing_frame(&allocation->backing, 0);
    void *page;

    by_make_resident(allocation->id);
    by_wait();
    page = host->map_pages(host->context, 1, &frame);
    assert_non_null(page);
    memcpy(page, &touch, sizeof(touch));
    host->unmap_pages(host->context, page, 1);
    *length = sizeof(touch);
    return by_map(allocation, 0, VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE);
}

void shows_W_013(void **state)
{
    struct vidmm_allocation *allocation;
    struct vidmm_command command = {.length = 0};
    struct vidmm_context *context;
    struct vidmm_device *other; /* without contexts */
    const struct by_call *root, *submit;
    unsigned from = 0, update = 0;
    uint64_t value;

    (void)state;
    by_start(BY_GPU);
    assert_int_equal(vidmm_device_create(by_rig.adapter, 77, &other, &by_rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_create(by_rig.device, 0, NULL, 0, &context, &by_rig.report),
                     STATUS_SUCCESS);
    allocation = by_create(4096, 1);
    command.address = write_commands(allocation, &command.length);
    by_wait();
    assert_int_equal(by_next(0, BY_ROOT), by_count); /* not yet */
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(vidmm_submit_command(context, &command, true, &value, &by_rig.report),
                         STATUS_SUCCESS);
        assert_int_equal(vidmm_context_wait(context, value), STATUS_SUCCESS);
    }
    root = by_find(&from, BY_ROOT);
    submit = &by_calls[from];
    assert_int_equal(submit->what, BY_SUBMIT);
    assert_false(submit->submit.Flags.Paging);
    assert_ptr_equal(root->root.hContext, submit->submit.hContext);
    assert_int_equal(submit->submit.DmaBufferVirtualAddress, command.address);
    assert_int_equal(submit->submit.DmaBufferSize, command.length);
    assert_int_equal(by_next(from, BY_ROOT), by_count); /* it has not moved */
    while (by_calls[update].what != DXGK_OPERATION_UPDATE_PAGE_TABLE ||
           by_calls[update].build.UpdatePageTable.PageTableLevel != 3)
        assert_true(++update < by_count);
    assert_int_equal(
        root->root.Address.SegmentOffset,
        by_calls[update].build.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset);
    assert_int_equal(root->root.NumEntries, 512);
    vidmm_context_destroy(context);
    vidmm_device_destroy(other);
    finish(allocation);
}

/* A program with commands, which touch nothing. */
static struct vidmm_command begin_commands(struct vidmm_context **context,
                                           struct vidmm_allocation **allocation)
{
    struct vidmm_command command = {.length = 0};

    by_start(BY_GPU);
    assert_int_equal(vidmm_context_create(by_rig.device, 0, NULL, 0, context, &by_rig.report),
                     STATUS_SUCCESS);
    *allocation = by_create(4096, 1);
    command.address = write_commands(*allocation, &command.length);
    by_wait();
    return command;
}

static void end_commands(struct vidmm_context *context, struct vidmm_allocation *allocation)
{
    by_wait();
    vidmm_context_destroy(context);
    finish(allocation);
}

/* One byte more than the driver asked for; and commands for no context. (D3DKMTSubmitCommand, which
 * takes a list of contexts, refuses a list of none: test/unit/test_thunk_counts.c.) */
void breaks_D_091(void **state)
{
    static unsigned char bytes[65536];
    struct vidmm_allocation *allocation;
    struct vidmm_context *context;
    struct vidmm_command command;
    uint64_t value;

    (void)state;
    command = begin_commands(&context, &allocation);
    command.private_data = bytes;
    command.private_data_size = context->dma_buffers[0].memory.private_size + 1;
    assert_in_range(command.private_data_size, 2, sizeof(bytes));
    assert_int_equal(vidmm_submit_command(context, &command, true, &value, &by_rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(by_rig.report.text, "D-091"));
    command.private_data_size--;
    assert_int_equal(vidmm_submit_command(NULL, &command, true, &value, &by_rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(by_rig.report.text, "D-091"));
    end_commands(context, allocation);
    for (unsigned i = 0; i < by_count; i++)
        assert_true(by_calls[i].what != BY_SUBMIT || by_calls[i].submit.Flags.Paging);
}

/* All of it reaches the driver, unchanged. */
void keeps_D_091(void **state)
{
    static unsigned char bytes[65536];
    struct vidmm_allocation *allocation;
    struct vidmm_context *context;
    const struct by_call *submit;
    struct vidmm_command command;
    uint64_t value;

    (void)state;
    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(i * 7 + 1);
    command = begin_commands(&context, &allocation);
    command.private_data = bytes;
    command.private_data_size = context->dma_buffers[0].memory.private_size;
    assert_int_equal(vidmm_submit_command(context, &command, true, &value, &by_rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(context, value), STATUS_SUCCESS);
    submit = &by_calls[by_next(0, BY_ROOT) + 1];
    assert_int_equal(submit->what, BY_SUBMIT);
    assert_int_equal(submit->submit.DmaBufferUmdPrivateDataSize, command.private_data_size);
    assert_memory_equal(submit->submit.pDmaBufferPrivateData, bytes, command.private_data_size);
    end_commands(context, allocation);
}
