/*
 * parser.h: text of a trace, in pieces, to a trace in memory. For src/trace/read.c and tests.
 *
 *     begin -> feed -> feed -> ... -> finish
 *
 * After a refusal every further feed is refused too, and finish answers NULL.
 */
#ifndef VIDMM_TRACE_PARSER_H
#define VIDMM_TRACE_PARSER_H

#include <stdbool.h>
#include <stddef.h>

struct vidmm_memory;
struct vidmm_trace_error;
struct vidmm_trace_parser;

/* `error` and `name` are used until finish. NULL: no memory; error says so. */
struct vidmm_trace_parser *vidmm_trace_parser_begin(const struct vidmm_memory *memory,
                                                    const char *name,
                                                    struct vidmm_trace_error *error);
/* Take the next bytes, cut anywhere. False: refused; error says why. */
bool vidmm_trace_parser_feed(struct vidmm_trace_parser *parser, const char *bytes, size_t size);
/* Refuse the trace at the line that was begun last. `what` is the sentence. */
void vidmm_trace_parser_refuse(struct vidmm_trace_parser *parser, const char *what);
/* The end of the text: hand out the trace and take the parser apart. NULL: refused. */
struct vidmm_trace *vidmm_trace_parser_finish(struct vidmm_trace_parser *parser);

#endif
