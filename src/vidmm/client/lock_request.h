/* lock_request.h: locks that the engine is asked for. */
#ifndef VIDMM_CLIENT_LOCK_REQUEST_H
#define VIDMM_CLIENT_LOCK_REQUEST_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_allocation;
struct vidmm_request;

/* Beside the flags of D3DDDICB_LOCKFLAGS: it is a Lock2. */
#define VIDMM_LOCK_BY_LOCK2 0x80000000u

/* Lock it, at once or by the engine, waited for as the flags say. Refused: no lock is held.
 * vidmm_lock_why_not() has the words. Passive level, the mutex is not held. */
NTSTATUS vidmm_lock_one(struct vidmm_allocation *allocation, uint32_t flags);
/* Lock it with AcquireAperture: the engine knows which range, if any. `data` is the driver's. */
NTSTATUS vidmm_lock_by_aperture(struct vidmm_allocation *allocation, uint32_t flags, uint32_t data);
/* Have the engine acquire a range for the alternate address, for no lock (S0-049). */
NTSTATUS vidmm_lock_set_up(struct vidmm_allocation *allocation);
/* A lock request is answered: open the word, or change the status. The mutex is held. */
void vidmm_lock_granted(struct vidmm_request *request);
/* Why a lock was refused with this status. */
const char *vidmm_lock_why_not(const struct vidmm_allocation *allocation, NTSTATUS status);

#endif
