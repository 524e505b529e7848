/* let_go.h: the engine is to let go of one record. */
#ifndef VIDMM_CLIENT_LET_GO_H
#define VIDMM_CLIENT_LET_GO_H

#include <stdbool.h>

struct vidmm_allocation;

/* Unlock one record and have the engine let go of it; the pump's client hears when it has. An
 * allocation's instances are not looked at. destroyed: by its owner, by itself. It cannot fail. The
 * mutex is not held. */
void vidmm_record_let_go(struct vidmm_allocation *allocation, bool destroyed);

#endif
