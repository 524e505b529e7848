/* Traces from files and from memory. */
#include "trace/parser.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <vidmm/memory.h>
#include <unistd.h>
#include <zlib.h>

#include "trace/trace.h"

#define PIECE (128u * 1024)

static struct vidmm_trace *cannot(struct vidmm_trace_error *error, const char *path,
                                  const char *why)
{
    snprintf(error->text, sizeof(error->text), "%s: %s", path, why);
    return NULL;
}

/* zlib knows the file by its descriptor only, and begins with that. */
static const char *without_descriptor(const char *what)
{
    const char *colon = strncmp(what, "<fd:", 4) == 0 ? strstr(what, ": ") : NULL;

    return colon != NULL ? colon + 2 : what;
}

/* Feed what the file holds. A read error becomes the parser's refusal, at the line it has
 * reached. */
static void feed_all(struct vidmm_trace_parser *parser, gzFile file, char *piece)
{
    const char *what;
    int got, code;

    do {
        got = gzread(file, piece, PIECE);
        if (got > 0 && !vidmm_trace_parser_feed(parser, piece, (size_t)got))
            return;
    } while (got > 0);
    what = gzerror(file, &code);
    if (code == Z_BUF_ERROR)
        vidmm_trace_parser_refuse(parser,
                                  "after this line the compressed data end; the file is cut "
                                  "short");
    else if (code == Z_ERRNO)
        vidmm_trace_parser_refuse(parser, strerror(errno));
    else if (code != Z_OK)
        vidmm_trace_parser_refuse(parser, without_descriptor(what));
}

static struct vidmm_trace *read_stream(const struct vidmm_memory *memory, const char *path,
                                       gzFile file, struct vidmm_trace_error *error)
{
    struct vidmm_trace *trace = NULL;
    struct vidmm_trace_parser *parser;
    char *piece = memory->allocate(memory->context, PIECE);

    if (piece == NULL)
        return cannot(error, path, "no memory to read a trace");
    parser = vidmm_trace_parser_begin(memory, path, error);
    if (parser != NULL) {
        feed_all(parser, file, piece);
        trace = vidmm_trace_parser_finish(parser);
    }
    memory->free(memory->context, piece);
    return trace;
}

struct vidmm_trace *vidmm_trace_read(const struct vidmm_memory *memory, const char *path,
                                     struct vidmm_trace_error *error)
{
    struct stat status;
    int descriptor = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                            : open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0)
        return cannot(error, path, strerror(errno));
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        close(descriptor);
        return cannot(error, path, "is a folder, not a trace");
    }
    gzFile file = gzdopen(descriptor, "rb");
    if (file == NULL) {
        close(descriptor);
        return cannot(error, path, "no memory to read a trace");
    }
    struct vidmm_trace *trace = read_stream(memory, path, file, error);
    gzclose(file);
    return trace;
}

struct vidmm_trace *vidmm_trace_parse(const struct vidmm_memory *memory, const char *name,
                                      const void *text, size_t size,
                                      struct vidmm_trace_error *error)
{
    struct vidmm_trace_parser *parser = vidmm_trace_parser_begin(memory, name, error);

    if (parser == NULL)
        return NULL;
    vidmm_trace_parser_feed(parser, text, size);
    return vidmm_trace_parser_finish(parser);
}
