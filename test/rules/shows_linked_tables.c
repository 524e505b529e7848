/* shows_linked_tables.c: linked-adapter.def, obeyed where each GPU of a link has page tables. */
#include "linked_tables.h"

#include <vidmm/lock2.h>

#include "vidmm/object/allocation.h"

enum { TABLES = 64, ENTRIES = 512 };

/* A page table as one GPU has been told of it. */
struct image {
    HANDLE adapter; /* NULL: none */
    HANDLE process;
    UINT level, segment;
    UINT64 offset;
    DXGK_PTE entries[ENTRIES];
};

static struct told {
    DXGKDDI_BUILDPAGINGBUFFER *build;
    struct image images[TABLES];
    unsigned leaf_calls[SOFTGPU_LINKS]; /* of programs, InitialUpdate left out */
    HANDLE adapters[SOFTGPU_LINKS];     /* by index, as the first calls name them */
    HANDLE system;                      /* the paging process: the first that is written for */
} told;

static unsigned index_of(HANDLE adapter)
{
    unsigned index = 0;

    while (index < SOFTGPU_LINKS && told.adapters[index] != NULL && told.adapters[index] != adapter)
        index++;
    assert_true(index < SOFTGPU_LINKS);
    told.adapters[index] = adapter; /* the start goes by index */
    return index;
}

/* Tables of the paging process are named by the CPU's address: the test knows none of them by its
 * place, and tells them apart by the addresses that they translate. */
static struct image *image_of(HANDLE adapter, const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    bool by_cpu = update->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    UINT segment = by_cpu ? UINT32_MAX : update->PageTableAddress.GpuPhysical.SegmentId;
    UINT64 first = update->FirstPteVirtualAddress >> (12 + 9 * (update->PageTableLevel + 1));
    UINT64 offset = by_cpu ? first : update->PageTableAddress.GpuPhysical.SegmentOffset;
    struct image *image = told.images;

    for (; image < told.images + TABLES && image->adapter != NULL; image++)
        if (image->adapter == adapter && image->segment == segment && image->offset == offset &&
            image->level == update->PageTableLevel)
            return image;
    if (image == told.images + TABLES)
        return NULL;
    *image = (struct image){
        .adapter = adapter, .level = update->PageTableLevel, .segment = segment, .offset = offset};
    return image;
}

static NTSTATUS build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;
    struct image *image;

    if (arguments->Operation != DXGK_OPERATION_UPDATE_PAGE_TABLE)
        return told.build(adapter, arguments);
    if (told.system == NULL)
        told.system = update->hProcess;
    image = image_of(adapter, update);
    if (image != NULL) {
        image->process = update->hProcess;
        for (UINT i = 0; i < update->NumPageTableEntries; i++)
            image->entries[update->StartIndex + i] =
                update->pPageTableEntries[update->Flags.Repeat ? 0 : i];
    }
    if (update->hProcess != told.system && update->PageTableLevel == 0 &&
        !update->Flags.InitialUpdate)
        told.leaf_calls[index_of(adapter)]++;
    else
        index_of(adapter);
    return told.build(adapter, arguments);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&told, 0, sizeof(told));
    told.build = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build;
}

/* The entry of a leaf of programs that translates an address on that GPU. */
static const DXGK_PTE *entry_of(unsigned gpu, uint64_t address)
{
    for (const struct image *image = told.images; image < told.images + TABLES; image++)
        if (image->adapter == told.adapters[gpu] && image->level == 0 &&
            image->process != told.system)
            return &image->entries[address >> 12 & (ENTRIES - 1)]; /* there is one leaf */
    fail_msg("GPU %u has no leaf", gpu);
    return NULL;
}

/* ---- D-228 ---- */

static DXGKDDI_QUERYADAPTERINFO *query;
static unsigned asked[2][SOFTGPU_LINKS]; /* GPUMMUCAPS, PAGETABLELEVELDESC: by adapter */
static int other_bits;                   /* of the last adapter of a link of three */

static NTSTATUS answer(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = query(adapter, arguments);

    if (arguments->Type == DXGKQAITYPE_GPUMMUCAPS) {
        UINT index = ((const DXGK_QUERYGPUMMUCAPSIN *)arguments->pInputData)->PhysicalAdapterIndex;
        DXGK_GPUMMUCAPS *caps = arguments->pOutputData;

        asked[0][index]++;
        if (index == 2)
            caps->VirtualAddressBitCount += (UINT)other_bits;
    }
    if (arguments->Type == DXGKQAITYPE_PAGETABLELEVELDESC)
        asked[1][((const DXGK_QUERYPAGETABLELEVELDESCIN *)arguments->pInputData)
                     ->PhysicalAdapterIndex]++;
    return status;
}

static void bend_bits(DRIVER_INITIALIZATION_DATA *driver)
{
    query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = answer;
}

/* Whether a link of three starts of which the last has so many bits of address more. */
static void starts_with_bits(int more, const char *names)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    NTSTATUS status;

    options.links = 3;
    options.gpu = LINKED_GPU;
    other_bits = more;
    memset(asked, 0, sizeof(asked));
    shown_build(&shown, &options, bend_bits);
    status = rig_start(&shown.rig);
    if (names == NULL)
        assert_int_equal(status, STATUS_SUCCESS);
    else
        shown_refused(&shown, status, STATUS_GRAPHICS_DRIVER_MISMATCH, names);
    for (unsigned index = 0; index < 3; index++)
        assert_int_equal(asked[0][index], 1); /* each describes its own */
    if (names != NULL) {
        assert_non_null(strstr(shown.rig.report.text, "(D-228)"));
        assert_null(shown.rig.adapter);
        shown_end(&shown);
        return;
    }
    for (unsigned index = 0; index < 3; index++)
        assert_int_equal(asked[1][index], 4);
    shown_finish(&shown);
}

/* The images of one level of a process on two GPUs: at the same places; how many entries differ. */
static unsigned differences(UINT level, bool paging, unsigned *tables)
{
    unsigned differ = 0;

    *tables = 0;
    for (const struct image *one = told.images; one < told.images + TABLES; one++)
        for (const struct image *other = told.images; other < told.images + TABLES; other++) {
            if (one->adapter != told.adapters[0] || other->adapter != told.adapters[1] ||
                one->level != level || other->level != level || one->segment != other->segment ||
                one->offset != other->offset || (one->process == told.system) != paging)
                continue;
            ++*tables;
            for (unsigned i = 0; i < ENTRIES; i++)
                differ += one->entries[i].Flags != other->entries[i].Flags ||
                          one->entries[i].PageAddress != other->entries[i].PageAddress;
        }
    return differ;
}

static unsigned count_images(unsigned gpu, UINT level, bool paging)
{
    unsigned count = 0;

    for (const struct image *image = told.images; image < told.images + TABLES; image++)
        count += image->adapter != NULL && image->adapter == told.adapters[gpu] &&
                 image->level == level && (image->process == told.system) == paging;
    return count;
}

static DXGKDDI_SETROOTPAGETABLE *set_root;
static struct {
    unsigned count;
    HANDLE contexts[16];
    DXGK_PAGETABLEUPDATEADDRESS unused;
    UINT segments[16];
    UINT64 offsets[16];
} roots;

static void note_root(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    assert_true(roots.count < 16);
    roots.contexts[roots.count] = arguments->hContext;
    roots.segments[roots.count] = arguments->Address.SegmentId;
    roots.offsets[roots.count] = arguments->Address.SegmentOffset;
    roots.count++;
    set_root(adapter, arguments);
}

static void bend_roots(DRIVER_INITIALIZATION_DATA *driver)
{
    bend(driver);
    memset(&roots, 0, sizeof(roots));
    set_root = driver->DxgkDdiSetRootPageTable;
    driver->DxgkDdiSetRootPageTable = note_root;
}

/* Each GPU writes its own tables, and its own paging process's, where it writes them by address. */
static void by_address(const char *gpu)
{
    struct linked_program program;
    struct rig_allocation one, other;
    struct shown shown;
    uint64_t at;

    linked_begin(&shown, &program, 2, gpu, NULL);
    linked_create(&program, &one, 4, 0);
    linked_create(&program, &other, 4, 1);
    at = linked_map(&program, 0, &one, 0);
    assert_int_equal(linked_map(&program, 1, &other, at), at);
    for (unsigned round = 0; round < 3; round++) {
        linked_touch(&program, 0, &one, at, true);
        linked_touch(&program, 1, &other, at, true);
        at = linked_map(&program, 0, &one, 0); /* one table again and again, now of both */
        assert_int_equal(linked_map(&program, 1, &other, at), at);
    }
    linked_finish(&program);
}

void shows_D_228(void **state)
{
    struct linked_program program;
    struct rig_allocation one, other;
    struct shown shown;
    unsigned tables;
    uint64_t at;

    (void)state;
    starts_with_bits(0, NULL);
    starts_with_bits(-1, "VirtualAddressBitCount is 47 on physical adapter 2, and 48 on the lead");
    starts_with_bits(1, "VirtualAddressBitCount is 49 on physical adapter 2, and 48 on the lead");
    by_address(LINKED_GPU);
    by_address(LINKED_GPU "page_table_update gpu_virtual\n");
    by_address(LINKED_GPU "page_table_update gpu_virtual\nhabit immediate\n");

    linked_begin(&shown, &program, 2, LINKED_GPU, bend_roots);
    /* the paging process: roots lead to tables at one place, and what is paged by is each GPU's */
    assert_int_equal(differences(3, true, &tables), 0);
    assert_int_equal(tables, 1);
    assert_int_not_equal(differences(0, true, &tables), 0);
    assert_int_equal(roots.count, 2);
    assert_ptr_not_equal(roots.contexts[0], roots.contexts[1]);
    assert_int_equal(roots.offsets[0], roots.offsets[1]);

    linked_create(&program, &one, 4, 0);
    linked_create(&program, &other, 4, 1);
    at = linked_map(&program, 0, &one, 0);
    assert_int_equal(linked_map(&program, 1, &other, at), at);
    linked_touch(&program, 0, &one, at, true);
    linked_touch(&program, 1, &other, at, true);
    /* a root for both, in one place of each, and the same in it */
    assert_int_equal(count_images(0, 3, false), 1);
    assert_int_equal(count_images(1, 3, false), 1);
    assert_int_equal(differences(3, false, &tables), 0);
    assert_int_equal(tables, 1);
    assert_int_equal(roots.count, 4);
    assert_ptr_not_equal(roots.contexts[2], roots.contexts[3]);
    assert_int_equal(roots.segments[2], roots.segments[3]);
    assert_int_equal(roots.offsets[2], roots.offsets[3]);
    /* below it tables are in one place of each, and each has its own in it */
    assert_int_equal(count_images(0, 0, false), 1);
    assert_int_equal(count_images(1, 0, false), 1);
    assert_int_equal(differences(0, false, &tables), 4);
    assert_int_equal(tables, 1);
    linked_finish(&program);
}

/* ---- D-229 ---- */

static unsigned calls_of(unsigned gpu)
{
    unsigned calls = told.leaf_calls[gpu];

    told.leaf_calls[gpu] = 0;
    return calls;
}

/* The entry names memory of that GPU; touches find out whether it is the right page of it. */
static void leads_to(unsigned gpu, uint64_t address, unsigned owner)
{
    const DXGK_PTE *entry = entry_of(gpu, address);

    assert_true(entry->Valid);
    assert_int_equal(entry->Segment, 2);
    assert_int_equal(entry->PhysicalAdapterIndex, owner);
}

/* Updates, copies and the end of an allocation change the tables of one adapter too. */
static void changes_of_one(struct linked_program *program, struct rig_allocation *one,
                           struct rig_allocation *other)
{
    struct vidmm_report *report = &program->shown->rig.report;
    const struct vidmm_address_request request = {.size = 0x20000};
    struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                    .access = VIDMM_ADDRESSES_WRITE,
                                    .allocation = one->handle};
    struct vidmm_address_info info;
    uint64_t at = 0, value = 0;
    NTSTATUS status = vidmm_reserve_addresses(program->device, program->on[0].queue, &request,
                                              VIDMM_ADDRESSES_NO_ACCESS, 0, &at, &value, report);

    linked_passes(program, 0, status, value);
    status = vidmm_update_addresses(program->on[1].queue, at, 0x4000, &use, &value, report);
    linked_passes(program, 1, status, value);
    assert_false(entry_of(0, at)->Valid);
    leads_to(1, at, 0);
    linked_touch(program, 1, one, at, true);
    use.allocation = other->handle;
    status = vidmm_update_addresses(program->on[0].queue, at, 0x4000, &use, &value, report);
    linked_passes(program, 0, status, value);
    leads_to(0, at, 1);
    leads_to(1, at, 0);
    status = vidmm_copy_addresses(program->on[1].queue, at + 0x4000, 0x4000, at, &value, report);
    linked_passes(program, 1, status, value);
    leads_to(1, at + 0x4000, 0);
    assert_false(entry_of(0, at + 0x4000)->Valid);
    linked_touch(program, 0, other, at, false);
    linked_touch(program, 1, one, at + 0x4000, false);

    vidmm_allocation_destroy(other->handle); /* it is mapped there, and not here */
    linked_create(program, other, 4, 0);
    assert_true(vidmm_find_addresses(program->shown->rig.adapter, 2, 1, at, &info));
    assert_int_equal(info.start, at);
    assert_int_equal(info.state, VIDMM_ADDRESSES_MAPPED);
    assert_true(vidmm_find_addresses(program->shown->rig.adapter, 2, 0, at, &info));
    assert_int_equal(info.start, at);
    assert_int_equal(info.state, VIDMM_ADDRESSES_NO_ACCESS);
    linked_touch(program, 1, one, at, true);
    assert_false(entry_of(0, at)->Valid);
}

#define HOSTED_GPU                                                                                 \
    "wddm 2.6\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\n"                            \
    "segment 3 memory 1M hostaperture\nmmu gpu\npaging_buffer_segment 1\n"

enum { HOSTED = 4, IN_APERTURE = 1, CPU_SEES = 1 }; /* segment sets; CpuVisible */

/* An allocation that the CPU may see, in memory of one GPU, which is resident. */
static void create_hosted(struct linked_program *program, struct rig_allocation *one,
                          uint64_t pages, uint32_t gpu)
{
    struct rig *rig = &program->shown->rig;
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = CPU_SEES,
        .size = pages * VIDMM_PAGE_SIZE,
        .read_set = HOSTED | IN_APERTURE,
        .write_set = HOSTED | IN_APERTURE,
        .preferred = 3,
        .priority = SOFTGPU_PRIORITY_NORMAL,
        .gpu = gpu,
    };

    memset(one, 0, sizeof(*one));
    if (vidmm_allocation_create(program->device, &wish, sizeof(wish), &one->handle, &rig->report) !=
        0)
        fail_msg("%s", rig->report.text);
    one->id = ++rig->next_id;
    one->pages = pages;
    linked_make_resident(program, one->handle);
}

static void write_by_cpu(struct linked_program *program, struct rig_allocation *one)
{
    struct rig *rig = &program->shown->rig;
    char *bytes;

    assert_int_equal(vidmm_lock2(one->handle, 0, (void **)&bytes, &rig->report), STATUS_SUCCESS);
    for (uint32_t page = 0; page < one->pages; page++)
        rig_touch_page(rig, one, bytes + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(vidmm_unlock2(one->handle, &rig->report), STATUS_SUCCESS);
    assert_int_equal(rig->cpu_mismatches, 0);
}

enum { SOME = 8, STEPS = 400 };

/* Allocations in the memory of all GPUs, mapped on any of them, which come and go; and if the CPU
 * sees them, it writes to them. */
static void works_at_random(uint32_t links, uint32_t seed, bool hosted)
{
    struct rig_allocation some[SOME] = {{.handle = NULL}};
    uint64_t at[SOME] = {0};
    bool mapped[SOME][SOFTGPU_LINKS] = {{false}}, resident[SOME] = {false};
    struct linked_program program;
    struct shown shown;

    linked_begin(&shown, &program, links, hosted ? HOSTED_GPU : LINKED_GPU, NULL);
    shown.rig.random = seed;
    for (unsigned step = 0; step < STEPS; step++) {
        uint32_t i = rig_next(&shown.rig) % SOME, choice = rig_next(&shown.rig) % 16;
        uint32_t gpu = rig_next(&shown.rig) % links;

        if (some[i].handle == NULL) {
            (hosted ? create_hosted : linked_create)(
                &program, &some[i], 1 + rig_next(&shown.rig) % 28, rig_next(&shown.rig) % links);
            resident[i] = true;
            at[i] = 0;
            memset(mapped[i], 0, sizeof(mapped[i]));
        } else if (choice == 0) {
            vidmm_allocation_destroy(some[i].handle);
            some[i].handle = NULL;
        } else if (choice < 4) {
            if (resident[i])
                assert_int_equal(
                    vidmm_evict(program.device, &some[i].handle, 1, 0, NULL, &shown.rig.report),
                    STATUS_SUCCESS);
            else
                linked_make_resident(&program, some[i].handle);
            resident[i] = !resident[i];
        } else if (hosted && choice < 7) {
            write_by_cpu(&program, &some[i]);
        } else if (!mapped[i][gpu]) {
            at[i] = linked_map(&program, gpu, &some[i], at[i]);
            mapped[i][gpu] = true;
        } else if (resident[i]) {
            linked_touch(&program, gpu, &some[i], at[i], choice % 2 == 0);
        }
    }
    linked_finish(&program);
}

void shows_D_229(void **state)
{
    struct linked_program program;
    struct rig_allocation one, other;
    struct shown shown;
    uint64_t at, peer;

    (void)state;
    linked_begin(&shown, &program, 2, LINKED_GPU, bend);
    linked_create(&program, &one, 4, 0);
    linked_create(&program, &other, 4, 1);
    calls_of(0);
    calls_of(1);

    at = linked_map(&program, 0, &one, 0); /* the tables of the queue's adapter, and no others */
    assert_int_equal(calls_of(0), 1);
    assert_int_equal(calls_of(1), 0);
    leads_to(0, at, 0);
    assert_false(entry_of(1, at)->Valid);
    assert_int_equal(linked_map(&program, 1, &other, at), at);
    assert_int_equal(calls_of(0), 0);
    assert_int_equal(calls_of(1), 1);
    leads_to(0, at, 0);
    leads_to(1, at, 1);
    linked_touch(&program, 0, &one, at, true); /* one address, and other bytes */
    linked_touch(&program, 1, &other, at, true);

    peer = linked_map(&program, 0, &other, 0); /* memory of a peer */
    assert_int_equal(calls_of(0), 1);
    assert_int_equal(calls_of(1), 0);
    leads_to(0, peer, 1);
    linked_touch(&program, 0, &other, peer, true);
    linked_touch(&program, 1, &other, at, true); /* what the peer has written */
    linked_touch(&program, 0, &other, peer, false);
    changes_of_one(&program, &one, &other);
    linked_finish(&program);
    works_at_random(2, 1, false);
    works_at_random(3, 2, false);
}

/* ---- S1-018 ---- */

static struct {
    HANDLE allocation;                    /* the driver's */
    unsigned transfers[2][SOFTGPU_LINKS]; /* of it, out and in, by adapter */
} paged;

static NTSTATUS count_paging(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    unsigned index = index_of(adapter);

    if (arguments->Operation == DXGK_OPERATION_VIRTUAL_TRANSFER &&
        arguments->TransferVirtual.hAllocation == paged.allocation)
        paged.transfers[arguments->TransferVirtual.TransferDirection ==
                        DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL][index]++;
    return told.build(adapter, arguments);
}

static void bend_paging(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&told, 0, sizeof(told));
    memset(&paged, 0, sizeof(paged));
    told.build = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = count_paging;
}

/* It leaves for two larger ones, and is there again. */
static void lives_on(uint32_t gpu)
{
    struct rig_allocation one, large[2];
    struct linked_program program;
    struct shown shown;
    uint64_t at;

    linked_begin(&shown, &program, 3, LINKED_GPU, bend_paging);
    linked_create(&program, &one, 4, gpu);
    paged.allocation = one.handle->h_allocation;
    at = linked_map(&program, (gpu + 1) % 3, &one, 0);
    linked_touch(&program, (gpu + 1) % 3, &one, at, true);
    assert_int_equal(vidmm_evict(program.device, &one.handle, 1, 0, NULL, &shown.rig.report),
                     STATUS_SUCCESS);
    linked_create(&program, &large[0], 100, (gpu + 2) % 3);
    linked_create(&program, &large[1], 100, gpu);
    linked_make_resident(&program, one.handle);
    linked_touch(&program, (gpu + 1) % 3, &one, at, false);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(paged.transfers[0][i] != 0, i == gpu);
        assert_int_equal(paged.transfers[1][i] != 0, i == gpu);
    }
    linked_finish(&program);
}

void shows_S1_018(void **state)
{
    (void)state;
    for (uint32_t gpu = 0; gpu < 3; gpu++)
        lives_on(gpu);
}

/* ---- D-230 ---- */

static struct {
    DXGKDDI_MAPCPUHOSTAPERTURE *map;
    unsigned pages[SOFTGPU_LINKS]; /* by PhysicalAdapterIndex */
} shows;

static NTSTATUS show(HANDLE adapter, const DXGKARG_MAPCPUHOSTAPERTURE *arguments)
{
    assert_int_equal(index_of(adapter),
                     0); /* obeys the order of a link: such calls go to the lead */
    assert_int_equal(arguments->SegmentId, 3);
    shows.pages[arguments->PhysicalAdapterIndex] += (unsigned)arguments->NumberOfPages;
    return shows.map(adapter, arguments);
}

static void bend_aperture(DRIVER_INITIALIZATION_DATA *driver)
{
    bend_paging(driver);
    memset(&shows, 0, sizeof(shows));
    shows.map = driver->DxgkDdiMapCpuHostAperture;
    driver->DxgkDdiMapCpuHostAperture = show;
}

/* The CPU writes what both GPUs read, where it is if it is the lead's, and in system memory. */
static void is_shown(uint32_t gpu)
{
    struct linked_program program;
    struct rig_allocation one;
    struct shown shown;
    uint64_t at = 0;

    linked_begin(&shown, &program, 2, HOSTED_GPU, bend_aperture);
    create_hosted(&program, &one, 4, gpu);
    paged.allocation = one.handle->h_allocation;
    for (uint32_t on = 0; on < 2; on++)
        at = linked_map(&program, on, &one, at);
    linked_touch(&program, gpu, &one, at, true);
    write_by_cpu(&program, &one);
    assert_int_equal(shows.pages[0], gpu == 0 ? one.pages : 0);
    assert_int_equal(shows.pages[1], 0);
    assert_int_equal(paged.transfers[0][gpu] != 0, gpu != 0); /* it left for the CPU */
    linked_make_resident(&program, one.handle);
    linked_touch(&program, 0, &one, at, false);
    linked_touch(&program, 1, &one, at, true);
    linked_finish(&program);
}

void shows_D_230(void **state)
{
    (void)state;
    is_shown(0);
    is_shown(1);
    works_at_random(2, 3, true);
    works_at_random(3, 4, true);
}
