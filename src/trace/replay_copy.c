/* Bytes of allocations that the CPU does not see, where nobody here knows how to have the GPU check
 * them, but somebody how to have it copy: known pages go there and back.
 *
 *     slot   | command | page in 0 .. COPIES - 1 | page back 0 .. COPIES - 1 |
 *
 * A submission copies a page of an allocation that it names to the slot, and then the next write
 * of that page from the slot: so each write is looked for before the next. The slot is looked at
 * when the GPU is done with the submission.
 */
#include "trace/program.h"

#include <string.h>

#include <vidmm/page.h>

#include "base/assert.h"
#include "base/content.h"
#include "base/text.h"

#define COPIES VIDMM_COMMAND_COPIES
#define SPREAD 8u /* pages of an allocation that are looked at */

uint32_t vidmm_program_copies_size(const struct vidmm_program *program)
{
    return program->options.by_copies ? 2 * COPIES * VIDMM_PAGE_SIZE : 0;
}

/* ---- looking --------------------------------------------------------------------------------- */

static void report_copy(struct vidmm_program *program, const struct vidmm_page_copy *copy,
                        const void *bytes)
{
    struct vidmm_content_finding found =
        vidmm_content_examine(bytes, vidmm_program_key(program, copy->allocation), copy->page, 0);
    struct vidmm_text text;

    if (found.kind == VIDMM_CONTENT_RIGHT) /* in itself; but not the write that was expected */
        found.kind = VIDMM_CONTENT_LOST_CPU;
    if (program->mismatch.text[0] != 0)
        return;
    vidmm_program_begin_sentence(program, &text, &program->mismatch);
    vidmm_text_string(&text, "allocation ");
    vidmm_text_number(&text, program->options.trace->allocations[copy->allocation].id);
    vidmm_text_string(&text, ", page ");
    vidmm_text_number(&text, copy->page);
    vidmm_text_string(&text, ", copied by the GPU: there should be write ");
    vidmm_text_number(&text, copy->number);
    vidmm_text_string(&text, ", and there is: ");
    vidmm_text_string(&text, vidmm_content_kind_name(found.kind));
}

static unsigned char *page_of(struct vidmm_program *program, uint32_t slot, uint32_t page)
{
    struct vidmm_program_addresses *addresses = &program->addresses;
    uint64_t offset = (uint64_t)addresses->slot_size * (slot + 1) -
                      vidmm_program_copies_size(program) + (uint64_t)page * VIDMM_PAGE_SIZE;

    return addresses->commands.bytes + offset;
}

static uint64_t address_of(struct vidmm_program *program, uint32_t slot, uint32_t page)
{
    return program->addresses.commands.address +
           (uint64_t)(page_of(program, slot, page) - program->addresses.commands.bytes);
}

/* All that the submission of the slot has brought. */
static void look_at_slot(struct vidmm_program *program, uint32_t index)
{
    struct vidmm_command_slot *slot = &program->addresses.slots[index];
    bool right = true;

    for (uint32_t i = 0; i < slot->copies; i++) {
        const struct vidmm_page_copy *copy = &slot->copy[i];
        const void *bytes = page_of(program, index, COPIES + i);
        struct vidmm_content_key key = vidmm_program_key(program, copy->allocation);
        uint64_t found = 0;

        if (copy->number == 0)
            continue; /* it was the first write */
        atomic_fetch_add(&program->counts.pages_checked, 1);
        if (vidmm_content_check_page(bytes, key, copy->page, 0, &found) &&
            found == vidmm_content_digest(key, copy->page, copy->number))
            continue;
        report_copy(program, copy, bytes);
        right = false;
    }
    atomic_fetch_add(&program->counts.mismatches, !right);
    slot->copies = 0;
}

static bool is_done(const struct vidmm_program *program, const struct vidmm_command_slot *slot)
{
    return slot->value == 0 ||
           vidmm_context_completed(program->contexts[slot->queue]) >= slot->value;
}

bool vidmm_program_take_slot(struct vidmm_program *program)
{
    struct vidmm_program_addresses *addresses = &program->addresses;

    if (program->built == program->next + 1)
        return true; /* its command is in the slot already */
    if (!is_done(program, &addresses->slots[addresses->next]))
        return false;
    look_at_slot(program, addresses->next);
    return true;
}

void vidmm_program_look_at_copies(struct vidmm_program *program)
{
    for (uint32_t i = 0; i < VIDMM_COMMAND_SLOTS; i++) {
        VIDMM_ASSERT(is_done(program, &program->addresses.slots[i]));
        look_at_slot(program, i);
    }
}

/* ---- building -------------------------------------------------------------------------------- */

/* The page as the CPU's write `number` leaves it. */
static void write_whole(void *bytes, struct vidmm_content_key key, uint32_t page, uint32_t number)
{
    memset(bytes, 0, VIDMM_PAGE_SIZE);
    for (uint32_t i = number > 4 ? number - 3 : 1; i <= number; i++)
        vidmm_content_write_cpu(bytes, key, page, i);
}

static uint32_t put(struct vidmm_program *program, uint64_t to, uint64_t from)
{
    const struct vidmm_replay_driver *driver = program->options.driver;
    uint32_t room = program->command_capacity - program->command_bytes;
    uint32_t size = driver->copy(driver->context, to, from, VIDMM_PAGE_SIZE,
                                 (unsigned char *)program->command + program->command_bytes, room);

    VIDMM_ASSERT(size <= room);
    program->command_bytes += size;
    return size;
}

/* One page of an allocation there and back. False: no room for the commands. */
static bool copy_page(struct vidmm_program *program, uint32_t allocation)
{
    struct vidmm_program_addresses *addresses = &program->addresses;
    struct vidmm_live_allocation *live = &program->allocations[allocation];
    struct vidmm_command_slot *slot = &addresses->slots[addresses->next];
    uint64_t pages = vidmm_allocation_size(live->handle) / VIDMM_PAGE_SIZE;
    uint64_t spread = pages < SPREAD ? pages : SPREAD;
    uint32_t page = (uint32_t)(live->copied % spread * pages / spread), i = slot->copies;
    uint64_t at = live->address + (uint64_t)page * VIDMM_PAGE_SIZE;
    uint32_t begun = program->command_bytes;

    if (live->cpu[page] != 0 &&
        put(program, address_of(program, addresses->next, COPIES + i), at) == 0)
        return false;
    if (put(program, at, address_of(program, addresses->next, i)) == 0) {
        program->command_bytes = begun;
        return false;
    }
    slot->copy[slot->copies++] = (struct vidmm_page_copy){allocation, page, live->cpu[page]};
    live->cpu[page]++;
    live->copied++;
    write_whole(page_of(program, addresses->next, i), vidmm_program_key(program, allocation), page,
                live->cpu[page]);
    return true;
}

/* Is it one that the CPU does not see, and are there numbers for its pages? */
static bool is_copied(struct vidmm_program *program, uint32_t allocation)
{
    struct vidmm_live_allocation *live = &program->allocations[allocation];

    return live->bytes == NULL && vidmm_program_reserve_cpu(program, live);
}

void vidmm_program_add_copies(struct vidmm_program *program,
                              const struct vidmm_trace_record *record)
{
    const struct vidmm_trace_reference *references =
        program->options.trace->references + record->submit.first;
    struct vidmm_command_slot *slot = &program->addresses.slots[program->addresses.next];
    uint32_t count = record->submit.count;

    for (uint32_t i = 0; i < count && slot->copies < COPIES; i++) {
        uint32_t allocation = references[(program->next + i) % count].allocation;

        if (is_copied(program, allocation) && !copy_page(program, allocation))
            break;
    }
    if (program->command_bytes == 0) /* it names nothing, and there is no submission of nothing */
        put(program, address_of(program, program->addresses.next, COPIES),
            address_of(program, program->addresses.next, 0));
}
