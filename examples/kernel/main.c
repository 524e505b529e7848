/* main.c: an adapter in a kernel: start, page, compare, power off.
 *
 * The GPU has 8 MiB of video memory. Six allocations of 3 MiB are drawn to in turn, so that each is
 * paged out and in; the GPU checks every byte before it writes, and the CPU looks at one of them
 * through a lock.
 */
#include "kernel.h"

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <vidmm/lock.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/content.h"
#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"

#define ALLOCATIONS 6u
#define PAGES 768u /* 3 MiB */
#define ROUNDS 3u
#define SEED 1u

struct command {
    struct softgpu_touch touch;
    struct softgpu_reference reference;
};

struct program {
    struct vidmm_device *device;
    struct vidmm_context *context;
    struct vidmm_allocation *allocations[ALLOCATIONS];
};

static void expect(NTSTATUS status, const char *what, const struct vidmm_report *report)
{
    if (status != STATUS_SUCCESS)
        kernel_stop("%s: 0x%08x, %s", what, (unsigned)status, report->text);
}

static struct softgpu_device *start(struct vidmm_adapter **adapter)
{
    static struct vidmm_report report;
    static DRIVER_INITIALIZATION_DATA driver;
    struct softgpu_config config = softgpu_config_default();
    struct vidmm_adapter_options options;
    struct vidmm_device_model model;
    struct softgpu_device *gpu;
    char error[200] = "";

    softgpu_config_set(&config, "segment", "2 memory 8M cpuvisible", error, sizeof(error));
    gpu = softgpu_device_create(kernel_bus(), &config, &model, error, sizeof(error));
    if (!gpu)
        kernel_stop("softgpu: %s", error);
    kernel_plug(&model);
    softgpu_driver_entry(softgpu_driver_version(config.wddm), &driver);
    vidmm_adapter_options_default(&options);
    options.driver_reason = softgpu_device_reason;
    options.driver_reason_context = gpu;
    expect(vidmm_adapter_start(kernel_host(), &driver, NULL, &options, adapter, &report),
           "the adapter does not start", &report);
    return gpu;
}

static void create(struct vidmm_adapter *adapter, struct program *program)
{
    static struct vidmm_report report;
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = 1, /* CpuVisible */
                                            .size = PAGES * SOFTGPU_PAGE_SIZE,
                                            .read_set = 2, /* bit 1: segment 2, video memory */
                                            .write_set = 2,
                                            .evict_set = 1, /* bit 0: segment 1, the aperture */
                                            .priority = SOFTGPU_PRIORITY_NORMAL};

    expect(vidmm_device_create(adapter, 1, &program->device, &report), "no device", &report);
    expect(vidmm_context_create(program->device, 0, NULL, 0, &program->context, &report),
           "no context", &report);
    for (unsigned i = 0; i < ALLOCATIONS; i++)
        expect(vidmm_allocation_create(program->device, &wish, sizeof(wish),
                                       &program->allocations[i], &report),
               "no allocation", &report);
}

/* Have the GPU check an allocation, and write it once more. */
static void draw(const struct program *program, unsigned i, unsigned round)
{
    static struct vidmm_report report;
    const struct command command = {
        .touch = {{SOFTGPU_TOUCH, sizeof(command)}, 1, 0, SEED},
        .reference = {.pages = PAGES,
                      .content_id = i + 1,
                      .generation = round,
                      .flags = SOFTGPU_REFERENCE_WRITE},
    };
    const struct vidmm_render_reference reference = {.allocation = program->allocations[i],
                                                     .write = true};
    uint64_t value;

    expect(vidmm_render(program->context, &command, sizeof(command), &reference, 1, true, &value,
                        &report),
           "a command is refused", &report);
    if (vidmm_context_wait(program->context, value) != STATUS_SUCCESS)
        kernel_stop("a command does not end");
}

/* The bytes of a page as the CPU sees them, against those that the GPU has written. */
static void look(const struct program *program, unsigned i)
{
    struct vidmm_content_key key = {SEED, i + 1};
    uint64_t digest = 0;
    void *bytes;

    if (vidmm_lock(program->allocations[i], 0, &bytes, NULL) != STATUS_SUCCESS)
        kernel_stop("no lock");
    for (uint32_t page = 0; page < PAGES; page++)
        if (!vidmm_content_check_page((char *)bytes + page * SOFTGPU_PAGE_SIZE, key, page, ROUNDS,
                                      &digest))
            kernel_stop("the CPU sees wrong bytes in page %u", page);
    vidmm_unlock(program->allocations[i]);
}

void kernel_exceptions_begin(void);
void kernel_main(uint64_t start_info);
int __cpu_indicator_init(void); /* of libgcc: what __builtin_cpu_supports() answers */

void kernel_main(uint64_t start_info)
{
    static struct program program;
    struct softgpu_statistics done;
    struct vidmm_statistics paged;
    struct vidmm_adapter *adapter;
    struct softgpu_device *gpu;

    kernel_exceptions_begin();
    __cpu_indicator_init();
    if (!kernel_memory_begin(start_info))
        kernel_stop("the loader says nothing about memory");
    kernel_machine_begin();
    kernel_print("vidmm in a kernel: %u MiB of memory\n", (unsigned)(kernel_memory_size() >> 20));
    gpu = start(&adapter);
    kernel_print("the adapter has started: 8 MiB of video memory\n");
    create(adapter, &program);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < ALLOCATIONS; i++)
            draw(&program, i, round);
    look(&program, 0);
    softgpu_device_statistics(gpu, &done);
    vidmm_adapter_statistics(adapter, &paged);
    kernel_print("%u commands: %u page-ins, %u evictions, %u bytes written, %u mismatches\n",
                 ROUNDS * ALLOCATIONS, (unsigned)paged.page_ins, (unsigned)paged.evictions,
                 (unsigned)done.content_bytes_written, (unsigned)done.content_mismatches);
    vidmm_adapter_stop(adapter);
    kernel_print("the adapter has stopped\n");
    softgpu_device_destroy(gpu);
    kernel_exit(done.content_mismatches == 0 && paged.evictions > 0 ? 0 : 1);
}
