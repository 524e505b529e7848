/*
 * wpp.c: see wpp.h. A configuration is read word by word; other words than FUNC, USEPREFIX and
 * USESUFFIX concern the format of binary traces, which there are none of.
 */
#include "import/wpp.h"

#include <ctype.h>
#include <string.h>

#define LEVEL_DEFAULT "4" /* TRACE_LEVEL_INFORMATION */

/* ---- reading --------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* The text between `open` and the `close` that belongs to it, or NULL if `at` is not at the one or
 * there is no other. */
static char *enclosed(struct vidmm_arena *arena, const char **at, char open, char close)
{
    const char *from = skip_blanks(*at), *to = from;
    unsigned deep = 0;

    if (*from != open)
        return NULL;
    do {
        deep += *to == open;
        deep -= *to == close;
        to++;
    } while (deep > 0 && *to != 0);
    if (deep > 0)
        return NULL;
    *at = to;
    return vidmm_text_cut(arena, from + 1, (size_t)(to - from - 2));
}

static char *name_at(struct vidmm_arena *arena, const char **at)
{
    const char *from = skip_blanks(*at), *to = from;

    while (isalnum((unsigned char)*to) || *to == '_')
        to++;
    *at = to;
    return vidmm_text_cut(arena, from, (size_t)(to - from));
}

/* The index of a FUNC; a new one if there is none of that name. */
static size_t func_index(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *name)
{
    for (size_t i = 0; i < wpp->names.count; i++)
        if (strcmp(wpp->names.word[i], name) == 0)
            return i;
    vidmm_texts_add(arena, &wpp->names, name);
    vidmm_texts_add(arena, &wpp->parameters, "MSG, ...");
    vidmm_texts_add(arena, &wpp->levels, LEVEL_DEFAULT);
    vidmm_texts_add(arena, &wpp->prefixes, "");
    vidmm_texts_add(arena, &wpp->suffixes, "");
    return wpp->names.count - 1;
}

/* FUNC NAME{LEVEL=...,FLAGS=...}(PARAMETER, ..., MSG, ...); the last ones may have parentheses of
 * their own: (LEVEL, (MSG, ...)). */
static void read_func(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *at)
{
    const char *name = name_at(arena, &at);
    const char *settings = enclosed(arena, &at, '{', '}');
    const char *parameters = enclosed(arena, &at, '(', ')');
    struct vidmm_texts list = {0};

    if (*name == 0 || parameters == NULL)
        return;
    size_t i = func_index(arena, wpp, name);
    wpp->parameters.word[i] = vidmm_text(arena, "%s", parameters);
    vidmm_texts_split(arena, &list, settings != NULL ? settings : "", ",");
    for (size_t j = 0; j < list.count; j++) {
        const char *word = list.word[j];
        bool level = strcmp(name_at(arena, &word), "LEVEL") == 0;
        word = skip_blanks(word);
        if (level && *word == '=')
            wpp->levels.word[i] = vidmm_text(arena, "%s", skip_blanks(word + 1));
    }
}

/* (NAME, "text", ARGUMENT...): the text is put before or behind each message of NAME. */
static void read_affix(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *at,
                       bool before)
{
    const char *from = skip_blanks(at), *to;

    if (*from != '(' || (to = strrchr(from, ')')) == NULL)
        return;
    from++;
    const char *name = name_at(arena, &from);
    from = skip_blanks(from);
    if (*name == 0 || *from != ',' || from > to)
        return;
    from = skip_blanks(from + 1);
    size_t i = func_index(arena, wpp, name);
    struct vidmm_texts *list = before ? &wpp->prefixes : &wpp->suffixes;
    list->word[i] = vidmm_text_cut(arena, from, (size_t)(to - from));
}

/* NAME{...}(... MSG ...) */
static bool is_function(struct vidmm_arena *arena, const char *at)
{
    const char *name = name_at(arena, &at);

    return *name != 0 && enclosed(arena, &at, '{', '}') != NULL && *skip_blanks(at) == '(' &&
           strstr(at, "MSG") != NULL;
}

static void read_line(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *line)
{
    const char *at = line + strspn(line, " \t/*#");
    size_t length = strcspn(at, " \t(");

    if (strncmp(at, "FUNC", length) == 0 && length == 4)
        read_func(arena, wpp, at + length);
    else if (strncmp(at, "USEPREFIX", length) == 0 && length == 9)
        read_affix(arena, wpp, at + length, true);
    else if (strncmp(at, "USESUFFIX", length) == 0 && length == 9)
        read_affix(arena, wpp, at + length, false);
    else if (is_function(arena, at)) /* the word FUNC may be left out */
        read_func(arena, wpp, at);
}

void vidmm_kit_wpp_func(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *text)
{
    text += strspn(text, " \t\r\n\"");
    if (strncmp(text, "FUNC ", 5) == 0)
        text += 5;
    read_func(arena, wpp, skip_blanks(text));
}

void vidmm_kit_wpp_read(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *text)
{
    const char *block = text;

    while ((block = strstr(block, "begin_wpp config")) != NULL) {
        const char *end = strstr(block, "end_wpp");
        size_t length = end != NULL ? (size_t)(end - block) : strlen(block);
        struct vidmm_texts lines = {0};
        vidmm_texts_split(arena, &lines, vidmm_text_cut(arena, block, length), "\n");
        for (size_t i = 1; i < lines.count; i++)
            read_line(arena, wpp, lines.word[i]);
        block += length;
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A literal and its arguments, parted: "text", a, b */
static void part(struct vidmm_arena *arena, const char *affix, const char **literal,
                 const char **arguments)
{
    const char *quote = strrchr(affix, '"');
    const char *comma = quote != NULL ? strchr(quote, ',') : NULL;

    *literal = comma != NULL ? vidmm_text_cut(arena, affix, (size_t)(comma - affix)) : affix;
    *arguments = comma != NULL ? comma : "";
}

/* A list in the list of parameters is one argument, LIST, which a second macro takes apart:
 *
 *     #define Print(LEVEL, LIST) KIT_TRACE_CALL(KIT_TRACE_Print, LEVEL, KIT_TRACE_LIST LIST)
 *     #define KIT_TRACE_Print(LEVEL, MSG, ...) ...
 */
static const char *flatten(struct vidmm_arena *arena, const char **name, char **parameters)
{
    char *open = strchr(*parameters, '('), *close = strrchr(*parameters, ')');

    if (open == NULL || close == NULL)
        return "";
    const char *before = vidmm_text_cut(arena, *parameters, (size_t)(open - *parameters));
    const char *within = vidmm_text_cut(arena, open + 1, (size_t)(close - open - 1));
    const char *outer = *name;
    *name = vidmm_text(arena, "KIT_TRACE_%s", outer);
    *parameters = vidmm_text(arena, "%s%s", before, within);
    return vidmm_text(arena,
                      "#undef %s\n#define %s(%sLIST) KIT_TRACE_CALL(%s, %sKIT_TRACE_LIST LIST)\n",
                      outer, outer, before, *name, before);
}

static char *macro(struct vidmm_arena *arena, const struct vidmm_kit_wpp *wpp, size_t i)
{
    struct vidmm_texts parameters = {0};
    const char *prefix, *before, *suffix, *behind, *name = wpp->names.word[i];
    char *list = wpp->parameters.word[i];
    const char *outer = flatten(arena, &name, &list);

    part(arena, wpp->prefixes.word[i], &prefix, &before);
    part(arena, wpp->suffixes.word[i], &suffix, &behind);
    vidmm_texts_split(arena, &parameters, list, ",");
    bool level = vidmm_texts_has(&parameters, "LEVEL"),
         message = vidmm_texts_has(&parameters, "MSG");
    bool more = vidmm_texts_has(&parameters, "...");
    return vidmm_text(arena, "%s#undef %s\n#define %s(%s) KIT_TRACE(%s, %s %s %s%s%s%s)\n", outer,
                      name, name, vidmm_texts_join(arena, &parameters, ", "),
                      level ? "LEVEL" : wpp->levels.word[i], prefix, message ? "MSG" : "\"\"",
                      suffix, before, more ? ", ##__VA_ARGS__" : "", behind);
}

char *vidmm_kit_wpp_header(struct vidmm_arena *arena, const struct vidmm_kit_wpp *wpp)
{
    struct vidmm_texts text = {0};

    vidmm_texts_add(arena, &text,
                    "/* Made by vidmm kit: the log macros of begin_wpp config. */\n"
                    "#include <WppRecorder.h>\n"
                    "#include <ntstrsafe.h>\n" /* drivers are seen to rely on it */
                    "#undef DoTraceMessage\n"
                    "#define DoTraceMessage(FLAGS, MSG, ...) KIT_TRACE(" LEVEL_DEFAULT
                    ", MSG, ##__VA_ARGS__)\n");
    for (size_t i = 0; i < wpp->names.count; i++)
        vidmm_texts_add(arena, &text, macro(arena, wpp, i));
    return vidmm_texts_join(arena, &text, "");
}
