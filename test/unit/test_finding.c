/* test_finding.c: the page of each finding is whole, and findings stand in groups. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/board.h"
#include "check/finding.h"
#include "wddm/document.h"

/* Sources that are no page of the documentation. */
static const char *const pageless[] = {"measured on Windows", "docs/check.md", "the page of the",
                                       "published dxgk_", ""};

static bool is_pageless(const char *source)
{
    for (size_t i = 0; pageless[i][0]; i++)
        if (strncmp(source, pageless[i], strlen(pageless[i])) == 0)
            return true;
    return source[0] == 0;
}

static bool has_address(const char *source)
{
    char address[200];
    struct vidmm_text text;

    vidmm_text_init(&text, address, sizeof(address));
    return vidmm_document_address(&text, source);
}

static void every_rule_leads_to_its_page(void **state)
{
    (void)state;
    for (unsigned id = 0; id < VIDMM_RULE_COUNT; id++) {
        const struct vidmm_rule *rule = vidmm_rule((enum vidmm_rule_id)id);

        if (!has_address(rule->source) && !is_pageless(rule->source))
            fail_msg("%s: no address for '%s' (src/wddm/documents.def)", rule->id, rule->source);
    }
}

static void every_finding_says_all_of_itself(void **state)
{
    struct vidmm_finding_page page, again;
    uint32_t count = 0;

    (void)state;
    for (; vidmm_finding_page_at(count, &page); count++) {
        unsigned named = 0;

        assert_true(vidmm_finding_page(page.id, &again));
        assert_string_equal(again.sentence, page.sentence);
        if (page.windows[0] == 0 || page.advice[0] == 0 || page.party[0] == 0)
            fail_msg("%s does not say what Windows does, or what is to be changed", page.id);
        if (strlen(page.windows) + 1 == sizeof(page.windows) ||
            strlen(page.advice) + 1 == sizeof(page.advice))
            fail_msg("%s: a text is too long for its page", page.id);
        if (page.address[0] == 0 && !is_pageless(page.document) &&
            strcmp(page.document, "KeBugCheckEx") != 0)
            fail_msg("%s: no address for '%s'", page.id, page.document);
        for (const char *at = page.rules; *at; at++)
            named += *at == '-';
        if (strstr(page.rules, " to ") ? page.rule_count < 1 : page.rule_count != named)
            fail_msg("%s: '%s' names a rule that is not there", page.id, page.rules);
    }
    assert_true(count >= 80);
    assert_true(vidmm_finding_page("s4-045", &page));
    assert_string_equal(page.party, "driver (KMD)");
    assert_true(vidmm_finding_page("D-085", &page));
    assert_string_equal(page.party, "memory manager (VidMm)");
    assert_false(vidmm_finding_page("C-000", &page));
    assert_false(vidmm_finding_page("X-001", &page));
    assert_false(vidmm_finding_page("C-001x", &page));
    assert_false(vidmm_finding_page("", &page));
}

static void an_address_is_of_the_first_page_that_is_named(void **state)
{
    char address[200];
    struct vidmm_text text;

    (void)state;
    vidmm_text_init(&text, address, sizeof(address));
    assert_true(vidmm_document_address(&text, "DXGKDDI_BUILDPAGINGBUFFER / Map/Unmap segment"));
    assert_string_equal(address, "https://learn.microsoft.com/windows-hardware/drivers/ddi/"
                                 "d3dkmddi/nc-d3dkmddi-dxgkddi_buildpagingbuffer");
    vidmm_text_init(&text, address, sizeof(address));
    assert_true(vidmm_document_address(&text, "gpu-segments; dxgk_querysegmentout4"));
    assert_non_null(strstr(address, "display/gpu-segments"));
    vidmm_text_init(&text, address, sizeof(address));
    assert_true(vidmm_document_address(&text, "Allocation usage tracking / Lock2"));
    assert_non_null(strstr(address, "display/allocation-usage-tracking"));
    vidmm_text_init(&text, address, sizeof(address));
    assert_false(vidmm_document_address(&text, "DXGKDDI_BUILDPAGING"));
    assert_string_equal(address, "");
}

/* ---- groups ---------------------------------------------------------------------------------- */

static struct vidmm_board *board_with(const char *const *ids, size_t count)
{
    struct vidmm_board *board = vidmm_board_create();

    assert_non_null(board);
    for (size_t i = 0; i < count; i++) {
        char step[32];

        snprintf(step, sizeof(step), "step %zu", i);
        vidmm_board_begin(board, step);
        vidmm_board_find(board, ids[i], "sentence", "PAGE, Member", "Call Member=1 Other=2 pages=3",
                         "Other is 2 pages long");
    }
    return board;
}

static void an_id_is_one_group_and_its_effects_follow(void **state)
{
    static const char *const ids[] = {"C-004", "C-006", "C-004", "C-018", "C-017"};
    struct vidmm_board *board = board_with(ids, 5);
    struct vidmm_finding_group groups[VIDMM_BOARD_FINDINGS];
    const struct vidmm_board_finding *next;

    (void)state;
    assert_int_equal(vidmm_finding_groups(board->findings, 5, groups), 4);
    assert_string_equal(groups[0].first->id, "C-004");
    assert_int_equal(groups[0].count, 2);
    assert_int_equal(groups[0].steps, 0x5);
    assert_int_equal(groups[0].cause, -1);
    assert_int_equal(groups[1].cause, -1);
    assert_int_equal(groups[2].cause, 0);
    assert_int_equal(groups[3].cause, 0); /* not C-018, which follows itself */
    next = vidmm_finding_next(&groups[0], board->findings, 5, groups[0].first);
    assert_ptr_equal(next, &board->findings[2]);
    assert_null(vidmm_finding_next(&groups[0], board->findings, 5, next));
    vidmm_board_destroy(board);
}

static void what_came_first_follows_from_nothing(void **state)
{
    static const char *const ids[] = {"C-018", "C-004"};
    struct vidmm_board *board = board_with(ids, 2);
    struct vidmm_finding_group groups[VIDMM_BOARD_FINDINGS];

    (void)state;
    assert_int_equal(vidmm_finding_groups(board->findings, 2, groups), 2);
    assert_int_equal(groups[0].cause, -1);
    assert_int_equal(groups[1].cause, -1);
    vidmm_board_destroy(board);
}

static void members_are_those_that_the_finding_names(void **state)
{
    static const char *const ids[] = {"C-004"};
    struct vidmm_board *board = board_with(ids, 1);
    const struct vidmm_board_finding *finding = &board->findings[0];

    (void)state;
    assert_true(vidmm_finding_names(finding, "Member", 6));
    assert_true(vidmm_finding_names(finding, "Other", 5));
    assert_false(vidmm_finding_names(finding, "pages", 5)); /* a word of the text, no member */
    assert_false(vidmm_finding_names(finding, "Memb", 4));
    assert_false(vidmm_finding_names(finding, "", 0));
    vidmm_board_destroy(board);
}

static void the_call_before_is_the_last_that_came_back(void **state)
{
    struct vidmm_board *board = vidmm_board_create();
    struct vidmm_board_call *call;

    (void)state;
    assert_non_null(board);
    vidmm_board_begin(board, "step");
    for (unsigned i = 1; i <= 2; i++) {
        call = vidmm_board_enter(board);
        snprintf(call->text, sizeof(call->text), "Call%u", i);
        vidmm_board_leave(call);
    }
    vidmm_board_find(board, "C-004", "", "", "Call2", ""); /* seen behind the call */
    assert_string_equal(board->findings[0].before, "Call1");
    call = vidmm_board_enter(board);
    snprintf(call->text, sizeof(call->text), "Call3");
    vidmm_board_find(board, "C-007", "", "", NULL, ""); /* seen in it */
    assert_string_equal(board->findings[1].record, "Call3");
    assert_string_equal(board->findings[1].before, "Call2");
    vidmm_board_leave(call);
    vidmm_board_destroy(board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_leads_to_its_page),
        cmocka_unit_test(every_finding_says_all_of_itself),
        cmocka_unit_test(an_address_is_of_the_first_page_that_is_named),
        cmocka_unit_test(an_id_is_one_group_and_its_effects_follow),
        cmocka_unit_test(what_came_first_follows_from_nothing),
        cmocka_unit_test(members_are_those_that_the_finding_names),
        cmocka_unit_test(the_call_before_is_the_last_that_came_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
