/* unsupported.h: how a routine that the headers declare and the kit does not have is written. It
 * says so when it is called, and answers what a driver takes for a refusal. */
#ifndef KIT_UNSUPPORTED_H
#define KIT_UNSUPPORTED_H

#include "kit/state.h"

#include <kit/aux_klib.h>
#include <kit/ntifs.h>
#include <kit/wdmsec.h>

#define UNSUPPORTED(answer, type, name, ...)                                                       \
    type name(__VA_ARGS__)                                                                         \
    {                                                                                              \
        vidmm_kit_find(CALLER, VIDMM_KIT_UNSUPPORTED, "%s", __func__);                             \
        return answer;                                                                             \
    }
#define NOT_SUPPORTED(name, ...) UNSUPPORTED(STATUS_NOT_SUPPORTED, NTSTATUS, name, __VA_ARGS__)
#define NOTHING_DONE(name, ...)                                                                    \
    VOID name(__VA_ARGS__)                                                                         \
    {                                                                                              \
        vidmm_kit_find(CALLER, VIDMM_KIT_UNSUPPORTED, "%s", __func__);                             \
    }

/* Their arguments are named for the reader alone. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
