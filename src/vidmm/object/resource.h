/* resource.h: a resource as the rooms around the engine know it. A structure and no more;
 * client/resource.c and client/gone.c say what holds.
 */
#ifndef VIDMM_OBJECT_RESOURCE_H
#define VIDMM_OBJECT_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_device;

/* Allocations that belong together, as one device has them open; of a shared one there is an
 * original too (struct vidmm_allocation). */
struct vidmm_resource {
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_resource *next, **link; /* of its device */
    struct vidmm_resource *original;     /* NULL: this is it */
    struct vidmm_allocation *members;
    struct vidmm_allocation **end; /* of these, where the next one joins; not of an opening */
    HANDLE h_resource;             /* the miniport's */
    uint64_t process;              /* the process that created it */
    uint32_t id;                   /* in the adapter's handles; 0: none yet */
    uint32_t count;                /* members */
    uint32_t pending;              /* members that the engine must let go of before the resource can
                                    * go */
    uint32_t openings;             /* of an original */
    HANDLE *handles; /* room for as many as `room`, for the calls that close and destroy */
    uint32_t room;
    bool shared, primary;
    bool over_heap; /* its allocation is */
    bool created;   /* the miniport knows it */
    bool emptied;   /* its last allocation was freed alone */
    bool dying;
    uint32_t private_data_size;
    _Alignas(16) uint8_t private_data[]; /* as above */
};

#endif
