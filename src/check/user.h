/* user.h: a user-mode driver for a miniport that nobody wrote one for.
 *
 * Private data of an allocation: of the plug-in, of the configuration, of
 * DxgkDdiGetStandardAllocationDriverData, or none. Commands: of the plug-in, or none.
 */
#ifndef CHECK_USER_H
#define CHECK_USER_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plugin.h>
#include <wddm/dispmprt.h>

#define VIDMM_USER_PRIVATE 256u /* most bytes of an allocation's private data */

/* The sources of private data, best first. */
enum vidmm_user_source {
    VIDMM_USER_PLUGIN,
    VIDMM_USER_CONFIGURED,
    VIDMM_USER_SHADOW,
    VIDMM_USER_STAGING,
    VIDMM_USER_PRIMARY,
    VIDMM_USER_NOTHING,
    VIDMM_USER_SOURCES
};

struct vidmm_user {
    const DRIVER_INITIALIZATION_DATA *driver;
    HANDLE adapter; /* AddDevice's result */
    const struct vidmm_plugin *plugin;
    const struct vidmm_miniport_configuration *habits;
};

/* Describe an allocation of about `size` bytes. False: this source has nothing to say. */
bool vidmm_user_describe(const struct vidmm_user *user, enum vidmm_user_source source,
                         const struct vidmm_plugin_wish *wish, uint8_t *data, uint32_t *data_size);

#endif
