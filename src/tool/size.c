#include "tool/size.h"

#include <vidmm/page.h>

bool vidmm_size_parse(const char *text, uint64_t *size)
{
    uint64_t bytes;

    if (!vidmm_size_read(text, &bytes))
        return false;
    *size = bytes / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE;
    return true;
}
