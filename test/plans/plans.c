/* plans.c: every event that the engine takes in, and every operation it answers with, as text.
 *
 *     pump, model, corpus --- vidmm_step() --> the function below --> the engine's vidmm_step()
 *                                                 |
 *                                                 '--> the file named by VIDMM_PLANS
 *
 * Programs of the tests are linked a second time with this source and the linker's --wrap: the
 * sources of the manager know nothing of it. Two builds that decide alike write the same bytes;
 * tools/compare-builds compares them.
 */
#include <stdio.h>
#include <stdlib.h>

#include <vidmm/engine.h>

#include "trace/events.h"

/* The linker's names: __real_x is the x of the library, and callers of x come to __wrap_x. */
NTSTATUS __real_vidmm_step(struct vidmm_engine *engine, const struct vidmm_event *event,
                           struct vidmm_plan *plan);
NTSTATUS __wrap_vidmm_step(struct vidmm_engine *engine, const struct vidmm_event *event,
                           struct vidmm_plan *plan);
struct vidmm_engine *__real_vidmm_engine_create(const struct vidmm_engine_config *config,
                                                const struct vidmm_memory *memory);
struct vidmm_engine *__wrap_vidmm_engine_create(const struct vidmm_engine_config *config,
                                                const struct vidmm_memory *memory);

static FILE *file;
static uint64_t number; /* of the event, over all engines of the program */

static FILE *plans(void)
{
    const char *name = getenv("VIDMM_PLANS");

    if (file != NULL)
        return file;
    file = name != NULL ? fopen(name, "w") : NULL;
    if (file == NULL) {
        fprintf(stderr, "expected in VIDMM_PLANS the name of a file to write plans to\n");
        exit(2);
    }
    return file;
}

struct vidmm_engine *__wrap_vidmm_engine_create(const struct vidmm_engine_config *config,
                                                const struct vidmm_memory *memory)
{
    vidmm_events_write_config(plans(), config);
    return __real_vidmm_engine_create(config, memory);
}

NTSTATUS __wrap_vidmm_step(struct vidmm_engine *engine, const struct vidmm_event *event,
                           struct vidmm_plan *plan)
{
    NTSTATUS status;

    if (event != NULL) {
        number++;
        vidmm_events_write(plans(), event);
    }
    status = __real_vidmm_step(engine, event, plan);
    for (uint32_t i = 0; i < plan->count; i++)
        vidmm_events_write_operation(plans(), number, &plan->operations[i]);
    fprintf(plans(), "= %08x%s\n", (unsigned)status, plan->more ? " more" : "");
    return status;
}
