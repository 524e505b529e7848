#include "tool/options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool/size.h"

#define NAME_WIDTH 22 /* columns of an option's name in a help text */
#define LONGEST 31u   /* letters of a word that is compared with others */

struct error {
    char *text;
    size_t size;
};

/* Always false. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct error *error, const char *format,
                                                         ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error->text, error->size, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- near words ------------------------------------------------------------------------------ */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* How many letters must be put in, taken out or changed to make one word of the other. */
static unsigned distance(const char *a, const char *b)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    unsigned row[LONGEST + 1];

    if (a_length > LONGEST || b_length > LONGEST)
        return UINT32_MAX;
    for (unsigned j = 0; j <= b_length; j++)
        row[j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];

        row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            unsigned changed = diagonal + (a[i - 1] != b[j - 1]);

            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

const char *vidmm_options_nearest(const char *word, const char *const *candidates)
{
    const char *nearest = NULL;
    unsigned best = 4; /* more than three letters away, or half of it, is another word */

    for (size_t i = 0; candidates[i] != NULL; i++) {
        unsigned d = distance(word, candidates[i]);

        if (d < best && 2 * d <= strlen(candidates[i])) {
            best = d;
            nearest = candidates[i];
        }
    }
    return nearest;
}

static bool unknown(struct error *error, const struct vidmm_option *options, size_t count,
                    const char *name)
{
    const char *names[64] = {NULL};

    for (size_t i = 0; i < count && i < 63; i++)
        names[i] = options[i].name;
    const char *nearest = vidmm_options_nearest(name, names);
    if (nearest != NULL)
        return refuse(error, "there is no option --%s; did you mean --%s?", name, nearest);
    return refuse(error, "there is no option --%s", name);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_size(struct error *error, const struct vidmm_option *option, const char *value)
{
    uint64_t size;

    if (!vidmm_size_parse(value, &size) || size < option->least || size > option->most) {
        struct vidmm_size_text low = vidmm_size_written(option->least);
        struct vidmm_size_text high = vidmm_size_written(option->most);
        uint64_t now = *(const uint64_t *)option->target; /* the default is an example */
        bool legal = now >= option->least && now <= option->most;

        return refuse(error, "--%s: '%s'; expected %s to %s, for example %s", option->name, value,
                      low.text, high.text, vidmm_size_written(legal ? now : option->least).text);
    }
    *(uint64_t *)option->target = size;
    return true;
}

static bool read_number(struct error *error, const struct vidmm_option *option, const char *value)
{
    char *end;
    uint64_t number = strtoull(value, &end, 10);

    if (value[0] < '0' || value[0] > '9' || *end != 0 || strlen(value) > 19 ||
        number < option->least || number > option->most)
        return refuse(error, "--%s: '%s'; expected %" PRIu64 " to %" PRIu64, option->name, value,
                      option->least, option->most);
    *(uint64_t *)option->target = number;
    return true;
}

static bool read_choice(struct error *error, const struct vidmm_option *option, const char *value)
{
    char all[160] = "";

    for (uint64_t i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(option->choices[i], value) == 0) {
            *(uint64_t *)option->target = i;
            return true;
        }
        size_t length = strlen(all);
        snprintf(all + length, sizeof(all) - length, "%s%s", i == 0 ? "" : ", ",
                 option->choices[i]);
    }
    return refuse(error, "--%s: '%s'; expected one of %s", option->name, value, all);
}

static bool read_value(struct error *error, const struct vidmm_option *option, const char *value)
{
    switch (option->kind) {
    case VIDMM_OPTION_SIZE:
        return read_size(error, option, value);
    case VIDMM_OPTION_NUMBER:
        return read_number(error, option, value);
    case VIDMM_OPTION_CHOICE:
        return read_choice(error, option, value);
    default:
        *(const char **)option->target = value;
        return true;
    }
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Is the argument this option's name, alone or with `=VALUE`? */
static bool names(const struct vidmm_option *option, const char *argument)
{
    size_t length = strlen(option->name);

    return strncmp(argument, option->name, length) == 0 &&
           (argument[length] == 0 || argument[length] == '=');
}

/* Read one option; *used: how many arguments it took. */
static bool read_option(struct error *error, const struct vidmm_option *option, int count,
                        char *const *arguments, int *used)
{
    const char *value = strchr(arguments[0], '=');

    *used = 1;
    if (option->given != NULL)
        *option->given = true;
    if (option->kind == VIDMM_OPTION_SWITCH) {
        *(bool *)option->target = true;
        return value == NULL || refuse(error, "--%s takes no value", option->name);
    }
    if (value != NULL)
        return read_value(error, option, value + 1);
    if (count < 2)
        return refuse(error, "--%s needs a value: --%s %s", option->name, option->name,
                      option->value);
    *used = 2;
    return read_value(error, option, arguments[1]);
}

static bool read_dashes(struct error *error, const struct vidmm_option *options,
                        size_t option_count, int count, char *const *arguments, int *used)
{
    char name[LONGEST + 1];

    for (size_t i = 0; i < option_count; i++)
        if (names(&options[i], arguments[0] + 2))
            return read_option(error, &options[i], count, arguments, used);
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(arguments[0] + 2, "="), arguments[0] + 2);
    return unknown(error, options, option_count, name);
}

bool vidmm_options_parse(const struct vidmm_option *options, size_t option_count, int count,
                         char *const *arguments, struct vidmm_words *words, char *error,
                         size_t error_size)
{
    struct error where = {error, error_size};
    char *const help = (char[]){"--help"};
    bool ended = false;

    words->count = 0;
    for (int i = 0, used; i < count; i += used) {
        const char *argument = arguments[i];

        used = 1;
        if (!ended && strcmp(argument, "--") == 0) {
            ended = true;
        } else if (!ended && strcmp(argument, "-h") == 0) {
            if (!read_dashes(&where, options, option_count, 1, &help, &used))
                return false;
        } else if (!ended && strncmp(argument, "--", 2) == 0) {
            if (!read_dashes(&where, options, option_count, count - i, arguments + i, &used))
                return false;
        } else if (!ended && argument[0] == '-' && argument[1] != 0) {
            return refuse(&where, "'%s' is no option; options begin with two dashes", argument);
        } else if (words->count == words->most) {
            return refuse(&where, "unexpected argument '%s'", argument);
        } else {
            words->word[words->count++] = argument;
        }
    }
    return true;
}

void vidmm_options_help(const struct vidmm_option *options, size_t option_count, FILE *file)
{
    for (size_t i = 0; i < option_count; i++) {
        char name[48];
        const char *line = options[i].help;

        snprintf(name, sizeof(name), "--%s%s%s", options[i].name, options[i].value ? " " : "",
                 options[i].value ? options[i].value : "");
        bool beside = strlen(name) <= NAME_WIDTH;

        fprintf(file, beside ? "  %-22s " : "  %s\n", name);
        for (size_t length; *line != 0; line += length + (line[length] == '\n')) {
            length = strcspn(line, "\n");
            fprintf(file, "%*s%.*s\n", beside ? 0 : NAME_WIDTH + 3, "", (int)length, line);
            beside = false;
        }
    }
}
