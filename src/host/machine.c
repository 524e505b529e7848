/* machine.c: machines, slots and callers, whatever lets them run. */
#include "host/state.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/page.h>

enum { MISUSE_SIZE = 256 };

static const uint64_t default_memory = UINT64_C(1) << 30;

void vidmm_machine_misuse(struct vidmm_machine *machine, const char *format, ...)
{
    char text[MISUSE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (machine->options.misuse != NULL) {
        machine->options.misuse(machine->options.misuse_argument, text);
        return;
    }
    fprintf(stderr, "machine: misuse: %s\n", text);
#ifndef NDEBUG
    abort();
#endif
}

bool vidmm_slot_level(struct vidmm_slot *slot, uint8_t limit, const char *name)
{
    uint8_t level = slot->host.current_irql(slot);

    if (level <= limit)
        return true;
    vidmm_machine_misuse(slot->machine, "%s at level %u, allowed up to %u", name, level, limit);
    return false;
}

/* Say why there is no machine. */
__attribute__((format(printf, 3, 4))) static bool refuse(char *error, size_t size,
                                                         const char *format, ...)
{
    va_list arguments;

    if (error == NULL || size == 0)
        return false;
    va_start(arguments, format);
    vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return false;
}

static bool check_options(const struct vidmm_machine_options *options, char *error, size_t size)
{
    if ((unsigned)options->kind > VIDMM_MACHINE_SIMULATED)
        return refuse(error, size, "kind %u is not a kind of machine (0 or 1)", options->kind);
    if (options->x64 && options->caches_apart)
        return refuse(error, size,
                      "caches_apart is on, and x64 is on; expected caches_apart off on x64, where "
                      "every GPU sees the processor's caches (S2-026)");
    if ((unsigned)options->poison > VIDMM_POISON_WHOLE)
        return refuse(error, size, "poison %u is unknown (0 to 2)", options->poison);
    if (options->system_memory % VIDMM_PAGE_SIZE != 0)
        return refuse(error, size, "system memory of %llu bytes is not whole pages of %u",
                      (unsigned long long)options->system_memory, VIDMM_PAGE_SIZE);
    if (options->system_memory > VIDMM_MACHINE_SYSTEM_LIMIT)
        return refuse(error, size, "system memory of %llu bytes is more than %llu",
                      (unsigned long long)options->system_memory,
                      (unsigned long long)VIDMM_MACHINE_SYSTEM_LIMIT);
    if (options->agp_aperture % VIDMM_PAGE_SIZE != 0 ||
        options->agp_aperture > VIDMM_MACHINE_AGP_LIMIT)
        return refuse(error, size, "an AGP aperture of %llu bytes is not whole pages, to %llu",
                      (unsigned long long)options->agp_aperture,
                      (unsigned long long)VIDMM_MACHINE_AGP_LIMIT);
    return true;
}

static bool begin_address_space(struct vidmm_machine *machine, char *error, size_t error_size)
{
    uint64_t size = machine->options.system_memory;

    if (!vidmm_physical_init(&machine->physical, size, machine->options.caches_apart))
        return refuse(error, error_size, "system memory of %llu bytes: %s",
                      (unsigned long long)size, strerror(errno));
    if (vidmm_frames_init(&machine->frames, size / VIDMM_PAGE_SIZE, machine->options.ordered_frames,
                          machine->options.seed) &&
        vidmm_agp_init(&machine->agp, machine->options.agp_aperture))
        return true;
    vidmm_physical_finish(&machine->physical);
    return refuse(error, error_size, "no memory for the records of page frames");
}

static bool begin_memory(struct vidmm_machine *machine, char *error, size_t error_size)
{
    uint64_t frames = machine->options.system_memory / VIDMM_PAGE_SIZE;

    machine->cached = calloc((frames + 63) / 64, sizeof(*machine->cached));
    if (machine->cached == NULL)
        return refuse(error, error_size, "no memory for the records of page frames");
    if (!begin_address_space(machine, error, error_size)) {
        free(machine->cached);
        return false;
    }
    pthread_mutex_init(&machine->page_mutex, NULL);
    vidmm_iommu_init(&machine->iommu);
    return true;
}

static void end_memory(struct vidmm_machine *machine)
{
    vidmm_machine_forget_adopted(machine);
    vidmm_iommu_finish(&machine->iommu);
    pthread_mutex_destroy(&machine->page_mutex);
    vidmm_frames_finish(&machine->frames);
    vidmm_agp_finish(&machine->agp);
    vidmm_physical_finish(&machine->physical);
    free(machine->cached);
}

struct vidmm_machine *vidmm_machine_create(const struct vidmm_machine_options *options, char *error,
                                           size_t error_size)
{
    if (!check_options(options, error, error_size))
        return NULL;
    struct vidmm_machine *machine = calloc(1, sizeof(*machine));
    if (machine == NULL) {
        refuse(error, error_size, "no memory for a machine");
        return NULL;
    }
    machine->options = *options;
    if (options->system_memory == 0)
        machine->options.system_memory = default_memory;
    bool simulated = options->kind == VIDMM_MACHINE_SIMULATED;
    machine->calls = simulated ? &vidmm_simulated_calls : &vidmm_threaded_calls;
    if (!begin_memory(machine, error, error_size))
        goto free_machine;
    if (!machine->calls->begin(machine)) {
        refuse(error, error_size, "no memory for the machine's processors");
        goto free_memory;
    }
    return machine;
free_memory:
    end_memory(machine);
free_machine:
    free(machine);
    return NULL;
}

void vidmm_machine_destroy(struct vidmm_machine *machine)
{
    if (machine == NULL)
        return;
    for (unsigned i = 0; i < machine->slot_count; i++) {
        vidmm_slot_unplug(machine->slots[i]);
        machine->calls->end_slot(machine->slots[i]);
        vidmm_isolation_finish(machine->slots[i]);
        free(machine->slots[i]);
    }
    machine->calls->end(machine);
    for (unsigned i = 0; i < machine->caller_count; i++)
        free(machine->callers[i]);
    free(machine->callers);
    end_memory(machine);
    free(machine);
}

struct vidmm_slot *vidmm_machine_add_slot(struct vidmm_machine *machine)
{
    if (machine->slot_count == VIDMM_MACHINE_SLOTS)
        return NULL;
    struct vidmm_slot *slot = calloc(1, sizeof(*slot));
    if (slot == NULL)
        return NULL;
    slot->machine = machine;
    slot->index = machine->slot_count;
    vidmm_slot_fill_tables(slot);
    if (!machine->calls->begin_slot(slot)) {
        free(slot);
        return NULL;
    }
    machine->slots[machine->slot_count++] = slot;
    return slot;
}

const struct vidmm_bus *vidmm_slot_bus(struct vidmm_slot *slot)
{
    return &slot->bus;
}

const struct vidmm_host *vidmm_slot_host(struct vidmm_slot *slot)
{
    return &slot->host;
}

/* Give the BARs of the model's registers their addresses. False: there is no place for one. */
static bool place_registers(struct vidmm_slot *slot)
{
    for (unsigned region = 0; region < VIDMM_BUS_REGIONS; region++) {
        const struct vidmm_register_region *registers = &slot->model.registers[region];
        bool memory =
            !vidmm_physical_is_free(&slot->machine->physical, vidmm_slot_bar(slot, region));

        if (registers->size == 0 || memory)
            continue;
        if (!vidmm_slot_bar_is_free(slot, region) ||
            (!registers->ports && !vidmm_slot_place_bar(slot, region, registers->size)))
            return false;
    }
    return true;
}

bool vidmm_slot_plug(struct vidmm_slot *slot, const struct vidmm_device_model *model)
{
    if (slot->plugged)
        return false;
    slot->model = *model;
    if (!place_registers(slot)) {
        slot->model = (struct vidmm_device_model){0};
        return false;
    }
    slot->plugged = true;
    memset(slot->sizing, 0, sizeof(slot->sizing));
    return true;
}

bool vidmm_slot_asked_memory(const struct vidmm_slot *slot, unsigned region, uint64_t *size)
{
    *size = slot->asked[region].size;
    return slot->asked[region].any;
}

void vidmm_slot_unplug(struct vidmm_slot *slot)
{
    slot->machine->calls->end_engines(slot);
    slot->plugged = false;
    slot->model = (struct vidmm_device_model){0};
    memset(slot->asked, 0, sizeof(slot->asked));
    memset(slot->narrow, 0, sizeof(slot->narrow));
    for (unsigned region = 0; region < VIDMM_BUS_REGIONS; region++) {
        vidmm_physical_remove_view(&slot->machine->physical, vidmm_slot_bar(slot, region));
        vidmm_physical_remove_bar(&slot->machine->physical, vidmm_slot_bar(slot, region));
        vidmm_physical_place_high(&slot->machine->physical, vidmm_slot_bar(slot, region));
    }
}

void vidmm_slot_remap(struct vidmm_slot *slot, uint64_t address, void *bytes, uint64_t size)
{
    atomic_store(&slot->remapped.bytes, NULL);
    slot->remapped.address = address;
    slot->remapped.size = size;
    atomic_store(&slot->remapped.bytes, bytes);
}

bool vidmm_machine_add_caller(struct vidmm_machine *machine, const char *name,
                              enum vidmm_caller_state (*step)(void *argument), void *argument)
{
    unsigned count = machine->caller_count;
    struct vidmm_caller **callers = realloc(machine->callers, (count + 1) * sizeof(*callers));

    if (callers == NULL)
        return false;
    machine->callers = callers;
    struct vidmm_caller *caller = calloc(1, sizeof(*caller));
    if (caller == NULL)
        return false;
    snprintf(caller->name, sizeof(caller->name), "%s", name);
    caller->step = step;
    caller->argument = argument;
    callers[count] = caller;
    if (!machine->calls->begin_caller(machine, count)) {
        free(caller);
        return false;
    }
    machine->caller_count = count + 1;
    return true;
}

/* Name the callers that are blocked, as many as there is room for. */
static void report_blocked(const struct vidmm_machine *machine, char *report, size_t size)
{
    size_t used = 0;

    for (unsigned i = 0; i < machine->caller_count && used < size; i++) {
        const struct vidmm_caller *caller = machine->callers[i];
        if (caller->state == VIDMM_CALLER_DONE)
            continue;
        const char *start =
            used == 0 ? "nothing in the machine can change any more; blocked: " : ", ";
        int length = snprintf(report + used, size - used, "%s%s", start, caller->name);
        used += length > 0 ? (size_t)length : 0;
    }
}

bool vidmm_machine_run(struct vidmm_machine *machine, char *report, size_t report_size)
{
    if (machine->calls->run(machine))
        return true;
    if (report != NULL)
        report_blocked(machine, report, report_size);
    return false;
}

void vidmm_machine_settle(struct vidmm_machine *machine)
{
    machine->calls->settle(machine);
}

void *vidmm_machine_memory(struct vidmm_machine *machine, uint64_t physical_address, uint64_t size)
{
    return vidmm_physical_find(&machine->physical, physical_address, size);
}

/* The request number that is the n-th from now. */
static void fail_at(atomic_uint_fast64_t *fail, atomic_uint_fast64_t *requests, uint64_t n)
{
    atomic_store(fail, n != 0 ? atomic_load(requests) + n : 0);
}

void vidmm_machine_fail_allocation(struct vidmm_machine *machine, uint64_t n)
{
    fail_at(&machine->fail_block, &machine->block_requests, n);
}

void vidmm_machine_fail_pages(struct vidmm_machine *machine, uint64_t n)
{
    fail_at(&machine->fail_page, &machine->page_requests, n);
}

void vidmm_machine_fail_mapping(struct vidmm_machine *machine, uint64_t n)
{
    fail_at(&machine->fail_mapping, &machine->mapping_requests, n);
}

struct vidmm_machine_counts vidmm_machine_counts(struct vidmm_machine *machine)
{
    pthread_mutex_lock(&machine->page_mutex);
    struct vidmm_machine_counts counts = {
        .pages = machine->frames.count - machine->frames.free,
        .mappings = machine->physical.mapping_count,
    };
    pthread_mutex_unlock(&machine->page_mutex);
    counts.blocks = atomic_load(&machine->blocks);
    counts.bytes = atomic_load(&machine->bytes);
    counts.block_requests = atomic_load(&machine->block_requests);
    counts.page_requests = atomic_load(&machine->page_requests);
    counts.mapping_requests = atomic_load(&machine->mapping_requests);
    counts.steps = machine->calls->steps(machine);
    return counts;
}
