/* finding.c: pages from the tables; groups.
 *
 * F1  a group's cause is no group that follows from another itself
 */
#include "check/finding.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "check/board.h"
#include "wddm/document.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- pages ----------------------------------------------------------------------------------- */

static const struct row {
    char letter; /* C: of check, K: of the kernel */
    unsigned number;
    const char *sentence, *document, *rules, *windows, *advice;
} rows[] = {
#define CHECK_FINDING(number, name, sentence, document, rules, windows, advice)                    \
    {'C', number, sentence, document, rules, windows, advice},
#include "check/finding.def"
#undef CHECK_FINDING
#define KIT_FINDING(number, name, sentence, document, windows, advice)                             \
    {'K', number, sentence, document, "", windows, advice},
#include "kit/finding.def"
#undef KIT_FINDING
};

static void put(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

static void put_id(char *to, size_t size, enum vidmm_rule_id id)
{
    struct vidmm_text text;

    vidmm_text_init(&text, to, size);
    vidmm_rule_print_id(&text, id);
}

static bool find_rule(const char *name, enum vidmm_rule_id *id)
{
    char known[16];

    for (unsigned i = 0; i < VIDMM_RULE_COUNT; i++) {
        put_id(known, sizeof(known), (enum vidmm_rule_id)i);
        if (strcasecmp(known, name) == 0) {
            *id = (enum vidmm_rule_id)i;
            return true;
        }
    }
    return false;
}

static void find_address(struct vidmm_finding_page *page)
{
    struct vidmm_text text;

    vidmm_text_init(&text, page->address, sizeof(page->address));
    vidmm_document_address(&text, page->document);
}

/* Find the ids in a text such as "D-161, D-162, S4-049". */
static void find_rules(struct vidmm_finding_page *page)
{
    char name[16];
    int length;

    for (const char *at = page->rules; *at && page->rule_count < VIDMM_PAGE_RULES; at += length) {
        length = (int)strcspn(at, ", ");
        snprintf(name, sizeof(name), "%.*s", length, at);
        if (length > 0 && find_rule(name, &page->rule[page->rule_count]))
            page->rule_count++;
        length += length == 0;
    }
}

static void page_of_row(const struct row *row, struct vidmm_finding_page *page)
{
    *page = (struct vidmm_finding_page){
        .teller = row->letter == 'C' ? "vidmm check" : "the kernel of the kit",
        .party = "driver (KMD)",
        .sentence = row->sentence,
        .document = row->document,
    };
    snprintf(page->id, sizeof(page->id), "%c-%03u", row->letter, row->number);
    put(page->rules, sizeof(page->rules), row->rules);
    put(page->windows, sizeof(page->windows), row->windows);
    put(page->advice, sizeof(page->advice), row->advice);
    find_address(page);
    find_rules(page);
}

static const char *party_of(const struct vidmm_rule *rule)
{
    switch (rule->party) {
    case VIDMM_PARTY_VIDMM:
        return "memory manager (VidMm)";
    case VIDMM_PARTY_KMD:
        return "driver (KMD)";
    case VIDMM_PARTY_UMD:
        return "user-mode driver (UMD)";
    }
    return "";
}

static void page_of_rule(enum vidmm_rule_id id, struct vidmm_finding_page *page)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    *page = (struct vidmm_finding_page){
        .teller = "the auditor",
        .party = party_of(rule),
        .sentence = rule->sentence,
        .document = rule->source,
        .rule = {id},
        .rule_count = 1,
    };
    put_id(page->id, sizeof(page->id), id);
    put(page->rules, sizeof(page->rules), page->id);
    if (rule->bugcheck != 0)
        snprintf(page->windows, sizeof(page->windows), "bug check 0x%X, 0x%X", rule->bugcheck,
                 rule->bugcheck_parameter);
    else
        put(page->windows, sizeof(page->windows), "undocumented");
    snprintf(page->advice, sizeof(page->advice),
             "make the call keep the rule; `vidmm explain %s` says more", page->id);
    find_address(page);
}

bool vidmm_finding_page_at(uint32_t index, struct vidmm_finding_page *page)
{
    if (index >= COUNT(rows))
        return false;
    page_of_row(&rows[index], page);
    return true;
}

bool vidmm_finding_page(const char *id, struct vidmm_finding_page *page)
{
    enum vidmm_rule_id rule;
    unsigned number;
    char letter, end;

    if (sscanf(id, "%c-%3u%c", &letter, &number, &end) == 2)
        for (size_t i = 0; i < COUNT(rows); i++)
            if (rows[i].letter == toupper((unsigned char)letter) && rows[i].number == number) {
                page_of_row(&rows[i], page);
                return true;
            }
    if (!find_rule(id, &rule))
        return false;
    page_of_rule(rule, page);
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The second is what the first leads to, where the first is seen before it. A transfer is also the
 * means by which the aperture, transfers in parts and raw ones are looked at. */
static const struct {
    const char *cause, *effect;
} effects[] = {
    {"C-013", "C-012"}, {"C-015", "C-012"}, {"C-014", "C-012"}, {"C-032", "C-012"},
    {"C-012", "C-026"}, {"C-007", "C-027"}, {"C-008", "C-027"}, {"C-009", "C-027"},
    {"C-017", "C-027"}, {"C-022", "C-027"}, {"C-006", "C-010"}, {"C-038", "C-021"},
    {"C-018", "C-017"}, {"C-024", "C-025"}, {"C-004", "C-017"}, {"C-004", "C-018"},
    {"C-004", "C-023"}, {"C-004", "C-034"}, {"C-039", "C-004"}, {"C-039", "C-025"},
};

/* A driver that did not come to its stop leaves what it would have freed there. */
static bool is_left(const char *id)
{
    static const char *const left[] = {"K-004", "K-019", "K-020", "K-021",
                                       "K-022", "K-023", "K-024", "K-037"};

    for (size_t i = 0; i < COUNT(left); i++)
        if (strcmp(left[i], id) == 0)
            return true;
    return false;
}

static bool leads_to(const struct vidmm_board_finding *cause,
                     const struct vidmm_board_finding *effect)
{
    for (size_t i = 0; i < COUNT(effects); i++)
        if (strcmp(effects[i].cause, cause->id) == 0 && strcmp(effects[i].effect, effect->id) == 0)
            return true;
    return is_left(effect->id) && strcmp(cause->id, "C-021") == 0 &&
           strstr(cause->operation, "Stop") != NULL;
}

static bool is_ready(const struct vidmm_board_finding *finding)
{
    return atomic_load(&finding->ready);
}

static struct vidmm_finding_group *group_of(struct vidmm_finding_group *groups, uint32_t count,
                                            const char *id)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(groups[i].first->id, id) == 0)
            return &groups[i];
    return NULL;
}

static void find_causes(struct vidmm_finding_group *groups, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < i && groups[i].cause < 0; c++)
            if (leads_to(groups[c].first, groups[i].first))
                groups[i].cause = (int)c;
    for (uint32_t i = 0; i < count; i++) /* F1 */
        for (uint32_t depth = 0;
             depth < count && groups[i].cause >= 0 && groups[groups[i].cause].cause >= 0; depth++)
            groups[i].cause = groups[groups[i].cause].cause;
}

uint32_t vidmm_finding_groups(const struct vidmm_board_finding *list, uint32_t count,
                              struct vidmm_finding_group *groups)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < vidmm_board_shown(count); i++) {
        struct vidmm_finding_group *group = group_of(groups, found, list[i].id);

        if (!is_ready(&list[i]))
            continue;
        if (!group) {
            group = &groups[found++];
            *group = (struct vidmm_finding_group){.first = &list[i], .cause = -1};
        }
        group->count += atomic_load(&list[i].count);
        if (list[i].step >= 1 && list[i].step <= VIDMM_BOARD_STEPS)
            group->steps |= UINT64_C(1) << (list[i].step - 1);
    }
    find_causes(groups, found);
    return found;
}

const struct vidmm_board_finding *vidmm_finding_next(const struct vidmm_finding_group *group,
                                                     const struct vidmm_board_finding *list,
                                                     uint32_t count,
                                                     const struct vidmm_board_finding *last)
{
    for (uint32_t i = last ? (uint32_t)(last - list) + 1 : 0; i < vidmm_board_shown(count); i++)
        if (is_ready(&list[i]) && strcmp(list[i].id, group->first->id) == 0)
            return &list[i];
    return NULL;
}

/* ---- members --------------------------------------------------------------------------------- */

static bool has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; *at; at++)
        if (strncmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) &&
            (at == text || !isalnum((unsigned char)at[-1])))
            return true;
    return false;
}

bool vidmm_finding_names(const struct vidmm_board_finding *finding, const char *member,
                         size_t length)
{
    return length > 0 && (isupper((unsigned char)member[0]) || isupper((unsigned char)member[1])) &&
           (has_word(finding->document, member, length) || has_word(finding->text, member, length));
}
