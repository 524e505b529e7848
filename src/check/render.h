/* render.h: has the driver a DxgkDdiRender, or one in name only?
 *
 * A driver that only presents may have the function all the same, which then answers
 * STATUS_NOT_IMPLEMENTED or STATUS_NOT_SUPPORTED. Presents are tried then, as for a driver without
 * it. The function is called with an empty command and lists of nothing, or with what a program
 * might hand it, and what it writes is not submitted.
 */
#ifndef CHECK_RENDER_H
#define CHECK_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/dispmprt.h>

struct vidmm_host;

/* How far it moved its pointers, in bytes and elements. */
struct vidmm_check_rendered {
    bool called;
    NTSTATUS status;
    int64_t dma, private_data, patches;
};

/* True: it is there, and does not say that it is so in name only. context: the driver's handle of a
 * context, or of a device where it has none; info: its DMA buffers. If there is no memory to try
 * it: true. with: the command, and the sizes of the lists that come in, of which the allocation
 * list has one element at most, all zero; NULL: nothing. rendered: receives what it did; NULL if
 * unwanted. */
bool vidmm_check_renders(const DRIVER_INITIALIZATION_DATA *driver, const struct vidmm_host *host,
                         HANDLE context, const DXGK_CONTEXTINFO *info, const DXGKARG_RENDER *with,
                         struct vidmm_check_rendered *rendered);

#endif
