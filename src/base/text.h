/*
 * text.h: making one line of text in a fixed buffer.
 *
 *     char line[256];
 *     struct vidmm_text text;
 *     vidmm_text_init(&text, line, sizeof line);
 *     vidmm_text_string(&text, "segment ");
 *     vidmm_text_number(&text, 2);           line is "segment 2", text.length is 9
 *
 * Text that does not fit is counted and dropped, as snprintf does it: `length` is the length of the
 * whole text, and the buffer always ends in a NUL. So a text can be measured with a buffer of size
 * 0, and a caller that wants all of it makes room for length + 1 bytes and prints once more.
 *
 * Nothing here allocates, waits, fails or calls libc (memcpy apart): it links into a kernel.
 * The caller owns the struct and the buffer.
 */
#ifndef VIDMM_BASE_TEXT_H
#define VIDMM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_text {
    char *buffer;  /* NUL-terminated unless size is 0 */
    size_t size;   /* bytes of the buffer, the NUL included */
    size_t length; /* bytes that the text needs, the NUL not included */
};

/* Begin an empty text in `buffer`. A size of 0 only measures; buffer may then be NULL. */
void vidmm_text_init(struct vidmm_text *text, char *buffer, size_t size);

/* True if something was dropped for want of room. */
bool vidmm_text_truncated(const struct vidmm_text *text);

/* Append one character, `count` bytes, or a NUL-terminated string. */
void vidmm_text_char(struct vidmm_text *text, char c);
void vidmm_text_bytes(struct vidmm_text *text, const char *bytes, size_t count);
void vidmm_text_string(struct vidmm_text *text, const char *string);

/* Append a number: decimal, signed decimal, or hexadecimal as 0x1f. */
void vidmm_text_number(struct vidmm_text *text, uint64_t number);
void vidmm_text_signed(struct vidmm_text *text, int64_t number);
void vidmm_text_hex(struct vidmm_text *text, uint64_t number);

/* Append `string` as a JSON string, quotes included. Bytes of 0x80 and above go through as they
 * are: the string is UTF-8, as is the JSON text. */
void vidmm_text_quoted(struct vidmm_text *text, const char *string);

/* A number and its noun, with an s unless it is one: "1 eviction", "2 evictions", "0
 * mismatches". Characters that do not fit are dropped. */
struct vidmm_counted {
    char text[48];
};
struct vidmm_counted vidmm_counted(uint64_t number, const char *noun);

#endif
