/* machine_file.c: a file for a software GPU or for a miniport, by its first words.
 *
 * A line that only this file knows (`miniport`, `configuration`) is made blank, so that the lines
 * of the configuration keep their numbers.
 */
#include "miniport/machine_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/posix_file.h"
#include "miniport/configuration_file.h"
#include "miniport/shared_object.h"

#define FILE_MOST 65536u /* bytes of a machine's file */
#define WORD_MOST 64u

/* The GPU by default: of WDDM 2.6, with page tables. */
static const char default_gpu[] = "wddm 2.6\n"
                                  "mmu gpu\n"
                                  "segment 1 aperture 1G\n"
                                  "segment 2 memory 256M cpuvisible\n";

enum own_line { MINIPORT, CONFIGURATION, OWN_LINES };

static const char *const own_words[OWN_LINES] = {"miniport", "configuration"};

struct reader {
    const char *path;
    struct vidmm_machine_file *file;
    unsigned line;              /* that is read */
    unsigned at[OWN_LINES];     /* where a line of ours stands; 0: nowhere */
    unsigned plugin, other;     /* where the first `plugin` stands; the first other line */
    char other_word[WORD_MOST]; /* with which that begins */
    char configuration[PATH_MAX];
    char *error;
    size_t error_size;
};

__attribute__((format(printf, 3, 4))) static bool wrong(struct reader *reader, unsigned line,
                                                        const char *format, ...)
{
    char what[1300];
    va_list list;

    va_start(list, format);
    vsnprintf(what, sizeof(what), format, list);
    va_end(list);
    snprintf(reader->error, reader->error_size, "%s, line %u: %s", reader->path, line, what);
    return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A path as it stands in the file, from the file's folder. False: it is too long. */
static bool from_folder(const struct reader *reader, const char *said, char *path, size_t size)
{
    const char *slash = said[0] != '/' ? strrchr(reader->path, '/') : NULL;
    int folder = slash != NULL ? (int)(slash - reader->path) + 1 : 0;

    return snprintf(path, size, "%.*s%s", folder, reader->path, said) < (int)size;
}

static const char *word_at(const char *text, size_t *length)
{
    text += strspn(text, " \t\r");
    *length = strcspn(text, " \t\r\n");
    return text;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Read `miniport FILE` or `configuration FILE`: one word behind the first. */
static bool read_own(struct reader *reader, enum own_line which, const char *rest)
{
    char *path = which == MINIPORT ? reader->file->driver : reader->configuration;
    size_t length, more;
    const char *word = word_at(rest, &length);
    char said[PATH_MAX];

    word_at(word + length, &more);
    if (length == 0 || more != 0 || length >= sizeof(said))
        return wrong(reader, reader->line, "%s: expected one file, for example %s",
                     own_words[which],
                     which == MINIPORT ? "miniport driver.so" : "configuration driver.conf");
    if (reader->at[which] != 0)
        return wrong(reader, reader->line, "%s: there is one already, in line %u", own_words[which],
                     reader->at[which]);
    memcpy(said, word, length);
    said[length] = '\0';
    reader->at[which] = reader->line;
    return from_folder(reader, said, path, PATH_MAX) ||
           wrong(reader, reader->line, "%s: the path is too long", own_words[which]);
}

/* Read a line, and make it blank if it is ours. */
static bool read_line(struct reader *reader, char *line)
{
    size_t length;
    const char *word = word_at(line, &length);

    if (length == 0 || word[0] == '#')
        return true;
    for (enum own_line which = MINIPORT; which < OWN_LINES; which++)
        if (is_word(word, length, own_words[which])) {
            bool right = read_own(reader, which, word + length);

            memset(line, ' ', strcspn(line, "\n"));
            return right;
        }
    if (is_word(word, length, "plugin"))
        reader->plugin = reader->plugin != 0 ? reader->plugin : reader->line;
    else if (reader->other == 0) {
        reader->other = reader->line;
        snprintf(reader->other_word, sizeof(reader->other_word), "%.*s", (int)length, word);
    }
    return true;
}

/* No key of the software GPU stands among the lines of a miniport; some words are of both. */
static bool refuse_mixed(struct reader *reader, char *line)
{
    char name[WORD_MOST];
    size_t length;
    const char *word = word_at(line, &length);

    snprintf(name, sizeof(name), "%.*s", (int)length, word);
    return vidmm_miniport_configuration_knows(name) || !softgpu_config_knows(name) ||
           wrong(reader, reader->line,
                 "%s: a setting of the software GPU, and line %u names a miniport, which has its "
                 "own; expected lines of a configuration (docs/check.md)",
                 name, reader->at[MINIPORT]);
}

/* Lines up to the first key of the registry: behind it all lines are the kernel's. */
static bool each_line(struct reader *reader, char *text, bool (*look)(struct reader *, char *))
{
    reader->line = 0;
    for (char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length;
        const char *word = word_at(line, &length);

        reader->line++;
        if (is_word(word, length, "key"))
            break;
        if (!look(reader, line))
            return false;
    }
    return true;
}

/* ---- a miniport ------------------------------------------------------------------------------ */

/* The plug-in that the machine's file names. */
static bool place_plugin(struct reader *reader, const char *said)
{
    struct vidmm_miniport_configuration *c = &reader->file->configuration;
    char path[PATH_MAX];

    if (said[0] == '\0')
        return true;
    if (!from_folder(reader, said, path, sizeof(path)) || strlen(path) >= sizeof(c->plugin))
        return wrong(reader, reader->plugin, "plugin: the path is too long");
    memmove(c->plugin, path, strlen(path) + 1);
    return true;
}

/* The configuration is a file of its own, and the machine's may have a plug-in besides. */
static bool read_apart(struct reader *reader, const struct vidmm_miniport_configuration *lines)
{
    struct vidmm_miniport_configuration *c = &reader->file->configuration;

    if (reader->other != 0)
        return wrong(reader, reader->other,
                     "%s: line %u names a configuration, and such a line stands there; expected "
                     "miniport, configuration, plugin",
                     reader->other_word, reader->at[CONFIGURATION]);
    if (!vidmm_miniport_configuration_file(reader->configuration, c, reader->error,
                                           reader->error_size))
        return false;
    if (reader->plugin != 0) {
        snprintf(c->plugin_text, sizeof(c->plugin_text), "%s", lines->plugin_text);
        if (!place_plugin(reader, lines->plugin)) {
            vidmm_miniport_configuration_finish(c);
            return false;
        }
    }
    return true;
}

static bool read_configuration(struct reader *reader, const char *text)
{
    struct vidmm_miniport_configuration *c = &reader->file->configuration, lines;
    char why[600];
    bool right;

    if (!vidmm_miniport_configuration_read(&lines, text, why, sizeof(why))) {
        snprintf(reader->error, reader->error_size, "%s, %s", reader->path, why);
        return false;
    }
    if (reader->at[CONFIGURATION] != 0) {
        right = read_apart(reader, &lines);
        vidmm_miniport_configuration_finish(&lines);
        return right;
    }
    *c = lines;
    snprintf(c->file, sizeof(c->file), "%s", reader->path);
    if (place_plugin(reader, lines.plugin))
        return true;
    vidmm_miniport_configuration_finish(c);
    return false;
}

static bool look_at_files(struct reader *reader)
{
    const struct vidmm_miniport_configuration *c = &reader->file->configuration;
    char why[PATH_MAX + 200];

    if (!vidmm_shared_object_judge(reader->file->driver, why, sizeof(why)))
        return wrong(reader, reader->at[MINIPORT], "miniport: %s", why);
    if (c->plugin[0] == '\0' || vidmm_shared_object_judge(c->plugin, why, sizeof(why)))
        return true;
    if (reader->plugin != 0)
        return wrong(reader, reader->plugin, "plugin: %s", why);
    snprintf(reader->error, reader->error_size, "%s: plugin: %s", c->file, why);
    return false;
}

static bool read_miniport(struct reader *reader, char *text)
{
    if (!each_line(reader, text, refuse_mixed) || !read_configuration(reader, text))
        return false;
    if (look_at_files(reader))
        return true;
    vidmm_miniport_configuration_finish(&reader->file->configuration);
    return false;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool read_softgpu(struct reader *reader, const char *text)
{
    char why[200] = "";

    if (reader->at[CONFIGURATION] != 0 || reader->plugin != 0)
        return wrong(reader,
                     reader->at[CONFIGURATION] != 0 ? reader->at[CONFIGURATION] : reader->plugin,
                     "%s: it is for a miniport; expected a line such as miniport driver.so",
                     reader->at[CONFIGURATION] != 0 ? "configuration" : "plugin");
    if (softgpu_config_parse(text, &reader->file->gpu, why, sizeof(why)))
        return true;
    snprintf(reader->error, reader->error_size, "%s: %s", reader->path, why);
    return false;
}

static bool read_text(struct reader *reader, char *text)
{
    if (!each_line(reader, text, read_line))
        return false;
    reader->file->is_miniport = reader->at[MINIPORT] != 0;
    return reader->file->is_miniport ? read_miniport(reader, text) : read_softgpu(reader, text);
}

bool vidmm_machine_file_read(const char *path, struct vidmm_machine_file *file, char *error,
                             size_t error_size)
{
    struct reader reader = {.path = path, .file = file, .error = error, .error_size = error_size};
    size_t length;
    char *text;
    bool right;

    memset(file, 0, sizeof(*file));
    file->gpu = softgpu_config_default();
    if (path == NULL || path[0] == '\0')
        return softgpu_config_parse(default_gpu, &file->gpu, error, error_size);
    text = vidmm_file_read(path, FILE_MOST, &length, error, error_size);
    if (text == NULL)
        return false;
    right = strlen(text) == length;
    if (!right)
        snprintf(error, error_size, "%s: a byte of 0 in it; a machine is described by text", path);
    right = right && read_text(&reader, text);
    free(text);
    return right;
}

void vidmm_machine_file_finish(struct vidmm_machine_file *file)
{
    if (file->is_miniport)
        vidmm_miniport_configuration_finish(&file->configuration);
}
