/*
 * message.c: message texts. A file is words `Keyword=Value` and, after `Language=`, lines of
 * text up to one that is a dot alone; lines that begin with ; go to the header without it.
 */
#include "import/message.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/arena.h"

struct names {
    struct vidmm_texts name, number, symbol;
};

struct reading {
    struct vidmm_arena *arena;
    const char *file, *at; /* the rest */
    unsigned line;
    const char *error;
    struct vidmm_texts header; /* lines */
    struct names severities, facilities;
    const char *type, *symbol; /* MessageIdTypedef; SymbolicName of the message being read */
    unsigned long id, severity, facility, customer;
    bool decimal, started;
};

static void fail(struct reading *r, const char *what, const char *name)
{
    if (r->error == NULL)
        r->error = vidmm_text(r->arena, "%s:%u: %s '%s'", r->file, r->line, what, name);
}

/* ---- names of severities and facilities ------------------------------------------------------ */

static void set_name(struct reading *r, struct names *names, const char *name, const char *number,
                     const char *symbol)
{
    for (size_t i = 0; i < names->name.count; i++)
        if (strcasecmp(names->name.word[i], name) == 0) {
            names->number.word[i] = vidmm_text(r->arena, "%s", number);
            names->symbol.word[i] = vidmm_text(r->arena, "%s", symbol);
            return;
        }
    vidmm_texts_add(r->arena, &names->name, name);
    vidmm_texts_add(r->arena, &names->number, number);
    vidmm_texts_add(r->arena, &names->symbol, symbol);
}

/* (NAME=NUMBER[:SYMBOL] ...) */
static void read_names(struct reading *r, struct names *names, const char *list)
{
    struct vidmm_texts items = {0};

    vidmm_texts_split(r->arena, &items, list, " \t\r\n");
    for (size_t i = 0; i < items.count; i++) {
        char *item = items.word[i], *equals = strchr(item, '=');
        if (equals == NULL) {
            fail(r, "no NAME=NUMBER:", item);
            return;
        }
        *equals = 0;
        char *colon = strchr(equals + 1, ':');
        if (colon != NULL)
            *colon = 0;
        set_name(r, names, item, equals + 1, colon != NULL ? colon + 1 : "");
    }
}

static unsigned long number_of(struct reading *r, const struct names *names, const char *name,
                               const char *kind)
{
    for (size_t i = 0; i < names->name.count; i++)
        if (strcasecmp(names->name.word[i], name) == 0)
            return strtoul(names->number.word[i], NULL, 0);
    fail(r, kind, name);
    return 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Symbols of facilities and severities stand before the first message. */
static void start(struct reading *r)
{
    const struct names *const both[] = {&r->facilities, &r->severities};

    for (size_t k = 0; !r->started && k < 2; k++)
        for (size_t i = 0; i < both[k]->name.count; i++)
            if (both[k]->symbol.word[i][0] != 0)
                vidmm_texts_add(r->arena, &r->header,
                                vidmm_text(r->arena, "#define %s %s\n", both[k]->symbol.word[i],
                                           both[k]->number.word[i]));
    r->started = true;
}

static void write_message(struct reading *r)
{
    unsigned long code =
        r->severity << 30 | r->customer << 29 | r->facility << 16 | (r->id & 0xFFFF);
    char *value =
        r->decimal ? vidmm_text(r->arena, "%luL", code) : vidmm_text(r->arena, "0x%08lXL", code);

    if (r->symbol == NULL)
        return;
    vidmm_texts_add(r->arena, &r->header,
                    *r->type != 0
                        ? vidmm_text(r->arena, "#define %s ((%s)%s)\n", r->symbol, r->type, value)
                        : vidmm_text(r->arena, "#define %s %s\n", r->symbol, value));
    r->symbol = NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static char *take_line(struct reading *r)
{
    size_t length = strcspn(r->at, "\n");
    char *line = vidmm_text_cut(r->arena, r->at, length);

    r->at += length + (r->at[length] == '\n');
    r->line++;
    line[strcspn(line, "\r")] = 0;
    return line;
}

static void skip_text(struct reading *r)
{
    while (*r->at != 0)
        if (strcmp(take_line(r), ".") == 0)
            return;
    fail(r, "a message has no line that is a dot alone:", "");
}

static void set_id(struct reading *r, const char *value)
{
    char *end;
    unsigned long number = strtoul(value + (*value == '+'), &end, 0);

    start(r);
    if (*value == 0)
        r->id++;
    else if (*value == '+')
        r->id += number;
    else
        r->id = number;
    if (*end != 0 || r->id > 0xFFFF)
        fail(r, "no message id:", value);
}

static void set(struct reading *r, const char *name, const char *value)
{
    if (strcasecmp(name, "MessageIdTypedef") == 0)
        r->type = value;
    else if (strcasecmp(name, "SeverityNames") == 0)
        read_names(r, &r->severities, value);
    else if (strcasecmp(name, "FacilityNames") == 0)
        read_names(r, &r->facilities, value);
    else if (strcasecmp(name, "OutputBase") == 0)
        r->decimal = strtoul(value, NULL, 0) == 10;
    else if (strcasecmp(name, "MessageId") == 0)
        set_id(r, value);
    else if (strcasecmp(name, "Severity") == 0)
        r->severity = number_of(r, &r->severities, value, "no severity is called") & 3;
    else if (strcasecmp(name, "Facility") == 0)
        r->facility = number_of(r, &r->facilities, value, "no facility is called") & 0xFFF;
    else if (strcasecmp(name, "SymbolicName") == 0)
        r->symbol = value;
    else if (strcasecmp(name, "Language") == 0) {
        take_line(r);
        write_message(r);
        skip_text(r);
    } else if (strcasecmp(name, "LanguageNames") != 0 &&
               strcasecmp(name, "MessageIdTypedefMacro") != 0)
        fail(r, "no keyword of a message text:", name);
}

static void skip_blanks(struct reading *r, const char *set_of)
{
    size_t length = strspn(r->at, set_of);

    for (size_t i = 0; i < length; i++)
        r->line += r->at[i] == '\n';
    r->at += length;
}

/* A value ends at a blank; one in parentheses at the closing one; one of {10} likewise. */
static char *value_at(struct reading *r)
{
    skip_blanks(r, " \t");
    char close = *r->at == '(' ? ')' : *r->at == '{' ? '}' : 0;
    const char *end = close != 0 ? strchr(r->at, close) : r->at + strcspn(r->at, " \t\r\n");

    if (end == NULL) {
        fail(r, "not closed:", vidmm_text_cut(r->arena, r->at, strcspn(r->at, "\r\n")));
        return vidmm_text(r->arena, "%s", "");
    }
    const char *from = r->at + (close != 0);
    char *value = vidmm_text_cut(r->arena, from, (size_t)(end - from));
    for (; r->at < end; r->at++)
        r->line += *r->at == '\n';
    r->at += close != 0;
    return value;
}

static void read_word(struct reading *r)
{
    size_t length = 0;

    while (isalnum((unsigned char)r->at[length]))
        length++;
    char *name = vidmm_text_cut(r->arena, r->at, length);
    r->at += length;
    skip_blanks(r, " \t");
    if (length == 0 || *r->at != '=') {
        fail(r, "no KEYWORD=VALUE:",
             length != 0 ? name : vidmm_text_cut(r->arena, r->at, strcspn(r->at, "\r\n")));
        return;
    }
    r->at++;
    set(r, name, value_at(r));
}

char *vidmm_kit_message_header(struct vidmm_arena *arena, const char *name, const char *text,
                               bool customer, const char **error)
{
    struct reading r = {.arena = arena, .file = name, .at = text, .line = 1, .type = ""};

    r.customer = customer;
    if (strncmp(r.at, "\xEF\xBB\xBF", 3) == 0) /* a byte order mark */
        r.at += 3;
    read_names(&r, &r.severities, "Success=0x0 Informational=0x1 Warning=0x2 Error=0x3");
    read_names(&r, &r.facilities, "System=0x0FF Application=0xFFF");
    vidmm_texts_add(arena, &r.header,
                    vidmm_text(arena, "/* Made by vidmm kit mc from %s. */\n#pragma once\n", name));
    for (;;) {
        skip_blanks(&r, " \t\r\n\f\v");
        if (*r.at == 0 || r.error != NULL)
            break;
        if (*r.at == ';') {
            r.at++;
            vidmm_texts_add(arena, &r.header, vidmm_text(arena, "%s\n", take_line(&r)));
        } else {
            read_word(&r);
        }
    }
    *error = r.error;
    return r.error == NULL ? vidmm_texts_join(arena, &r.header, "") : NULL;
}
