/* parts.c: what a machine is made of, in the order of making. */
#include "dxcore/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/host.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "contract/contract.h"
#include "dxcore/account.h"
#include "dxcore/foreign.h"
#include "dxcore/own_gpu.h"
#include "miniport/habits.h"
#include "wddm/status.h"

static const LUID luid = {.LowPart = 0x564d4d31, .HighPart = 0};

/* ---- the machine ----------------------------------------------------------------------------- */

static bool make_own(struct vidmm_dxcore_parts *parts, DRIVER_INITIALIZATION_DATA *driver,
                     char *error, size_t size)
{
    parts->own = vidmm_own_gpu_create(&parts->file.gpu, error, size);
    if (parts->own == NULL)
        return false;
    parts->host = vidmm_own_gpu_host(parts->own);
    parts->object = parts;
    parts->facts.wddm = parts->file.gpu.wddm;
    parts->facts.description = "vidmm software GPU";
    vidmm_own_gpu_options(parts->own, &parts->options);
    return vidmm_own_gpu_driver(parts->own, driver);
}

static bool make_foreign(struct vidmm_dxcore_parts *parts, DRIVER_INITIALIZATION_DATA *driver,
                         char *error, size_t size)
{
    const struct vidmm_kit_facts *facts;

    parts->foreign = vidmm_foreign_create(&parts->file, parts->account, error, size);
    if (parts->foreign == NULL)
        return false;
    facts = vidmm_foreign_facts(parts->foreign);
    parts->host = facts->host;
    parts->object = facts->object;
    parts->facts.wddm = (facts->level >> 8) * 10u + (facts->level & 0xFF);
    parts->facts.description = facts->description;
    *driver = *facts->driver;
    vidmm_miniport_adapter_options(&parts->file.configuration, facts->post_device, &parts->options);
    return true;
}

static void write_journal(void *file, const char *text, size_t length)
{
    fwrite(text, 1, length, file);
}

static bool make_tap(struct vidmm_dxcore_parts *parts, const DRIVER_INITIALIZATION_DATA *driver,
                     char *error, size_t size)
{
    void *journal = vidmm_account_journal(parts->account);
    const struct vidmm_tap_config config = {
        .current_irql = parts->host->current_irql,
        .irql_context = parts->host->context,
        .paging_is_not_patched = parts->foreign != NULL && !parts->file.configuration.patch_paging,
        .log = journal != NULL ? write_journal : NULL,
        .log_context = journal};

    parts->tap = vidmm_tap_create(&config, driver);
    if (parts->tap == NULL)
        snprintf(error, size, "no memory for the auditor");
    return parts->tap != NULL;
}

static bool make_machine(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    DRIVER_INITIALIZATION_DATA driver;
    bool made = parts->file.is_miniport ? make_foreign(parts, &driver, error, size)
                                        : make_own(parts, &driver, error, size);

    return made && make_tap(parts, &driver, error, size);
}

/* ---- the adapter ----------------------------------------------------------------------------- */

static bool start(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    struct vidmm_report report = {""};
    struct vidmm_text text;
    char name[64];
    NTSTATUS status;

    parts->options.observer = vidmm_account_observer(parts->account);
    status = vidmm_adapter_start(parts->host, vidmm_tap_driver(parts->tap), parts->object,
                                 &parts->options, &parts->adapter, &report);
    if (status == STATUS_SUCCESS)
        return true;
    parts->adapter = NULL;
    vidmm_text_init(&text, name, sizeof(name));
    vidmm_status_print(&text, status);
    snprintf(error, size, "the adapter does not start: %s: %s", name, report.text);
    return false;
}

static void find_facts(struct vidmm_dxcore_parts *parts)
{
    const struct vidmm_host *host = parts->host;
    struct vidmm_dxcore_adapter *facts = &parts->facts;

    facts->luid = luid;
    facts->adapter = parts->adapter;
    host->read_config(host->context, 0x00, &facts->vendor, sizeof(facts->vendor));
    host->read_config(host->context, 0x02, &facts->device, sizeof(facts->device));
    host->read_config(host->context, 0x08, &facts->revision, sizeof(facts->revision));
    host->read_config(host->context, 0x2C, &facts->subsystem_vendor,
                      sizeof(facts->subsystem_vendor));
    host->read_config(host->context, 0x2E, &facts->subsystem, sizeof(facts->subsystem));
}

static bool make_thunks(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    const struct vidmm_thunk_adapter adapter = {.luid = luid,
                                                .adapter = parts->adapter,
                                                .description = parts->facts.description,
                                                .driver_version = VIDMM_DXCORE_DRIVER_VERSION};

    parts->thunks = vidmm_thunk_machine_create(&adapter, 1);
    if (parts->thunks == NULL || vidmm_dxcore_parts_process(parts, 1, true) == NULL) {
        snprintf(error, size, "no memory for the first process");
        return false;
    }
    vidmm_thunk_machine_carry(parts->thunks);
    return true;
}

/* `vidmm run` wants to be told what the program does. */
static bool begin_account(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    if (!vidmm_account_is_wanted())
        return true;
    parts->account = vidmm_account_create();
    if (parts->account == NULL)
        snprintf(error, size, "what the program does cannot be written down");
    return parts->account != NULL;
}

struct vidmm_dxcore_parts *vidmm_dxcore_parts_create(const char *path, char *error, size_t size)
{
    struct vidmm_dxcore_parts *parts = calloc(1, sizeof(*parts));

    if (parts == NULL || pthread_mutex_init(&parts->mutex, NULL) != 0) {
        snprintf(error, size, "no memory");
        free(parts);
        return NULL;
    }
    if (vidmm_machine_file_read(path, &parts->file, error, size) &&
        begin_account(parts, error, size) && make_machine(parts, error, size) &&
        start(parts, error, size)) {
        find_facts(parts);
        vidmm_account_level(parts->account, parts->facts.wddm);
        if (make_thunks(parts, error, size))
            return parts;
    }
    vidmm_account_refuse(parts->account, error);
    vidmm_dxcore_parts_destroy(parts);
    return NULL;
}

bool vidmm_dxcore_parts_hush(struct vidmm_dxcore_parts *parts)
{
    bool silent = true;

    for (unsigned i = 0; i < VIDMM_DXCORE_PROCESSES; i++)
        if (parts->processes[i].process != NULL)
            silent &= vidmm_thunk_process_hush(parts->processes[i].process);
    return silent;
}

static const char *const thunk_names[VIDMM_THUNKS] = {
#define BUILT(Name, Arguments) #Name,
#define UNBUILT(Name) #Name,
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
};

static void note_missed(const struct vidmm_dxcore_parts *parts,
                        const struct vidmm_thunk_process *process)
{
    for (unsigned i = 0; process != NULL && i < VIDMM_THUNKS; i++)
        vidmm_account_miss(parts->account, thunk_names[i],
                           vidmm_thunk_missed(process, (enum vidmm_thunk)i));
}

static void count(const struct vidmm_dxcore_parts *parts)
{
    if (parts->adapter != NULL)
        vidmm_account_count(parts->account, parts->adapter,
                            parts->own != NULL ? vidmm_own_gpu_device(parts->own) : NULL);
}

void vidmm_dxcore_parts_break_off(struct vidmm_dxcore_parts *parts)
{
    if (parts == NULL)
        return;
    for (unsigned i = 0; i < VIDMM_DXCORE_PROCESSES; i++)
        note_missed(parts, parts->processes[i].process);
    count(parts);
    vidmm_account_break_off(parts->account, parts->tap);
}

void vidmm_dxcore_parts_destroy(struct vidmm_dxcore_parts *parts)
{
    if (parts == NULL)
        return;
    for (unsigned i = 0; i < VIDMM_DXCORE_PROCESSES; i++) {
        note_missed(parts, parts->processes[i].process);
        vidmm_thunk_process_destroy(parts->processes[i].process);
    }
    vidmm_thunk_machine_destroy(parts->thunks);
    count(parts);
    vidmm_adapter_stop(parts->adapter);
    vidmm_foreign_end(parts->foreign);
    vidmm_account_finish(parts->account, parts->tap);
    vidmm_tap_destroy(parts->tap);
    vidmm_own_gpu_destroy(parts->own);
    vidmm_foreign_destroy(parts->foreign);
    vidmm_machine_file_finish(&parts->file);
    pthread_mutex_destroy(&parts->mutex);
    free(parts);
}

struct vidmm_thunk_process *vidmm_dxcore_parts_process(struct vidmm_dxcore_parts *parts,
                                                       uint64_t number, bool wanted)
{
    unsigned place = VIDMM_DXCORE_PROCESSES;

    for (unsigned i = VIDMM_DXCORE_PROCESSES; i-- > 0;)
        if (parts->processes[i].process == NULL)
            place = i;
        else if (parts->processes[i].number == number)
            return parts->processes[i].process;
    if (!wanted || place == VIDMM_DXCORE_PROCESSES)
        return NULL;
    parts->processes[place].number = number;
    parts->processes[place].process = vidmm_thunk_process_create(parts->thunks, number);
    return parts->processes[place].process;
}

struct vidmm_thunk_process *vidmm_dxcore_parts_forget(struct vidmm_dxcore_parts *parts,
                                                      uint64_t number)
{
    struct vidmm_thunk_process *found = NULL;

    pthread_mutex_lock(&parts->mutex);
    for (unsigned i = 1; i < VIDMM_DXCORE_PROCESSES; i++)
        if (parts->processes[i].process != NULL && parts->processes[i].number == number) {
            found = parts->processes[i].process;
            parts->processes[i].process = NULL;
        }
    pthread_mutex_unlock(&parts->mutex);
    return found;
}
