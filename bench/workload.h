/* workload.h: workloads that ask something of the policy: allocations, and lists of those that each
 * DMA buffer names. Made from a seed, so that all policies see the same.
 *
 *     game     a working set that drifts over twice as much as memory holds
 *     server   ten models, some wanted more than others, and which ones shifts; buffers that come
 *              and go with each request
 *     browser  tabs of which one is looked at, the same few again and again; now and then a new one
 *     loop     everything in turn, over and over, of more than memory holds
 */
#ifndef VIDMM_BENCH_WORKLOAD_H
#define VIDMM_BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct workload_item {
    uint64_t size, alignment;
    uint32_t born, dies; /* DMA buffer before which it is created, and after which destroyed */
};

struct workload_reference {
    uint32_t item; /* index */
    bool write;
};

struct workload {
    struct workload_item *items;
    uint32_t item_count, item_capacity;
    struct workload_reference *references;
    uint32_t reference_count, reference_capacity;
    uint32_t *ends; /* of each DMA buffer: index behind its last reference */
    uint32_t count, capacity;
    uint64_t memory; /* bytes of the segment */
};

enum { WORKLOAD_FOREVER = 0x7fffffff };

void workload_game(struct workload *workload, uint64_t memory, uint64_t seed);
void workload_server(struct workload *workload, uint64_t memory, uint64_t seed);
void workload_browser(struct workload *workload, uint64_t memory, uint64_t seed);
void workload_loop(struct workload *workload, uint64_t memory, double share, uint64_t seed);
/* The recorded programs. */
enum { WORKLOAD_TRACES = 13 };
extern const char *const workload_traces[WORKLOAD_TRACES];
/* A recorded program in half of the local memory that it had at most, or in as much as its largest
 * submission names. False: there is no such file in traces/. */
bool workload_trace(struct workload *workload, const char *name);
void workload_finish(struct workload *workload);

/* Index of the first reference of a DMA buffer. */
static inline uint32_t workload_first(const struct workload *workload, uint32_t number)
{
    return number == 0 ? 0 : workload->ends[number - 1];
}

/* Bytes of the GPU mix: 60 of 100 allocations have 64 KiB to 1 MiB, 30 to 8, 10 to 64 MiB. */
uint64_t workload_mixed_size(uint64_t *state);

/* Bytes that come in again, after their first time, where nothing has a place: any bytes that are
 * free will do. The one that was not used for longest leaves; or the one that will not be used for
 * longest. */
uint64_t workload_lru(const struct workload *workload);
uint64_t workload_belady(const struct workload *workload);

#endif
