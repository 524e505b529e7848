/* build_virtual.h: the paging operations of a GPU with page tables, as DxgkDdiBuildPagingBuffer is
 * asked for them.
 *
 * Source: DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL, .._FILLVIRTUAL, .._UPDATEPAGETABLE, .._FLUSHTLB.
 */
#ifndef VIDMM_DDI_BUILD_VIRTUAL_H
#define VIDMM_DDI_BUILD_VIRTUAL_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_operation;
struct _DXGKARG_BUILDPAGINGBUFFER;

/* Whether the operation is of those that address_space and page tables are about. */
bool vidmm_is_virtual(const struct vidmm_operation *operation);
/* Whether nobody is to be asked for it: a map or unmap of an aperture that no address goes through.
 * allocation: NULL, it is about none. */
bool vidmm_is_for_nobody(const struct vidmm_allocation *allocation,
                         const struct vidmm_operation *operation);
/* Write its arguments. `allocation`: NULL, it is about none. */
void vidmm_fill_virtual(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation,
                        struct _DXGKARG_BUILDPAGINGBUFFER *arguments);

#endif
