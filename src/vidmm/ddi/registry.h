/* registry.h: the adapters that run, by their numbers, so that a handle alone leads to its object.
 * No memory is allocated, and all may be called by any thread.
 */
#ifndef VIDMM_DDI_REGISTRY_H
#define VIDMM_DDI_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_link;

/* Give the adapter a number. False: there are too many, and it has none. */
bool vidmm_adapter_register(struct vidmm_adapter *adapter);
/* Take the number back. */
void vidmm_adapter_unregister(struct vidmm_adapter *adapter);
/* The physical adapter that a callback is about; NULL: the handle is none. Any level. */
struct vidmm_link *vidmm_ddi_called_back(HANDLE handle);
/* The object of a 32-bit handle, of the type that is asked for (enum vidmm_handle_type); NULL:
 * there is none. Takes the mutex of its adapter. */
void *vidmm_registry_find(uint32_t handle, uint8_t type);
/* Find it as vidmm_registry_find() does; the mutex of its adapter is held behind it, unless it
 * answers NULL. *adapter receives
 * the adapter of the handle, or NULL. */
void *vidmm_registry_find_and_lock(uint32_t handle, uint8_t type, struct vidmm_adapter **adapter);
/* The object of a handle, as vidmm_registry_find() has it; NULL as well if it is of another
 * adapter. */
void *vidmm_registry_find_in(const struct vidmm_adapter *adapter, HANDLE handle, uint8_t type);

#endif
