/* submit_command.h: commands that a program has written, for a context or a hardware queue. */
#ifndef VIDMM_CLIENT_SUBMIT_COMMAND_H
#define VIDMM_CLIENT_SUBMIT_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_command;
struct vidmm_context;
struct vidmm_report;

/* As vidmm_submit_command(). progress: in the lane of a hardware queue the id of the commands,
 * greater than the one before it; otherwise 0. */
NTSTATUS vidmm_submit_commands(struct vidmm_context *context, const struct vidmm_command *command,
                               uint64_t progress, bool wait, uint64_t *value,
                               struct vidmm_report *report);

#endif
