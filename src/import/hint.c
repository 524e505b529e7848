/*
 * hint.c: see hint.h. A table of phrases (gcc 12, clang 14 and their kin) recognises the compilers'
 * messages; the names are the words between quotes.
 */
#include "import/hint.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "host/posix_file.h"
#include "import/names.h"
#include "import/place.h"
#include "import/scan.h"

#define HEADER_MOST (1u << 20)
#define QUOTES 6

/* ---- which header of the kit has a name ------------------------------------------------------ */

static bool is_word_letter(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

static bool says(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
        if ((at == text || !is_word_letter(at[-1])) && !is_word_letter(at[length]))
            return true;
    return false;
}

/* The header to include for what a header of the kit's parts declares: wdm_ke.h is part of
 * wdm.h. */
static const char *whole_header(const char *part)
{
    static const char *const rows[][2] = {
        {"wdm_", "wdm.h"},          {"d3dkmddi", "d3dkmddi.h"}, {"wddm_types", "ntddk.h"},
        {"wddm_", "d3dkmddi.h"},    {"d3dkmthk", "d3dkmthk.h"}, {"d3dkmdt", "d3dkmdt.h"},
        {"dispmprt", "dispmprt.h"}, {"d3dukmdt", "d3dukmdt.h"}, {"kit_status", "ntstatus.h"},
        {"kit_", "ntddk.h"},        {"ntdef", "ntddk.h"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strncmp(part, rows[i][0], strlen(rows[i][0])) == 0)
            return rows[i][1];
    return part;
}

static const char *search_folder(struct vidmm_arena *arena, const char *folder, const char *name)
{
    DIR *directory = opendir(folder);
    const char *found = NULL;

    for (struct dirent *entry;
         found == NULL && directory != NULL && (entry = readdir(directory)) != NULL;) {
        size_t size, length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 2, ".h") != 0)
            continue;
        char *text = vidmm_file_read(vidmm_text(arena, "%s/%s", folder, entry->d_name), HEADER_MOST,
                                     &size, NULL, 0);
        if (text != NULL && says(text, name))
            found = whole_header(vidmm_text(arena, "%s", entry->d_name));
        free(text);
    }
    if (directory != NULL)
        closedir(directory);
    return found;
}

/* ---- what there is to say -------------------------------------------------------------------- */

/* Whether a name begins as those of the documents do; others are the driver's own. */
static bool is_documents(const char *name)
{
    static const char *const starts[] = {"Ke", "Ex",   "Rtl",  "Mm",      "Io",  "Zw",    "Ps",
                                         "Ob", "Dxgk", "DXGK", "STATUS_", "Hal", "Dbg",   "D3DKM",
                                         "Se", "Cm",   "Etw",  "Kd",      "Po",  "D3DDDI"};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0 &&
            isalnum((unsigned char)name[strlen(starts[i])]) &&
            !islower((unsigned char)name[strlen(starts[i])]))
            return true;
    return strncmp(name, "DXGKARG", 7) == 0;
}

/* Names that are the nearest by what is documented, or else by what the headers have. */
static char *nearest_hint(struct vidmm_kit_hints *hints, const char *name)
{
    struct vidmm_arena *arena = hints->arena;
    const char *header = NULL, *part = NULL;
    const char *documented = vidmm_kit_nearest_name(arena, name, &header);
    unsigned far = 0, most = 2 * (unsigned)(strlen(name) / 6); /* a slip every six letters */
    const char *ours = vidmm_kit_scan_nearest(arena, hints->place, name, &part, &far);

    if (documented != NULL && ours != NULL) { /* which of the two is nearer? */
        unsigned other;
        vidmm_kit_nearest_member(arena, documented, name, &other);
        documented = other <= far ? documented : NULL;
    }
    if (documented != NULL)
        return vidmm_text(arena, "no header documents '%s'; the nearest name is '%s' of %s", name,
                          documented, header);
    if (ours != NULL && far <= most && strlen(name) > 3)
        return vidmm_text(arena, "no header documents '%s'; the nearest name is '%s' of %s", name,
                          ours, whole_header(part));
    if (strncmp(name, "Wdf", 3) == 0 || strncmp(name, "WDF", 3) == 0)
        return vidmm_text(arena,
                          "'%s' belongs to the driver framework (wdf.h), which the kit does not "
                          "have: a display miniport is no framework driver",
                          name);
    return is_documents(name)
               ? vidmm_text(arena, "no header documents '%s', or a name near to it", name)
               : NULL;
}

char *vidmm_kit_hint_name(struct vidmm_kit_hints *hints, const char *name)
{
    struct vidmm_arena *arena = hints->arena;
    const char *ours = search_folder(arena, hints->place->wddm, name);
    const char *documented = vidmm_kit_header_of(name);

    if (ours == NULL)
        ours = search_folder(arena, hints->place->kit, name);
    if (ours != NULL) {
        const char *header = documented != NULL ? documented : ours;
        const char *version = vidmm_kit_scan_version(arena, hints->place, name);
        return vidmm_text(arena, "'%s' belongs to %s: #include <%s>%s", name, header,
                          strcmp(header, "wdm.h") == 0 ? "ntddk.h" : header,
                          version != NULL
                              ? vidmm_text(arena,
                                           "; it is for a DXGKDDI_INTERFACE_VERSION of %s or newer",
                                           version)
                              : "");
    }
    if (documented != NULL)
        return vidmm_text(arena, "'%s' belongs to %s; the kit does not have it", name, documented);
    return nearest_hint(hints, name);
}

char *vidmm_kit_hint_member(struct vidmm_kit_hints *hints, const char *type, const char *name)
{
    struct vidmm_arena *arena = hints->arena;
    const char *members = vidmm_kit_members_of(type), *other = vidmm_kit_struct_with(name);
    unsigned distance;

    if (members == NULL)
        members = vidmm_kit_scan_members(arena, hints->place, type);
    if (members != NULL && vidmm_kit_has_word(members, name))
        return vidmm_text(arena, "'%s' is a member of %s for a newer DXGKDDI_INTERFACE_VERSION",
                          name, type);
    if (members != NULL) {
        const char *nearest = vidmm_kit_nearest_member(arena, members, name, &distance);
        if (distance <= strlen(name))
            return vidmm_text(arena, "%s has no '%s'; the nearest documented member is '%s'", type,
                              name, nearest);
        return vidmm_text(arena, "%s has no '%s'; its documented members: %s", type, name, members);
    }
    if (other != NULL)
        return vidmm_text(arena, "'%s' is a documented member of %s", name, other);
    return NULL;
}

/* A header of the kit whose name is a slip away from `name`; NULL: there is none. */
static const char *near_header(struct vidmm_kit_hints *hints, const char *name)
{
    const char *const folders[] = {hints->place->wddm, hints->place->kit};
    struct vidmm_texts list = {0};
    unsigned distance;

    for (size_t i = 0; i < 2; i++) {
        DIR *directory = opendir(folders[i]);
        for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
            if (strchr(entry->d_name, '_') == NULL && entry->d_name[0] != '.')
                vidmm_texts_add(hints->arena, &list, vidmm_text(hints->arena, "%s", entry->d_name));
        if (directory != NULL)
            closedir(directory);
    }
    const char *found = vidmm_kit_nearest_member(
        hints->arena, vidmm_texts_join(hints->arena, &list, " "), name, &distance);
    return found != NULL && distance <= 4 && strlen(name) > 6 ? found : NULL;
}

/* Whether the kit has a header by that name, without a folder. */
static bool is_ours(struct vidmm_kit_hints *hints, const char *name)
{
    return access(vidmm_text(hints->arena, "%s/%s", hints->place->wddm, name), R_OK) == 0 ||
           access(vidmm_text(hints->arena, "%s/%s", hints->place->kit, name), R_OK) == 0;
}

char *vidmm_kit_hint_header(struct vidmm_kit_hints *hints, const char *name)
{
    const char *last = strrchr(name, '/'), *ending = strrchr(name, '.');

    last = last != NULL ? last + 1 : name;
    if (ending != NULL &&
        ending[1] == 'c') /* a source of the command line: the compiler said it all */
        return NULL;
    if (last != name && is_ours(hints, last))
        return vidmm_text(hints->arena, "the kit has %s, in no folder: #include <%s>", last, last);
    if (strncmp(last, "wdf", 3) == 0)
        return vidmm_text(hints->arena,
                          "%s is the driver framework's, which the kit does not have: a display "
                          "miniport is no framework driver",
                          last);
    if (vidmm_kit_is_header(last))
        return vidmm_text(hints->arena, "%s is a documented header; the kit does not have it",
                          last);
    const char *near = near_header(hints, last);
    if (near != NULL)
        return vidmm_text(hints->arena, "there is no %s; the nearest header is %s", name, near);
    return vidmm_text(hints->arena,
                      "%s is no header of the kit, and in no include folder under any case; name "
                      "its folder with -I",
                      name);
}

/* ---- recognising ----------------------------------------------------------------------------- */

enum kind { NAME, MEMBER, HEADER, DIALECT };

/* The quoted texts that are the name and the type; LAST is the last one. */
#define LAST 100u
static const struct phrase {
    const char *text;
    enum kind kind;
    unsigned name, type;
} phrases[] = {
    {"does not refer to any field in type", MEMBER, 0, 1},
    {"has no member named", MEMBER, LAST, 0},
    {"has no non-static data member named", MEMBER, LAST, 0},
    {"no member named", MEMBER, 0, 1},
    {"undeclared", NAME, 0, 0},
    {"unknown type name", NAME, 0, 0},
    {"implicit declaration of function", NAME, 0, 0},
    {"was not declared in this scope", NAME, 0, 0},
    {"does not name a type", NAME, 0, 0},
    {"has not been declared", NAME, 0, 0},
    {"has incomplete type", NAME, LAST, 0},
    {"incomplete definition of type", NAME, 0, 0},
    {"file not found", HEADER, 0, 0},
    {"No such file or directory", HEADER, 0, 0},
    {"jump to label", DIALECT, 0, 0},
};

/* A line without colours, and with plain quotes. */
static char *clean(struct vidmm_arena *arena, const char *line)
{
    char *text = vidmm_arena_take(arena, strlen(line) + 1), *to = text;

    for (const char *at = line; *at != 0 && *at != '\n';) {
        if (at[0] == '\033' && at[1] == '[') {
            at += 2 + strcspn(at + 2, "mK\n");
            at += *at != 0 && *at != '\n';
        } else if (strncmp(at, "\342\200\230", 3) == 0 || strncmp(at, "\342\200\231", 3) == 0) {
            *to++ = '\'';
            at += 3;
        } else {
            *to++ = *at++;
        }
    }
    return text;
}

/* The beginning of the message; NULL: the line is no complaint. */
static char *message_of(char *line)
{
    static const char *const starts[] = {": fatal error: ", ": error: ", ": warning: "};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        char *at = strstr(line, starts[i]);
        if (at != NULL)
            return at + strlen(starts[i]);
    }
    return NULL;
}

static bool begins_anew(const char *line)
{
    return strstr(line, ": error: ") != NULL || strstr(line, ": warning: ") != NULL ||
           strstr(line, ": fatal error: ") != NULL || strncmp(line, "In file ", 8) == 0 ||
           strstr(line, " generated.") != NULL || strstr(line, ": In ") != NULL;
}

static size_t quotes_of(struct vidmm_arena *arena, const char *message, char *quote[QUOTES])
{
    size_t count = 0;

    for (const char *from; count < QUOTES && (from = strchr(message, '\'')) != NULL;) {
        const char *to = strchr(from + 1, '\'');
        if (to == NULL)
            break;
        quote[count++] = vidmm_text_cut(arena, from + 1, (size_t)(to - from - 1));
        message = to + 1;
    }
    return count;
}

/* `const struct _DXGK_X *` and its like, as DXGK_X. */
static char *type_name(struct vidmm_arena *arena, const char *text)
{
    struct vidmm_texts words = {0};

    vidmm_texts_split(arena, &words, text, " *&");
    for (size_t i = words.count; i > 0; i--) {
        char *word = words.word[i - 1];
        if (strcmp(word, "const") != 0 && strcmp(word, "volatile") != 0)
            return word[0] == '_' && isupper((unsigned char)word[1]) ? word + 1 : word;
    }
    return vidmm_text(arena, "%s", "");
}

/* Once is enough. */
static char *dialect(struct vidmm_kit_hints *hints)
{
    static const char option[] = "--clang";

    if (vidmm_texts_has(&hints->given, option))
        return NULL;
    vidmm_texts_add(hints->arena, &hints->given, option);
    return vidmm_text(hints->arena, "Microsoft's compiler allows it, and so does clang: %s",
                      option);
}

/* The line of the source that a complaint, FILE:NUMBER:..., is about; NULL: there is none. */
static char *line_of(struct vidmm_kit_hints *hints, const char *complaint)
{
    struct vidmm_texts words = {0};
    size_t size;

    vidmm_texts_split(hints->arena, &words, complaint, ":");
    unsigned number = words.count > 1 ? (unsigned)strtoul(words.word[1], NULL, 10) : 0;
    char *text = number > 0 ? vidmm_file_read(words.word[0], HEADER_MOST, &size, NULL, 0) : NULL;
    if (text == NULL)
        return NULL;
    const char *at = text;
    for (unsigned i = 1; i < number && at != NULL; i++)
        at = (at = strchr(at, '\n')) != NULL ? at + 1 : NULL;
    char *line = at != NULL ? vidmm_text_cut(hints->arena, at, strcspn(at, "\r\n")) : NULL;
    free(text);
    return line;
}

/* The member that stands before `.NAME` where the complaint points to: Transfer of
 * `Arg->Transfer.TransferSiz`. NULL: there is none to be seen. */
static char *owner_of(struct vidmm_kit_hints *hints, const char *line, const char *name)
{
    char *own = line_of(hints, line);
    char *member = own != NULL ? strstr(own, name) : NULL, *owner = NULL;

    if (member != NULL && member - own > 2) {
        char *end = member - (member[-1] == '.' ? 1 : 2), *from = end;
        while (from > own && is_word_letter(from[-1]))
            from--;
        owner = from < end ? vidmm_text_cut(hints->arena, from, (size_t)(end - from)) : NULL;
    }
    return owner;
}

static char *hint_of(struct vidmm_kit_hints *hints, const struct phrase *phrase, char *message,
                     const char *line)
{
    char *quote[QUOTES];
    size_t count = quotes_of(hints->arena, message, quote);
    unsigned index = phrase->name == LAST && count > 0 ? (unsigned)count - 1 : phrase->name;

    if (phrase->kind == DIALECT)
        return dialect(hints);
    if (phrase->kind == HEADER && count == 0) /* gcc: `x.h: No such file or directory` */
        return vidmm_kit_hint_header(hints,
                                     vidmm_text_cut(hints->arena, message, strcspn(message, ":")));
    if (index >= count || (phrase->kind == MEMBER && phrase->type >= count))
        return NULL;
    char *name = type_name(hints->arena, quote[index]);
    const char *key = phrase->kind == MEMBER
                          ? vidmm_text(hints->arena, "%s.%s", quote[phrase->type], name)
                          : name;
    if (vidmm_texts_has(&hints->given, key))
        return NULL;
    vidmm_texts_add(hints->arena, &hints->given, key);
    char *owner;
    if (phrase->kind == MEMBER &&
        (strstr(quote[phrase->type], "<anonymous") != NULL ||
         strstr(quote[phrase->type], "(anonymous") != NULL ||
         strstr(quote[phrase->type], "(unnamed") != NULL ||
         strstr(quote[phrase->type], "<unnamed") != NULL) &&
        (owner = owner_of(hints, line, name)) != NULL)
        return vidmm_kit_hint_member(hints, owner, name);
    return phrase->kind == NAME ? vidmm_kit_hint_name(hints, name)
           : phrase->kind == HEADER
               ? vidmm_kit_hint_header(hints, quote[index])
               : vidmm_kit_hint_member(hints, type_name(hints->arena, quote[phrase->type]), name);
}

static void recognise(struct vidmm_kit_hints *hints, char *line)
{
    char *message = message_of(line);
    char *guess = message != NULL ? strstr(message, "; did you mean") : NULL;

    if (message == NULL)
        return;
    if (guess != NULL)
        *guess = 0;
    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        if (strstr(message, phrases[i].text) == NULL)
            continue;
        const char *hint = hint_of(hints, &phrases[i], message, line);
        const char *place = strstr(line, ": ");
        if (hint != NULL)
            hints->pending =
                vidmm_text(hints->arena, "%.*s: hint: %s\n", (int)(place - line), line, hint);
        return;
    }
}

void vidmm_kit_hint_end(struct vidmm_kit_hints *hints, FILE *out)
{
    if (hints->pending != NULL)
        fputs(hints->pending, out);
    hints->pending = NULL;
}

void vidmm_kit_hint_line(struct vidmm_kit_hints *hints, const char *line, FILE *out)
{
    char *text = clean(hints->arena, line);

    if (begins_anew(text))
        vidmm_kit_hint_end(hints, out);
    fputs(line, out);
    const char *shown = hints->show_lines && begins_anew(text) ? line_of(hints, text) : NULL;
    if (shown != NULL)
        fprintf(out, "%s\n", shown);
    recognise(hints, text);
}
