/* report_github.c: findings as commands of a GitHub workflow, which mark lines of a change. */
#include "tool/check_reports.h"

#include <string.h>

#include "check/finding.h"
#include "check/places.h"

/* Write a text as a command takes it; `property`: in the part before the two colons. */
static void put(const char *text, bool property, FILE *file)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\n' || *text == '\r' ||
            (property && (*text == ':' || *text == ',')))
            fprintf(file, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, file);
}

static void put_finding(const struct vidmm_board_finding *finding, const char *driver, bool note,
                        FILE *file)
{
    struct vidmm_place place;

    fputs(note ? "::notice " : "::error ", file);
    if (vidmm_place_find(driver, finding->address, &place) && place.file[0]) {
        fputs("file=", file);
        put(place.file, true, file);
        fprintf(file, ",line=%u,", place.line);
    }
    fputs("title=", file);
    put(finding->id, true, file);
    fputs("::", file);
    put(finding->sentence, false, file);
    fputs(": ", file);
    put(finding->text, false, file);
    fputc('\n', file);
}

static void put_list(const struct vidmm_board_finding *list, uint32_t count, const char *driver,
                     bool note, FILE *file)
{
    for (uint32_t i = 0; i < vidmm_board_shown(count); i++)
        if (atomic_load(&list[i].ready))
            put_finding(&list[i], driver, note, file);
}

void vidmm_report_github(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                         FILE *file)
{
    put_list(board->findings, atomic_load(&board->finding_count), subject->driver, false, file);
    put_list(board->notes, atomic_load(&board->note_count), subject->driver, true, file);
}
