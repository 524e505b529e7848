/* lookup.c: the meaning of a word of the field.
 *
 * Every entry of the tables can be made and told; a question is a test of entries. The first test
 * is by name, and what it finds brings the rules along that speak of it. Only where nothing has
 * the name, all entries are searched for the words.
 */
#include "tool/lookup.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <wddm/d3dkmddi_completion.h>
#include <wddm/d3dkmddi_paging.h>
#include <wddm/d3dkmddi_query.h>
#include <wddm/ntstatus.h>

#include "check/finding.h"
#include "tool/layout.h"
#include "tool/options.h"
#include "tool/rule_text.h"
#include "base/text.h"
#include "wddm/call.h"
#include "wddm/document.h"

/* ---- the entries ----------------------------------------------------------------------------- */

static struct vidmm_entry rule_entry(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    struct vidmm_entry entry = {.kind = "rule", .says = rule->sentence, .source = rule->source};
    int used;

    snprintf(entry.name, sizeof entry.name, "%s", vidmm_rule_name(id).text);
    used = snprintf(entry.more, sizeof entry.more, "binds %s, WDDM %s; %s",
                    vidmm_rule_party_name(rule->party), vidmm_rule_level_name(rule->level),
                    vidmm_rule_kind_says(rule->kind));
    if (rule->bugcheck != 0)
        snprintf(entry.more + used, sizeof entry.more - (size_t)used,
                 "; Windows stops with 0x%X, 0x%X", rule->bugcheck, rule->bugcheck_parameter);
    return entry;
}

/* Findings have ids of their own: C for those of `vidmm check`, K for those of the kit's kernel. */
static struct vidmm_entry finding_entry(const struct vidmm_finding_page *page)
{
    struct vidmm_entry entry = {
        .kind = "finding", .says = page->sentence, .source = page->document};

    snprintf(entry.name, sizeof entry.name, "%s", page->id);
    snprintf(entry.more, sizeof entry.more, "told by %s; the %s has to change something",
             page->teller, page->party);
    snprintf(entry.windows, sizeof entry.windows, "%s", page->windows);
    snprintf(entry.advice, sizeof entry.advice, "%s", page->advice);
    return entry;
}

bool vidmm_lookup_finding(const char *id, struct vidmm_entry *entry)
{
    struct vidmm_finding_page page;
    enum vidmm_rule_id rule;

    if (vidmm_rule_find(id, &rule) || !vidmm_finding_page(id, &page))
        return false;
    *entry = finding_entry(&page);
    return true;
}

static const struct {
    const char *name;
    NTSTATUS status;
    const char *sentence;
} statuses[] = {
#define STATUS(name, sentence) {#name, name, sentence},
#include "wddm/status.def"
#undef STATUS
#define OF_DISPLAY(name) {#name, name, ""},
#define OF_KERNEL(name, value) {#name, (NTSTATUS)(value), ""},
#include "wddm/status_name.def"
#undef OF_DISPLAY
#undef OF_KERNEL
};

static struct vidmm_entry status_entry(size_t index)
{
    struct vidmm_entry entry = {
        .kind = "status", .says = statuses[index].sentence, .source = "[MS-ERREF] 2.3"};

    snprintf(entry.name, sizeof entry.name, "%s (0x%08X)", statuses[index].name,
             (unsigned)statuses[index].status);
    snprintf(entry.more, sizeof entry.more, "%s",
             statuses[index].status >= 0 ? "a driver that answers it has succeeded"
                                         : "a driver that answers it has failed");
    return entry;
}

static const struct {
    uint32_t code;
    const char *name;
} bugchecks[] = {
#define CODE(code, name) {code, name},
#define CAUSE(code, parameter, party, cause)
#include "wddm/bugchecks.def"
#undef CODE
#undef CAUSE
};

static const struct {
    uint32_t code, parameter;
    const char *party, *cause;
} causes[] = {
#define CODE(code, name)
#define CAUSE(code, parameter, party, cause) {code, parameter, party, cause},
#include "wddm/bugchecks.def"
#undef CODE
#undef CAUSE
};

static const char *bugcheck_name(uint32_t code)
{
    for (size_t i = 0; i < sizeof bugchecks / sizeof bugchecks[0]; i++)
        if (bugchecks[i].code == code)
            return bugchecks[i].name;
    return NULL;
}

static struct vidmm_entry bugcheck_entry(size_t index)
{
    struct vidmm_entry entry = {
        .kind = "bug check", .says = "the bug check, whatever its parameters", .source = ""};

    snprintf(entry.name, sizeof entry.name, "0x%X %s", bugchecks[index].code,
             bugchecks[index].name);
    return entry;
}

static struct vidmm_entry cause_entry(size_t index)
{
    struct vidmm_entry entry = {.kind = "bug check", .says = causes[index].cause, .source = ""};

    snprintf(entry.name, sizeof entry.name, "0x%X 0x%X %s", causes[index].code,
             causes[index].parameter, bugcheck_name(causes[index].code));
    snprintf(entry.more, sizeof entry.more, "the fault lies with %s",
             strcmp(causes[index].party, "either") == 0 ? "VidMm or the KMD"
             : strcmp(causes[index].party, "KMD") == 0  ? "the KMD"
                                                        : causes[index].party);
    return entry;
}

static struct vidmm_entry call_entry(size_t index)
{
    static const char *const classes[] = {
        [VIDMM_CLASS_ZERO] = "while others are in the driver too",
        [VIDMM_CLASS_SCHEDULER] = "by one thread at a time, of those of the scheduler",
        [VIDMM_CLASS_SWIZZLING] = "by one thread at a time, of those about swizzling ranges",
        [VIDMM_CLASS_TWO] = "while nobody else is in the driver",
        [VIDMM_CLASS_THREE] = "while nobody else is in the driver, and the hardware is idle"};
    const struct vidmm_ddi_call *call = vidmm_ddi_call((enum vidmm_ddi)index);
    struct vidmm_entry entry = {.kind = "call", .source = ""};

    entry.says = call->callback ? "called by the driver" : "called by Windows";
    snprintf(entry.name, sizeof entry.name, "%s%s", call->callback ? "DxgkCb" : "DxgkDdi",
             call->name);
    if (!call->callback)
        snprintf(entry.more, sizeof entry.more, "called %s; %s", classes[call->class],
                 call->answers ? "it answers an NTSTATUS" : "it answers no status");
    return entry;
}

static const struct {
    const char *name;
    unsigned number;
} operations[] = {
#define ENUM(type, prefix)
#define VALUE(enumerator) {#enumerator, (unsigned)(enumerator)},
#define END_ENUM(type)
#include "wddm/enums.def"
};

/* The table has other types too. */
static bool is_operation(size_t index)
{
    return strncmp(operations[index].name, "DXGK_OPERATION_", 15) == 0;
}

static struct vidmm_entry operation_entry(size_t index)
{
    struct vidmm_entry entry = {.kind = "operation",
                                .says = "an operation of DxgkDdiBuildPagingBuffer",
                                .source = "DXGK_BUILDPAGINGBUFFER_OPERATION"};

    snprintf(entry.name, sizeof entry.name, "%s (%u)", operations[index].name,
             operations[index].number);
    return entry;
}

/* "structure DXGKARG_PATCH", or "member DXGKARG_PATCH.Flags". */
static struct vidmm_entry layout_entry(const struct vidmm_layout_row *row)
{
    bool member = row->member[0] != 0;
    struct vidmm_entry entry = {
        .kind = member ? "member" : "structure", .says = "", .source = row->structure};
    unsigned bit = 0, bits = 1;
    size_t used;

    snprintf(entry.name, sizeof entry.name, "%s%s%s", row->structure, member ? "." : "",
             row->member);
    if (!member)
        snprintf(entry.more, sizeof entry.more, "%s of %s bytes", row->type, row->size);
    else if (sscanf(row->size, "bit %u:%u", &bit, &bits) == 2 && bits == 1)
        snprintf(entry.more, sizeof entry.more, "%s, byte %s, bit %u", row->type, row->offset, bit);
    else if (strncmp(row->size, "bit ", 4) == 0)
        snprintf(entry.more, sizeof entry.more, "%s, byte %s, bits %u to %u", row->type,
                 row->offset, bit, bit + bits - 1);
    else
        snprintf(entry.more, sizeof entry.more, "%s, byte %s, %s byte%s", row->type, row->offset,
                 row->size, strcmp(row->size, "1") == 0 ? "" : "s");
    used = strlen(entry.more);
    if (row->since[0] != '?')
        snprintf(entry.more + used, sizeof entry.more - used, "; from WDDM %s on", row->since);
    return entry;
}

/* ---- telling --------------------------------------------------------------------------------- */

struct lookup {
    const struct vidmm_words *words;
    void (*tell)(void *context, const struct vidmm_entry *entry);
    void *context;
    size_t told;
};

static void tell(struct lookup *lookup, struct vidmm_entry entry)
{
    struct vidmm_text text;

    vidmm_text_init(&text, entry.address, sizeof entry.address);
    vidmm_document_address(&text, entry.source);
    lookup->tell(lookup->context, &entry);
    lookup->told++;
}

static const char *find_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (; length > 0 && *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return text;
    return NULL;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether the text has the word, with no letter beside it. */
static bool has_whole_word(const char *text, const char *word)
{
    const char *at = text;

    while ((at = find_word(at, word)) != NULL) {
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[strlen(word)]))
            return true;
        at++;
    }
    return false;
}

/* The rules that speak of a name: of a call with its prefix or without. */
static void tell_rules_about(struct lookup *lookup, const char *name, const char *short_name)
{
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        const struct vidmm_rule *rule = vidmm_rule(id);

        if (has_whole_word(rule->sentence, name) || has_whole_word(rule->source, name) ||
            has_whole_word(rule->sentence, short_name) || has_whole_word(rule->source, short_name))
            tell(lookup, rule_entry(id));
    }
}

static void tell_rules_of(struct lookup *lookup, const char *finding)
{
    struct vidmm_finding_page page;

    vidmm_finding_page(finding, &page);
    for (uint32_t i = 0; i < page.rule_count; i++)
        tell(lookup, rule_entry(page.rule[i]));
}

static void tell_rules_that_stop(struct lookup *lookup, uint32_t code, const uint32_t *parameter)
{
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        const struct vidmm_rule *rule = vidmm_rule(id);

        if (rule->bugcheck == code && (!parameter || rule->bugcheck_parameter == *parameter))
            tell(lookup, rule_entry(id));
    }
}

/* ---- by name --------------------------------------------------------------------------------- */

/* The whole word as a number of 32 bits. */
static bool is_number(const char *word, uint32_t *number)
{
    unsigned long long value;
    char *end;

    if (word[0] < '0' || word[0] > '9')
        return false;
    value = strtoull(word, &end, 0);
    if (*end != 0 || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

static void tell_bugcheck(struct lookup *lookup, uint32_t code, const uint32_t *parameter)
{
    for (size_t i = 0; !parameter && i < sizeof bugchecks / sizeof bugchecks[0]; i++)
        if (bugchecks[i].code == code)
            tell(lookup, bugcheck_entry(i));
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (causes[i].code == code && (!parameter || causes[i].parameter == *parameter))
            tell(lookup, cause_entry(i));
    if (parameter)
        tell_rules_that_stop(lookup, code, parameter);
}

static void name_number(struct lookup *lookup, uint32_t number)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if ((uint32_t)statuses[i].status == number) {
            tell(lookup, status_entry(i));
            tell_rules_about(lookup, statuses[i].name, statuses[i].name);
        }
    tell_bugcheck(lookup, number, NULL);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (is_operation(i) && operations[i].number == number)
            tell(lookup, operation_entry(i));
}

/* A structure, with or without the underscore of its tag, and its members. */
static bool name_structure(struct lookup *lookup, const char *word)
{
    const struct vidmm_layout_row *row;
    bool found = false;

    word += word[0] == '_';
    for (size_t i = 0; (row = vidmm_layout_row(i)) != NULL; i++)
        if (strcasecmp(row->structure, word) == 0) {
            tell(lookup, layout_entry(row));
            found = true;
        }
    if (found)
        tell_rules_about(lookup, word, word);
    return found;
}

/* A member: by its name alone, of all structures that have one; else of the one in front of the
 * first dot. The rules are those that speak of it, and of that structure. */
static void name_member(struct lookup *lookup, const char *word)
{
    const struct vidmm_layout_row *row;
    const char *dot = strchr(word, '.');
    size_t told = lookup->told;

    for (size_t i = 0; (row = vidmm_layout_row(i)) != NULL; i++) {
        size_t length = strlen(row->structure);
        bool inside = dot != NULL && (size_t)(dot - word) == length &&
                      strncasecmp(word, row->structure, length) == 0;

        if (row->member[0] != 0 && strcasecmp(row->member, inside ? dot + 1 : word) == 0 &&
            (inside || dot == NULL))
            tell(lookup, layout_entry(row));
    }
    if (lookup->told == told)
        return;
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        const struct vidmm_rule *rule = vidmm_rule(id);
        const char *last = dot != NULL ? strrchr(word, '.') + 1 : word;
        char structure[96];

        snprintf(structure, sizeof structure, "%.*s", dot != NULL ? (int)(dot - word) : 0, word);
        if ((has_whole_word(rule->sentence, last) || has_whole_word(rule->source, last)) &&
            (dot == NULL || has_whole_word(rule->sentence, structure) ||
             has_whole_word(rule->source, structure)))
            tell(lookup, rule_entry(id));
    }
}

static void name_word(struct lookup *lookup, const char *word)
{
    struct vidmm_entry finding;
    enum vidmm_rule_id id;
    size_t i;

    if (vidmm_rule_find(word, &id))
        tell(lookup, rule_entry(id));
    if (vidmm_lookup_finding(word, &finding)) {
        tell(lookup, finding);
        tell_rules_of(lookup, word);
    }
    for (i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (strcasecmp(statuses[i].name, word) == 0) {
            tell(lookup, status_entry(i));
            tell_rules_about(lookup, statuses[i].name, statuses[i].name);
        }
    for (i = 0; i < sizeof bugchecks / sizeof bugchecks[0]; i++)
        if (strcasecmp(bugchecks[i].name, word) == 0)
            tell_bugcheck(lookup, bugchecks[i].code, NULL);
    for (i = 0; i < VIDMM_DDI_COUNT; i++)
        if (strcasecmp(call_entry(i).name, word) == 0 ||
            strcasecmp(vidmm_ddi_call((enum vidmm_ddi)i)->name, word) == 0) {
            tell(lookup, call_entry(i));
            tell_rules_about(lookup, call_entry(i).name, vidmm_ddi_call((enum vidmm_ddi)i)->name);
        }
    for (i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (is_operation(i) && (strcasecmp(operations[i].name, word) == 0 ||
                                strcasecmp(operations[i].name + 15, word) == 0))
            tell(lookup, operation_entry(i));
    if (!name_structure(lookup, word))
        name_member(lookup, word);
}

static void by_name(struct lookup *lookup)
{
    uint32_t code, parameter;

    if (lookup->words->count == 1 && is_number(lookup->words->word[0], &code))
        name_number(lookup, code);
    else if (lookup->words->count == 1)
        name_word(lookup, lookup->words->word[0]);
    else if (lookup->words->count == 2 && is_number(lookup->words->word[0], &code) &&
             is_number(lookup->words->word[1], &parameter) && bugcheck_name(code))
        tell_bugcheck(lookup, code, &parameter);
}

/* ---- by words -------------------------------------------------------------------------------- */

static void tell_if_found(struct lookup *lookup, struct vidmm_entry entry)
{
    for (unsigned i = 0; i < lookup->words->count; i++) {
        const char *word = lookup->words->word[i];

        if (!find_word(entry.name, word) && !find_word(entry.says, word) &&
            !find_word(entry.source, word))
            return;
    }
    tell(lookup, entry);
}

static void by_words(struct lookup *lookup)
{
    struct vidmm_finding_page page;
    size_t i;

    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++)
        tell_if_found(lookup, rule_entry(id));
    for (i = 0; vidmm_finding_page_at((uint32_t)i, &page); i++)
        tell_if_found(lookup, finding_entry(&page));
    for (i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        tell_if_found(lookup, status_entry(i));
    for (i = 0; i < sizeof causes / sizeof causes[0]; i++)
        tell_if_found(lookup, cause_entry(i));
    for (i = 0; i < VIDMM_DDI_COUNT; i++)
        tell_if_found(lookup, call_entry(i));
    for (i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (is_operation(i))
            tell_if_found(lookup, operation_entry(i));
    for (i = 0; vidmm_layout_row(i) != NULL; i++)
        if (vidmm_layout_row(i)->member[0] == 0)
            tell_if_found(lookup, layout_entry(vidmm_layout_row(i)));
}

size_t vidmm_lookup(const struct vidmm_words *words,
                    void (*tell_entry)(void *context, const struct vidmm_entry *entry),
                    void *context, bool *named)
{
    struct lookup lookup = {words, tell_entry, context, 0};

    by_name(&lookup);
    *named = lookup.told != 0;
    if (!*named && words->count > 0)
        by_words(&lookup);
    return lookup.told;
}

const char *vidmm_lookup_nearest(const char *word)
{
    enum { MOST = VIDMM_RULE_COUNT + VIDMM_DDI_COUNT + 1024 };
    static char names[MOST][96];
    static const char *candidates[MOST + 1];
    size_t count = 0, i;

    for (i = 0; i < VIDMM_RULE_COUNT; i++)
        snprintf(names[count++], sizeof names[0], "%s",
                 vidmm_rule_name((enum vidmm_rule_id)i).text);
    for (i = 0; i < VIDMM_DDI_COUNT; i++)
        snprintf(names[count++], sizeof names[0], "%s", call_entry(i).name);
    for (i = 0; i < sizeof statuses / sizeof statuses[0] && count < MOST; i++)
        snprintf(names[count++], sizeof names[0], "%s", statuses[i].name);
    for (i = 0; i < sizeof operations / sizeof operations[0] && count < MOST; i++)
        snprintf(names[count++], sizeof names[0], "%s", operations[i].name);
    for (i = 0; vidmm_layout_row(i) != NULL && count < MOST; i++)
        if (vidmm_layout_row(i)->member[0] == 0)
            snprintf(names[count++], sizeof names[0], "%s", vidmm_layout_row(i)->structure);
    for (i = 0; i < count; i++)
        candidates[i] = names[i];
    candidates[count] = NULL;
    return vidmm_options_nearest(word, candidates);
}
