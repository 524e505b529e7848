/* posix_file.c: whole files by system calls. */
#include "host/posix_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 65536, ALL_MAY_READ_AND_WRITE = 0666 };

static void say(char *error, size_t error_size, const char *path, const char *why)
{
    if (error != NULL && error_size > 0)
        snprintf(error, error_size, "%s: %s", path, why);
}

/* Read until the end, or one byte more than limit. NULL: errno says why. */
static char *read_all(int file, size_t limit, size_t *size)
{
    size_t capacity = FIRST_CAPACITY, used = 0;
    char *bytes = malloc(capacity + 1);

    while (bytes != NULL) {
        ssize_t part = read(file, bytes + used, capacity - used);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            break;
        used += (size_t)part;
        if (part == 0 || used > limit) {
            bytes[used] = '\0';
            *size = used;
            return bytes;
        }
        if (used == capacity) {
            char *larger = realloc(bytes, 2 * capacity + 1);
            if (larger == NULL)
                break;
            bytes = larger;
            capacity *= 2;
        }
    }
    free(bytes);
    return NULL;
}

void *vidmm_file_read(const char *path, size_t limit, size_t *size, char *error, size_t error_size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = file >= 0 ? read_all(file, limit, size) : NULL;

    if (bytes == NULL)
        say(error, error_size, path, strerror(errno));
    if (file >= 0)
        close(file);
    if (bytes != NULL && *size > limit) {
        char why[64];
        snprintf(why, sizeof(why), "larger than %zu bytes", limit);
        say(error, error_size, path, why);
        free(bytes);
        return NULL;
    }
    return bytes;
}

/* Write all and close, whatever happens. False: errno says why. */
static bool write_and_close(int file, const char *bytes, size_t size)
{
    bool written = true;

    while (size > 0 && written) {
        ssize_t part = write(file, bytes, size);
        if (part >= 0) {
            bytes += part;
            size -= (size_t)part;
        } else {
            written = errno == EINTR;
        }
    }
    int reason = errno;
    bool closed = close(file) == 0;
    if (!written)
        errno = reason;
    return written && closed;
}

static bool is_special(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Write under another name, then rename. False: errno says why. */
static bool replace(const char *path, const void *bytes, size_t size)
{
    size_t length = strlen(path) + 32;
    char *beside = malloc(length);

    if (beside == NULL)
        return false;
    snprintf(beside, length, "%s.%ld.new", path, (long)getpid());
    int file =
        open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, ALL_MAY_READ_AND_WRITE);
    bool replaced = file >= 0 && write_and_close(file, bytes, size) && rename(beside, path) == 0;
    if (!replaced && file >= 0) {
        int reason = errno;
        unlink(beside);
        errno = reason;
    }
    free(beside);
    return replaced;
}

bool vidmm_file_write(const char *path, const void *bytes, size_t size, char *error,
                      size_t error_size)
{
    bool written;

    if (is_special(path)) {
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ALL_MAY_READ_AND_WRITE);
        written = file >= 0 && write_and_close(file, bytes, size);
    } else {
        written = replace(path, bytes, size);
    }
    if (!written)
        say(error, error_size, path, strerror(errno));
    return written;
}
