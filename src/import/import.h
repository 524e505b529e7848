/*
 * import.h: `vidmm kit import`: a driver's own project files, turned into one for the kit.
 */
#ifndef VIDMM_IMPORT_IMPORT_H
#define VIDMM_IMPORT_IMPORT_H

/* Import by arguments[0 .. count - 1]. Answers the exit status: 0, or 2 with the reason on
 * stderr. */
int vidmm_kit_import(int count, char *const *arguments);

#endif
