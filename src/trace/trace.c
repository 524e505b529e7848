/* Uses of a trace once it is in memory: measure it, write it, let it go. */
#include "trace/trace.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"

#define PAGE UINT64_C(4096)

static const char *const type_names[VIDMM_TRACE_TYPES] = {
    "local",  "visible", "coherent", "cached", "dedicated",
    "import", "export",  "buffer",   "image",  "swapchain",
};

const char *vidmm_trace_type_name(uint32_t bit)
{
    return bit < VIDMM_TRACE_TYPES ? type_names[bit] : "?";
}

void vidmm_trace_destroy(struct vidmm_trace *trace)
{
    if (trace == NULL)
        return;
    struct vidmm_memory memory = trace->memory;
    for (uint32_t i = 0; i < trace->header_count; i++)
        memory.free(memory.context, (void *)(uintptr_t)trace->headers[i].key);
    void *const blocks[] = {trace->records, trace->allocations, trace->references, trace->headers,
                            trace};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (blocks[i] != NULL)
            memory.free(memory.context, blocks[i]);
}

const char *vidmm_trace_header(const struct vidmm_trace *trace, const char *key)
{
    for (uint32_t i = 0; i < trace->header_count; i++)
        if (strcmp(trace->headers[i].key, key) == 0)
            return trace->headers[i].value;
    return NULL;
}

/* For records that name an allocation; the others have none to point at. */
static const struct vidmm_trace_allocation *allocation_of(const struct vidmm_trace *trace,
                                                          const struct vidmm_trace_record *record)
{
    VIDMM_ASSERT(record->allocation < trace->allocation_count);
    return &trace->allocations[record->allocation];
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_types(uint32_t types, FILE *file)
{
    const char *comma = "";

    if (types == 0)
        fputs("none", file);
    for (uint32_t bit = 0; bit < VIDMM_TRACE_TYPES; bit++) {
        if ((types >> bit & 1) == 0)
            continue;
        fprintf(file, "%s%s", comma, type_names[bit]);
        comma = ",";
    }
}

static void write_references(const struct vidmm_trace *trace,
                             const struct vidmm_trace_record *submit, FILE *file)
{
    for (uint32_t i = 0; i < submit->submit.count; i++) {
        struct vidmm_trace_reference reference = trace->references[submit->submit.first + i];

        fprintf(file, " %" PRIu32 ":%c", trace->allocations[reference.allocation].id,
                reference.write ? 'W' : 'R');
    }
}

static void write_record(const struct vidmm_trace *trace, const struct vidmm_trace_record *record,
                         FILE *file)
{
    fprintf(file, "%" PRIu64 " %c", record->time_us, record->op);
    switch (record->op) {
    case VIDMM_TRACE_ALLOCATE:
        fprintf(file, " %" PRIu32 " %" PRIu64 " ", allocation_of(trace, record)->id,
                allocation_of(trace, record)->size);
        write_types(allocation_of(trace, record)->types, file);
        break;
    case VIDMM_TRACE_FREE:
    case VIDMM_TRACE_MAP:
    case VIDMM_TRACE_UNMAP:
        fprintf(file, " %" PRIu32, allocation_of(trace, record)->id);
        break;
    case VIDMM_TRACE_WRITE:
        fprintf(file, " %" PRIu32 " %" PRIu64 " %" PRIu64, allocation_of(trace, record)->id,
                record->write.offset, record->write.size);
        break;
    case VIDMM_TRACE_SUBMIT:
        fprintf(file, " %u %" PRIu32, record->queue, record->submit.count);
        write_references(trace, record, file);
        break;
    case VIDMM_TRACE_COMPLETE:
        fprintf(file, " %u", record->queue);
        break;
    case VIDMM_TRACE_COMPLETE_TO:
        fprintf(file, " %u %" PRIu32, record->queue, record->complete.submissions - 1);
        break;
    default: /* PRESENT */
        break;
    }
    fputc('\n', file);
}

bool vidmm_trace_write(const struct vidmm_trace *trace, FILE *file)
{
    fputs("# vidmm-trace 1\n", file);
    for (uint32_t i = 0; i < trace->header_count; i++)
        fprintf(file, "# %s: %s\n", trace->headers[i].key, trace->headers[i].value);
    for (uint32_t i = 0; i < trace->record_count; i++)
        write_record(trace, trace->records + i, file);
    return fflush(file) == 0 && !ferror(file);
}

/* ---- measuring ------------------------------------------------------------------------------- */

uint64_t vidmm_trace_submission_bytes(const struct vidmm_trace *trace,
                                      const struct vidmm_trace_record *submit)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < submit->submit.count; i++) {
        uint32_t index = trace->references[submit->submit.first + i].allocation;
        const struct vidmm_trace_allocation *allocation = trace->allocations + index;

        if (allocation->types & VIDMM_TRACE_LOCAL)
            bytes += (allocation->size + PAGE - 1) / PAGE * PAGE;
    }
    return bytes;
}

static void measure_submission(const struct vidmm_trace *trace,
                               const struct vidmm_trace_record *record, uint64_t presents,
                               struct vidmm_trace_statistics *s)
{
    uint64_t bytes = vidmm_trace_submission_bytes(trace, record);

    if (bytes > s->largest_submission_bytes) {
        s->largest_submission_bytes = bytes;
        s->largest_submission = (uint32_t)s->submissions;
        s->largest_submission_line = record->line;
        s->largest_submission_frame = (uint32_t)(trace->presents ? presents : s->submissions);
    }
    s->submissions++;
    s->references += record->submit.count;
}

/* The allocations that are live while the records are gone through. */
struct live {
    uint64_t bytes, local_bytes, presents;
};

static void measure_allocate(const struct vidmm_trace_allocation *allocation, struct live *live,
                             struct vidmm_trace_statistics *s)
{
    s->allocations++;
    s->total_bytes += allocation->size;
    live->bytes += allocation->size;
    if (allocation->types & VIDMM_TRACE_LOCAL)
        live->local_bytes += allocation->size;
    if (live->bytes > s->peak_live_bytes)
        s->peak_live_bytes = live->bytes;
    if (live->local_bytes > s->peak_local_bytes)
        s->peak_local_bytes = live->local_bytes;
}

static void measure_free(const struct vidmm_trace_allocation *allocation, struct live *live,
                         struct vidmm_trace_statistics *s)
{
    s->frees++;
    VIDMM_ASSERT(live->bytes >= allocation->size);
    live->bytes -= allocation->size;
    if (allocation->types & VIDMM_TRACE_LOCAL)
        live->local_bytes -= allocation->size;
}

static void measure_record(const struct vidmm_trace *trace, const struct vidmm_trace_record *record,
                           struct live *live, struct vidmm_trace_statistics *s)
{
    switch (record->op) {
    case VIDMM_TRACE_ALLOCATE:
        measure_allocate(allocation_of(trace, record), live, s);
        break;
    case VIDMM_TRACE_FREE:
        measure_free(allocation_of(trace, record), live, s);
        break;
    case VIDMM_TRACE_MAP:
        s->maps++;
        break;
    case VIDMM_TRACE_UNMAP:
        s->unmaps++;
        break;
    case VIDMM_TRACE_WRITE:
        s->writes++;
        s->written_bytes += record->write.size;
        break;
    case VIDMM_TRACE_SUBMIT:
        measure_submission(trace, record, live->presents, s);
        break;
    case VIDMM_TRACE_PRESENT:
        live->presents++;
        break;
    default:
        s->completions++;
        break;
    }
}

void vidmm_trace_measure(const struct vidmm_trace *trace, struct vidmm_trace_statistics *statistics)
{
    struct live live = {0, 0, 0};

    *statistics = (struct vidmm_trace_statistics){0};
    for (uint32_t i = 0; i < trace->record_count; i++)
        measure_record(trace, &trace->records[i], &live, statistics);
    statistics->frames = trace->presents ? live.presents : statistics->submissions;
    if (trace->record_count > 0)
        statistics->duration_us = trace->records[trace->record_count - 1].time_us;
}

void vidmm_trace_mark_writers(struct vidmm_trace *trace)
{
    for (uint32_t i = 0; i < trace->record_count; i++)
        if (trace->records[i].op == VIDMM_TRACE_WRITE)
            trace->allocations[trace->records[i].allocation].types |= VIDMM_TRACE_CPU_WRITES;
    for (uint32_t i = 0; i < trace->reference_count; i++)
        if (trace->references[i].write != 0)
            trace->allocations[trace->references[i].allocation].types |= VIDMM_TRACE_GPU_WRITES;
}

uint64_t vidmm_trace_least_memory(const struct vidmm_trace *trace)
{
    uint64_t least = 0;

    for (uint32_t i = 0; i < trace->record_count; i++)
        if (trace->records[i].op == VIDMM_TRACE_SUBMIT) {
            uint64_t bytes = vidmm_trace_submission_bytes(trace, &trace->records[i]);

            least = bytes > least ? bytes : least;
        }
    for (uint32_t i = 0; i < trace->allocation_count; i++)
        if ((trace->allocations[i].types & VIDMM_TRACE_LOCAL) && trace->allocations[i].size > least)
            least = trace->allocations[i].size;
    return (least + PAGE - 1) / PAGE * PAGE;
}
