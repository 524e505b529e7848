/* aperture_address.h: the address by which a driver's CPU code sees what MapApertureSegment2 maps.
 *
 *     created     map      again, in another aperture      unmap      unmap the other
 *     A ready     A given  A given                         A stays    A gone, B ready
 *
 * It is there from the creation on, so that no mapping fails for want of addresses, and the driver
 * has it from the first map to the last unmap.
 */
#ifndef VIDMM_OBJECT_APERTURE_ADDRESS_H
#define VIDMM_OBJECT_APERTURE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_allocation;

/* Make one ready for an allocation that has its pages. False: no memory, or no address space;
 * nothing has changed. */
bool vidmm_aperture_address_init(struct vidmm_allocation *allocation);
/* The address for a mapping at this page of an aperture, which may be asked for again. NULL: the
 * driver did not ask for one. */
void *vidmm_aperture_address_give(struct vidmm_allocation *allocation, uint32_t segment,
                                  uint64_t offset);
/* The mapping is gone. After the last one the address shows nothing; where no other can be had in
 * its place it stays. */
void vidmm_aperture_address_take(struct vidmm_allocation *allocation, uint32_t segment,
                                 uint64_t offset);
/* Takes an allocation without one, too. */
void vidmm_aperture_address_finish(struct vidmm_allocation *allocation);

#endif
