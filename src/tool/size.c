#include "tool/size.h"

#include <inttypes.h>
#include <stdio.h>

#define PAGE UINT64_C(4096)

bool vidmm_size_parse(const char *text, uint64_t *size)
{
    uint64_t number = 0;
    const char *at = text;
    unsigned shift = 0;

    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');

        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    if (at == text)
        return false;
    if (*at == 'K' || *at == 'M' || *at == 'G')
        shift = *at == 'K' ? 10 : *at == 'M' ? 20 : 30, at++;
    if (*at != 0 || number > UINT64_MAX >> shift)
        return false;
    *size = (number << shift) / PAGE * PAGE;
    return true;
}

struct vidmm_size_text vidmm_size_written(uint64_t bytes)
{
    static const char units[][2] = {"", "K", "M", "G"};
    struct vidmm_size_text size;
    unsigned unit = 0;

    for (; bytes != 0 && bytes % 1024 == 0 && unit < 3; unit++)
        bytes /= 1024;
    snprintf(size.text, sizeof(size.text), "%" PRIu64 "%s", bytes, units[unit]);
    return size;
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
