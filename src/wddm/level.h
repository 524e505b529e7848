/*
 * level.h: which WDDM a miniport was built for.
 *
 * The binary interface grows with the level: a miniport built for an older one has shorter structs,
 * and only DRIVER_INITIALIZATION_DATA.Version tells (DXGK_DRIVERCAPS.WDDMVersion does not, D-288).
 * A level is written as one comparable number, VIDMM_LEVEL(1, 3).
 */
#ifndef VIDMM_WDDM_LEVEL_H
#define VIDMM_WDDM_LEVEL_H

#include <stddef.h>
#include <stdint.h>

#define VIDMM_LEVEL(major, minor) ((uint16_t)((major) << 8 | (minor)))

/* The differences between levels: the two function tables, the capabilities. Sizes in bytes. */
struct vidmm_level {
    uint16_t level;
    uint32_t version;      /* the first DXGKDDI_INTERFACE_VERSION of the level */
    size_t driver_size;    /* of DRIVER_INITIALIZATION_DATA */
    size_t interface_size; /* of DXGKRNL_INTERFACE */
    size_t caps_size;      /* of DXGK_DRIVERCAPS */
};

/*
 * Find the level of a DXGKDDI_INTERFACE_VERSION: the newest one that is not newer.
 * NULL: older than Windows Vista's, which is no version at all.
 */
const struct vidmm_level *vidmm_level_find(uint32_t version);

/*
 * Say how long DXGK_DRIVERCAPS is for a driver of a level, in bytes: QueryAdapterInfo is told this
 * size, and fills in no more. A level between two rows has the size of the older.
 */
size_t vidmm_level_caps_size(uint16_t level);

#endif
