/*
 * text.c: making one line of text in a fixed buffer.
 *
 * Invariant: if size > 0, buffer[min(length, size - 1)] is NUL.
 */
#include "base/text.h"

#include <string.h>

void vidmm_text_init(struct vidmm_text *text, char *buffer, size_t size)
{
    text->buffer = buffer;
    text->size = size;
    text->length = 0;
    if (size > 0)
        buffer[0] = '\0';
}

bool vidmm_text_truncated(const struct vidmm_text *text)
{
    return text->length >= text->size;
}

void vidmm_text_bytes(struct vidmm_text *text, const char *bytes, size_t count)
{
    if (text->length + 1 < text->size) {
        size_t room = text->size - 1 - text->length;
        size_t kept = count < room ? count : room;
        memcpy(text->buffer + text->length, bytes, kept);
        text->buffer[text->length + kept] = '\0';
    }
    text->length += count;
}

void vidmm_text_char(struct vidmm_text *text, char c)
{
    vidmm_text_bytes(text, &c, 1);
}

void vidmm_text_string(struct vidmm_text *text, const char *string)
{
    size_t count = 0;

    while (string[count] != '\0')
        count++;
    vidmm_text_bytes(text, string, count);
}

void vidmm_text_number(struct vidmm_text *text, uint64_t number)
{
    char digits[20]; /* 2^64 - 1 has 20 */
    size_t first = sizeof digits;

    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    vidmm_text_bytes(text, digits + first, sizeof digits - first);
}

void vidmm_text_signed(struct vidmm_text *text, int64_t number)
{
    if (number < 0)
        vidmm_text_char(text, '-');
    vidmm_text_number(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void vidmm_text_hex(struct vidmm_text *text, uint64_t number)
{
    char digits[18];
    size_t first = sizeof digits;

    do {
        digits[--first] = "0123456789abcdef"[number & 15];
        number >>= 4;
    } while (number != 0);
    digits[--first] = 'x';
    digits[--first] = '0';
    vidmm_text_bytes(text, digits + first, sizeof digits - first);
}

static void quoted_char(struct vidmm_text *text, char c)
{
    if (c == '"' || c == '\\') {
        vidmm_text_char(text, '\\');
        vidmm_text_char(text, c);
    } else if ((unsigned char)c < 0x20) {
        vidmm_text_string(text, "\\u00");
        vidmm_text_char(text, "0123456789abcdef"[(unsigned char)c >> 4]);
        vidmm_text_char(text, "0123456789abcdef"[c & 15]);
    } else {
        vidmm_text_char(text, c);
    }
}

void vidmm_text_quoted(struct vidmm_text *text, const char *string)
{
    vidmm_text_char(text, '"');
    for (; *string != '\0'; string++)
        quoted_char(text, *string);
    vidmm_text_char(text, '"');
}

static bool ends_in_ch(const char *noun)
{
    size_t length = 0;

    while (noun[length] != '\0')
        length++;
    return length >= 2 && noun[length - 2] == 'c' && noun[length - 1] == 'h';
}

struct vidmm_counted vidmm_counted(uint64_t number, const char *noun)
{
    struct vidmm_counted counted;
    struct vidmm_text text;

    vidmm_text_init(&text, counted.text, sizeof counted.text);
    vidmm_text_number(&text, number);
    vidmm_text_char(&text, ' ');
    vidmm_text_string(&text, noun);
    if (number != 1)
        vidmm_text_string(&text, ends_in_ch(noun) ? "es" : "s");
    return counted;
}
