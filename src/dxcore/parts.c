/* parts.c: what a machine is made of, in the order of making. */
#include "dxcore/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "contract/contract.h"
#include "dxcore/account.h"
#include "host/machine.h"
#include "host/posix_file.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "wddm/status.h"

#define FILE_MOST 65536u /* bytes of a machine's file */
#define SYSTEM_MEMORY (UINT64_C(8) << 30)
#define FENCE_TIMEOUT_MS 10000u /* a software GPU under a sanitizer is slow */

/* The GPU by default: of WDDM 2.6, with page tables. */
static const char default_gpu[] = "wddm 2.6\n"
                                  "mmu gpu\n"
                                  "segment 1 aperture 1G\n"
                                  "segment 2 memory 256M cpuvisible\n";

static const LUID luid = {.LowPart = 0x564d4d31, .HighPart = 0};

static bool read_config(struct softgpu_config *config, const char *path, char *error, size_t size)
{
    char why[200] = "";
    size_t length;
    char *text;
    bool right;

    *config = softgpu_config_default();
    if (path == NULL || path[0] == '\0')
        return softgpu_config_parse(default_gpu, config, error, size);
    text = vidmm_file_read(path, FILE_MOST, &length, error, size);
    if (text == NULL)
        return false;
    right = strlen(text) == length && softgpu_config_parse(text, config, why, sizeof(why));
    if (!right)
        snprintf(error, size, "%s: %s", path,
                 why[0] != '\0' ? why : "a byte of 0 in it; a machine is described by text");
    free(text);
    return right;
}

static void note_misuse(void *argument, const char *text)
{
    (void)argument;
    fprintf(stderr, "libdxcore: %s\n", text);
}

static bool make_machine(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    const struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_THREADED,
        .visitors = true,
        .system_memory = SYSTEM_MEMORY,
        .poison = VIDMM_POISON_HEAD,
        .misuse = note_misuse,
    };
    struct vidmm_device_model model;

    parts->machine = vidmm_machine_create(&options, error, size);
    if (parts->machine == NULL)
        return false;
    parts->slot = vidmm_machine_add_slot(parts->machine);
    if (parts->slot == NULL) {
        snprintf(error, size, "no memory for a slot");
        return false;
    }
    parts->gpu =
        softgpu_device_create(vidmm_slot_bus(parts->slot), &parts->config, &model, error, size);
    if (parts->gpu == NULL)
        return false;
    parts->plugged = vidmm_slot_plug(parts->slot, &model);
    if (!parts->plugged)
        snprintf(error, size, "the slot is taken");
    return parts->plugged;
}

static void write_journal(void *file, const char *text, size_t length)
{
    fwrite(text, 1, length, file);
}

static bool make_tap(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    const struct vidmm_host *host = vidmm_slot_host(parts->slot);
    void *journal = vidmm_account_journal(parts->account);
    const struct vidmm_tap_config config = {.current_irql = host->current_irql,
                                            .irql_context = host->context,
                                            .log = journal != NULL ? write_journal : NULL,
                                            .log_context = journal};
    DRIVER_INITIALIZATION_DATA driver;

    memset(&driver, 0, sizeof(driver));
    if (softgpu_driver_entry(softgpu_driver_version(parts->config.wddm), &driver) == STATUS_SUCCESS)
        parts->tap = vidmm_tap_create(&config, &driver);
    if (parts->tap == NULL)
        snprintf(error, size, "no memory for the auditor");
    return parts->tap != NULL;
}

/* For D-092. */
static bool wrote(void *gpu, const struct vidmm_gpu_write *question)
{
    return softgpu_device_wrote(gpu, question->node, question->fence, question->segment,
                                question->offset, question->size);
}

static bool start(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    struct vidmm_report report = {""};
    struct vidmm_adapter_options options;
    struct vidmm_text text;
    char name[64];
    NTSTATUS status;

    vidmm_adapter_options_default(&options);
    options.timeout_ms = FENCE_TIMEOUT_MS;
    options.poison = true;
    options.observer = vidmm_account_observer(parts->account);
    options.driver_reason = softgpu_device_reason;
    options.driver_reason_context = parts->gpu;
    options.gpu_wrote = wrote;
    options.gpu_wrote_context = parts->gpu;
    softgpu_device_watch(parts->gpu);
    status = vidmm_adapter_start(vidmm_slot_host(parts->slot), vidmm_tap_driver(parts->tap), parts,
                                 &options, &parts->adapter, &report);
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
    const struct vidmm_host *host = vidmm_slot_host(parts->slot);
    struct vidmm_dxcore_adapter *facts = &parts->facts;

    *facts = (struct vidmm_dxcore_adapter){.luid = luid,
                                           .adapter = parts->adapter,
                                           .wddm = parts->config.wddm,
                                           .description = "vidmm software GPU"};
    host->read_config(host->context, 0x00, &facts->vendor, sizeof(facts->vendor));
    host->read_config(host->context, 0x02, &facts->device, sizeof(facts->device));
    host->read_config(host->context, 0x08, &facts->revision, sizeof(facts->revision));
    host->read_config(host->context, 0x2C, &facts->subsystem_vendor,
                      sizeof(facts->subsystem_vendor));
    host->read_config(host->context, 0x2E, &facts->subsystem, sizeof(facts->subsystem));
}

static bool make_thunks(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    const struct vidmm_thunk_adapter adapter = {luid, parts->adapter};

    parts->thunks = vidmm_thunk_machine_create(&adapter, 1);
    if (parts->thunks == NULL || vidmm_dxcore_parts_process(parts, 1, true) == NULL) {
        snprintf(error, size, "no memory for the first process");
        return false;
    }
    return true;
}

/* `vidmm run` wants to be told what the program does. */
static bool begin_account(struct vidmm_dxcore_parts *parts, char *error, size_t size)
{
    if (!vidmm_account_is_wanted())
        return true;
    parts->account = vidmm_account_create(&parts->config);
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
    if (read_config(&parts->config, path, error, size) && begin_account(parts, error, size) &&
        make_machine(parts, error, size) && make_tap(parts, error, size) &&
        start(parts, error, size)) {
        find_facts(parts);
        if (make_thunks(parts, error, size))
            return parts;
    }
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

void vidmm_dxcore_parts_destroy(struct vidmm_dxcore_parts *parts)
{
    if (parts == NULL)
        return;
    for (unsigned i = 0; i < VIDMM_DXCORE_PROCESSES; i++) {
        note_missed(parts, parts->processes[i].process);
        vidmm_thunk_process_destroy(parts->processes[i].process);
    }
    vidmm_thunk_machine_destroy(parts->thunks);
    if (parts->adapter != NULL)
        vidmm_account_count(parts->account, parts->adapter, parts->gpu);
    vidmm_adapter_stop(parts->adapter);
    if (parts->plugged)
        vidmm_slot_unplug(parts->slot);
    softgpu_device_destroy(parts->gpu);
    vidmm_account_finish(parts->account, parts->tap);
    vidmm_tap_destroy(parts->tap);
    vidmm_machine_destroy(parts->machine);
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
