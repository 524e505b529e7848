/* level.c: the table of levels.def. */
#include "wddm/level.h"

static const struct vidmm_level levels[] = {
#define LEVEL(major, minor, version, driver_size, interface_size, caps_size)                       \
    {VIDMM_LEVEL(major, minor), version, driver_size, interface_size, caps_size},
#include "wddm/levels.def"
#undef LEVEL
};

const struct vidmm_level *vidmm_level_find(uint32_t version)
{
    const struct vidmm_level *found = NULL;

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (levels[i].version <= version)
            found = &levels[i];
    return found;
}

size_t vidmm_level_caps_size(uint16_t level)
{
    size_t i = sizeof levels / sizeof levels[0] - 1;

    while (i > 0 && levels[i].level > level)
        i--;
    return levels[i].caps_size;
}
