/*
 * process.h: run a compiler, and listen to what it says.
 */
#ifndef VIDMM_IMPORT_PROCESS_H
#define VIDMM_IMPORT_PROCESS_H

struct vidmm_kit_hints;
struct vidmm_texts;

/*
 * Run a program, its standard error through `hints` line by line; NULL: as it is.
 *
 * Answers its exit status; 128 and the signal's number if a signal ended it; 127 if it could not be
 * started, which is said.
 */
int vidmm_kit_run(const struct vidmm_texts *command, struct vidmm_kit_hints *hints);

/* Run a program and drop what it says of errors. Answers as above. */
int vidmm_kit_run_quietly(const struct vidmm_texts *command);

/* Remove a folder and all in it. */
void vidmm_kit_remove_folder(const char *path);

#endif
