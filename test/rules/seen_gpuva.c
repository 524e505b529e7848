/* seen_gpuva.c: addresses that the miniport reserves for itself in a process, within its calls and
 * where it may not; and commands at addresses whose mapping is pending. A leaf has 2 MiB.
 */
#include "unit/test_addressed.h"

#include <vidmm/fence.h>

#include "vidmm/client/pending_map.h"
#include "vidmm/object/device.h"

#include "rules.h"

#define UNIT (UINT64_C(2) << 20)

/* One call of DxgkCbReserveGpuVirtualAddressRange, and its answer. */
struct reservation {
    DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE arguments;
    NTSTATUS status;
};

enum moment { IN_CREATE_PROCESS, IN_SYSTEM_DEVICE, IN_DEVICE, MOMENTS };

/* The calls that the driver makes at a moment, one after the other. */
static struct reservation asked[MOMENTS][6];
static unsigned asked_count[MOMENTS];

static DRIVER_INITIALIZATION_DATA driver;
static DXGKRNL_INTERFACE callbacks;
static HANDLE system_process, program_process;  /* the kernel's handles */
static unsigned leads_nowhere, leads_somewhere; /* entries that the paging process's level 1 has */

static NTSTATUS start_device(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                             PULONG sources, PULONG children)
{
    callbacks = *interface;
    return driver.DxgkDdiStartDevice(context, info, interface, sources, children);
}

static void reserve_at(enum moment moment, HANDLE process)
{
    for (unsigned i = 0; i < asked_count[moment]; i++) {
        struct reservation *one = &asked[moment][i];

        if (one->arguments.hDxgkProcess == NULL)
            one->arguments.hDxgkProcess = process;
        one->arguments.StartVirtualAddress = 1;
        one->status =
            callbacks.DxgkCbReserveGpuVirtualAddressRange(callbacks.DeviceHandle, &one->arguments);
    }
}

static NTSTATUS create_process(HANDLE adapter, DXGKARG_CREATEPROCESS *arguments)
{
    *(arguments->Flags.SystemProcess ? &system_process : &program_process) =
        arguments->hDxgkProcess;
    if (!arguments->Flags.SystemProcess)
        reserve_at(IN_CREATE_PROCESS, program_process);
    return driver.DxgkDdiCreateProcess(adapter, arguments);
}

static NTSTATUS create_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    if (arguments->Flags.SystemDevice)
        reserve_at(IN_SYSTEM_DEVICE, system_process);
    else
        reserve_at(IN_DEVICE, program_process);
    return driver.DxgkDdiCreateDevice(adapter, arguments);
}

/* Count the entries of level 1 that lead to what the driver has reserved in the paging process. */
static NTSTATUS note(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;
    uint64_t start = asked[IN_SYSTEM_DEVICE][0].arguments.StartVirtualAddress;

    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE && update->PageTableLevel == 1 &&
        asked_count[IN_SYSTEM_DEVICE] != 0 && !update->Flags.InitialUpdate)
        for (UINT i = 0; i < update->NumPageTableEntries; i++) {
            const DXGK_PTE *entry = &update->pPageTableEntries[update->Flags.Repeat ? 0 : i];

            if (update->FirstPteVirtualAddress + i * UNIT == start)
                *(entry->Valid ? &leads_somewhere : &leads_nowhere) += 1;
        }
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static void prepare(const char *gpu)
{
    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiStartDevice = start_device;
    rig.driver.DxgkDdiCreateProcess = create_process;
    rig.driver.DxgkDdiCreateDevice = create_device;
    rig.driver.DxgkDdiBuildPagingBuffer = note;
    memset(asked, 0, sizeof(asked));
    memset(asked_count, 0, sizeof(asked_count));
    leads_nowhere = leads_somewhere = 0;
}

static struct reservation *ask(enum moment moment, uint64_t base, uint64_t size, UINT alignment)
{
    struct reservation *one = &asked[moment][asked_count[moment]++];

    one->arguments.BaseAddress = base;
    one->arguments.SizeInBytes = size;
    one->arguments.Alignment = alignment;
    return one;
}

static uint64_t found(const char *rule)
{
    struct vidmm_finding finding;

    for (uint32_t i = 0; vidmm_adapter_finding(rig.adapter, i, &finding); i++)
        if (strcmp(finding.rule, rule) == 0)
            return finding.count;
    return 0;
}

static void was_refused(const struct reservation *one)
{
    assert_int_equal(one->status, STATUS_INVALID_PARAMETER);
    assert_int_equal(one->arguments.StartVirtualAddress, 0);
}

static void is_at(const struct reservation *one, uint64_t start)
{
    assert_int_equal(one->status, STATUS_SUCCESS);
    assert_true(one->arguments.StartVirtualAddress == start);
}

/* A program is kept off, or may map there. */
static void is_the_drivers(uint64_t start, bool mappable)
{
    const struct vidmm_address_request request = {.base = start, .size = UINT64_C(0x10000)};
    uint64_t address = 0, value = 0;
    NTSTATUS status;

    create(&first, &rig.allocations[0], 16);
    make(&first, rig.allocations[0].handle);
    assert_int_equal(vidmm_reserve_addresses(first.device, NULL, &request,
                                             VIDMM_ADDRESSES_NO_ACCESS, 0, &address, NULL,
                                             &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_free_addresses(first.device, start, 0x10000, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "miniport"));
    status = ask_to_map(&first, rig.allocations[0].handle, start, 0, BYTES(16), &address, &value);
    if (mappable)
        passes(&first, status, value);
    else
        assert_int_equal(status, STATUS_INVALID_PARAMETER);
    status = update(start, BYTES(16), VIDMM_ADDRESSES_MAPPED, rig.allocations[0].handle, 0);
    assert_int_equal(status, mappable ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER);
    vidmm_allocation_destroy(rig.allocations[0].handle);
    rig.allocations[0].handle = NULL;
}

/* Nothing but CreateProcess, of that process, and nothing but whole leaf tables. */
void breaks_D_225(void **state)
{
    struct reservation *late, *ragged[5], *other;
    DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE after = {.SizeInBytes = UNIT};

    (void)state;
    prepare("");
    late = ask(IN_DEVICE, 0, UNIT, 0);
    ragged[0] = ask(IN_CREATE_PROCESS, 0, UNIT - 0x10000, 0);
    ragged[1] = ask(IN_CREATE_PROCESS, 0, 0, 0);
    ragged[2] = ask(IN_CREATE_PROCESS, UNIT + 0x10000, UNIT, 0);
    ragged[3] = ask(IN_CREATE_PROCESS, 0, UNIT, 0x10000);
    ragged[4] = ask(IN_CREATE_PROCESS, 0, UNIT, 3 * UNIT);
    other = ask(IN_CREATE_PROCESS, 0, UNIT, 0);
    other->arguments.hDxgkProcess = (HANDLE)(uintptr_t)0x1234;
    begin();
    was_refused(late);
    was_refused(other);
    for (unsigned i = 0; i < 5; i++)
        was_refused(ragged[i]);
    after.hDxgkProcess = program_process;
    assert_int_equal(callbacks.DxgkCbReserveGpuVirtualAddressRange(callbacks.DeviceHandle, &after),
                     STATUS_INVALID_PARAMETER);
    assert_true(found("D-225") >= 8);
    assert_true(map(&first, first.commands, UNIT) == UNIT); /* nothing is reserved */
    end_program(&first);
    rig_finish(&rig);
}

/* From the second leaf on: the first has the 64 KiB that stay unmapped. */
void keeps_D_225(void **state)
{
    struct reservation *some, *high, *next, *aligned, *taken;

    (void)state;
    prepare("");
    some = ask(IN_CREATE_PROCESS, 0, 2 * UNIT, 0);
    high = ask(IN_CREATE_PROCESS, 64 * UNIT, UNIT, (UINT)UNIT);
    high->arguments.AllowUserModeMapping = 1;
    next = ask(IN_CREATE_PROCESS, 0, UNIT, 0);
    aligned = ask(IN_CREATE_PROCESS, 0, UNIT, (UINT)(8 * UNIT));
    begin();
    assert_true(callbacks.DxgkCbReserveGpuVirtualAddressRange != NULL);
    is_at(some, UNIT);
    is_at(high, 64 * UNIT);
    is_at(next, 3 * UNIT);
    is_at(aligned, 8 * UNIT);
    assert_int_equal(found("D-225"), 0);
    assert_true(first.address >= 0x10000 && first.address < UNIT); /* the rest is programs' */
    is_the_drivers(UNIT, false);
    is_the_drivers(2 * UNIT, false);
    is_the_drivers(64 * UNIT, true);
    for (unsigned i = 0; i < asked_count[IN_CREATE_PROCESS]; i++)
        asked[IN_CREATE_PROCESS][i].arguments.hDxgkProcess = NULL;
    begin_program(&second, 2); /* another process, with addresses of its own */
    is_at(some, UNIT);
    end_program(&second);
    finish();
    prepare(""); /* a page that is taken is not free */
    ask(IN_CREATE_PROCESS, 4 * UNIT, UNIT, 0);
    taken = ask(IN_CREATE_PROCESS, 3 * UNIT, 2 * UNIT, 0);
    begin();
    was_refused(taken);
    finish();
}

/* The paging process's addresses at any other time. */
void breaks_D_391(void **state)
{
    DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE after = {.SizeInBytes = UNIT};
    struct reservation *inside;

    (void)state;
    prepare("segment 2 memory 16M cpuvisible\n");
    inside = ask(IN_SYSTEM_DEVICE, UNIT, UNIT, 0); /* what VidMm maps there */
    begin();
    was_refused(inside);
    after.hDxgkProcess = system_process;
    assert_int_equal(callbacks.DxgkCbReserveGpuVirtualAddressRange(callbacks.DeviceHandle, &after),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(found("D-391"), 1);
    end_program(&first);
    rig_finish(&rig);
}

void keeps_D_391(void **state)
{
    struct reservation *one;

    (void)state;
    prepare("segment 2 memory 16M cpuvisible\n");
    one = ask(IN_SYSTEM_DEVICE, 0, UNIT, 0);
    begin();
    assert_int_equal(one->status, STATUS_SUCCESS);
    assert_true(one->arguments.StartVirtualAddress >= UNIT);
    assert_int_equal(one->arguments.StartVirtualAddress % UNIT, 0);
    assert_int_equal(found("D-391"), 0);
    assert_int_equal(leads_nowhere, 1); /* the entry is the driver's */
    assert_int_equal(leads_somewhere, 0);
    finish();
}

/* ---- commands at addresses whose mapping is pending ---- */

static uint64_t map_early(NTSTATUS expected, uint64_t at, uint64_t *value)
{
    uint64_t address = 0;

    assert_int_equal(ask_to_map(&first, first.commands, at, 0, VIDMM_PAGE_SIZE, &address, value),
                     expected);
    return address;
}

/* An allocation that is resident and mapped, for commands to touch. */
static uint64_t begin_touching(const char *gpu, struct rig_allocation *one)
{
    start(gpu);
    create(&first, one, 4);
    make(&first, one->handle);
    return map(&first, one->handle, 0);
}

static void free_commands(void)
{
    assert_int_equal(
        vidmm_free_addresses(first.device, first.address, VIDMM_PAGE_SIZE, &rig.report),
        STATUS_SUCCESS);
}

static uint32_t length_of_touch(void)
{
    return sizeof(struct softgpu_virtual_touch) + sizeof(struct softgpu_virtual_reference);
}

/* A strict adapter refuses it, and takes it when the value has come. */
static void refused_if_strict(void)
{
    struct rig_allocation one = {0};
    uint64_t value, address;

    build("");
    rig.options.adapter.strict = true;
    begin();
    create(&first, &one, 4);
    make(&first, one.handle);
    address = map(&first, one.handle, 0);
    first.address = map_early(STATUS_PENDING, AT, &value);
    assert_int_equal(submit(&first, length_of_touch()), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-219"));
    assert_int_equal(found("D-219"), 0);
    passes(&first, STATUS_PENDING, value);
    touch(&first, &one, address, true);
    finish();
}

/* They run, behind the records that they need; and each such use is counted. */
void breaks_D_219(void **state)
{
    struct rig_allocation one = {0};
    uint64_t value, address;

    (void)state;
    address = begin_touching("", &one);
    for (unsigned times = 1; times <= 2; times++) {
        free_commands();
        first.address = map_early(STATUS_PENDING, AT, &value);
        assert_true(vidmm_paging_queue_passed(first.queue) < value);
        touch(&first, &one, address, true);
        assert_int_equal(found("D-219"), times);
    }
    finish();
    refused_if_strict();
}

/* The CPU waits; or the context does, in its queue; or the mapping is another one by then. */
void keeps_D_219(void **state)
{
    struct vidmm_fence_point point;
    struct rig_allocation one = {0};
    struct vidmm_paging_queue *other;
    uint64_t value, address, own = 0;

    (void)state;
    address = begin_touching("", &one);
    free_commands();
    first.address = map_early(STATUS_PENDING, AT, &value);
    passes(&first, STATUS_PENDING, value);
    touch(&first, &one, address, true);
    free_commands();
    first.address = map_early(STATUS_PENDING, AT, &value);
    point = (struct vidmm_fence_point){vidmm_paging_queue_monitored_fence(first.queue), value};
    assert_int_equal(vidmm_context_wait_for_fences(first.context, &point, 1, &rig.report),
                     STATUS_SUCCESS);
    touch(&first, &one, address, true);
    free_commands();
    assert_int_equal(vidmm_paging_queue_create(first.device, 1, &other, &rig.report),
                     STATUS_SUCCESS);
    map_early(STATUS_PENDING, AT, &own);
    first.address = AT;
    assert_true(vidmm_pending_map_meets(first.device->owner, AT, 1));
    assert_false(vidmm_pending_map_meets(first.device->owner, AT + VIDMM_PAGE_SIZE, 1));
    free_commands();
    assert_false(vidmm_pending_map_meets(first.device->owner, AT, 1)); /* it means nothing now */
    assert_true(vidmm_paging_queue_passed(first.queue) < own);
    {
        struct program by_other = first;

        by_other.queue = other;
        first.address = map(&by_other, first.commands, AT);
    }
    queue_touch(&first, &one, address, false);
    first.address = map_early(STATUS_PENDING, 2 * AT, &value);
    assert_int_equal(submit(&first, length_of_touch()), STATUS_SUCCESS); /* others are before it */
    touched++;
    assert_int_equal(found("D-219"), 0);
    assert_int_equal(vidmm_context_wait(first.context, first.value), STATUS_SUCCESS);
    finish();
}
