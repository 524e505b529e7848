/* check_reports.c: the forms, one after the other. */
#include "tool/check_reports.h"

#include <errno.h>
#include <string.h>

#include "host/exit.h"

/* Quote a word for a shell, if it needs it. */
static void append_word(char *text, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,+%@";
    size_t length = strlen(text);

    if (word[0] && word[strspn(word, plain)] == 0) {
        snprintf(text + length, size - length, " %s", word);
        return;
    }
    snprintf(text + length, size - length, " '");
    for (length = strlen(text); *word && length + 5 < size; word++, length = strlen(text))
        snprintf(text + length, size - length, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(text + length, size - length, "'");
}

static void append_option(char *text, size_t size, const char *option, const char *value)
{
    if (!value)
        return;
    append_word(text, size, option);
    append_word(text, size, value);
}

void vidmm_report_command(const struct vidmm_report_run *run, char *text, size_t size)
{
    char timeout[24];

    snprintf(text, size, "vidmm %s", run->verb);
    for (size_t i = 0; i < run->count; i++)
        append_word(text, size, run->words[i]);
    append_option(text, size, "--config", run->config);
    append_option(text, size, "--plugin", run->plugin);
    snprintf(timeout, sizeof(timeout), "%u", (unsigned)run->timeout);
    append_option(text, size, "--timeout", run->timeout ? timeout : NULL);
}

static int written(bool done, const char *verb, const char *option, const char *path, int status)
{
    fflush(stdout);
    if (done) {
        fprintf(stderr, "vidmm %s: --%s: wrote %s\n", verb, option, path);
        return status;
    }
    fprintf(stderr, "vidmm %s: --%s %s: %s\n", verb, option, path, strerror(errno));
    return VIDMM_COULD_NOT_RUN;
}

int vidmm_reports_write(const struct vidmm_board *board, const char *verb,
                        const struct vidmm_check_subject *subject,
                        const struct vidmm_report_forms *forms)
{
    int status = vidmm_check_status(board);
    bool ran = status != VIDMM_COULD_NOT_RUN;

    if (forms->github && !forms->json)
        vidmm_report_github(board, subject, stdout);
    if (forms->json)
        vidmm_check_report_json(board, subject, stdout);
    else if (ran)
        vidmm_check_report(board, subject, stdout);
    else
        vidmm_check_report_problem(board, verb, subject->driver, stderr);
    if (forms->sarif)
        status = written(vidmm_report_sarif(board, subject, forms->sarif), verb, "sarif",
                         forms->sarif, status);
    if (forms->junit)
        status = written(vidmm_report_junit(board, subject, forms->junit), verb, "junit",
                         forms->junit, status);
    return status;
}
