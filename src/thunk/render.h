/* render.h: the memory in which a program of WDDM 1.x writes its commands. */
#ifndef VIDMM_THUNK_RENDER_H
#define VIDMM_THUNK_RENDER_H

#include <wddm/d3dkmthk_submit.h>

struct vidmm_command_room;
struct vidmm_context;

/* Memory for the commands of a context, and for the handles that they name. NULL: there is none. */
struct vidmm_command_room *vidmm_command_room_create(const struct vidmm_context *context);
void vidmm_command_room_destroy(struct vidmm_command_room *room); /* takes NULL */
/* Tell the program where it is. */
void vidmm_command_room_answer(struct vidmm_command_room *room, D3DKMT_CREATECONTEXT *arguments);

#endif
