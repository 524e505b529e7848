/* fault.h: a fault of the driver in somebody else's process is told, and left to the process.
 *
 *     SIGSEGV ... --> manager's windows --> kit (__try) --> here: say whose it was --> whoever had
 *                                                                                      the signal
 *
 * The process ends as it would without: nothing is caught for it.
 */
#ifndef VIDMM_DXCORE_FAULT_H
#define VIDMM_DXCORE_FAULT_H

#include <stddef.h>

/* Told of a fault, in the signal. */
struct vidmm_fault_owner {
    void *argument;
    void (*fell)(void *argument, const char *text);
};

/* Watch from now on, before the kernel starts. driver_file: as dlopen() has answered it. */
void vidmm_fault_watch(void *driver_file, const char *driver,
                       const struct vidmm_fault_owner *owner);
void vidmm_fault_forget(void);

/* Around each call of the driver: this thread is in it. The answer of `enter` is for `leave`. */
void *vidmm_fault_enter(const char *call);
void vidmm_fault_leave(void *entered);
/* The call that this thread is in. */
const char *vidmm_fault_call(void);

/* An address as a file and an offset in it, for addr2line; the driver's file has the name by which
 * it was loaded first. Empty: it is in no file. */
void vidmm_fault_place(const void *place, char *text, size_t size);

/* End the process; what is to be said has been. */
_Noreturn void vidmm_fault_abort(void);

#endif
