/* wrong.c: calls that are wrong in one way, each of which has to be refused, and rubbish, which has
 * to be answered with a status that is documented. */
#include "stress.h"

#include <string.h>

#include <vidmm/lock.h>
#include <vidmm/page.h>

typedef void wrong_function(struct stress_program *program, struct stress_device *device);

/* ---- creating -------------------------------------------------------------------------------- */

static void context_on_no_node(struct stress_program *program, struct stress_device *device)
{
    struct vidmm_context *context;

    stress_enter(program, STRESS_CONTEXT_CREATE);
    stress_refused(program, STRESS_CONTEXT_CREATE,
                   vidmm_context_create(device->handle, 4 + stress_below(program, 100), NULL, 0,
                                        &context, &program->report),
                   "a node that is none");
}

static void allocation_of_rubbish(struct stress_program *program, struct stress_device *device)
{
    uint32_t words[sizeof(struct softgpu_allocation) / 4];
    struct vidmm_allocation *allocation;

    for (unsigned i = 0; i < sizeof(words) / 4; i++)
        words[i] = stress_below(program, UINT32_MAX);
    stress_enter(program, STRESS_ALLOCATION_CREATE);
    stress_refused(program, STRESS_ALLOCATION_CREATE,
                   vidmm_allocation_create(device->handle, words,
                                           stress_below(program, sizeof(words)), &allocation,
                                           &program->report),
                   "private data that is none");
}

static void allocation_too_large(struct stress_program *program, struct stress_device *device)
{
    struct softgpu_allocation wish =
        stress_wish(program, UINT64_C(1) << (26 + stress_below(program, 20)), 1, 2);
    struct vidmm_allocation *allocation;

    stress_enter(program, STRESS_ALLOCATION_CREATE);
    stress_refused(
        program, STRESS_ALLOCATION_CREATE,
        vidmm_allocation_create(device->handle, &wish, sizeof(wish), &allocation, &program->report),
        "what is larger than its segment");
}

/* Any flags at all: taken or refused, and destroyed. */
static void allocation_of_any_kind(struct stress_program *program, struct stress_device *device)
{
    struct softgpu_allocation wish =
        stress_wish(program, 1 + stress_below(program, 20000), stress_below(program, 0x8000),
                    1 + stress_below(program, 7));
    struct vidmm_allocation *allocation;
    NTSTATUS status;

    if (program->world->weather.contents) /* a pinned allocation takes the room of others */
        wish.flags &= ~0x300u;
    stress_enter(program, STRESS_ALLOCATION_CREATE);
    status =
        vidmm_allocation_create(device->handle, &wish, sizeof(wish), &allocation, &program->report);
    if (stress_leave(program, STRESS_ALLOCATION_CREATE, status) != STATUS_SUCCESS)
        return;
    stress_enter(program, STRESS_ALLOCATION_DESTROY);
    vidmm_allocation_destroy(allocation);
    stress_leave(program, STRESS_ALLOCATION_DESTROY, STATUS_SUCCESS);
}

static void resource_of_nothing(struct stress_program *program, struct stress_device *device)
{
    const struct vidmm_resource_options options = {.shared = true};
    struct vidmm_resource *resource;
    struct vidmm_allocation *given[1];

    stress_enter(program, STRESS_RESOURCE_CREATE);
    stress_refused(program, STRESS_RESOURCE_CREATE,
                   vidmm_resource_create(device->handle, &options, NULL, 0, &resource, given,
                                         &program->report),
                   "a shared resource without allocations");
}

static void resource_with_a_source(struct stress_program *program, struct stress_device *device)
{
    const struct vidmm_resource_options options = {.shared = false};
    struct softgpu_allocation wish = stress_wish(program, 4096, 1, 2);
    const struct vidmm_description member = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = 0};
    struct vidmm_resource *resource;
    struct vidmm_allocation *given[1];

    stress_enter(program, STRESS_RESOURCE_CREATE);
    stress_refused(program, STRESS_RESOURCE_CREATE,
                   vidmm_resource_create(device->handle, &options, &member, 1, &resource, given,
                                         &program->report),
                   "a video present source of what is no primary");
}

static void addition_to_what_is_shared(struct stress_program *program, struct stress_device *device)
{
    struct softgpu_allocation wish = stress_wish(program, 4096, 1, 2);
    const struct vidmm_description member = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    struct vidmm_allocation *given[1];

    if (device->shared == NULL)
        return;
    stress_enter(program, STRESS_RESOURCE_ADD);
    stress_refused(program, STRESS_RESOURCE_ADD,
                   vidmm_resource_add(device->shared, &member, 1, given, &program->report),
                   "more allocations of a shared resource");
}

static void opening_of_nothing(struct stress_program *program, struct stress_device *device)
{
    struct vidmm_allocation *given[2];
    struct vidmm_resource *resource;
    uint32_t shelf = atomic_load(&program->world->shelf[stress_below(program, STRESS_SHELF)]);
    bool small = stress_chance(program, 50);

    stress_enter(program, STRESS_RESOURCE_OPEN);
    stress_refused(program, STRESS_RESOURCE_OPEN,
                   vidmm_resource_open(device->handle, small ? shelf : UINT32_MAX - shelf,
                                       &resource, given, small ? 0 : 2, &program->report),
                   small ? "no room for what there is" : "a handle of nothing");
}

static void surface_of_no_kind(struct stress_program *program, struct stress_device *device)
{
    const struct vidmm_standard wish = {.type = stress_chance(program, 50)
                                                    ? (D3DKMDT_STANDARDALLOCATION_TYPE)77
                                                    : D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE,
                                        .width = stress_chance(program, 50) ? 0 : 65536,
                                        .height = 1,
                                        .format = D3DDDIFMT_X8R8G8B8};
    struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;
    uint32_t pitch;

    stress_enter(program, STRESS_STANDARD_CREATE);
    stress_refused(program, STRESS_STANDARD_CREATE,
                   vidmm_standard_create(device->handle, &wish, &resource, &allocation, &pitch,
                                         &program->report),
                   "a surface of no kind, or of no size");
}

/* ---- using ----------------------------------------------------------------------------------- */

static struct vidmm_context *context_of(struct stress_device *device)
{
    for (unsigned i = 0; i < STRESS_CONTEXTS; i++)
        if (device->contexts[i].handle != NULL)
            return device->contexts[i].handle;
    return NULL;
}

static void refused_render(struct stress_program *program, struct stress_device *device,
                           const struct vidmm_render_reference *list, uint32_t count,
                           const char *what)
{
    const struct softgpu_touch touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    struct vidmm_context *context = context_of(device);
    uint64_t value = 0;

    if (context == NULL)
        return;
    stress_enter(program, STRESS_RENDER);
    stress_refused(
        program, STRESS_RENDER,
        vidmm_render(context, &touch, sizeof(touch), list, count, true, &value, &program->report),
        what);
}

static void render_of_anothers(struct stress_program *program, struct stress_device *device)
{
    struct stress_device *other = &program->devices[device == &program->devices[0] ? 1 : 0];
    struct stress_allocation *allocation =
        other->handle != NULL ? stress_some_allocation(program, other) : NULL;
    const struct vidmm_render_reference list = {.allocation =
                                                    allocation != NULL ? allocation->handle : NULL};

    if (allocation != NULL)
        refused_render(program, device, &list, 1, "an allocation of another device");
}

static void render_of_too_many(struct stress_program *program, struct stress_device *device)
{
    static const struct vidmm_render_reference list[300];

    refused_render(program, device, list, 300, "more references than AllocationListSize");
}

static void render_with_a_wrong_offer(struct stress_program *program, struct stress_device *device)
{
    struct stress_allocation *allocation = stress_some_allocation(program, device);
    const struct vidmm_render_reference list = {.allocation =
                                                    allocation != NULL ? allocation->handle : NULL,
                                                .offer_priority = 5 + stress_below(program, 1000)};

    if (allocation != NULL)
        refused_render(program, device, &list, 1, "an OfferPriority that is none");
}

static void render_of_what_is_offered(struct stress_program *program, struct stress_device *device)
{
    struct stress_allocation *allocation = stress_some_allocation(program, device);
    const struct vidmm_selection selection = {
        .allocations = allocation != NULL ? &allocation->handle : NULL, .allocation_count = 1};
    const struct vidmm_render_reference list = {.allocation =
                                                    allocation != NULL ? allocation->handle : NULL};
    NTSTATUS status;

    if (allocation == NULL)
        return;
    stress_enter(program, STRESS_OFFER);
    status = vidmm_offer(&selection, 1, 0, &program->report);
    if (stress_leave(program, STRESS_OFFER, status) != STATUS_SUCCESS)
        return;
    allocation->offered = true;
    refused_render(program, device, &list, 1, "what is offered");
}

/* A command buffer of rubbish, now and then cut out of a right one. */
static void render_of_rubbish(struct stress_program *program, struct stress_device *device)
{
    struct vidmm_context *context = context_of(device);
    uint32_t words[64];
    uint64_t value = 0;

    if (context == NULL)
        return;
    for (unsigned i = 0; i < 64; i++)
        words[i] = stress_below(program, stress_chance(program, 50) ? 64 : UINT32_MAX);
    if (stress_chance(program, 70))
        words[0] = SOFTGPU_TOUCH;
    if (stress_chance(program, 50))
        words[1] = softgpu_touch_size(words[2]);
    words[3] = 1; /* a reserved member: the driver refuses it in any case */
    stress_enter(program, STRESS_RENDER);
    stress_refused(program, STRESS_RENDER,
                   vidmm_render(context, words, 1 + stress_below(program, sizeof(words) - 1), NULL,
                                0, true, &value, &program->report),
                   "a command buffer of rubbish");
}

static void present_outside(struct stress_program *program, struct stress_device *device)
{
    struct vidmm_context *context = context_of(device);
    const LONG most = stress_chance(program, 50) ? 1 << 20 : -1;
    const struct vidmm_present copy = {.source = device->surfaces[0].allocation,
                                       .destination = device->surfaces[1].allocation,
                                       .source_rect = {0, 0, 4, 4},
                                       .destination_rect = {most, 0, most + 5, 4}};
    uint64_t value = 0;

    if (context == NULL || device->surfaces[0].resource == NULL ||
        device->surfaces[1].resource == NULL)
        return;
    stress_enter(program, STRESS_PRESENT);
    stress_refused(program, STRESS_PRESENT,
                   vidmm_present(context, &copy, true, &value, &program->report),
                   "rectangles of two sizes, or outside");
}

/* ---- locks and offers ------------------------------------------------------------------------ */

static void lock_of_a_page_outside(struct stress_program *program, struct stress_device *device)
{
    struct stress_allocation *allocation = stress_some_allocation(program, device);
    uint32_t page = STRESS_PAGES + stress_below(program, 1u << 20);
    struct vidmm_lock_arguments arguments = {.page_count = 1, .pages = &page};

    if (allocation == NULL)
        return;
    arguments.allocation = allocation->handle;
    arguments.flags = stress_below(program, 2) * VIDMM_LOCK_ENTIRE;
    stress_enter(program, STRESS_LOCK_PAGES);
    stress_refused(program, STRESS_LOCK_PAGES, vidmm_lock_pages(&arguments, &program->report),
                   "a page outside, or a list with LockEntire");
}

static void lock_with_reserved_flags(struct stress_program *program, struct stress_device *device)
{
    struct stress_allocation *allocation = stress_some_allocation(program, device);
    struct vidmm_lock_arguments arguments = {.flags = VIDMM_LOCK_ENTIRE};

    if (allocation == NULL)
        return;
    arguments.allocation = allocation->handle;
    arguments.flags |= 0x800u << stress_below(program, 21);
    stress_enter(program, STRESS_LOCK_PAGES);
    stress_refused(program, STRESS_LOCK_PAGES, vidmm_lock_pages(&arguments, &program->report),
                   "a reserved flag of a lock");
}

static void unlock_of_what_is_not_locked(struct stress_program *program,
                                         struct stress_device *device)
{
    struct stress_allocation *allocation = stress_some_allocation(program, device);

    if (allocation == NULL || allocation->locks > 0)
        return;
    stress_enter(program, STRESS_UNLOCK);
    stress_refused(program, STRESS_UNLOCK, vidmm_unlock(allocation->handle),
                   "an unlock of what is not locked");
}

static void offer_of_no_priority(struct stress_program *program, struct stress_device *device)
{
    struct stress_allocation *allocation = stress_some_allocation(program, device);
    const struct vidmm_selection selection = {.allocations =
                                                  allocation != NULL ? &allocation->handle : NULL,
                                              .allocation_count = allocation != NULL ? 1 : 0};
    bool none = stress_chance(program, 50);

    stress_enter(program, STRESS_OFFER);
    stress_refused(
        program, STRESS_OFFER,
        vidmm_offer(&selection, none ? 0 : 5 + stress_below(program, 99), 0, &program->report),
        "a priority that is none, or nothing");
}

/* ---- the adapter ----------------------------------------------------------------------------- */

static void read_outside(struct stress_program *program, struct stress_device *device)
{
    static _Thread_local unsigned char buffer[VIDMM_PAGE_SIZE];
    const struct vidmm_segment_range ranges[] = {
        {.segment = 1, .size = VIDMM_PAGE_SIZE},
        {.segment = 99, .size = VIDMM_PAGE_SIZE},
        {.segment = 2, .size = VIDMM_PAGE_SIZE, .offset = UINT64_C(1) << 40},
        {.segment = 2, .size = VIDMM_PAGE_SIZE, .offset = UINT64_MAX - 4095},
        {.segment = 2, .size = 100},
        {.segment = 2, .size = 0},
        {.segment = 2, .size = VIDMM_PAGE_SIZE, .engine = 9},
    };

    (void)device;
    stress_enter(program, STRESS_READ_SEGMENT);
    stress_refused(program, STRESS_READ_SEGMENT,
                   vidmm_read_segment(program->world->adapter, &ranges[stress_below(program, 7)],
                                      buffer, &program->report),
                   "a range that is none");
}

static void escape_of_rubbish(struct stress_program *program, struct stress_device *device)
{
    uint32_t words[8] = {stress_below(program, 1000)};

    stress_enter(program, STRESS_ESCAPE);
    stress_refused(program, STRESS_ESCAPE,
                   vidmm_escape(device->handle, words, stress_below(program, sizeof(words)),
                                stress_chance(program, 10), &program->report),
                   "a message of rubbish");
}

static void stamps_of_no_history(struct stress_program *program, struct stress_device *device)
{
    struct stress_allocation *allocation = stress_some_allocation(program, device);
    struct vidmm_context *context = context_of(device);
    struct vidmm_history history;

    if (allocation == NULL || allocation->history || context == NULL)
        return;
    stress_enter(program, STRESS_HISTORY_READ);
    stress_refused(
        program, STRESS_HISTORY_READ,
        vidmm_history_read(context, allocation->handle, &history, NULL, 0, &program->report),
        "what is no history buffer");
}

static wrong_function *const wrongs[] = {
    context_on_no_node,
    allocation_of_rubbish,
    allocation_too_large,
    allocation_of_any_kind,
    resource_of_nothing,
    resource_with_a_source,
    addition_to_what_is_shared,
    opening_of_nothing,
    surface_of_no_kind,
    render_of_anothers,
    render_of_too_many,
    render_with_a_wrong_offer,
    render_of_what_is_offered,
    render_of_rubbish,
    present_outside,
    lock_of_a_page_outside,
    lock_with_reserved_flags,
    unlock_of_what_is_not_locked,
    offer_of_no_priority,
    read_outside,
    escape_of_rubbish,
    stamps_of_no_history,
};

void stress_wrong_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);

    if (device != NULL)
        wrongs[stress_below(program, sizeof(wrongs) / sizeof(wrongs[0]))](program, device);
}
