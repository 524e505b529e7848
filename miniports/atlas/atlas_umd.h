/* atlas_umd.h: the words between the user-mode driver and the miniport. Commands need none: they
 * are the GPU's own (atlas_hw.h), lie at an address of the program, and cannot do it any harm that
 * it could not do itself. */
#ifndef ATLAS_UMD_H
#define ATLAS_UMD_H

#include <stdint.h>

/* Private data of an allocation. */
struct atlas_private {
    uint32_t magic; /* ATLAS_PRIVATE_MAGIC */
    uint32_t flags; /* ATLAS_PRIVATE_... */
    uint64_t size;  /* bytes */
};

enum {
    ATLAS_PRIVATE_MAGIC = 0x50474E41,
    ATLAS_PRIVATE_VISIBLE = 1 /* memory of the program, which the GPU sees */
};

#endif
