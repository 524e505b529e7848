/* plugged.h: calls of the plug-in's functions, which may write past what they are given. Such
 * a fault is told, and nothing goes on: it is no finding. */
#ifndef VIDMM_MINIPORT_PLUGGED_H
#define VIDMM_MINIPORT_PLUGGED_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plugin.h>

#define VIDMM_PLUGGED_ERROR 200u /* bytes that `error` of attach has */

/* Tell faults by `failed`, which does not return. */
void vidmm_plugged_use(void (*failed)(void *argument, const char *text), void *argument);

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
