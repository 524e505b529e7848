/* posix_file.h: whole files, read at once and written so that nobody sees half of one.
 *
 * A refusal is a sentence "PATH: why" in error, cut to error_size bytes; error may be NULL.
 */
#ifndef VIDMM_HOST_POSIX_FILE_H
#define VIDMM_HOST_POSIX_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Read a file, pipe or device to its end.
 *
 * limit: most bytes accepted. size: receives how many there are.
 * The caller frees what is answered; a zero byte that does not count stands behind the last one, so
 * that text is a string. NULL: it cannot be read, is larger than limit, or there is no memory.
 */
void *vidmm_file_read(const char *path, size_t limit, size_t *size, char *error, size_t error_size);

/*
 * Write a file anew: beside it, under a name of its own, then in its place in one step. A path that
 * is no regular file (a device, a pipe, a link) is written to as it is. False: it cannot be
 * written; the file at path is as it was, if it was one.
 */
bool vidmm_file_write(const char *path, const void *bytes, size_t size, char *error,
                      size_t error_size);

#endif
