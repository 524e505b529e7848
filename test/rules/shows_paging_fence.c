/* shows_paging_fence.c: paging-fence.def, obeyed. */
#include "rules.h"
#include "unit/test_addressed.h"

#include <vidmm/host.h>

#include "vidmm/object/adapter.h"

enum { FENCED_PAGES = 8, FENCED_CALLS = 256, FENCED_KEPT = 8 };

/* The calls of the driver, and the submissions that are kept from the GPU. */
static struct fenced {
    DRIVER_INITIALIZATION_DATA driver;
    DXGK_BUILDPAGINGBUFFER_OPERATION asked[FENCED_CALLS];
    unsigned count, submitted;      /* calls of BuildPagingBuffer; before the newest submission */
    unsigned signals, signaled_at;  /* of them with operation 16; the number of the newest */
    UINT64 value;                   /* of that */
    D3DGPU_VIRTUAL_ADDRESS address; /* ... and its place */
    uint64_t written;               /* bytes that it wrote to the paging buffer */
    UINT multipass;                 /* MultipassOffset of it at entry */
    const void *buffer, *refused;   /* its pDmaBuffer; that of the one before it */
    NTSTATUS refuses;               /* the answer to the next of them; SUCCESS: the driver's own */
    bool for_good;                  /* ... and to all behind it */
    bool waits; /* from the first submission with operation 16 on all are kept from the GPU */
    bool signal_in_buffer;
    DXGKARG_SUBMITCOMMANDVIRTUAL kept[FENCED_KEPT];
    unsigned kept_count;
    HANDLE kept_by;
    uint64_t at_interrupt; /* the value in memory when the first interrupt came since `watched` */
    const volatile uint64_t *watched;
} fenced;

static NTSTATUS build_signal(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const char *start = arguments->pDmaBuffer;
    NTSTATUS status = fenced.refuses;

    fenced.signals++;
    fenced.signaled_at = fenced.count;
    fenced.value = arguments->SignalMonitoredFence.MonitoredFenceValue;
    fenced.address = arguments->SignalMonitoredFence.MonitoredFenceGpuVa;
    fenced.multipass = arguments->MultipassOffset;
    fenced.refused = fenced.buffer;
    fenced.buffer = start;
    fenced.refuses = fenced.for_good ? status : STATUS_SUCCESS;
    if (status != STATUS_SUCCESS) {
        arguments->MultipassOffset = 77;
        return status;
    }
    status = fenced.driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
    fenced.written = (uint64_t)((char *)arguments->pDmaBuffer - start);
    fenced.signal_in_buffer = true;
    return status;
}

static NTSTATUS fenced_build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    fenced.count++;
    assert_in_range(fenced.count, 1, FENCED_CALLS - 1);
    fenced.asked[fenced.count] = arguments->Operation;
    return arguments->Operation == DXGK_OPERATION_SIGNAL_MONITORED_FENCE
               ? build_signal(adapter, arguments)
               : fenced.driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static NTSTATUS fenced_submit(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    bool kept = fenced.kept_count > 0 || (fenced.waits && fenced.signal_in_buffer);

    fenced.signal_in_buffer = false;
    fenced.submitted = fenced.signals == 0 ? fenced.count : fenced.submitted;
    if (!kept)
        return fenced.driver.DxgkDdiSubmitCommandVirtual(adapter, arguments);
    assert_in_range(fenced.kept_count, 0, FENCED_KEPT - 1);
    fenced.kept[fenced.kept_count++] = *arguments;
    fenced.kept_by = adapter;
    return STATUS_SUCCESS;
}

/* The GPU is given what was kept from it. */
static void fenced_let_go(void)
{
    unsigned count = fenced.kept_count;

    assert_true(count > 0);
    fenced.waits = false;
    fenced.kept_count = 0;
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(fenced.driver.DxgkDdiSubmitCommandVirtual(fenced.kept_by, &fenced.kept[i]),
                         STATUS_SUCCESS);
}

static BOOLEAN fenced_interrupt(PVOID context, ULONG message)
{
    if (fenced.watched != NULL)
        fenced.at_interrupt = fenced.at_interrupt != 0 ? fenced.at_interrupt : *fenced.watched;
    return fenced.driver.DxgkDdiInterruptRoutine(context, message);
}

static void fenced_start(const char *gpu)
{
    build(gpu);
    memset(&fenced, 0, sizeof(fenced));
    fenced.driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = fenced_build;
    rig.driver.DxgkDdiSubmitCommandVirtual = fenced_submit;
    rig.driver.DxgkDdiInterruptRoutine = fenced_interrupt;
    begin();
    vidmm_machine_settle(rig.machine);
    fenced.count = fenced.signals = fenced.submitted = 0;
}

static bool fenced_is_never(void *argument)
{
    (void)argument;
    return false;
}

/* Half a second: longer than all that the machine has to do; a packet may take two seconds. */
static void fenced_settle(void)
{
    const struct vidmm_host *host = vidmm_slot_host(rig.slot);

    host->wait(host->context, fenced_is_never, NULL, UINT64_C(500000000));
}

/* Ask that it be made resident; the value of the first program's queue. */
static uint64_t ask_for(struct rig_allocation *allocation)
{
    struct vidmm_residency_result result = {0};

    assert_int_equal(
        vidmm_make_resident(first.queue, &allocation->handle, 1, 0, &result, &rig.report),
        STATUS_PENDING);
    return result.value;
}

/* The last call before that number with one of the operations that the content comes by. */
static unsigned content_before(unsigned end)
{
    while (end > 0 && fenced.asked[end] != DXGK_OPERATION_VIRTUAL_TRANSFER &&
           fenced.asked[end] != DXGK_OPERATION_VIRTUAL_FILL)
        end--;
    return end;
}

/* The value is in memory when the GPU has executed the buffer, before anybody has heard of that,
 * and not before: the buffer is kept from the GPU for a while. */
static void shows_writing(const char *mode)
{
    char gpu[200];
    struct rig_allocation *one = &rig.allocations[0];
    const volatile uint64_t *memory;
    uint64_t value;

    snprintf(gpu, sizeof(gpu), "wddm 2.2\n%s", mode);
    fenced_start(gpu);
    create(&first, one, FENCED_PAGES);
    memory = vidmm_paging_queue_fence(first.queue);
    fenced.waits = true;
    value = ask_for(one);
    fenced_settle();
    assert_true(fenced.kept_count > 0);
    assert_int_equal(fenced.signals, 1);
    assert_int_equal(fenced.value, value);
    assert_true(fenced.written > 0);
    assert_int_equal(fenced.address % 8, 0);
    assert_in_range(content_before(fenced.count), 1, fenced.signaled_at - 1);
    assert_int_equal(content_before(fenced.count), content_before(fenced.signaled_at));
    assert_true(*memory < value);
    assert_true(vidmm_paging_queue_passed(first.queue) < value);
    fenced.watched = memory;
    fenced_let_go();
    passes(&first, STATUS_PENDING, value);
    assert_int_equal(*memory, value);
    assert_int_equal(fenced.at_interrupt, value); /* the GPU wrote it */
    touch(&first, one, map(&first, one->handle, 0), true);
    finish();
}

/* A value that addresses wait for is built behind their page tables, and what tells of them. */
static void shows_order_of_tables(void)
{
    struct rig_allocation *one = &rig.allocations[0];
    uint64_t address = 0, value = 0;
    unsigned tables = 0, at;

    fenced_start("wddm 2.2\n");
    create(&first, one, FENCED_PAGES);
    make(&first, one->handle);
    vidmm_machine_settle(rig.machine);
    fenced.count = fenced.signals = fenced.submitted = 0;
    assert_int_equal(ask_to_map(&first, one->handle, 0, 0, BYTES(FENCED_PAGES), &address, &value),
                     STATUS_PENDING);
    passes(&first, STATUS_PENDING, value);
    assert_int_equal(fenced.signals, 1);
    assert_int_equal(fenced.value, value);
    assert_int_equal(fenced.submitted, 0); /* all of it is in one paging buffer */
    for (at = 1; at < fenced.signaled_at; at++)
        tables += fenced.asked[at] == DXGK_OPERATION_UPDATE_PAGE_TABLE ? 1 : 0;
    assert_true(tables >= 2); /* a leaf, and the page of the fence */
    for (at = fenced.signaled_at + 1; at <= fenced.count; at++)
        assert_int_not_equal(fenced.asked[at], DXGK_OPERATION_UPDATE_PAGE_TABLE);
    touch(&first, one, address, true);
    finish();
}

/* The protocol of the call holds for it: a buffer that is full is submitted, and the next call goes
 * on where the driver was. */
static void shows_another_buffer(void)
{
    struct rig_allocation *one = &rig.allocations[0];
    uint64_t value;

    fenced_start("wddm 2.2\n");
    create(&first, one, FENCED_PAGES);
    fenced.refuses = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    value = ask_for(one);
    passes(&first, STATUS_PENDING, value);
    assert_int_equal(fenced.signals, 2);
    assert_int_equal(fenced.value, value);
    assert_int_equal(fenced.multipass, 77);
    assert_ptr_not_equal(fenced.buffer, fenced.refused);
    assert_int_equal((uintptr_t)fenced.buffer % VIDMM_PAGE_SIZE, 0);
    finish();
}

/* Works of one queue that are ready together need one write, of the newest value. */
static void shows_one_write(void)
{
    uint64_t value = 0;

    fenced_start("wddm 2.2\n");
    create(&first, &rig.allocations[0], FENCED_PAGES);
    fenced.waits = true;
    ask_for(&rig.allocations[0]);
    fenced_settle();
    assert_true(fenced.kept_count > 0);
    for (unsigned i = 1; i < 3; i++) {
        create(&first, &rig.allocations[i], FENCED_PAGES);
        value = ask_for(&rig.allocations[i]);
    }
    fenced_settle();
    fenced_let_go();
    passes(&first, STATUS_PENDING, value);
    assert_int_equal(fenced.signals, 2);
    assert_int_equal(fenced.value, value);
    assert_int_equal(*vidmm_paging_queue_fence(first.queue), value);
    finish();
}

/* Each program's value goes to its own page. */
static void shows_two_programs(void)
{
    struct rig_allocation *all = rig.allocations;

    fenced_start("wddm 2.2\n");
    begin_program(&second, 2);
    create(&first, &all[0], FENCED_PAGES);
    create(&second, &all[1], FENCED_PAGES);
    make(&second, all[1].handle);
    assert_int_equal(*vidmm_paging_queue_fence(second.queue), fenced.value);
    make(&first, all[0].handle);
    assert_int_equal(*vidmm_paging_queue_fence(first.queue), fenced.value);
    touch(&second, &all[1], map(&second, all[1].handle, 0), true);
    end_program(&second);
    finish();
}

/* The CPU writes the value if the operation is not there. */
static void shows_no_operation(const char *gpu, void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct rig_allocation *one = &rig.allocations[0];
    uint64_t value;

    build(gpu);
    memset(&fenced, 0, sizeof(fenced));
    fenced.driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = fenced_build;
    if (bend != NULL)
        bend(&rig.driver);
    begin();
    fenced.count = 0;
    create(&first, one, FENCED_PAGES);
    value = ask_for(one);
    passes(&first, STATUS_PENDING, value);
    assert_true(content_before(fenced.count) > 0);
    assert_int_equal(fenced.signals, 0);
    assert_int_equal(*vidmm_paging_queue_fence(first.queue), value);
    finish();
}

static void has_no_hardware_queues(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiSubmitCommandToHwQueue = NULL;
}

/* A driver that does not know the operation is told so, and not asked again for another queue. */
static void shows_refusal(NTSTATUS status)
{
    struct vidmm_finding finding = {.rule = ""};
    struct rig_allocation *one = &rig.allocations[0];
    struct vidmm_paging_queue *queue;
    uint64_t value;
    unsigned asked;

    fenced_start("wddm 2.2\n");
    create(&first, one, FENCED_PAGES);
    fenced.refuses = status;
    fenced.for_good = true;
    value = ask_for(one);
    passes(&first, STATUS_PENDING, value);
    assert_int_equal(*vidmm_paging_queue_fence(first.queue), value);
    asked = fenced.signals;
    assert_int_equal(asked, 1);
    assert_true(vidmm_adapter_finding(rig.adapter, 0, &finding));
    assert_string_equal(finding.rule, "D-145");
    assert_true(finding.warning);
    assert_non_null(strstr(finding.first, "status of SignalMonitoredFence"));
    assert_int_equal(
        vidmm_paging_queue_create(first.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
    vidmm_paging_queue_destroy(first.queue);
    first.queue = queue;
    evict(&first, one->handle);
    create(&first, &rig.allocations[1], FENCED_PAGES);
    make(&first, rig.allocations[1].handle);
    assert_int_equal(fenced.signals, asked);
    finish();
}

void shows_D_145(void **state)
{
    (void)state;
    shows_writing("page_table_update gpu_physical\n");
    shows_writing("page_table_update gpu_virtual\n");
    shows_writing("page_table_update cpu_virtual\npage_table_segment 0\n");
    shows_order_of_tables();
    shows_another_buffer();
    shows_one_write();
    shows_two_programs();
    shows_no_operation("wddm 2.1\n", NULL);
    shows_no_operation("wddm 2.2\n", has_no_hardware_queues);
    shows_refusal(STATUS_NOT_SUPPORTED);
    shows_refusal(STATUS_NOT_IMPLEMENTED);
    shows_refusal(STATUS_INVALID_PARAMETER);
}
