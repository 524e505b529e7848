/* size.c: sizes as people write them. */
#include "base/size.h"

#include <stddef.h>

#include "base/text.h"

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Digits of a base, and what stands behind them. NULL: there are none, or too many. */
static const char *read_digits(const char *at, unsigned base, uint64_t *number)
{
    const char *begin = at;

    for (*number = 0;; at++) {
        char letter = small(*at);
        uint64_t digit;

        if (is_digit(letter))
            digit = (uint64_t)(letter - '0');
        else if (base == 16 && letter >= 'a' && letter <= 'f')
            digit = (uint64_t)(letter - 'a') + 10;
        else
            return at == begin ? NULL : at;
        if (*number > (UINT64_MAX - digit) / base)
            return NULL;
        *number = *number * base + digit;
    }
}

/* The digits behind a point as a fraction of 2^shift. Behind `PLACES` they count no more. */
static const char *read_fraction(const char *at, unsigned shift, uint64_t *bytes)
{
    enum { PLACES = 6 };
    uint64_t number = 0, whole = 1;
    unsigned places;

    for (places = 0; is_digit(*at); at++, places++) {
        if (places >= PLACES)
            continue;
        number = number * 10 + (uint64_t)(*at - '0');
        whole *= 10;
    }
    *bytes = (number << shift) / whole; /* 10^6 * 2^40 has 60 bits */
    return places == 0 ? NULL : at;
}

static bool is_word(const char *at, const char *word)
{
    for (; *word; at++, word++)
        if (small(*at) != *word)
            return false;
    return *at == 0;
}

/* The unit that is all of the text. False: it is none. */
static bool read_unit(const char *at, unsigned *shift)
{
    static const char units[] = {'k', 'm', 'g', 't'};
    size_t unit;

    *shift = 0;
    if (is_word(at, "") || is_word(at, "bytes"))
        return true;
    for (unit = 0; unit < sizeof units; unit++)
        if (small(*at) == units[unit]) {
            *shift = 10 * (unsigned)(unit + 1);
            return is_word(at + 1, "") || is_word(at + 1, "ib");
        }
    return false;
}

/* The first character of the unit. */
static const char *unit_of(const char *at)
{
    if (*at == '.')
        for (at++; is_digit(*at); at++) {
        }
    return *at == ' ' ? at + 1 : at;
}

bool vidmm_size_read(const char *text, uint64_t *bytes)
{
    bool hex = text[0] == '0' && small(text[1]) == 'x';
    uint64_t number, fraction = 0;
    const char *end = read_digits(hex ? text + 2 : text, hex ? 16 : 10, &number);
    unsigned shift;

    if (!end || !read_unit(unit_of(end), &shift) || number > UINT64_MAX >> shift)
        return false;
    if (*end == '.' && (hex || shift == 0 || !read_fraction(end + 1, shift, &fraction)))
        return false;
    if (*end == ' ' && end[1] == 0)
        return false;
    *bytes = (number << shift) + fraction;
    return true;
}

struct vidmm_size_text vidmm_size_written(uint64_t bytes)
{
    static const char units[] = {'\0', 'K', 'M', 'G'};
    struct vidmm_size_text size;
    struct vidmm_text text;
    unsigned unit = 0;

    for (; bytes != 0 && bytes % 1024 == 0 && unit < 3; unit++)
        bytes /= 1024;
    vidmm_text_init(&text, size.text, sizeof size.text);
    vidmm_text_number(&text, bytes);
    if (unit != 0)
        vidmm_text_char(&text, units[unit]);
    return size;
}

/* Tenths of a unit of 2^shift bytes; half a tenth goes to the even one. */
static uint64_t tenths_of(uint64_t bytes, unsigned shift)
{
    uint64_t unit = (uint64_t)1 << shift, rest = bytes % unit * 10;
    uint64_t tenths = bytes / unit * 10 + rest / unit, over = rest % unit;

    return over > unit / 2 || (over == unit / 2 && tenths % 2 != 0) ? tenths + 1 : tenths;
}

struct vidmm_size_text vidmm_size_text(uint64_t bytes)
{
    static const char *const units[] = {" KiB", " MiB", " GiB", " TiB"};
    struct vidmm_size_text size;
    struct vidmm_text text;
    unsigned unit = 0;

    vidmm_text_init(&text, size.text, sizeof size.text);
    if (bytes < 1024) {
        vidmm_text_number(&text, bytes);
        vidmm_text_string(&text, " bytes");
        return size;
    }
    while (unit < 3 && bytes >> 10 * (unit + 2) != 0)
        unit++;
    vidmm_text_number(&text, tenths_of(bytes, 10 * (unit + 1)) / 10);
    vidmm_text_char(&text, '.');
    vidmm_text_number(&text, tenths_of(bytes, 10 * (unit + 1)) % 10);
    vidmm_text_string(&text, units[unit]);
    return size;
}
