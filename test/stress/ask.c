/* ask.c: questions about all there is, of programs of both levels. They change nothing; the answers
 * that cannot be wrong for a moment are judged.
 */
#include "stress.h"

#include <string.h>

#include <vidmm/caps.h>
#include <vidmm/display.h>
#include <vidmm/fence.h>
#include <vidmm/statistics.h>

enum { CREATE_RESOURCE = 0x1, CREATE_SHARED = 0x2 }; /* D3DKMT_CREATEALLOCATIONFLAGS */

static void ask_segments(struct stress_program *program)
{
    static const struct vidmm_segment_use empty;
    const struct vidmm_adapter *adapter = program->world->adapter;
    uint32_t count = vidmm_adapter_segments(adapter), id = stress_below(program, count + 2);
    uint64_t evicted[VIDMM_PRIORITY_RANKS];
    struct vidmm_allocations_in all, own;
    struct vidmm_segment_use use;

    vidmm_adapter_segment_use(adapter, id, &use);
    vidmm_segment_allocations(adapter, id, &all);
    vidmm_process_allocations(adapter, program->index + 1, id, &own);
    vidmm_segment_evicted(adapter, id, evicted);
    if ((id == 0 || id > count) && memcmp(&use, &empty, sizeof(use)) != 0)
        stress_fail(program->world, "program %u: segment %u, which is none, is used",
                    program->index, id);
}

static void ask_process(struct stress_program *program)
{
    const struct vidmm_adapter *adapter = program->world->adapter;
    uint32_t node = stress_below(program, program->world->weather.nodes + 1);
    struct vidmm_packet_use packets;
    struct vidmm_process_use use;
    struct vidmm_node_use of_node;

    vidmm_adapter_node_use(adapter, node, &of_node);
    vidmm_process_packets(adapter, program->index + 1, node, &packets);
    vidmm_process_use(adapter, program->index + 1 + stress_below(program, 2) * 1000, &use);
}

/* The frames of a process are some of all. */
static void ask_sources(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    uint32_t source = stress_below(program, 20);
    uint64_t own = vidmm_process_frames(adapter, program->index + 1, source);
    uint64_t all = vidmm_source_frames(adapter, source);

    if (own > all)
        stress_fail(program->world, "program %u: %llu frames of source %u, which has shown %llu",
                    program->index, (unsigned long long)own, source, (unsigned long long)all);
    if (source >= STRESS_SOURCES && vidmm_display_shown(adapter, source) != NULL)
        stress_fail(program->world, "program %u: source %u, which is none, shows a primary",
                    program->index, source);
}

static void ask_caps(struct stress_program *program)
{
    struct stress_world *world = program->world;
    struct vidmm_adapter_caps caps;
    struct vidmm_device_ids ids;

    vidmm_adapter_get_caps(world->adapter, &caps);
    if (caps.physical_adapters != world->weather.links ||
        (caps.level >= 0x200) != (world->weather.level >= 20))
        stress_fail(world, "program %u: %u adapters of level 0x%x", program->index,
                    caps.physical_adapters, caps.level);
    if (vidmm_adapter_device_ids(world->adapter, caps.physical_adapters, &ids))
        stress_fail(world, "program %u: an adapter too many has numbers", program->index);
    vidmm_adapter_device_ids(world->adapter, 0, &ids);
    if (stress_chance(program, 5))
        vidmm_adapter_check(world->adapter);
}

static void ask_metadata(struct stress_program *program)
{
    DXGK_NODEMETADATA metadata;

    stress_enter(program, STRESS_NODE_METADATA);
    stress_leave(program, STRESS_NODE_METADATA,
                 vidmm_query_node_metadata(program->world->adapter,
                                           stress_below(program, program->world->weather.nodes),
                                           &metadata, &program->report));
}

static void ask_priorities(struct stress_program *program, const struct stress_target *target)
{
    const struct vidmm_selection selection = {.allocations = target->allocations,
                                              .allocation_count = target->count};
    uint32_t priorities[STRESS_LISTED];

    if (target->count == 0)
        return;
    stress_enter(program, STRESS_GET_PRIORITY);
    stress_leave(program, STRESS_GET_PRIORITY,
                 vidmm_get_priority(&selection, priorities, &program->report));
}

/* Those of a shared resource alone have any. */
static void ask_private_data(struct stress_program *program, const struct stress_target *target)
{
    const struct vidmm_resource *shared =
        program->world->weather.level >= 20 ? program->explicit.shared : NULL;
    bool any = false;

    for (uint32_t i = 0; i < target->count; i++) {
        uint32_t size = 1;
        const void *data = vidmm_allocation_private_data(target->allocations[i], &size);

        any |= data != NULL;
        if ((data == NULL) != (size == 0))
            stress_fail(program->world, "program %u: private data of %u bytes at %p",
                        program->index, size, data);
    }
    if (shared != NULL && !any)
        stress_fail(program->world, "program %u: a shared resource has no private data",
                    program->index);
}

static void ask_creation(struct stress_program *program, const struct stress_target *target)
{
    uint32_t flags = stress_below(program, 4);
    NTSTATUS status;

    stress_enter(program, STRESS_CREATION_CHECK);
    status = vidmm_creation_check(target->device, flags, 1 + stress_below(program, 3),
                                  stress_chance(program, 50), &program->report);
    stress_leave(program, STRESS_CREATION_CHECK, status);
    if ((status == STATUS_SUCCESS) == (flags == CREATE_SHARED))
        stress_fail(program->world, "program %u: a creation with flags 0x%x: 0x%08x: %s",
                    program->index, flags, (unsigned)status, program->report.text);
    stress_enter(program, STRESS_CREATION_CHECK);
    stress_leave(program, STRESS_CREATION_CHECK,
                 vidmm_creation_check(target->device, stress_below(program, UINT32_MAX),
                                      stress_below(program, 3), stress_chance(program, 50),
                                      &program->report));
}

static void ask_device(struct stress_program *program, const struct stress_target *target)
{
    struct vidmm_context_room room = {0, 0};
    struct vidmm_page_fault fault;

    if (target->context != NULL)
        vidmm_context_get_room(target->context, &room);
    if (vidmm_device_page_fault(target->device, &fault))
        stress_fail(program->world, "program %u: its device met a page fault at 0x%llx",
                    program->index, (unsigned long long)fault.address);
    if (target->context != NULL && program->world->weather.level < 20 &&
        (room.command_size == 0 || room.allocations == 0))
        stress_fail(program->world, "program %u: its context has no room", program->index);
}

void stress_ask_all_work(struct stress_program *program)
{
    struct stress_target target;

    stress_enter(program, STRESS_ASK_ALL);
    ask_segments(program);
    ask_process(program);
    ask_sources(program);
    ask_caps(program);
    if (stress_aim(program, &target)) {
        ask_device(program, &target);
        ask_private_data(program, &target);
    } else {
        target.device = NULL;
    }
    stress_leave(program, STRESS_ASK_ALL, STATUS_SUCCESS);
    ask_metadata(program);
    if (target.device == NULL)
        return;
    ask_priorities(program, &target);
    ask_creation(program, &target);
}
