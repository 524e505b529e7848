/* machine.h: the machine of a Linux process that has loaded libdxcore.so.
 *
 *     first call ---> file of VIDMM_MACHINE ---> GPU and driver, auditor's tap, adapter
 *                                                        |
 *     process 1, 2, ... of the model <--- enter, leave --'
 *
 * It stands from the first call to the end of the Linux process. A fork's child has none, and gets
 * one of its own with its first call: the parent's threads are not there, so what they held is
 * left alone.
 *
 * Owner: machine.c has the one machine there is. Threads: any.
 */
#ifndef VIDMM_DXCORE_MACHINE_H
#define VIDMM_DXCORE_MACHINE_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_thunk_process;

#define VIDMM_DXCORE_DRIVER_VERSION (UINT64_C(1) << 32) /* 0.1.0.0, 16 bits each */

/* The facts about the adapter that never change. */
struct vidmm_dxcore_adapter {
    LUID luid;
    struct vidmm_adapter *adapter;
    uint16_t vendor, device, subsystem_vendor, subsystem; /* of its config space */
    uint8_t revision;
    uint32_t wddm;           /* 26: WDDM 2.6 */
    const char *description; /* UTF-8 */
};

/* Go in, and make the machine if there is none. NULL: there is none and cannot be (why stands on
 * stderr, once), the Linux process ends, or this thread's process of the model has ended; then
 * nobody went in. */
struct vidmm_thunk_process *vidmm_dxcore_enter(void);
void vidmm_dxcore_leave(void);

/* Inside: the adapter. */
const struct vidmm_dxcore_adapter *vidmm_dxcore_adapter(void);

#endif
