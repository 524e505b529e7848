/* report_junit.c: steps as test cases of JUnit's XML, which servers of builds read. A step with
 * findings has failed, one that was not done was skipped. */
#include "tool/check_reports.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <string.h>

#include "check/finding.h"
#include "check/places.h"

static void attribute(xmlTextWriterPtr xml, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(xml, (const xmlChar *)name, (const xmlChar *)value);
}

static void number(xmlTextWriterPtr xml, const char *name, unsigned value)
{
    char text[16];

    snprintf(text, sizeof(text), "%u", value);
    attribute(xml, name, text);
}

static void start(xmlTextWriterPtr xml, const char *name)
{
    xmlTextWriterStartElement(xml, (const xmlChar *)name);
}

static void write_failure(xmlTextWriterPtr xml, const struct vidmm_board *board,
                          const struct vidmm_check_subject *subject,
                          const struct vidmm_board_finding *finding)
{
    char place[900] = "", again[1400], message[700];

    snprintf(message, sizeof(message), "%s: %s", finding->id, finding->sentence);
    vidmm_place_of(subject->driver, finding->address, place, sizeof(place));
    vidmm_check_again(board, subject, finding, again, sizeof(again));
    start(xml, "failure");
    attribute(xml, "type", finding->id);
    attribute(xml, "message", message);
    xmlTextWriterWriteFormatString(xml, "%s\n%s\n%s\n%s\n%s\n", place, finding->operation,
                                   finding->text, finding->record, again);
    xmlTextWriterEndElement(xml);
}

static void write_step(xmlTextWriterPtr xml, const struct vidmm_board *board,
                       const struct vidmm_check_subject *subject, uint32_t step)
{
    const struct vidmm_board_step *of = &board->steps[step];

    start(xml, "testcase");
    attribute(xml, "classname", subject->driver);
    attribute(xml, "name", of->name);
    for (uint32_t i = 0; i < vidmm_board_shown(atomic_load(&board->finding_count)); i++)
        if (atomic_load(&board->findings[i].ready) && board->findings[i].step == step + 1)
            write_failure(xml, board, subject, &board->findings[i]);
    if (of->findings == 0 && of->skipped[0] && of->operations == 0) {
        start(xml, "skipped");
        attribute(xml, "message", of->skipped);
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
}

/* The run as a whole: a reason why it could not go on, findings before the first step. */
static void write_run(xmlTextWriterPtr xml, const struct vidmm_board *board,
                      const struct vidmm_check_subject *subject)
{
    start(xml, "testcase");
    attribute(xml, "classname", subject->driver);
    attribute(xml, "name", "the run");
    for (uint32_t i = 0; i < vidmm_board_shown(atomic_load(&board->finding_count)); i++)
        if (atomic_load(&board->findings[i].ready) && board->findings[i].step == 0)
            write_failure(xml, board, subject, &board->findings[i]);
    if (vidmm_check_status(board) == 2) {
        start(xml, "error");
        attribute(xml, "message", board->problem[0] ? board->problem : "it could not run");
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
}

bool vidmm_report_junit(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        const char *path)
{
    uint32_t steps = atomic_load(&board->step_count), failed = 0, skipped = 0;
    xmlTextWriterPtr xml = xmlNewTextWriterFilename(path, 0);

    if (!xml) {
        errno = errno ? errno : EIO;
        return false;
    }
    for (uint32_t i = 0; i < steps; i++) {
        failed += board->steps[i].findings > 0;
        skipped += board->steps[i].findings == 0 && board->steps[i].skipped[0] &&
                   board->steps[i].operations == 0;
    }
    xmlTextWriterSetIndent(xml, 1);
    xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
    start(xml, "testsuites");
    start(xml, "testsuite");
    attribute(xml, "name", subject->again);
    number(xml, "tests", steps + 1);
    number(xml, "failures", failed);
    number(xml, "errors", vidmm_check_status(board) == 2);
    number(xml, "skipped", skipped);
    write_run(xml, board, subject);
    for (uint32_t i = 0; i < steps; i++)
        write_step(xml, board, subject, i);
    bool done = xmlTextWriterEndDocument(xml) >= 0 && xmlTextWriterFlush(xml) >= 0;
    xmlFreeTextWriter(xml);
    errno = done ? 0 : EIO;
    return done;
}
