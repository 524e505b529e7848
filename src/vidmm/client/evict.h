/* evict.h: evictions that queued changes of addresses hold back; make_resident.c. */
#ifndef VIDMM_CLIENT_EVICT_H
#define VIDMM_CLIENT_EVICT_H

struct vidmm_adapter;

/* Changes have gone: what none needs any more is held no longer. The mutex is held. */
void vidmm_evictions_let_go(struct vidmm_adapter *adapter);

#endif
