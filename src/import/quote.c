/*
 * quote.c: see quote.h. In single quotes sh takes every character as it is, but the quote itself;
 * ninja knows `$`, and in a path the blank and the colon. A bar in a path cannot be written.
 */
#include "import/quote.h"

#include <string.h>

#include "import/arena.h"

#define SHOWN_MOST 120u

static char *with(struct vidmm_arena *arena, const char *text, const char *marked, const char *mark)
{
    char *quoted = vidmm_arena_take(arena, strlen(text) * (strlen(mark) + 1) + 1), *to = quoted;

    for (; *text != 0; text++) {
        if (strchr(marked, *text) != NULL)
            to = stpcpy(to, mark);
        *to++ = *text;
    }
    return quoted;
}

char *vidmm_quote_word(struct vidmm_arena *arena, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%";

    if (text[strspn(text, plain)] == 0 && *text != 0)
        return vidmm_text(arena, "%s", text);
    struct vidmm_texts parts = {0};
    for (const char *end; (end = strchr(text, '\'')) != NULL; text = end + 1) {
        vidmm_texts_add(arena, &parts, vidmm_text_cut(arena, text, (size_t)(end - text)));
        vidmm_texts_add(arena, &parts, "'\\''");
    }
    vidmm_texts_add(arena, &parts, text);
    return vidmm_text(arena, "'%s'", vidmm_texts_join(arena, &parts, ""));
}

char *vidmm_quote_words(struct vidmm_arena *arena, const struct vidmm_texts *list)
{
    struct vidmm_texts words = {0};

    for (size_t i = 0; i < list->count; i++)
        vidmm_texts_add(arena, &words, vidmm_quote_word(arena, list->word[i]));
    return vidmm_texts_join(arena, &words, " ");
}

char *vidmm_quote_value(struct vidmm_arena *arena, const char *text)
{
    return with(arena, text, "$", "$");
}

char *vidmm_quote_path(struct vidmm_arena *arena, const char *path)
{
    return with(arena, path, "$ :", "$");
}

char *vidmm_quote_shown(struct vidmm_arena *arena, const char *text)
{
    struct vidmm_texts parts = {0};

    for (unsigned shown = 0; *text != 0; text++) {
        unsigned char byte = (unsigned char)*text;
        if (shown++ == SHOWN_MOST) {
            vidmm_texts_add(arena, &parts, "...");
            break;
        }
        vidmm_texts_add(arena, &parts,
                        byte < 0x20 || byte == 0x7F ? vidmm_text(arena, "\\x%02x", byte)
                                                    : vidmm_text_cut(arena, text, 1));
    }
    return vidmm_texts_join(arena, &parts, "");
}

unsigned vidmm_quote_control(const char *text)
{
    for (; *text != 0; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            return (unsigned char)*text;
    return 0;
}

const char *vidmm_quote_bad_name(const char *name)
{
    if (*name == 0)
        return "is empty";
    if (strlen(name) > 200)
        return "is longer than 200 bytes";
    if (strpbrk(name, "/\\") != NULL)
        return "names a folder: the output stays in its own";
    if (strchr("-.@", *name) != NULL)
        return "begins with '-', '.' or '@', which a program takes for something else";
    if (strchr(name, '|') != NULL)
        return "has a '|', which ninja takes in no name";
    return NULL;
}
