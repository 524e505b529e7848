/* seen_usage_tracking.c: usage-tracking.def broken by a program, and seen by who can look into the
 * GPU.
 */
#include "unit/test_addressed.h"

#include <vidmm/display.h>
#include <vidmm/resource.h>

#include "rules.h"

enum { PAGES = 8, BACK = 0, FRONT = 1, PAGED = 2, PLAIN = 3, ALLOCATIONS = 4 };

static struct vidmm_resource *resources[ALLOCATIONS];

static bool wrote(void *gpu, const struct vidmm_gpu_write *question)
{
    return softgpu_device_wrote(gpu, question->node, question->fence, question->segment,
                                question->offset, question->size);
}

static uint64_t address_of(uint32_t index)
{
    return (index + 1) * AT;
}

static uint64_t breaches(void)
{
    struct vidmm_finding finding;

    for (uint32_t index = 0; vidmm_adapter_finding(rig.adapter, index, &finding); index++)
        if (strcmp(finding.rule, "D-092") == 0)
            return finding.count;
    return 0;
}

/* An allocation that is resident and mapped. */
static void give(uint32_t index, bool primary, uint32_t set)
{
    struct rig_allocation *allocation = &rig.allocations[index];
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = BYTES(PAGES),
                                            .read_set = set,
                                            .write_set = set,
                                            .preferred = set,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = primary ? 0 : VIDMM_NO_SOURCE,
                                                  .primary = primary};
    const struct vidmm_resource_options options = {.shared = false};

    if (vidmm_resource_create(first.device, &options, &description, 1, &resources[index],
                              &allocation->handle, &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    allocation->id = ++rig.next_id;
    allocation->pages = PAGES;
    make(&first, allocation->handle);
    map(&first, allocation->handle, address_of(index));
}

/* A back buffer, a front buffer that is displayed, a primary in system memory, and an allocation
 * that is none. */
static void start_with_screen(bool watched)
{
    build("sources 1\n");
    if (watched) {
        softgpu_device_watch(rig.gpu);
        rig.options.adapter.gpu_wrote = wrote;
        rig.options.adapter.gpu_wrote_context = rig.gpu;
    }
    (void)second; /* one program is enough here */
    begin();
    give(BACK, true, MEMORY);
    give(FRONT, true, MEMORY);
    give(PAGED, true, APERTURE);
    give(PLAIN, false, MEMORY);
    assert_int_equal(
        vidmm_display_show(first.device, 0, rig.allocations[FRONT].handle, &rig.report),
        STATUS_SUCCESS);
}

static void finish_with_screen(void)
{
    for (uint32_t index = 0; index < ALLOCATIONS; index++) {
        vidmm_resource_destroy(resources[index]);
        rig.allocations[index].handle = NULL;
    }
    finish();
}

/* Run the commands that stand in the program's memory; `listed`: bit n, allocation n is a written
 * primary of the submission. */
static void run(uint32_t length, uint32_t listed)
{
    struct vidmm_allocation *primaries[ALLOCATIONS];
    struct vidmm_command command = {
        .address = first.address, .length = length, .written_primaries = primaries};

    for (uint32_t index = 0; index < ALLOCATIONS; index++)
        if ((listed >> index & 1) != 0)
            primaries[command.written_primary_count++] = rig.allocations[index].handle;
    if (vidmm_submit_command(first.context, &command, true, &first.value, &rig.report) !=
        STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_int_equal(vidmm_context_wait(first.context, first.value), STATUS_SUCCESS);
}

static void touch_listing(uint32_t index, bool write, uint32_t listed)
{
    struct rig_allocation *allocation = &rig.allocations[index];
    struct {
        struct softgpu_virtual_touch touch;
        struct softgpu_virtual_reference reference;
    } *words = (void *)first.bytes;

    words->touch = (struct softgpu_virtual_touch){
        .command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*words)}, .reference_count = 1, .seed = RIG_SEED};
    words->reference = (struct softgpu_virtual_reference){
        .gpuva = address_of(index),
        .pages = PAGES,
        .digest = allocation->digest,
        .content_id = allocation->id,
        .generation = allocation->generation,
        .flags = write ? SOFTGPU_REFERENCE_WRITE : 0,
    };
    run(sizeof(*words), listed);
    allocation->generation += write ? 1 : 0;
    touched++;
}

/* The last word of one is written: by a fill, or by a copy from another. */
static void fill_listing(uint32_t index, uint32_t listed)
{
    struct softgpu_virtual_fill *fill = (void *)first.bytes;

    *fill = (struct softgpu_virtual_fill){.command = {SOFTGPU_VIRTUAL_FILL, sizeof(*fill)},
                                          .bytes = 4,
                                          .gpuva = address_of(index) + BYTES(PAGES) - 4,
                                          .space = SOFTGPU_VIRTUAL_SPACE};
    run(sizeof(*fill), listed);
}

static void copy_listing(uint32_t from, uint32_t to, uint32_t listed)
{
    struct softgpu_virtual_copy *copy = (void *)first.bytes;

    *copy = (struct softgpu_virtual_copy){
        .command = {SOFTGPU_VIRTUAL_COPY, sizeof(*copy)},
        .bytes = BYTES(PAGES),
        .source = {.space = SOFTGPU_VIRTUAL_SPACE, .gpuva = address_of(from)},
        .destination = {.space = SOFTGPU_VIRTUAL_SPACE, .gpuva = address_of(to)},
    };
    run(sizeof(*copy), listed);
}

void breaks_D_092(void **state)
{
    (void)state;
    start_with_screen(true);
    touch_listing(FRONT, true, 0);
    assert_int_equal(breaches(), 1);
    touch_listing(BACK, true, 1u << FRONT); /* another one is listed */
    assert_int_equal(breaches(), 2);
    touch_listing(PAGED, true, 0);
    assert_int_equal(breaches(), 3);
    fill_listing(BACK, 0);
    assert_int_equal(breaches(), 4);
    copy_listing(FRONT, BACK, 1u << FRONT);
    assert_int_equal(breaches(), 5);
    assert_int_equal(vidmm_device_condition(first.device, &rig.report), STATUS_SUCCESS);
    finish_with_screen();
}

/* All that is written is listed, or is no primary; what is read or only listed need not be. */
void keeps_D_092(void **state)
{
    (void)state;
    start_with_screen(true);
    touch_listing(FRONT, true, 1u << FRONT);
    touch_listing(BACK, true, 1u << FRONT | 1u << BACK);
    touch_listing(PAGED, true, 1u << PAGED);
    touch_listing(PLAIN, true, 0);
    for (uint32_t index = 0; index < ALLOCATIONS; index++)
        touch_listing(index, false, 0);
    copy_listing(FRONT, PLAIN, 0);
    fill_listing(BACK, 1u << BACK);
    assert_int_equal(breaches(), 0);

    /* The back buffer's place is another's from here on. */
    evict(&first, rig.allocations[BACK].handle);
    vidmm_machine_settle(rig.machine);
    create(&first, &rig.allocations[ALLOCATIONS], 200);
    make(&first, rig.allocations[ALLOCATIONS].handle);
    touch(&first, &rig.allocations[ALLOCATIONS],
          map(&first, rig.allocations[ALLOCATIONS].handle, 10 * AT), true);
    assert_int_equal(breaches(), 0);
    vidmm_allocation_destroy(rig.allocations[ALLOCATIONS].handle);
    rig.allocations[ALLOCATIONS].handle = NULL;
    finish_with_screen();

    start_with_screen(false); /* and nobody is accused by hearsay */
    touch_listing(FRONT, true, 0);
    assert_int_equal(breaches(), 0);
    finish_with_screen();
}
