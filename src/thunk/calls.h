/* calls.h: the thunks that are built. Each takes the structure of its page; NULL is refused.
 * thunk.h tells what holds for all of them. */
#ifndef VIDMM_THUNK_CALLS_H
#define VIDMM_THUNK_CALLS_H

#include <wddm/d3dkmthk.h>

struct vidmm_thunk_process;

#define BUILT(Name, Arguments)                                                                     \
    NTSTATUS vidmm_thunk_##Name(struct vidmm_thunk_process *process, Arguments *arguments);
#define UNBUILT(Name)
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT

#endif
