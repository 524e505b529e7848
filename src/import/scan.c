/* scan.c: see scan.h. */
#include "import/scan.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/posix_file.h"
#include "import/names.h"
#include "import/place.h"

#define HEADER_MOST (1u << 20)
#define WORD_LEAST 4u /* shorter names are near to everything */

static bool is_letter(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* ---- headers --------------------------------------------------------------------------------- */

/* Comments and literals become blanks. */
static void strip(char *text)
{
    for (char *at = text; *at != 0;) {
        char *end = at + 1;
        if (at[0] == '/' && at[1] == '*') {
            end = strstr(at + 2, "*/");
            end = end != NULL ? end + 2 : at + strlen(at);
        } else if (at[0] == '/' && at[1] == '/') {
            end = at + strcspn(at, "\n");
        } else if (*at == '"') {
            end = at + 1 + strcspn(at + 1, "\"\n");
            end += *end != 0;
        } else {
            at = end;
            continue;
        }
        memset(at, ' ', (size_t)(end - at));
        at = end;
    }
}

struct headers {
    struct vidmm_texts names, texts;
};

static void read_folder(struct vidmm_arena *arena, const char *folder, struct headers *headers)
{
    DIR *directory = opendir(folder);

    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        size_t size, length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 2, ".h") != 0)
            continue;
        char *text = vidmm_file_read(vidmm_text(arena, "%s/%s", folder, entry->d_name), HEADER_MOST,
                                     &size, NULL, 0);
        if (text == NULL)
            continue;
        char *copy = vidmm_text(arena, "%s", text);
        free(text);
        strip(copy);
        vidmm_texts_add(arena, &headers->names, vidmm_text(arena, "%s", entry->d_name));
        vidmm_texts_add(arena, &headers->texts, copy);
    }
    if (directory != NULL)
        closedir(directory);
}

static void read_headers(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                         struct headers *headers)
{
    read_folder(arena, place->wddm, headers);
    read_folder(arena, place->kit, headers);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The kit's own helpers are nobody's slip. */
static bool is_public(const char *word, size_t length)
{
    return length >= WORD_LEAST && strncmp(word, "KIT_", 4) != 0 && strncmp(word, "Kit", 3) != 0 &&
           strncmp(word, "vidmm_", 6) != 0 && strncmp(word, "WDDM_", 5) != 0 && word[0] != '_';
}

/* All words of a text of about the length of `name`, parted by blanks. */
static char *words_of(struct vidmm_arena *arena, const char *text, size_t least, size_t most)
{
    char *list = vidmm_arena_take(arena, strlen(text) + 2), *to = list;

    for (const char *at = text; *at != 0;) {
        if (!is_letter(*at)) {
            at++;
            continue;
        }
        size_t length = 0;
        while (is_letter(at[length]))
            length++;
        if (length >= least && length <= most && !isdigit((unsigned char)*at) &&
            is_public(at, length)) {
            memcpy(to, at, length);
            to[length] = ' ';
            to += length + 1;
        }
        at += length;
    }
    if (to > list)
        to[-1] = 0;
    return list;
}

const char *vidmm_kit_scan_nearest(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                                   const char *name, const char **part, unsigned *distance)
{
    struct headers headers = {0};
    size_t length = strlen(name), slack = length / 6 + 1;
    const char *found = NULL;

    *distance = UINT_MAX;
    read_headers(arena, place, &headers);
    for (size_t i = 0; i < headers.texts.count; i++) {
        unsigned far;
        const char *words = words_of(arena, headers.texts.word[i],
                                     length > slack ? length - slack : 1, length + slack);
        const char *word = vidmm_kit_nearest_member(arena, words, name, &far);
        if (word != NULL && *word != 0 && far < *distance) {
            *distance = far;
            *part = headers.names.word[i];
            found = word;
        }
    }
    return found;
}

/* ---- versions -------------------------------------------------------------------------------- */

#define GUARDS_MOST 32u

static bool has_word(const char *line, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = line; (at = strstr(at, name)) != NULL; at += length)
        if (!is_letter(at[length]) && (at == line || !is_letter(at[-1])))
            return true;
    return false;
}

/* The version behind `#if DXGKDDI_INTERFACE_VERSION >=`; "": another condition. */
static const char *guard_of(struct vidmm_arena *arena, const char *line)
{
    const char *sign = strstr(line, "DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_");

    if (sign == NULL)
        return "";
    sign += strlen("DXGKDDI_INTERFACE_VERSION >= ");
    return vidmm_text_cut(arena, sign, strcspn(sign, " \t\r)&|"));
}

/* The version around the first line of a text that has the name; "": none; NULL: no line has it. */
static const char *version_in(struct vidmm_arena *arena, const char *text, const char *name)
{
    const char *guards[GUARDS_MOST], *found = "";
    struct vidmm_texts lines = {0};
    unsigned deep = 0;

    vidmm_texts_split(arena, &lines, text, "\n");
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.word[i];
        if (strncmp(line, "#if", 3) == 0 && deep < GUARDS_MOST)
            guards[deep++] = guard_of(arena, line);
        else if (strncmp(line, "#endif", 6) == 0 && deep > 0)
            deep--;
        else if (has_word(line, name)) {
            for (unsigned k = 0; k < deep; k++)
                found = *guards[k] != 0 ? guards[k] : found;
            return found;
        }
    }
    return NULL;
}

const char *vidmm_kit_scan_version(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                                   const char *name)
{
    struct headers headers = {0};
    const char *version = NULL;

    read_folder(arena, place->wddm, &headers);
    for (size_t i = 0; i < headers.texts.count; i++) {
        const char *one = version_in(arena, headers.texts.word[i], name);
        if (one != NULL && *one == 0)
            return NULL;
        version = one != NULL ? one : version;
    }
    return version;
}

/* ---- members --------------------------------------------------------------------------------- */

/* The beginning of the block that ends at `close`; NULL: nowhere. */
static const char *opening_of(const char *text, const char *close)
{
    unsigned deep = 0;

    for (const char *at = close; at >= text; at--) {
        deep += *at == '}';
        if (*at == '{' && --deep == 0)
            return at;
    }
    return NULL;
}

static const char *closing_of(const char *open)
{
    unsigned deep = 0;

    for (const char *at = open; *at != 0; at++) {
        deep += *at == '{';
        if (*at == '}' && --deep == 0)
            return at;
    }
    return NULL;
}

/* The block of `struct NAME {`, or of `} NAME;`, that a word at `at` names; NULL: it names none. */
static const char *block_of(const char *text, const char *at, size_t length)
{
    const char *behind = at + length + strspn(at + length, " \t\r\n"), *before = at;

    if (*behind == '{')
        return behind;
    while (before > text && isspace((unsigned char)before[-1]))
        before--;
    if (before > text && before[-1] == '}' && strchr(";,[", *behind) != NULL)
        return opening_of(text, before - 1);
    return NULL;
}

/* Add the names declared between two braces: the words before ; , [ : and those of pointers to
 * functions. */
static void add_members(struct vidmm_arena *arena, const char *open, const char *close,
                        struct vidmm_texts *members)
{
    for (const char *at = open; at < close;) {
        size_t length = 0;
        while (is_letter(at[length]))
            length++;
        if (length == 0) {
            at++;
            continue;
        }
        const char *behind = at + length + strspn(at + length, " \t\r\n");
        bool pointer = at - open > 2 && at[-1] == '*' && at[-2] == '(' && *behind == ')';
        if ((strchr(";,[:", *behind) != NULL || pointer) && !isdigit((unsigned char)*at)) {
            char *word = vidmm_text_cut(arena, at, length);
            if (strncmp(word, "Reserved", 8) != 0 && !vidmm_texts_has(members, word))
                vidmm_texts_add(arena, members, word);
        }
        at += length;
    }
}

const char *vidmm_kit_scan_members(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                                   const char *name)
{
    struct headers headers = {0};
    struct vidmm_texts members = {0};
    size_t length = strlen(name);

    read_headers(arena, place, &headers);
    for (size_t i = 0; i < headers.texts.count && length > 0; i++) {
        const char *text = headers.texts.word[i];
        for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
            bool tag = at > text && at[-1] == '_' && (at - 1 == text || !is_letter(at[-2]));
            if (is_letter(at[length]) || (at > text && is_letter(at[-1]) && !tag))
                continue;
            const char *open = block_of(text, at, length);
            const char *close = open != NULL ? closing_of(open) : NULL;
            if (close != NULL)
                add_members(arena, open, close, &members);
        }
    }
    return members.count > 0 ? vidmm_texts_join(arena, &members, " ") : NULL;
}
