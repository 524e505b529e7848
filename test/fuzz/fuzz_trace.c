/* The trace reader, on any bytes: it answers a trace or a sentence, gives all memory back, and what
 * it accepted comes out of the writer as text that reads the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t live;

static void must(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "fuzz_trace: %s\n", what);
    abort();
}

static void *take(void *context, size_t size)
{
    (void)context;
    live++;
    return calloc(1, size);
}

static void give(void *context, void *block)
{
    (void)context;
    live--;
    free(block);
}

static const struct vidmm_memory memory = {NULL, take, give};

/* The text that the writer makes of a trace. */
static char *written(const struct vidmm_trace *trace, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);

    must(file != NULL && vidmm_trace_write(trace, file), "the writer failed");
    fclose(file);
    return text;
}

static void write_and_read(const struct vidmm_trace *trace)
{
    struct vidmm_trace_error error = {""};
    size_t size, again_size;
    char *text = written(trace, &size);
    struct vidmm_trace *again = vidmm_trace_parse(&memory, "written", text, size, &error);

    must(again != NULL, error.text);
    must(again->record_count == trace->record_count, "the writer changed the number of events");
    must(again->reference_count == trace->reference_count, "the writer changed references");
    char *text_again = written(again, &again_size);
    must(size == again_size && memcmp(text, text_again, size) == 0, "written twice, it differs");
    free(text);
    free(text_again);
    vidmm_trace_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vidmm_trace_error error = {""};
    struct vidmm_trace_statistics statistics;
    struct vidmm_trace *trace = vidmm_trace_parse(&memory, "input", data, size, &error);

    if (trace != NULL) {
        vidmm_trace_measure(trace, &statistics);
        must(statistics.peak_local_bytes <= statistics.peak_live_bytes, "more local than live");
        must(statistics.peak_live_bytes <= statistics.total_bytes, "more live than ever was");
        must(statistics.references == trace->reference_count, "references lost");
        write_and_read(trace);
    } else {
        must(error.text[0] != 0, "refused without a word");
    }
    vidmm_trace_destroy(trace);
    must(live == 0, "a block was kept");
    return 0;
}
