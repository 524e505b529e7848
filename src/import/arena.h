/*
 * arena.h: texts and lists of texts that live until all of them go.
 *
 * For commands that build command lines and files: everything that one run makes is kept until its
 * end. There is no answer for "no memory": the program ends with exit status 2, having said so.
 */
#ifndef VIDMM_IMPORT_ARENA_H
#define VIDMM_IMPORT_ARENA_H

#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>

struct vidmm_arena {
    struct vidmm_arena_block *blocks; /* NULL at the start: {0} is an empty arena */
    size_t taken;                     /* bytes, in all */
};

/* Zeroed bytes, aligned for anything. Never NULL. */
void *vidmm_arena_take(struct vidmm_arena *arena, size_t size);

/* The text that a printf format gives. */
char *vidmm_text(struct vidmm_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *vidmm_text_v(struct vidmm_arena *arena, const char *format, va_list arguments);

/* The first `length` bytes of a text, as a text of their own. */
char *vidmm_text_cut(struct vidmm_arena *arena, const char *text, size_t length);

/* Give everything back. The arena is empty then, and can be used again. */
void vidmm_arena_finish(struct vidmm_arena *arena);

/* A list of texts; word[count] is NULL, as execvp wants it. {0} is an empty one. The texts are not
 * copied. */
struct vidmm_texts {
    char **word;
    size_t count, room;
};

void vidmm_texts_add(struct vidmm_arena *arena, struct vidmm_texts *list, const char *text);
void vidmm_texts_add_all(struct vidmm_arena *arena, struct vidmm_texts *list,
                         const struct vidmm_texts *more);

/* The pieces of `text` between characters of `separators`, without blanks at their ends; empty ones
 * are left out. */
void vidmm_texts_split(struct vidmm_arena *arena, struct vidmm_texts *list, const char *text,
                       const char *separators);

/* The texts in one, with `between` between them. */
char *vidmm_texts_join(struct vidmm_arena *arena, const struct vidmm_texts *list,
                       const char *between);

bool vidmm_texts_has(const struct vidmm_texts *list, const char *text);

#endif
