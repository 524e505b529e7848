/*
 * Theory. An engine is a ring and a position. The driver counts packets given, the step counts
 * packets done; the ring is between them. A step is one command, so that engines interleave.
 *
 *            given == done, nothing asked
 *     IDLE <-------------------------------.
 *      |  packet                           |
 *      v                                   |
 *    RUNNING --- a command a step --> complete: done + 1, fence, interrupt
 *
 * A preemption is looked at between packets, and while a command waits for a fence: packets up to
 * the one it was asked at are thrown away, the one that was begun, too. The registers say with the
 * answer, before the interrupt, whose packet that is and how far it has come. Packets that are
 * parts of one submission are run to its end: a part that has been executed does not come again.
 *
 * Invariants:
 *   E1  only the thread whose turn it is (`stepping`) touches what is not atomic: the engine's own
 *       in its step, the driver's in a doorbell that waits, and in a reset
 *   E2  time stamps are written before completed; completed and preempted are written before the
 *       interrupt bit, and that before the interrupt
 *   E3  while `stopped` is set a step does nothing; a reset has waited for those that had begun
 */
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/broken.h"
#include "softgpu/device_private.h"

#define PREEMPT_ASKED ((uint64_t)1 << 32)
#define LATE_STEPS 3u /* idle steps until a late interrupt comes */

static struct softgpu_engine_register *registers_of(const struct softgpu_engine *engine)
{
    return &engine->device->registers->engines[engine->number];
}

static bool is_broken(const struct softgpu_engine *engine, enum softgpu_broken which)
{
    return softgpu_is_broken(engine->device->config.broken, which);
}

/* ---- reports --------------------------------------------------------------------------------- */

/* Have an interrupt when this step is over: the machine may run the driver's routine inside it. */
static void raise(struct softgpu_engine *engine)
{
    engine->owed = 0;
    engine->signalled = false;
    engine->raising = !engine->quiet && !is_broken(engine, SOFTGPU_BROKEN_NO_INTERRUPT);
}

/* obeys E2 */
static void interrupt(struct softgpu_engine *engine)
{
    struct softgpu_device *device = engine->device;

    atomic_fetch_or(&device->registers->interrupt, 1u << engine->number);
    SOFTGPU_COUNT(device, interrupts, 1);
    device->bus->raise_interrupt(device->bus->context, 0);
}

static void publish(struct softgpu_engine *engine, uint32_t run, uint32_t fence)
{
    atomic_store(&registers_of(engine)->completed, (uint64_t)run << 32 | fence);
    atomic_store(&registers_of(engine)->retired, engine->done);
}

static void complete(struct softgpu_engine *engine)
{
    struct softgpu_device *device = engine->device;

    engine->running = false;
    engine->done++;
    engine->waking = true;
    softgpu_history_end(engine); /* obeys E2 */
    engine->parted = (engine->packet.flags & SOFTGPU_PACKET_PART) != 0;
    if (engine->parted) {
        publish(engine, engine->run, engine->fence);
        return;
    }
    engine->run++;
    engine->fence = engine->packet.fence;
    SOFTGPU_COUNT(device, packets, 1);
    if (engine->packet.flags & SOFTGPU_PACKET_PAGING)
        SOFTGPU_COUNT(device, paging_packets, 1);
    publish(engine, engine->run, engine->fence);
    if (device->config.interrupts == SOFTGPU_LATE)
        engine->owed = LATE_STEPS;
    else
        raise(engine);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* softgpu_device_hang() said so. */
static bool is_told_to_hang(struct softgpu_engine *engine)
{
    uint32_t fence = atomic_load(&engine->hang_fence);

    return atomic_load(&engine->told_to_hang) != 0 &&
           (fence == 0 || fence == engine->packet.fence) &&
           atomic_exchange(&engine->told_to_hang, 0) != 0;
}

static bool must_hang(struct softgpu_engine *engine, const struct softgpu_config *config)
{
    if (is_told_to_hang(engine))
        return true;
    if (config->hang_packet == 0 || config->hang_engine != engine->number)
        return false;
    engine->begun++;
    return config->hang_every ? engine->begun % config->hang_packet == 0
                              : engine->begun == config->hang_packet;
}

/* Run `packet` from its beginning. */
static void run(struct softgpu_engine *engine)
{
    if (engine->packet.flags & SOFTGPU_PACKET_FIRST)
        engine->bound = 0;
    softgpu_history_begin(engine);
    softgpu_context_begin(engine);
    engine->running = true;
    engine->faulted = false;
    engine->at = engine->packet.start;
    engine->left = engine->packet.commands;
    if (is_broken(engine, SOFTGPU_BROKEN_FENCE_EARLY)) {
        publish(engine, engine->run + 1, engine->packet.fence);
        raise(engine);
    }
}

static bool begin(struct softgpu_engine *engine)
{
    const struct softgpu_engine_register *at = registers_of(engine);
    const struct softgpu_config *config = &engine->device->config;
    const char *ring = (const char *)engine->device->registers + at->ring;
    uint32_t place = engine->done & (at->slots - 1);

    memcpy(&engine->packet, ring + place * sizeof(engine->packet), sizeof(engine->packet));
    if (!(engine->packet.flags & SOFTGPU_PACKET_PART) && must_hang(engine, config)) {
        atomic_store(&engine->hung, 1);
        return false;
    }
    run(engine);
    return true;
}

/* D-366: packets that had not begun when the preemption was asked for count as preempted, and one
 * that is held. */
static void preempt(struct softgpu_engine *engine, uint32_t given)
{
    struct softgpu_engine_register *at = registers_of(engine);
    uint64_t number = atomic_load(&at->preempted) >> 32;

    bool cut = engine->running;

    atomic_store(&at->cut_at, cut ? engine->at : 0);
    atomic_store(&at->cut_owner, cut ? engine->packet.owner : 0);
    engine->running = false;
    atomic_store(&engine->held, 0);
    atomic_store(&engine->preempt, 0);
    engine->done = given;
    publish(engine, engine->run, engine->fence);
    atomic_store(&at->preempted, (number + 1) << 32 | atomic_load(&at->preempt_fence));
    raise(engine);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void run_nothing(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    (void)engine;
    (void)command;
}

static const struct opcode {
    uint32_t opcode, size;
    void (*run)(struct softgpu_engine *engine, const struct softgpu_command *command);
} opcodes[] = {
    {SOFTGPU_OP_NOTHING, sizeof(struct softgpu_command), run_nothing},
    {SOFTGPU_OP_TOUCH, sizeof(struct softgpu_op_touch), softgpu_run_touch},
    {SOFTGPU_OP_TRANSFER, sizeof(struct softgpu_op_transfer), softgpu_run_transfer},
    {SOFTGPU_OP_FILL, sizeof(struct softgpu_op_fill), softgpu_run_fill},
    {SOFTGPU_OP_DISCARD, sizeof(struct softgpu_op_discard), softgpu_run_discard},
    {SOFTGPU_OP_MAP, sizeof(struct softgpu_op_map), softgpu_run_map},
    {SOFTGPU_OP_UNMAP, sizeof(struct softgpu_op_unmap), softgpu_run_unmap},
    {SOFTGPU_OP_ACCESS, sizeof(struct softgpu_op_access), softgpu_run_access},
    {SOFTGPU_OP_BLT, sizeof(struct softgpu_op_blt), softgpu_run_blt},
    {SOFTGPU_OP_CONTEXT, sizeof(struct softgpu_op_context), softgpu_run_context},
    {SOFTGPU_OP_TABLE, sizeof(struct softgpu_op_table), softgpu_run_table},
    {SOFTGPU_OP_FLUSH, sizeof(struct softgpu_op_flush), softgpu_run_flush},
    {SOFTGPU_OP_DATA, sizeof(struct softgpu_op_data), softgpu_run_data},
    {SOFTGPU_OP_SIGNAL, sizeof(struct softgpu_op_signal), softgpu_run_signal},
    {SOFTGPU_OP_WAIT, sizeof(struct softgpu_op_wait), softgpu_run_wait},
};

/* Whether user mode may give the command: all that it names are addresses of its own. */
static bool is_open_to_all(const struct softgpu_command *command)
{
    const struct softgpu_op_transfer *transfer = (const void *)command;
    const struct softgpu_op_fill *fill = (const void *)command;

    switch (command->opcode) {
    case SOFTGPU_OP_TRANSFER:
        return transfer->source.segment == SOFTGPU_PLACE_VIRTUAL && transfer->source.runs == 0 &&
               transfer->destination.segment == SOFTGPU_PLACE_VIRTUAL &&
               transfer->destination.runs == 0;
    case SOFTGPU_OP_FILL:
        return fill->segment == SOFTGPU_PLACE_VIRTUAL;
    default:
        return command->opcode == SOFTGPU_OP_NOTHING || command->opcode == SOFTGPU_OP_TOUCH ||
               command->opcode == SOFTGPU_OP_SIGNAL || command->opcode == SOFTGPU_OP_WAIT;
    }
}

/* The place of the packet's commands. */
static uint32_t space_of(const struct softgpu_packet *packet)
{
    return (packet->flags & SOFTGPU_PACKET_VIRTUAL) != 0
               ? SOFTGPU_PLACE_VIRTUAL | SOFTGPU_PLACE_EXECUTED
               : packet->segment;
}

/* Bring the command at `at` over, whole. False: it is none. */
static bool fetch_command(struct softgpu_engine *engine)
{
    const struct softgpu_packet *packet = &engine->packet;
    struct softgpu_command *command = (struct softgpu_command *)(void *)engine->command;
    uint32_t room = packet->size - engine->at;

    if (room < sizeof(*command) ||
        !softgpu_fetch(engine, space_of(packet), packet->address + engine->at, command,
                       sizeof(*command))) {
        if (engine->faulted)
            return false;
        softgpu_fault(engine, "%u bytes of a command at the end of its packet", room);
        return false;
    }
    if (command->size < sizeof(*command) || command->size % 8 != 0 || command->size > room ||
        command->size > SOFTGPU_WINDOW_SIZE) {
        softgpu_fault(engine, "command 0x%x of %u bytes, %u are left of its packet",
                      command->opcode, command->size, room);
        return false;
    }
    return softgpu_fetch(engine, space_of(packet), packet->address + engine->at, command,
                         command->size);
}

/* Whether the command has been begun and waits for a fence. */
static bool is_held(const struct softgpu_engine *engine)
{
    return atomic_load(&engine->held) != 0;
}

/* Run the command at `at`, or go on with it if it is held. False: the next command cannot be
 * found. */
static bool run_command(struct softgpu_engine *engine)
{
    const struct softgpu_command *command = (const void *)engine->command;

    if (!is_held(engine) && !fetch_command(engine))
        return false;
    softgpu_leave_cable(engine); /* the command is the engine's own copy by now */
    for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
        if (opcodes[i].opcode != command->opcode)
            continue;
        if (command->size < opcodes[i].size) {
            softgpu_fault(engine, "command 0x%x of %u bytes needs %u", command->opcode,
                          command->size, opcodes[i].size);
            return false;
        }
        if (softgpu_is_user(&engine->packet) && !is_open_to_all(command)) {
            softgpu_fault(engine, "command 0x%x is not for user mode", command->opcode);
            return false;
        }
        opcodes[i].run(engine, command);
        if (is_held(engine))
            return true;
        softgpu_history_mark(engine);
        SOFTGPU_COUNT(engine->device, commands, 1);
        engine->at += command->size;
        return true;
    }
    softgpu_fault(engine, "command 0x%x of %u bytes is unknown", command->opcode, command->size);
    return false;
}

/* Whether a command is still to be run. A wrong count is a fault, once. */
static bool commands_left(struct softgpu_engine *engine)
{
    const struct softgpu_packet *packet = &engine->packet;

    if (packet->flags & SOFTGPU_PACKET_NULL)
        return false;
    if (!(packet->flags & SOFTGPU_PACKET_COUNTED))
        return engine->at < packet->size;
    if (engine->left != 0 && engine->at < packet->size)
        return true;
    if (engine->left != 0)
        softgpu_fault(engine, "%u commands announced, %u found", packet->commands,
                      packet->commands - engine->left);
    else if (engine->at < packet->size)
        softgpu_fault(engine, "%u commands announced, %u bytes behind them", packet->commands,
                      packet->size - engine->at);
    return false;
}

/* ---- the step -------------------------------------------------------------------------------- */

static bool idle(struct softgpu_engine *engine)
{
    if (engine->owed == 0)
        return false;
    if (--engine->owed == 0)
        raise(engine);
    return true;
}

/* The packet ends at a page fault, and has not been run. False: the engine stands. */
static bool end_faulted(struct softgpu_engine *engine)
{
    struct softgpu_engine_register *at = registers_of(engine);
    uint32_t count = atomic_load(&at->faults);
    bool stands = engine->device->config.mmu.on_page_fault == SOFTGPU_PAGE_FAULT_STANDS;

    if (count - atomic_load(&at->faults_read) == SOFTGPU_FAULTS)
        return true; /* until the driver has read one */
    engine->record.run = engine->run;
    engine->record.stands = stands;
    at->fault[count % SOFTGPU_FAULTS] = engine->record;
    engine->faulted = false;
    if (stands) {
        engine->stood = true;
        atomic_store(&engine->hung, 1);
    } else {
        engine->running = false;
        engine->done++;
        publish(engine, engine->run, engine->fence);
    }
    atomic_store(&at->faults, count + 1);
    raise(engine);
    return !stands;
}

/* The command waits on. D-366: a preemption takes the packet back; it goes on from here when it is
 * submitted again. */
static bool hold(struct softgpu_engine *engine, uint64_t asked)
{
    if (asked == 0)
        return idle(engine);
    preempt(engine, (uint32_t)asked);
    return true;
}

static bool step(struct softgpu_engine *engine)
{
    uint64_t asked = atomic_load(&engine->preempt);

    if (atomic_load(&engine->hung)) {
        if (asked == 0 || engine->stood ||
            !(engine->device->config.hang_preemptible || atomic_load(&engine->lets_preempt)))
            return false;
        atomic_store(&engine->hung, 0);
        if (engine->parted)
            run(engine);
    }
    if (!engine->running) {
        bool dry = engine->done == atomic_load(&engine->given);

        if (asked != 0 && (dry || !engine->parted)) {
            preempt(engine, (uint32_t)asked);
            return true;
        }
        return dry ? idle(engine) : begin(engine);
    }
    if (engine->faulted)
        return end_faulted(engine);
    if (commands_left(engine) && run_command(engine) && !engine->faulted) {
        if (is_held(engine))
            return hold(engine, asked);
        engine->left--;
        return true;
    }
    if (engine->faulted)
        return true;
    complete(engine);
    return true;
}

/* obeys E1; nobody waits in between, so a turn is short */
static void take_turn(struct softgpu_engine *engine)
{
    while (atomic_exchange(&engine->stepping, 1))
        softgpu_yield(engine->device);
}

static void end_turn(struct softgpu_engine *engine)
{
    atomic_store(&engine->stepping, 0);
}

static bool step_unless_stopped(struct softgpu_engine *engine)
{
    bool more = !atomic_load(&engine->device->stopped) && step(engine); /* obeys E3 */

    softgpu_leave_cable(engine);
    if (engine->signalled)
        raise(engine);
    return more;
}

bool softgpu_engine_step(void *argument)
{
    struct softgpu_engine *engine = argument;
    bool more, raising, waking;

    take_turn(engine);
    more = step_unless_stopped(engine);
    raising = engine->raising;
    waking = engine->waking;
    engine->raising = engine->waking = false;
    end_turn(engine);
    if (waking)
        softgpu_wake(engine->device);
    if (raising)
        interrupt(engine);
    return more;
}

static void kick(struct softgpu_engine *engine)
{
    const struct vidmm_bus *bus = engine->device->bus;

    bus->kick_engine(bus->context, engine->bus_engine);
}

void softgpu_engine_submit(struct softgpu_engine *engine, uint32_t given)
{
    atomic_store(&engine->given, given);
    kick(engine);
}

void softgpu_engine_execute(struct softgpu_engine *engine, uint32_t given)
{
    atomic_store(&engine->given, given);
    take_turn(engine);
    engine->quiet = true;
    while (step_unless_stopped(engine) && engine->done != given)
        ;
    engine->owed = 0;
    engine->quiet = false;
    engine->waking = false;
    end_turn(engine);
    softgpu_wake(engine->device);
}

void softgpu_engine_preempt(struct softgpu_engine *engine, uint32_t given)
{
    atomic_store(&engine->preempt, PREEMPT_ASKED | given);
    kick(engine);
}

/* It is the caller's turn. */
static void forget(struct softgpu_engine *engine)
{
    engine->done = atomic_load(&engine->given);
    engine->running = false;
    engine->parted = false;
    engine->faulted = engine->stood = false;
    atomic_store(&engine->held, 0);
    engine->loaded.number = 0; /* its state is lost, what was saved is not */
    engine->owed = 0;
    atomic_store(&engine->preempt, 0);
    atomic_store(&engine->hung, 0);
    publish(engine, engine->run, engine->fence);
}

void softgpu_engine_reset(struct softgpu_engine *engine)
{
    struct softgpu_engine_register *at = registers_of(engine);
    bool cut;

    take_turn(engine);
    cut = engine->running || atomic_load(&engine->hung);
    atomic_store(&at->aborted, cut ? (uint64_t)1 << 32 | engine->packet.fence : 0);
    forget(engine);
    atomic_fetch_and(&engine->device->registers->interrupt, ~(1u << engine->number));
    end_turn(engine);
}

void softgpu_engines_reset(struct softgpu_device *device)
{
    atomic_store(&device->stopped, 1);
    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++) {
        take_turn(&device->engines[i]);
        forget(&device->engines[i]);
        end_turn(&device->engines[i]);
    }
    atomic_store(&device->registers->interrupt, 0);
}

void softgpu_engines_restart(struct softgpu_device *device)
{
    atomic_store(&device->stopped, 0);
    /* Asked of the registers: an engine that was kicked meanwhile is in its step already. */
    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++)
        if (atomic_load(&registers_of(&device->engines[i])->retired) !=
            atomic_load(&device->engines[i].given))
            kick(&device->engines[i]);
}
