/* stack.h: how much of the stack BuildPagingBuffer uses.
 *
 *      caller's frames ...
 *      ---- entry -------------------------------
 *      frames of the driver        VIDMM_CHECK_STACK bytes: the whole stack of such a thread
 *      ------------------------------------------
 *      known bytes                 SPAN bytes: one that is changed after the call was used
 *
 * Windows calls it on a thread with a stack of 24 KiB, of which 4.8 KiB are in use at entry
 * (measured). Here the stack is larger, so a driver that needs too much works. Frames are as this
 * compiler makes them, so a driver is told only if it uses more than all 24 KiB by itself: the
 * frames of src/kit, which are not those of Windows, do not count.
 */
#ifndef CHECK_STACK_H
#define CHECK_STACK_H

#include <wddm/dispmprt.h>

struct vidmm_board;

#define VIDMM_CHECK_STACK 24576u /* bytes */

/* Call build(adapter, arguments), and find C-041 if it used more than VIDMM_CHECK_STACK. Looks at
 * nothing under a sanitizer, whose frames are larger. */
NTSTATUS vidmm_stack_watch(struct vidmm_board *board, PDXGKDDI_BUILDPAGINGBUFFER build,
                           HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments);

/* Told once the driver's file is loaded: is a sanitizer in it? Then nothing is looked at. */
void vidmm_stack_know(void *driver_file);

#endif
