/* calls.h: the thunks that are built. Each takes the structure of its page (d3dkmthk.h); NULL is
 * refused.
 * thunk.h tells what holds for all of them. */
#ifndef VIDMM_THUNK_CALLS_H
#define VIDMM_THUNK_CALLS_H

#include <wddm/wddm_types.h>

struct vidmm_thunk_process;

#define BUILT(Name, Arguments)                                                                     \
    struct _##Arguments;                                                                           \
    NTSTATUS vidmm_thunk_##Name(struct vidmm_thunk_process *process,                               \
                                struct _##Arguments *arguments);
#define UNBUILT(Name)
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT

#endif
