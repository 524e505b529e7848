/* vidmm explain: the meaning of a word of the field; of a word of flags what it says, what binds
 * it, what of it is illegal. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "host/exit.h"
#include "tool/command.h"
#include "tool/explain.h"
#include "tool/lookup.h"
#include "tool/options.h"
#include "tool/rule_text.h"
#include "wddm/level.h"
#include "wddm/mask.h"

struct explain_arguments {
    bool help, json, primary, coherent, given;
    uint64_t level;
    struct vidmm_words words;
};

static const char *const levels[] = {"1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "2.2", "2.3", "2.4",
                                     "2.5", "2.6", "2.7", "2.9", "3.0", "3.1", "3.2", NULL};

#define OPTIONS 5
struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct explain_arguments *a)
{
    return (struct option_table){{
        {"level", VIDMM_OPTION_CHOICE, &a->level, "LEVEL",
         "the WDDM level of the driver, 1.0 to 3.2; default 1.3. From 2.0 on, flags\n"
         "are those of the WDDM2_0 word",
         0, 0, levels, &a->given},
        {"primary", VIDMM_OPTION_SWITCH, &a->primary, NULL, "the allocation is a primary", 0, 0,
         NULL, NULL},
        {"coherent", VIDMM_OPTION_SWITCH, &a->coherent, NULL,
         "the adapter has a cache-coherent aperture segment", 0, 0, NULL, NULL},
        {"json", VIDMM_OPTION_SWITCH, &a->json, NULL, "print one JSON object, and nothing else", 0,
         0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct explain_arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs(
        "vidmm explain WORD...\n"
        "vidmm explain flags WORD\n"
        "vidmm explain segment-flags WORD\n"
        "\n"
        "Say what a word of the field means: a rule (S4-002) or a finding (C-007) by its id, an\n"
        "NTSTATUS by name or number, a bug check by name or number, with its first parameter or\n"
        "without, a call (DxgkDdiPatch), a paging operation by name or number, a structure with\n"
        "its 64-bit layout, a member (DXGK_ALLOCATIONINFO.Size, or PitchAlignedSize wherever it\n"
        "stands). A call, a status, a structure and a member come with the rules that speak of\n"
        "them. Words that name nothing are looked for in all of these.\n"
        "\n"
        "With flags: take a flag word apart: DXGK_ALLOCATIONINFOFLAGS, which a driver answers to\n"
        "DxgkDdiCreateAllocation, or DXGK_SEGMENTFLAGS, which it reports for a segment. WORD is a\n"
        "number (0x... or decimal) or names joined by |. The output gives the bits by name, each\n"
        "breach in the word (the rule's id, its document, and whether the manager refuses or only\n"
        "reports it), breaches that depend on circumstances, and the rules about the bits that\n"
        "are set.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "examples\n"
          "  vidmm explain S4-002\n"
          "  vidmm explain 0x10E 0xB\n"
          "  vidmm explain STATUS_GRAPHICS_ALLOCATION_BUSY\n"
          "  vidmm explain DXGK_ALLOCATIONINFO.EvictionSegmentSet\n"
          "  vidmm explain swizzling range\n"
          "  vidmm explain flags 0x6\n"
          "  vidmm explain flags 'CpuVisible|Cached' --primary\n"
          "  vidmm explain flags 0x2401 --level 2.0\n"
          "  vidmm explain segment-flags 'CpuVisible|CacheCoherent' --json\n"
          "\n"
          "exit status: 0 the word is known, or legal; 1 flags break a rule; 2 it cannot be read,\n"
          "or nothing has it\n",
          file);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_name(const struct vidmm_mask *mask, const char *name, size_t length,
                      uint32_t *value)
{
    for (size_t i = 0; i < mask->count; i++) {
        if (strlen(mask->bits[i].name) == length &&
            strncasecmp(mask->bits[i].name, name, length) == 0) {
            *value |= mask->bits[i].mask;
            return true;
        }
    }
    return false;
}

static bool read_number(const char *word, size_t length, uint32_t *value)
{
    unsigned long long number;
    char digits[24], *end;

    if (length == 0 || length >= sizeof digits || !isdigit((unsigned char)word[0]))
        return false;
    memcpy(digits, word, length);
    digits[length] = '\0';
    number = strtoull(digits, &end, 0);
    if (*end != '\0' || number > UINT32_MAX)
        return false;
    *value |= (uint32_t)number;
    return true;
}

/* Say what the legal names are, or the one that was meant. */
static void refuse_name(const struct vidmm_mask *mask, const char *word, size_t length)
{
    const char *names[33] = {NULL}, *nearest;
    char name[64];
    unsigned column = 0;

    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (size_t i = 0; i < mask->count && i < 32; i++)
        names[i] = mask->bits[i].name;
    nearest = vidmm_options_nearest(name, names);
    fprintf(stderr, "vidmm explain: '%.*s' is neither a number of 32 bits nor a bit of %s",
            (int)length, word, mask->name);
    if (nearest != NULL) {
        fprintf(stderr, "; did you mean %s?\n", nearest);
        return;
    }
    fputs(":\n ", stderr);
    for (size_t i = 0; names[i] != NULL; i++) {
        column += (unsigned)strlen(names[i]) + 1;
        if (column > 78) {
            fputs("\n ", stderr);
            column = (unsigned)strlen(names[i]) + 1;
        }
        fprintf(stderr, " %s", names[i]);
    }
    fputc('\n', stderr);
}

/* Numbers and names joined by |. */
static bool read_word(const struct vidmm_mask *mask, const char *word, uint32_t *value)
{
    *value = 0;
    for (;;) {
        size_t length = strcspn(word, "|");

        if (!read_number(word, length, value) && !read_name(mask, word, length, value)) {
            refuse_name(mask, word, length);
            return false;
        }
        if (word[length] == '\0')
            return true;
        word += length + 1;
    }
}

static uint16_t level_of(const struct explain_arguments *a)
{
    const char *level = levels[a->given ? a->level : 3];

    return VIDMM_LEVEL(level[0] - '0', level[2] - '0');
}

/* ---- telling a person ------------------------------------------------------------------------ */

static void print_mask(const struct vidmm_explain_word *word, uint32_t bits)
{
    struct vidmm_text text;
    char names[600];

    vidmm_text_init(&text, names, sizeof names);
    vidmm_mask_print(&text, word->mask, bits);
    fputs(names, stdout);
}

static void print_bits(const struct vidmm_explain_word *word)
{
    uint32_t unnamed = word->value;

    printf("%s, WDDM %u.%u: 0x%08x\n", word->mask->name, word->level >> 8, word->level & 0xff,
           word->value);
    for (size_t i = 0; i < word->mask->count; i++) {
        const struct vidmm_mask_bit *bit = &word->mask->bits[i];
        if ((word->value & bit->mask) == 0)
            continue;
        unnamed &= ~bit->mask;
        printf("  0x%08x  %s", bit->mask, bit->name);
        if (bit->since > word->level)
            printf(" (from WDDM %u.%u on)", bit->since >> 8, bit->since & 0xff);
        putchar('\n');
    }
    if (unnamed != 0)
        printf("  0x%08x  no name: reserved\n", unnamed);
}

static void print_rule(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    printf("  %-7s %-5s  %s\n                 (%s)\n", vidmm_rule_name(id).text,
           vidmm_rule_party_name(rule->party), rule->sentence, rule->source);
}

static bool print_illegal(const struct vidmm_explain_word *word)
{
    const struct vidmm_flag_rule *rule;
    size_t index = 0;
    uint32_t bits;
    bool any = false;

    while ((rule = vidmm_flag_rule_next(&index, word->kind, word->level, word->is, word->value,
                                        &bits)) != NULL) {
        if (!any)
            puts("\nillegal");
        any = true;
        print_rule(rule->rule);
        fputs("                 ", stdout);
        print_mask(word, bits);
        puts(rule->refused ? ": refused" : ": reported once; refused with --strict");
    }
    if (!any)
        puts("\nlegal");
    return any;
}

static void print_elsewhere(const struct vidmm_explain_word *word)
{
    bool any = false;

    for (size_t i = 0; i < vidmm_flag_rules(); i++) {
        const struct vidmm_flag_rule *rule = vidmm_flag_rule(i);
        if (!vidmm_explain_elsewhere(word, rule))
            continue;
        if (!any)
            puts("\nillegal under other circumstances");
        any = true;
        print_rule(rule->rule);
        printf("                 %s: %s\n", vidmm_explain_circumstance(rule->given),
               rule->refused ? "refused" : "reported");
    }
}

static void print_binding(const struct vidmm_explain_word *word)
{
    bool any = false;

    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        if (!vidmm_explain_speaks(word, vidmm_rule(id)))
            continue;
        if (!any)
            puts("\nrules that speak of these bits");
        any = true;
        print_rule(id);
    }
}

/* ---- telling a program ----------------------------------------------------------------------- */

static json_t *rule_object(enum vidmm_rule_id id)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    return json_pack("{s:s, s:s, s:s, s:s}", "id", vidmm_rule_name(id).text, "party",
                     vidmm_rule_party_name(rule->party), "sentence", rule->sentence, "source",
                     rule->source);
}

static json_t *bit_array(const struct vidmm_explain_word *word)
{
    json_t *array = json_array();

    for (size_t i = 0; i < word->mask->count; i++) {
        const struct vidmm_mask_bit *bit = &word->mask->bits[i];
        if ((word->value & bit->mask) != 0)
            json_array_append_new(array, json_pack("{s:s, s:I, s:b}", "name", bit->name, "mask",
                                                   (json_int_t)bit->mask, "reserved",
                                                   bit->since > word->level));
    }
    return array;
}

static json_t *illegal_array(const struct vidmm_explain_word *word)
{
    const struct vidmm_flag_rule *rule;
    json_t *array = json_array();
    size_t index = 0;
    uint32_t bits;

    while ((rule = vidmm_flag_rule_next(&index, word->kind, word->level, word->is, word->value,
                                        &bits)) != NULL) {
        json_t *object = rule_object(rule->rule);
        json_object_set_new(object, "bits", json_integer(bits));
        json_object_set_new(object, "refused", json_boolean(rule->refused));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *elsewhere_array(const struct vidmm_explain_word *word)
{
    json_t *array = json_array();

    for (size_t i = 0; i < vidmm_flag_rules(); i++) {
        const struct vidmm_flag_rule *rule = vidmm_flag_rule(i);
        if (!vidmm_explain_elsewhere(word, rule))
            continue;
        json_t *object = rule_object(rule->rule);
        json_object_set_new(object, "when", json_string(vidmm_explain_circumstance(rule->given)));
        json_object_set_new(object, "refused", json_boolean(rule->refused));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *binding_array(const struct vidmm_explain_word *word)
{
    json_t *array = json_array();

    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++)
        if (vidmm_explain_speaks(word, vidmm_rule(id)))
            json_array_append_new(array, rule_object(id));
    return array;
}

/* Whether the word breaks a rule. */
static bool print_json(const struct vidmm_explain_word *word)
{
    json_t *illegal = illegal_array(word);
    bool any = json_array_size(illegal) > 0;
    char level[8];

    snprintf(level, sizeof level, "%u.%u", word->level >> 8, word->level & 0xffu);
    json_t *object =
        json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o}", "word", word->mask->name, "level", level,
                  "value", (json_int_t)word->value, "bits", bit_array(word), "illegal", illegal,
                  "illegal_elsewhere", elsewhere_array(word), "rules", binding_array(word));
    json_dumpf(object, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(object);
    return any;
}

/* Whether the word breaks a rule. */
static bool print_text(const struct vidmm_explain_word *word)
{
    print_bits(word);
    bool illegal = print_illegal(word);
    print_elsewhere(word);
    print_binding(word);
    return illegal;
}

/* ---- words of the field ---------------------------------------------------------------------- */

static void print_entry(void *context, const struct vidmm_entry *entry)
{
    (void)context;
    if (strcmp(entry->kind, "member") == 0) { /* one of many */
        printf("  %-56s %s\n", entry->name, entry->more);
        return;
    }
    printf("%s %s\n", entry->kind, entry->name);
    if (entry->says[0])
        printf("  %s\n", entry->says);
    if (entry->source[0])
        printf("  (%s)\n", entry->source);
    if (entry->address[0])
        printf("  %s\n", entry->address);
    if (entry->more[0])
        printf("  %s\n", entry->more);
    if (entry->windows[0])
        printf("  Windows: %s\n", entry->windows);
    if (entry->advice[0])
        printf("  change: %s\n", entry->advice);
}

static void append_entry(void *context, const struct vidmm_entry *entry)
{
    json_array_append_new(context,
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "kind", entry->kind,
                                    "name", entry->name, "says", entry->says, "source",
                                    entry->source, "address", entry->address, "more", entry->more,
                                    "windows", entry->windows, "change", entry->advice));
}

static bool is_flags(const char *word)
{
    return strcmp(word, "flags") == 0 || strcmp(word, "segment-flags") == 0;
}

static void refuse_words(const struct vidmm_words *words)
{
    const char *nearest = words->count == 1 ? vidmm_lookup_nearest(words->word[0]) : NULL;

    fputs("vidmm explain: nothing is called", stderr);
    for (unsigned i = 0; i < words->count; i++)
        fprintf(stderr, " %s%s%s", i == 0 ? "'" : "", words->word[i],
                i + 1 == words->count ? "'" : "");
    fputs(", and nothing speaks of it", stderr);
    if (nearest != NULL)
        fprintf(stderr, "; did you mean %s?", nearest);
    fputc('\n', stderr);
}

static int explain_words(const struct explain_arguments *a)
{
    json_t *array = json_array();
    bool named;
    size_t told = vidmm_lookup(&a->words, a->json ? append_entry : print_entry, array, &named);

    if (told == 0)
        refuse_words(&a->words);
    else if (a->json) {
        json_t *object = json_pack("{s:b, s:O}", "named", named, "answers", array);

        json_dumpf(object, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(object);
    } else if (!named) {
        printf("%s\n", vidmm_counted(told, "answer").text);
    }
    json_decref(array);
    return told != 0 ? VIDMM_CLEAN : VIDMM_COULD_NOT_RUN;
}

static int explain(const struct explain_arguments *a)
{
    struct vidmm_explain_word word = {.level = level_of(a)};

    if (a->words.count > 0 && !is_flags(a->words.word[0]))
        return explain_words(a);
    if (a->words.count == 2 && strcmp(a->words.word[0], "flags") == 0) {
        word.kind = VIDMM_FLAGS_ALLOCATION;
    } else if (a->words.count == 2 && strcmp(a->words.word[0], "segment-flags") == 0) {
        word.kind = VIDMM_FLAGS_SEGMENT;
    } else {
        fprintf(stderr, "vidmm explain: expected a word, flags WORD or segment-flags WORD; see "
                        "vidmm help explain\n");
        return VIDMM_COULD_NOT_RUN;
    }
    word.mask = vidmm_flag_mask(word.kind, word.level);
    word.is = (a->primary ? VIDMM_IS_PRIMARY : 0) | (a->coherent ? VIDMM_IS_COHERENT : 0);
    if (!read_word(word.mask, a->words.word[1], &word.value))
        return VIDMM_COULD_NOT_RUN;
    return (a->json ? print_json : print_text)(&word) ? VIDMM_FINDINGS : VIDMM_CLEAN;
}

static int run(int count, char *const *arguments)
{
    struct explain_arguments a = {.words = {.most = 4}};
    struct option_table table = table_of(&a);
    char error[200];

    if (!vidmm_options_parse(table.option, OPTIONS, count, arguments, &a.words, error,
                             sizeof error)) {
        fprintf(stderr, "vidmm explain: %s\n", error);
        return VIDMM_COULD_NOT_RUN;
    }
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    return explain(&a);
}

const struct vidmm_command vidmm_command_explain = {
    .name = "explain",
    .summary = "say what a word of the field means; take flags apart",
    .run = run,
    .help = help,
};
