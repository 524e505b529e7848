#include "check/replay_picture.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <vidmm/engine.h>

#include "base/text.h"
#include "trace/chart.h"
#include "trace/chart_classes.h"
#include "trace/heap.h"
#include "trace/trace.h"

#define MIB (1024.0 * 1024.0)

/* ---- from the manager ------------------------------------------------------------------------ */

static void see_engine(void *context, const struct vidmm_engine_config *config)
{
    struct vidmm_replay_picture *picture = context;
    struct vidmm_chart_options options = {.segment_count = config->segment_count};

    if (options.segment_count > VIDMM_CHART_SEGMENTS)
        options.segment_count = VIDMM_CHART_SEGMENTS;
    for (uint32_t i = 0; i < options.segment_count; i++) {
        const struct vidmm_engine_segment *segment = &config->segments[i + 1];

        options.segments[i] = (struct vidmm_chart_segment){i + 1, segment->aperture, segment->size};
        *(segment->aperture ? &picture->aperture : &picture->memory) += segment->size;
    }
    vidmm_chart_classes(&options);
    picture->chart = vidmm_chart_create(&vidmm_heap, &options);
}

static void see_event(void *context, const struct vidmm_event *event)
{
    struct vidmm_replay_picture *picture = context;

    pthread_mutex_lock(&picture->mutex);
    if (picture->chart)
        vidmm_chart_event(picture->chart, event);
    pthread_mutex_unlock(&picture->mutex);
}

static void see_operation(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    struct vidmm_replay_picture *picture = context;

    (void)time_ns;
    pthread_mutex_lock(&picture->mutex);
    if (picture->chart)
        vidmm_chart_operation(picture->chart, operation);
    pthread_mutex_unlock(&picture->mutex);
}

/* ---- from programs --------------------------------------------------------------------------- */

static void see_allocation(void *context, uint32_t id, uint32_t index)
{
    const struct vidmm_replay_view *view = context;
    uint32_t types = view->trace->allocations[index].types;

    pthread_mutex_lock(&view->picture->mutex);
    if (view->picture->chart)
        vidmm_chart_name(view->picture->chart, id, vidmm_chart_class_of(types, view->number),
                         view->trace->allocations[index].id, false); /* the driver says where */
    pthread_mutex_unlock(&view->picture->mutex);
}

static void see_frame(void *context, uint32_t frame)
{
    const struct vidmm_replay_view *view = context;

    (void)frame;
    atomic_fetch_add(&view->picture->board->frames, 1); /* for whoever watches */
    pthread_mutex_lock(&view->picture->mutex);
    if (view->picture->chart)
        vidmm_chart_frame(view->picture->chart);
    pthread_mutex_unlock(&view->picture->mutex);
}

const struct vidmm_replay_listener *vidmm_replay_picture_view(struct vidmm_replay_picture *picture,
                                                              uint32_t program,
                                                              const struct vidmm_trace *trace)
{
    struct vidmm_replay_view *view = &picture->views[program];

    *view = (struct vidmm_replay_view){
        .listener = {view, see_allocation, see_frame}, picture, trace, program};
    return &view->listener;
}

/* ---- beginning and ending -------------------------------------------------------------------- */

bool vidmm_replay_picture_open(struct vidmm_replay_picture *picture, struct vidmm_board *board,
                               const char *path)
{
    memset(picture, 0, sizeof(*picture));
    picture->board = board;
    pthread_mutex_init(&picture->mutex, NULL);
    if (path == NULL)
        return true;
    picture->observer = (struct vidmm_observer){
        .context = picture, .event = see_event, .operation = see_operation, .engine = see_engine};
    picture->file = fopen(path, "we");
    if (picture->file == NULL)
        return vidmm_board_problem(board, "--timeline: %s cannot be written: %s", path,
                                   strerror(errno));
    picture->path = path;
    return true;
}

void vidmm_replay_picture_draw(struct vidmm_replay_picture *picture, const char *title,
                               const struct vidmm_statistics *manager)
{
    char lines[2][300];
    const struct vidmm_chart_text text = {
        .title = title, .lines = {lines[0], lines[1]}, .frame = "frame", .axis = "frames"};

    if (picture->path == NULL)
        return;
    snprintf(lines[0], sizeof(lines[0]),
             "on a driver with %.1f MiB of memory and apertures of %.1f MiB",
             (double)picture->memory / MIB, (double)picture->aperture / MIB);
    snprintf(lines[1], sizeof(lines[1]), "%.1f MiB paged in, %.1f MiB out; %s, %s",
             (double)manager->bytes_in / MIB, (double)manager->bytes_out / MIB,
             vidmm_counted(manager->page_ins, "page-in").text,
             vidmm_counted(manager->evictions, "eviction").text);
    bool whole = picture->chart != NULL && vidmm_chart_write(picture->chart, &text, picture->file);
    whole &= fclose(picture->file) == 0;
    picture->file = NULL;
    if (!whole)
        vidmm_board_problem(picture->board,
                            "--timeline: %s: no memory for it, or no room in the file",
                            picture->path);
}

void vidmm_replay_picture_close(struct vidmm_replay_picture *picture)
{
    if (picture->board == NULL)
        return;
    if (picture->file != NULL) { /* nothing ran: an empty file would look like a picture */
        fclose(picture->file);
        unlink(picture->path);
    }
    vidmm_chart_destroy(picture->chart);
    pthread_mutex_destroy(&picture->mutex);
}
