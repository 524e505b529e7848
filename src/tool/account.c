/* account.c: lines `key number` and `key text`, then the auditor's report. */
#include "tool/account.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "host/exit.h"
#include "host/posix_file.h"
#include "tool/summary.h"
#include "trace/heap.h"
#include "trace/recording.h"

#define ACCOUNT_MOST (64u << 20)

#define AT(Member) offsetof(struct vidmm_process_account, Member)

static const struct number {
    const char *key;
    size_t at;
} numbers[] = {
    {"submissions", AT(result.programs[0].submissions)},
    {"frames", AT(result.programs[0].frames)},
    {"allocations", AT(result.programs[0].allocations)},
    {"memory_bytes", AT(result.memory_bytes)},
    {"aperture_bytes", AT(result.aperture_bytes)},
    {"bytes_in", AT(result.manager.bytes_in)},
    {"bytes_out", AT(result.manager.bytes_out)},
    {"bytes_filled", AT(result.manager.bytes_filled)},
    {"bytes_discarded", AT(result.manager.bytes_discarded)},
    {"bytes_decommitted", AT(result.manager.bytes_decommitted)},
    {"page_ins", AT(result.manager.page_ins)},
    {"evictions", AT(result.manager.evictions)},
    {"compactions", AT(result.manager.compactions)},
    {"paging_operations", AT(result.manager.paging_operations)},
    {"paging_buffers", AT(result.manager.paging_buffers)},
    {"findings", AT(result.manager.findings)},
    {"resident_most", AT(result.manager.resident_most)},
    {"table_bytes_most", AT(result.manager.table_bytes_most)},
    {"paging_table_bytes", AT(result.manager.paging_table_bytes)},
    {"table_evictions", AT(result.manager.table_evictions)},
    {"bytes_again", AT(result.again.bytes_again)},
    {"frames_held", AT(result.again.frames_held)},
    {"checks", AT(result.checks)},
    {"content_sum", AT(result.content_sum)},
    {"content_pages", AT(result.device.content_pages)},
    {"mismatches", AT(result.mismatches)},
    {"faults", AT(result.device.faults)},
    {"page_faults", AT(page_faults)},
    {"inside", AT(inside)},
    {"mistakes", AT(mistakes)},
    {"wddm", AT(wddm)},
    {"violations", AT(result.violations)},
};

static const struct text {
    const char *key;
    size_t at, size;
} texts[] = {
    {"app", AT(result.programs[0].app), sizeof(((struct vidmm_run_program *)0)->app)},
    {"problem", AT(result.problem), sizeof(((struct vidmm_run_result *)0)->problem)},
    {"mismatch", AT(result.mismatch), sizeof(((struct vidmm_run_result *)0)->mismatch)},
    {"fault", AT(result.device.fault), SOFTGPU_TEXT},
    {"refused", AT(refused), sizeof(((struct vidmm_process_account *)0)->refused)},
    {"fell", AT(fell), sizeof(((struct vidmm_process_account *)0)->fell)},
};

/* Add a line to lines. */
static void append(char **lines, const char *line)
{
    char *more = NULL;

    if (asprintf(&more, "%s%s\n", *lines != NULL ? *lines : "", line) < 0)
        return;
    free(*lines);
    *lines = more;
}

static void take_line(struct vidmm_process_account *account, const char *key, const char *value)
{
    char *base = (char *)account;

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strcmp(numbers[i].key, key) == 0)
            *(uint64_t *)(void *)(base + numbers[i].at) = strtoull(value, NULL, 10);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (strcmp(texts[i].key, key) == 0)
            snprintf(base + texts[i].at, texts[i].size, "%s", value);
    if (strcmp(key, "wall_ns") == 0)
        account->result.wall_s = (double)strtoull(value, NULL, 10) / 1e9;
    else if (strcmp(key, "finding") == 0)
        append(&account->result.findings, value);
    else if (strcmp(key, "missed") == 0)
        append(&account->missed, value);
}

static void read_account(struct vidmm_process_account *account, char *text)
{
    while (*text != '\0' && !account->whole) {
        char *end = strchr(text, '\n'), *space;

        if (end == NULL)
            return;
        *end = '\0';
        space = strchr(text, ' ');
        if (space != NULL) {
            *space = '\0';
            take_line(account, text, space + 1);
        } else
            account->whole = strcmp(text, "end") == 0;
        text = end + 1;
    }
    if (*text != '\0')
        account->result.violation_report = strdup(text);
}

/* The sizes of what the program had, from its recording. */
static void measure(struct vidmm_process_account *account, const char *folder)
{
    char raw[PATH_MAX], path[PATH_MAX], error[400];
    struct vidmm_trace_error why;
    struct vidmm_recording *recording;
    struct vidmm_trace *trace = NULL;

    snprintf(raw, sizeof(raw), "%.3000s/%ld.raw", folder, account->pid);
    snprintf(path, sizeof(path), "%.3000s/%ld.vmt.gz", folder, account->pid);
    recording = vidmm_recording_read(raw, error, sizeof(error));
    if (recording != NULL &&
        vidmm_recording_write(recording, VIDMM_BY_ALLOCATION, NULL, 0, path, error, sizeof(error)))
        trace = vidmm_trace_read(&vidmm_heap, path, &why);
    if (trace != NULL) {
        vidmm_trace_measure(trace, &account->result.programs[0].trace);
        account->result.programs[0].frames = account->result.programs[0].trace.frames;
    }
    vidmm_trace_destroy(trace);
    vidmm_recording_destroy(recording);
}

static int by_submissions(const void *a, const void *b)
{
    uint64_t one = ((const struct vidmm_process_account *)a)->result.programs[0].submissions;
    uint64_t other = ((const struct vidmm_process_account *)b)->result.programs[0].submissions;

    return (one < other) - (one > other);
}

void vidmm_accounts_read(const char *folder, struct vidmm_accounts *accounts)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    memset(accounts, 0, sizeof(*accounts));
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        struct vidmm_process_account *account = &accounts->account[accounts->count];
        char path[PATH_MAX], *text;
        size_t size;

        if (strstr(entry->d_name, ".account") == NULL)
            continue;
        if (accounts->count == VIDMM_ACCOUNTS) {
            accounts->left_out++;
            continue;
        }
        snprintf(path, sizeof(path), "%.3000s/%s", folder, entry->d_name);
        text = vidmm_file_read(path, ACCOUNT_MOST, &size, NULL, 0);
        if (text == NULL)
            continue;
        account->pid = strtol(entry->d_name, NULL, 10);
        account->result.program_count = 1;
        read_account(account, text);
        free(text);
        measure(account, folder);
        accounts->count++;
    }
    if (entries != NULL)
        closedir(entries);
    qsort(accounts->account, accounts->count, sizeof(accounts->account[0]), by_submissions);
}

void vidmm_accounts_finish(struct vidmm_accounts *accounts)
{
    for (unsigned i = 0; i < accounts->count; i++) {
        vidmm_run_result_finish(&accounts->account[i].result);
        free(accounts->account[i].missed);
    }
}

int vidmm_account_print(const struct vidmm_process_account *account, FILE *file)
{
    const struct vidmm_run_result *result = &account->result;

    if (account->refused[0] != '\0') {
        fprintf(file, "process %ld had no machine: %s\n", account->pid, account->refused);
        return VIDMM_COULD_NOT_RUN;
    }
    if (account->fell[0] != '\0') {
        fprintf(file, "process %ld: %s\n", account->pid, account->fell);
        return VIDMM_FINDINGS;
    }
    if (!account->whole) {
        fprintf(file,
                "process %ld: ended before its machine was taken apart (SIGKILL, a "
                "second signal, another program in its place, or it took more than five seconds): "
                "there is no summary\n",
                account->pid);
        return VIDMM_FINDINGS;
    }
    if (result->problem[0] != '\0')
        fprintf(file, "%s\n", result->problem);
    vidmm_summary_print(result, file);
    if (account->inside != 0)
        fprintf(file, "a thread was inside a call when the process ended: what it left in the "
                      "machine is not judged\n");
    if (account->page_faults != 0)
        fprintf(file, "%s of the GPU\n", vidmm_counted(account->page_faults, "page fault").text);
    if (account->missed != NULL)
        fprintf(file, "functions that are not built, and how often they were called:\n%s",
                account->missed);
    if (account->mistakes != 0)
        fprintf(file, "%s of the driver, found by the kit\n",
                vidmm_counted(account->mistakes, "mistake").text);
    return account->page_faults != 0 || account->mistakes != 0 ? VIDMM_FINDINGS
                                                               : vidmm_summary_status(result);
}
