/* sharing.c: resources, what devices share, surfaces of the system, and what all programs use. */
#include "stress.h"

#include <string.h>

#include <vidmm/lock.h>
#include <vidmm/page.h>

enum { MEMBERS = 2 };

static struct vidmm_description describe(const struct softgpu_allocation *wish)
{
    return (struct vidmm_description){
        .private_data = wish, .private_data_size = sizeof(*wish), .vidpn_source = VIDMM_NO_SOURCE};
}

/* ---- resources of one device ----------------------------------------------------------------- */

/* Take it over as an own allocation; no room for it: it lives with its resource. */
static void adopt(struct stress_program *program, struct stress_device *device,
                  struct vidmm_allocation *handle, const struct softgpu_allocation *wish,
                  int resource)
{
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++) {
        struct stress_allocation *allocation = &device->allocations[i];

        if (allocation->handle != NULL)
            continue;
        stress_allocation_forget(allocation);
        allocation->handle = handle;
        allocation->id = ++program->next_id;
        allocation->pages = (wish->size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE;
        allocation->flags = wish->flags;
        allocation->sets = wish->read_set;
        allocation->known = true;
        allocation->renames = wish->renaming != 0;
        allocation->resource = resource;
        return;
    }
}

/* A member for a resource, or for an addition to it. */
static struct softgpu_allocation some_member(struct stress_program *program)
{
    uint64_t size = 1 + stress_below(program, 8 * VIDMM_PAGE_SIZE);

    return stress_wish(program, size, 1, program->world->weather.links > 1 ? 2 : 3);
}

static void create_resource(struct stress_program *program, struct stress_device *device, int at)
{
    struct softgpu_allocation wishes[MEMBERS] = {some_member(program), some_member(program)};
    struct vidmm_description members[MEMBERS] = {describe(&wishes[0]), describe(&wishes[1])};
    const struct vidmm_resource_options unshared = {.private_data = NULL};
    struct vidmm_allocation *given[MEMBERS];
    uint32_t count = stress_below(program, MEMBERS + 1);
    NTSTATUS status;

    stress_enter(program, STRESS_RESOURCE_CREATE);
    status = vidmm_resource_create(device->handle, &unshared, members, count,
                                   &device->resources[at], given, &program->report);
    if (stress_leave(program, STRESS_RESOURCE_CREATE, status) != STATUS_SUCCESS) {
        device->resources[at] = NULL;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        adopt(program, device, given[i], &wishes[i], at);
}

static void add_to_resource(struct stress_program *program, struct stress_device *device, int at)
{
    struct softgpu_allocation wish = some_member(program);
    struct vidmm_description member = describe(&wish);
    struct vidmm_allocation *given;
    NTSTATUS status;

    stress_enter(program, STRESS_RESOURCE_ADD);
    status = vidmm_resource_add(device->resources[at], &member, 1, &given, &program->report);
    if (stress_leave(program, STRESS_RESOURCE_ADD, status) == STATUS_SUCCESS)
        adopt(program, device, given, &wish, at);
}

static void destroy_resource(struct stress_program *program, struct stress_device *device, int at)
{
    stress_enter(program, STRESS_RESOURCE_DESTROY);
    vidmm_resource_destroy(device->resources[at]);
    stress_leave(program, STRESS_RESOURCE_DESTROY, STATUS_SUCCESS);
    device->resources[at] = NULL;
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        if (device->allocations[i].handle != NULL && device->allocations[i].resource == at)
            stress_allocation_forget(&device->allocations[i]);
}

/* All members, which are offered and taken back as one. */
static void offer_resource(struct stress_program *program, struct stress_device *device, int at)
{
    const struct vidmm_selection selection = {.resources = &device->resources[at],
                                              .resource_count = 1};
    bool discarded = false;
    NTSTATUS status;

    stress_enter(program, STRESS_OFFER);
    status = vidmm_offer(&selection, 1 + stress_below(program, 4), 0, &program->report);
    stress_leave(program, STRESS_OFFER, status);
    stress_enter(program, STRESS_RECLAIM);
    status = vidmm_reclaim(&selection, &discarded, &program->report);
    stress_leave(program, STRESS_RECLAIM, status);
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        if (device->allocations[i].handle != NULL && device->allocations[i].resource == at) {
            device->allocations[i].offered = status != STATUS_SUCCESS;
            if (discarded || status != STATUS_SUCCESS)
                device->allocations[i].known = false; /* nobody says which of them */
        }
}

void stress_resource_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    int at = (int)stress_below(program, STRESS_RESOURCES);

    if (device == NULL)
        return;
    if (device->resources[at] == NULL)
        create_resource(program, device, at);
    else if (stress_chance(program, 40))
        destroy_resource(program, device, at);
    else if (stress_chance(program, 50))
        add_to_resource(program, device, at);
    else
        offer_resource(program, device, at);
}

/* ---- what devices share ---------------------------------------------------------------------- */

/* Nobody writes to it: where contents are judged, it is zeros for ever. */
static void share(struct stress_program *program, struct stress_device *device)
{
    struct softgpu_allocation wishes[MEMBERS] = {some_member(program), some_member(program)};
    struct vidmm_description members[MEMBERS];
    const struct vidmm_resource_options shared = {
        .shared = true, .private_data = "shared", .private_data_size = 6};
    struct vidmm_allocation *given[MEMBERS];
    NTSTATUS status;

    for (unsigned i = 0; i < MEMBERS; i++) {
        wishes[i].renaming = 0;
        members[i] = describe(&wishes[i]);
    }
    stress_enter(program, STRESS_RESOURCE_CREATE);
    status = vidmm_resource_create(device->handle, &shared, members, MEMBERS, &device->shared,
                                   given, &program->report);
    if (stress_leave(program, STRESS_RESOURCE_CREATE, status) != STATUS_SUCCESS) {
        device->shared = NULL;
        return;
    }
    atomic_store(&program->world->shelf[stress_below(program, STRESS_SHELF)],
                 vidmm_resource_handle(device->shared));
}

static void close_resource(struct stress_program *program, struct vidmm_resource **resource)
{
    stress_enter(program, STRESS_RESOURCE_DESTROY);
    vidmm_resource_destroy(*resource);
    stress_leave(program, STRESS_RESOURCE_DESTROY, STATUS_SUCCESS);
    *resource = NULL;
}

static void open_shared(struct stress_program *program, struct stress_device *device)
{
    uint32_t handle = atomic_load(&program->world->shelf[stress_below(program, STRESS_SHELF)]);
    NTSTATUS status;

    stress_enter(program, STRESS_RESOURCE_OPEN);
    status = vidmm_resource_open(device->handle, handle, &device->opened,
                                 device->opened_allocations, MEMBERS, &program->report);
    if (stress_leave(program, STRESS_RESOURCE_OPEN, status) != STATUS_SUCCESS)
        device->opened = NULL;
    else if (vidmm_resource_count(device->opened) != MEMBERS)
        close_resource(program, &device->opened); /* a primary, under a number that was used */
}

/* A command that only looks: at the first page, which is zeros. */
static NTSTATUS look_at(struct stress_program *program, struct vidmm_context *context,
                        struct vidmm_allocation *allocation, uint64_t *value)
{
    const struct vidmm_render_reference list = {.allocation = allocation};
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } command = {.touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(1)}, .reference_count = 1},
                 .reference = {.pages = 1, .content_id = 1}};
    NTSTATUS status;

    stress_enter(program, STRESS_RENDER);
    status = vidmm_render(context, &command, sizeof(command), &list, 1, stress_chance(program, 80),
                          value, &program->report);
    return stress_leave(program, STRESS_RENDER, status);
}

/* Read a word of each page; where contents are not judged, write it too. */
static void lock_and_look(struct stress_program *program, struct vidmm_allocation *allocation)
{
    uint64_t size = vidmm_allocation_size(allocation);
    NTSTATUS status;
    void *data;

    stress_enter(program, STRESS_LOCK);
    status =
        vidmm_lock(allocation, stress_chance(program, 30) ? VIDMM_LOCK_DONOT_WAIT : 0, &data, NULL);
    if (stress_leave(program, STRESS_LOCK, status) != STATUS_SUCCESS)
        return;
    for (uint64_t at = 0; at < size; at += VIDMM_PAGE_SIZE) {
        uint64_t *word = (uint64_t *)(void *)((char *)data + at);

        if (program->world->weather.contents) {
            if (__atomic_load_n(word, __ATOMIC_RELAXED) != 0)
                stress_fail(
                    program->world, "program %u: what nobody has written is not zeros: 0x%016llx",
                    program->index, (unsigned long long)__atomic_load_n(word, __ATOMIC_RELAXED));
        } else {
            __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
        }
    }
    stress_enter(program, STRESS_UNLOCK);
    if (stress_leave(program, STRESS_UNLOCK, vidmm_unlock(allocation)) != STATUS_SUCCESS)
        stress_fail(program->world, "program %u: what is locked cannot be unlocked",
                    program->index);
}

static void use_opened(struct stress_program *program, struct stress_device *device)
{
    struct stress_context *context = &device->contexts[stress_below(program, STRESS_CONTEXTS)];
    struct vidmm_allocation *allocation =
        device->opened_allocations[stress_below(program, MEMBERS)];
    uint64_t value = context->value;

    if (context->handle != NULL && stress_chance(program, 60)) {
        look_at(program, context->handle, allocation, &value);
        context->value = value > context->value ? value : context->value;
    } else {
        lock_and_look(program, allocation);
    }
}

void stress_share_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);

    if (device == NULL)
        return;
    if (stress_chance(program, 35))
        if (device->shared == NULL)
            share(program, device);
        else
            close_resource(program, &device->shared);
    else if (device->opened == NULL)
        open_shared(program, device);
    else if (stress_chance(program, 30))
        close_resource(program, &device->opened);
    else
        use_opened(program, device);
}

/* ---- surfaces of the system ------------------------------------------------------------------ */

enum { WIDTH = 64, HEIGHT = 24 };

static void create_surface(struct stress_program *program, struct stress_device *device, int at)
{
    static const D3DKMDT_STANDARDALLOCATION_TYPE types[] = {
        D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE,
        D3DKMDT_STANDARDALLOCATION_GDISURFACE, D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE};
    /* A primary is pinned: one program in four has one. */
    struct vidmm_standard wish = {.type = types[stress_below(program, 3)],
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .format = D3DDDIFMT_X8R8G8B8};
    uint32_t pitch;
    NTSTATUS status;

    if (program->index % 4 == 0 && at == 0)
        wish.type = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    if (program->world->weather.displays)
        wish.vidpn_source = program->index / 4 % STRESS_SOURCES;
    stress_enter(program, STRESS_STANDARD_CREATE);
    status = vidmm_standard_create(device->handle, &wish, &device->surfaces[at].resource,
                                   &device->surfaces[at].allocation, &pitch, &program->report);
    if (stress_leave(program, STRESS_STANDARD_CREATE, status) != STATUS_SUCCESS)
        device->surfaces[at].resource = NULL;
}

static RECT some_rect(struct stress_program *program, LONG width, LONG height)
{
    LONG left = (LONG)stress_below(program, (uint32_t)(WIDTH - width + 1));
    LONG top = (LONG)stress_below(program, (uint32_t)(HEIGHT - height + 1));

    return (RECT){left, top, left + width, top + height};
}

static void present(struct stress_program *program, struct stress_device *device)
{
    struct stress_context *context = &device->contexts[stress_below(program, STRESS_CONTEXTS)];
    LONG width = 1 + (LONG)stress_below(program, WIDTH);
    LONG height = 1 + (LONG)stress_below(program, HEIGHT);
    int from = (int)stress_below(program, 2);
    struct vidmm_present copy = {.source = device->surfaces[from].allocation,
                                 .destination = device->surfaces[1 - from].allocation,
                                 .source_rect = some_rect(program, width, height),
                                 .destination_rect = some_rect(program, width, height)};
    RECT parts[2] = {copy.destination_rect, copy.destination_rect};
    uint64_t value = context->value;
    NTSTATUS status;

    if (context->handle == NULL)
        return;
    if (width > 1 && stress_chance(program, 50)) {
        parts[0].right = parts[1].left = copy.destination_rect.left + width / 2;
        copy.sub_rects = parts;
        copy.sub_rect_count = 2;
    }
    stress_enter(program, STRESS_PRESENT);
    status =
        vidmm_present(context->handle, &copy, stress_chance(program, 80), &value, &program->report);
    stress_leave(program, STRESS_PRESENT, status);
    context->value = value > context->value ? value : context->value;
}

void stress_surface_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    int at = (int)stress_below(program, STRESS_SURFACES);

    if (device == NULL)
        return;
    if (device->surfaces[at].resource == NULL)
        create_surface(program, device, at);
    else if (stress_chance(program, 10))
        close_resource(program, &device->surfaces[at].resource);
    else if (device->surfaces[1 - at].resource != NULL)
        present(program, device);
}

/* ---- what all programs use at once ----------------------------------------------------------- */

static bool take(struct stress_common *common, bool alone)
{
    int users = atomic_load(&common->users);

    while (alone ? users == 0 : users >= 0)
        if (atomic_compare_exchange_weak(&common->users, &users, alone ? -1 : users + 1))
            return true;
    return false;
}

static void give(struct stress_common *common, bool alone)
{
    if (alone)
        atomic_store(&common->users, 0);
    else
        atomic_fetch_sub(&common->users, 1);
}

static void remake(struct stress_program *program, struct stress_common *common)
{
    struct softgpu_allocation wish = some_member(program);
    NTSTATUS status;

    if (common->handle != NULL) {
        stress_enter(program, STRESS_ALLOCATION_DESTROY);
        vidmm_allocation_destroy(common->handle);
        stress_leave(program, STRESS_ALLOCATION_DESTROY, STATUS_SUCCESS);
        common->handle = NULL;
    }
    wish.renaming = 0;
    stress_enter(program, STRESS_ALLOCATION_CREATE);
    status = vidmm_allocation_create(program->world->common_device, &wish, sizeof(wish),
                                     &common->handle, &program->report);
    if (stress_leave(program, STRESS_ALLOCATION_CREATE, status) != STATUS_SUCCESS)
        common->handle = NULL;
}

static void use_common(struct stress_program *program, struct vidmm_allocation *allocation)
{
    struct stress_world *world = program->world;
    const struct vidmm_selection selection = {.allocations = &allocation, .allocation_count = 1};
    struct vidmm_context *context = world->common_contexts[stress_below(program, STRESS_CONTEXTS)];
    enum vidmm_residency where;
    uint64_t value = 0;
    bool lost;

    switch (stress_below(program, 8)) {
    case 0:
        stress_enter(program, STRESS_OFFER);
        stress_leave(program, STRESS_OFFER, vidmm_offer(&selection, 2, 0, &program->report));
        break;
    case 1:
        stress_enter(program, STRESS_RECLAIM);
        stress_leave(program, STRESS_RECLAIM, vidmm_reclaim(&selection, &lost, &program->report));
        break;
    case 2:
        stress_enter(program, STRESS_RESIDENCY);
        stress_leave(program, STRESS_RESIDENCY,
                     vidmm_query_residency(&selection, &where, &program->report));
        break;
    case 3:
    case 4:
        lock_and_look(program, allocation);
        break;
    default:
        if (context == NULL || look_at(program, context, allocation, &value) != STATUS_SUCCESS ||
            !stress_chance(program, 20))
            break;
        stress_enter(program, STRESS_CONTEXT_WAIT);
        stress_leave(program, STRESS_CONTEXT_WAIT, vidmm_context_wait(context, value));
    }
}

void stress_common_work(struct stress_program *program)
{
    struct stress_common *common = &program->world->commons[stress_below(program, STRESS_COMMONS)];
    bool alone = stress_chance(program, 10);

    if (!take(common, alone))
        return;
    if (alone)
        remake(program, common);
    else if (common->handle != NULL)
        use_common(program, common->handle);
    give(common, alone);
}

bool stress_common_begin(struct stress_world *world)
{
    struct vidmm_report report = {""};
    NTSTATUS status = vidmm_device_create(world->adapter, 99, &world->common_device, &report);

    for (unsigned i = 0; i < STRESS_CONTEXTS && status == STATUS_SUCCESS; i++)
        status = vidmm_context_create(world->common_device, i % world->weather.nodes, NULL, 0,
                                      &world->common_contexts[i], &report);
    if (status != STATUS_SUCCESS && status != STATUS_GRAPHICS_NO_VIDEO_MEMORY)
        stress_fail(world, "what all use cannot be made: 0x%08x: %s", (unsigned)status,
                    report.text);
    return !atomic_load(&world->failed);
}

void stress_common_end(struct stress_world *world)
{
    vidmm_device_destroy(world->common_device);
}
