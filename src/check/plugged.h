/* plugged.h: calls of the plug-in's functions, which may write past what they are given. Their
 * faults are said and end the child: they are no findings. */
#ifndef CHECK_PLUGGED_H
#define CHECK_PLUGGED_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plugin.h>

struct vidmm_board;

#define VIDMM_PLUGGED_ERROR 200u /* bytes that `error` of attach has */

/* For whom problems are. */
void vidmm_plugged_use(struct vidmm_board *board);

/* As in vidmm/plugin.h. */
bool vidmm_plugged_attach(const struct vidmm_plugin *plugin, const struct vidmm_bus *bus,
                          const char *text, struct vidmm_device_model *model, char *error);
uint32_t vidmm_plugged_describe(const struct vidmm_plugin *plugin,
                                const struct vidmm_plugin_wish *wish, void *data, uint32_t room);
uint32_t vidmm_plugged_command(const struct vidmm_plugin *plugin,
                               const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                               uint32_t room);

/* The commands of a copy; 0: none. */
uint32_t vidmm_plugged_copy(const struct vidmm_plugin *plugin, uint64_t to, uint64_t from,
                            uint64_t size, void *data, uint32_t room);

#endif
