/* K1  packets[] holds what was submitted and not yet completed, in order of submission; on one node
 *     packets complete in that order
 * K2  paged[packet.first .. + packet.count - 1] are the operations of a paging buffer; paged[] is
 *     emptied when no packet needs it
 * K3  slices of one node never overlap: each begins at its submission or at the end of the one
 *     before on the node, whichever is later */
#include "trace/chrome.h"

#include <inttypes.h>
#include <string.h>

#include <vidmm/memory.h>

#include "base/assert.h"
#include "base/grow.h"
#include "trace/seats.h"

enum { PROCESS_PROGRAMS = 1, PROCESS_ADAPTER = 2 };

struct packet {
    uint64_t begin_ns;
    uint32_t node, fence;
    uint32_t buffer; /* id of the DMA or paging buffer */
    bool paging;
    uint32_t first, count; /* K2; of a DMA buffer count is its allocations */
};

struct paged {
    uint64_t size;
    uint32_t allocation;
    uint32_t operation; /* enum vidmm_paging_kind */
    bool out;           /* of a transfer: from a memory segment */
};

struct vidmm_chrome {
    struct vidmm_memory memory;
    struct vidmm_chrome_options options;
    FILE *file;
    struct vidmm_seats *seats;
    bool incomplete;
    const char *separator;
    uint64_t now_ns;

    struct packet *packets; /* K1 */
    uint32_t packet_first, packet_end, packet_capacity;
    struct paged *paged; /* K2 */
    uint32_t paged_count, paged_capacity;
    uint32_t buffer_first; /* in paged[]: of the paging buffer being built */

    uint64_t node_end_ns[VIDMM_NODES]; /* K3 */
    uint64_t frame_begin_ns[VIDMM_CHROME_PROGRAMS];
    uint64_t used[VIDMM_SEGMENTS], shown[VIDMM_SEGMENTS]; /* bytes, by segment */
    uint64_t in, out;                                     /* bytes transferred so far */

    uint64_t *numbers; /* by allocation: number << 3 | program; 0: not named */
    uint32_t number_capacity;
    uint8_t *programs; /* by DMA buffer: its program + 1; 0: nobody has said */
    uint32_t program_capacity;
};

/* ---- memory ---------------------------------------------------------------------------------- */

static bool reserve(struct vidmm_chrome *chrome, void **array, uint32_t *capacity, uint32_t index,
                    size_t element)
{
    void *grown = vidmm_grow(&chrome->memory, *array, capacity, index, element);

    if (grown == NULL)
        chrome->incomplete = true;
    else
        *array = grown;
    return grown != NULL;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != 0; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        if ((unsigned char)*text >= ' ')
            fputc(*text, file);
    }
    fputc('"', file);
}

/* The common front of an event; the caller goes on with further members and closes it. */
static void begin_event(struct vidmm_chrome *chrome, const char *phase, int process, uint32_t track,
                        uint64_t time_ns)
{
    fprintf(chrome->file,
            "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03u",
            chrome->separator, phase, process, track, time_ns / 1000, (unsigned)(time_ns % 1000));
    chrome->separator = ",";
}

/* The end of the slice that began last on the track, with the name that it began with: some readers
 * want it. Begin and end, not a duration: for a reader that counts in floating point, neighbours
 * would overlap. */
static void end_slice(struct vidmm_chrome *chrome, int process, uint32_t track, uint64_t time_ns,
                      const char *name)
{
    begin_event(chrome, "E", process, track, time_ns);
    fputs(",\"name\":", chrome->file);
    quoted(chrome->file, name);
    fputc('}', chrome->file);
}

static void name_track(struct vidmm_chrome *chrome, const char *what, int process, uint32_t track,
                       const char *name)
{
    begin_event(chrome, "M", process, track, 0);
    fprintf(chrome->file, ",\"name\":\"%s\",\"args\":{\"name\":", what);
    quoted(chrome->file, name);
    fputs("}}", chrome->file);
}

static void counter(struct vidmm_chrome *chrome, const char *name, uint64_t bytes)
{
    begin_event(chrome, "C", PROCESS_ADAPTER, 0, chrome->now_ns);
    fprintf(chrome->file, ",\"name\":\"%s\",\"args\":{\"MiB\":%.3f}}", name,
            (double)bytes / 1048576);
}

/* ---- slices ---------------------------------------------------------------------------------- */

static const char *paged_name(const struct paged *paged)
{
    if (paged->operation == VIDMM_TRANSFER || paged->operation == VIDMM_TRANSFER_VIRTUAL)
        return paged->out ? "transfer out" : "transfer in";
    return vidmm_paging_name(paged->operation);
}

static void print_allocation(struct vidmm_chrome *chrome, uint32_t allocation)
{
    uint64_t number = allocation < chrome->number_capacity ? chrome->numbers[allocation] : 0;

    if (number == 0)
        fprintf(chrome->file, "\"buffer\":%" PRIu32, allocation);
    else
        fprintf(chrome->file, "\"program\":%u,\"allocation\":%" PRIu64, (unsigned)(number & 7) + 1,
                number >> 3);
}

static void slice_paged(struct vidmm_chrome *chrome, uint32_t node, const struct paged *paged,
                        uint64_t begin_ns, uint64_t end_ns)
{
    begin_event(chrome, "B", PROCESS_ADAPTER, node, begin_ns);
    fprintf(chrome->file, ",\"name\":\"%s\",\"args\":{", paged_name(paged));
    print_allocation(chrome, paged->allocation);
    fprintf(chrome->file, ",\"bytes\":%" PRIu64 "}}", paged->size);
    end_slice(chrome, PROCESS_ADAPTER, node, end_ns, paged_name(paged));
}

/* The operations of a paging buffer, inside its slice: a nanosecond each, and its share of the
 * rest. */
static void slice_operations(struct vidmm_chrome *chrome, const struct packet *packet,
                             uint64_t begin_ns, uint64_t end_ns, uint64_t bytes)
{
    double share = (double)(end_ns - begin_ns - packet->count) / (double)(bytes == 0 ? 1 : bytes);
    uint64_t before = 0, at = begin_ns;

    for (uint32_t i = 0; i < packet->count; i++) {
        const struct paged *paged = &chrome->paged[packet->first + i];

        before += paged->size;
        uint64_t until = begin_ns + i + 1 + (uint64_t)((double)before * share);
        slice_paged(chrome, packet->node, paged, at, until);
        at = until;
    }
}

static uint64_t bytes_of(const struct vidmm_chrome *chrome, const struct packet *packet)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; packet->paging && i < packet->count; i++)
        bytes += chrome->paged[packet->first + i].size;
    return bytes;
}

static const char *packet_name(const struct vidmm_chrome *chrome, const struct packet *packet)
{
    uint32_t buffer = packet->buffer;

    if (packet->paging)
        return "paging buffer";
    if (buffer < chrome->program_capacity && chrome->programs[buffer] != 0)
        return chrome->options.programs[chrome->programs[buffer] - 1];
    return "DMA buffer";
}

static void slice_packet(struct vidmm_chrome *chrome, const struct packet *packet,
                         uint64_t begin_ns, uint64_t end_ns)
{
    uint64_t bytes = bytes_of(chrome, packet);
    VIDMM_ASSERT(begin_ns <= end_ns); /* K3 */

    begin_event(chrome, "B", PROCESS_ADAPTER, packet->node, begin_ns);
    fputs(",\"name\":", chrome->file);
    quoted(chrome->file, packet_name(chrome, packet));
    fprintf(chrome->file, ",\"args\":{\"buffer\":%" PRIu32 ",\"fence\":%" PRIu32 ",\"%s\":%" PRIu32,
            packet->buffer, packet->fence, packet->paging ? "operations" : "allocations",
            packet->count);
    if (packet->paging)
        fprintf(chrome->file, ",\"bytes\":%" PRIu64, bytes);
    fputs("}}", chrome->file);
    if (packet->paging && end_ns - begin_ns >= packet->count)
        slice_operations(chrome, packet, begin_ns, end_ns, bytes);
    end_slice(chrome, PROCESS_ADAPTER, packet->node, end_ns, packet_name(chrome, packet));
}

/* ---- packets --------------------------------------------------------------------------------- */

static void add_packet(struct vidmm_chrome *chrome, const struct packet *packet)
{
    if (chrome->packet_first == chrome->packet_end)
        chrome->packet_first = chrome->packet_end = 0;
    if (reserve(chrome, (void **)&chrome->packets, &chrome->packet_capacity, chrome->packet_end,
                sizeof(*chrome->packets)))
        chrome->packets[chrome->packet_end++] = *packet;
    VIDMM_ASSERT(packet->node < VIDMM_NODES);
}

static bool completes(const struct packet *packet, uint32_t node, uint32_t fence)
{
    return packet->node == node && (int32_t)(fence - packet->fence) >= 0;
}

/* K3: packets that one report completes share the time since the last. */
static void complete_packets(struct vidmm_chrome *chrome, uint32_t node, uint32_t fence,
                             uint32_t count)
{
    uint64_t end = chrome->now_ns;
    uint32_t kept = chrome->packet_first;

    for (uint32_t i = chrome->packet_first; i < chrome->packet_end; i++) {
        const struct packet packet = chrome->packets[i];
        uint64_t begin = packet.begin_ns;

        if (!completes(&packet, node, fence)) {
            chrome->packets[kept++] = packet;
            continue;
        }
        if (begin < chrome->node_end_ns[node])
            begin = chrome->node_end_ns[node];
        if (begin > end)
            begin = end;
        uint64_t until = begin + (end - begin) / count--;
        slice_packet(chrome, &packet, begin, until);
        chrome->node_end_ns[node] = until;
    }
    VIDMM_ASSERT(count == 0);
    chrome->packet_end = kept;
}

static void complete(struct vidmm_chrome *chrome, uint32_t node, uint32_t fence)
{
    uint32_t count = 0;
    bool paging = false;

    for (uint32_t i = chrome->packet_first; i < chrome->packet_end; i++)
        count += completes(&chrome->packets[i], node, fence);
    if (node >= VIDMM_NODES || count == 0)
        return;
    complete_packets(chrome, node, fence, count);
    for (uint32_t i = chrome->packet_first; i < chrome->packet_end; i++)
        paging |= chrome->packets[i].paging;
    if (!paging && chrome->buffer_first == chrome->paged_count) /* K2 */
        chrome->buffer_first = chrome->paged_count = 0;
}

/* ---- what comes in --------------------------------------------------------------------------- */

static void seat_taken(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    struct vidmm_chrome *chrome = context;

    (void)reason;
    chrome->used[seat->place.segment % VIDMM_SEGMENTS] += seat->size;
}

static void seat_left(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    struct vidmm_chrome *chrome = context;

    (void)reason;
    chrome->used[seat->place.segment % VIDMM_SEGMENTS] -= seat->size;
}

static void show_counters(struct vidmm_chrome *chrome)
{
    for (uint32_t segment = 1; segment < VIDMM_SEGMENTS; segment++) {
        char name[40];

        if (chrome->used[segment] == chrome->shown[segment])
            continue;
        chrome->shown[segment] = chrome->used[segment];
        snprintf(name, sizeof(name), "segment %" PRIu32 " in use", segment);
        counter(chrome, name, chrome->used[segment]);
    }
}

static void count_transfer(struct vidmm_chrome *chrome, uint32_t source, uint32_t destination,
                           struct paged *paged)
{
    bool from = vidmm_seats_in_memory(chrome->seats, source);
    bool to = vidmm_seats_in_memory(chrome->seats, destination);

    paged->out = from;
    if (to && !from)
        counter(chrome, "paged in", chrome->in += paged->size);
    if (from && !to)
        counter(chrome, "paged out", chrome->out += paged->size);
}

/* By address, or by page tables. */
static bool is_of_tables(uint32_t operation)
{
    return operation == VIDMM_TRANSFER_VIRTUAL || operation == VIDMM_FILL_VIRTUAL ||
           operation == VIDMM_UPDATE_PAGE_TABLE || operation == VIDMM_FLUSH_TLB;
}

static void add_paged(struct vidmm_chrome *chrome, const struct vidmm_operation *operation)
{
    uint32_t kind = operation->build.operation;
    uint64_t size = is_of_tables(kind) ? operation->table.size : operation->build.size;
    struct paged paged = {size, operation->allocation, kind, false};

    if (operation->build.flags & VIDMM_PAGING_AGAIN)
        return;
    if (kind == VIDMM_TRANSFER)
        count_transfer(chrome, operation->build.source.segment,
                       operation->build.destination.segment, &paged);
    else if (kind == VIDMM_TRANSFER_VIRTUAL)
        count_transfer(chrome, operation->table.place.segment, operation->table.at.segment, &paged);
    if (reserve(chrome, (void **)&chrome->paged, &chrome->paged_capacity, chrome->paged_count,
                sizeof(*chrome->paged)))
        chrome->paged[chrome->paged_count++] = paged;
}

static void submit_paging(struct vidmm_chrome *chrome, const struct vidmm_operation *operation)
{
    const struct packet packet = {
        .begin_ns = chrome->now_ns,
        .node = operation->submit_paging.context != 0 ? operation->submit_paging.node % VIDMM_NODES
                                                      : chrome->options.paging_node,
        .fence = operation->submit_paging.fence,
        .buffer = operation->submit_paging.paging_buffer,
        .paging = true,
        .first = chrome->buffer_first,
        .count = chrome->paged_count - chrome->buffer_first,
    };

    add_packet(chrome, &packet);
    chrome->buffer_first = chrome->paged_count;
    show_counters(chrome);
}

static void submit(struct vidmm_chrome *chrome, const struct vidmm_operation *operation)
{
    const struct packet packet = {
        .begin_ns = chrome->now_ns,
        .node = operation->submit.node % VIDMM_NODES,
        .fence = operation->submit.fence,
        .buffer = operation->submit.dma_buffer,
        .count = operation->submit.reference_count,
    };

    add_packet(chrome, &packet);
    show_counters(chrome);
}

static void show_error(struct vidmm_chrome *chrome, const struct vidmm_operation *operation)
{
    begin_event(chrome, "i", PROCESS_ADAPTER, 0, chrome->now_ns);
    fputs(",\"s\":\"g\",\"name\":", chrome->file);
    quoted(chrome->file, vidmm_reason_text(operation->error.reason));
    fputc('}', chrome->file);
}

void vidmm_chrome_engine(struct vidmm_chrome *chrome, const struct vidmm_engine_config *config)
{
    vidmm_seats_engine(chrome->seats, config);
}

void vidmm_chrome_event(struct vidmm_chrome *chrome, uint64_t time_ns,
                        const struct vidmm_event *event)
{
    chrome->now_ns = time_ns;
    if (!vidmm_seats_event(chrome->seats, event))
        chrome->incomplete = true;
    if (event->kind == VIDMM_EVENT_FENCE)
        complete(chrome, event->fence.node, event->fence.fence);
}

void vidmm_chrome_operation(struct vidmm_chrome *chrome, uint64_t time_ns,
                            const struct vidmm_operation *operation)
{
    chrome->now_ns = time_ns;
    vidmm_seats_operation(chrome->seats, operation);
    chrome->incomplete |= !vidmm_seats_are_whole(chrome->seats);
    switch (operation->kind) {
    case VIDMM_DO_BUILD:
        add_paged(chrome, operation);
        break;
    case VIDMM_DO_SUBMIT_PAGING:
        submit_paging(chrome, operation);
        break;
    case VIDMM_DO_SUBMIT:
        submit(chrome, operation);
        break;
    case VIDMM_DO_ERROR:
        show_error(chrome, operation);
        break;
    default:
        break;
    }
}

void vidmm_chrome_name(struct vidmm_chrome *chrome, uint32_t allocation, uint32_t program,
                       uint32_t number)
{
    if (reserve(chrome, (void **)&chrome->numbers, &chrome->number_capacity, allocation,
                sizeof(*chrome->numbers)))
        chrome->numbers[allocation] = (uint64_t)number << 3 | (program & 7);
}

void vidmm_chrome_buffer(struct vidmm_chrome *chrome, uint32_t dma_buffer, uint32_t program)
{
    VIDMM_ASSERT(program < chrome->options.program_count);
    if (reserve(chrome, (void **)&chrome->programs, &chrome->program_capacity, dma_buffer,
                sizeof(*chrome->programs)))
        chrome->programs[dma_buffer] = (uint8_t)(program + 1);
}

void vidmm_chrome_frame(struct vidmm_chrome *chrome, uint64_t time_ns, uint32_t program,
                        uint32_t frame)
{
    uint64_t *begin = &chrome->frame_begin_ns[program % VIDMM_CHROME_PROGRAMS];

    chrome->now_ns = time_ns;
    begin_event(chrome, "B", PROCESS_PROGRAMS, program, *begin);
    fprintf(chrome->file, ",\"name\":\"frame\",\"args\":{\"number\":%" PRIu32 "}}", frame);
    end_slice(chrome, PROCESS_PROGRAMS, program, chrome->now_ns, "frame");
    *begin = chrome->now_ns;
}

/* ---- create and finish ----------------------------------------------------------------------- */

struct vidmm_chrome *vidmm_chrome_create(const struct vidmm_memory *memory,
                                         const struct vidmm_chrome_options *options, FILE *file)
{
    struct vidmm_chrome *chrome = memory->allocate(memory->context, sizeof(*chrome));

    if (chrome == NULL)
        return NULL;
    *chrome = (struct vidmm_chrome){
        .memory = *memory, .options = *options, .file = file, .separator = ""};
    const struct vidmm_seats_listener listener = {chrome, seat_taken, seat_left};
    chrome->seats = vidmm_seats_create(memory, options->apertures, &listener);
    if (chrome->seats == NULL) {
        memory->free(memory->context, chrome);
        return NULL;
    }
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", file);
    name_track(chrome, "process_name", PROCESS_PROGRAMS, 0, "programs");
    name_track(chrome, "process_name", PROCESS_ADAPTER, 0, "adapter");
    for (uint32_t i = 0; i < options->program_count; i++)
        name_track(chrome, "thread_name", PROCESS_PROGRAMS, i, options->programs[i]);
    for (uint32_t i = 0; i < options->node_count; i++)
        name_track(chrome, "thread_name", PROCESS_ADAPTER, i, options->nodes[i]);
    return chrome;
}

bool vidmm_chrome_finish(struct vidmm_chrome *chrome)
{
    if (chrome == NULL)
        return true;
    struct vidmm_memory memory = chrome->memory;
    show_counters(chrome);
    fputs("\n]}\n", chrome->file);
    bool done = fflush(chrome->file) == 0 && !ferror(chrome->file) && !chrome->incomplete;
    vidmm_seats_destroy(chrome->seats);
    void *const blocks[] = {chrome->packets, chrome->paged, chrome->numbers, chrome->programs,
                            chrome};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (blocks[i] != NULL)
            memory.free(memory.context, blocks[i]);
    return done;
}
