/* joined.h: shared objects that see one another, and that nobody else sees.
 *
 *     libdxcore.so --dlopen--> a root, made in memory, which needs ---+--> driver.so
 *                                                                     |         | calls
 *                                                                     '--> kit <'
 *
 * A driver does not say where the kernel's routines are; `vidmm` has them itself. In a program of
 * somebody else the kit must not be among the names that all objects see. The loader looks for the
 * names of an object among what the same dlopen() has brought, so that a root which needs both is
 * enough.
 *
 * Source: System V Application Binary Interface, Dynamic Linking.
 */
#ifndef VIDMM_DXCORE_JOINED_H
#define VIDMM_DXCORE_JOINED_H

#include <stdbool.h>
#include <stddef.h>

struct vidmm_joined {
    void *root, *driver, *kit; /* as dlopen() answers */
};

/* Load two files. copies: load copies of them, that share nothing with what this process has loaded
 * of the same files. False: error says why; nothing is loaded. */
bool vidmm_joined_open(struct vidmm_joined *joined, const char *driver, const char *kit,
                       bool copies, char *error, size_t error_size);

/* Load one file, or a copy of it, as dlopen() does. */
void *vidmm_joined_load(const char *path, bool copy);

#endif
