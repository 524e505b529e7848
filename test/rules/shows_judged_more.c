/* shows_judged_more.c: more of what the auditor judges of the manager, brought about on purpose.
 *
 * As in shows_judged.c the occasions are counted, and what the rule says is read without the
 * auditor's help: by a driver that looks at what its calls bring while they last.
 */
#include "rules_rig.h"

#include <sys/mman.h>

#include <vidmm/paging_queue.h>

static struct shown shown;

enum { PAGES = 40, ROUNDS = 4, MOST = 256, CPU_VISIBLE = 1, ACCESSED_PHYSICALLY = 0x8000 };

/* ---- questions at the start ------------------------------------------------------------------ */

static struct {
    DXGKDDI_QUERYADAPTERINFO *query;
    unsigned count; /* of segment queries, by pass */
    DXGK_QUERYADAPTERINFOTYPE types[MOST];
    UINT segments[MOST];
    bool arrays[MOST];
} asked;

/* The struct of each segment query begins with the number and the array. */
static NTSTATUS query_and_look(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    const DXGK_QUERYSEGMENTOUT *out = arguments->pOutputData;

    if (arguments->Type == DXGKQAITYPE_QUERYSEGMENT ||
        arguments->Type == DXGKQAITYPE_QUERYSEGMENT2 ||
        arguments->Type == DXGKQAITYPE_QUERYSEGMENT3 ||
        arguments->Type == DXGKQAITYPE_QUERYSEGMENT4) {
        asked.types[asked.count] = arguments->Type;
        asked.segments[asked.count] = out->NbSegment;
        asked.arrays[asked.count++] = out->pSegmentDescriptor != NULL;
    }
    return asked.query(adapter, arguments);
}

static void bend_query(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&asked, 0, sizeof(asked));
    asked.query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_and_look;
}

static void ask_at(const char *gpu, DXGK_QUERYADAPTERINFOTYPE type)
{
    shown_init_gpu(&shown, gpu, bend_query);
    assert_true(asked.count >= 2);
    for (unsigned i = 0; i < asked.count; i++)
        assert_int_equal(asked.types[i], type);
    shown_finish(&shown);
}

void shows_D_282(void **state)
{
    (void)state;
    ask_at("wddm 1.0\n", DXGKQAITYPE_QUERYSEGMENT);
    ask_at("wddm 1.1\n", DXGKQAITYPE_QUERYSEGMENT);
    ask_at("wddm 1.2\n", DXGKQAITYPE_QUERYSEGMENT3);
    ask_at("wddm 1.3\n", DXGKQAITYPE_QUERYSEGMENT3);
}

/* First without an array, then with one of as many as the driver has: two. */
void shows_D_001(void **state)
{
    (void)state;
    ask_at(NULL, DXGKQAITYPE_QUERYSEGMENT3);
    assert_int_equal(asked.count, 2);
    assert_false(asked.arrays[0]);
    assert_true(asked.arrays[1]);
    assert_int_equal(asked.segments[1], 2);
}

/* ---- paging buffers -------------------------------------------------------------------------- */

/* Private data of a paging buffer as the driver has left them. */
struct left {
    unsigned char *begin;
    UINT size;
    unsigned char bytes[4096];
};

static struct {
    DXGKDDI_BUILDPAGINGBUFFER *build;
    struct left left[16];
    unsigned buffers, again; /* seen for the first time; with what was left in them */
} private_data;

static struct left *find_left(const unsigned char *at)
{
    for (unsigned i = 0; i < private_data.buffers; i++)
        if (at >= private_data.left[i].begin &&
            at < private_data.left[i].begin + private_data.left[i].size)
            return &private_data.left[i];
    return NULL;
}

/* The driver fills all that it has not written with bytes of its own. */
static NTSTATUS build_and_leave(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    unsigned char *at = arguments->pDmaBufferPrivateData;
    UINT size = arguments->DmaBufferPrivateDataSize;
    struct left *left = find_left(at);
    NTSTATUS status;

    if (left == NULL) {
        assert_true(private_data.buffers < 16 && size > 0 && size <= sizeof(left->bytes));
        left = &private_data.left[private_data.buffers++];
        *left = (struct left){.begin = at, .size = size};
    } else {
        private_data.again++;
    }
    assert_memory_equal(left->begin, left->bytes, left->size); /* zero, the first time */
    status = private_data.build(adapter, arguments);
    at = arguments->pDmaBufferPrivateData;
    memset(at, 0xa0 + (int)private_data.again % 16, (size_t)(left->begin + left->size - at));
    memcpy(left->bytes, left->begin, left->size);
    return status;
}

static void bend_build(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&private_data, 0, sizeof(private_data));
    private_data.build = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build_and_leave;
}

/* Two allocations that do not fit together, used in turn. */
static void page_in_turn(void)
{
    shown_create(&shown, 0, PAGES, 1);
    shown_create(&shown, 1, PAGES, 1);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        shown_use_one(&shown, &shown.rig.allocations[0], round == 0);
        shown_use_one(&shown, &shown.rig.allocations[1], round == 0);
    }
}

static void page(const char *gpu, void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    shown_init_gpu(&shown, gpu, bend);
    page_in_turn();
}

/* Private data in pages that nobody may touch but the driver, and it while it is called: a manager
 * that reads or writes a byte of them in between faults, and the test fails. A buffer's first
 * operation finds them open, since the auditor looks for zeros there. */
enum { CLOSED_SIZE = 2 * VIDMM_PAGE_SIZE, CLOSED_GUARD = 64, CLOSED_MOST = 8 };

static struct {
    struct vidmm_host host;
    struct vidmm_memory real;
    DRIVER_INITIALIZATION_DATA driver; /* as it was */
    void *areas[CLOSED_MOST];
    unsigned count, closed; /* areas; times that one was closed */
} closed;

static void *allocate_apart(void *context, size_t size)
{
    void *area;

    (void)context;
    if (size != CLOSED_SIZE + CLOSED_GUARD)
        return closed.real.allocate(closed.real.context, size);
    assert_true(closed.count < CLOSED_MOST);
    area = mmap(NULL, CLOSED_SIZE + VIDMM_PAGE_SIZE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(area != MAP_FAILED);
    closed.areas[closed.count++] = area;
    return area;
}

static void free_apart(void *context, void *block)
{
    (void)context;
    for (unsigned i = 0; i < closed.count; i++) {
        if (closed.areas[i] != block)
            continue;
        assert_int_equal(munmap(block, CLOSED_SIZE + VIDMM_PAGE_SIZE), 0);
        closed.areas[i] = closed.areas[--closed.count];
        return;
    }
    closed.real.free(closed.real.context, block);
}

/* The area that an address is in is the driver's, or nobody's. */
static void give_area(const void *address, bool to_driver)
{
    for (unsigned i = 0; i < closed.count; i++) {
        uintptr_t start = (uintptr_t)closed.areas[i];

        if ((uintptr_t)address < start || (uintptr_t)address > start + CLOSED_SIZE)
            continue;
        assert_int_equal(
            mprotect(closed.areas[i], CLOSED_SIZE, to_driver ? PROT_READ | PROT_WRITE : PROT_NONE),
            0);
        closed.closed += !to_driver;
    }
}

static NTSTATUS build_and_close(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const void *data = arguments->pDmaBufferPrivateData;
    NTSTATUS status;

    give_area(data, true);
    status = closed.driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
    give_area(data, false);
    return status;
}

static NTSTATUS patch_and_close(HANDLE adapter, const DXGKARG_PATCH *arguments)
{
    NTSTATUS status;

    give_area(arguments->pDmaBufferPrivateData, true);
    status = closed.driver.DxgkDdiPatch(adapter, arguments);
    give_area(arguments->pDmaBufferPrivateData, false);
    return status;
}

static NTSTATUS submit_and_close(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    NTSTATUS status;

    give_area(arguments->pDmaBufferPrivateData, true);
    status = closed.driver.DxgkDdiSubmitCommand(adapter, arguments);
    give_area(arguments->pDmaBufferPrivateData, false);
    return status;
}

static void bend_to_close(DRIVER_INITIALIZATION_DATA *driver)
{
    closed.driver = *driver;
    driver->DxgkDdiBuildPagingBuffer = build_and_close;
    driver->DxgkDdiPatch = patch_and_close;
    driver->DxgkDdiSubmitCommand = submit_and_close;
}

static void only_the_driver_reads_it(void)
{
    struct rig_options options = rig_defaults();

    options.gpu = "private_data 8192\ndma_private_data 1024\n";
    memset(&closed, 0, sizeof(closed));
    shown_build(&shown, &options, bend_to_close);
    closed.host = *vidmm_slot_host(shown.rig.slot);
    closed.real = closed.host.memory;
    closed.host.memory.allocate = allocate_apart;
    closed.host.memory.free = free_apart;
    shown.rig.host = &closed.host;
    assert_int_equal(rig_start(&shown.rig), STATUS_SUCCESS);
    assert_true(closed.count >= options.adapter.paging_buffers);
    page_in_turn();
    assert_true(closed.closed >= 2 * ROUNDS); /* by a build and a submission at least */
    rig_stop(&shown.rig);                     /* a stop reads none of it either */
    assert_int_equal(closed.count, 0);
    shown_is_clean(&shown);
    shown_end(&shown);
}

void shows_D_013(void **state)
{
    (void)state;
    page(NULL, bend_build);
    assert_true(private_data.buffers >= 2 && private_data.again >= ROUNDS);
    shown_finish(&shown);
    only_the_driver_reads_it();
}

/* The operations that the driver was asked to build so far, a bit each. Ends. */
static uint32_t operations(void)
{
    uint32_t seen = 0;

    shown_settle(&shown);
    for (size_t at = 0; (at = shown_next(&shown, at, VIDMM_DDI_BUILD_PAGING_BUFFER)) != SIZE_MAX;
         at++)
        seen |= 1u << shown.calls[at].argument.build.Operation;
    assert_int_not_equal(seen & 1u << DXGK_OPERATION_TRANSFER, 0);
    assert_int_not_equal(seen & 1u << DXGK_OPERATION_FILL, 0);
    assert_int_not_equal(seen & 1u << DXGK_OPERATION_MAP_APERTURE_SEGMENT, 0);
    shown_finish(&shown);
    return seen;
}

/* Without page tables, at a level where programs say what is resident: two of the four allocations
 * fit into memory, and one is for the aperture. */
static uint32_t operations_of_physical(const char *gpu)
{
    const uint32_t flags = ACCESSED_PHYSICALLY | CPU_VISIBLE;
    struct vidmm_paging_queue *queue;

    shown_init_gpu(&shown, gpu, NULL);
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, NULL), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 4; i++)
        if (rig_create(&shown.rig, &shown.rig.allocations[i], 24 * VIDMM_PAGE_SIZE, i == 3 ? 1 : 3,
                       flags) != STATUS_SUCCESS)
            fail_msg("%s", shown.rig.report.text);
    for (uint32_t round = 0; round < 12; round++) {
        struct rig_allocation *one = &shown.rig.allocations[round % 4];
        struct vidmm_residency_result result;
        NTSTATUS status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, NULL);

        if (status == STATUS_PENDING)
            status = vidmm_paging_queue_wait(queue, result.value, NULL);
        assert_int_equal(status, STATUS_SUCCESS);
        rig_done(&shown.rig, rig_render(&shown.rig, &one, 1, 1), "render");
        assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
        assert_true(rig_lock_and_touch(&shown.rig, one, true));
        assert_int_equal(vidmm_evict(shown.rig.device, &one->handle, 1, 0, NULL, &shown.rig.report),
                         STATUS_SUCCESS);
    }
    return operations();
}

/* At 2.x a driver without a GPU MMU keeps operations 0 to 2, 5 and 6. */
void shows_D_077(void **state)
{
    static const uint32_t physical = 1u << DXGK_OPERATION_TRANSFER | 1u << DXGK_OPERATION_FILL |
                                     1u << DXGK_OPERATION_DISCARD_CONTENT |
                                     1u << DXGK_OPERATION_MAP_APERTURE_SEGMENT |
                                     1u << DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    static const uint32_t first =
        physical | 1u << DXGK_OPERATION_READ_PHYSICAL | 1u << DXGK_OPERATION_WRITE_PHYSICAL |
        1u << DXGK_OPERATION_SPECIAL_LOCK_TRANSFER | 1u << DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
    static const char *const levels[] = {"wddm 2.0\n", "wddm 2.2\n", "wddm 2.9\n", "wddm 3.2\n"};

    (void)state;
    shown_init_gpu(&shown, NULL, NULL);
    rig_work(&shown.rig, 1, 200);
    assert_int_equal(operations() & ~first, 0);
    for (size_t level = 0; level < sizeof(levels) / sizeof(levels[0]); level++)
        assert_int_equal(operations_of_physical(levels[level]) & ~physical, 0);
}

/* ---- what a DMA buffer names ----------------------------------------------------------------- */

static struct {
    DXGKDDI_PATCH *patch;
    unsigned count;
    DXGK_ALLOCATIONLIST named[MOST]; /* the last element of each list */
    size_t calls[MOST];              /* records so far */
} patched;

static NTSTATUS patch_and_look(HANDLE adapter, const DXGKARG_PATCH *arguments)
{
    if (!arguments->Flags.Paging && arguments->AllocationListSize > 0) {
        assert_true(patched.count < MOST);
        patched.named[patched.count] =
            arguments->pAllocationList[arguments->AllocationListSize - 1];
        patched.calls[patched.count++] = shown.call_count;
    }
    return patched.patch(adapter, arguments);
}

static void bend_patch(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&patched, 0, sizeof(patched));
    patched.patch = driver->DxgkDdiPatch;
    driver->DxgkDdiPatch = patch_and_look;
}

static void reads_aperture_too(DXGK_ALLOCATIONINFO *info)
{
    info->SupportedReadSegmentSet = 3;
    info->SupportedWriteSegmentSet = 2;
}

static void bend_patch_and_creation(DRIVER_INITIALIZATION_DATA *driver)
{
    bend_patch(driver);
    shown_bend_creation(driver);
}

/* An allocation that may be read in two segments and written in one: no other fits beside it. */
void shows_S1_011(void **state)
{
    struct rig_allocation *a, *other;
    unsigned written = 0, read = 0;

    (void)state;
    shown_bend.change = reads_aperture_too;
    shown_init_gpu(&shown, NULL, bend_patch_and_creation);
    a = shown_create(&shown, 0, PAGES, 1);
    other = shown_create(&shown, 1, PAGES, 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        shown_use_one(&shown, a, true);
        shown_use_one(&shown, other, true);
        shown_use_one(&shown, a, false);
    }
    for (unsigned i = 0; i < patched.count; i++) {
        if (patched.named[i].WriteOperation)
            assert_int_equal(patched.named[i].SegmentId, 2);
        written += patched.named[i].WriteOperation;
        read += !patched.named[i].WriteOperation;
    }
    assert_true(written >= 2 * ROUNDS && read >= ROUNDS);
    shown_finish(&shown);
}

/* The last operation before the record that puts something at this address; SIZE_MAX: none. */
static size_t putter_of(LONGLONG address, size_t before)
{
    size_t found = SIZE_MAX;

    for (size_t at = 0; at < before; at++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[at].argument.build;

        if (shown.calls[at].ddi != VIDMM_DDI_BUILD_PAGING_BUFFER || shown.calls[at].returned)
            continue;
        if ((build->Operation == DXGK_OPERATION_TRANSFER &&
             build->Transfer.Destination.SegmentId == 2 &&
             build->Transfer.Destination.SegmentAddress.QuadPart == address) ||
            (build->Operation == DXGK_OPERATION_FILL &&
             build->Fill.Destination.SegmentAddress.QuadPart == address))
            found = at;
    }
    return found;
}

static HANDLE put_by(size_t build)
{
    const DXGKARG_BUILDPAGINGBUFFER *call = &shown.calls[build].argument.build;

    return call->Operation == DXGK_OPERATION_FILL ? call->Fill.hAllocation
                                                  : call->Transfer.hAllocation;
}

/* The paging buffer behind that operation is complete before the record. */
static bool is_done(size_t build, size_t before)
{
    UINT fence = 0;

    for (size_t at = build; at < before; at++) {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

        if (fence == 0 && shown.calls[at].ddi == VIDMM_DDI_SUBMIT_COMMAND &&
            shown.calls[at].argument.submit.Flags.Paging)
            fence = shown.calls[at].argument.submit.SubmissionFenceId;
        if (shown.calls[at].ddi != VIDMM_DDI_NOTIFY_INTERRUPT || fence == 0)
            continue;
        memcpy(&data, &shown.calls[at].argument, sizeof(data));
        if (data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED &&
            data.DmaCompleted.SubmissionFenceId >= fence)
            return true;
    }
    return false;
}

/* Two that do not fit together, in turn. An allocation is where the DMA buffer is told that it is:
 * it was put there last, by paging that is complete; the renderer's node is another than that of
 * paging. */
void shows_D_085(void **state)
{
    HANDLE owners[2] = {NULL, NULL};

    (void)state;
    page(NULL, bend_patch);
    assert_int_equal(patched.count, 2 * ROUNDS);
    for (unsigned i = 0; i < patched.count; i++) {
        size_t put = putter_of(patched.named[i].PhysicalAddress.QuadPart, patched.calls[i]);

        assert_int_equal(patched.named[i].SegmentId, 2);
        assert_true(put != SIZE_MAX);
        assert_true(is_done(put, patched.calls[i]));
        if (owners[i % 2] == NULL)
            owners[i % 2] = put_by(put);
        assert_ptr_equal(put_by(put), owners[i % 2]);
    }
    assert_ptr_not_equal(owners[0], owners[1]);
    shown_finish(&shown);
}

/* An opened allocation is named by the handle of that opening, and by none that is closed. */
static struct {
    DXGKDDI_OPENALLOCATIONINFO *open;
    DXGKDDI_CLOSEALLOCATION *close;
    HANDLE handles[MOST];
    unsigned count, closed;
} openings;

static NTSTATUS open_and_note(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    NTSTATUS status = openings.open(device, arguments);

    for (UINT i = 0; i < arguments->NumAllocations; i++)
        openings.handles[openings.count++] =
            arguments->pOpenAllocation[i].hDeviceSpecificAllocation;
    return status;
}

static NTSTATUS close_and_note(HANDLE device, const DXGKARG_CLOSEALLOCATION *arguments)
{
    for (UINT i = 0; i < arguments->NumAllocations; i++)
        for (unsigned k = 0; k < openings.count; k++)
            if (openings.handles[k] == arguments->pOpenHandleList[i]) {
                openings.handles[k] = NULL;
                openings.closed++;
            }
    return openings.close(device, arguments);
}

static bool is_open(HANDLE handle)
{
    for (unsigned k = 0; k < openings.count; k++)
        if (openings.handles[k] == handle)
            return true;
    return false;
}

static unsigned named_open;

static NTSTATUS patch_what_is_open(HANDLE adapter, const DXGKARG_PATCH *arguments)
{
    for (UINT i = 0; i < arguments->AllocationListSize; i++)
        if (arguments->pAllocationList[i].hDeviceSpecificAllocation != NULL) {
            assert_true(is_open(arguments->pAllocationList[i].hDeviceSpecificAllocation));
            named_open++;
        }
    return patched.patch(adapter, arguments);
}

static void bend_openings(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&openings, 0, sizeof(openings));
    named_open = 0;
    openings.open = driver->DxgkDdiOpenAllocation;
    openings.close = driver->DxgkDdiCloseAllocation;
    patched.patch = driver->DxgkDdiPatch;
    driver->DxgkDdiOpenAllocation = open_and_note;
    driver->DxgkDdiCloseAllocation = close_and_note;
    driver->DxgkDdiPatch = patch_what_is_open;
}

/* Allocations come and go while the GPU has them. */
void shows_D_050(void **state)
{
    (void)state;
    shown_init_gpu(&shown, NULL, bend_openings);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct rig_allocation *one = shown_create(&shown, 0, 2, 1);

        assert_int_equal(rig_render(&shown.rig, &one, 1, 1), STATUS_SUCCESS);
        assert_int_equal(rig_render(&shown.rig, &one, 1, 1), STATUS_SUCCESS);
        vidmm_allocation_destroy(one->handle);
        one->handle = NULL;
        shown_settle(&shown);
    }
    assert_true(openings.closed >= ROUNDS && named_open >= 2 * ROUNDS);
    shown_finish(&shown);
}
