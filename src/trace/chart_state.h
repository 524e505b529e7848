/* chart_state.h: the memory of a chart. For src/trace/chart*.c only. */
#ifndef VIDMM_TRACE_CHART_STATE_H
#define VIDMM_TRACE_CHART_STATE_H

#include <vidmm/memory.h>

#include "trace/chart.h"

/* An allocation, as far as a picture needs to know it. */
struct chart_owner {
    uint64_t size;
    uint64_t in_memory; /* bytes of its seats there */
    uint32_t number;    /* for people */
    uint32_t last_stay; /* T5: index of stays[] + 1, or 0; the ones before by their `before` */
    uint8_t class_index;
    bool live, wanted;
};

/* A seat from taken to left. Ticks are submissions. */
struct chart_stay {
    uint64_t offset, size;
    uint32_t owner; /* index of owners[] */
    uint32_t begin, end;
    uint32_t before; /* T5 */
    uint8_t segment;
    uint8_t came, went; /* enum vidmm_seat_reason */
    bool open;
};

/* The events of one tick, and the state at its end. Bytes; memory segments only. */
struct chart_tick {
    uint64_t in, out; /* transferred */
    uint64_t used;
    uint64_t wanted; /* live allocations that may live in memory only */
    uint64_t needed; /* by the submission */
};

struct vidmm_chart {
    struct vidmm_memory memory;
    struct vidmm_chart_options options;
    struct vidmm_seats *seats;
    bool out_of_memory;

    struct chart_owner *owners; /* T1: every allocation that ever was, in order of creation */
    uint32_t owner_count, owner_capacity;
    uint32_t *owner_of; /* T2: by the allocation's id: index of owners[] + 1 of the newest, or 0 */
    uint32_t owner_of_capacity;
    uint32_t *table_owner_of; /* T2, of page tables: by the id behind VIDMM_TABLE_IDS */
    uint32_t table_owner_of_capacity;
    uint32_t *device_of; /* by DMA buffer: the device that submitted it last */
    uint32_t device_of_capacity;

    struct chart_stay *stays; /* in order of begin */
    uint32_t stay_count, stay_capacity;

    struct chart_tick *ticks; /* T3: ticks[tick] is the present one */
    uint32_t tick, tick_capacity;
    uint32_t *frames; /* T4: frames[i] is the tick in which frame i ends */
    uint32_t frame_count, frame_capacity;

    uint32_t submitted; /* heard of: T4 counts these, ticks the ones handed to the driver */
    uint64_t used, wanted, needed;
};

#endif
