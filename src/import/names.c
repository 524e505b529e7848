/*
 * names.c: see names.h.
 */
#include "import/names.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "import/arena.h"

#define NAME_MOST 100u /* longer ones are nobody's slip */

struct row {
    const char *key, *words; /* parted by blanks */
};

static const struct row names[] = {
#define KIT_NAMES(header, words) {header, words},
#define KIT_HEADERS(words)
#include "import/names.def"
#undef KIT_NAMES
#undef KIT_HEADERS
};

#define KIT_NAMES(header, words)
#define KIT_HEADERS(words) words
static const char other_headers[] =
#include "import/names.def"
    ;

static const struct row members[] = {
#define KIT_MEMBERS(type, words) {type, words},
#include "import/members.def"
#undef KIT_MEMBERS
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool vidmm_kit_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; length > 0 && (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

/* Documents write a struct as _NAME or NAME. */
static const char *plain(const char *name)
{
    return name[0] == '_' && isupper((unsigned char)name[1]) ? name + 1 : name;
}

const char *vidmm_kit_header_of(const char *name)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (vidmm_kit_has_word(names[i].words, name) ||
            vidmm_kit_has_word(names[i].words, plain(name)))
            return names[i].key;
    return NULL;
}

bool vidmm_kit_is_header(const char *name)
{
    char small[NAME_MOST + 1];
    size_t length = strlen(name);

    for (size_t i = 0; i <= length && i < NAME_MOST; i++)
        small[i] = (char)tolower((unsigned char)name[i]);
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcasecmp(names[i].key, name) == 0)
            return true;
    return length < NAME_MOST && vidmm_kit_has_word(other_headers, small);
}

/* ---- distance -------------------------------------------------------------------------------- */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Two for a letter more, less or other, or for neighbours swapped; one for a letter of other
 * case. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][NAME_MOST + 1];

    if (a_length > NAME_MOST || b_length > NAME_MOST)
        return UINT_MAX;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = 2 * (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = 2 * (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            char x = a[i - 1], y = b[j - 1];
            unsigned change = x == y                                                   ? 0
                              : tolower((unsigned char)x) == tolower((unsigned char)y) ? 1
                                                                                       : 2;
            now[j] = least(least(last[j], now[j - 1]) + 2, last[j - 1] + change);
            if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y)
                now[j] = least(now[j], before[j - 2] + 2);
        }
    }
    return rows[a_length % 3][b_length];
}

/* The word of a list that is nearest to `name`, if it is nearer than *best; *best becomes how
 * far. */
static const char *nearest_of(const char *list, const char *name, size_t *length, unsigned *best)
{
    const char *found = NULL;
    size_t name_length = strlen(name);

    for (const char *word = list; *word != 0; word += word[strcspn(word, " ")] != 0) {
        size_t size = strcspn(word, " ");
        unsigned distance = distance_of(name, name_length, word, size);
        if (distance < *best) {
            *best = distance;
            *length = size;
            found = word;
        }
        word += size;
        if (*word == 0)
            break;
    }
    return found;
}

const char *vidmm_kit_nearest_name(struct vidmm_arena *arena, const char *name, const char **header)
{
    unsigned best = 2 * (unsigned)(strlen(name) / 6 + 1) + 1; /* a slip every six letters */
    const char *found = NULL;
    size_t length = 0;

    if (strlen(name) < 5)
        return NULL;
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *nearer = nearest_of(names[i].words, name, &length, &best);
        if (nearer != NULL)
            found = vidmm_text_cut(arena, nearer, length), *header = names[i].key;
    }
    return found;
}

/* ---- members --------------------------------------------------------------------------------- */

const char *vidmm_kit_members_of(const char *type)
{
    for (size_t i = 0; i < COUNT(members); i++)
        if (strcmp(members[i].key, plain(type)) == 0)
            return members[i].words;
    return NULL;
}

const char *vidmm_kit_nearest_member(struct vidmm_arena *arena, const char *list, const char *name,
                                     unsigned *distance)
{
    size_t length = 0;

    *distance = UINT_MAX;
    const char *found = nearest_of(list, name, &length, distance);
    return found != NULL ? vidmm_text_cut(arena, found, length) : NULL;
}

const char *vidmm_kit_struct_with(const char *member)
{
    for (size_t i = 0; i < COUNT(members); i++)
        if (vidmm_kit_has_word(members[i].words, member))
            return members[i].key;
    return NULL;
}
