/*
 * wpp.h: the log macros that the software trace preprocessor would make.
 *
 *     // begin_wpp config
 *     // FUNC TraceError{LEVEL=TRACE_LEVEL_ERROR}(FLAGS, MSG, ...);
 *     // USEPREFIX(TraceError, "error: ");
 *     // end_wpp
 *
 * Such comments are all there is of a driver's log macros. From them comes the text of the .tmh
 * file that each of its sources includes: a macro a FUNC, which ends in vidmm_kit_trace()
 * (WppRecorder.h).
 *
 * Source: "WPP preprocessor", "Can I customize DoTraceMessage?" of the public documentation.
 */
#ifndef VIDMM_IMPORT_WPP_H
#define VIDMM_IMPORT_WPP_H

#include "import/arena.h"

struct vidmm_kit_wpp {
    struct vidmm_texts names, parameters, levels, prefixes, suffixes; /* a FUNC an index */
};

/* Take what the configuration blocks in a file's text say. A FUNC that is there already is
 * replaced. */
void vidmm_kit_wpp_read(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *text);

/* Take a FUNC as a project or tracewpp's -func: gives it: NAME(PARAMETER, ..., MSG, ...), with or
 * without FUNC before it. */
void vidmm_kit_wpp_func(struct vidmm_arena *arena, struct vidmm_kit_wpp *wpp, const char *text);

/* The text of a .tmh file. */
char *vidmm_kit_wpp_header(struct vidmm_arena *arena, const struct vidmm_kit_wpp *wpp);

#endif
