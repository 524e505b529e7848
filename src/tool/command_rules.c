/* vidmm rules: the contract between memory manager, driver and user-mode driver, a row a rule. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "host/exit.h"
#include "tool/command.h"
#include "tool/lookup.h"
#include "tool/options.h"
#include "tool/rule_text.h"

struct rules_arguments {
    bool help, tsv, markdown, json;
    struct vidmm_words words;
};

#define OPTIONS 4
struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct rules_arguments *a)
{
    return (struct option_table){{
        {"tsv", VIDMM_OPTION_SWITCH, &a->tsv, NULL,
         "columns separated by tabs: id, party, level, how, checker, breaks, keeps,\n"
         "source, sentence; the first line names them",
         0, 0, NULL, NULL},
        {"markdown", VIDMM_OPTION_SWITCH, &a->markdown, NULL, "a table for a document", 0, 0, NULL,
         NULL},
        {"json", VIDMM_OPTION_SWITCH, &a->json, NULL,
         "print one JSON object: rules and counts; \"owes\" is a clause still owed", 0, 0, NULL,
         NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct rules_arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs(
        "vidmm rules [WORD...] [options]\n"
        "\n"
        "List the rules that bind memory manager (VidMm), driver (KMD) and user-mode driver (UMD)\n"
        "to one another, what judges each, and which tests break and keep it. Up to four\n"
        "words choose. A rule is listed if every word is its id (S4-030), party, level (1.x, "
        "both,\n"
        "2.x+), area (lock1, paging-transfer, ...), how or kind, or is in its sentence or source.\n"
        "Findings that are no rule of the contract (C-017, K-004) are explained by their id.\n"
        "\n"
        "how a rule is judged (how):\n"
        "  compile       by a layout or a number\n"
        "  call          by one record\n"
        "  history       by earlier calls: the auditor's shadow, or the manager's state\n"
        "  test          by a test that shows the behaviour of the manager or the tool\n"
        "  verifier      only by looking at memory and commands\n"
        "  unobservable  by nobody: the row says why\n"
        "\n"
        "who answers for a rule (kind): audited (by calls, in any manager and driver), shown (by "
        "a\n"
        "test), seen (by this manager, which refuses or reports the breach), layout, checked (by\n"
        "vidmm check; the row names its findings), verifier (owed: nobody judges it yet),\n"
        "unobservable, due (its test is still owed).\n"
        "\n"
        "The word owed chooses the rules that are not paid: those owed to the verifier, those "
        "that\n"
        "are due, and those with a clause of the contract's sentence that no test asserts. The\n"
        "three are counted apart.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "examples\n"
          "  vidmm rules S4-030\n"
          "  vidmm rules KMD segment-flags\n"
          "  vidmm rules seen lock1\n"
          "  vidmm rules C-017\n"
          "  vidmm rules owed KMD --json\n"
          "  vidmm rules --tsv 1.x VidMm > rules.tsv\n"
          "\n"
          "exit status: 0, 2 if there is no such rule\n",
          file);
}

/* ---- choosing -------------------------------------------------------------------------------- */

static bool has_word(const struct vidmm_rule *rule, enum vidmm_rule_id id, const char *word)
{
    struct vidmm_rule_name name = vidmm_rule_name(id);

    if (strcasecmp(word, "owed") == 0)
        return vidmm_rule_is_owed(id);
    return strcasecmp(name.text, word) == 0 || strcasecmp(rule->id, word) == 0 ||
           strcasecmp(vidmm_rule_party_name(rule->party), word) == 0 ||
           strcasecmp(vidmm_rule_level_name(rule->level), word) == 0 ||
           strcasecmp(rule->area, word) == 0 ||
           strcasecmp(vidmm_rule_how_name(rule->how), word) == 0 ||
           strcasecmp(vidmm_rule_kind_name(rule->kind), word) == 0;
}

/* Rules that are owed: there may be none. */
static bool names_debts(const char *word)
{
    return strcasecmp(word, "owed") == 0 || strcasecmp(word, "due") == 0;
}

/* A word that names a column's value means that column; any other is looked for in the texts. */
static bool names_something(const char *word)
{
    if (names_debts(word))
        return true;
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++)
        if (has_word(vidmm_rule(id), id, word))
            return true;
    return false;
}

static bool is_wanted(enum vidmm_rule_id id, const struct vidmm_words *words)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    for (unsigned i = 0; i < words->count; i++) {
        const char *word = words->word[i];
        bool found = names_something(word) ? has_word(rule, id, word)
                                           : strcasestr(rule->sentence, word) != NULL ||
                                                 strcasestr(rule->source, word) != NULL;
        if (!found)
            return false;
    }
    return true;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_tsv(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    struct vidmm_rule_tests tests = vidmm_rule_tests(id);

    printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", vidmm_rule_name(id).text,
           vidmm_rule_party_name(rule->party), vidmm_rule_level_name(rule->level),
           vidmm_rule_how_name(rule->how), vidmm_rule_checker(id).text, tests.breaks, tests.keeps,
           rule->source, rule->sentence);
}

static void print_markdown(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    struct vidmm_rule_tests tests = vidmm_rule_tests(id);

    printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", vidmm_rule_name(id).text,
           vidmm_rule_party_name(rule->party), vidmm_rule_level_name(rule->level),
           vidmm_rule_how_name(rule->how), vidmm_rule_checker(id).text, tests.breaks, tests.keeps,
           rule->source, rule->sentence);
}

static void print_human(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    struct vidmm_rule_tests tests = vidmm_rule_tests(id);
    struct vidmm_rule_checker checker = vidmm_rule_checker(id);

    printf("%-7s %-5s %-5s %-22s %s\n", vidmm_rule_name(id).text,
           vidmm_rule_party_name(rule->party), vidmm_rule_level_name(rule->level), rule->area,
           rule->sentence);
    printf("        %s: %s", vidmm_rule_kind_name(rule->kind), vidmm_rule_how_name(rule->how));
    if (checker.text[0] != '\0' && rule->kind != VIDMM_KIND_DUE)
        printf(", %s", checker.text);
    if (tests.keeps[0] != '\0')
        printf("; %s%s%s", tests.breaks, tests.breaks[0] != '\0' ? ", " : "", tests.keeps);
    if (rule->kind == VIDMM_KIND_UNOBSERVABLE)
        printf(": %s", rule->reason);
    if (vidmm_rule_owes(id) != NULL)
        printf("\n        owes: %s", vidmm_rule_owes(id));
    printf("\n        %s", rule->source);
    if (rule->bugcheck != 0)
        printf("; Windows stops with 0x%x, 0x%x", rule->bugcheck, rule->bugcheck_parameter);
    putchar('\n');
}

struct counts {
    unsigned kinds[3][VIDMM_KIND_DUE + 1]; /* by party */
    unsigned parties[3], all;
    unsigned to_verifier, due, clauses; /* the owed ones */
};

static void count(struct counts *counts, enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    counts->to_verifier += rule->kind == VIDMM_KIND_VERIFIER;
    counts->due += rule->kind == VIDMM_KIND_DUE;
    counts->clauses += vidmm_rule_owes(id) != NULL;
    counts->kinds[rule->party][rule->kind]++;
    counts->parties[rule->party]++;
    counts->all++;
}

static void print_party(const struct counts *counts, enum vidmm_rule_party party)
{
    const char *separator = ": ";

    if (counts->parties[party] == 0)
        return;
    printf("  %-5s %u", vidmm_rule_party_name(party), counts->parties[party]);
    for (unsigned kind = 0; kind <= VIDMM_KIND_DUE; kind++) {
        if (counts->kinds[party][kind] == 0)
            continue;
        printf("%s%u %s", separator, counts->kinds[party][kind], vidmm_rule_kind_says(kind));
        separator = ", ";
    }
    putchar('\n');
}

static void print_counts(const struct counts *counts)
{
    printf("\n%u %s\n", counts->all, counts->all == 1 ? "rule" : "rules");
    for (unsigned party = 0; party < 3; party++)
        print_party(counts, party);
    printf("  owed: %u to the verifier, %u due, %u a clause\n", counts->to_verifier, counts->due,
           counts->clauses);
}

static json_t *rule_object(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);
    struct vidmm_rule_tests tests = vidmm_rule_tests(id);
    struct vidmm_rule_checker checker = vidmm_rule_checker(id);
    struct vidmm_rule_name name = vidmm_rule_name(id);
    json_t *object = json_object();
    const struct {
        const char *key, *value;
    } words[] = {
        {"id", name.text},
        {"party", vidmm_rule_party_name(rule->party)},
        {"level", vidmm_rule_level_name(rule->level)},
        {"area", rule->area},
        {"kind", vidmm_rule_kind_name(rule->kind)},
        {"how", vidmm_rule_how_name(rule->how)},
        {"checker", checker.text},
        {"breaks", tests.breaks},
        {"keeps", tests.keeps},
        {"source", rule->source},
        {"sentence", rule->sentence},
        {"reason", rule->kind == VIDMM_KIND_UNOBSERVABLE ? rule->reason : NULL},
        {"owes", vidmm_rule_owes(id)},
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].value != NULL && words[i].value[0] != '\0')
            json_object_set_new(object, words[i].key, json_string(words[i].value));
    json_object_set_new(object, "owed", json_boolean(vidmm_rule_is_owed(id)));
    return object;
}

static int print_json(json_t *rules, const struct counts *counts)
{
    json_t *object = json_pack("{s:o, s:{s:i, s:i, s:i, s:i}}", "rules", rules, "counts", "all",
                               (int)counts->all, "owed_to_the_verifier", (int)counts->to_verifier,
                               "due", (int)counts->due, "owing_a_clause", (int)counts->clauses);
    bool done = object != NULL && json_dumpf(object, stdout, JSON_INDENT(2)) == 0;

    putchar('\n');
    json_decref(object);
    return done ? VIDMM_CLEAN : VIDMM_COULD_NOT_RUN;
}

static void print_head(const struct rules_arguments *a)
{
    if (a->tsv)
        puts("id\tparty\tlevel\thow\tchecker\tbreaks\tkeeps\tsource\tsentence");
    if (a->markdown)
        puts("| id | party | level | how | checker | breaks | keeps | source | sentence |\n"
             "|---|---|---|---|---|---|---|---|---|");
}

/* ---- findings that are no rules -------------------------------------------------------------- */

/* Print the finding that is meant. False: the words are no id of one. */
static bool tell_finding(const struct vidmm_words *words)
{
    struct vidmm_entry entry;

    if (words->count != 1 || !vidmm_lookup_finding(words->word[0], &entry))
        return false;
    printf("%s  %s\n       %s; document: %s\n", entry.name, entry.says, entry.more, entry.source);
    return true;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The id or the area that the word may have meant; NULL: there is none near. */
static const char *near_word(const char *word)
{
    static const char *names[2 * VIDMM_RULE_COUNT + 1];
    unsigned count = 0;

    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        names[count++] = vidmm_rule(id)->area;
        names[count++] = vidmm_rule(id)->id;
    }
    names[count] = NULL;
    return vidmm_options_nearest(word, names);
}

static void refuse_words(const struct vidmm_words *words)
{
    const char *nearest = NULL;
    char name[32];

    for (unsigned i = 0; i < words->count && nearest == NULL; i++)
        nearest = names_something(words->word[i]) ? NULL : near_word(words->word[i]);
    if (nearest == NULL) {
        fputs("vidmm rules: no rule has all of these words; see vidmm help rules\n", stderr);
        return;
    }
    snprintf(name, sizeof name, "%s", nearest);
    for (char *at = name; (at = strchr(at, '_')) != NULL;)
        *at = '-';
    fprintf(stderr, "vidmm rules: no rule has all of these words; did you mean '%s'?\n", name);
}

/* Whether no rule at all is a good answer: each word names something, and one of them debts. */
static bool may_be_none(const struct vidmm_words *words)
{
    bool debts = false;

    for (unsigned i = 0; i < words->count; i++) {
        if (!names_something(words->word[i]))
            return false;
        debts |= names_debts(words->word[i]);
    }
    return debts;
}

static int list_json(const struct rules_arguments *a)
{
    json_t *rules = json_array();
    struct counts counts = {0};

    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        if (!is_wanted(id, &a->words))
            continue;
        json_array_append_new(rules, rule_object(id));
        count(&counts, id);
    }
    if (counts.all != 0 || may_be_none(&a->words))
        return print_json(rules, &counts);
    json_decref(rules);
    refuse_words(&a->words);
    return VIDMM_COULD_NOT_RUN;
}

static int list(const struct rules_arguments *a)
{
    struct counts counts = {0};

    if (tell_finding(&a->words))
        return VIDMM_CLEAN;

    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        if (!is_wanted(id, &a->words))
            continue;
        if (counts.all == 0)
            print_head(a);
        (a->tsv ? print_tsv : a->markdown ? print_markdown : print_human)(id);
        count(&counts, id);
    }
    if (counts.all == 0 && !may_be_none(&a->words)) {
        refuse_words(&a->words);
        return VIDMM_COULD_NOT_RUN;
    }
    if (!a->tsv && !a->markdown)
        print_counts(&counts);
    return VIDMM_CLEAN;
}

static int run(int count, char *const *arguments)
{
    struct rules_arguments a = {.words = {.most = 4}};
    struct option_table table = table_of(&a);
    char error[200];

    if (!vidmm_options_parse(table.option, OPTIONS, count, arguments, &a.words, error,
                             sizeof error)) {
        fprintf(stderr, "vidmm rules: %s\n", error);
        return VIDMM_COULD_NOT_RUN;
    }
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    if (a.tsv + a.markdown + a.json > 1) {
        fprintf(stderr, "vidmm rules: --tsv, --markdown and --json exclude each other\n");
        return VIDMM_COULD_NOT_RUN;
    }
    return a.json ? list_json(&a) : list(&a);
}

const struct vidmm_command vidmm_command_rules = {
    .name = "rules",
    .summary = "list the rules of the contract, and what judges each",
    .run = run,
    .help = help,
};
