#include "tool/pictures.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "softgpu/config.h"
#include "tool/dialect.h"
#include "tool/progress.h"
#include "trace/again.h"
#include "trace/chart.h"
#include "trace/chart_classes.h"
#include "trace/chrome.h"
#include "trace/listed.h"
#include "trace/trace.h"

/* Real time: a simulated machine's is the number of its steps, and says nothing of how long copies
 * take. */
static uint64_t since_begin(const struct vidmm_pictures *pictures)
{
    return vidmm_clock_ns() - pictures->begun_ns;
}

/* ---- from the manager ------------------------------------------------------------------------ */

static void note_submission(struct vidmm_pictures *pictures, const struct vidmm_event *event)
{
    uint32_t buffer = event->submit.dma_buffer;

    for (uint32_t i = 0; i < pictures->program_count; i++) {
        struct vidmm_program_view *program = &pictures->programs[i];

        if (program->device != event->device)
            continue;
        if (buffer < VIDMM_PICTURES_BUFFERS) {
            pictures->buffers[buffer].device = event->device;
            pictures->buffers[buffer].submission = program->submissions;
        }
        if (pictures->chrome != NULL)
            vidmm_chrome_buffer(pictures->chrome, buffer, i);
        program->submissions++;
    }
}

static void see_engine(void *context, const struct vidmm_engine_config *config)
{
    struct vidmm_pictures *pictures = context;

    if (pictures->chart != NULL)
        vidmm_chart_engine(pictures->chart, config);
    if (pictures->chrome != NULL)
        vidmm_chrome_engine(pictures->chrome, config);
}

/* Nothing is on a list that the engine has refused. */
static void see_answer(void *context, const struct vidmm_event *event, NTSTATUS status)
{
    struct vidmm_pictures *pictures = context;

    pthread_mutex_lock(&pictures->mutex);
    if (pictures->lists != NULL && NT_SUCCESS(status) && !vidmm_lists_event(pictures->lists, event))
        vidmm_chart_give_up(pictures->chart);
    pthread_mutex_unlock(&pictures->mutex);
}

static void see_event(void *context, const struct vidmm_event *event)
{
    struct vidmm_pictures *pictures = context;

    pthread_mutex_lock(&pictures->mutex);
    if (event->kind == VIDMM_EVENT_CREATE_DEVICE)
        pictures->newest_device = event->device;
    else if (event->kind == VIDMM_EVENT_SUBMIT)
        note_submission(pictures, event);
    vidmm_again_event(pictures->again, event);
    if (pictures->chart != NULL)
        vidmm_chart_event(pictures->chart, event);
    if (pictures->chrome != NULL)
        vidmm_chrome_event(pictures->chrome, since_begin(pictures), event);
    pthread_mutex_unlock(&pictures->mutex);
}

static void note_error(struct vidmm_pictures *pictures, const struct vidmm_operation *operation)
{
    uint32_t buffer = operation->error.dma_buffer;

    if (pictures->error.seen)
        return;
    pictures->error = (struct vidmm_device_error){
        .seen = true,
        .device = operation->error.device,
        .reason = operation->error.reason,
        .needed = operation->error.needed,
    };
    if (buffer == 0 || buffer >= VIDMM_PICTURES_BUFFERS ||
        pictures->buffers[buffer].device != operation->error.device)
        return;
    pictures->error.known = true;
    pictures->error.submission = pictures->buffers[buffer].submission;
}

static void see_operation(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    struct vidmm_pictures *pictures = context;

    (void)time_ns;
    pthread_mutex_lock(&pictures->mutex);
    if (operation->kind == VIDMM_DO_ERROR)
        note_error(pictures, operation);
    vidmm_again_operation(pictures->again, operation);
    if (pictures->chart != NULL)
        vidmm_chart_operation(pictures->chart, operation);
    if (pictures->chrome != NULL)
        vidmm_chrome_operation(pictures->chrome, since_begin(pictures), operation);
    pthread_mutex_unlock(&pictures->mutex);
}

/* ---- from programs --------------------------------------------------------------------------- */

static void see_allocation(void *context, uint32_t id, uint32_t index)
{
    struct vidmm_program_view *program = context;
    struct vidmm_pictures *pictures = program->pictures;
    const struct vidmm_trace_allocation *allocation = &program->trace->allocations[index];

    pthread_mutex_lock(&pictures->mutex);
    if (pictures->chart != NULL)
        vidmm_chart_name(pictures->chart, id,
                         vidmm_chart_class_of(allocation->types, program->number), allocation->id,
                         vidmm_dialect_memory_only(pictures->dialect, allocation->types));
    if (pictures->chrome != NULL)
        vidmm_chrome_name(pictures->chrome, id, program->number, allocation->id);
    pthread_mutex_unlock(&pictures->mutex);
}

static void see_frame(void *context, uint32_t frame)
{
    struct vidmm_program_view *program = context;
    struct vidmm_pictures *pictures = program->pictures;

    pthread_mutex_lock(&pictures->mutex);
    vidmm_again_frame(pictures->again);
    if (pictures->chart != NULL)
        vidmm_chart_frame(pictures->chart);
    if (pictures->chrome != NULL)
        vidmm_chrome_frame(pictures->chrome, since_begin(pictures), program->number, frame);
    pthread_mutex_unlock(&pictures->mutex);
}

void vidmm_pictures_device(struct vidmm_pictures *pictures, uint32_t program)
{
    pictures->programs[program].device = pictures->newest_device;
}

/* ---- begin and finish ------------------------------------------------------------------------ */

static struct vidmm_chart *create_chart(const struct vidmm_memory *memory,
                                        const struct softgpu_config *config,
                                        const struct vidmm_lists *lists)
{
    struct vidmm_chart_options options = {.segment_count = config->segment_count, .lists = lists};

    for (uint32_t i = 0; i < config->segment_count && i < VIDMM_CHART_SEGMENTS; i++)
        options.segments[i] = (struct vidmm_chart_segment){
            .id = i + 1,
            .aperture = config->segments[i].kind == SOFTGPU_SEGMENT_APERTURE,
            .size = config->segments[i].size,
        };
    vidmm_chart_classes(&options);
    return vidmm_chart_create(memory, &options);
}

/* Paging buffers run on the first copy engine, or on node 0 if there is none. */
static struct vidmm_chrome *create_chrome(const struct vidmm_memory *memory,
                                          const struct softgpu_config *config,
                                          const struct vidmm_dialect *dialect,
                                          const char *const *names, uint32_t count, FILE *file)
{
    struct vidmm_chrome_options options = {
        .apertures = dialect->aperture_set,
        .node_count = config->engine_count,
        .program_count = count,
    };

    for (uint32_t i = config->engine_count; i-- > 0;) {
        bool copy = config->engines[i] == SOFTGPU_ENGINE_COPY;

        options.nodes[i] = copy ? "copy engine" : "render engine";
        if (copy)
            options.paging_node = i;
    }
    for (uint32_t i = 0; i < count; i++)
        options.programs[i] = names[i];
    return vidmm_chrome_create(memory, &options, file);
}

bool vidmm_pictures_init(struct vidmm_pictures *pictures, const struct vidmm_memory *memory,
                         const struct softgpu_config *config, const struct vidmm_dialect *dialect,
                         const struct vidmm_trace *const *traces, const char *const *names,
                         uint32_t count, bool chart, FILE *recording)
{
    memset(pictures, 0, sizeof(*pictures));
    pthread_mutex_init(&pictures->mutex, NULL);
    pictures->observer = (struct vidmm_observer){
        .context = pictures,
        .event = see_event,
        .answered = see_answer,
        .operation = see_operation,
        .engine = see_engine,
    };
    pictures->again = vidmm_again_create(memory, dialect->aperture_set);
    pictures->dialect = dialect;
    pictures->program_count = count;
    pictures->begun_ns = vidmm_clock_ns();
    for (uint32_t i = 0; i < count; i++) {
        struct vidmm_program_view *program = &pictures->programs[i];

        program->listener = (struct vidmm_replay_listener){program, see_allocation, see_frame};
        program->pictures = pictures;
        program->trace = traces[i];
        program->number = i;
    }
    if (chart && (pictures->lists = vidmm_lists_create(memory)) != NULL)
        pictures->chart = create_chart(memory, config, pictures->lists);
    if (recording != NULL)
        pictures->chrome = create_chrome(memory, config, dialect, names, count, recording);
    return pictures->again != NULL && (pictures->chart != NULL || !chart) &&
           (pictures->chrome != NULL || recording == NULL);
}

bool vidmm_pictures_finish(struct vidmm_pictures *pictures)
{
    bool whole = vidmm_chrome_finish(pictures->chrome);

    vidmm_chart_destroy(pictures->chart);
    vidmm_lists_destroy(pictures->lists);
    vidmm_again_destroy(pictures->again);
    pthread_mutex_destroy(&pictures->mutex);
    return whole;
}
