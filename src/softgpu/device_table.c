/*
 * Theory. Commands on page tables write them as any bytes are written: that a translation is kept
 * somewhere is not their concern. A page fault ends the packet: what it did before stays done, the
 * rest is left out, and the driver reads from a record which address it was.
 */
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

static const char *const reasons[] = {
    [SOFTGPU_FAULT_NONE] = "nothing",
    [SOFTGPU_FAULT_NO_ROOT] = "the context has no page tables",
    [SOFTGPU_FAULT_OUTSIDE] = "behind the entries of the root",
    [SOFTGPU_FAULT_NEVER_WRITTEN] = "an entry that was never written",
    [SOFTGPU_FAULT_INVALID] = "an invalid entry",
    [SOFTGPU_FAULT_READ_ONLY] = "a write to a read-only page",
    [SOFTGPU_FAULT_NO_EXECUTE] = "commands in a no-execute page",
    [SOFTGPU_FAULT_NO_MEMORY] = "no memory is there",
    [SOFTGPU_FAULT_NOT_SHARED] = "the process has no page there",
};

void softgpu_page_fault(struct softgpu_engine *engine, uint64_t gpuva, bool write,
                        const struct softgpu_translation *found)
{
    if (engine->faulted)
        return;
    engine->faulted = true;
    engine->record = (struct softgpu_fault_record){
        .address = gpuva,
        .process = engine->packet.process,
        .fence = engine->packet.fence,
        .level = found->level,
        .why = found->fault,
        .write = write,
    };
    SOFTGPU_COUNT(engine->device, page_faults, 1);
    softgpu_fault(engine, "page fault, %s of 0x%llx, level %u: %s", write ? "write" : "read",
                  (unsigned long long)gpuva, found->level, reasons[found->fault]);
}

/* See to it that the caches have nothing of a table: before the GPU writes it, lest they write back
 * what is older, and afterwards. */
static void snoop(struct softgpu_engine *engine, const struct softgpu_op_table *table,
                  uint64_t bytes)
{
    const struct vidmm_bus *bus = engine->device->bus;

    if (table->segment == 0 && engine->device->config.mmu.cached_tables && bus->snoop != NULL)
        bus->snoop(bus->context, table->address, bytes);
}

/* Write words one by one: they are whole to whoever walks meanwhile. */
static void write_words(struct softgpu_engine *engine, struct softgpu_walk *walk,
                        const struct softgpu_op_table *table)
{
    const uint64_t *words = (const uint64_t *)(table + 1);

    for (uint64_t at = 0; walk->here != 0;) {
        uint64_t step = table->stride - at % table->stride;

        step = step < walk->here ? step : walk->here;
        if (at % table->stride == 0) {
            uint64_t index = at / table->stride;

            if (walk->here < sizeof(*words)) {
                softgpu_fault(engine, "table: words are not aligned");
                return;
            }
            memcpy(walk->at, &words[table->words == 1 ? 0 : index], sizeof(*words));
        }
        at += step;
        softgpu_walk_take(walk, step);
    }
}

void softgpu_run_table(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_table *table = (const void *)command;
    struct softgpu_place place = {.segment = table->segment | SOFTGPU_PLACE_WRITTEN,
                                  .address = table->address};
    struct softgpu_walk walk;
    uint64_t bytes;

    if (table->words > (command->size - sizeof(*table)) / sizeof(uint64_t) || table->count == 0 ||
        (table->words != 1 && table->words != table->count) ||
        (table->stride != 8 && table->stride != 16)) {
        softgpu_fault(engine, "table: %u words for %u in %u bytes, stride %u", table->words,
                      table->count, command->size, table->stride);
        return;
    }
    bytes = (uint64_t)(table->count - 1) * table->stride + sizeof(uint64_t);
    if (!softgpu_walk_begin(&walk, engine, "table", &place, NULL, bytes))
        return;
    snoop(engine, table, bytes);
    write_words(engine, &walk, table);
    snoop(engine, table, bytes);
    if (!walk.failed)
        SOFTGPU_COUNT(engine->device, table_words, table->count);
}

void softgpu_run_flush(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_flush *flush = (const void *)command;
    struct softgpu_root root = {.address = flush->root_address, .segment = flush->root_segment};

    if (engine->tlb == NULL) {
        softgpu_fault(engine, "flush: this GPU has no page tables");
        return;
    }
    softgpu_flush(engine->device, &root, flush->start, flush->end);
    SOFTGPU_COUNT(engine->device, flushes, 1);
}

void softgpu_run_data(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_data *data = (const void *)command;
    struct softgpu_place place = {.segment = data->segment | SOFTGPU_PLACE_WRITTEN,
                                  .address = data->address};

    if (data->bytes > command->size - sizeof(*data))
        softgpu_fault(engine, "data: %u bytes in %u", data->bytes, command->size);
    else
        softgpu_write(engine, "data", &place, data + 1, data->bytes);
}
