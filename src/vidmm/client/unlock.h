/* unlock.h: the ends of locks. Passive level, the mutex is not held. */
#ifndef VIDMM_CLIENT_UNLOCK_H
#define VIDMM_CLIENT_UNLOCK_H

struct vidmm_allocation;

/* Tell the engine that no lock is held any more. */
void vidmm_unlock_tell(struct vidmm_allocation *allocation);
/* Unlock what is still locked of it, and note that the program did not. */
void vidmm_unlock_all(struct vidmm_allocation *opened);

#endif
