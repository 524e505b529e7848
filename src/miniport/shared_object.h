/* shared_object.h: is a file a shared object that can be loaded?
 *
 * The dynamic linker maps what the headers promise; where the file ends before that, the first
 * touch is a signal and not an error. So the promise is looked at first. Source: System V ABI,
 * ELF-64 object files.
 */
#ifndef VIDMM_MINIPORT_SHARED_OBJECT_H
#define VIDMM_MINIPORT_SHARED_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/* Look at the headers. False: `error` (`room` bytes) says why it cannot be loaded: there is no such
 * file, it is a folder, it is no shared object for this machine, it is cut short. */
bool vidmm_shared_object_judge(const char *path, char *error, size_t room);

#endif
