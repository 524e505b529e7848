/*
 * manifest.c: manifests of events, and the command line of `vidmm kit mc`.
 *
 * A provider's symbol makes PROVIDER (a GUID), EventRegisterPROVIDER(), EventUnregisterPROVIDER();
 * an event's makes EVENT (a descriptor), EVENT_value, EventEnabledEVENT(), EventWriteEVENT(...).
 */
#include "import/message.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/exit.h"
#include "host/posix_file.h"
#include "import/arena.h"

#define BYTES_MOST (64u << 20)

struct manifest {
    struct vidmm_arena *arena;
    const char *path, *prefix;
    struct vidmm_texts lines;
    const char *error;
};

static const char *attribute(struct manifest *m, xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetProp(node, BAD_CAST name);
    const char *text = vidmm_text(m->arena, "%s", value != NULL ? (const char *)value : "");

    xmlFree(value);
    return text;
}

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static void add(struct manifest *m, char *line)
{
    vidmm_texts_add(m->arena, &m->lines, line);
}

/* ---- providers and events -------------------------------------------------------------------- */

/* {01234567-89ab-cdef-0123-456789abcdef} as an initializer; NULL: it is none. */
static char *guid_of(struct vidmm_arena *arena, const char *text)
{
    unsigned a, b, c, d[8];

    if (sscanf(text, "{%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x}", &a, &b, &c, &d[0], &d[1], &d[2],
               &d[3], &d[4], &d[5], &d[6], &d[7]) != 11)
        return NULL;
    return vidmm_text(arena,
                      "{0x%08x, 0x%04x, 0x%04x, {0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x, "
                      "0x%02x, 0x%02x}}",
                      a, b, c, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
}

/* Levels and opcodes have names or numbers of their own; the ones of Windows are win:NAME. */
static unsigned level_of(const char *level)
{
    static const char *const names[] = {"win:LogAlways", "win:Critical",      "win:Error",
                                        "win:Warning",   "win:Informational", "win:Verbose"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], level) == 0)
            return i;
    return 4;
}

static void write_event(struct manifest *m, xmlNode *event)
{
    const char *value = attribute(m, event, "value"), *symbol = attribute(m, event, "symbol");
    const char *version = attribute(m, event, "version"), *name = symbol;

    if (*symbol == 0)
        return; /* only the message: no code names it */
    add(m, vidmm_text(m->arena,
                      "KIT_EVENT_DATA EVENT_DESCRIPTOR %s = {%lu, %lu, 0, %u, 0, 0, 0};\n"
                      "#define %s_value 0x%lx\n"
                      "#define EventEnabled%s() FALSE\n"
                      "#define %s%s(...) KIT_EVENT(__VA_ARGS__)\n"
                      "#define %s%s_AssumeEnabled(...) KIT_EVENT(__VA_ARGS__)\n",
                      name, strtoul(value, NULL, 0), strtoul(version, NULL, 0),
                      level_of(attribute(m, event, "level")), name, strtoul(value, NULL, 0), name,
                      m->prefix, name, m->prefix, name));
}

static void write_events(struct manifest *m, xmlNode *parent)
{
    for (xmlNode *node = parent->children; node != NULL; node = node->next)
        if (is(node, "event"))
            write_event(m, node);
        else if (is(node, "events"))
            write_events(m, node);
}

/* Keywords, tasks, opcodes, channels that have a symbol: it is their number. */
static void write_numbers(struct manifest *m, xmlNode *parent)
{
    for (xmlNode *node = parent->children; node != NULL; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        bool keyword = is(node, "keyword");
        const char *symbol = attribute(m, node, "symbol");
        const char *value = attribute(m, node, keyword ? "mask" : "value");
        if (*symbol != 0 && *value != 0 &&
            (keyword || is(node, "task") || is(node, "opcode") || is(node, "level") ||
             is(node, "channel")))
            add(m, vidmm_text(m->arena, "#define %s %s\n", symbol, value));
        if (is(node, "keywords") || is(node, "tasks") || is(node, "task") || is(node, "opcodes") ||
            is(node, "levels") || is(node, "channels"))
            write_numbers(m, node);
    }
}

static void write_provider(struct manifest *m, xmlNode *provider)
{
    const char *symbol = attribute(m, provider, "symbol");
    const char *guid = guid_of(m->arena, attribute(m, provider, "guid"));
    const char *plain = vidmm_text(m->arena, "%s", attribute(m, provider, "name"));

    if (*symbol == 0 || guid == NULL) {
        m->error = vidmm_text(m->arena, "%s:%ld: provider '%s' has no symbol, or no guid {...}",
                              m->path, xmlGetLineNo(provider), plain);
        return;
    }
    for (char *at = (char *)plain; *at != 0; at++)
        if (strchr("- .", *at) != NULL)
            *at = '_';
    add(m, vidmm_text(m->arena,
                      "KIT_EVENT_DATA GUID %s = %s;\n"
                      "#define EventRegister%s() STATUS_SUCCESS\n"
                      "#define EventUnregister%s() STATUS_SUCCESS\n",
                      symbol, guid, plain, plain));
    if (strcmp(symbol, plain) != 0)
        add(m, vidmm_text(m->arena,
                          "#define EventRegister%s() STATUS_SUCCESS\n"
                          "#define EventUnregister%s() STATUS_SUCCESS\n",
                          symbol, symbol));
    write_numbers(m, provider);
    write_events(m, provider);
}

static void write_providers(struct manifest *m, xmlNode *parent)
{
    for (xmlNode *node = parent->children; node != NULL && m->error == NULL; node = node->next)
        if (is(node, "provider"))
            write_provider(m, node);
        else if (node->type == XML_ELEMENT_NODE)
            write_providers(m, node);
}

char *vidmm_kit_manifest_header(struct vidmm_arena *arena, const char *path, const char *prefix,
                                const char **error)
{
    struct manifest m = {.arena = arena, .path = path, .prefix = prefix};
    xmlDoc *document =
        xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlNode *root = document != NULL ? xmlDocGetRootElement(document) : NULL;

    add(&m, vidmm_text(arena,
                       "/* Made by vidmm kit mc from %s: events that nobody logs. */\n"
                       "#pragma once\n#include <wdm.h>\n"
                       "#ifndef KIT_EVENT\n"
                       "#ifdef __cplusplus\n"
                       "#define KIT_EVENT_DATA extern \"C\" __attribute__((weak)) const\n"
                       "template <typename... T> static inline ULONG KitEvent(const T &...)"
                       " { return 0; }\n"
                       "#else\n"
                       "#define KIT_EVENT_DATA __attribute__((weak)) const\n"
                       "static inline ULONG KitEvent(int First, ...) { return First != 0; }\n"
                       "#endif\n"
                       "#ifdef __cplusplus\n#define KIT_EVENT(...) KitEvent(__VA_ARGS__)\n"
                       "#else\n#define KIT_EVENT(...) KitEvent(0, ##__VA_ARGS__)\n#endif\n"
                       "#endif\n",
                       path));
    if (root == NULL)
        m.error = vidmm_text(arena, "%s: no XML", path);
    else if (document->intSubset != NULL)
        m.error = vidmm_text(arena, "%s: a document type is not taken", path);
    else
        write_providers(&m, root);
    if (m.error == NULL && m.lines.count == 1)
        m.error = vidmm_text(arena, "%s has no provider of events", path);
    xmlFreeDoc(document);
    *error = m.error;
    return m.error == NULL ? vidmm_texts_join(arena, &m.lines, "") : NULL;
}

/* ---- the command ----------------------------------------------------------------------------- */

struct options {
    const char *folder, *base, *prefix;
    bool customer;
    struct vidmm_texts files;
};

static const char *take(struct vidmm_arena *arena, struct options *o, int count,
                        char *const *arguments, int *used)
{
    const char *word = arguments[0], *value = count > 1 ? arguments[1] : NULL;

    if (word[0] != '-' && word[0] != '/') {
        vidmm_texts_add(arena, &o->files, word);
        return NULL;
    }
    if (word[0] == '/' && strchr(word + 1, '/') != NULL) { /* a path, not an option */
        vidmm_texts_add(arena, &o->files, word);
        return NULL;
    }
    if (strcmp(word + 1, "c") == 0)
        o->customer = true;
    if (word[1] == 0 || strchr("hzpPremsxtwW", word[1]) == NULL || word[2] != 0)
        return NULL; /* -km, -um, -U: how resources look, or whose the code is */
    if (value == NULL)
        return vidmm_text(arena, "%s needs a value", word);
    *used = 2;
    if (word[1] == 'h')
        o->folder = value;
    else if (word[1] == 'z')
        o->base = value;
    else if (word[1] == 'p')
        o->prefix = value;
    return NULL;
}

static const char *compile(struct vidmm_arena *arena, const struct options *o, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.'), *error = NULL;
    size_t size, length = dot != NULL ? (size_t)(dot - name) : strlen(name);
    char why[600], *text, *header;

    if (dot != NULL && strcasecmp(dot, ".mc") == 0) {
        if ((text = vidmm_file_read(path, BYTES_MOST, &size, why, sizeof(why))) == NULL)
            return vidmm_text(arena, "%s", why);
        header = vidmm_kit_message_header(arena, path, text, o->customer, &error);
        free(text);
    } else {
        header = vidmm_kit_manifest_header(arena, path, o->prefix, &error);
    }
    if (header == NULL)
        return error;
    const char *to = vidmm_text(arena, "%s/%s.h", o->folder,
                                o->base != NULL ? o->base : vidmm_text_cut(arena, name, length));
    if (!vidmm_file_write(to, header, strlen(header), why, sizeof(why)))
        return vidmm_text(arena, "%s", why);
    return NULL;
}

int vidmm_kit_mc(int count, char *const *arguments)
{
    struct vidmm_arena arena = {0};
    struct options o = {.folder = ".", .prefix = "EventWrite"};
    const char *error = NULL;

    for (int i = 0, used; i < count && error == NULL; i += used) {
        used = 1;
        error = take(&arena, &o, count - i, arguments + i, &used);
    }
    if (error == NULL && o.files.count == 0)
        error = "which file? vidmm kit mc FILE.mc|FILE.man [-h FOLDER]";
    for (size_t i = 0; i < o.files.count && error == NULL; i++)
        error = compile(&arena, &o, o.files.word[i]);
    if (error != NULL)
        fprintf(stderr, "vidmm kit mc: %s\n", error);
    vidmm_arena_finish(&arena);
    return error == NULL ? VIDMM_CLEAN : VIDMM_COULD_NOT_RUN;
}
