/*
 * expand.c: see expand.h. Conditions are read by descent: or, and, not, comparison.
 */
#include "import/expand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "import/function.h"
#include "import/includes.h"
#include "import/quote.h"

#define TOOL_SET '\001'
#define UNKNOWN '\002' /* before and behind a name */

#define VALUE_MOST (1u << 20)
#define TEXTS_MOST (256u << 20)
#define FUNCTIONS_MOST 32u
#define OPEN_MOST 64u /* parentheses of a text that nothing closes: each costs a look at the rest */

/* ---- bounds ---------------------------------------------------------------------------------- */

struct vidmm_kit_bounds {
    const char **error;
    unsigned depth;
};

void vidmm_kit_bound(struct vidmm_arena *arena, struct vidmm_kit_variables *variables,
                     const char **error)
{
    variables->bounds = vidmm_arena_take(arena, sizeof(*variables->bounds));
    variables->bounds->error = error;
}

static bool refuse(struct vidmm_arena *arena, const struct vidmm_kit_bounds *bounds,
                   const char *text, const char *why, unsigned limit)
{
    if (*bounds->error == NULL)
        *bounds->error =
            vidmm_text(arena, "'%s' %s %u", vidmm_quote_shown(arena, text), why, limit);
    return false;
}

bool vidmm_kit_enter(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                     const char *text)
{
    return variables->bounds->depth++ < FUNCTIONS_MOST ||
           refuse(arena, variables->bounds, text, "is nested deeper than", FUNCTIONS_MOST);
}

void vidmm_kit_leave(const struct vidmm_kit_variables *variables)
{
    variables->bounds->depth--;
}

/* Whether a text may become so many bytes. */
static bool fits(struct vidmm_arena *arena, const struct vidmm_kit_bounds *bounds, const char *text,
                 size_t size)
{
    if (size > VALUE_MOST)
        return refuse(arena, bounds, text, "with its variables replaced is longer than",
                      VALUE_MOST);
    return arena->taken <= TEXTS_MOST ||
           refuse(arena, bounds, text,
                  "is not expanded any more: in bytes, what the project makes of its texts takes "
                  "more than",
                  TEXTS_MOST);
}

/* ---- variables ------------------------------------------------------------------------------- */

static size_t index_of(const struct vidmm_kit_variables *variables, const char *name)
{
    size_t i = 0;

    while (i < variables->names.count && strcasecmp(variables->names.word[i], name) != 0)
        i++;
    return i;
}

const char *vidmm_kit_get(const struct vidmm_kit_variables *variables, const char *name)
{
    size_t i = index_of(variables, name);

    return i < variables->names.count ? variables->values.word[i] : NULL;
}

static void set(struct vidmm_arena *arena, struct vidmm_kit_variables *variables, const char *name,
                const char *value)
{
    size_t i = index_of(variables, name);

    if (i == variables->names.count) {
        vidmm_texts_add(arena, &variables->names, vidmm_text(arena, "%s", name));
        vidmm_texts_add(arena, &variables->values, "");
    }
    variables->values.word[i] = vidmm_text(arena, "%s", value);
}

void vidmm_kit_set(struct vidmm_arena *arena, struct vidmm_kit_variables *variables,
                   const char *name, const char *value)
{
    for (size_t i = 0; i < variables->fixed.count; i++)
        if (strcasecmp(variables->fixed.word[i], name) == 0)
            return;
    set(arena, variables, name, value);
}

void vidmm_kit_fix(struct vidmm_arena *arena, struct vidmm_kit_variables *variables,
                   const char *name, const char *value)
{
    set(arena, variables, name, value);
    vidmm_texts_add(arena, &variables->fixed, vidmm_text(arena, "%s", name));
}

/* Folders and lists that Visual Studio and the driver kits bring with them. */
static bool is_tool_set(const char *name)
{
    static const char *const names[] = {
        "VCTargetsPath",
        "UserRootDir",
        "VCInstallDir",
        "VSInstallDir",
        "WindowsSdkDir",
        "WDKContentRoot",
        "BASEDIR",
        "NTMAKEENV",
        "MSBuildExtensionsPath",
        "MSBuildExtensionsPath32",
        "MSBuildToolsPath",
        "WindowsTargetPlatformVersion",
        "LibraryPath",
        "ExecutablePath",
        "WindowsSDK_IncludePath",
        "SDKManifest",
    };
    static const char *const ends[] = {"INC_PATH",     "LIB_PATH",        "IncludePath",
                                       "INC_PATH_WDK", "LibraryPath_x64", "CONTENT_ROOT"};
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (length >= strlen(ends[i]) && strcasecmp(name + length - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

static char *value_of(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                      const char *name)
{
    const char *value = vidmm_kit_get(variables, name);

    if (value == NULL && strpbrk(name, ".[") != NULL)
        value = vidmm_kit_function(arena, variables, name);

    if (value == NULL && !is_tool_set(name))
        value = getenv(name);
    if (value != NULL)
        return vidmm_text(arena, "%s", value);
    return is_tool_set(name) ? vidmm_text(arena, "%c", TOOL_SET)
                             : vidmm_text(arena, "%c%s%c", UNKNOWN, name, UNKNOWN);
}

/* The parenthesis that closes the one at `at`; those in quotes are text. NULL: there is none. */
static const char *closing(const char *at)
{
    unsigned depth = 0;

    for (; *at != 0; at++) {
        if (*at == '\'' && depth > 0) {
            const char *end = strchr(at + 1, '\'');
            if (end != NULL)
                at = end;
        }
        depth += *at == '(';
        if (*at == ')' && --depth == 0)
            return at;
    }
    return NULL;
}

char *vidmm_kit_expand(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                       const char *text, const char *inherited)
{
    struct vidmm_texts parts = {0};
    const char *whole = text;
    unsigned open = 0;
    size_t size = strlen(text);

    while (*text != 0 && fits(arena, variables->bounds, whole, size)) {
        bool metadata = inherited != NULL && text[0] == '%';
        bool reference = (text[0] == '$' || metadata) && text[1] == '(';
        const char *end = reference && open < OPEN_MOST ? closing(text + 1) : NULL;
        open += reference && end == NULL;
        size_t plain = end == NULL ? 1 + strcspn(text + 1, "$%") : 0;
        if (end == NULL) {
            vidmm_texts_add(arena, &parts, vidmm_text_cut(arena, text, plain));
            text += plain;
            continue;
        }
        char *name = vidmm_text_cut(arena, text + 2, (size_t)(end - text - 2));
        char *value =
            metadata ? vidmm_text(arena, "%s", inherited) : value_of(arena, variables, name);
        vidmm_texts_add(arena, &parts, value);
        size += strlen(value);
        text = end + 1;
    }
    return *text != 0 || !fits(arena, variables->bounds, whole, size)
               ? vidmm_text(arena, "%s", "")
               : vidmm_texts_join(arena, &parts, "");
}

char *vidmm_kit_unknown(struct vidmm_arena *arena, const char *expanded)
{
    const char *from = strchr(expanded, UNKNOWN);
    const char *to = from != NULL ? strchr(from + 1, UNKNOWN) : NULL;

    return to != NULL ? vidmm_text_cut(arena, from + 1, (size_t)(to - from - 1)) : NULL;
}

bool vidmm_kit_of_tool_set(const char *expanded)
{
    return strchr(expanded, TOOL_SET) != NULL;
}

char *vidmm_kit_unmarked(struct vidmm_arena *arena, const char *expanded)
{
    char *text = vidmm_arena_take(arena, strlen(expanded) + 1), *to = text;
    bool inside = false;

    for (; *expanded != 0; expanded++) {
        inside = *expanded == UNKNOWN ? !inside : inside;
        if (!inside && *expanded != UNKNOWN && *expanded != TOOL_SET)
            *to++ = *expanded;
    }
    return text;
}

/* ---- conditions ------------------------------------------------------------------------------ */

struct reader {
    struct vidmm_arena *arena;
    const struct vidmm_kit_variables *variables;
    const char *whole, *at, *folder;
    const char **error;
    unsigned depth;
};

#define DEPTH_MOST 64u

static bool read_or(struct reader *reader);

static void skip(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool fail(struct reader *reader, const char *why)
{
    if (*reader->error == NULL)
        *reader->error = vidmm_text(reader->arena, "condition \"%s\": %s",
                                    vidmm_quote_shown(reader->arena, reader->whole),
                                    vidmm_quote_shown(reader->arena, why));
    reader->at = "";
    return false;
}

/* A sign, or a word that ends there. */
static bool take(struct reader *reader, const char *token)
{
    size_t length = strlen(token);

    skip(reader);
    if (strncasecmp(reader->at, token, length) != 0 ||
        (isalpha((unsigned char)token[0]) &&
         (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')))
        return false;
    reader->at += length;
    return true;
}

/* 'text', "text", $(NAME), a word or a number; expanded, without marks. */
static char *operand(struct reader *reader)
{
    static const char ends[] = " \t\r\n=!<>()&|'\"";
    const char *from, *to;

    skip(reader);
    from = reader->at;
    if (*from == '\'' || *from == '"') {
        to = strchr(from + 1, *from);
        if (to == NULL)
            return fail(reader, "a quote is not closed"), vidmm_text(reader->arena, "%s", "");
        from++;
        reader->at = to + 1;
    } else {
        to = from;
        while (*to != 0 && strchr(ends, *to) == NULL)
            to = to[0] == '$' && to[1] == '(' ? to + strcspn(to, ")") + (strchr(to, ')') != NULL)
                                              : to + 1;
        if (to == from)
            return fail(reader, "a value is missing"), vidmm_text(reader->arena, "%s", "");
        reader->at = to;
    }
    char *text = vidmm_text_cut(reader->arena, from, (size_t)(to - from));
    return vidmm_kit_unmarked(reader->arena,
                              vidmm_kit_expand(reader->arena, reader->variables, text, ""));
}

static double number_of(struct reader *reader, const char *text)
{
    char *end;
    double value =
        strncasecmp(text, "0x", 2) == 0 ? (double)strtoull(text, &end, 16) : strtod(text, &end);

    if (end == text || *end != 0)
        fail(reader, vidmm_text(reader->arena, "'%s' is no number", text));
    return value;
}

static bool is_true(const char *text)
{
    return strcasecmp(text, "true") == 0 || strcasecmp(text, "on") == 0 ||
           strcasecmp(text, "yes") == 0 || strtol(text, NULL, 0) != 0;
}

static bool exists(struct reader *reader, const char *path)
{
    char *slashed = vidmm_text(reader->arena, "%s", path);

    for (char *at = slashed; (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    const char *whole =
        slashed[0] == '/' ? slashed : vidmm_text(reader->arena, "%s/%s", reader->folder, slashed);
    return *slashed != 0 && (access(whole, F_OK) == 0 ||
                             vidmm_kit_find_file(reader->arena, reader->folder, path) != NULL);
}

/* NAME(operand) of the three functions; false in *is: it is none of them. */
static bool function(struct reader *reader, bool *is)
{
    const char *start = reader->at;
    int which = take(reader, "exists")             ? 1
                : take(reader, "hastrailingslash") ? 2
                : take(reader, "defined")          ? 3
                                                   : 0;

    *is = which != 0 && take(reader, "(");
    if (!*is) {
        reader->at = start;
        return false;
    }
    const char *value = operand(reader);
    if (!take(reader, ")"))
        return fail(reader, "a ) is missing");
    size_t length = strlen(value);
    return which == 1   ? exists(reader, value)
           : which == 2 ? length > 0 && strchr("/\\", value[length - 1]) != NULL
                        : vidmm_kit_get(reader->variables, value) != NULL;
}

static bool compare(struct reader *reader, const char *left)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">"};
    int sign = 0;

    while (sign < 6 && !take(reader, signs[sign]))
        sign++;
    if (sign == 6)
        return is_true(left);
    const char *right = operand(reader);
    if (sign < 2)
        return (strcasecmp(left, right) == 0) == (sign == 0);
    double a = number_of(reader, left), b = number_of(reader, right);
    return sign == 2 ? a <= b : sign == 3 ? a >= b : sign == 4 ? a < b : a > b;
}

static bool read_one(struct reader *reader)
{
    bool is;

    if (++reader->depth > DEPTH_MOST)
        return fail(reader, "it is too deep");
    skip(reader);
    bool result;
    if (reader->at[0] == '!' && reader->at[1] != '=') {
        reader->at++;
        result = !read_one(reader);
    } else if (take(reader, "(")) {
        result = read_or(reader);
        if (!take(reader, ")"))
            result = fail(reader, "a ) is missing");
    } else {
        result = function(reader, &is);
        if (!is)
            result = compare(reader, operand(reader));
    }
    reader->depth--;
    return result;
}

static bool read_and(struct reader *reader)
{
    bool result = read_one(reader);

    while (take(reader, "and") || take(reader, "&&"))
        result = read_one(reader) && result;
    return result;
}

static bool read_or(struct reader *reader)
{
    bool result = read_and(reader);

    while (take(reader, "or") || take(reader, "||"))
        result = read_and(reader) || result;
    return result;
}

/* Functions have quotes and parentheses of their own: their values first. */
static char *without_functions(struct vidmm_arena *arena,
                               const struct vidmm_kit_variables *variables, const char *condition)
{
    struct vidmm_texts parts = {0};
    const char *from = condition, *at = condition;

    for (unsigned open = 0; open < OPEN_MOST && (at = strstr(at, "$(")) != NULL;) {
        const char *end = closing(at + 1);
        char *inner = end != NULL ? vidmm_text_cut(arena, at + 2, (size_t)(end - at - 2)) : NULL;
        char *value = inner != NULL && strpbrk(inner, ".[") != NULL
                          ? vidmm_kit_function(arena, variables, inner)
                          : NULL;
        if (value == NULL) {
            open += end == NULL;
            at += 2;
            if (*variables->bounds->error != NULL)
                break;
            continue;
        }
        vidmm_texts_add(arena, &parts, vidmm_text_cut(arena, from, (size_t)(at - from)));
        vidmm_texts_add(arena, &parts, vidmm_kit_unmarked(arena, value));
        from = at = end + 1;
    }
    vidmm_texts_add(arena, &parts, from);
    return vidmm_texts_join(arena, &parts, "");
}

bool vidmm_kit_condition(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                         const char *condition, const char *folder, const char **error)
{
    struct reader reader = {.arena = arena,
                            .variables = variables,
                            .whole = condition,
                            .at = without_functions(arena, variables, condition),
                            .folder = folder,
                            .error = error};

    skip(&reader);
    if (*variables->bounds->error != NULL) /* a function was too deep: it is said */
        return false;
    if (*reader.at == 0)
        return true;
    bool result = read_or(&reader);
    skip(&reader);
    if (*reader.at != 0)
        return fail(&reader, vidmm_text(arena, "'%s' is not understood", reader.at));
    return *error == NULL && result;
}
