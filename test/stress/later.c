/* later.c: the calls of WDDM 1 that older seeds do not know: memory leaves, or moves, as a test
 * says, processes are held back, allocations go by flags, primaries are shown.
 */
#include "stress.h"

#include <string.h>

#include <vidmm/delay.h>
#include <vidmm/display.h>
#include <vidmm/page_out.h>
#include <vidmm/suspend.h>
#include <vidmm/test_fault.h>

/* ---- for both levels ------------------------------------------------------------------------- */

static bool aim_listed(struct stress_program *program, struct stress_target *target)
{
    const struct stress_explicit *explicit = &program->explicit;

    target->device = explicit->device;
    if (target->device == NULL)
        return false;
    target->context = explicit->contexts[stress_below(program, STRESS_CONTEXTS)].handle;
    for (unsigned i = 0; i < STRESS_LISTED; i++)
        if (explicit->allocations[i].handle != NULL)
            target->allocations[target->count++] = explicit->allocations[i].handle;
    return true;
}

bool stress_aim(struct stress_program *program, struct stress_target *target)
{
    struct stress_device *device;

    memset(target, 0, sizeof(*target));
    if (program->world->weather.level >= 20)
        return aim_listed(program, target);
    device = stress_some_device(program);
    if (device == NULL)
        return false;
    target->device = device->handle;
    target->context = device->contexts[stress_below(program, STRESS_CONTEXTS)].handle;
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        if (device->allocations[i].handle != NULL)
            target->allocations[target->count++] = device->allocations[i].handle;
    return true;
}

uint32_t stress_destruction(struct stress_program *program, bool gone, bool held)
{
    uint32_t flags = 0;

    if (gone && stress_chance(program, 40))
        flags |= VIDMM_DESTROY_ASSUME_NOT_IN_USE;
    if (!held && stress_chance(program, 50)) /* nobody waits for his own unlock (D-182) */
        flags |= VIDMM_DESTROY_SYNCHRONOUS;
    return flags;
}

/* ---- destruction by flags -------------------------------------------------------------------- */

static void destroy_allocation(struct stress_program *program, struct stress_device *device)
{
    struct stress_allocation *one = stress_some_allocation(program, device);

    if (one == NULL || one->resource >= 0)
        return;
    stress_enter(program, STRESS_DESTROY2);
    if (stress_leave(program, STRESS_DESTROY2,
                     vidmm_allocations_destroy2(&one->handle, 1,
                                                stress_destruction(program, true, one->locks > 0),
                                                &program->report)) == STATUS_SUCCESS)
        stress_allocation_forget(one);
}

static void destroy_resource(struct stress_program *program, struct stress_device *device)
{
    int at = (int)stress_below(program, STRESS_RESOURCES);
    bool held = false;

    if (device->resources[at] == NULL)
        return;
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        held |= device->allocations[i].handle != NULL && device->allocations[i].resource == at &&
                device->allocations[i].locks > 0;
    stress_enter(program, STRESS_RESOURCE_DESTROY2);
    stress_leave(program, STRESS_RESOURCE_DESTROY2,
                 vidmm_resource_destroy2(device->resources[at],
                                         stress_destruction(program, true, held),
                                         &program->report));
    device->resources[at] = NULL;
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        if (device->allocations[i].handle != NULL && device->allocations[i].resource == at)
            stress_allocation_forget(&device->allocations[i]);
}

/* The others have it open, so nobody waits for its end. */
static void close_opened(struct stress_program *program, struct stress_device *device)
{
    if (device->opened == NULL)
        return;
    stress_enter(program, STRESS_RESOURCE_DESTROY2);
    stress_leave(program, STRESS_RESOURCE_DESTROY2,
                 vidmm_resource_destroy2(device->opened, stress_destruction(program, true, true),
                                         &program->report));
    device->opened = NULL;
}

static void destroy_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);

    if (device == NULL)
        return;
    if (stress_chance(program, 70))
        destroy_allocation(program, device);
    else if (stress_chance(program, 60))
        destroy_resource(program, device);
    else
        close_opened(program, device);
}

/* ---- memory leaves, or moves ----------------------------------------------------------------- */

static void page_out_one(struct stress_program *program, struct stress_device *device)
{
    struct vidmm_resource *resource = device->resources[stress_below(program, STRESS_RESOURCES)];
    struct stress_allocation *one = stress_some_allocation(program, device);

    if (resource != NULL && stress_chance(program, 40)) {
        stress_enter(program, STRESS_PAGE_OUT_RESOURCE);
        stress_leave(program, STRESS_PAGE_OUT_RESOURCE,
                     vidmm_page_out_resource(resource, &program->report));
    } else if (one != NULL) {
        stress_enter(program, STRESS_PAGE_OUT);
        stress_leave(program, STRESS_PAGE_OUT, vidmm_page_out(one->handle, &program->report));
        stress_note(one, "paged out", 0, 0);
    }
}

static void page_out_some(struct stress_program *program)
{
    const struct vidmm_page_out_criteria criteria = {.maximum = UINT64_MAX,
                                                     .primaries = stress_chance(program, 10),
                                                     .locked = stress_chance(program, 20),
                                                     .apertures = stress_chance(program, 20),
                                                     .one_process = stress_chance(program, 80),
                                                     .process = program->index + 1};

    stress_enter(program, STRESS_PAGE_OUT);
    stress_leave(program, STRESS_PAGE_OUT,
                 vidmm_page_out_all(program->world->adapter, &criteria, &program->report));
}

static void page_out_shared(struct stress_program *program)
{
    uint32_t handle = atomic_load(&program->world->shelf[stress_below(program, STRESS_SHELF)]);

    stress_enter(program, STRESS_PAGE_OUT_SHARED);
    stress_leave(program, STRESS_PAGE_OUT_SHARED,
                 vidmm_page_out_shared(program->world->adapter, handle, &program->report));
}

static void page_out_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    uint32_t which = stress_below(program, 10);

    if (which < 5 && device != NULL) {
        page_out_one(program, device);
    } else if (which < 7) {
        page_out_some(program);
    } else if (which < 8) {
        page_out_shared(program);
    } else {
        stress_enter(program, STRESS_COMPACT);
        stress_leave(program, STRESS_COMPACT,
                     vidmm_compact(program->world->adapter,
                                   1 + stress_below(program, program->world->weather.segments),
                                   VIDMM_COMPACT_DOWN + stress_below(program, 3),
                                   &program->report));
    }
}

/* ---- processes that are held back ------------------------------------------------------------ */

/* It waits in its queue, and takes a DMA buffer if one is free. */
static void render_nothing(struct stress_program *program)
{
    const struct softgpu_touch touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    struct stress_device *device = stress_some_device(program);
    struct stress_context *context;
    uint64_t value = 0;

    if (device == NULL)
        return;
    context = &device->contexts[stress_below(program, STRESS_CONTEXTS)];
    if (context->handle == NULL)
        return;
    stress_enter(program, STRESS_RENDER);
    if (stress_leave(program, STRESS_RENDER,
                     vidmm_render(context->handle, &touch, sizeof(touch), NULL, 0, false, &value,
                                  &program->report)) == STATUS_SUCCESS)
        context->value = value;
}

static void suspend_work(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    NTSTATUS status;

    stress_enter(program, STRESS_SUSPEND);
    status = vidmm_process_suspend(adapter, program->index + 1, stress_chance(program, 30),
                                   &program->report);
    if (stress_leave(program, STRESS_SUSPEND, status) != STATUS_SUCCESS)
        return;
    for (unsigned i = stress_below(program, 4); i > 0; i--)
        render_nothing(program);
    if (stress_chance(program, 50))
        destroy_work(program);
    stress_enter(program, STRESS_RESUME);
    stress_leave(program, STRESS_RESUME,
                 vidmm_process_resume(adapter, program->index + 1, &program->report));
}

/* Until the next one. By single pages, transfers would take so many steps, each with a look at all
 * invariants, that nothing else got its turn; and pointers that do not follow keep memory in place
 * until somebody else wants it. */
static void set_faults(struct stress_program *program)
{
    const uint32_t none = VIDMM_TEST_MIN_RANGES | VIDMM_TEST_NO_VA_ROTATION;
    uint32_t all = (VIDMM_TEST_CLIENT | VIDMM_TEST_ENGINE) & ~none;
    uint32_t faults = stress_chance(program, 40) ? 0 : all & stress_below(program, all + 1);

    faults &= ~(stress_chance(program, 50) ? VIDMM_TEST_NEVER_DISCARD : VIDMM_TEST_ALWAYS_DISCARD);
    stress_enter(program, STRESS_SET_FAULTS);
    stress_leave(program, STRESS_SET_FAULTS,
                 vidmm_adapter_set_faults(program->world->adapter, faults, &program->report));
}

static void wake(struct stress_program *program)
{
    stress_enter(program, STRESS_ASK_ALL);
    vidmm_adapter_wake(program->world->adapter,
                       program->world->weather.kind == VIDMM_MACHINE_SIMULATED);
    stress_leave(program, STRESS_ASK_ALL, STATUS_SUCCESS);
}

/* ---- primaries ------------------------------------------------------------------------------- */

static void show(struct stress_program *program, struct stress_device *device, uint32_t source)
{
    if (device->surfaces[0].resource == NULL)
        return;
    stress_enter(program, STRESS_DISPLAY_SHOW);
    stress_leave(program, STRESS_DISPLAY_SHOW,
                 vidmm_display_show(device->handle, source, device->surfaces[0].allocation,
                                    &program->report));
}

static void hide(struct stress_program *program, uint32_t source)
{
    stress_enter(program, STRESS_DISPLAY_HIDE);
    stress_leave(program, STRESS_DISPLAY_HIDE,
                 vidmm_display_hide(program->world->adapter, source, &program->report));
}

static void commit(struct stress_program *program, struct vidmm_allocation *primary,
                   uint32_t source)
{
    static int network;

    stress_enter(program, STRESS_DISPLAY_COMMIT);
    stress_leave(
        program, STRESS_DISPLAY_COMMIT,
        vidmm_display_commit(program->world->adapter, &network, source, primary, &program->report));
    stress_enter(program, STRESS_DISPLAY_INTERRUPTS);
    stress_leave(program, STRESS_DISPLAY_INTERRUPTS,
                 vidmm_display_interrupts(program->world->adapter, stress_chance(program, 50),
                                          &program->report));
}

/* One program in four has a primary, and shows it on a source of its own. */
static void display_work(struct stress_program *program)
{
    uint32_t source = program->index / 4 % STRESS_SOURCES;
    struct stress_device *device = stress_some_device(program);

    if (!program->world->weather.displays || device == NULL)
        return;
    if (program->index % 4 == 0 && stress_chance(program, 60))
        show(program, device, source);
    else if (stress_chance(program, 50))
        hide(program, stress_below(program, STRESS_SOURCES));
    else
        commit(program, NULL, source);
}

/* How often, of 100 steps. */
static const struct stress_work works[] = {
    {20, page_out_work},       {15, destroy_work}, {15, stress_ask_all_work},
    {10, stress_trouble_work}, {10, suspend_work}, {10, stress_wrong_later_work},
    {10, display_work},        {7, set_faults},    {3, wake},
};

void stress_later_work(struct stress_program *program)
{
    stress_do(program, works, stress_below(program, 100));
}
