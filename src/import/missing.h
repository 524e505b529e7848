/*
 * missing.h: the names that a driver that links still lacks. A shared object may have names that
 * nobody defines; they are found out here, and not when it is loaded.
 */
#ifndef VIDMM_IMPORT_MISSING_H
#define VIDMM_IMPORT_MISSING_H

struct vidmm_kit_hints;

/* Say to stderr which names of the driver neither it nor the kit defines, with a hint each. Answers
 * how many there are; 0 too if nm cannot be run. */
unsigned vidmm_kit_missing(struct vidmm_kit_hints *hints, const char *driver);

#endif
