/* lock_flags.h: the flags that a lock may have. */
#ifndef VIDMM_CLIENT_LOCK_FLAGS_H
#define VIDMM_CLIENT_LOCK_FLAGS_H

#include <wddm/wddm_types.h>

struct vidmm_lock_arguments;
struct vidmm_report;

/* Refuse a lock by its arguments alone. Refused: the report says why, and nothing has changed. */
NTSTATUS vidmm_lock_check(const struct vidmm_lock_arguments *arguments,
                          struct vidmm_report *report);

#endif
