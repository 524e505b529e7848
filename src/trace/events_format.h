/* events_format.h: the lines of recorded events as tables, for writer (events.c) and reader
 * (events_play.c) alike. */
#ifndef VIDMM_TRACE_EVENTS_FORMAT_H
#define VIDMM_TRACE_EVENTS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/plan.h>

#define VIDMM_EVENTS_FIRST_LINE "# vidmm-events 5"       /* of an adapter below WDDM 2 */
#define VIDMM_EVENTS_FIRST_LINE_WDDM2 "# vidmm-events 6" /* ... and of one at it */
#define VIDMM_EVENTS_RESERVED "reserved"  /* a line behind its segment's: offset, size */
#define VIDMM_EVENTS_PART "part"          /* ... behind these: the segment that it is a part of */
#define VIDMM_EVENTS_IN_TWO "move_in_two" /* ... behind that: a move inside it is two transfers */
#define VIDMM_EVENTS_FIELDS 24u           /* most fields of a line, and one that ends them */

/* A number of an event or of a configuration. */
struct vidmm_events_field {
    const char *name; /* NULL: behind the last */
    uint16_t offset;
    uint16_t width; /* bytes: 1, 4 or 8 */
};

struct vidmm_events_row {
    const char *name; /* NULL: there is no such kind */
    struct vidmm_events_field fields[VIDMM_EVENTS_FIELDS];
};

/* Rows by enum vidmm_event_kind. SUBMIT is followed by its references, then by
 * its patch locations. */
extern const struct vidmm_events_row vidmm_events_rows[VIDMM_EVENTS];
/* The line `engine`, and the line `segment ID`, in names and numbers; and their ends in version
 * 6. */
extern const struct vidmm_events_row vidmm_events_engine_row, vidmm_events_segment_row;
extern const struct vidmm_events_row vidmm_events_wddm2_row, vidmm_events_node_row,
    vidmm_events_isolated_row, vidmm_events_hw_row, vidmm_events_group_row,
    vidmm_events_wddm2_segment_row, vidmm_events_host_row;
/* Whether the line ends in the ids of allocations. */
bool vidmm_events_lists_allocations(const struct vidmm_event *event);
/* Whether it ends in fences with a value each. */
bool vidmm_events_lists_fences(const struct vidmm_event *event);

static inline uint64_t vidmm_events_get(const void *from, const struct vidmm_events_field *field)
{
    const unsigned char *at = (const unsigned char *)from + field->offset;

    switch (field->width) {
    case 1:
        return *at;
    case 4:
        return *(const uint32_t *)(const void *)at;
    default:
        return *(const uint64_t *)(const void *)at;
    }
}

/* False: the number is too large for the field. */
static inline bool vidmm_events_set(void *to, const struct vidmm_events_field *field,
                                    uint64_t number)
{
    unsigned char *at = (unsigned char *)to + field->offset;

    if ((field->width == 1 && number > 1) || (field->width == 4 && number > UINT32_MAX))
        return false;
    if (field->width == 1)
        *at = (unsigned char)number;
    else if (field->width == 4)
        *(uint32_t *)(void *)at = (uint32_t)number;
    else
        *(uint64_t *)(void *)at = number;
    return true;
}

#endif
