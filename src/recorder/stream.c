#include "recorder/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROOM (1u << 16)
#define LONGEST 512u /* of what is added at once */

static int file = -1;
static pid_t writer; /* a child that was forked has a file of its own */
static uint64_t start_ns;
static char buffer[ROOM];
static size_t length;

uint64_t vidmm_stream_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void vidmm_stream_begin(void)
{
    const char *folder = getenv("VIDMM_RECORD");
    char path[PATH_MAX];

    if (folder == NULL || (file >= 0 && writer == getpid()))
        return;
    if (file >= 0)
        close(file);
    writer = getpid();
    length = 0;
    start_ns = vidmm_stream_now();
    snprintf(path, sizeof(path), "%s/%ld.raw", folder, (long)writer);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        fprintf(stderr, "vidmm record: %s: %s\n", path, strerror(errno));
    vidmm_stream_more("# vidmm-recording 1\n");
}

void vidmm_stream_flush(void)
{
    size_t done = 0;

    while (file >= 0 && done < length) {
        ssize_t written = write(file, buffer + done, length - done);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            fprintf(stderr, "vidmm record: the recording cannot be written: %s\n", strerror(errno));
            close(file);
            file = -1;
            break;
        }
        done += (size_t)written;
    }
    length = 0;
}

__attribute__((format(printf, 1, 0))) static void add(const char *format, va_list arguments)
{
    if (length > ROOM - LONGEST)
        vidmm_stream_flush();
    int added = vsnprintf(buffer + length, LONGEST, format, arguments);
    if (added > 0)
        length += (size_t)added < LONGEST ? (size_t)added : LONGEST - 1;
}

void vidmm_stream_more(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
}

void vidmm_stream_event(const char *format, ...)
{
    va_list arguments;

    vidmm_stream_more("%" PRIu64 " ", (vidmm_stream_now() - start_ns) / 1000);
    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
}

void vidmm_stream_header(const char *key, const char *format, ...)
{
    char value[LONGEST - 64];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(value, sizeof(value), format, arguments);
    va_end(arguments);
    for (char *at = value; *at != 0; at++)
        if (*at < ' ' || *at > '~')
            *at = '?'; /* a trace is ASCII */
    vidmm_stream_more("# %.40s: %s\n", key, value);
}

/* The program ends by exit(). */
__attribute__((destructor)) static void finish(void)
{
    if (writer == getpid())
        vidmm_stream_flush();
}
