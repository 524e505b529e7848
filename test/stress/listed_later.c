/* listed_later.c: the other calls of WDDM 2 that older seeds do not know: reservations and trims,
 * changes of addresses by a paging queue, heaps, caches, destructions by flags, networks.
 */
#include "stress.h"

#include <string.h>
#include <sys/mman.h>

#include <vidmm/budget.h>
#include <vidmm/cache.h>
#include <vidmm/display.h>
#include <vidmm/engine.h>
#include <vidmm/lock2.h>
#include <vidmm/page.h>
#include <vidmm/page_out.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <wddm/d3dukmdt_sync.h>

enum { RESERVED = 64 }; /* pages of the reservation (listed_change.c) */

/* One of the program's own. NULL: there is none, or its content is nobody's. */
static struct stress_listed *some(struct stress_program *program)
{
    struct stress_listed *one =
        &program->explicit.allocations[stress_below(program, STRESS_ALLOCATIONS)];

    return one->handle != NULL && !one->zeros && !one->offered && !one->lost ? one : NULL;
}

/* The GPU is done with it. */
static bool is_idle(const struct stress_program *program, const struct stress_listed *one)
{
    for (unsigned i = 0; i < STRESS_CONTEXTS; i++)
        if (one->used[i] > stress_queue_completed(&program->explicit.contexts[i]))
            return false;
    return true;
}

/* ---- budgets and trims ----------------------------------------------------------------------- */

static void reserve_memory(struct stress_program *program)
{
    enum vidmm_segment_group group =
        stress_chance(program, 50) ? VIDMM_GROUP_LOCAL : VIDMM_GROUP_NON_LOCAL;
    struct vidmm_adapter *adapter = program->world->adapter;
    struct vidmm_budget_info info = {0, 0, 0, 0};
    uint64_t size = 0;
    NTSTATUS status;

    stress_enter(program, STRESS_VIDEO_MEMORY);
    status = vidmm_query_video_memory(adapter, program->index + 1, group, &info, &program->report);
    if (stress_listed_leave(program, STRESS_VIDEO_MEMORY, status) != STATUS_SUCCESS)
        return;
    if (info.available_for_reservation >> 14 != 0 && stress_chance(program, 60))
        size = stress_below(program, (uint32_t)(info.available_for_reservation >> 14)) << 12;
    stress_enter(program, STRESS_RESERVE_MEMORY);
    status = vidmm_reserve_video_memory(adapter, program->index + 1, group, size, &program->report);
    stress_listed_leave(program, STRESS_RESERVE_MEMORY, status);
}

static void asked(void *argument)
{
    struct stress_program *program = argument;

    atomic_fetch_add(&program->asked, 1);
}

static void notify(struct stress_program *program, bool wanted)
{
    const struct vidmm_trim_notice notice = {asked, program};
    NTSTATUS status;

    stress_enter(program, STRESS_TRIM_NOTIFY);
    status = vidmm_trim_notify(program->explicit.device, wanted ? &notice : NULL, &program->report);
    if (stress_leave(program, STRESS_TRIM_NOTIFY, status) == STATUS_SUCCESS)
        program->noticed = wanted;
}

void stress_listed_unnotice(struct stress_program *program)
{
    if (program->explicit.device != NULL && program->noticed)
        notify(program, false);
    program->noticed = false;
}

/* All devices are asked, this one too: so a wait for it comes to its end, unless the device comes
 * to an error before. */
static void trim(struct stress_program *program)
{
    bool restart = stress_chance(program, 30);
    struct vidmm_trim_request request;
    NTSTATUS status;

    stress_enter(program, STRESS_TRIM_PERIODIC);
    status = vidmm_trim_periodic(program->world->adapter, restart, &program->report);
    if (stress_listed_leave(program, STRESS_TRIM_PERIODIC, status) != STATUS_SUCCESS ||
        program->world->weather.hangs)
        return;
    stress_enter(program, STRESS_TRIM_WAIT);
    status = vidmm_trim_wait(program->explicit.device, &request);
    stress_listed_leave(program, STRESS_TRIM_WAIT, status);
    if (status == STATUS_SUCCESS && request.flags == 0)
        stress_fail(program->world, "program %u: it is asked for nothing", program->index);
}

static void budget_work(struct stress_program *program)
{
    if (stress_chance(program, 40))
        reserve_memory(program);
    else if (stress_chance(program, 40))
        notify(program, stress_chance(program, 60));
    else
        trim(program);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static uint64_t at(const struct stress_program *program, uint32_t page)
{
    return program->explicit.reservation + page * VIDMM_PAGE_SIZE;
}

/* An allocation that went has taken addresses of the reservation along (D-184). */
static void change_addresses(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    uint32_t pages = 1 + stress_below(program, RESERVED / 2);
    uint64_t base = at(program, stress_below(program, RESERVED - pages + 1));
    uint64_t source = at(program, stress_below(program, RESERVED - pages + 1)), value = 0;
    const struct stress_listed *one = some(program);
    struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_NO_ACCESS + stress_below(program, 2)};
    NTSTATUS status;

    if (stress_chance(program, 40)) {
        stress_enter(program, STRESS_COPY_ADDRESSES);
        status = vidmm_copy_addresses(explicit->queue, base, pages * VIDMM_PAGE_SIZE, source,
                                      &value, &program->report);
        stress_listed_leave(program, STRESS_COPY_ADDRESSES, status);
    } else {
        if (one != NULL && stress_chance(program, 70)) {
            use = (struct vidmm_address_use){.state = VIDMM_ADDRESSES_MAPPED,
                                             .allocation = one->handle,
                                             .period = VIDMM_PAGE_SIZE};
            if (pages <= one->pages && stress_chance(program, 70))
                use.period = 0;
        }
        stress_enter(program, STRESS_UPDATE_ADDRESSES);
        status = vidmm_update_addresses(explicit->queue, base, pages * VIDMM_PAGE_SIZE, &use,
                                        &value, &program->report);
        stress_listed_leave(program, STRESS_UPDATE_ADDRESSES, status);
    }
    if (status == STATUS_INVALID_PARAMETER)
        explicit->reservation = 0;
}

/* The meaning of an allocation's first address is the allocation. */
static void find_addresses(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    const struct stress_listed *one = some(program);
    uint32_t indices[6], level = stress_below(program, 7);
    struct vidmm_address_info info;
    struct _DXGK_PTE entries[8];
    bool wide = stress_chance(program, 50), found;

    for (unsigned i = 0; i < 6; i++)
        indices[i] = stress_below(program, stress_chance(program, 80) ? 4 : UINT32_MAX);
    stress_enter(program, STRESS_FIND_ADDRESSES);
    found = vidmm_find_addresses(adapter, program->index + 1, stress_place_of(program),
                                 one != NULL ? one->address : 0, &info);
    vidmm_find_page_entries(adapter, program->index + 1, stress_below(program, 3), level, indices,
                            &wide, entries, 8);
    stress_leave(program, STRESS_FIND_ADDRESSES, STATUS_SUCCESS);
    if (one == NULL || program->world->weather.io)
        return;
    if (!found || info.start > one->address || info.end <= one->address ||
        info.state != VIDMM_ADDRESSES_MAPPED || info.allocation != vidmm_allocation_id(one->handle))
        stress_fail(program->world, "program %u: 0x%llx means %s, and not its allocation %u",
                    program->index, (unsigned long long)one->address,
                    found ? "something else" : "nothing", one->id);
}

static void address_work(struct stress_program *program)
{
    if (program->explicit.reservation != 0 && stress_chance(program, 60))
        change_addresses(program);
    else
        find_addresses(program);
}

/* ---- heaps ----------------------------------------------------------------------------------- */

enum {
    CREATE_RESOURCE = 0x1,
    CREATE_SHARED = 0x2,
    EXISTING_SYS_MEM = 0x20,
    CROSS_ADAPTER = 0x800,
    STANDARD_ALLOCATION = 0x10000,
};

/* The bytes of the program are those of the allocation. */
static void use_heap(struct stress_program *program, struct vidmm_allocation *made, char *memory)
{
    void *data = NULL;
    NTSTATUS status;

    memory[0] = 17;
    stress_enter(program, STRESS_LOCK2);
    status = vidmm_lock2(made, 0, &data, &program->report);
    if (stress_listed_leave(program, STRESS_LOCK2, status) != STATUS_SUCCESS)
        return;
    if (*(char *)data != 17)
        stress_fail(program->world, "program %u: a heap does not show its bytes", program->index);
    stress_enter(program, STRESS_UNLOCK2);
    stress_listed_leave(program, STRESS_UNLOCK2, vidmm_unlock2(made, &program->report));
}

static void heap_work(struct stress_program *program)
{
    struct vidmm_heap heap = {.size = (1 + stress_below(program, STRESS_PAGES)) * VIDMM_PAGE_SIZE,
                              .flags = STANDARD_ALLOCATION | EXISTING_SYS_MEM};
    struct vidmm_resource *resource = NULL;
    struct vidmm_allocation *made = NULL;
    NTSTATUS status;

    if (program->memory_count == STRESS_MEMORIES)
        return;
    if (program->world->weather.adapter.strict || stress_chance(program, 30)) /* by the page */
        heap.flags |= CREATE_RESOURCE | CREATE_SHARED | CROSS_ADAPTER;
    else if (stress_chance(program, 50)) /* as public programs have it (D-060) */
        heap.flags |= CREATE_RESOURCE;
    heap.address = mmap(NULL, STRESS_PAGES * VIDMM_PAGE_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (heap.address == MAP_FAILED)
        return;
    program->memories[program->memory_count++] = heap.address;
    stress_enter(program, STRESS_HEAP_CREATE);
    status = vidmm_heap_create(program->explicit.device, &heap, &resource, &made, &program->report);
    if (stress_listed_leave(program, STRESS_HEAP_CREATE, status) != STATUS_SUCCESS)
        return;
    use_heap(program, made, heap.address);
    if (resource == NULL) {
        stress_enter(program, STRESS_DESTROY2);
        stress_leave(program, STRESS_DESTROY2,
                     vidmm_allocations_destroy2(&made, 1, stress_destruction(program, true, false),
                                                &program->report));
        return;
    }
    stress_enter(program, STRESS_PAGE_OUT_RESOURCE);
    stress_leave(program, STRESS_PAGE_OUT_RESOURCE,
                 vidmm_page_out_resource(resource, &program->report));
    stress_enter(program, STRESS_RESOURCE_DESTROY2);
    stress_leave(program, STRESS_RESOURCE_DESTROY2,
                 vidmm_resource_destroy2(resource, stress_destruction(program, true, false),
                                         &program->report));
}

/* ---- caches, ends, page-outs, networks ------------------------------------------------------- */

void stress_listed_flush(struct stress_program *program, const struct stress_listed *one,
                         uint64_t offset, uint64_t length)
{
    stress_enter(program, STRESS_INVALIDATE);
    stress_leave(program, STRESS_INVALIDATE,
                 vidmm_invalidate_cache(program->explicit.device, one->handle, offset, length,
                                        &program->report));
}

static void flush_work(struct stress_program *program)
{
    const struct stress_listed *one = some(program);
    uint64_t bytes, offset;

    if (one == NULL)
        return;
    bytes = one->pages * VIDMM_PAGE_SIZE;
    offset = stress_below(program, (uint32_t)bytes);
    stress_listed_flush(program, one, offset,
                        1 + stress_below(program, (uint32_t)(bytes - offset)));
}

/* A program vouches for what it knows: the GPU is done with it. */
static void destroy_work(struct stress_program *program)
{
    struct stress_listed *one =
        &program->explicit.allocations[stress_below(program, STRESS_ALLOCATIONS)];

    if (one->handle == NULL || one->data != NULL)
        return;
    stress_enter(program, STRESS_DESTROY2);
    stress_leave(program, STRESS_DESTROY2,
                 vidmm_allocations_destroy2(
                     &one->handle, 1, stress_destruction(program, is_idle(program, one), false),
                     &program->report));
    stress_listed_forget(program, one);
}

static void page_out_work(struct stress_program *program)
{
    uint32_t handle = atomic_load(&program->world->shelf[stress_below(program, STRESS_SHELF)]);

    if (program->explicit.shared != NULL && stress_chance(program, 60)) {
        stress_enter(program, STRESS_PAGE_OUT_RESOURCE);
        stress_leave(program, STRESS_PAGE_OUT_RESOURCE,
                     vidmm_page_out_resource(program->explicit.shared, &program->report));
        return;
    }
    stress_enter(program, STRESS_PAGE_OUT_SHARED);
    stress_leave(program, STRESS_PAGE_OUT_SHARED,
                 vidmm_page_out_shared(program->world->adapter, handle, &program->report));
}

static void display_work(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    static int network;

    if (!program->world->weather.displays)
        return;
    stress_enter(program, STRESS_DISPLAY_COMMIT);
    stress_leave(
        program, STRESS_DISPLAY_COMMIT,
        vidmm_display_commit(adapter, &network, program->index % STRESS_SOURCES,
                             stress_chance(program, 50) ? program->explicit.primary.handle : NULL,
                             &program->report));
    stress_enter(program, STRESS_DISPLAY_INTERRUPTS);
    stress_leave(program, STRESS_DISPLAY_INTERRUPTS,
                 vidmm_display_interrupts(adapter, stress_chance(program, 50), &program->report));
}

/* How often, of 100 steps. */
static const struct stress_work works[] = {
    {20, stress_listed_fence_work},
    {12, budget_work},
    {13, address_work},
    {5, heap_work},
    {10, destroy_work},
    {6, page_out_work},
    {5, display_work},
    {4, flush_work},
    {8, stress_ask_all_work},
    {5, stress_trouble_work},
    {4, stress_wrong_later_work},
    {8, stress_listed_wrong_later_work},
};

void stress_listed_later_work(struct stress_program *program)
{
    stress_do(program, works, stress_below(program, 100));
}
