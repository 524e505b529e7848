/* Acts of the CPU: it looks at every byte that it locks. */
#include "story/run.h"

#include <inttypes.h>
#include <string.h>

#include <vidmm/cache.h>
#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "story/narrate.h"

static uint64_t share_of(struct vidmm_scenario_run *run, const struct vidmm_act *act, uint32_t page)
{
    uint32_t allocation = vidmm_scenario_named(run, act, 0);

    return vidmm_content_digest(vidmm_scenario_key(run, allocation), page,
                                vidmm_scenario_memory(run, allocation)->cpu[page]);
}

/* Look at every page of what is locked; answers how many are wrong. */
static uint64_t count_wrong(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    uint32_t allocation = vidmm_scenario_named(run, act, 0);
    const struct vidmm_scenario_live *live = &run->allocations[allocation];
    const struct vidmm_scenario_memory *memory = vidmm_scenario_memory(run, allocation);
    struct vidmm_content_key key = vidmm_scenario_key(run, allocation);
    uint64_t wrong = 0;

    for (uint32_t page = 0; page < memory->pages; page++) {
        const void *bytes = (const char *)live->bytes + (size_t)page * VIDMM_PAGE_SIZE;
        uint64_t digest = 0;

        if (!vidmm_content_check_page(bytes, key, page, memory->generation, &digest) ||
            digest != share_of(run, act, page))
            wrong++;
    }
    run->result->checks++;
    return wrong;
}

static void check_pages(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const struct vidmm_scenario_memory *memory =
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, 0));
    uint64_t wrong = count_wrong(run, act);

    if (wrong == 0)
        return;
    vidmm_narrator_say(run->narrator, "%s: %" PRIu64 " of %" PRIu64 " pages are wrong",
                       vidmm_scenario_wish_of(run, act, 0)->name, wrong, memory->pages);
    vidmm_scenario_surprise(run, &run->result->wrong,
                            "line %" PRIu32 ": the CPU finds %" PRIu64 " wrong pages", act->line,
                            wrong);
}

/* ---- discards -------------------------------------------------------------------------------- */

/* Should an instance be made, it is called NAME'2, NAME'3, ... */
static void name_next(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const struct vidmm_scenario_memory *memory =
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, 0));
    char name[VIDMM_SCENARIO_NAME + 16];

    snprintf(name, sizeof(name), "%s'%" PRIu32, vidmm_scenario_wish_of(run, act, 0)->name,
             memory->instance_count + 1);
    vidmm_narrator_name(run->narrator, name);
}

/* Its number among those that came, from 1 on. */
static uint32_t number_of(struct vidmm_scenario_memory *memory, struct vidmm_allocation *instance)
{
    uint32_t number = 0;

    while (number < memory->instance_count && memory->instances[number] != instance)
        number++;
    if (number == memory->instance_count && number < VIDMM_SCENARIO_INSTANCES)
        memory->instances[memory->instance_count++] = instance;
    return number + 1;
}

/* The program goes on with this instance, and empties it. */
static void take_instance(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                          struct vidmm_allocation *instance)
{
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, 0);
    struct vidmm_scenario_memory *memory =
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, 0));
    const char *name = vidmm_scenario_wish_of(run, act, 0)->name;

    memory->older = (struct vidmm_scenario_older){.handle = live->handle,
                                                  .digest = memory->digest,
                                                  .generation = memory->generation,
                                                  .version = memory->versions};
    if (instance == live->handle)
        vidmm_narrator_say(run->narrator, "%s: the same instance", name);
    else
        vidmm_narrator_say(run->narrator, "%s: is instance %" PRIu32 " from here on", name,
                           number_of(memory, instance));
    if (instance != live->handle)
        live->locks = 1; /* the one before has its own */
    live->handle = instance;
    memory->versions++; /* S4 */
    memory->presented = 0;
    memory->digest = memory->generation = 0;
    memset(memory->cpu, 0, memory->pages * sizeof(*memory->cpu));
    memset(live->bytes, 0, memory->pages * VIDMM_PAGE_SIZE);
}

/* ---- acts ------------------------------------------------------------------------------------ */

NTSTATUS vidmm_act_lock(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, 0);
    bool discards = (act->value & VIDMM_LOCK_DISCARD) != 0;
    uint64_t events = vidmm_narrator_events(run->narrator);
    struct vidmm_lock_arguments arguments = {
        .allocation = live->handle,
        .flags = act->value,
        .private_data = act->data,
        .page_count = act->page_count,
        .pages = act->page_count > 0 ? act->pages : NULL,
    };
    NTSTATUS status;

    if (discards)
        name_next(run, act);
    status = vidmm_lock_pages(&arguments, &run->report);
    vidmm_narrator_name(run->narrator, NULL);
    if (status != STATUS_SUCCESS)
        return status;
    live->bytes = arguments.data;
    live->locks++;
    if (vidmm_narrator_events(run->narrator) == events)
        vidmm_narrator_say(run->narrator, "%s: locked, without asking",
                           vidmm_scenario_wish_of(run, act, 0)->name);
    if (discards)
        take_instance(run, act, arguments.allocation);
    check_pages(run, act);
    return status;
}

NTSTATUS vidmm_act_write(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, 0);
    struct vidmm_scenario_memory *memory =
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, 0));
    struct vidmm_content_key key = vidmm_scenario_key(run, vidmm_scenario_named(run, act, 0));

    if (live->bytes == NULL) {
        vidmm_scenario_problem(run, "line %" PRIu32 ": %s is not locked", act->line,
                               vidmm_scenario_wish_of(run, act, 0)->name);
        return STATUS_SUCCESS;
    }
    check_pages(run, act);
    for (uint32_t page = 0; page < memory->pages; page++) {
        memory->digest -= share_of(run, act, page);
        memory->cpu[page]++; /* S3 */
        memory->digest += share_of(run, act, page);
        vidmm_content_write_cpu((char *)live->bytes + (size_t)page * VIDMM_PAGE_SIZE, key, page,
                                memory->cpu[page]);
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_unlock(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, 0);
    NTSTATUS status = vidmm_unlock(live->handle);

    if (status == STATUS_SUCCESS && --live->locks == 0)
        live->bytes = NULL;
    return status;
}

/* ---- Lock2 ----------------------------------------------------------------------------------- */

NTSTATUS vidmm_act_lock2(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, 0);
    uint64_t events = vidmm_narrator_events(run->narrator);
    void *data = NULL;
    NTSTATUS status = vidmm_lock2(live->handle, 0, &data, &run->report);

    if (status != STATUS_SUCCESS)
        return status;
    live->bytes = data;
    live->locks++;
    if (vidmm_narrator_events(run->narrator) == events)
        vidmm_narrator_say(run->narrator, "%s: locked, without asking",
                           vidmm_scenario_wish_of(run, act, 0)->name);
    check_pages(run, act);
    return status;
}

/* The story says that the CPU's caches hide what the GPU wrote: S2-031. */
static void check_stale(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const char *name = vidmm_scenario_wish_of(run, act, 0)->name;
    uint64_t wrong = count_wrong(run, act);

    if (wrong == 0)
        vidmm_scenario_problem(run, "line %" PRIu32 ": %s is not stale", act->line, name);
    else
        vidmm_narrator_say(run->narrator, "%s: the CPU finds %" PRIu64 " stale pages", name, wrong);
}

NTSTATUS vidmm_act_invalidate(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const struct vidmm_scenario_memory *memory =
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, 0));

    return vidmm_invalidate_cache(run->processes[act->process].device,
                                  vidmm_scenario_live(run, act, 0)->handle, 0,
                                  memory->pages * VIDMM_PAGE_SIZE, &run->report);
}

NTSTATUS vidmm_act_look(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    if (vidmm_scenario_live(run, act, 0)->bytes == NULL)
        vidmm_scenario_problem(run, "line %" PRIu32 ": %s is not locked", act->line,
                               vidmm_scenario_wish_of(run, act, 0)->name);
    else if (act->value == 1)
        check_stale(run, act);
    else
        check_pages(run, act);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_unlock2(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, 0);
    NTSTATUS status = vidmm_unlock2(live->handle, &run->report);

    if (status == STATUS_SUCCESS && --live->locks == 0)
        live->bytes = NULL;
    return status;
}
