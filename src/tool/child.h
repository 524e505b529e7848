/* child.h: programs that `vidmm record` and `vidmm run` run, with a folder for what they leave. */
#ifndef VIDMM_TOOL_CHILD_H
#define VIDMM_TOOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* Put a value before what a variable has, as a list. */
void vidmm_child_prepend(const char *name, const char *value);

/* Run a program, a list that ends in NULL, and wait for its end; status is as of waitpid(). Ctrl-C
 * goes to the program, as to all that the terminal runs. False: error says why it does not run. */
bool vidmm_child_run(char *const *program, int *status, char *error, size_t error_size);

/* Remove a folder with the files in it. */
void vidmm_child_remove_folder(const char *folder);

#endif
