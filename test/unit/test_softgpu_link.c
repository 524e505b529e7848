/*
 * Two GPUs of a link on a machine with threads: both use one page of system memory at the same
 * time, as they do with the backing store of a mirrored allocation. Meant for the thread sanitizer;
 * without it a page that is torn is found in some runs.
 */
#include "harness.h"

#include <vidmm/bus.h>
#include <vidmm/host.h>

#include "base/content.h"
#include "host/machine.h"
#include "softgpu/device.h"
#include "softgpu/hardware.h"

enum { GPUS = 2, APERTURE = 1, MEMORY = 2, ROUNDS = 300, SHARED_ENTRY = 5 };

#define SHARED (SOFTGPU_SEGMENT_BASE(APERTURE) + SHARED_ENTRY * 4096)
#define OWN SOFTGPU_SEGMENT_BASE(MEMORY)

/* A GPU, its commands in system memory, and a page of what it has read. */
struct gpu {
    struct softgpu_device *device;
    struct vidmm_slot *slot;
    const struct vidmm_host *host;
    struct softgpu_registers *registers;
    uint64_t commands, result; /* physical */
    uint32_t given;
};

static struct vidmm_machine *machine;
static struct gpu gpus[GPUS];
static uint64_t shared; /* physical */

static bool serve(void *argument, uint32_t message)
{
    struct gpu *gpu = argument;

    (void)message;
    if (atomic_exchange(&gpu->registers->interrupt, 0) == 0)
        return false;
    gpu->host->wake(gpu->host->context);
    return true;
}

static void nothing(void *argument)
{
    (void)argument;
}

static void *at(uint64_t physical)
{
    return vidmm_machine_memory(machine, physical, 4096);
}

static uint64_t take_page(const struct vidmm_host *host)
{
    uint64_t frame;

    assert_true(host->take_pages(host->context, 1, VIDMM_ANY_FRAME, true, VIDMM_CACHED, &frame));
    return frame * 4096;
}

static void plug(struct gpu *gpu, const struct softgpu_config *config)
{
    struct vidmm_host_client client = {
        .argument = gpu, .service = serve, .dpc = nothing, .work = nothing};
    struct vidmm_device_model model;
    uint64_t bar = 0;
    char error[200] = "";

    gpu->slot = vidmm_machine_add_slot(machine);
    gpu->host = vidmm_slot_host(gpu->slot);
    gpu->device =
        softgpu_device_create(vidmm_slot_bus(gpu->slot), config, &model, error, sizeof(error));
    assert_non_null(gpu->device);
    assert_true(vidmm_slot_plug(gpu->slot, &model));
    assert_true(gpu->host->read_config(gpu->host->context, 0x10, &bar, sizeof(bar)));
    gpu->registers = vidmm_machine_memory(machine, bar & ~(uint64_t)15, SOFTGPU_REGISTERS_SIZE);
    assert_true(gpu->host->connect(gpu->host->context, &client));
    gpu->commands = take_page(gpu->host);
    gpu->result = take_page(gpu->host);
}

static void begin(const struct softgpu_config *config)
{
    struct vidmm_machine_options options = {.kind = VIDMM_MACHINE_THREADED,
                                            .system_memory = 16 << 20};
    char error[200] = "";

    memset(gpus, 0, sizeof(gpus));
    machine = vidmm_machine_create(&options, error, sizeof(error));
    assert_non_null(machine);
    for (int i = 0; i < GPUS; i++)
        plug(&gpus[i], config);
    softgpu_device_link(gpus[1].device, gpus[0].device);
    shared = take_page(gpus[0].host);
    for (int i = 0; i < GPUS; i++) {
        char *registers = (char *)gpus[i].registers;
        uint64_t *entries =
            (uint64_t *)(void *)(registers + gpus[i].registers->segments[APERTURE - 1].page_table);

        entries[SHARED_ENTRY] = shared | SOFTGPU_ENTRY_VALID;
    }
}

static void end(const char *fault)
{
    struct softgpu_statistics statistics;

    for (int i = 0; i < GPUS; i++) {
        softgpu_device_statistics(gpus[i].device, &statistics);
        if (i == 0 ? strstr(statistics.fault, fault) == NULL : statistics.fault[0] != 0)
            fail_msg("GPU %d: %s", i, statistics.fault);
        assert_string_equal(statistics.mismatch, "");
        gpus[i].host->disconnect(gpus[i].host->context);
        vidmm_slot_unplug(gpus[i].slot);
        softgpu_device_destroy(gpus[i].device);
    }
    vidmm_machine_destroy(machine);
}

static bool is_idle(void *argument)
{
    struct gpu *gpu = argument;

    return gpu->given == atomic_load(&gpu->registers->engines[0].retired);
}

static void give(struct gpu *gpu, const struct softgpu_packet *packet, const void *commands,
                 uint32_t size)
{
    uint32_t place = gpu->given & (gpu->registers->engines[0].slots - 1);

    memcpy(at(gpu->commands), commands, size);
    memcpy((char *)gpu->registers + gpu->registers->engines[0].ring + place * sizeof(*packet),
           packet, sizeof(*packet));
    gpu->given++;
    assert_true(gpu->host->write_config(gpu->host->context, SOFTGPU_DOORBELL_SUBMIT(0), &gpu->given,
                                        sizeof(gpu->given)));
}

static void submit(struct gpu *gpu, const void *commands, uint32_t size, uint32_t instance)
{
    struct softgpu_packet packet = {.address = gpu->commands,
                                    .size = size,
                                    .fence = gpu->given + 1,
                                    .instance = instance,
                                    .flags = SOFTGPU_PACKET_FIRST};

    give(gpu, &packet, commands, size);
}

static void wait_for_both(void)
{
    for (int i = 0; i < GPUS; i++)
        while (!is_idle(&gpus[i])) /* an interrupt may be under way still */
            gpus[i].host->wait(gpus[i].host->context, is_idle, &gpus[i], 1000000);
}

/* All words of a page are one word: nobody wrote meanwhile. */
static void assert_whole(uint64_t physical)
{
    const uint32_t *words = at(physical);

    for (uint32_t i = 1; i < 1024; i++)
        assert_int_equal(words[i], words[0]);
}

/* Fill a page of its own, present it into the shared one, and read that back. */
static void rows_of_two_gpus_are_written_in_turn(void **state)
{
    struct {
        struct softgpu_op_fill fill;
        struct softgpu_op_blt blt;
        struct softgpu_op_transfer transfer;
        uint64_t run;
    } commands = {
        .fill = {.command = {SOFTGPU_OP_FILL, sizeof(commands.fill)},
                 .bytes = 4096,
                 .address = OWN,
                 .segment = MEMORY},
        .blt = {.command = {SOFTGPU_OP_BLT, sizeof(commands.blt)},
                .source = {.address = OWN, .pitch = 4096},
                .destination = {.address = SHARED, .pitch = 4096},
                .row_bytes = 4096,
                .rows = 1},
        .transfer = {.command = {SOFTGPU_OP_TRANSFER, sizeof(commands.transfer) + 8},
                     .bytes = 4096,
                     .source = {.segment = APERTURE, .address = SHARED},
                     .destination = {.runs = 1}},
    };
    struct softgpu_config config = softgpu_config_default();

    (void)state;
    begin(&config);
    for (uint32_t n = 0; n < ROUNDS; n++) {
        for (uint32_t i = 0; i < GPUS; i++) {
            commands.fill.pattern = n * GPUS + i + 1;
            commands.run = gpus[i].result / 4096;
            submit(&gpus[i], &commands, sizeof(commands), i);
        }
        wait_for_both();
        assert_whole(shared);
        for (uint32_t i = 0; i < GPUS; i++)
            assert_whole(gpus[i].result);
    }
    end("");
}

/* One checks the page that the other writes, with bytes that are there already. */
static void a_touch_of_one_gpu_waits_for_the_other(void **state)
{
    struct vidmm_content_key key = {.seed = 7, .id = 3};
    struct {
        struct softgpu_op_touch touch;
        struct softgpu_op_reference reference;
    } commands = {
        .touch = {.command = {SOFTGPU_OP_TOUCH, sizeof(commands)},
                  .reference_count = 1,
                  .seed = key.seed},
        .reference = {.address = SHARED, .pages = 1, .content_id = key.id, .generation = 1},
    };
    struct softgpu_op_blt copy = {
        .command = {SOFTGPU_OP_BLT, sizeof(copy)},
        .source = {.address = OWN, .pitch = 4096},
        .destination = {.address = SHARED, .pitch = 4096},
        .row_bytes = 4096,
        .rows = 1,
    };
    struct softgpu_config config = softgpu_config_default();
    uint64_t digest = 0;

    (void)state;
    begin(&config);
    memset(at(shared), 0, 4096);
    vidmm_content_write_gpu(at(shared), key, 0, 1);
    vidmm_content_check_page(at(shared), key, 0, 1, &digest);
    commands.reference.digest = digest;
    memcpy(vidmm_machine_memory(machine, gpus[1].registers->segments[MEMORY - 1].cpu_address, 4096),
           at(shared), 4096);
    for (uint32_t n = 0; n < ROUNDS; n++) {
        submit(&gpus[0], &commands, sizeof(commands), 0);
        submit(&gpus[1], &copy, sizeof(copy), 1);
        wait_for_both();
    }
    end("");
}

/* ---- page tables ----------------------------------------------------------------------------- */

enum {
    ROOT = 0x10000, /* offsets in the memory segment of each */
    LEAF = 0x20000,
    TARGET = 0x30000,
};

/* Addresses of one process, on either GPU. */
#define COMMANDS UINT64_C(0x1000)
#define INSTANCED UINT64_C(0x2000)
#define OF_SECOND UINT64_C(0x3000)
#define OF_NOBODY UINT64_C(0x4000)

static void *memory_at(const struct gpu *gpu, uint64_t offset)
{
    return vidmm_machine_memory(machine, gpu->registers->segments[MEMORY - 1].cpu_address + offset,
                                4096);
}

static uint64_t word_of(uint32_t segment, uint64_t address, uint64_t place)
{
    return (uint64_t)SOFTGPU_PTE_MARK << SOFTGPU_PTE_MARK_SHIFT |
           place << SOFTGPU_PTE_ADAPTER_SHIFT | address |
           (uint64_t)segment << SOFTGPU_PTE_SEGMENT_SHIFT | SOFTGPU_PTE_VALID;
}

/* The root is at one place on all of them, and says the same; what lies below is the GPU's own
 * (D-228). */
static void map(struct gpu *gpu, uint64_t place)
{
    uint64_t *root = memory_at(gpu, ROOT), *leaf = memory_at(gpu, LEAF);

    root[0] = word_of(MEMORY, LEAF, 0);
    leaf[COMMANDS / 4096] = word_of(0, gpu->commands, 0);
    leaf[INSTANCED / 4096] = word_of(MEMORY, TARGET, place);
    leaf[OF_SECOND / 4096] = word_of(MEMORY, TARGET + 4096, 1);
    leaf[OF_NOBODY / 4096] = word_of(MEMORY, TARGET, 3);
    memset(memory_at(gpu, TARGET), 0, 4096);
    memset(memory_at(gpu, TARGET + 4096), 0, 4096);
}

static void fill_by_address(struct gpu *gpu, uint64_t address, uint32_t pattern)
{
    struct softgpu_op_fill fill = {.command = {SOFTGPU_OP_FILL, sizeof(fill)},
                                   .bytes = 4096,
                                   .address = address,
                                   .segment = SOFTGPU_PLACE_VIRTUAL,
                                   .pattern = pattern};
    struct softgpu_packet packet = {.address = COMMANDS,
                                    .size = sizeof(fill),
                                    .fence = gpu->given + 1,
                                    .flags = SOFTGPU_PACKET_FIRST | SOFTGPU_PACKET_VIRTUAL,
                                    .root = {.address = ROOT, .segment = MEMORY, .entries = 1}};

    give(gpu, &packet, &fill, sizeof(fill));
    wait_for_both();
}

static uint32_t word_at(const struct gpu *gpu, uint64_t offset)
{
    const uint32_t *words = memory_at(gpu, offset);

    assert_int_equal(words[1023], words[0]);
    return words[0];
}

/* D-229: whose table it is and whose page it names are two things. */
static void each_gpu_walks_its_own_tables_and_reaches_all_memory(void **state)
{
    struct softgpu_config config = softgpu_config_default();

    (void)state;
    config.wddm = 20;
    config.mmu.kind = SOFTGPU_MMU_GPU;
    softgpu_config_set_levels(&config.mmu, 2);
    begin(&config);
    for (uint64_t i = 0; i < GPUS; i++)
        map(&gpus[i], i);
    fill_by_address(&gpus[0], INSTANCED, 0x11);
    fill_by_address(&gpus[1], INSTANCED, 0x22);
    assert_int_equal(word_at(&gpus[0], TARGET), 0x11);
    assert_int_equal(word_at(&gpus[1], TARGET), 0x22);
    fill_by_address(&gpus[0], OF_SECOND, 0x33);
    assert_int_equal(word_at(&gpus[0], TARGET + 4096), 0);
    assert_int_equal(word_at(&gpus[1], TARGET + 4096), 0x33);
    fill_by_address(&gpus[1], OF_SECOND, 0x44);
    assert_int_equal(word_at(&gpus[1], TARGET + 4096), 0x44);
    fill_by_address(&gpus[0], OF_NOBODY, 0x55);
    end("no memory is there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_two_gpus_are_written_in_turn),
        cmocka_unit_test(a_touch_of_one_gpu_waits_for_the_other),
        cmocka_unit_test(each_gpu_walks_its_own_tables_and_reaches_all_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
