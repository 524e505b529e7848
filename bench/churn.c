/* churn.c: the requests of the GPU mix. */
#include "churn.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"

#define KIB 1024.0
#define MIB (1024.0 * KIB)

enum { PAGE = 4096, MEAN_PAGES = 950 }; /* the mean of the mix is about 970 */

static uint32_t log_uniform(uint64_t *random, double low, double high)
{
    return (uint32_t)ceil(low * exp2(log2(high / low) * random_unit(random)) / PAGE);
}

static uint32_t random_pages(uint64_t *random)
{
    double dice = random_unit(random);

    if (dice < 0.6)
        return log_uniform(random, 64 * KIB, 1 * MIB);
    return dice < 0.9 ? log_uniform(random, 1 * MIB, 8 * MIB)
                      : log_uniform(random, 8 * MIB, 64 * MIB);
}

struct churn_stream churn_stream_make(uint64_t seed, uint32_t count)
{
    struct churn_stream stream = {bench_allocate(count, sizeof *stream.requests), count};
    uint64_t random = seed;
    uint32_t i;

    for (i = 0; i < count; i++) {
        struct churn_request *request = &stream.requests[i];
        bool aligned = random_next(&random) & 1;

        request->pages = random_pages(&random);
        request->align_mask = aligned ? 15 : 0;
        request->range.size = (uint64_t)request->pages * PAGE;
        request->range.alignment = aligned ? 16 * PAGE : 0;
        request->slot = (uint32_t)(random_next(&random) >> 32);
    }
    return stream;
}

uint32_t churn_segment_pages(uint32_t live)
{
    return (uint32_t)((uint64_t)live * MEAN_PAGES / 9 * 10);
}

uint32_t churn_stream_length(uint64_t segment_pages, uint32_t steps)
{
    return (uint32_t)(segment_pages / MEAN_PAGES * 3 / 2) + 4096 + steps;
}

void churn_init(struct churn *churn, const struct churn_stream *stream, uint64_t segment_pages)
{
    uint32_t slots = churn_stream_length(segment_pages, 0);

    *churn = (struct churn){
        .stream = stream,
        .slot_capacity = slots,
        .limit = segment_pages / 10 * 9,
        .slots = bench_allocate(slots, sizeof *churn->slots),
    };
}

void churn_finish(struct churn *churn)
{
    free(churn->slots);
}
