#include "tool/layout.h"

static const struct vidmm_layout_row rows[] = {
#define STRUCTURE(structure, type, size, since) {structure, "", type, "0", size, since},
#define MEMBER(structure, member, type, offset, size, since)                                       \
    {structure, member, type, offset, size, since},
#include "layout.def"
};

const struct vidmm_layout_row *vidmm_layout_row(size_t index)
{
    return index < sizeof(rows) / sizeof(rows[0]) ? &rows[index] : NULL;
}
