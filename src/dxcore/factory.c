/* factory.c: IDXCoreAdapterFactory, IDXCoreAdapterList, and the function that gives out the
 * factory.
 *
 * While anybody has a reference there is one factory, and one object an adapter, so that programs
 * may compare pointers. Both are static here. Lists are made for those who ask.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dxcore/interfaces.h"
#include "dxcore/machine.h"

enum { COOKIES = 256 };

struct factory {
    const struct factory_calls *calls;
    _Atomic uint32_t references;
};

struct list {
    const struct list_calls *calls;
    _Atomic uint32_t references;
    uint32_t count; /* 0, 1: the adapter has what was asked for, or not */
};

static const GUID factory_id = {
    0x78ee5945, 0xc36e, 0x4b13, {0xa6, 0x69, 0x00, 0x5d, 0xd1, 0x1c, 0x0f, 0x06}};
static const GUID list_id = {
    0x526c7776, 0x40e9, 0x459b, {0xb7, 0x11, 0xf3, 0x2a, 0xd7, 0x6d, 0xfc, 0x28}};

/* ---- lists ----------------------------------------------------------------------------------- */

static uint32_t list_add_ref(struct list *self)
{
    return atomic_fetch_add(&self->references, 1) + 1;
}

static uint32_t list_release(struct list *self)
{
    uint32_t left = atomic_fetch_sub(&self->references, 1) - 1;

    if (left == 0)
        free(self);
    return left;
}

static vidmm_hresult list_query_interface(struct list *self, const GUID *id, void **object)
{
    if (object == NULL)
        return VIDMM_E_POINTER;
    *object = NULL;
    if (id == NULL ||
        (!vidmm_dxcore_is_id(id, &list_id) && !vidmm_dxcore_is_id(id, &vidmm_dxcore_unknown_id)))
        return VIDMM_E_NOINTERFACE;
    list_add_ref(self);
    *object = self;
    return VIDMM_S_OK;
}

static vidmm_hresult list_get_adapter(struct list *self, uint32_t index, const GUID *id,
                                      void **adapter)
{
    if (adapter == NULL)
        return VIDMM_E_POINTER;
    *adapter = NULL;
    if (index >= self->count)
        return VIDMM_E_INVALIDARG;
    return vidmm_dxcore_get_adapter(id, adapter);
}

static uint32_t list_get_adapter_count(struct list *self)
{
    return self->count;
}

/* Nobody plugs an adapter into this machine, or takes one out. */
static bool list_is_stale(struct list *self)
{
    (void)self;
    return false;
}

static vidmm_hresult list_get_factory(struct list *self, const GUID *id, void **factory)
{
    (void)self;
    return vidmm_dxcore_factory(id, factory);
}

static bool list_is_adapter_preference_supported(struct list *self, uint32_t preference)
{
    (void)self;
    return preference < PREFERENCES;
}

/* One adapter at most is in any order. */
static vidmm_hresult list_sort(struct list *self, uint32_t count, const uint32_t *preferences)
{
    (void)self;
    if (count == 0 || preferences == NULL)
        return VIDMM_E_INVALIDARG;
    for (uint32_t i = 0; i < count; i++)
        if (preferences[i] >= PREFERENCES)
            return VIDMM_E_INVALIDARG;
    return VIDMM_S_OK;
}

static const struct list_calls list_calls = {
    list_query_interface,
    list_add_ref,
    list_release,
    list_get_adapter,
    list_get_adapter_count,
    list_is_stale,
    list_get_factory,
    list_sort,
    list_is_adapter_preference_supported,
};

/* ---- the factory ----------------------------------------------------------------------------- */

static vidmm_hresult query_interface(struct factory *self, const GUID *id, void **object)
{
    (void)self;
    return vidmm_dxcore_factory(id, object);
}

static uint32_t add_ref(struct factory *self)
{
    return atomic_fetch_add(&self->references, 1) + 1;
}

static uint32_t release(struct factory *self)
{
    return atomic_fetch_sub(&self->references, 1) - 1;
}

static vidmm_hresult create_adapter_list(struct factory *self, uint32_t count,
                                         const GUID *attributes, const GUID *id, void **object)
{
    struct adapter *adapter = &vidmm_dxcore_the_adapter;
    struct list *list;

    (void)self;
    if (object == NULL)
        return VIDMM_E_POINTER;
    *object = NULL;
    if (count == 0 || attributes == NULL)
        return VIDMM_E_INVALIDARG;
    if (id == NULL || !vidmm_dxcore_is_id(id, &list_id))
        return VIDMM_E_NOINTERFACE;
    list = calloc(1, sizeof(*list));
    if (list == NULL)
        return VIDMM_E_OUTOFMEMORY;
    *list = (struct list){.calls = &list_calls, .references = 1, .count = 1};
    for (uint32_t i = 0; i < count; i++)
        if (!adapter->calls->is_attribute_supported(adapter, &attributes[i]))
            list->count = 0;
    *object = list;
    return VIDMM_S_OK;
}

static vidmm_hresult get_adapter_by_luid(struct factory *self, const LUID *luid, const GUID *id,
                                         void **adapter)
{
    bool found;

    (void)self;
    if (adapter == NULL)
        return VIDMM_E_POINTER;
    *adapter = NULL;
    if (luid == NULL || vidmm_dxcore_enter() == NULL)
        return VIDMM_E_INVALIDARG;
    found = memcmp(luid, &vidmm_dxcore_adapter()->luid, sizeof(*luid)) == 0;
    vidmm_dxcore_leave();
    return found ? vidmm_dxcore_get_adapter(id, adapter) : VIDMM_E_INVALIDARG;
}

/* ---- notifications --------------------------------------------------------------------------- */

/* Those that can be registered tell of what never happens here: a list that is stale, an adapter
 * that is gone while the process lives. So all that there is to keep is which cookies are out. */
static pthread_mutex_t cookie_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool cookies[COOKIES];

static bool is_notification_type_supported(struct factory *self, uint32_t type)
{
    (void)self;
    return type == NOTIFY_LIST_STALE || type == NOTIFY_NO_LONGER_VALID;
}

static vidmm_hresult register_event_notification(struct factory *self, void *object, uint32_t type,
                                                 void (*callback)(uint32_t, void *, void *),
                                                 void *context, uint32_t *cookie)
{
    uint32_t free_one = 0;

    (void)context;
    if (object == NULL || callback == NULL || cookie == NULL)
        return VIDMM_E_POINTER;
    if (type >= NOTIFICATIONS)
        return VIDMM_DXGI_ERROR_INVALID_CALL;
    if (!is_notification_type_supported(self, type))
        return VIDMM_DXGI_ERROR_UNSUPPORTED;
    if ((type == NOTIFY_NO_LONGER_VALID) != (object == (void *)&vidmm_dxcore_the_adapter))
        return VIDMM_E_INVALIDARG;
    pthread_mutex_lock(&cookie_mutex);
    while (free_one < COOKIES && cookies[free_one])
        free_one++;
    if (free_one < COOKIES)
        cookies[free_one] = true;
    pthread_mutex_unlock(&cookie_mutex);
    if (free_one == COOKIES)
        return VIDMM_E_OUTOFMEMORY;
    *cookie = free_one + 1;
    return VIDMM_S_OK;
}

static vidmm_hresult unregister_event_notification(struct factory *self, uint32_t cookie)
{
    bool was = false;

    (void)self;
    pthread_mutex_lock(&cookie_mutex);
    if (cookie > 0 && cookie <= COOKIES) {
        was = cookies[cookie - 1];
        cookies[cookie - 1] = false;
    }
    pthread_mutex_unlock(&cookie_mutex);
    return was ? VIDMM_S_OK : VIDMM_E_INVALIDARG;
}

static const struct factory_calls factory_calls = {
    query_interface,
    add_ref,
    release,
    create_adapter_list,
    get_adapter_by_luid,
    is_notification_type_supported,
    register_event_notification,
    unregister_event_notification,
};

static struct factory the_factory = {.calls = &factory_calls};

vidmm_hresult vidmm_dxcore_factory(const GUID *id, void **factory)
{
    if (factory == NULL)
        return VIDMM_E_POINTER;
    *factory = NULL;
    if (id == NULL ||
        (!vidmm_dxcore_is_id(id, &factory_id) && !vidmm_dxcore_is_id(id, &vidmm_dxcore_unknown_id)))
        return VIDMM_E_NOINTERFACE;
    add_ref(&the_factory);
    *factory = &the_factory;
    return VIDMM_S_OK;
}

vidmm_hresult DXCoreCreateAdapterFactory(const GUID *id, void **factory);

/* E_NOINTERFACE, E_POINTER; E_FAIL: there is no machine, and stderr says why. */
__attribute__((visibility("default"))) vidmm_hresult DXCoreCreateAdapterFactory(const GUID *id,
                                                                                void **factory)
{
    vidmm_hresult result = vidmm_dxcore_factory(id, factory);

    if (result != VIDMM_S_OK)
        return result;
    if (vidmm_dxcore_enter() == NULL) {
        release(*factory);
        *factory = NULL;
        return VIDMM_E_FAIL;
    }
    vidmm_dxcore_leave();
    return VIDMM_S_OK;
}
