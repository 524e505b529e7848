#include "tool/manual.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define ITEM_INDENT 2u /* columns before the name of an item */
#define CALL_INDENT 4u /* before what a way of calling does; deeper lines continue the call */
#define LINE_MAX_BYTES 512u

enum part { AT_CALLS, IN_PROSE, IN_ITEMS, IN_EXAMPLES };

struct page {
    FILE *file;
    enum part part;
    bool described, options; /* the headings DESCRIPTION and OPTIONS stand */
};

/* Print text for roff: no character of it is a command. A dash is a minus sign where it begins a
 * word, and everywhere in what is typed. */
static void put(FILE *file, const char *text, bool typed)
{
    bool dashes = true;

    if (*text == '.' || *text == '\'')
        fputs("\\&", file);
    for (; *text != 0; text++) {
        if (*text == '\\')
            fputs("\\e", file);
        else if (*text == '-' && (typed || dashes))
            fputs("\\-", file);
        else
            fputc(*text, file);
        dashes = *text == ' ' || *text == '(' || (*text == '-' && dashes);
    }
}

static void put_line(FILE *file, const char *before, const char *text, bool typed)
{
    fputs(before, file);
    put(file, text, typed);
    fputc('\n', file);
}

static size_t indent(const char *line)
{
    return strspn(line, " ");
}

static void section(struct page *page, const char *title)
{
    fprintf(page->file, ".SH %s\n", title);
}

static void describe(struct page *page)
{
    if (!page->described)
        section(page, "DESCRIPTION");
    page->described = true;
}

/* An item: its name, and behind two spaces or more the beginning of its text. */
static void put_item(struct page *page, char *line)
{
    char *text = strstr(line, "  ");

    if (strncmp(line, "--", 2) == 0 && !page->options) {
        section(page, "OPTIONS");
        page->options = page->described = true;
    }
    describe(page);
    if (text != NULL) {
        *text = 0;
        text += 1 + strspn(text + 1, " ");
    }
    fputs(".TP\n", page->file);
    put_line(page->file, ".B ", line, true);
    if (text != NULL)
        put_line(page->file, "", text, false);
    page->part = IN_ITEMS;
}

/* A flush line: prose, a heading, or the sentence on exit statuses. */
static void put_flush(struct page *page, char *line, bool first, const char *next)
{
    static const char statuses[] = "exit status: ";

    if (first && strncmp(line, statuses, strlen(statuses)) == 0) {
        section(page, "EXIT STATUS");
        put_line(page->file, "", line + strlen(statuses), false);
        page->part = IN_PROSE;
        page->described = true;
        return;
    }
    if (first && indent(next) == ITEM_INDENT) {
        line[strcspn(line, ":")] = 0;
        bool examples = strncmp(line, "example", strlen("example")) == 0;

        if (examples)
            section(page, "EXAMPLES");
        else {
            describe(page);
            put_line(page->file, ".SS ", line, false);
        }
        if (examples)
            fputs(".EX\n", page->file);
        page->part = examples ? IN_EXAMPLES : IN_ITEMS;
        return;
    }
    describe(page);
    if (first)
        fputs(".PP\n", page->file);
    put_line(page->file, "", line, false);
    page->part = IN_PROSE;
}

/* The first paragraph: the calls; with_text: and under each what it does. Answers what follows. */
static const char *put_calls(struct page *page, const char *text, bool with_text)
{
    char line[LINE_MAX_BYTES];
    const char *end = "";

    for (; *text != '\n' && *text != 0; text += strcspn(text, "\n") + 1) {
        snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
        size_t in = indent(line);
        if (in == CALL_INDENT && !with_text)
            continue;
        if (in > CALL_INDENT) /* the call goes on */
            fputc(' ', page->file);
        else {
            fputs(end, page->file);
            if (in < CALL_INDENT)
                fputs(with_text ? ".TP\n.B " : *end != 0 ? ".br\n.B " : ".B ", page->file);
        }
        put(page->file, line + in, in != CALL_INDENT);
        end = "\n";
    }
    fputs(end, page->file);
    return text;
}

static bool calls_have_text(const char *text)
{
    const char *end = strstr(text, "\n\n");

    for (; text < end; text += strcspn(text, "\n") + 1)
        if (indent(text) == CALL_INDENT)
            return true;
    return false;
}

static void put_body(struct page *page, const char *text)
{
    bool first = true;

    while (*text != 0) {
        char line[LINE_MAX_BYTES];
        size_t length = strcspn(text, "\n");

        snprintf(line, sizeof(line), "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
        if (length == 0) {
            if (page->part == IN_EXAMPLES)
                fputs(".EE\n", page->file);
            page->part = IN_PROSE;
            first = true;
            continue;
        }
        size_t in = indent(line);
        if (page->part == IN_EXAMPLES)
            put_line(page->file, "", line + in, true);
        else if (in == 0)
            put_flush(page, line, first, text);
        else if (in == ITEM_INDENT)
            put_item(page, line + in);
        else
            put_line(page->file, "", line + in, false);
        first = false;
    }
    if (page->part == IN_EXAMPLES)
        fputs(".EE\n", page->file);
}

static void put_others(FILE *file, const char *others)
{
    const char *comma = "";

    for (size_t length; *others != 0; others += length + strspn(others + length, " ")) {
        length = strcspn(others, " ");
        fprintf(file, "%s.BR ", comma);
        for (size_t i = 0; i < length; i++)
            fputs(others[i] == '-' ? "\\-" : (char[]){others[i], 0}, file);
        fputs(" (1)", file);
        comma = ",\n";
    }
    fputc('\n', file);
}

void vidmm_manual_write(FILE *file, const char *name, const char *summary, const char *text,
                        const char *others)
{
    struct page page = {.file = file, .part = AT_CALLS};

    fputs(".TH ", file);
    for (const char *c = name; *c != 0; c++)
        fputc(toupper((unsigned char)*c), file);
    fprintf(file, " 1 \"\" \"vidmm " VIDMM_VERSION "\" \"vidmm\"\n");
    section(&page, "NAME");
    put(file, name, true);
    fputs(" \\- ", file);
    put_line(file, "", summary, false);
    section(&page, "SYNOPSIS");
    const char *rest = put_calls(&page, text, false);
    if (calls_have_text(text)) {
        describe(&page);
        put_calls(&page, text, true);
    }
    put_body(&page, rest);
    section(&page, "SEE ALSO");
    put_others(file, others);
}
