/* plain_access.h: one instruction that touches registers, done by the kit.
 *
 *     fault in a window --> seh.c --> vidmm_kit_plain_access() --> vidmm_kit_plain_execute()
 *                                                                    | each operand in memory
 *                                     register_plain(), memcpy() <-- vidmm_kit_plain_touch()
 *
 * plain_x64.c and plain_arm64.c know the instructions of their machines; plain_access.c all else.
 */
#ifndef VIDMM_KIT_PLAIN_ACCESS_H
#define VIDMM_KIT_PLAIN_ACCESS_H

#include <stdbool.h>

/* Do the instruction that faulted; `context` is the fault's ucontext_t, and stands behind the
 * instruction then. `caller` is for findings. False: the instruction is not known, and nothing has
 * happened (P1). */
bool vidmm_kit_plain_execute(void *address, void *context, const void *caller);

/* Read or write an operand: of the device where it lies in a window, of memory elsewhere. */
void vidmm_kit_plain_touch(const void *caller, char *address, void *value, unsigned length,
                           bool write);

#endif
