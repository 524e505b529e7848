/*
 * function.c: see function.h.
 */
#include "import/function.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/expand.h"

#define ARGUMENTS 8

struct call {
    struct vidmm_arena *arena;
    const struct vidmm_kit_variables *variables;
    char *name;
    char *argument[ARGUMENTS];
    size_t count;
};

/* ---- reading --------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static char *name_at(struct vidmm_arena *arena, const char **at)
{
    const char *from = *at;

    while (isalnum((unsigned char)**at) || **at == '_' || **at == '-')
        (*at)++;
    return vidmm_text_cut(arena, from, (size_t)(*at - from));
}

/* Behind an argument: a quoted text, or what stands before , or ) */
static const char *argument_end(const char *at)
{
    unsigned depth = 0;

    if (strchr("'\"`", *at) != NULL && *at != 0) {
        const char *end = strchr(at + 1, *at);
        return end != NULL ? end + 1 : NULL;
    }
    for (; *at != 0; at++) {
        if (depth == 0 && (*at == ',' || *at == ')'))
            return at;
        depth += *at == '(';
        depth -= *at == ')';
    }
    return NULL;
}

/* ( argument, ... ): expanded, without quotes. False: it is none. */
static bool read_arguments(struct call *call, const char **at)
{
    call->count = 0;
    *at = skip_blanks(*at + 1);
    while (**at != ')') {
        const char *end = argument_end(*at);
        if (end == NULL || call->count == ARGUMENTS)
            return false;
        bool quoted = strchr("'\"`", **at) != NULL;
        char *text =
            vidmm_text_cut(call->arena, *at + quoted, (size_t)(end - *at) - (quoted ? 2 : 0));
        call->argument[call->count++] = vidmm_kit_expand(call->arena, call->variables, text, NULL);
        *at = skip_blanks(end);
        if (**at == ',')
            *at = skip_blanks(*at + 1);
        else if (**at != ')')
            return false;
    }
    (*at)++;
    return true;
}

/* ---- methods of a text ----------------------------------------------------------------------- */

static bool is(const struct call *call, const char *name, size_t least)
{
    return strcasecmp(call->name, name) == 0 && call->count >= least;
}

static char *with_case(struct vidmm_arena *arena, const char *text, int (*convert)(int))
{
    char *result = vidmm_text(arena, "%s", text);

    for (char *at = result; *at != 0; at++)
        *at = (char)convert((unsigned char)*at);
    return result;
}

static char *replace(struct vidmm_arena *arena, const char *text, const char *from, const char *to)
{
    struct vidmm_texts parts = {0};
    const char *found;

    for (; *from != 0 && (found = strstr(text, from)) != NULL; text = found + strlen(from)) {
        vidmm_texts_add(arena, &parts, vidmm_text_cut(arena, text, (size_t)(found - text)));
        vidmm_texts_add(arena, &parts, to);
    }
    vidmm_texts_add(arena, &parts, text);
    return vidmm_texts_join(arena, &parts, "");
}

static char *trim(struct vidmm_arena *arena, const char *text, const char *what, bool start,
                  bool end)
{
    size_t length;

    if (start)
        text += strspn(text, what);
    length = strlen(text);
    while (end && length > 0 && strchr(what, text[length - 1]) != NULL)
        length--;
    return vidmm_text_cut(arena, text, length);
}

static char *substring(struct call *call, const char *text)
{
    size_t length = strlen(text), from = strtoul(call->argument[0], NULL, 10), count;

    from = from < length ? from : length;
    count = call->count > 1 ? strtoul(call->argument[1], NULL, 10) : length;
    return vidmm_text_cut(call->arena, text + from, count < length - from ? count : length - from);
}

static char *truth(struct call *call, bool value)
{
    return vidmm_text(call->arena, "%s", value ? "True" : "False");
}

static char *method(struct call *call, const char *text)
{
    const char *blanks = call->count > 0 ? call->argument[0] : " \t\r\n";
    const char *first = call->count > 0 ? call->argument[0] : "";
    size_t length = strlen(text), tail = strlen(first);

    if (is(call, "ToLower", 0) || is(call, "ToLowerInvariant", 0))
        return with_case(call->arena, text, tolower);
    if (is(call, "ToUpper", 0) || is(call, "ToUpperInvariant", 0))
        return with_case(call->arena, text, toupper);
    if (is(call, "Replace", 2))
        return replace(call->arena, text, call->argument[0], call->argument[1]);
    if (is(call, "Trim", 0))
        return trim(call->arena, text, blanks, true, true);
    if (is(call, "TrimStart", 0))
        return trim(call->arena, text, blanks, true, false);
    if (is(call, "TrimEnd", 0))
        return trim(call->arena, text, blanks, false, true);
    if (is(call, "Substring", 1))
        return substring(call, text);
    if (is(call, "StartsWith", 1))
        return truth(call, strncmp(text, first, tail) == 0);
    if (is(call, "EndsWith", 1))
        return truth(call, length >= tail && strcmp(text + length - tail, first) == 0);
    if (is(call, "Contains", 1))
        return truth(call, strstr(text, first) != NULL);
    if (is(call, "ToString", 0))
        return vidmm_text(call->arena, "%s", text);
    if (is(call, "Length", 0))
        return vidmm_text(call->arena, "%zu", length);
    return NULL;
}

/* Split('x')[n]: the n-th part, from 0. NULL: there is none. */
static char *part(struct call *call, const char *text, const char **at)
{
    size_t index;
    char *end;

    if (call->count != 1 || *call->argument[0] == 0 || **at != '[')
        return NULL;
    index = strtoul(*at + 1, &end, 10);
    if (*end != ']')
        return NULL;
    *at = end + 1;
    for (; index > 0 && text != NULL; index--) {
        text = strpbrk(text, call->argument[0]);
        text = text != NULL ? text + 1 : NULL;
    }
    return text != NULL ? vidmm_text_cut(call->arena, text, strcspn(text, call->argument[0]))
                        : NULL;
}

/* ---- functions of a class -------------------------------------------------------------------- */

static bool is_slash(char letter)
{
    return letter == '/' || letter == '\\';
}

static char *combine(struct call *call)
{
    char *path = vidmm_text(call->arena, "%s", "");

    for (size_t i = 0; i < call->count; i++) {
        const char *part = call->argument[i];
        size_t length = strlen(path);
        bool alone = length == 0 || is_slash(part[0]);
        path = vidmm_text(call->arena, "%s%s%s", alone ? "" : path,
                          alone || is_slash(path[length - 1]) ? "" : "\\", part);
    }
    return path;
}

static const char *last_slash(const char *path)
{
    const char *last = NULL;

    for (; *path != 0; path++)
        last = is_slash(*path) ? path : last;
    return last;
}

static char *class_function(struct call *call)
{
    const char *first = call->count > 0 ? call->argument[0] : "";
    const char *slash = last_slash(first), *name = slash != NULL ? slash + 1 : first;
    size_t length = strlen(first);

    if (is(call, "Combine", 1) || is(call, "NormalizePath", 1) || is(call, "GetFullPath", 1))
        return combine(call);
    if (is(call, "EnsureTrailingSlash", 1))
        return vidmm_text(call->arena, "%s%s", first,
                          length > 0 && !is_slash(first[length - 1]) ? "\\" : "");
    if (is(call, "GetDirectoryName", 1))
        return vidmm_text_cut(call->arena, first, slash != NULL ? (size_t)(slash - first) : 0);
    if (is(call, "GetFileName", 1))
        return vidmm_text(call->arena, "%s", name);
    if (is(call, "GetFileNameWithoutExtension", 1))
        return vidmm_text_cut(call->arena, name,
                              strrchr(name, '.') != NULL ? (size_t)(strrchr(name, '.') - name)
                                                         : strlen(name));
    if (is(call, "GetExtension", 1))
        return vidmm_text(call->arena, "%s", strrchr(name, '.') != NULL ? strrchr(name, '.') : "");
    if (is(call, "ValueOrDefault", 2))
        return vidmm_text(call->arena, "%s", *first != 0 ? first : call->argument[1]);
    if (is(call, "IsNullOrEmpty", 1) || is(call, "IsNullOrWhiteSpace", 1))
        return truth(call, first[strspn(first, " \t")] == 0);
    if (is(call, "Copy", 1))
        return vidmm_text(call->arena, "%s", first);
    return NULL;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static char *call_all(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                      const char *expression)
{
    struct call call = {.arena = arena, .variables = variables};
    const char *at = skip_blanks(expression);
    char *value;

    if (*at == '[') {
        at = strstr(at, "]::");
        if (at == NULL)
            return NULL;
        at += 3;
        call.name = name_at(arena, &at);
        value = *at == '(' && read_arguments(&call, &at) ? class_function(&call) : NULL;
    } else {
        char *name = name_at(arena, &at);
        if (*at != '.')
            return NULL;
        value = vidmm_kit_expand(arena, variables, vidmm_text(arena, "$(%s)", name), NULL);
    }
    while (value != NULL && *at == '.') {
        at++;
        call.name = name_at(arena, &at);
        call.count = 0;
        if (*at == '(' && !read_arguments(&call, &at))
            return NULL;
        value =
            strcasecmp(call.name, "Split") == 0 ? part(&call, value, &at) : method(&call, value);
    }
    return *skip_blanks(at) == 0 ? value : NULL;
}

char *vidmm_kit_function(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                         const char *expression)
{
    char *value = vidmm_kit_enter(arena, variables, expression)
                      ? call_all(arena, variables, expression)
                      : NULL;

    vidmm_kit_leave(variables);
    return value;
}
