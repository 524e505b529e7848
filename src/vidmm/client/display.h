/* display.h: displays that end with what they show; display.c. Passive level, the mutex is not
 * held. */
#ifndef VIDMM_CLIENT_DISPLAY_H
#define VIDMM_CLIENT_DISPLAY_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_resource;

/* Whether it is displayed: it cannot be offered, nor get other properties. The mutex is held. */
bool vidmm_display_keeps(struct vidmm_allocation *allocation);

/* Sources that show it are dark from here on: it is about to be destroyed. */
void vidmm_display_forget(struct vidmm_allocation *allocation);
/* ... that show a member of the resource. */
void vidmm_display_forget_resource(struct vidmm_resource *resource);
/* All sources are dark from here on: the adapter is about to lose its power. Between
 * vidmm_alone_begin() and vidmm_alone_end(). */
void vidmm_display_end_all(struct vidmm_adapter *adapter);

#endif
