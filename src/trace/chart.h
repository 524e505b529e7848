/*
 * chart.h: a picture of who sat where in the segments while a program ran: the picture that `vidmm
 * replay --timeline` draws. A vidmm_timeline is of fences, and another thing.
 *
 *     events, operations --> vidmm_chart --> SVG
 *     frames, names      -->
 *
 *     +--------------------------------------------------+
 *     | addresses of segment 2   ##### ####  ######      |   a colour a kind of allocation, a shade
 *     |   ^   ########################  #########  ####  |   an allocation; white is free
 *     |   |   ####  ###########  ######################  |
 *     +--------------------------------------------------+
 *     | bytes in use, wanted, the size, needed at once   |
 *     +--------------------------------------------------+
 *     | paged in ^, paged out v, a frame                 |
 *     +--------------------------------------------------+
 *            frames -->
 *
 * Its clock is the submission: all between two submissions happens at the first. Frames are marks
 * on that clock, so a picture is the same whatever the machine's speed.
 *
 * It is dark where the reader's system is. If several things are smaller than a pixel, the last of
 * its pixel is drawn. The file has a size of at most about 2 MB, whatever went on. A chart belongs
 * to whoever made it; one thread at a time.
 */
#ifndef VIDMM_TRACE_CHART_H
#define VIDMM_TRACE_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define VIDMM_CHART_CLASSES 16u
#define VIDMM_CHART_SEGMENTS 8u

struct vidmm_chart_segment {
    uint32_t id;
    bool aperture;
    uint64_t size; /* bytes */
};

/* A kind of allocation: its word in the legend and its colour. */
struct vidmm_chart_class {
    const char *name;
    uint16_t hue;       /* 0 .. 359 */
    uint8_t saturation; /* per cent */
};

struct vidmm_chart_options {
    struct vidmm_chart_segment segments[VIDMM_CHART_SEGMENTS];
    uint32_t segment_count;
    /* Class 0 is what allocations are that nobody names; class 1 DMA and paging buffers. */
    struct vidmm_chart_class classes[VIDMM_CHART_CLASSES];
    uint32_t class_count;
    uint32_t table_class; /* of page tables; 0: they are as what nobody names */
    /* The residency lists of devices (listed.h), which their owner keeps up to date; or NULL. A
     * submission that names nothing needs all of its device's list. */
    const struct vidmm_lists *lists;
};

struct vidmm_chart;
struct vidmm_engine_config;
struct vidmm_event;
struct vidmm_lists;
struct vidmm_memory;
struct vidmm_operation;

/* Start with empty segments. The names of classes must stay. NULL: no memory. */
struct vidmm_chart *vidmm_chart_create(const struct vidmm_memory *memory,
                                       const struct vidmm_chart_options *options);
void vidmm_chart_destroy(struct vidmm_chart *chart); /* takes NULL */

/* Take in what the manager hears and does (struct vidmm_observer). Without the engine's
 * configuration page tables are not drawn. */
void vidmm_chart_engine(struct vidmm_chart *chart, const struct vidmm_engine_config *config);
void vidmm_chart_event(struct vidmm_chart *chart, const struct vidmm_event *event);
void vidmm_chart_operation(struct vidmm_chart *chart, const struct vidmm_operation *operation);

/* Say of which class an allocation is, after its creation, and by which number people know it.
 * `wanted`: it may live in memory segments only. */
void vidmm_chart_name(struct vidmm_chart *chart, uint32_t allocation, uint32_t class_index,
                      uint32_t number, bool wanted);

/* Something was missed for want of memory: the chart is not drawn. */
void vidmm_chart_give_up(struct vidmm_chart *chart);

/* A frame has ended. */
void vidmm_chart_frame(struct vidmm_chart *chart);

struct vidmm_chart_text {
    const char *title;    /* one line, large */
    const char *lines[3]; /* below it; NULL: none */
    const char *frame;    /* what a frame is called: "frame", or "submission" */
    const char *axis;     /* what is counted below: "frames", "frames of both programs" */
};

/* The most that live allocations wanted of the memory segments, and that a submission needed there.
 * Bytes. */
void vidmm_chart_peaks(const struct vidmm_chart *chart, uint64_t *wanted, uint64_t *needed);

/* Draw it. False: there was no memory for all that went on, or the file would not take it. */
bool vidmm_chart_write(struct vidmm_chart *chart, const struct vidmm_chart_text *text, FILE *file);

#endif
