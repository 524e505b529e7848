/* listed.c: programs of WDDM 2 on a GPU with page tables: they say by themselves what has to be
 * resident, find their allocations by addresses, and prove by what is complete that the GPU is done
 * with them.
 *
 *     create, map --> make resident --> commands by address --> evict once the GPU is done
 *                        |     ^
 *                 pending '-----' the paging queue has come to its value
 *
 * A program touches nothing that it may not: no allocation that is pending, offered, or not on its
 * list. So no command meets an address that leads nowhere, and each device stays as it is.
 */
#include "stress.h"

#include <string.h>

#include <vidmm/budget.h>
#include <vidmm/fence.h>
#include <vidmm/lock2.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>

#define SEED UINT64_C(0x57e55)

enum { SLOT = VIDMM_PAGE_SIZE, VISIBLE = 1, CACHED = 4 };

static struct stress_listed *one_of(struct stress_program *program)
{
    return &program->explicit.allocations[stress_below(program, STRESS_LISTED)];
}

static struct vidmm_content_key key_of(const struct stress_listed *one)
{
    return (struct vidmm_content_key){SEED, one->id};
}

/* Judge an answer that no program without a hang, and with so little on its list, may get. */
NTSTATUS stress_listed_leave(struct stress_program *program, enum stress_call call, NTSTATUS status)
{
    bool failed = status == STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE ||
                  status == STATUS_GRAPHICS_NO_VIDEO_MEMORY;

    stress_leave(program, call, status);
    program->explicit.failed |= failed || status == STATUS_DEVICE_REMOVED;
    if (failed && !program->world->weather.hangs)
        stress_fail(program->world, "program %u: %s: its device is in error: %s", program->index,
                    stress_call_name(call), program->report.text);
    return status;
}

/* ---- what the GPU is done with --------------------------------------------------------------- */

static bool is_done(const struct stress_explicit *explicit, const struct stress_listed *one)
{
    for (unsigned i = 0; i < STRESS_CONTEXTS; i++)
        if (one->used[i] > stress_queue_completed(&explicit->contexts[i]))
            return false;
    return true;
}

/* The context waits in its queue until the other one is done with what was submitted. */
static bool order(struct stress_program *program, unsigned context, unsigned other)
{
    struct stress_explicit *explicit = &program->explicit;
    const struct vidmm_fence_point point = {explicit->fences[other],
                                            ++explicit->fence_values[other]};

    if (stress_queue_signal(program, &explicit->contexts[other], &point) != STATUS_SUCCESS) {
        explicit->fence_values[other]--; /* nobody shall wait for it */
        return false;
    }
    return stress_queue_follow(program, &explicit->contexts[context], &point) == STATUS_SUCCESS;
}

/* Commands of other contexts that use it come before. */
static bool is_ordered(struct stress_program *program, struct stress_listed *one, unsigned context)
{
    struct stress_explicit *explicit = &program->explicit;

    for (unsigned other = 0; other < STRESS_CONTEXTS; other++) {
        if (other == context ||
            one->used[other] <= stress_queue_completed(&explicit->contexts[other]))
            continue;
        if (!order(program, context, other))
            return false;
    }
    return true;
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* The call of a paging queue: at once, or pending. */
static bool is_taken(NTSTATUS status)
{
    return status == STATUS_SUCCESS || status == STATUS_PENDING;
}

/* *value: of the paging queue, by which what has it has come; raised to that of the addresses
 * (D-219). */
static bool map(struct stress_program *program, struct vidmm_allocation *allocation,
                uint32_t access, uint64_t *address, uint64_t *value)
{
    const struct vidmm_address_request request = {.size = vidmm_allocation_size(allocation)};
    const struct vidmm_address_use use = {
        .state = VIDMM_ADDRESSES_MAPPED, .access = access, .allocation = allocation};
    uint64_t mapped = 0;
    NTSTATUS status;

    if (program->world->weather.io) {
        stress_enter(program, STRESS_SHARED_ADDRESS);
        status = vidmm_shared_address(allocation, address, &program->report);
        return stress_listed_leave(program, STRESS_SHARED_ADDRESS, status) == STATUS_SUCCESS;
    }
    stress_enter(program, STRESS_MAP_ADDRESSES);
    status = vidmm_map_addresses(program->explicit.queue, &request, &use, address, &mapped,
                                 &program->report);
    stress_listed_leave(program, STRESS_MAP_ADDRESSES, status);
    if (status == STATUS_PENDING && mapped > *value)
        *value = mapped;
    return is_taken(status);
}

bool stress_listed_map(struct stress_program *program, struct stress_listed *one)
{
    return map(program, one->handle, one->zeros ? 0 : VIDMM_ADDRESSES_WRITE, &one->address,
               &one->value);
}

void stress_listed_forget(struct stress_program *program, struct stress_listed *one)
{
    if (one->listed)
        program->explicit.bytes -= one->pages * VIDMM_PAGE_SIZE;
    memset(one, 0, sizeof(*one));
}

static void destroy(struct stress_program *program, struct stress_listed *one)
{
    if (one->data != NULL) {
        stress_enter(program, STRESS_UNLOCK2);
        stress_listed_leave(program, STRESS_UNLOCK2, vidmm_unlock2(one->handle, &program->report));
    }
    stress_enter(program, STRESS_ALLOCATION_DESTROY);
    vidmm_allocation_destroy(one->handle); /* whatever the GPU still does with it */
    stress_leave(program, STRESS_ALLOCATION_DESTROY, STATUS_SUCCESS);
    stress_listed_forget(program, one);
}

static void create(struct stress_program *program, struct stress_listed *one)
{
    bool cached = program->world->weather.caches_apart; /* half of them then */
    uint32_t flags = stress_chance(program, 80) ? VISIBLE : 0;
    uint64_t pages = 1 + stress_below(program, STRESS_PAGES);
    uint32_t sets = 1 + stress_below(program, 3);
    struct softgpu_allocation wish = stress_wish(program, pages * VIDMM_PAGE_SIZE, flags,
                                                 program->world->weather.io ? sets | 1 : sets);
    NTSTATUS status;

    wish.evict_set = 0;
    wish.renaming = 0;
    if (cached && stress_chance(program, 50))
        wish.flags |= CACHED;
    memset(one, 0, sizeof(*one));
    stress_enter(program, STRESS_ALLOCATION_CREATE);
    status = vidmm_allocation_create(program->explicit.device, &wish, sizeof(wish), &one->handle,
                                     &program->report);
    if (stress_listed_leave(program, STRESS_ALLOCATION_CREATE, status) != STATUS_SUCCESS) {
        one->handle = NULL;
        return;
    }
    one->id = ++program->next_id;
    one->pages = pages;
    one->visible = flags != 0 && (wish.flags & CACHED) == 0;
    one->sets = wish.read_set;
    if (!stress_listed_map(program, one))
        destroy(program, one);
}

static void allocation_work(struct stress_program *program)
{
    struct stress_listed *one =
        &program->explicit.allocations[stress_below(program, STRESS_ALLOCATIONS)];

    if (one->handle == NULL)
        create(program, one);
    else if (one->lost || stress_chance(program, 30))
        destroy(program, one);
}

/* Other addresses, once the GPU uses these no more. */
static void address_work(struct stress_program *program)
{
    struct stress_listed *one = one_of(program);
    NTSTATUS status;

    if (one->handle == NULL || one->zeros || program->world->weather.io ||
        !is_done(&program->explicit, one))
        return;
    stress_enter(program, STRESS_FREE_ADDRESSES);
    status = vidmm_free_addresses(program->explicit.device, one->address,
                                  one->pages * VIDMM_PAGE_SIZE, &program->report);
    if (stress_listed_leave(program, STRESS_FREE_ADDRESSES, status) != STATUS_SUCCESS)
        return;
    if (!stress_listed_map(program, one))
        destroy(program, one);
}

/* ---- residency ------------------------------------------------------------------------------- */

static void evict(struct stress_program *program, struct stress_listed *one)
{
    uint32_t flags = stress_chance(program, 30) ? VIDMM_EVICT_ONLY_IF_NECESSARY : 0;
    struct vidmm_residency_result result;
    NTSTATUS status;

    if (one->handle == NULL || !one->listed || !is_done(&program->explicit, one))
        return; /* D-199 */
    stress_enter(program, STRESS_EVICT);
    status =
        vidmm_evict(program->explicit.device, &one->handle, 1, flags, &result, &program->report);
    if (stress_listed_leave(program, STRESS_EVICT, status) != STATUS_SUCCESS)
        return;
    one->listed = false;
    program->explicit.bytes -= one->pages * VIDMM_PAGE_SIZE;
}

static void make_resident(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    struct stress_listed *chosen[STRESS_REFERENCES];
    struct vidmm_allocation *handles[STRESS_REFERENCES];
    uint32_t count = 0, wanted = 1 + stress_below(program, STRESS_REFERENCES);
    uint32_t flags = stress_chance(program, 70) ? VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER : 0;
    uint64_t bytes = explicit->bytes;
    struct vidmm_residency_result result = {0, 0};
    NTSTATUS status;

    for (uint32_t i = 0; i < STRESS_LISTED && count < wanted; i++) {
        struct stress_listed *one = &explicit->allocations[i];

        if (one->handle == NULL || one->listed || stress_chance(program, 50) ||
            bytes + one->pages * VIDMM_PAGE_SIZE > program->world->weather.most_listed)
            continue;
        bytes += one->pages * VIDMM_PAGE_SIZE;
        chosen[count] = one;
        handles[count++] = one->handle;
    }
    if (count == 0)
        return;
    stress_enter(program, STRESS_MAKE_RESIDENT);
    status = vidmm_make_resident(explicit->queue, handles, count, flags, &result, &program->report);
    if (!is_taken(stress_listed_leave(program, STRESS_MAKE_RESIDENT, status))) {
        evict(program, one_of(program));
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        chosen[i]->listed = true;
        if (status == STATUS_PENDING)
            chosen[i]->value = result.value;
    }
    explicit->bytes = bytes;
}

static void residency_work(struct stress_program *program)
{
    struct vidmm_trim_request request;
    NTSTATUS status;

    if (stress_chance(program, 60))
        make_resident(program);
    else
        evict(program, one_of(program));
    if (vidmm_trim_take(program->explicit.device, &request))
        evict(program, one_of(program));
    if (!stress_chance(program, 3))
        return;
    stress_enter(program, STRESS_SET_BUDGET);
    status = vidmm_set_budget(program->world->adapter, program->index + 1, VIDMM_GROUP_LOCAL,
                              stress_chance(program, 50) ? UINT64_MAX
                                                         : program->world->weather.most_listed / 2,
                              &program->report);
    stress_listed_leave(program, STRESS_SET_BUDGET, status);
}

static void offer_work(struct stress_program *program)
{
    struct stress_listed *one = one_of(program);
    const struct vidmm_selection selection = {.allocations = &one->handle, .allocation_count = 1};
    struct vidmm_residency_result result = {0, 0};
    enum vidmm_reclaimed reclaimed = VIDMM_RECLAIMED;
    NTSTATUS status;

    if (one->handle == NULL || one->data != NULL || one->zeros || one->lost)
        return;
    if (!one->offered) {
        stress_enter(program, STRESS_OFFER);
        status = vidmm_offer(&selection, 1 + stress_below(program, 4),
                             stress_chance(program, 40) ? VIDMM_OFFER_ALLOW_DECOMMIT : 0,
                             &program->report);
        one->offered = stress_listed_leave(program, STRESS_OFFER, status) == STATUS_SUCCESS;
        return;
    }
    stress_enter(program, STRESS_RECLAIM_QUEUED);
    status = vidmm_reclaim_queued(program->explicit.queue, &selection, &reclaimed, &result,
                                  &program->report);
    if (!is_taken(stress_listed_leave(program, STRESS_RECLAIM_QUEUED, status)))
        return;
    one->lost = reclaimed == VIDMM_NOT_COMMITTED;
    if (one->lost)
        stress_leave(program, STRESS_DECOMMITTED, STATUS_SUCCESS);
    one->offered = one->lost;
    if (status == STATUS_PENDING)
        one->value = result.value;
    if (reclaimed == VIDMM_RECLAIMED_DISCARDED) { /* D-214: it begins with zeros */
        one->generation = 0;
        one->digest = 0;
        memset(one->cpu, 0, sizeof(one->cpu));
    }
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool is_usable(const struct stress_explicit *explicit, const struct stress_listed *one)
{
    return one->handle != NULL && one->listed && !one->offered &&
           one->value <= vidmm_paging_queue_passed(explicit->queue);
}

static bool is_named(const struct softgpu_virtual_reference *references, uint32_t count,
                     const struct stress_listed *one)
{
    for (uint32_t i = 0; i < count; i++)
        if (references[i].content_id == one->id)
            return true;
    return false;
}

/* One command; what it writes is written from here on. Answers its bytes. */
static uint32_t build_command(struct stress_program *program, unsigned context,
                              unsigned char *bytes, bool used[STRESS_LISTED])
{
    struct stress_explicit *explicit = &program->explicit;
    struct softgpu_virtual_touch touch = {.seed = SEED};
    struct softgpu_virtual_reference references[STRESS_REFERENCES];
    uint32_t count = 0, wanted = stress_below(program, STRESS_REFERENCES + 1);

    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t index = stress_below(program, STRESS_LISTED);
        struct stress_listed *one = &explicit->allocations[index];
        bool write = !one->zeros && stress_chance(program, 40);

        if (!is_usable(explicit, one) || is_named(references, count, one) ||
            !is_ordered(program, one, context))
            continue;
        references[count++] = (struct softgpu_virtual_reference){
            .gpuva = one->address,
            .pages = one->pages,
            .digest = one->digest,
            .content_id = one->id,
            .generation = one->generation,
            .flags = write ? SOFTGPU_REFERENCE_WRITE : 0,
        };
        one->generation += write && program->world->weather.contents;
        used[index] = true;
    }
    touch.reference_count = count;
    touch.command = (struct softgpu_command){
        SOFTGPU_VIRTUAL_TOUCH, (uint32_t)(sizeof(touch) + count * sizeof(references[0]))};
    memcpy(bytes, &touch, sizeof(touch));
    memcpy(bytes + sizeof(touch), references, count * sizeof(references[0]));
    return touch.command.size;
}

/* The slot that comes next, which the GPU is done with. NULL: not yet. */
static struct stress_slot *take_slot(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    struct stress_slot *slot = &explicit->slots[explicit->next_slot];

    if (explicit->commands_value > vidmm_paging_queue_passed(explicit->queue))
        return NULL;
    if (slot->value != 0 && stress_queue_wait(program, &explicit->contexts[slot->context],
                                              slot->value) != STATUS_SUCCESS)
        return NULL;
    return slot;
}

static void submit_work(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    unsigned context = stress_below(program, STRESS_CONTEXTS), commands;
    struct stress_slot *slot = take_slot(program);
    struct stress_context *queue = &explicit->contexts[context];
    uint64_t offset = (uint64_t) explicit->next_slot * SLOT;
    uint32_t generations[STRESS_LISTED];
    struct vidmm_command command = {.address = explicit->commands_address + offset};
    bool used[STRESS_LISTED] = {false};

    if (slot == NULL)
        return;
    for (unsigned i = 0; i < STRESS_LISTED; i++)
        generations[i] = explicit->allocations[i].generation;
    for (commands = 1 + stress_below(program, STRESS_COMMANDS); commands > 0; commands--)
        command.length += build_command(program, context,
                                        explicit->commands_data + offset + command.length, used);
    if (stress_queue_submit(program, queue, &command) != STATUS_SUCCESS) {
        for (unsigned i = 0; i < STRESS_LISTED; i++) /* what it was to write is not written */
            explicit->allocations[i].generation = generations[i];
        if (!program->world->weather.poor && !program->world->weather.hangs &&
            !atomic_load(&program->world->lost))
            stress_fail(program->world, "program %u: commands are refused: %s", program->index,
                        program->report.text);
        return;
    }
    *slot = (struct stress_slot){context, queue->value};
    explicit->next_slot = (explicit->next_slot + 1) % STRESS_SLOTS;
    for (unsigned i = 0; i < STRESS_LISTED; i++)
        if (used[i])
            explicit->allocations[i].used[context] = queue->value;
}

static void wait_work(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    const struct stress_slot *slot = &explicit->slots[stress_below(program, STRESS_SLOTS)];
    NTSTATUS status;

    if (stress_chance(program, 30)) {
        unsigned context = stress_below(program, STRESS_CONTEXTS);
        const struct vidmm_fence_point point = {explicit->fences[context],
                                                explicit->fence_values[context]};

        stress_enter(program, STRESS_FENCE_WAIT);
        status = vidmm_fence_wait(explicit->device, &point, 1, false, &program->report);
        stress_listed_leave(program, STRESS_FENCE_WAIT, status);
        return;
    }
    if (slot->value != 0)
        stress_queue_wait(program, &explicit->contexts[slot->context], slot->value);
}

/* ---- the CPU --------------------------------------------------------------------------------- */

static void judge(struct stress_program *program, const struct stress_listed *one)
{
    uint64_t digest = 0;

    for (uint32_t page = 0; page < one->pages && program->world->weather.contents; page++) {
        const unsigned char *bytes = one->data + (size_t)page * VIDMM_PAGE_SIZE;

        if (vidmm_content_check_page(bytes, key_of(one), page, one->generation, &digest))
            continue;
        struct vidmm_content_finding found =
            vidmm_content_examine(bytes, key_of(one), page, one->generation);
        stress_fail(program->world,
                    "program %u: the CPU finds page %u of %llu of allocation %u wrong: %s, sector "
                    "%u, word 0x%llx; %s, sets 0x%x, %s, value %llu of %llu",
                    program->index, page, (unsigned long long)one->pages, one->id,
                    vidmm_content_kind_name(found.kind), found.sector,
                    (unsigned long long)found.word, one->visible ? "CpuVisible" : "not CpuVisible",
                    one->sets, one->listed ? "listed" : "not listed",
                    (unsigned long long)one->value,
                    (unsigned long long)vidmm_paging_queue_passed(program->explicit.queue));
    }
    if (program->world->weather.contents && digest != one->digest)
        stress_fail(program->world, "program %u: a write of the CPU to allocation %u is lost",
                    program->index, one->id);
}

static void write_pages(struct stress_program *program, struct stress_listed *one)
{
    for (uint32_t i = stress_below(program, 3); i > 0; i--) {
        uint32_t page = stress_below(program, (uint32_t)one->pages);

        one->digest -= vidmm_content_digest(key_of(one), page, one->cpu[page]);
        vidmm_content_write_cpu(one->data + (size_t)page * VIDMM_PAGE_SIZE, key_of(one), page,
                                ++one->cpu[page]);
        one->digest += vidmm_content_digest(key_of(one), page, one->cpu[page]);
    }
}

/* Locked once and for long, if the CPU sees it wherever it is, which is not so in a link; else for
 * a moment. */
static void lock_work(struct stress_program *program)
{
    struct stress_listed *one = one_of(program);
    void *data = NULL;
    NTSTATUS status;

    if (one->handle == NULL || one->offered || one->zeros || !is_done(&program->explicit, one))
        return;
    if (one->data == NULL) {
        stress_enter(program, STRESS_LOCK2);
        status = vidmm_lock2(one->handle, 0, &data, &program->report);
        if (stress_listed_leave(program, STRESS_LOCK2, status) != STATUS_SUCCESS)
            return;
        one->data = data;
    }
    if (program->world->weather.caches_apart) /* the GPU may have written */
        stress_listed_flush(program, one, 0, one->pages * VIDMM_PAGE_SIZE);
    judge(program, one);
    write_pages(program, one);
    if (program->world->weather.caches_apart) /* the GPU may read */
        stress_listed_flush(program, one, 0, one->pages * VIDMM_PAGE_SIZE);
    if (one->visible && program->world->weather.links == 1 && stress_chance(program, 70))
        return;
    stress_enter(program, STRESS_UNLOCK2);
    stress_listed_leave(program, STRESS_UNLOCK2, vidmm_unlock2(one->handle, &program->report));
    one->data = NULL;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static bool begin_commands(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                      .flags = VISIBLE,
                                      .size = STRESS_SLOTS * SLOT,
                                      .read_set = 1,
                                      .write_set = 1,
                                      .priority = SOFTGPU_PRIORITY_NORMAL};
    struct vidmm_residency_result result = {0, 0};
    void *data = NULL;
    NTSTATUS status = vidmm_allocation_create(explicit->device, &wish, sizeof(wish),
                                              &explicit->commands, &program->report);

    if (status == STATUS_SUCCESS)
        status = vidmm_lock2(explicit->commands, 0, &data, &program->report);
    explicit->commands_data = data;
    if (status == STATUS_SUCCESS)
        status = vidmm_make_resident(explicit->queue, &explicit->commands, 1, 0, &result,
                                     &program->report);
    explicit->commands_value = status == STATUS_PENDING ? result.value : 0;
    return is_taken(status) && map(program, explicit->commands, VIDMM_ADDRESSES_EXECUTE,
                                   &explicit->commands_address, &explicit->commands_value);
}

static bool begin(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    NTSTATUS status = vidmm_device_create(program->world->adapter, program->index + 1,
                                          &explicit->device, &program->report);

    if (status == STATUS_SUCCESS)
        status = vidmm_paging_queue_create_for(explicit->device, stress_below(program, 3),
                                               stress_place_of(program), &explicit->queue,
                                               &program->report);
    for (unsigned i = 0; i < STRESS_CONTEXTS && status == STATUS_SUCCESS; i++)
        status = vidmm_fence_create(explicit->device, 0, 0, &explicit->fences[i], &program->report);
    if (status == STATUS_SUCCESS)
        status = vidmm_fence_create(explicit->device, 0, 0, &explicit->changes, &program->report);
    for (unsigned i = 0; i < STRESS_CONTEXTS && status == STATUS_SUCCESS; i++)
        status = stress_queue_begin(program, &explicit->contexts[i]);
    return status == STATUS_SUCCESS && begin_commands(program);
}

void stress_listed_end(struct stress_program *program)
{
    const struct stress_explicit *explicit = &program->explicit;

    for (unsigned i = 0; i < STRESS_SLOTS && program->world->weather.contents; i++) {
        const struct stress_slot *slot = &explicit->slots[i];

        if (slot->value != 0)
            stress_queue_wait(program, &explicit->contexts[slot->context], slot->value);
    }
}

void stress_listed_finish(struct stress_program *program)
{
    if (program->explicit.device == NULL)
        return;
    stress_listed_end(program);
    stress_listed_unnotice(program);
    stress_enter(program, STRESS_DEVICE_DESTROY);
    vidmm_device_destroy(program->explicit.device); /* with all it owns, whatever is under way */
    stress_leave(program, STRESS_DEVICE_DESTROY, STATUS_SUCCESS);
    memset(&program->explicit, 0, sizeof(program->explicit));
}

/* How often, of 100 steps. */
static const struct stress_work works[] = {
    {30, submit_work},
    {23, residency_work},
    {15, lock_work},
    {12, allocation_work},
    {6, address_work},
    {5, offer_work},
    {4, wait_work},
    {3, stress_listed_share_work},
    {2, stress_listed_wrong_work},
};

void stress_listed_work(struct stress_program *program)
{
    const struct stress_weather *weather = &program->world->weather;
    uint32_t chosen = stress_below(program, 100);

    if (program->explicit.device == NULL) {
        if (begin(program))
            return;
        if (weather->tight || weather->poor || weather->hangs || weather->naps ||
            weather->unplugs) /* another time */
            stress_listed_finish(program);
        else
            stress_fail(program->world, "program %u does not begin: %s", program->index,
                        program->report.text);
        return;
    }
    if (stress_below(program, 400) == 0 || program->explicit.failed) {
        stress_listed_finish(program);
        return;
    }
    if (weather->many && stress_chance(program, 8)) {
        stress_listed_later_work(program);
        return;
    }
    if (weather->changes && stress_chance(program, 5)) {
        stress_listed_change_work(program);
        return;
    }
    if (weather->displays && stress_chance(program, 4)) {
        stress_listed_display_work(program);
        return;
    }
    if (weather->naps && stress_below(program, 500) == 0) {
        stress_power_work(program);
        return;
    }
    if ((weather->poor || weather->hangs) && stress_chance(program, 2)) {
        stress_fail_something(program);
        return;
    }
    stress_do(program, works, chosen);
}
