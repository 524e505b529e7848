/*
 * status.h: names and sentences for NTSTATUS codes: the one status table.
 */
#ifndef VIDMM_WDDM_STATUS_H
#define VIDMM_WDDM_STATUS_H

#include <wddm/ntstatus.h>

#include "base/text.h"

struct vidmm_status {
    NTSTATUS status;
    const char *name;     /* as in the documents: STATUS_NO_MEMORY */
    const char *sentence; /* what it means, no capital, no full stop */
};

/* Find the row of a code; NULL: a code that this interface does not use. */
const struct vidmm_status *vidmm_status_find(NTSTATUS status);

/* Append the name, or the number in hexadecimal if there is no row. */
void vidmm_status_print(struct vidmm_text *text, NTSTATUS status);

#endif
