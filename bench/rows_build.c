/*
 * rows_build.c: row 13, what the software GPU's driver needs to build a paging buffer over an MDL
 * of many pages, against a limit: one pass over the page frames, each compared with the one before.
 * Row 16, creating and destroying an allocation without storage: the whole way through the driver,
 * on a host whose pages, and the array that names them, cost nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/page.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "bench.h"
#include "rig.h"
#include "softgpu/config.h"
#include "softgpu/softgpu.h"

enum { PAGES = 65536, BUFFER = 1 << 20, PRIVATE = 256, ROUNDS = 15 };

static PDXGKDDI_ADD_DEVICE add_device;
static HANDLE h_adapter; /* of the miniport that was added last */

static NTSTATUS note_add_device(PDEVICE_OBJECT physical_device_object, PVOID *context)
{
    NTSTATUS status = add_device(physical_device_object, context);

    h_adapter = *context;
    return status;
}

/* The default GPU, of which the miniport's context is known. */
static void rig_of_rows(struct rig *rig)
{
    const struct softgpu_config config = softgpu_config_default();

    rig_begin(rig, &config, VIDMM_MACHINE_SIMULATED, 0);
    add_device = rig->driver.DxgkDdiAddDevice;
    rig->driver.DxgkDdiAddDevice = note_add_device;
}

/* ---- row 13 ---------------------------------------------------------------------------------- */

static MDL *make_mdl(const struct rig *rig)
{
    MDL *mdl = bench_allocate(1, sizeof(MDL) + PAGES * sizeof(PFN_NUMBER));

    mdl->MdlFlags = MDL_PAGES_LOCKED;
    mdl->ByteCount = PAGES * VIDMM_PAGE_SIZE;
    bench_check(rig->host.take_pages(rig->host.context, PAGES, VIDMM_ANY_FRAME, false, VIDMM_CACHED,
                                     (uint64_t *)(void *)MmGetMdlPfnArray(mdl)),
                "page frames for row 13");
    return mdl;
}

/* Measure ns a page of one Transfer over the whole MDL, in as many calls as the driver wants.
 * *written receives the bytes. */
static double build(const struct rig *rig, MDL *mdl, uint8_t *buffer, uint64_t *written)
{
    uint8_t private_data[PRIVATE] = {0};
    DXGKARG_BUILDPAGINGBUFFER arguments = {.pDmaBuffer = buffer};
    uint64_t begun;
    NTSTATUS status;

    arguments.Operation = DXGK_OPERATION_TRANSFER;
    arguments.Transfer.TransferSize = PAGES * VIDMM_PAGE_SIZE;
    arguments.Transfer.Source.pMdl = mdl;
    arguments.Transfer.Destination.SegmentId = 2;
    arguments.Transfer.Destination.SegmentAddress.QuadPart = 2LL << 36;
    arguments.Transfer.Flags.TransferStart = 1;
    arguments.Transfer.Flags.TransferEnd = 1;
    begun = bench_cpu_now();
    do {
        arguments.DmaSize = (UINT)(BUFFER - ((uint8_t *)arguments.pDmaBuffer - buffer));
        arguments.pDmaBufferPrivateData = private_data;
        arguments.DmaBufferPrivateDataSize = PRIVATE;
        status = rig->driver.DxgkDdiBuildPagingBuffer(h_adapter, &arguments);
    } while (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER && arguments.DmaSize > BUFFER / 2);
    begun = bench_cpu_now() - begun;
    bench_check(status == STATUS_SUCCESS, "a Transfer was not built");
    *written = (uint64_t)((uint8_t *)arguments.pDmaBuffer - buffer);
    return (double)begun / PAGES;
}

static uint64_t count_runs(const MDL *mdl)
{
    const PFN_NUMBER *frames = MmGetMdlPfnArray((MDL *)(uintptr_t)mdl);
    uint64_t runs = 1, i;

    for (i = 1; i < PAGES; i++)
        runs += frames[i] != frames[i - 1] + 1;
    return runs;
}

static void row_13(struct bench *bench)
{
    double ours[ROUNDS], limit[ROUNDS];
    uint8_t *buffer = bench_allocate(BUFFER, 1);
    uint64_t runs = 0, written = 0;
    struct rig rig;
    unsigned round;
    MDL *mdl;

    rig_of_rows(&rig);
    rig_start(&rig);
    mdl = make_mdl(&rig);
    for (round = 0; round < ROUNDS; round++) {
        uint64_t begun = bench_cpu_now();

        runs = count_runs(mdl);
        limit[round] = (double)(bench_cpu_now() - begun) / PAGES;
        ours[round] = build(&rig, mdl, buffer, &written);
    }
    bench_check(written < runs * 8 + 4096, "the runs were not coalesced");
    bench_cost(bench, &(struct bench_line){"13 build a paging buffer over an MDL of 65536 pages",
                                           "ns/page", bench_median(ours, ROUNDS),
                                           bench_median(limit, ROUNDS), "one pass over the frames",
                                           "<= 2", 0});
    rig.host.release_pages(rig.host.context, PAGES, (uint64_t *)(void *)MmGetMdlPfnArray(mdl));
    free(mdl);
    free(buffer);
    rig_end(&rig);
}

/* ---- row 16 ---------------------------------------------------------------------------------- */

static bool take_nothing(void *context, uint64_t count, uint64_t highest_frame, bool contiguous,
                         enum vidmm_caching caching, uint64_t *frames)
{
    (void)context, (void)count, (void)highest_frame, (void)contiguous, (void)caching, (void)frames;
    return true;
}

static void release_nothing(void *context, uint64_t count, const uint64_t *frames)
{
    (void)context, (void)count, (void)frames;
}

/* An MDL and its page-frame array come from here, again and again: only the header is ever
 * written. */
static _Alignas(16) uint8_t array[sizeof(MDL) + ((size_t)64 << 20 >> 12) * sizeof(PFN_NUMBER)];
static struct vidmm_memory records; /* everything else */

static void *allocate_record(void *context, size_t size)
{
    if (size < sizeof array / 2)
        return records.allocate(context, size);
    bench_check(size <= sizeof array, "the array is too small");
    memset(array, 0, sizeof(MDL));
    return array;
}

static void free_record(void *context, void *block)
{
    if (block != array)
        records.free(context, block);
}

/* Measure ns of creating and destroying one, the whole way. */
static double create_and_destroy(struct rig *rig, uint64_t size, unsigned count)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = size,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    uint64_t begun = bench_cpu_now();
    unsigned i;

    for (i = 0; i < count; i++) {
        struct vidmm_allocation *allocation = NULL;

        bench_check(vidmm_allocation_create(rig->device, &wish, sizeof(wish), &allocation, NULL) ==
                        STATUS_SUCCESS,
                    "an allocation could not be created");
        vidmm_allocation_destroy(allocation);
    }
    return (double)(bench_cpu_now() - begun) / count;
}

/* The cost of two blocks of the host's memory, as many as there are records of an allocation. */
static double allocate_and_free(unsigned count)
{
    uint64_t begun = bench_cpu_now();
    unsigned i;

    for (i = 0; i < count; i++) {
        void *volatile first = calloc(1, 320), *volatile second = calloc(1, 240);

        free(second);
        free(first);
    }
    return (double)(bench_cpu_now() - begun) / count;
}

/* The engine alone: one event each, the placement's record, and the plan that gives it back. */
static double engine_create_and_destroy(struct vidmm_engine *engine, unsigned count)
{
    struct vidmm_event create = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 1};
    struct vidmm_event destroy = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    struct vidmm_plan plan;
    uint64_t begun = bench_cpu_now();
    unsigned i;

    create.create.allocation = 1;
    create.create.wish = (struct vidmm_wish){
        .size = 65536, .alignment = VIDMM_PAGE_SIZE, .read_set = 1, .write_set = 1, .priority = 1};
    destroy.destroy.allocation = 1;
    for (i = 0; i < count; i++) {
        bool right = vidmm_step(engine, &create, &plan) == STATUS_SUCCESS;

        right = right && vidmm_step(engine, &destroy, &plan) == STATUS_SUCCESS && plan.count == 1;
        bench_check(right, "the engine did not create and destroy");
    }
    return (double)(bench_cpu_now() - begun) / count;
}

static void row_16_engine(struct bench *bench)
{
    struct vidmm_engine_config config = {.segment_count = 1,
                                         .node_count = 1,
                                         .queue_limit = 1,
                                         .first_fence = 1,
                                         .timeout_ns = 1000000000};
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 1};
    unsigned count = bench->full ? 100000 : 20000, round;
    double ours[ROUNDS], floor_ns[ROUNDS];
    struct bench_memory memory;
    struct vidmm_engine *engine;
    struct vidmm_plan plan;

    config.segments[1].size = UINT64_C(1) << 30;
    bench_memory_init(&memory);
    engine = vidmm_engine_create(&config, &memory.memory);
    bench_check(engine && vidmm_step(engine, &event, &plan) == STATUS_SUCCESS, "an engine");
    for (round = 0; round < ROUNDS; round++) {
        floor_ns[round] = allocate_and_free(count);
        ours[round] = engine_create_and_destroy(engine, count);
    }
    vidmm_engine_destroy(engine);
    bench_cost(bench,
               &(struct bench_line){"16 create + destroy an allocation, the engine alone", "ns",
                                    bench_median(ours, ROUNDS), bench_median(floor_ns, ROUNDS),
                                    "two blocks of memory", "", 0});
}

static void row_16(struct bench *bench)
{
    static const uint64_t sizes[] = {UINT64_C(64) << 10, UINT64_C(64) << 20};
    double ours[2][ROUNDS], floor_ns[ROUNDS];
    unsigned count = bench->full ? 20000 : 4000, round, i;
    struct rig rig;

    rig_of_rows(&rig);
    rig_start(&rig);
    records = rig.host.memory;
    rig.host.take_pages = take_nothing;
    rig.host.release_pages = release_nothing;
    rig.host.memory.allocate = allocate_record;
    rig.host.memory.free = free_record;
    for (round = 0; round < ROUNDS; round++) {
        floor_ns[round] = allocate_and_free(count);
        for (i = 0; i < 2; i++)
            ours[i][round] = create_and_destroy(&rig, sizes[i], count);
    }
    for (i = 0; i < 2; i++) {
        struct bench_line line = {
            .unit = "ns", .reference_name = "two blocks of memory", .reach = "<= 150"};

        snprintf(line.name, sizeof line.name, "16 create + destroy an allocation of %s, no storage",
                 i == 0 ? "64 KiB" : "64 MiB");
        line.vidmm = bench_median(ours[i], ROUNDS);
        line.reference = bench_median(floor_ns, ROUNDS);
        bench_cost(bench, &line);
    }
    rig.host = *vidmm_slot_host(rig.slot);
    rig_end(&rig);
}

void bench_build(struct bench *bench)
{
    row_13(bench);
    row_16(bench);
    row_16_engine(bench);
}
