/*
 * entry.h: the entry points without which there is no video memory to manage.
 *
 * A driver that lacks another one (display-only drivers have neither Render nor Patch) can still be
 * asked for its segments and be given allocations. A user that needs more than these asks for it in
 * addition. Source: DRIVER_INITIALIZATION_DATA.
 */
#ifndef VIDMM_WDDM_ENTRY_H
#define VIDMM_WDDM_ENTRY_H

#include <wddm/dispmprt.h>

/* Find the first entry point that is missing and must be there. Answers its name; NULL: none is. */
const char *vidmm_entry_missing(const DRIVER_INITIALIZATION_DATA *driver);

#endif
