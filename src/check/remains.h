/* remains.h: processes that are left when the one that made them has ended. */
#ifndef CHECK_REMAINS_H
#define CHECK_REMAINS_H

#include <stddef.h>
#include <sys/types.h>

#define VIDMM_REMAINS_SPARED 64u

struct vidmm_remains_spared {
    pid_t process[VIDMM_REMAINS_SPARED];
    unsigned count;
};

/* From now on orphans below this process become its children. Spared is who is one now. */
void vidmm_remains_adopt(struct vidmm_remains_spared *spared);

/* End all children of this process but those that are spared (NULL: none), and what they made.
 * Answers how many there were that a driver can have made; `name`: of one. */
unsigned vidmm_remains_end(const struct vidmm_remains_spared *spared, char *name, size_t size);

#endif
