#include "tool/size.h"

#include <inttypes.h>
#include <stdio.h>

#include <vidmm/page.h>

bool vidmm_size_parse(const char *text, uint64_t *size)
{
    uint64_t bytes;

    if (!vidmm_size_read(text, &bytes))
        return false;
    *size = bytes / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE;
    return true;
}

struct vidmm_size_text vidmm_size_text(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    struct vidmm_size_text size;
    double value = (double)bytes / 1024;
    unsigned unit = 0;

    for (; value >= 1024 && unit < 3; unit++)
        value /= 1024;
    if (bytes < 1024)
        snprintf(size.text, sizeof(size.text), "%" PRIu64 " bytes", bytes);
    else
        snprintf(size.text, sizeof(size.text), "%.1f %s", value, units[unit]);
    return size;
}
