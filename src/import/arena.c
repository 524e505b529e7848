/*
 * arena.c: see arena.h. Blocks in one list, each with its bytes behind it.
 */
#include "import/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/exit.h"

struct vidmm_arena_block {
    struct vidmm_arena_block *next;
    _Alignas(max_align_t) char bytes[];
};

void *vidmm_arena_take(struct vidmm_arena *arena, size_t size)
{
    struct vidmm_arena_block *block =
        size <= SIZE_MAX / 2 ? calloc(1, sizeof(*block) + size) : NULL;

    if (block == NULL) {
        fputs("vidmm: there is no memory left\n", stderr);
        exit(VIDMM_COULD_NOT_RUN);
    }
    block->next = arena->blocks;
    arena->blocks = block;
    arena->taken += size;
    return block->bytes;
}

char *vidmm_text_v(struct vidmm_arena *arena, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = vidmm_arena_take(arena, length < 0 ? 1 : (size_t)length + 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *vidmm_text(struct vidmm_arena *arena, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *text = vidmm_text_v(arena, format, arguments);
    va_end(arguments);
    return text;
}

char *vidmm_text_cut(struct vidmm_arena *arena, const char *text, size_t length)
{
    char *cut = vidmm_arena_take(arena, length + 1);

    memcpy(cut, text, length);
    return cut;
}

void vidmm_arena_finish(struct vidmm_arena *arena)
{
    while (arena->blocks != NULL) {
        struct vidmm_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
    arena->taken = 0;
}

void vidmm_texts_add(struct vidmm_arena *arena, struct vidmm_texts *list, const char *text)
{
    if (list->count + 1 >= list->room) {
        size_t room = list->room == 0 ? 16 : 2 * list->room;
        char **word = vidmm_arena_take(arena, room * sizeof(*word));
        if (list->count > 0)
            memcpy(word, list->word, list->count * sizeof(*word));
        list->word = word;
        list->room = room;
    }
    list->word[list->count++] = (char *)(uintptr_t)text; /* as execvp's type has it */
    list->word[list->count] = NULL;
}

void vidmm_texts_add_all(struct vidmm_arena *arena, struct vidmm_texts *list,
                         const struct vidmm_texts *more)
{
    for (size_t i = 0; i < more->count; i++)
        vidmm_texts_add(arena, list, more->word[i]);
}

void vidmm_texts_split(struct vidmm_arena *arena, struct vidmm_texts *list, const char *text,
                       const char *separators)
{
    static const char blanks[] = " \t\r\n";

    while (*text != 0) {
        size_t length = strcspn(text, separators);
        size_t from = strspn(text, blanks) < length ? strspn(text, blanks) : length;
        size_t to = length;
        while (to > from && strchr(blanks, text[to - 1]) != NULL)
            to--;
        if (to > from)
            vidmm_texts_add(arena, list, vidmm_text_cut(arena, text + from, to - from));
        text += length + (text[length] != 0);
    }
}

char *vidmm_texts_join(struct vidmm_arena *arena, const struct vidmm_texts *list,
                       const char *between)
{
    size_t size = 1;

    for (size_t i = 0; i < list->count; i++)
        size += strlen(list->word[i]) + strlen(between);
    char *text = vidmm_arena_take(arena, size), *end = text;
    for (size_t i = 0; i < list->count; i++)
        end += snprintf(end, size - (size_t)(end - text), "%s%s", i == 0 ? "" : between,
                        list->word[i]);
    return text;
}

bool vidmm_texts_has(const struct vidmm_texts *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->word[i], text) == 0)
            return true;
    return false;
}
