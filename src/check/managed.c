/* managed.c: a driver with page tables under the real manager, from the start to the stop.
 *
 *      sequences --> manager --> auditor's tap --> between() --> shim --> driver
 *
 * The rig's tests ask one operation at a time. Here the manager decides: a process comes,
 * allocations get addresses, go and come back, commands name them, all of it goes again. An
 * answer of the driver's that the manager refuses, as Windows does, is a finding with the manager's
 * sentence, which names the rule.
 */
#include "check/managed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/board.h"
#include "miniport/configuration.h"
#include "check/host.h"
#include "miniport/plugged.h"
#include "check/rig.h"
#include "check/shim.h"
#include "check/user.h"
#include "contract/contract.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "wddm/rule.h"

#define PAGE VIDMM_PAGE_SIZE
#define PAGES 16u /* of an allocation */
#define SIZE (PAGES * PAGE)
#define COMMANDS 4096u

/* An allocation with its addresses; bytes: of the program's memory below it, or NULL. */
struct thing {
    struct vidmm_allocation *handle;
    uint64_t address;
    uint8_t *bytes;
};

struct managed {
    struct vidmm_check_host *host;
    struct vidmm_board *board;
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_tap *tap;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_context *context;
    struct vidmm_paging_queue *queue;
    struct vidmm_user user;
    struct thing commands, there, back, memory;
    uint8_t *block;
    uint32_t apertures, named; /* segments: those that are apertures; of the newest allocation */
    struct vidmm_report report;
};

static struct managed *the_managed; /* calls of the driver name nobody */

/* ---- between --------------------------------------------------------------------------------- */

static void find_rule(enum vidmm_rule_id id, const char *seen)
{
    const struct vidmm_rule *rule = vidmm_rule(id);

    struct vidmm_text text;
    char name[16];

    vidmm_text_init(&text, name, sizeof(name));
    vidmm_rule_print_id(&text, id);
    vidmm_board_judge(the_managed->board, vidmm_board_missing(), name, rule->sentence, rule->source,
                      "", seen);
}

static NTSTATUS note_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status = the_managed->host->table->DxgkDdiCreateAllocation(adapter, arguments);

    if (status == STATUS_SUCCESS && arguments->NumAllocations == 1)
        the_managed->named = arguments->pAllocationInfo->SupportedWriteSegmentSet;
    return status;
}

/* obeys W-014: these two may come for a process that has gone and a root that nothing uses */
static NTSTATUS between(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    bool flush = arguments->Operation == DXGK_OPERATION_FLUSH_TLB;
    NTSTATUS status = the_managed->host->table->DxgkDdiBuildPagingBuffer(adapter, arguments);
    char seen[200];

    if (status == STATUS_SUCCESS || status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER ||
        (!flush && arguments->Operation != DXGK_OPERATION_UPDATE_PAGE_TABLE))
        return status;
    snprintf(seen, sizeof(seen), "%s was answered with %s. Windows: bug check 0x10E, 0xB",
             flush ? "FlushTlb" : "UpdatePageTable", vidmm_rig_status(status));
    find_rule(VIDMM_RULE_W_014, seen);
    return status;
}

/* ---- what was refused ------------------------------------------------------------------------ */

/* This version of the manager cannot do it: that is no finding. */
static bool is_ours(NTSTATUS status)
{
    return status == STATUS_NOT_SUPPORTED || status == STATUS_NO_MEMORY || status == STATUS_TIMEOUT;
}

static bool succeeds(struct managed *managed, NTSTATUS status)
{
    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        return true;
    if (is_ours(status))
        vidmm_board_skip(managed->board, "%s", managed->report.text);
    else
        vidmm_check_find(managed->board, VIDMM_CHECK_STUCK, "", "%s: %s", vidmm_rig_status(status),
                         managed->report.text);
    return false;
}

/* ---- start ----------------------------------------------------------------------------------- */

static bool make_tap(struct managed *managed)
{
    const struct vidmm_tap_config config = {
        .current_irql = managed->host->miniport.host->current_irql,
        .irql_context = managed->host->miniport.host->context,
        .paging_is_not_patched = true,
    };

    managed->driver = *managed->host->table;
    managed->driver.DxgkDdiBuildPagingBuffer = between;
    managed->driver.DxgkDdiCreateAllocation = note_allocation;
    managed->tap = vidmm_tap_create(&config, &managed->driver);
    return managed->tap || vidmm_board_problem(managed->board, "no memory for the auditor");
}

static bool start(struct managed *managed)
{
    const struct vidmm_miniport_configuration *habits = managed->host->miniport.configuration;
    struct vidmm_adapter_options options;
    uint32_t sources, children;
    NTSTATUS status;

    vidmm_adapter_options_default(&options);
    options.queue_limit = habits->queue_limit;
    options.timeout_ms = habits->fence_timeout_ms;
    options.post_device = vidmm_kit_is_post_device();
    options.poison = true;
    status = vidmm_adapter_start(managed->host->miniport.host, vidmm_tap_driver(managed->tap),
                                 vidmm_kit_device(), &options, &managed->adapter, &managed->report);
    if (status != STATUS_SUCCESS) {
        managed->adapter = NULL;
        if (is_ours(status))
            vidmm_board_skip(managed->board, "%s", managed->report.text);
        else
            vidmm_check_find(managed->board, VIDMM_CHECK_START, "", "%s", managed->report.text);
        return false;
    }
    managed->user = (struct vidmm_user){
        .driver = managed->host->table, .plugin = managed->host->miniport.plugin, .habits = habits};
    vidmm_shim_started(&managed->user.adapter, &sources, &children);
    return true;
}

static bool make_device(struct managed *managed)
{
    NTSTATUS status = vidmm_device_create(managed->adapter, 1, &managed->device, &managed->report);

    if (status == STATUS_SUCCESS)
        status = vidmm_paging_queue_create(managed->device, VIDMM_PAGING_QUEUE_NORMAL,
                                           &managed->queue, &managed->report);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_context_create(managed->device, 0, NULL, 0, &managed->context, &managed->report);
    return succeeds(managed, status);
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* Has the manager refused what the driver described, and not the driver what it was given? Its
 * sentence names the rule then. */
static bool names_rule(const struct vidmm_report *report)
{
    const char *at = strchr(report->text, '-');

    for (; at; at = strchr(at + 1, '-'))
        if (at > report->text &&
            (at[-1] == 'W' || at[-1] == 'D' || (at[-1] >= '0' && at[-1] <= '4')) && at[1] >= '0' &&
            at[1] <= '9')
            return true;
    return false;
}

typedef NTSTATUS (*create)(struct managed *managed, struct thing *thing, const uint8_t *data,
                           uint32_t size);

static NTSTATUS create_plain(struct managed *managed, struct thing *thing, const uint8_t *data,
                             uint32_t size)
{
    if (thing->bytes)
        return vidmm_allocation_create_over(managed->device, data, size, thing->bytes, SIZE,
                                            &thing->handle, &managed->report);
    return vidmm_allocation_create(managed->device, data, size, &thing->handle, &managed->report);
}

/* As a resource that other processes may open, which goes at once. */
static NTSTATUS create_shared(struct managed *managed, struct thing *thing, const uint8_t *data,
                              uint32_t size)
{
    const struct vidmm_description description = {.private_data = data,
                                                  .private_data_size = size,
                                                  .vidpn_source = VIDMM_NO_SOURCE,
                                                  .address = thing->bytes,
                                                  .size = thing->bytes ? SIZE : 0};
    struct vidmm_allocation *allocation;
    const struct vidmm_resource_options options = {.shared = true};
    struct vidmm_resource *resource = NULL;
    NTSTATUS status = vidmm_resource_create(managed->device, &options, &description, 1, &resource,
                                            &allocation, &managed->report);

    if (status == STATUS_SUCCESS)
        vidmm_resource_destroy(resource);
    return status;
}

/* By the first private data that the driver takes. False: there is none, or the manager refuses
 * what the driver answers. */
static bool make(struct managed *managed, struct thing *thing, create how, const char *what)
{
    const struct vidmm_plugin_wish wish = {SIZE, 0, thing->bytes != NULL};

    vidmm_board_operation(managed->board, "%s", what);
    for (enum vidmm_user_source source = VIDMM_USER_PLUGIN; source < VIDMM_USER_SOURCES; source++) {
        uint8_t data[VIDMM_USER_PRIVATE];
        uint32_t size = 0;
        NTSTATUS status;

        if (!vidmm_user_describe(&managed->user, source, &wish, data, &size))
            continue;
        status = how(managed, thing, data, size);
        if (status == STATUS_SUCCESS)
            return true;
        if (vidmm_adapter_condition(managed->adapter, &managed->report) != STATUS_SUCCESS ||
            (!is_ours(status) && names_rule(&managed->report))) {
            vidmm_check_find(managed->board, VIDMM_CHECK_ALLOCATION, "", "%s: %s", what,
                             managed->report.text);
            return false;
        }
    }
    vidmm_board_skip(managed->board, "%s: the driver takes no private data that was tried", what);
    return false;
}

static bool map(struct managed *managed, struct thing *thing, uint32_t access)
{
    const struct vidmm_address_request request = {.size = vidmm_allocation_size(thing->handle)};
    const struct vidmm_address_use use = {
        .state = VIDMM_ADDRESSES_MAPPED, .access = access, .allocation = thing->handle};

    return succeeds(managed, vidmm_map_addresses(managed->queue, &request, &use, &thing->address,
                                                 NULL, &managed->report));
}

static bool make_resident(struct managed *managed, const struct thing *thing)
{
    struct vidmm_residency_result result;
    NTSTATUS status =
        vidmm_make_resident(managed->queue, &thing->handle, 1, 0, &result, &managed->report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(managed->queue, result.value, &managed->report);
    if (status == STATUS_SUCCESS)
        status = vidmm_paging_queue_failure(managed->queue);
    return succeeds(managed, status);
}

static bool evict(struct managed *managed, const struct thing *thing)
{
    return succeeds(managed,
                    vidmm_evict(managed->device, &thing->handle, 1, 0, NULL, &managed->report));
}

/* Memory of the program, three times as much as an allocation. */
static bool take_block(struct managed *managed)
{
    uintptr_t first;

    managed->block = calloc(1, 3 * SIZE + PAGE);
    if (!managed->block)
        return vidmm_board_problem(managed->board, "no memory");
    first = ((uintptr_t)managed->block + PAGE - 1) / PAGE * PAGE;
    managed->commands.bytes = (uint8_t *)first;
    managed->there.bytes = managed->commands.bytes + SIZE;
    managed->back.bytes = managed->there.bytes + SIZE;
    return true;
}

/* The GPU sees the program's own memory only if it is behind an aperture; from a memory segment it
 * would have to come back first. */
static bool make_visible(struct managed *managed, struct thing *thing, uint32_t access)
{
    if (!make(managed, thing, create_plain, "an allocation over memory of the program"))
        return false;
    if (managed->named & ~managed->apertures) {
        vidmm_board_skip(managed->board, "an allocation over memory of the program may live in a "
                                         "memory segment: no bytes are looked at");
        return false;
    }
    return map(managed, thing, access) && make_resident(managed, thing);
}

/* ---- work ------------------------------------------------------------------------------------ */

/* Submit a copy and wait for it. */
static bool copy(struct managed *managed, const struct thing *to, const struct thing *from)
{
    uint8_t *commands = managed->commands.bytes;
    struct vidmm_command command = {.address = managed->commands.address};
    uint64_t value;
    NTSTATUS status;

    memset(commands, 0, COMMANDS);
    command.length = vidmm_plugged_copy(managed->host->miniport.plugin, to->address, from->address,
                                        SIZE, commands, COMMANDS);
    if (command.length == 0)
        return vidmm_board_problem(managed->board,
                                   "the plug-in failed: copy answers 0 for %u bytes "
                                   "of commands",
                                   COMMANDS);
    status = vidmm_submit_command(managed->context, &command, true, &value, &managed->report);
    if (status != STATUS_SUCCESS)
        return succeeds(managed, status);
    status = vidmm_context_wait(managed->context, value);
    if (status != STATUS_SUCCESS) /* the device knows why it was given up */
        vidmm_device_condition(managed->device, &managed->report);
    return succeeds(managed, status);
}

static void fill(uint8_t *bytes, uint32_t seed)
{
    for (uint32_t i = 0; i < SIZE; i += sizeof(seed)) {
        seed = seed * 1664525 + 1013904223;
        memcpy(bytes + i, &seed, sizeof(seed));
    }
}

static void compare(struct managed *managed, const char *what)
{
    const uint8_t *there = managed->there.bytes, *back = managed->back.bytes;
    uint32_t at = 0;

    vidmm_board_step(managed->board)->bytes += SIZE;
    while (at < SIZE && there[at] == back[at])
        at++;
    if (at < SIZE)
        vidmm_check_find(managed->board, VIDMM_CHECK_CONTENT, "",
                         "%s: byte 0x%x of 0x%x is 0x%02x and not 0x%02x", what, at, SIZE, back[at],
                         there[at]);
}

/* Known bytes into the allocation; it goes and comes back; they are fetched again. */
static void page_out_and_in(struct managed *managed, uint32_t seed)
{
    fill(managed->there.bytes, seed);
    memset(managed->back.bytes, 0, SIZE);
    if (!copy(managed, &managed->memory, &managed->there) || !evict(managed, &managed->memory) ||
        !make_resident(managed, &managed->memory) ||
        !copy(managed, &managed->back, &managed->memory))
        return;
    compare(managed, "copied there by the GPU, evicted, made resident, copied back");
}

static void run(struct managed *managed)
{
    vidmm_board_begin(managed->board, "under the manager: start");
    if (!managed->host->miniport.plugin || !managed->host->miniport.plugin->copy) {
        vidmm_board_skip(managed->board, "commands are the program's: give a --plugin with `copy`; "
                                         "--start shows the start alone");
        return;
    }
    if (!start(managed))
        return;
    vidmm_board_begin(managed->board, "under the manager: process, device, context");
    if (!make_device(managed) || !take_block(managed))
        return;
    vidmm_board_begin(managed->board, "under the manager: allocations");
    if (!make(managed, &managed->memory, create_plain, "an allocation") ||
        !map(managed, &managed->memory, VIDMM_ADDRESSES_WRITE) ||
        !make_resident(managed, &managed->memory))
        return;
    make(managed, &managed->there, create_shared, "a shared allocation that the CPU sees");
    if (!make_visible(managed, &managed->there, 0) ||
        !make_visible(managed, &managed->back, VIDMM_ADDRESSES_WRITE) ||
        !make_visible(managed, &managed->commands, VIDMM_ADDRESSES_EXECUTE))
        return;
    vidmm_board_begin(managed->board, "under the manager: out and in, by commands");
    for (uint32_t seed = 1; seed <= 3; seed++)
        page_out_and_in(managed, seed);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void take_apart(struct managed *managed)
{
    struct thing *const things[] = {&managed->memory, &managed->there, &managed->back,
                                    &managed->commands};

    vidmm_board_begin(managed->board, "under the manager: stop");
    for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++)
        vidmm_allocation_destroy(things[i]->handle);
    vidmm_context_destroy(managed->context);
    vidmm_paging_queue_destroy(managed->queue);
    vidmm_device_destroy(managed->device);
}

/* Breaches that the manager let pass, and those that the auditor saw; of the driver alone. */
static void judge(struct managed *managed)
{
    struct vidmm_finding finding;
    struct vidmm_violation violation;
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(managed->adapter, &statistics);
    vidmm_board_fact(managed->board, "under the manager: %s, %s",
                     vidmm_counted(statistics.page_ins, "page-in").text,
                     vidmm_counted(statistics.evictions, "eviction").text);
    vidmm_board_step(managed->board)->operations += statistics.paging_operations;
    for (uint32_t i = 0; vidmm_adapter_finding(managed->adapter, i, &finding); i++)
        (finding.warning ? vidmm_board_note : vidmm_board_find)(managed->board, finding.rule,
                                                                finding.first, "", "", "");
    for (size_t i = 0; vidmm_tap_violation(managed->tap, i, &violation); i++)
        if (vidmm_rule(violation.rule)->party == VIDMM_PARTY_KMD)
            find_rule(violation.rule, violation.detail);
}

static void judge_condition(struct managed *managed)
{
    if (vidmm_adapter_condition(managed->adapter, &managed->report) != STATUS_SUCCESS)
        vidmm_check_find(managed->board, VIDMM_CHECK_STUCK, "", "%s", managed->report.text);
}

void vidmm_check_managed(struct vidmm_check_host *host, uint32_t apertures)
{
    struct managed *managed = calloc(1, sizeof(*managed));

    if (!managed) {
        vidmm_board_problem(host->board, "no memory");
        return;
    }
    the_managed = managed;
    managed->host = host;
    managed->apertures = apertures;
    managed->board = host->board;
    if (make_tap(managed)) {
        run(managed);
        if (managed->adapter)
            judge_condition(managed);
        take_apart(managed);
        if (managed->adapter)
            judge(managed);
        vidmm_adapter_stop(managed->adapter);
    }
    vidmm_tap_destroy(managed->tap);
    free(managed->block);
    free(managed);
}
