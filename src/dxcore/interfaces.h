/* interfaces.h: the DXCore interfaces as tables of functions: what a C++ program sees as classes.
 *
 *     object ---> { const struct ..._calls *calls; ... } ---> { QueryInterface, AddRef, ... }
 *
 * Facts of the public header dxcore_interface.h: ids, order of functions, numbers of properties.
 * A reference to a GUID or LUID is a pointer to it.
 */
#ifndef VIDMM_DXCORE_INTERFACES_H
#define VIDMM_DXCORE_INTERFACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

typedef int32_t vidmm_hresult;

#define VIDMM_S_OK 0
#define VIDMM_E_NOINTERFACE ((vidmm_hresult)0x80004002)
#define VIDMM_E_POINTER ((vidmm_hresult)0x80004003)
#define VIDMM_E_FAIL ((vidmm_hresult)0x80004005)
#define VIDMM_E_OUTOFMEMORY ((vidmm_hresult)0x8007000E)
#define VIDMM_E_INVALIDARG ((vidmm_hresult)0x80070057)
#define VIDMM_DXGI_ERROR_INVALID_CALL ((vidmm_hresult)0x887A0001)
#define VIDMM_DXGI_ERROR_UNSUPPORTED ((vidmm_hresult)0x887A0004)
#define VIDMM_DXGI_ERROR_DEVICE_REMOVED ((vidmm_hresult)0x887A0005)

/* DXCoreAdapterProperty. */
enum {
    PROPERTY_LUID = 0,
    PROPERTY_DRIVER_VERSION = 1,
    PROPERTY_DESCRIPTION = 2,
    PROPERTY_HARDWARE_ID = 3,
    PROPERTY_MODEL_VERSION = 4,
    PROPERTY_COMPUTE_PREEMPTION = 5,
    PROPERTY_GRAPHICS_PREEMPTION = 6,
    PROPERTY_DEDICATED_ADAPTER_MEMORY = 7,
    PROPERTY_DEDICATED_SYSTEM_MEMORY = 8,
    PROPERTY_SHARED_SYSTEM_MEMORY = 9,
    PROPERTY_ACG_COMPATIBLE = 10,
    PROPERTY_IS_HARDWARE = 11,
    PROPERTY_IS_INTEGRATED = 12,
    PROPERTY_IS_DETACHABLE = 13,
    PROPERTY_HARDWARE_ID_PARTS = 14,
    PROPERTIES
};

/* DXCoreAdapterState. */
enum { STATE_UPDATE_IN_PROGRESS = 0, STATE_MEMORY_BUDGET = 1, STATES };

/* DXCoreNotificationType. */
enum {
    NOTIFY_LIST_STALE = 0,
    NOTIFY_NO_LONGER_VALID = 1,
    NOTIFY_BUDGET_CHANGE = 2,
    NOTIFY_TEARDOWN = 3,
    NOTIFICATIONS
};

/* DXCoreAdapterPreference. */
enum { PREFERENCES = 3 };

struct hardware_id {
    uint32_t vendor, device, subsystem, revision;
};

struct hardware_id_parts {
    uint32_t vendor, device, subsystem, subsystem_vendor, revision;
};

struct budget_question {
    uint32_t node, group; /* group: 0 local, 1 non-local */
};

struct budget_answer {
    uint64_t budget, usage, available_for_reservation, reservation;
};

struct vidmm_dxcore_object; /* whatever begins with a pointer to its functions */

/* An object's first three functions are those of IUnknown. */
#define UNKNOWN_CALLS(Self)                                                                        \
    vidmm_hresult (*query_interface)(struct Self * self, const GUID *id, void **object);           \
    uint32_t (*add_ref)(struct Self * self);                                                       \
    uint32_t (*release)(struct Self * self)

struct factory;
struct list;
struct adapter;

struct factory_calls {
    UNKNOWN_CALLS(factory);
    vidmm_hresult (*create_adapter_list)(struct factory *self, uint32_t count,
                                         const GUID *attributes, const GUID *id, void **list);
    vidmm_hresult (*get_adapter_by_luid)(struct factory *self, const LUID *luid, const GUID *id,
                                         void **adapter);
    bool (*is_notification_type_supported)(struct factory *self, uint32_t type);
    vidmm_hresult (*register_event_notification)(struct factory *self, void *object, uint32_t type,
                                                 void (*callback)(uint32_t, void *, void *),
                                                 void *context, uint32_t *cookie);
    vidmm_hresult (*unregister_event_notification)(struct factory *self, uint32_t cookie);
};

struct list_calls {
    UNKNOWN_CALLS(list);
    vidmm_hresult (*get_adapter)(struct list *self, uint32_t index, const GUID *id, void **adapter);
    uint32_t (*get_adapter_count)(struct list *self);
    bool (*is_stale)(struct list *self);
    vidmm_hresult (*get_factory)(struct list *self, const GUID *id, void **factory);
    vidmm_hresult (*sort)(struct list *self, uint32_t count, const uint32_t *preferences);
    bool (*is_adapter_preference_supported)(struct list *self, uint32_t preference);
};

struct adapter_calls {
    UNKNOWN_CALLS(adapter);
    bool (*is_valid)(struct adapter *self);
    bool (*is_attribute_supported)(struct adapter *self, const GUID *attribute);
    bool (*is_property_supported)(struct adapter *self, uint32_t property);
    vidmm_hresult (*get_property)(struct adapter *self, uint32_t property, size_t size, void *data);
    vidmm_hresult (*get_property_size)(struct adapter *self, uint32_t property, size_t *size);
    bool (*is_query_state_supported)(struct adapter *self, uint32_t state);
    vidmm_hresult (*query_state)(struct adapter *self, uint32_t state, size_t details_size,
                                 const void *details, size_t size, void *data);
    bool (*is_set_state_supported)(struct adapter *self, uint32_t state);
    vidmm_hresult (*set_state)(struct adapter *self, uint32_t state, size_t details_size,
                               const void *details, size_t size, const void *data);
    vidmm_hresult (*get_factory)(struct adapter *self, const GUID *id, void **factory);
};

/* The one adapter of the machine, and the one factory: counted, and never gone. */
struct adapter {
    const struct adapter_calls *calls;
    _Atomic uint32_t references;
};

extern struct adapter vidmm_dxcore_the_adapter;

bool vidmm_dxcore_is_id(const GUID *id, const GUID *other);
extern const GUID vidmm_dxcore_unknown_id, vidmm_dxcore_adapter_id;

/* Give out the factory. As DXCoreCreateAdapterFactory. */
vidmm_hresult vidmm_dxcore_factory(const GUID *id, void **factory);
/* Give out the adapter. VIDMM_E_POINTER, VIDMM_E_NOINTERFACE. */
vidmm_hresult vidmm_dxcore_get_adapter(const GUID *id, void **adapter);

#endif
