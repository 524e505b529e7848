/* account.c: allocations by the engine's ids, and what is told of them. */
#include "dxcore/account.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <vidmm/engine.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "contract/contract.h"
#include "dxcore/kit_module.h"
#include "recorder/stream.h"
#include "softgpu/device.h"
#include "trace/again.h"
#include "trace/chart.h"
#include "trace/chart_classes.h"
#include "trace/chart_words.h"
#include "trace/heap.h"
#include "trace/listed.h"
#include "trace/trace.h"

#define NAMED_MOST 60000u /* of a submission; the format has a limit */

struct entry {
    uint32_t number; /* in the recording, from 1; 0: it is none of the program's */
    bool written;    /* some address range lets the GPU write it */
};

struct vidmm_account {
    pthread_mutex_t mutex;
    struct vidmm_observer observer;
    struct vidmm_again *again; /* NULL: the manager has not begun, or no memory */
    struct vidmm_lists *lists;
    struct vidmm_chart *chart; /* NULL: no picture is wanted */
    struct entry *entries;     /* by the engine's id */
    uint32_t entry_room, numbers;
    uint64_t submissions, allocations, begun_ns;
    uint64_t memory, aperture; /* bytes of the driver's segments */
    uint32_t apertures;        /* bit n: segment n + 1 is one */
    uint64_t mistakes;         /* of the driver, found by the kit */
    bool short_of_memory, too_many, wants_chart;
    FILE *file, *journal;
};

/* ---- tables ---------------------------------------------------------------------------------- */

/* Have room for index `wanted`. */
static bool grow(void **array, uint32_t *room, uint32_t wanted, size_t size)
{
    uint32_t more = *room == 0 ? 64 : *room;
    void *larger;

    if (wanted < *room)
        return true;
    while (more <= wanted)
        more *= 2;
    larger = realloc(*array, more * size);
    if (larger == NULL)
        return false;
    memset((char *)larger + *room * size, 0, (more - *room) * size);
    *array = larger;
    *room = more;
    return true;
}

static struct entry *entry_of(struct vidmm_account *account, uint32_t id)
{
    if (!grow((void **)&account->entries, &account->entry_room, id, sizeof(struct entry))) {
        account->short_of_memory = true;
        return NULL;
    }
    return &account->entries[id];
}

/* ---- events ---------------------------------------------------------------------------------- */

static uint32_t types_of(const struct vidmm_account *account, const struct vidmm_wish *wish)
{
    const DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};
    uint32_t types = VIDMM_TRACE_BUFFER;

    if (wish->write_set != 0 && (wish->write_set & account->apertures) == 0)
        types |= VIDMM_TRACE_LOCAL;
    if (flags.CpuVisible)
        types |= VIDMM_TRACE_VISIBLE | VIDMM_TRACE_COHERENT;
    if (flags.Cached)
        types |= VIDMM_TRACE_CACHED;
    return types;
}

static void note_creation(struct vidmm_account *account, const struct vidmm_event *event)
{
    struct entry *entry = entry_of(account, event->create.allocation);
    uint32_t number, types;

    if (entry == NULL)
        return;
    *entry = (struct entry){0};
    if (event->create.buffer != VIDMM_BUFFER_NONE || event->create.wish.size == 0)
        return;
    number = entry->number = ++account->numbers;
    account->allocations++;
    types = types_of(account, &event->create.wish);
    if (account->chart != NULL)
        vidmm_chart_name(account->chart, event->create.allocation, vidmm_chart_class_of(types, 0),
                         number, (types & VIDMM_TRACE_LOCAL) != 0);
    vidmm_stream_event("A %" PRIu32 " %" PRIu64 " %" PRIu32 "\n", number, event->create.wish.size,
                       types);
    vidmm_stream_event("B %" PRIu32 " %" PRIu32 " 0 %" PRIu64 " b\n", number, number,
                       event->create.wish.size);
}

static void note_destruction(struct vidmm_account *account, uint32_t id)
{
    struct entry *entry = entry_of(account, id);

    if (entry == NULL || entry->number == 0)
        return;
    vidmm_stream_event("X %" PRIu32 "\n", entry->number);
    vidmm_stream_event("F %" PRIu32 "\n", entry->number);
    *entry = (struct entry){0};
}

/* A mapping that lets the GPU write. */
static void note_mapping(struct vidmm_account *account, const struct vidmm_event *event)
{
    struct entry *entry;

    if (event->addresses.state != VIDMM_ADDRESSES_MAPPED ||
        (event->addresses.access & VIDMM_ADDRESSES_WRITE) == 0)
        return;
    entry = entry_of(account, event->addresses.allocation);
    if (entry != NULL)
        entry->written = true;
}

static uint32_t name_one(struct vidmm_account *account, uint32_t id, bool write, uint32_t named)
{
    struct entry *entry = entry_of(account, id);

    if (entry == NULL || entry->number == 0)
        return named;
    if (named == NAMED_MOST) {
        account->too_many = true;
        return named;
    }
    vidmm_stream_more(" %" PRIu32 ":%c", entry->number, write || entry->written ? 'W' : 'R');
    return named + 1;
}

static void note_submission(struct vidmm_account *account, const struct vidmm_event *event)
{
    uint32_t named = 0, count;
    const uint32_t *listed = vidmm_lists_of(account->lists, event->device, &count);

    account->submissions++;
    vidmm_stream_event("S %" PRIu32, event->submit.node % VIDMM_TRACE_QUEUES);
    for (uint32_t i = 0; i < count; i++)
        named = name_one(account, listed[i], false, named);
    for (uint32_t i = 0; i < event->submit.reference_count; i++) {
        const struct vidmm_reference *reference = &event->submit.references[i];

        if (!vidmm_lists_have(account->lists, event->device, reference->allocation))
            named = name_one(account, reference->allocation, reference->write != 0, named);
    }
    vidmm_stream_more("\n");
    vidmm_stream_flush();
    if (account->again != NULL)
        vidmm_again_frame(account->again);
    if (account->chart != NULL)
        vidmm_chart_frame(account->chart);
}

static void take(struct vidmm_account *account, const struct vidmm_event *event)
{
    switch (event->kind) {
    case VIDMM_EVENT_CREATE_ALLOCATION:
        note_creation(account, event);
        break;
    case VIDMM_EVENT_DESTROY_ALLOCATION:
    case VIDMM_EVENT_DESTROY_AT_ONCE:
        note_destruction(account, event->destroy.allocation);
        break;
    case VIDMM_EVENT_MAP_ADDRESSES:
    case VIDMM_EVENT_UPDATE_ADDRESSES:
        note_mapping(account, event);
        break;
    case VIDMM_EVENT_SUBMIT:
        note_submission(account, event);
        break;
    default:
        break;
    }
}

static void see_event(void *context, const struct vidmm_event *event)
{
    struct vidmm_account *account = context;

    pthread_mutex_lock(&account->mutex);
    if (account->again != NULL)
        vidmm_again_event(account->again, event);
    if (account->chart != NULL)
        vidmm_chart_event(account->chart, event);
    pthread_mutex_unlock(&account->mutex);
}

/* The manager has learnt the driver's segments: counting begins, and the picture, if one is
 * wanted. */
static void see_engine(void *context, const struct vidmm_engine_config *config)
{
    struct vidmm_account *account = context;
    struct vidmm_chart_options options = {.lists = account->lists};

    for (uint32_t i = 0; i < config->segment_count; i++) {
        const struct vidmm_engine_segment *segment = &config->segments[i + 1];

        *(segment->aperture ? &account->aperture : &account->memory) += segment->size;
        account->apertures |= segment->aperture ? 1u << i : 0;
        if (i < VIDMM_CHART_SEGMENTS)
            options.segments[options.segment_count++] =
                (struct vidmm_chart_segment){i + 1, segment->aperture, segment->size};
    }
    account->again = vidmm_again_create(&vidmm_heap, account->apertures);
    vidmm_chart_classes(&options);
    if (account->wants_chart)
        account->chart = vidmm_chart_create(&vidmm_heap, &options);
    account->short_of_memory |=
        account->again == NULL || (account->wants_chart && account->chart == NULL);
    if (account->chart != NULL)
        vidmm_chart_engine(account->chart, config);
}

/* Nothing has happened that the engine has refused. */
static void see_answer(void *context, const struct vidmm_event *event, NTSTATUS status)
{
    struct vidmm_account *account = context;

    if (!NT_SUCCESS(status))
        return;
    pthread_mutex_lock(&account->mutex);
    account->short_of_memory |= !vidmm_lists_event(account->lists, event);
    take(account, event);
    pthread_mutex_unlock(&account->mutex);
}

static void see_operation(void *context, uint64_t time_ns, const struct vidmm_operation *operation)
{
    struct vidmm_account *account = context;

    (void)time_ns;
    pthread_mutex_lock(&account->mutex);
    if (account->again != NULL)
        vidmm_again_operation(account->again, operation);
    if (account->chart != NULL)
        vidmm_chart_operation(account->chart, operation);
    pthread_mutex_unlock(&account->mutex);
}

/* ---- begin ----------------------------------------------------------------------------------- */

static FILE *open_file(const char *folder, const char *end)
{
    char path[PATH_MAX];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%ld.%s", folder, (long)getpid(), end);
    file = fopen(path, "we");
    if (file == NULL)
        fprintf(stderr, "libdxcore: %s: %s\n", path, strerror(errno));
    return file;
}

bool vidmm_account_is_wanted(void)
{
    return getenv("VIDMM_RUN") != NULL && getenv("VIDMM_RECORD") != NULL;
}

struct vidmm_account *vidmm_account_create(void)
{
    const char *folder = getenv("VIDMM_RECORD");
    struct vidmm_account *account;

    account = calloc(1, sizeof(*account));
    if (account == NULL || pthread_mutex_init(&account->mutex, NULL) != 0) {
        free(account);
        return NULL;
    }
    account->lists = vidmm_lists_create(&vidmm_heap);
    account->wants_chart = getenv("VIDMM_RUN_TIMELINE") != NULL;
    account->file = open_file(folder, "account");
    if (getenv("VIDMM_RUN_JOURNAL") != NULL)
        account->journal = open_file(folder, "journal");
    if (account->lists == NULL || account->file == NULL) {
        vidmm_account_finish(account, NULL);
        return NULL;
    }
    account->begun_ns = vidmm_stream_now();
    account->observer = (struct vidmm_observer){
        .context = account,
        .event = see_event,
        .answered = see_answer,
        .operation = see_operation,
        .engine = see_engine,
    };
    vidmm_stream_begin();
    vidmm_stream_header("app", "%s", program_invocation_short_name);
    vidmm_stream_header("references", "the residency list of the device that submits");
    return account;
}

const struct vidmm_observer *vidmm_account_observer(struct vidmm_account *account)
{
    return account != NULL ? &account->observer : NULL;
}

void *vidmm_account_journal(struct vidmm_account *account)
{
    return account != NULL ? account->journal : NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void put(struct vidmm_account *account, const char *key, uint64_t number)
{
    fprintf(account->file, "%s %" PRIu64 "\n", key, number);
}

/* A fact in words, on one line. */
static void put_text(struct vidmm_account *account, const char *key, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(account->file, "%s ", key);
    for (; *text != '\0'; text++)
        fputc(*text == '\n' ? ' ' : *text, account->file);
    fputc('\n', account->file);
}

void vidmm_account_miss(struct vidmm_account *account, const char *name, uint64_t count)
{
    if (account != NULL && count != 0)
        fprintf(account->file, "missed D3DKMT%s %" PRIu64 "\n", name, count);
}

static void put_manager(struct vidmm_account *account, const struct vidmm_statistics *m)
{
    put(account, "bytes_in", m->bytes_in);
    put(account, "bytes_out", m->bytes_out);
    put(account, "bytes_filled", m->bytes_filled);
    put(account, "bytes_discarded", m->bytes_discarded);
    put(account, "bytes_decommitted", m->bytes_decommitted);
    put(account, "page_ins", m->page_ins);
    put(account, "evictions", m->evictions);
    put(account, "compactions", m->compactions);
    put(account, "paging_operations", m->paging_operations);
    put(account, "paging_buffers", m->paging_buffers);
    put(account, "findings", m->findings);
    put(account, "resident_most", m->resident_most);
    put(account, "table_bytes_most", m->table_bytes_most);
    put(account, "paging_table_bytes", m->paging_table_bytes);
    put(account, "table_evictions", m->table_evictions);
}

static void put_findings(struct vidmm_account *account, const struct vidmm_adapter *adapter)
{
    struct vidmm_finding finding;
    char text[900];

    for (uint32_t i = 0; vidmm_adapter_finding(adapter, i, &finding); i++) {
        snprintf(text, sizeof(text), "%s %s %s, %" PRIu64 " times: %s", finding.party,
                 finding.warning ? "is warned of" : "breaks", finding.rule, finding.count,
                 finding.first);
        put_text(account, "finding", text);
    }
}

/* Draw the picture. Its clock is the submission, and so are its frames. */
static void draw(struct vidmm_account *account, const struct vidmm_statistics *manager,
                 uint64_t mismatches)
{
    struct vidmm_chart_facts facts = {
        .title = program_invocation_short_name,
        .memory = account->memory,
        .aperture = account->aperture,
        .frames = account->submissions,
        .submissions = account->submissions,
        .manager = manager,
        .mismatches = mismatches,
    };
    struct vidmm_chart_text text = {.frame = "submission", .axis = "submissions"};
    struct vidmm_chart_words words;
    FILE *file;

    if (account->chart == NULL || account->submissions == 0)
        return;
    file = open_file(getenv("VIDMM_RECORD"), "svg");
    if (file == NULL)
        return;
    vidmm_chart_peaks(account->chart, &facts.wanted, &facts.needed);
    vidmm_chart_say(&facts, &words, &text);
    bool whole = vidmm_chart_write(account->chart, &text, file);
    whole &= fclose(file) == 0;
    if (!whole)
        put_text(account, "problem", "the timeline: no memory for it, or no room in the file");
}

void vidmm_account_count(struct vidmm_account *account, const struct vidmm_adapter *adapter,
                         const struct softgpu_device *gpu)
{
    struct vidmm_again_count again = {0};
    struct softgpu_statistics device = {0};
    struct vidmm_statistics manager;

    if (account == NULL)
        return;
    vidmm_adapter_statistics(adapter, &manager); /* the adapter's lock comes before the mutex */
    if (gpu != NULL)
        softgpu_device_statistics(gpu, &device);
    put_findings(account, adapter);
    pthread_mutex_lock(&account->mutex);
    put_text(account, "app", program_invocation_short_name);
    put(account, "wall_ns", vidmm_stream_now() - account->begun_ns);
    put(account, "submissions", account->submissions);
    put(account, "allocations", account->allocations);
    put(account, "memory_bytes", account->memory);
    put(account, "aperture_bytes", account->aperture);
    put_manager(account, &manager);
    if (account->short_of_memory || !vidmm_again_counted(account->again, &again))
        put_text(account, "problem", "there was no memory to count and record everything");
    if (account->too_many)
        put_text(account, "problem", "a submission names more than a recording has room for");
    put(account, "bytes_again", again.bytes_again);
    put(account, "frames_held", again.frames_held);
    put(account, "checks", device.content_checks);
    put(account, "content_sum", device.content_sum);
    put(account, "content_pages", device.content_pages);
    put(account, "mismatches", device.content_mismatches);
    put_text(account, "mismatch", device.mismatch);
    put(account, "faults", device.faults);
    put_text(account, "fault", device.fault);
    put(account, "page_faults", device.page_faults);
    draw(account, &manager, device.content_mismatches);
    vidmm_stream_flush();
    pthread_mutex_unlock(&account->mutex);
}

void vidmm_account_kit(struct vidmm_account *account, const struct vidmm_kit_seen *seen)
{
    char text[600];

    if (account == NULL)
        return;
    snprintf(text, sizeof(text), "KMD %s %s, %" PRIu64 " times: %s",
             seen->warning ? "is warned of" : "breaks", seen->id, seen->count, seen->first);
    put_text(account, "finding", text);
    account->mistakes += seen->warning ? 0 : seen->count;
}

/* The buffer of the file, with all that comes at the end, is lost with the process. */
void vidmm_account_fell(struct vidmm_account *account, const char *text)
{
    char line[800];
    int length = snprintf(line, sizeof(line), "fell %s\n", text);
    ssize_t written;

    if (account == NULL)
        return;
    written = write(fileno(account->file), line, (size_t)length);
    (void)written;
}

void vidmm_account_level(struct vidmm_account *account, uint32_t wddm)
{
    if (account != NULL)
        put(account, "wddm", wddm);
}

void vidmm_account_refuse(struct vidmm_account *account, const char *why)
{
    if (account != NULL)
        put_text(account, "refused", why);
}

static void append_report(void *context, const char *text, size_t length)
{
    fwrite(text, 1, length, context);
}

static void judge(struct vidmm_account *account, struct vidmm_tap *tap)
{
    put(account, "violations", vidmm_tap_violations(tap));
    put(account, "mistakes", account->mistakes);
    if (!vidmm_tap_complete(tap))
        put_text(account, "problem", "the auditor ran out of memory");
    fprintf(account->file, "end\n");
    vidmm_tap_report(tap, VIDMM_REPORT_TEXT, append_report, account->file);
}

void vidmm_account_break_off(struct vidmm_account *account, struct vidmm_tap *tap)
{
    if (account == NULL || tap == NULL)
        return;
    put(account, "inside", 1);
    judge(account, tap);
    fflush(account->file);
    if (account->journal != NULL)
        fflush(account->journal);
}

void vidmm_account_finish(struct vidmm_account *account, struct vidmm_tap *tap)
{
    if (account == NULL)
        return;
    if (tap != NULL)
        judge(account, tap);
    if (account->file != NULL)
        fclose(account->file);
    if (account->journal != NULL)
        fclose(account->journal);
    free(account->entries);
    vidmm_chart_destroy(account->chart);
    vidmm_lists_destroy(account->lists);
    vidmm_again_destroy(account->again);
    pthread_mutex_destroy(&account->mutex);
    free(account);
}
