/* test_by_address.h: an adapter on a software GPU with page tables, a program with addresses, and a
 * memory of what the driver was asked.
 *
 *     by_start(gpu)                  machine, GPU, adapter, process PROGRAM, a paging queue
 *     by_create(...), by_make_resident(...), by_evict(...), by_map(...)
 *     by_next(from, operation)       what the driver was asked since the start, by number
 *     by_finish()                    nothing was refused, and nothing is left
 *
 * The engine is told by events.
 */
#ifndef TEST_UNIT_TEST_BY_ADDRESS_H
#define TEST_UNIT_TEST_BY_ADDRESS_H

#include "test_adapter_rig.h"

#include <vidmm/engine.h>
#include <vidmm/resource.h>

#include "vidmm/client/group.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/device.h"
#include "vidmm/object/process.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/pump/pump.h"

#define BY_GPU                                                                                     \
    "wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"                                  \
    "segment 2 memory 2M cpuvisible\n"

enum { BY_PROGRAM = 2, BY_CALLS = 1024, BY_ENTRIES = 512, BY_SUBMIT = 1000, BY_ROOT };

/* A call of the driver. */
struct by_call {
    unsigned what; /* an operation of BuildPagingBuffer, or BY_SUBMIT, BY_ROOT */
    DXGKARG_BUILDPAGINGBUFFER build;
    DXGK_PTE entries[BY_ENTRIES]; /* of an update */
    const void *dma_buffer;       /* ... as it was at entry */
    DXGKARG_SUBMITCOMMANDVIRTUAL submit;
    DXGKARG_SETROOTPAGETABLE root;
};

/* Functions that take the place of the driver's; NULL: its own. */
struct by_bend {
    NTSTATUS (*submit)(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments);
    NTSTATUS (*patch)(HANDLE adapter, const DXGKARG_PATCH *arguments);
    void (*driver)(DRIVER_INITIALIZATION_DATA *driver); /* whatever else */
};

static struct by_bend by_bend;
static uint64_t by_seed;             /* of the machine */
static uint64_t by_protection = 0x5; /* DriverProtection of mappings */
static uint64_t by_memory;           /* of the machine; 0: as the rig has it */
static struct rig by_rig;
static struct vidmm_paging_queue by_queue;
static struct by_call by_calls[BY_CALLS];
static unsigned by_count;
static bool by_records;
static DRIVER_INITIALIZATION_DATA by_driver;

/* ---- what the driver is asked ---------------------------------------------------------------- */

static inline struct by_call *by_note(unsigned what)
{
    static struct by_call lost;

    if (!by_records)
        return &lost;
    assert_in_range(by_count, 0, BY_CALLS - 1);
    by_calls[by_count].what = what;
    return &by_calls[by_count++];
}

static inline NTSTATUS by_build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    struct by_call *call = by_note(arguments->Operation);
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;

    call->build = *arguments;
    call->dma_buffer = arguments->pDmaBuffer;
    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE) {
        unsigned count = update->Flags.Repeat ? 1 : update->NumPageTableEntries;

        assert_in_range(count, 1, BY_ENTRIES);
        memcpy(call->entries, update->pPageTableEntries, count * sizeof(DXGK_PTE));
    }
    return by_driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static inline NTSTATUS by_submit(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    by_note(BY_SUBMIT)->submit = *arguments;
    return by_driver.DxgkDdiSubmitCommandVirtual(adapter, arguments);
}

static inline void by_set_root(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    by_note(BY_ROOT)->root = *arguments;
    by_driver.DxgkDdiSetRootPageTable(adapter, arguments);
}

/* The number of the next call of that kind, from there on; by_count: there is none. */
static inline unsigned by_next(unsigned from, unsigned what)
{
    while (from < by_count && by_calls[from].what != what)
        from++;
    return from;
}

/* ... which must be there. */
static inline const struct by_call *by_find(unsigned *from, unsigned what)
{
    *from = by_next(*from, what);
    assert_true(*from < by_count);
    return &by_calls[(*from)++];
}

/* The process of the manager that has that id in events. */
static inline HANDLE by_process(uint32_t id)
{
    const struct vidmm_process *process = by_rig.adapter->processes;

    while (process != NULL && process->id != id)
        process = process->next;
    return process != NULL ? process->h_process : NULL;
}

/* ---- the program ----------------------------------------------------------------------------- */

static inline NTSTATUS by_tell(struct vidmm_event event)
{
    return vidmm_pump_event(by_rig.adapter, &event);
}

static inline void by_start(const char *gpu)
{
    struct rig_options options = rig_defaults();
    struct vidmm_event event;
    NTSTATUS status;
    uint32_t index;

    options.gpu = gpu;
    options.machine_seed = by_seed;
    options.system_memory = by_memory;
    rig_build(&by_rig, &options);
    by_driver = by_rig.driver;
    by_rig.driver.DxgkDdiBuildPagingBuffer = by_build;
    by_rig.driver.DxgkDdiSubmitCommandVirtual = by_submit;
    by_rig.driver.DxgkDdiSetRootPageTable = by_set_root;
    if (by_bend.submit != NULL)
        by_rig.driver.DxgkDdiSubmitCommand = by_bend.submit;
    if (by_bend.patch != NULL)
        by_rig.driver.DxgkDdiPatch = by_bend.patch;
    if (by_bend.driver != NULL)
        by_bend.driver(&by_rig.driver);
    by_records = false;
    status = rig_start(&by_rig);
    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, by_rig.report.text);
    if (by_rig.adapter->model == VIDMM_MODEL_GPU_MMU)
        assert_int_equal(by_rig.device->owner->id, BY_PROGRAM);
    by_queue =
        (struct vidmm_paging_queue){.device = by_rig.device, .passed = VIDMM_FIRST_PAGING_FENCE};
    assert_true(vidmm_slot_take(&by_rig.adapter->paging_queues, &by_rig.adapter->host->memory,
                                &by_queue, VIDMM_HANDLE_PAGING_QUEUE, &index));
    event =
        (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = by_rig.device->id};
    event.paging_queue.queue = index + 1;
    event.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
    by_count = 0;
    by_records = true;
}

static inline bool by_has_passed(void *argument)
{
    return atomic_load(&by_queue.passed) >= *(uint64_t *)argument;
}

static inline bool by_is_quiet(void *argument)
{
    (void)argument;
    return vidmm_engine_is_quiet(by_rig.adapter->engine);
}

static inline void by_wait(void)
{
    const struct vidmm_host *host = by_rig.adapter->host;

    assert_true(host->wait(host->context, by_is_quiet, NULL, UINT64_C(10000000000)));
}

static inline void by_make_resident(uint32_t id)
{
    const struct vidmm_host *host = by_rig.adapter->host;
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    uint64_t value;
    NTSTATUS status;

    event.residency.queue = 1;
    event.residency.count = 1;
    event.residency.allocations = &id;
    status = by_tell(event);
    value = vidmm_engine_residency_answer(by_rig.adapter->engine).value;
    if (status == STATUS_PENDING)
        assert_true(host->wait(host->context, by_has_passed, &value, UINT64_C(10000000000)));
    else
        assert_int_equal(status, STATUS_SUCCESS);
}

static inline void by_evict_by(uint32_t id, uint32_t flags)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT, .device = by_rig.device->id};

    event.residency.count = 1;
    event.residency.allocations = &id;
    event.residency.flags = flags;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
}

static inline void by_evict(uint32_t id)
{
    by_evict_by(id, 0);
}

static inline struct vidmm_allocation *by_create_flagged(uint64_t size, uint32_t set,
                                                         uint32_t flags)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = flags,
        .size = size,
        .read_set = set,
        .write_set = set,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish)};
    struct vidmm_allocation *made;
    struct vidmm_report report;
    const struct vidmm_group group = {.device = by_rig.device,
                                      .descriptions = &description,
                                      .count = 1,
                                      .allocations = &made,
                                      .report = &report};

    if (vidmm_group_create(&group) != STATUS_SUCCESS)
        fail_msg("%s", report.text);
    return made;
}

static inline struct vidmm_allocation *by_create(uint64_t size, uint32_t set)
{
    return by_create_flagged(size, set, 0);
}

/* Map all of it; 0: wherever there is room. Answers where. */
static inline uint64_t by_map(const struct vidmm_allocation *allocation, uint64_t base,
                              uint32_t access)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = BY_PROGRAM;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.access = access;
    event.addresses.allocation = allocation->id;
    event.addresses.base = base;
    event.addresses.size = allocation->backing.pages * (uint64_t)VIDMM_PAGE_SIZE;
    event.addresses.driver_protection = by_protection;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
    return vidmm_engine_address(by_rig.adapter->engine);
}

static inline void by_unmap(uint64_t base, uint64_t size)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FREE_ADDRESSES};

    event.addresses.process = BY_PROGRAM;
    event.addresses.base = base;
    event.addresses.size = size;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
}

/* Stop, and judge: driver and GPU found nothing wrong, and nothing of the host's is left. */
static inline void by_finish(void)
{
    struct softgpu_statistics gpu;

    by_wait();
    rig_judge(&by_rig, by_rig.gpu);
    softgpu_device_statistics(by_rig.gpu, &gpu);
    if (gpu.driver_refusals != 0 || gpu.page_faults != 0)
        fail_msg("%s %s", gpu.refusal, gpu.fault);
    rig_finish(&by_rig);
}

#endif
