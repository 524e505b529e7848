/* listed_shared.c: resources that programs of WDDM 2 share. Nobody writes to them: they are zeros
 * for ever, to whoever opens them and whenever he looks.
 */
#include "stress.h"

#include <string.h>
#include <vidmm/page.h>
#include <vidmm/process.h>

/* The elements of allocations[] for the members of what the program shares, or has opened. */
static struct stress_listed *members_of(struct stress_program *program, bool opened)
{
    return &program->explicit.allocations[STRESS_ALLOCATIONS + (opened ? STRESS_MEMBERS : 0)];
}

/* They are the program's now, at addresses. False: it has no address for one. */
static bool adopt(struct stress_program *program, bool opened,
                  struct vidmm_allocation *const *handles)
{
    struct stress_listed *members = members_of(program, opened);
    bool mapped = true;

    for (unsigned i = 0; i < STRESS_MEMBERS; i++) {
        members[i] =
            (struct stress_listed){.handle = handles[i],
                                   .id = ++program->next_id,
                                   .pages = vidmm_allocation_size(handles[i]) / VIDMM_PAGE_SIZE,
                                   .zeros = true};
        mapped &= stress_listed_map(program, &members[i]);
    }
    return mapped;
}

/* The GPU may still be at work with it. */
static void close_resource(struct stress_program *program, bool opened)
{
    struct vidmm_resource **resource =
        opened ? &program->explicit.opened : &program->explicit.shared;

    stress_enter(program, STRESS_RESOURCE_DESTROY);
    vidmm_resource_destroy(*resource);
    stress_leave(program, STRESS_RESOURCE_DESTROY, STATUS_SUCCESS);
    *resource = NULL;
    for (unsigned i = 0; i < STRESS_MEMBERS; i++)
        stress_listed_forget(program, &members_of(program, opened)[i]);
}

static void share(struct stress_program *program)
{
    const struct vidmm_resource_options options = {
        .shared = true, .private_data = "shared", .private_data_size = 6};
    struct softgpu_allocation wishes[STRESS_MEMBERS];
    struct vidmm_description descriptions[STRESS_MEMBERS];
    struct vidmm_allocation *given[STRESS_MEMBERS];
    NTSTATUS status;

    for (unsigned i = 0; i < STRESS_MEMBERS; i++) {
        uint32_t sets = program->world->weather.io ? 1 : 1 + stress_below(program, 3);
        uint64_t pages = 1 + stress_below(program, STRESS_PAGES / 2);

        /* One that is CpuVisible may be in apertures alone (W-023). */
        wishes[i] = stress_wish(program, pages * VIDMM_PAGE_SIZE,
                                sets == 1 && stress_chance(program, 50), sets);
        wishes[i].renaming = 0;
        wishes[i].evict_set = 0;
        descriptions[i] = (struct vidmm_description){.private_data = &wishes[i],
                                                     .private_data_size = sizeof(wishes[i]),
                                                     .vidpn_source = VIDMM_NO_SOURCE};
    }
    stress_enter(program, STRESS_RESOURCE_CREATE);
    status = vidmm_resource_create(program->explicit.device, &options, descriptions, STRESS_MEMBERS,
                                   &program->explicit.shared, given, &program->report);
    if (stress_listed_leave(program, STRESS_RESOURCE_CREATE, status) != STATUS_SUCCESS) {
        program->explicit.shared = NULL;
        return;
    }
    atomic_store(&program->world->shelf[stress_below(program, STRESS_SHELF)],
                 vidmm_resource_handle(program->explicit.shared));
    if (!adopt(program, false, given))
        close_resource(program, false);
}

static void close_other(struct stress_program *program)
{
    stress_enter(program, STRESS_RESOURCE_DESTROY);
    vidmm_resource_destroy(program->explicit.opened);
    stress_leave(program, STRESS_RESOURCE_DESTROY, STATUS_SUCCESS);
    program->explicit.opened = NULL;
}

static void open_shared(struct stress_program *program)
{
    uint32_t handle = atomic_load(&program->world->shelf[stress_below(program, STRESS_SHELF)]);
    struct vidmm_allocation *given[STRESS_MEMBERS];
    NTSTATUS status;

    stress_enter(program, STRESS_RESOURCE_OPEN);
    status = vidmm_resource_open(program->explicit.device, handle, &program->explicit.opened, given,
                                 STRESS_MEMBERS, &program->report);
    if (stress_listed_leave(program, STRESS_RESOURCE_OPEN, status) != STATUS_SUCCESS)
        program->explicit.opened = NULL;
    else if (vidmm_resource_count(program->explicit.opened) != STRESS_MEMBERS)
        close_other(program); /* a heap, under a number that was used */
    else if (!adopt(program, true, given))
        close_resource(program, true);
}

void stress_listed_share_work(struct stress_program *program)
{
    bool opened = stress_chance(program, 60);

    if ((opened ? program->explicit.opened : program->explicit.shared) != NULL) {
        if (stress_chance(program, 40))
            close_resource(program, opened);
    } else if (opened) {
        open_shared(program);
    } else {
        share(program);
    }
}
