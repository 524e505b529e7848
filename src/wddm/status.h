/*
 * status.h: names for NTSTATUS codes, and sentences for those that this interface uses.
 */
#ifndef VIDMM_WDDM_STATUS_H
#define VIDMM_WDDM_STATUS_H

#include <wddm/wddm_types.h>

struct vidmm_text;

struct vidmm_status {
    NTSTATUS status;
    const char *name;     /* as in the documents: STATUS_NO_MEMORY */
    const char *sentence; /* its meaning, no capital, no full stop */
};

/* Find the row of a code; NULL: a code that this interface does not use. */
const struct vidmm_status *vidmm_status_find(NTSTATUS status);

/* The name of a code, of the display interface or of the kernel at large; NULL: it has none
 * here. */
const char *vidmm_status_name(NTSTATUS status);

/* Append the name, or the number in hexadecimal if there is none. */
void vidmm_status_print(struct vidmm_text *text, NTSTATUS status);

#endif
