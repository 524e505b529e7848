/* listed_display.c: primaries of programs of WDDM 2, which take turns on the adapter's sources.
 *
 *     none --> created, made resident --> shown, hidden, evicted as it comes --> destroyed
 *
 * A primary that is shown takes the one before it off its source, another program's too.
 */
#include "stress.h"

#include <vidmm/display.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>

static uint32_t source_of(const struct stress_program *program)
{
    return program->index % STRESS_SOURCES;
}

static void create(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    struct stress_listed *one = &explicit->primary;
    const struct vidmm_resource_options options = {.shared = false};
    uint64_t pages = 1 + stress_below(program, STRESS_PAGES);
    struct softgpu_allocation wish =
        stress_wish(program, pages * VIDMM_PAGE_SIZE, 0, 1 + stress_below(program, 3));
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = source_of(program),
                                                  .primary = true};
    NTSTATUS status;

    wish.renaming = 0;
    wish.evict_set = 0;
    stress_enter(program, STRESS_RESOURCE_CREATE);
    status = vidmm_resource_create(explicit->device, &options, &description, 1, &explicit->screen,
                                   &one->handle, &program->report);
    if (stress_listed_leave(program, STRESS_RESOURCE_CREATE, status) != STATUS_SUCCESS) {
        explicit->screen = NULL;
        one->handle = NULL;
        return;
    }
    one->pages = pages;
}

static void list(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    struct stress_listed *one = &explicit->primary;
    uint64_t bytes = one->pages * VIDMM_PAGE_SIZE;
    struct vidmm_residency_result result = {0, 0};
    NTSTATUS status;

    if (explicit->bytes + bytes > program->world->weather.most_listed)
        return;
    stress_enter(program, STRESS_MAKE_RESIDENT);
    status = vidmm_make_resident(explicit->queue, &one->handle, 1, 0, &result, &program->report);
    stress_listed_leave(program, STRESS_MAKE_RESIDENT, status);
    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        return;
    one->listed = true;
    one->value = status == STATUS_PENDING ? result.value : 0;
    explicit->bytes += bytes;
}

static void evict(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    struct stress_listed *one = &explicit->primary;
    NTSTATUS status;

    stress_enter(program, STRESS_EVICT);
    status = vidmm_evict(explicit->device, &one->handle, 1, 0, NULL, &program->report);
    if (stress_listed_leave(program, STRESS_EVICT, status) != STATUS_SUCCESS)
        return;
    one->listed = false;
    explicit->bytes -= one->pages * VIDMM_PAGE_SIZE;
}

/* There may be no place for it, whatever is on lists. */
static void show(struct stress_program *program)
{
    stress_enter(program, STRESS_DISPLAY_SHOW);
    stress_leave(program, STRESS_DISPLAY_SHOW,
                 vidmm_display_show(program->explicit.device, source_of(program),
                                    program->explicit.primary.handle, &program->report));
}

static void hide(struct stress_program *program)
{
    stress_enter(program, STRESS_DISPLAY_HIDE);
    stress_leave(program, STRESS_DISPLAY_HIDE,
                 vidmm_display_hide(program->world->adapter, source_of(program), &program->report));
}

static void destroy(struct stress_program *program)
{
    stress_enter(program, STRESS_RESOURCE_DESTROY);
    vidmm_resource_destroy(program->explicit.screen); /* shown or not */
    stress_leave(program, STRESS_RESOURCE_DESTROY, STATUS_SUCCESS);
    program->explicit.screen = NULL;
    stress_listed_forget(program, &program->explicit.primary);
}

void stress_listed_display_work(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    struct stress_listed *one = &explicit->primary;

    if (explicit->screen == NULL)
        create(program);
    else if (!one->listed)
        list(program);
    else if (stress_chance(program, 60) && one->value <= vidmm_paging_queue_passed(explicit->queue))
        show(program);
    else if (stress_chance(program, 40))
        hide(program);
    else if (stress_chance(program, 50))
        evict(program);
    else
        destroy(program);
}
