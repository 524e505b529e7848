/* Mishaps are counted each and described once: the engine that claims the first writes its
 * sentence. */
#include <stdarg.h>
#include <stdio.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

static bool claim(struct softgpu_first *first)
{
    uint32_t none = 0;

    return atomic_compare_exchange_strong(&first->state, &none, 1);
}

/* "engine 1, fence 17, byte 0x40: " and the length of it. */
static size_t preamble(const struct softgpu_engine *engine, char text[SOFTGPU_TEXT])
{
    return (size_t)snprintf(text, SOFTGPU_TEXT, "engine %u, fence %u, byte 0x%x: ", engine->number,
                            engine->packet.fence, engine->at);
}

void softgpu_fault(struct softgpu_engine *engine, const char *format, ...)
{
    struct softgpu_first *first = &engine->device->fault;
    size_t length;
    va_list arguments;

    SOFTGPU_COUNT(engine->device, faults, 1);
    if (!claim(first))
        return;
    length = preamble(engine, first->text);
    va_start(arguments, format);
    vsnprintf(first->text + length, SOFTGPU_TEXT - length, format, arguments);
    va_end(arguments);
    atomic_store(&first->state, 2);
}

static void describe(const struct vidmm_content_finding *finding, char *text, size_t size)
{
    const char *name = vidmm_content_kind_name(finding->kind);

    switch (finding->kind) {
    case VIDMM_CONTENT_STALE:
    case VIDMM_CONTENT_NEWER:
        snprintf(text, size, "%s (%u, not %u)", name, finding->number, finding->expected);
        break;
    case VIDMM_CONTENT_SHIFTED:
        snprintf(text, size, "%s (page %u, write %u)", name, finding->page, finding->number);
        break;
    case VIDMM_CONTENT_FOREIGN:
        snprintf(text, size, "%s (content %u, page %u, write %u)", name, finding->id, finding->page,
                 finding->number);
        break;
    case VIDMM_CONTENT_UNIFORM:
    case VIDMM_CONTENT_GARBAGE:
        snprintf(text, size, "%s (0x%llx)", name, (unsigned long long)finding->word);
        break;
    default:
        snprintf(text, size, "%s", name);
    }
}

void softgpu_mismatch(struct softgpu_engine *engine, const struct softgpu_op_reference *reference,
                      uint64_t page, const struct vidmm_content_finding *finding)
{
    struct softgpu_device *device = engine->device;
    struct softgpu_statistics *first = &device->first;
    char what[96];

    SOFTGPU_COUNT(device, content_mismatches, 1);
    if (!claim(&device->mismatch))
        return;
    first->first_mismatch.finding = *finding;
    first->first_mismatch.content_id = reference->content_id;
    first->first_mismatch.generation = reference->generation;
    first->first_mismatch.page = page;
    first->first_mismatch.address = reference->address + page * SOFTGPU_PAGE_SIZE;
    first->first_mismatch.fence = engine->packet.fence;
    describe(finding, what, sizeof(what));
    snprintf(device->mismatch.text, SOFTGPU_TEXT,
             "fence %u: content %u, page %llu at 0x%llx, sector %u: %s", engine->packet.fence,
             reference->content_id, (unsigned long long)page,
             (unsigned long long)first->first_mismatch.address, finding->sector, what);
    atomic_store(&device->mismatch.state, 2);
}

uint64_t softgpu_now_ns(const struct softgpu_device *device)
{
    return device->bus->now_ns != NULL ? device->bus->now_ns(device->bus->context) : 0;
}

void softgpu_yield(const struct softgpu_device *device)
{
    if (device->bus->yield != NULL)
        device->bus->yield(device->bus->context);
}
