/* address.h: what thunks that map addresses have in common. */
#ifndef VIDMM_THUNK_ADDRESS_H
#define VIDMM_THUNK_ADDRESS_H

#include <wddm/d3dukmdt_sync.h>

struct vidmm_address_use;

/* Judge the protection of a mapping. STATUS_INVALID_PARAMETER: the reason says why. */
NTSTATUS vidmm_thunk_check_protection(D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE protection);
/* Write state and access as a protection that is legal says. */
void vidmm_thunk_protect(struct vidmm_address_use *use,
                         D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE protection);

#endif
