/*
 * dialect.c: see dialect.h. One pass, token by token, into a text that is never longer than
 * what it is made of: blanks take the place of what goes, so columns stay.
 *
 * D1  A run is a row of words that a type is made of. Its one `long` is replaced when the run ends;
 *     of two one goes, since this machine's `long` has 64 bits; with `double` it stays.
 * D2  A function that was declared without `static` and then with it is one of its source alone.
 *     The word goes, and the function gets a name that no other source has.
 * D3  A driver's own int8_t is a plain `char` (by __int8), because headers of Windows do not bring
 *     in the one of <stdint.h>; the kit's do. Its typedef goes, and that one stands ahead of all.
 */
#include "import/dialect.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "import/place.h"

struct pass {
    const struct vidmm_kit_place *place;
    char *text; /* changed in place */
    bool own;   /* the line is the driver's */
    bool changed;
    bool is_static;  /* the declaration has said so */
    char *inlined;   /* the last `inline` of the declaration */
    char *comma;     /* the last token, if it was a comma */
    char *last_long; /* of the run */
    unsigned longs;  /* in the run */
    bool has_int, has_double;

    /* A typedef of int8_t (D3). */
    char *typedef_word;     /* NULL: the declaration is none */
    unsigned typedef_words; /* that are as expected */
    bool own_int8;          /* one has gone */

    /* Functions (D2). */
    struct vidmm_arena *arena;
    const char *unique;    /* NULL: `static` stays */
    unsigned deep, within; /* in braces, in parentheses */
    char *static_word;     /* of the declaration */
    bool no_function;      /* the declaration is a typedef, or has been seen to its name */
    struct vidmm_texts declared, renamed;
};

static bool is_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '$';
}

static bool is(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && memcmp(word, what, length) == 0;
}

/* ---- runs of type words ---------------------------------------------------------------------- */

static void end_run(struct pass *pass)
{
    if (pass->longs > 0 && !pass->has_double) { /* D1 */
        memcpy(pass->last_long, pass->longs > 1 || pass->has_int ? "    " : "int ", 4);
        pass->changed = true;
    }
    pass->longs = 0;
    pass->has_int = pass->has_double = false;
}

static void take_word(struct pass *pass, char *word, size_t length)
{
    static const char *const others[] = {"unsigned", "signed",  "const",  "volatile",  "static",
                                         "extern",   "typedef", "inline", "__signed__"};

    if (is(word, length, "long")) {
        pass->longs += pass->own;
        pass->last_long = word;
        return;
    }
    if (is(word, length, "__int64") && pass->own) {
        memcpy(word, "long   ", 7);
        pass->changed = true;
        return;
    }
    if (is(word, length, "int")) {
        pass->has_int = true;
        return;
    }
    if (is(word, length, "double")) {
        pass->has_double = true;
        return;
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (is(word, length, others[i]))
            return;
    end_run(pass);
}

/* ---- int8_t --------------------------------------------------------------------------------- */

static void take_typedef(struct pass *pass, char *word, size_t length)
{
    static const char *const row[] = {"typedef", "char", "int8_t"};
    unsigned seen = pass->typedef_words;

    if (is(word, length, "typedef"))
        pass->typedef_word = word, pass->typedef_words = 1;
    else if (seen == 1 && is(word, length, "__int8")) /* clang knows the word itself */
        pass->typedef_words = 2;
    else if (seen > 0)
        pass->typedef_words = seen < 3 && is(word, length, row[seen]) ? seen + 1 : 0;
}

/* The declaration ends at `end`: D3. */
static void end_typedef(struct pass *pass, char *end)
{
    if (pass->typedef_words == 3 && *end == ';') {
        for (char *at = pass->typedef_word; at <= end; at++)
            *at = *at == '\n' ? '\n' : ' ';
        pass->own_int8 = pass->changed = true;
    }
    pass->typedef_words = 0;
}

/* ---- variadic functions ---------------------------------------------------------------------- */

enum { LONGEST_LIST = 4096 }; /* bytes that are looked through for the end of a parameter list */

/* Whether the declaration that goes on at `at` has a parameter list that ends in three dots;
 * *is_static: it says so before that. */
static bool is_variadic(const char *at, bool *is_static)
{
    const char *end = at + LONGEST_LIST;
    unsigned deep = 0;

    for (; at < end && *at != 0 && (deep > 0 || strchr(";{}=", *at) == NULL); at++) {
        size_t length = 0;
        while (is_word(at[length]))
            length++;
        if (length > 0) {
            *is_static = *is_static || (deep == 0 && is(at, length, "static"));
            at += length - 1;
        } else if (*at == '#') { /* a marker */
            at += strcspn(at, "\n");
        } else if (*at == '(') {
            deep++;
        } else if (*at == ')') {
            if (deep-- == 0)
                return false;
        } else if (deep == 1 && strncmp(at, "...", 3) == 0) {
            return true;
        }
        if (*at == 0)
            return false;
    }
    return false;
}

/* No compiler here puts a variadic function in line. If it is not static, it stays one that several
 * sources may define. */
static void take_attribute(struct pass *pass, char *at)
{
    static const char always[] = "__attribute__((always_inline))";
    static const char weak[] = "__attribute__((weak))         ";
    bool is_static = pass->is_static;

    if (!pass->own || pass->inlined == NULL || strncmp(at, always, sizeof(always) - 1) != 0 ||
        !is_variadic(at + sizeof(always) - 1, &is_static))
        return;
    if (is_static) {
        memset(at, ' ', sizeof(always) - 1);
    } else {
        memset(pass->inlined, ' ', strlen("inline"));
        memcpy(at, weak, sizeof(weak) - 1);
    }
    pass->changed = true;
}

/* ---- static after a declaration without it ------------------------------------------------- */

/* Behind the parenthesis that closes the one at `at`; NULL: none does, or it is far away. */
static const char *behind_list(const char *at)
{
    const char *end = at + LONGEST_LIST;
    unsigned deep = 0;

    for (; at < end && *at != 0; at++) {
        deep += *at == '(';
        if (*at == ')' && --deep == 0)
            return at + 1;
    }
    return NULL;
}

/* Whether the word that ends at `end` is the name of a function that is declared: a list stands
 * behind it, and behind that no other, as it does where the name is in the first. */
static bool is_function(const char *word, size_t length)
{
    static const char *const others[] = {"__attribute__", "__declspec", "__asm__", "_Static_assert",
                                         "__typeof__",    "asm",        "typeof",  "_Alignas"};
    const char *list = word + length + strspn(word + length, " \t\r\n"), *behind;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (is(word, length, others[i]))
            return false;
    if (*list != '(' || (behind = behind_list(list)) == NULL)
        return false;
    behind += strspn(behind, " \t\r\n");
    return strchr(";{,#", *behind) != NULL || strncmp(behind, "__attribute__", 13) == 0;
}

/* A word outside of all braces and parentheses: D2. */
static void take_outer_word(struct pass *pass, char *word, size_t length)
{
    if (is(word, length, "static"))
        pass->static_word = word;
    if (is(word, length, "typedef"))
        pass->no_function = true;
    if (pass->no_function || !is_function(word, length))
        return;
    char *name = vidmm_text_cut(pass->arena, word, length);
    bool known = vidmm_texts_has(&pass->declared, name);
    pass->no_function = true;
    if (pass->static_word == NULL && !known)
        vidmm_texts_add(pass->arena, &pass->declared, name);
    if (pass->static_word == NULL || !known)
        return;
    memset(pass->static_word, ' ', strlen("static"));
    if (!vidmm_texts_has(&pass->renamed, name))
        vidmm_texts_add(pass->arena, &pass->renamed, name);
    pass->changed = true;
}

static void take_bracket(struct pass *pass, char letter)
{
    pass->within += letter == '(';
    pass->within -= letter == ')' && pass->within > 0;
    pass->deep += letter == '{';
    pass->deep -= letter == '}' && pass->deep > 0;
    if (pass->deep == 0 && pass->within == 0 && (letter == ';' || letter == '}')) {
        pass->static_word = NULL;
        pass->no_function = false;
    }
}

/* The text with the new names, and what stands ahead of all, behind its first line, which names the
 * source. */
static char *with_names(struct pass *pass)
{
    size_t first = strcspn(pass->text, "\n");
    struct vidmm_texts lines = {0};

    if (pass->own_int8)
        vidmm_texts_add(pass->arena, &lines, "typedef signed char int8_t;\n");
    for (size_t i = 0; i < pass->renamed.count; i++)
        vidmm_texts_add(pass->arena, &lines,
                        vidmm_text(pass->arena, "#pragma redefine_extname %s %s$%s\n",
                                   pass->renamed.word[i], pass->renamed.word[i], pass->unique));
    return lines.count == 0 ? pass->text
                            : vidmm_text(pass->arena, "%.*s\n%s%s", (int)first, pass->text,
                                         vidmm_texts_join(pass->arena, &lines, ""),
                                         pass->text + first + (pass->text[first] != 0));
}

/* ---- other tokens ---------------------------------------------------------------------------- */

/* The replacement of an integer's suffix; NULL: it stays. */
static const char *suffix_for(const char *suffix, size_t length)
{
    static const char *const rows[][2] = {
        {"l", ""},     {"ul", "U"},   {"lu", "U"},    {"ll", "L"},  {"ull", "UL"},
        {"llu", "UL"}, {"i64", "L"},  {"ui64", "UL"}, {"i32", ""},  {"ui32", "U"},
        {"i16", ""},   {"ui16", "U"}, {"i8", ""},     {"ui8", "U"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strlen(rows[i][0]) == length && strncasecmp(rows[i][0], suffix, length) == 0)
            return rows[i][1];
    return NULL;
}

static void take_number(struct pass *pass, char *number, size_t length)
{
    bool hexadecimal = length > 1 && (number[1] == 'x' || number[1] == 'X');
    size_t digits = hexadecimal ? 2 : 0;

    if (!hexadecimal &&
        (memchr(number, '.', length) || memchr(number, 'e', length) || memchr(number, 'E', length)))
        return;
    while (digits < length && (hexadecimal ? isxdigit((unsigned char)number[digits])
                                           : isdigit((unsigned char)number[digits])))
        digits++;
    const char *suffix = suffix_for(number + digits, length - digits);
    if (suffix == NULL || !pass->own)
        return;
    memset(number + digits, ' ', length - digits);
    memcpy(number + digits, suffix, strlen(suffix));
    pass->changed = true;
}

/* Behind a literal that begins at `at`. */
static char *skip_literal(char *at)
{
    char quote = *at++;

    for (; *at != 0 && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at[1] != 0)
            at++;
    return *at == quote ? at + 1 : at;
}

/* # 12 "file.c" 2: whose are the lines that follow? */
static void take_marker(struct pass *pass, const char *line)
{
    const char *name = strchr(line, '"'), *end = strchr(line, '\n');

    if (name == NULL || (end != NULL && name > end))
        return;
    name++;
    pass->own = strncmp(name, pass->place->kit, strlen(pass->place->kit)) != 0 &&
                strncmp(name, pass->place->wddm, strlen(pass->place->wddm)) != 0 && *name != '<';
}

static char *take_token(struct pass *pass, char *at)
{
    char *end = at;
    char *comma = pass->comma;

    pass->comma = NULL;
    if (*at == '"' || *at == '\'') {
        end_run(pass);
        return skip_literal(at);
    }
    if (is_word(*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        bool number = !isalpha((unsigned char)*at) && *at != '_' && *at != '$';
        while (is_word(*end) || (number && (*end == '.' || *end == '\'')))
            end++;
        if (number)
            end_run(pass), take_number(pass, at, (size_t)(end - at));
        else
            take_word(pass, at, (size_t)(end - at));
        if (pass->own)
            take_typedef(pass, at, (size_t)(end - at));
        if (pass->unique != NULL && pass->own && pass->deep == 0 && pass->within == 0)
            take_outer_word(pass, at, (size_t)(end - at));
        if (is(at, (size_t)(end - at), "inline"))
            pass->inlined = at;
        if (is(at, (size_t)(end - at), "static"))
            pass->is_static = true;
        if (is(at, (size_t)(end - at), "__attribute__"))
            take_attribute(pass, at);
        return end;
    }
    end_run(pass);
    end_typedef(pass, at);
    take_bracket(pass, *at);
    if (*at == ',')
        pass->comma = at;
    if (*at == ';' || *at == '{' || *at == '}')
        pass->is_static = false, pass->inlined = NULL;
    if (*at == ')' && comma != NULL && pass->own) {
        *comma = ' ';
        pass->changed = true;
    }
    return at + 1;
}

char *vidmm_kit_dialect(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                        const char *unique, const char *text)
{
    struct pass pass = {.place = place,
                        .text = vidmm_text(arena, "%s", text),
                        .own = true,
                        .arena = arena,
                        .unique = unique};
    bool fresh_line = true;

    for (char *at = pass.text; *at != 0;) {
        if (fresh_line && *at == '#') { /* a marker, or a pragma */
            if (at[1] == ' ' && isdigit((unsigned char)at[2]))
                take_marker(&pass, at);
            at += strcspn(at, "\n");
            continue;
        }
        fresh_line = *at == '\n' || (fresh_line && isspace((unsigned char)*at));
        if (isspace((unsigned char)*at))
            at++;
        else
            at = take_token(&pass, at);
    }
    end_run(&pass);
    return pass.changed ? with_names(&pass) : NULL;
}
