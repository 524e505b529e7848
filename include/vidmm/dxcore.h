/* dxcore.h: calls of libdxcore.so that Windows does not have: several processes in one.
 *
 *     program --- D3DKMT... ---> libdxcore.so --- thunks ---> manager --- driver, GPU
 *        '------- vidmm_process_enter(2): this thread is of another process of the model
 *
 * The library gives a Linux process a machine of its own with one adapter, at its first call. The
 * file named by VIDMM_MACHINE describes the adapter: a software GPU, or a miniport compiled with
 * the kit (docs/machine.md). Calls belong to process 1 of that machine, unless the thread has
 * entered another.
 */
#ifndef VIDMM_DXCORE_H
#define VIDMM_DXCORE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Processes of a machine, at most. */
#define VIDMM_DXCORE_PROCESSES 64u

/* From now on the calls of this thread are those of process `number`, which begins with the first
 * thread that enters it. number: 1 or more; 1 is the process that every thread is of at first.
 * False: the number is 0, there are VIDMM_DXCORE_PROCESSES, there is no memory, or no machine;
 * nothing has changed. */
bool vidmm_process_enter(uint64_t number);

/* End a process: what it has left goes. Waits for the GPU. Calls of threads that are of it are
 * refused from then on, until it is entered anew. number: 2 or more. False: it is none; nothing has
 * changed. No thread is in a call of it. */
bool vidmm_process_end(uint64_t number);

/* Why the newest call of this thread was refused, in words; "" at first. Valid until its next
 * call. */
const char *vidmm_refusal(void);

#ifdef __cplusplus
}
#endif

#endif
