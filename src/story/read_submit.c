/* submit NAME[:r|:w|:l] ... [then ...] [on NODE] [nowait] [offering NAME PRIORITY ...] */
#include "story/reader.h"

#include <string.h>

/* NAME, NAME:r, NAME:w, NAME:k, NAME:kw, NAME:o or NAME:l */
static bool read_reference(struct vidmm_scenario_reader *reader, struct vidmm_act *act,
                           uint32_t command, char *word)
{
    struct vidmm_scenario *scenario = reader->scenario;
    char *colon = strchr(word, ':');
    bool bound = colon != NULL && colon[1] == 'k';
    bool older = colon != NULL && strcmp(colon, ":o") == 0;
    bool lost = colon != NULL && strcmp(colon, ":l") == 0;
    const char *access = colon == NULL || older || lost ? "r" : bound ? colon + 2 : colon + 1;
    bool write = strcmp(access, "w") == 0;

    if (!write && strcmp(access, "r") != 0 && !(bound && access[0] == 0))
        return vidmm_scenario_wrong(
            reader,
            "submit: \"%s\" ; expected NAME, NAME:r, NAME:w, NAME:k, NAME:kw, NAME:o, NAME:l",
            word);
    if (colon != NULL)
        *colon = 0;
    bool known = vidmm_scenario_refer(reader, act, word, write);
    if (colon != NULL)
        *colon = ':';
    if (known) {
        scenario->references[scenario->reference_count - 1].bound = bound;
        scenario->references[scenario->reference_count - 1].older = older;
        scenario->references[scenario->reference_count - 1].lost = lost;
        scenario->references[scenario->reference_count - 1].command = command;
    }
    return known;
}

uint32_t vidmm_scenario_offer_word(const char *word)
{
    static const char *const words[] = {
        [VIDMM_OFFER_LOW] = "low",
        [VIDMM_OFFER_NORMAL] = "normal",
        [VIDMM_OFFER_HIGH] = "high",
        [VIDMM_OFFER_AUTO] = "auto",
    };
    uint32_t offer = VIDMM_OFFER_AUTO;

    while (offer > 0 && strcmp(word, words[offer]) != 0)
        offer--;
    return offer;
}

/* "offering NAME PRIORITY", from word[at] on, of what the act has named. */
static bool read_offering(struct vidmm_scenario_reader *reader, const struct vidmm_act *act,
                          uint32_t at)
{
    struct vidmm_act_reference *references = &reader->scenario->references[act->first];
    uint32_t offer = at + 2 < reader->count ? vidmm_scenario_offer_word(reader->word[at + 2]) : 0;
    int64_t allocation = offer != 0 ? vidmm_scenario_find(reader, reader->word[at + 1]) : -1;
    bool found = false;

    for (uint32_t i = 0; i < act->count; i++)
        if (references[i].allocation == allocation) {
            references[i].offer = offer;
            found = true;
        }
    return found ||
           vidmm_scenario_wrong(reader, "submit: offering: expected a NAME of this command, and "
                                        "low, normal, high or auto");
}

bool vidmm_scenario_read_submit(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    uint64_t node;
    uint32_t command = 0;

    for (uint32_t i = 1; i < reader->count; i++) {
        if (strcmp(reader->word[i], "nowait") == 0) {
            act->no_wait = true;
        } else if (strcmp(reader->word[i], "then") == 0) {
            command++;
        } else if (strcmp(reader->word[i], "on") == 0) {
            const char *word = i + 1 < reader->count ? reader->word[i + 1] : "";
            if (!vidmm_scenario_number(reader, "submit: on", word, 0, VIDMM_NODES - 1, &node))
                return false;
            act->node = (uint32_t)node;
            i++;
        } else if (strcmp(reader->word[i], "offering") == 0) {
            if (!read_offering(reader, act, i))
                return false;
            i += 2;
        } else if (!read_reference(reader, act, command, reader->word[i])) {
            return false;
        }
    }
    return true;
}
