/* test_adapter_contents.c: however paging is built, submitted and executed, memory ends the same.
 *
 * One piece of work is played on many adapters. Their answers on the way differ: paging buffers of
 * one record or of many, INSUFFICIENT and BUSY at each call, every habit and switch. The bytes of
 * all allocations at the end do not.
 */
#include "test_adapter_rig.h"

enum { STEPS = 120, FEW_STEPS = 36 };

struct outcome {
    uint64_t bytes; /* of all allocations, as one number */
    uint64_t calls; /* of DxgkDdiBuildPagingBuffer */
    struct vidmm_statistics manager;
};

static struct outcome play(const struct rig_options *options, const char *gpu, uint32_t steps)
{
    struct rig *rig = calloc(1, sizeof(*rig));
    struct rig_options wanted = *options;
    struct softgpu_statistics device;
    struct outcome outcome;

    wanted.gpu = gpu;
    rig_init(rig, &wanted);
    rig_work(rig, 11, steps);
    outcome.bytes = rig_read(rig);
    vidmm_adapter_statistics(rig->adapter, &outcome.manager);
    softgpu_device_statistics(rig->gpu, &device);
    outcome.calls = device.driver_build_calls;
    assert_int_equal(outcome.manager.findings, 0);
    rig_finish(rig);
    free(rig);
    return outcome;
}

static void assert_same(const struct rig_options *options, const char *gpu, uint32_t steps,
                        uint64_t bytes)
{
    struct outcome outcome = play(options, gpu, steps);

    if (outcome.bytes != bytes)
        fail_msg("other bytes at the end with %s", gpu);
}

/* The work pages at all, in both ways. */
static void the_work_pages_in_and_out(void **state)
{
    struct rig_options options = rig_defaults();
    struct outcome outcome = play(&options, NULL, STEPS);

    (void)state;
    assert_true(outcome.manager.evictions > 10 && outcome.manager.page_ins > 20);
    assert_true(outcome.manager.bytes_in > 100000 && outcome.manager.bytes_out > 100000);
    assert_true(outcome.manager.bytes_filled > 100000 && outcome.manager.bytes_mapped > 100000);
}

static void paging_buffers_of_any_size_end_in_the_same_bytes(void **state)
{
    static const char *const sizes[] = {"128", "136", "160",  "256", "512",
                                        "520", "1K",  "3000", "64K"};
    struct rig_options options = rig_defaults();
    uint64_t bytes = play(&options, NULL, STEPS).bytes;
    char gpu[200];

    (void)state;
    for (uint32_t i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
        const char *size = sizes[i / 2];

        options.evict_through_aperture = i % 2 != 0;
        options.adapter.paging_buffers = 1 + i % 4;
        snprintf(gpu, sizeof(gpu), "paging_buffer %s\n", size);
        assert_same(&options, gpu, STEPS, bytes);
        if (i / 2 < 4) /* a record of habit immediate has 512 bytes */
            continue;
        snprintf(gpu, sizeof(gpu), "habit immediate\npaging_buffer %s\n", size);
        assert_same(&options, gpu, STEPS, bytes);
    }
}

static void private_data_of_any_size_ends_in_the_same_bytes(void **state)
{
    struct rig_options options = rig_defaults();
    uint64_t bytes = play(&options, NULL, STEPS).bytes;

    (void)state;
    assert_same(&options, "private_data 0\n", STEPS, bytes);
    assert_same(&options, "private_data 16\n", STEPS, bytes);
    assert_same(&options, "private_data 40\n", STEPS, bytes);
    assert_same(&options, "habit immediate\nprivate_data 16\n", STEPS, bytes);
}

/* The n-th call answers so, for each n. */
static void answer_at_each_call(const char *key, const char *habit, bool through_aperture)
{
    struct rig_options options = rig_defaults();
    struct outcome plain;
    char gpu[200];

    options.evict_through_aperture = through_aperture;
    plain = play(&options, habit, FEW_STEPS);
    assert_true(plain.calls > 40);
    for (uint64_t call = 1; call <= plain.calls; call++) {
        snprintf(gpu, sizeof(gpu), "%s%s %llu\n", habit, key, (unsigned long long)call);
        assert_same(&options, gpu, FEW_STEPS, plain.bytes);
    }
}

static void insufficient_at_each_call_ends_in_the_same_bytes(void **state)
{
    (void)state;
    answer_at_each_call("insufficient", "", true);
    answer_at_each_call("insufficient", "habit immediate\n", true);
}

static void busy_at_each_call_ends_in_the_same_bytes(void **state)
{
    (void)state;
    answer_at_each_call("busy", "", true);
    answer_at_each_call("busy", "habit immediate\n", true);
}

static void insufficient_and_busy_again_and_again_end_in_the_same_bytes(void **state)
{
    static const char *const gpus[] = {
        "insufficient every 2\n",
        "insufficient every 3\n",
        "busy first\n",
        "busy first\ninsufficient every 2\n",
        "busy first\ninsufficient every 3\npaging_buffer 128\n",
        "habit immediate\ninsufficient every 2\n",
        "habit immediate\nbusy first\ninsufficient every 3\npaging_buffer 512\n",
    };
    struct rig_options options = rig_defaults();
    uint64_t bytes = play(&options, NULL, STEPS).bytes;

    (void)state;
    for (uint32_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
        options.evict_through_aperture = i % 2 != 0;
        assert_same(&options, gpus[i], STEPS, bytes);
    }
}

/* One operation a paging buffer: no fewer buffers than operations that write commands. */
static void one_operation_is_a_paging_buffer_of_its_own(void **state)
{
    struct rig_options options = rig_defaults();
    struct outcome packed = play(&options, NULL, STEPS), single;

    (void)state;
    options.adapter.one_operation = true;
    single = play(&options, NULL, STEPS);
    assert_true(single.bytes == packed.bytes);
    assert_true(packed.manager.paging_buffers * 2 < packed.manager.paging_operations);
    assert_true(single.manager.paging_buffers >= single.manager.paging_operations);
}

/* Every switch of the manager, under both habits and with completion that comes late. */
static void every_switch_ends_in_the_same_bytes(void **state)
{
    static const char *const gpus[] = {"", "habit immediate\n", "interrupts late\n",
                                       "habit immediate\ninterrupts late\n"};
    struct rig_options options = rig_defaults();
    uint64_t bytes = play(&options, NULL, STEPS).bytes;

    (void)state;
    for (uint32_t bits = 0; bits < 128; bits++) {
        options = rig_defaults();
        options.adapter.system_context = (bits & 1) != 0;
        options.adapter.patch_paging = (bits & 2) == 0;
        options.adapter.submit_empty = (bits & 4) != 0;
        options.adapter.move_directly = (bits & 8) != 0;
        options.adapter.split_transfer_size = (bits & 16) != 0 ? 3 * VIDMM_PAGE_SIZE : 0;
        options.evict_through_aperture = (bits & 32) != 0;
        options.adapter.one_operation = (bits & 64) != 0;
        assert_same(&options, gpus[(bits + bits / 8) % 4], STEPS, bytes);
    }
}

static void every_shape_of_adapter_ends_in_the_same_bytes(void **state)
{
    static const char *const gpus[] = {
        "engines render\n",
        "engines render render copy copy\n",
        "engines render\nmulti_engine off\npreemption off\n",
        "paging_buffer_segment 0\n",
        "dma_buffer_segment 0\n",
        "paging_buffer_segment 0\ndma_buffer_segment 0\nhighest_address 8G\n",
        "wddm 1.0\npreemption off\n",
        "wddm 1.1\npreemption off\n",
        "wddm 1.2\n",
        "segment 1 aperture 1M commit 900K\nsegment 2 memory 256K cpuvisible\n",
        "segment 1 aperture 1M cachecoherent\nsegment 2 memory 256K cpuvisible\n",
        "segment 1 aperture 16M\nsegment 2 memory 16M cpuvisible\n",
        "segment 1 aperture 1M\nsegment 2 memory 256K\n",
        "poison_discard off\n",
    };
    struct rig_options options = rig_defaults();
    uint64_t bytes = play(&options, NULL, STEPS).bytes;

    (void)state;
    for (uint32_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
        options.evict_through_aperture = i % 2 != 0;
        assert_same(&options, gpus[i], STEPS, bytes);
    }
}

static void every_number_of_buffers_ends_in_the_same_bytes(void **state)
{
    struct rig_options options = rig_defaults();
    uint64_t bytes = play(&options, NULL, STEPS).bytes;

    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        options.adapter.paging_buffers = 1 + i % 3;
        options.adapter.dma_buffers = 1 + i % 5;
        options.adapter.queue_limit = i < 6 ? 1 + i : 31;
        options.adapter.first_fence = 0xfffffff0u + i;
        assert_same(&options, i % 2 == 0 ? "" : "habit immediate\n", STEPS, bytes);
    }
}

static void every_interleaving_ends_in_the_same_bytes(void **state)
{
    struct rig_options options = rig_defaults();
    uint64_t bytes = play(&options, NULL, STEPS).bytes;

    (void)state;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        options.machine_seed = seed;
        options.evict_through_aperture = seed % 2 == 0;
        assert_same(&options, seed % 3 == 0 ? "habit immediate\n" : "paging_buffer 256\n", STEPS,
                    bytes);
    }
    options.kind = VIDMM_MACHINE_THREADED;
    assert_same(&options, "", STEPS, bytes);
    assert_same(&options, "habit immediate\n", STEPS, bytes);
    assert_same(&options, "paging_buffer 128\ninterrupts late\n", STEPS, bytes);
}

/* ---- private data of paging buffers ---------------------------------------------------------- */

enum { PRIVATE = 1024, MARKED = 64 /* bytes at the end, behind what softgpu's records fill */ };

/* The bytes that the driver in front of softgpu's finds in the private data of each buffer. */
static struct keeper {
    DXGKDDI_BUILDPAGINGBUFFER *build;
    unsigned char mark; /* the byte that it leaves there */
    const unsigned char *known[16];
    unsigned firsts, agains, wrong;
} keeper;

static bool holds(const unsigned char *bytes, size_t count, unsigned char value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

/* Zero at the first use of a buffer, at later ones as it was left: whole at the first use, then the
 * marked end of it. */
static void look_at_private_data(unsigned char *data, UINT size)
{
    unsigned i = 0;

    keeper.wrong += size != PRIVATE;
    while (i < 15 && keeper.known[i] != NULL && keeper.known[i] != data)
        i++;
    if (keeper.known[i] == NULL) {
        keeper.firsts++;
        keeper.wrong += !holds(data, PRIVATE, 0);
    } else {
        keeper.agains++;
        keeper.wrong += !holds(data + PRIVATE - MARKED, MARKED, keeper.mark);
    }
    keeper.known[i] = data;
    memset(data, keeper.mark, PRIVATE);
}

static NTSTATUS keeping_build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    if ((uintptr_t)asked->pDmaBuffer % VIDMM_PAGE_SIZE == 0) /* a buffer from its beginning */
        look_at_private_data(asked->pDmaBufferPrivateData, asked->DmaBufferPrivateDataSize);
    return keeper.build(adapter, asked);
}

/* Play the work with this mark left in all private data; answers the bytes of all allocations. */
static uint64_t play_with_mark(unsigned char mark)
{
    struct rig_options options = rig_defaults();
    struct rig *rig = calloc(1, sizeof(*rig));
    uint64_t bytes;

    options.gpu = "private_data 1024\n";
    keeper = (struct keeper){.mark = mark};
    rig_build(rig, &options);
    keeper.build = rig->driver.DxgkDdiBuildPagingBuffer;
    rig->driver.DxgkDdiBuildPagingBuffer = keeping_build;
    assert_int_equal(rig_start(rig), STATUS_SUCCESS);
    rig_work(rig, 11, FEW_STEPS);
    bytes = rig_read(rig);
    rig_finish(rig);
    free(rig);
    assert_in_range(keeper.firsts, options.adapter.paging_buffers, 15);
    assert_true(keeper.agains > 10);
    assert_int_equal(keeper.wrong, 0);
    return bytes;
}

/* obeys D-013: zeroed once, and then neither written nor heeded by the manager. */
static void private_data_is_zero_at_first_and_then_the_drivers_own(void **state)
{
    uint64_t bytes = play_with_mark(0x5c);
    struct keeper first = keeper;

    (void)state;
    assert_true(play_with_mark(0xff) == bytes);
    assert_int_equal(keeper.agains, first.agains);
}

static NTSTATUS build_without(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    keeper.agains++;
    keeper.wrong += asked->pDmaBufferPrivateData != NULL || asked->DmaBufferPrivateDataSize != 0;
    return keeper.build(adapter, asked);
}

/* D-013 too. */
static void private_data_of_size_0_is_none(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig *rig = calloc(1, sizeof(*rig));

    (void)state;
    options.gpu = "private_data 0\n";
    keeper = (struct keeper){0};
    rig_build(rig, &options);
    keeper.build = rig->driver.DxgkDdiBuildPagingBuffer;
    rig->driver.DxgkDdiBuildPagingBuffer = build_without;
    assert_int_equal(rig_start(rig), STATUS_SUCCESS);
    rig_work(rig, 11, FEW_STEPS);
    rig_read(rig);
    rig_finish(rig);
    free(rig);
    assert_true(keeper.agains > 10);
    assert_int_equal(keeper.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_work_pages_in_and_out),
        cmocka_unit_test(paging_buffers_of_any_size_end_in_the_same_bytes),
        cmocka_unit_test(private_data_of_any_size_ends_in_the_same_bytes),
        cmocka_unit_test(insufficient_at_each_call_ends_in_the_same_bytes),
        cmocka_unit_test(busy_at_each_call_ends_in_the_same_bytes),
        cmocka_unit_test(insufficient_and_busy_again_and_again_end_in_the_same_bytes),
        cmocka_unit_test(one_operation_is_a_paging_buffer_of_its_own),
        cmocka_unit_test(every_switch_ends_in_the_same_bytes),
        cmocka_unit_test(every_shape_of_adapter_ends_in_the_same_bytes),
        cmocka_unit_test(every_number_of_buffers_ends_in_the_same_bytes),
        cmocka_unit_test(every_interleaving_ends_in_the_same_bytes),
        cmocka_unit_test(private_data_is_zero_at_first_and_then_the_drivers_own),
        cmocka_unit_test(private_data_of_size_0_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
