/* adapter.c: IDXCoreAdapter: the properties of the adapter, from the miniport's answers and its
 * config space; its budget, from the manager. */
#include <stdatomic.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <wddm/d3dkmthk.h>
#include <wddm/ntstatus.h>

#include "dxcore/interfaces.h"
#include "dxcore/machine.h"
#include "thunk/calls.h"

const GUID vidmm_dxcore_unknown_id = {
    0x00000000, 0x0000, 0x0000, {0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
const GUID vidmm_dxcore_adapter_id = {
    0xf0db4c7f, 0xfe5a, 0x42a2, {0xbd, 0x62, 0xf2, 0xa6, 0xcf, 0x6f, 0xc8, 0x3e}};
static const GUID d3d11_graphics = {
    0x8c47866b, 0x7583, 0x450d, {0xf0, 0xf0, 0x6b, 0xad, 0xa8, 0x95, 0xaf, 0x4b}};
static const GUID d3d12_graphics = {
    0x0c9ece4d, 0x2f6e, 0x4f01, {0x8c, 0x96, 0xe8, 0x9e, 0x33, 0x1b, 0x47, 0xb1}};
static const GUID d3d12_core_compute = {
    0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};

bool vidmm_dxcore_is_id(const GUID *id, const GUID *other)
{
    return memcmp(id, other, sizeof(*id)) == 0;
}

static vidmm_hresult query_interface(struct adapter *self, const GUID *id, void **object)
{
    (void)self;
    return vidmm_dxcore_get_adapter(id, object);
}

static uint32_t add_ref(struct adapter *self)
{
    return atomic_fetch_add(&self->references, 1) + 1;
}

static uint32_t release(struct adapter *self)
{
    return atomic_fetch_sub(&self->references, 1) - 1;
}

static bool is_valid(struct adapter *self)
{
    bool valid = vidmm_dxcore_enter() != NULL;

    (void)self;
    if (!valid)
        return false;
    valid = vidmm_adapter_condition(vidmm_dxcore_adapter()->adapter, NULL) == STATUS_SUCCESS;
    vidmm_dxcore_leave();
    return valid;
}

/* Direct3D 12 needs GPU virtual addresses, so WDDM 2.0. */
static bool is_attribute_supported(struct adapter *self, const GUID *attribute)
{
    bool is_new;

    (void)self;
    if (attribute == NULL || vidmm_dxcore_enter() == NULL)
        return false;
    is_new = vidmm_dxcore_adapter()->wddm >= 20;
    vidmm_dxcore_leave();
    return vidmm_dxcore_is_id(attribute, &d3d11_graphics) ||
           (is_new && (vidmm_dxcore_is_id(attribute, &d3d12_graphics) ||
                       vidmm_dxcore_is_id(attribute, &d3d12_core_compute)));
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Bytes of each; 0: not supported. */
static size_t property_size(uint32_t property, const struct vidmm_dxcore_adapter *adapter)
{
    switch (property) {
    case PROPERTY_LUID:
        return sizeof(LUID);
    case PROPERTY_DESCRIPTION:
        return strlen(adapter->description) + 1;
    case PROPERTY_HARDWARE_ID:
        return sizeof(struct hardware_id);
    case PROPERTY_HARDWARE_ID_PARTS:
        return sizeof(struct hardware_id_parts);
    case PROPERTY_MODEL_VERSION:
        return sizeof(uint32_t);
    case PROPERTY_DRIVER_VERSION:
    case PROPERTY_DEDICATED_ADAPTER_MEMORY:
    case PROPERTY_DEDICATED_SYSTEM_MEMORY:
    case PROPERTY_SHARED_SYSTEM_MEMORY:
        return sizeof(uint64_t);
    case PROPERTY_ACG_COMPATIBLE:
    case PROPERTY_IS_HARDWARE:
    case PROPERTY_IS_INTEGRATED:
    case PROPERTY_IS_DETACHABLE:
        return sizeof(bool);
    default:
        return 0;
    }
}

static void put_number(uint64_t number, void *data)
{
    memcpy(data, &number, sizeof(number));
}

static void put_bool(bool value, void *data)
{
    memcpy(data, &value, sizeof(value));
}

static void put_memory(const struct vidmm_dxcore_adapter *adapter, uint32_t property, void *data)
{
    struct vidmm_memory_totals totals;

    vidmm_adapter_memory_totals(adapter->adapter, &totals);
    put_number(property == PROPERTY_DEDICATED_ADAPTER_MEMORY  ? totals.dedicated_video
               : property == PROPERTY_DEDICATED_SYSTEM_MEMORY ? totals.dedicated_system
                                                              : totals.shared,
               data);
}

static void put_ids(const struct vidmm_dxcore_adapter *adapter, bool parts, void *data)
{
    const struct hardware_id whole = {
        adapter->vendor, adapter->device,
        (uint32_t)adapter->subsystem << 16 | adapter->subsystem_vendor, adapter->revision};
    const struct hardware_id_parts apart = {adapter->vendor, adapter->device, adapter->subsystem,
                                            adapter->subsystem_vendor, adapter->revision};

    if (parts)
        memcpy(data, &apart, sizeof(apart));
    else
        memcpy(data, &whole, sizeof(whole));
}

/* Memory of its own: then it is not integrated. */
static bool has_memory(const struct vidmm_dxcore_adapter *adapter)
{
    struct vidmm_memory_totals totals;

    vidmm_adapter_memory_totals(adapter->adapter, &totals);
    return totals.dedicated_video != 0;
}

static void put_property(const struct vidmm_dxcore_adapter *adapter, uint32_t property, void *data)
{
    uint32_t version = adapter->wddm * 100; /* D3DKMT_DRIVERVERSION: 2.6 is 2600 */

    switch (property) {
    case PROPERTY_LUID:
        memcpy(data, &adapter->luid, sizeof(adapter->luid));
        break;
    case PROPERTY_DRIVER_VERSION:
        put_number(VIDMM_DXCORE_DRIVER_VERSION, data);
        break;
    case PROPERTY_DESCRIPTION:
        memcpy(data, adapter->description, strlen(adapter->description) + 1);
        break;
    case PROPERTY_HARDWARE_ID:
    case PROPERTY_HARDWARE_ID_PARTS:
        put_ids(adapter, property == PROPERTY_HARDWARE_ID_PARTS, data);
        break;
    case PROPERTY_MODEL_VERSION:
        memcpy(data, &version, sizeof(version));
        break;
    case PROPERTY_IS_HARDWARE:
        put_bool(true, data);
        break;
    case PROPERTY_IS_INTEGRATED:
        put_bool(!has_memory(adapter), data);
        break;
    case PROPERTY_ACG_COMPATIBLE:
    case PROPERTY_IS_DETACHABLE:
        put_bool(false, data);
        break;
    default:
        put_memory(adapter, property, data);
        break;
    }
}

static bool is_property_supported(struct adapter *self, uint32_t property)
{
    size_t size;

    (void)self;
    if (vidmm_dxcore_enter() == NULL)
        return false;
    size = property_size(property, vidmm_dxcore_adapter());
    vidmm_dxcore_leave();
    return size != 0;
}

static vidmm_hresult get_property_size(struct adapter *self, uint32_t property, size_t *size)
{
    size_t found;

    (void)self;
    if (size == NULL)
        return VIDMM_E_POINTER;
    if (property >= PROPERTIES)
        return VIDMM_DXGI_ERROR_INVALID_CALL;
    if (vidmm_dxcore_enter() == NULL)
        return VIDMM_DXGI_ERROR_DEVICE_REMOVED;
    found = property_size(property, vidmm_dxcore_adapter());
    vidmm_dxcore_leave();
    if (found == 0)
        return VIDMM_DXGI_ERROR_UNSUPPORTED;
    *size = found;
    return VIDMM_S_OK;
}

static vidmm_hresult get_property(struct adapter *self, uint32_t property, size_t size, void *data)
{
    vidmm_hresult result;
    size_t needed;

    if (data == NULL)
        return VIDMM_E_POINTER;
    result = get_property_size(self, property, &needed);
    if (result != VIDMM_S_OK)
        return result;
    if (size < needed)
        return VIDMM_E_INVALIDARG;
    if (vidmm_dxcore_enter() == NULL)
        return VIDMM_DXGI_ERROR_DEVICE_REMOVED;
    memset(data, 0, size);
    put_property(vidmm_dxcore_adapter(), property, data);
    vidmm_dxcore_leave();
    return VIDMM_S_OK;
}

/* ---- states ---------------------------------------------------------------------------------- */

static bool is_query_state_supported(struct adapter *self, uint32_t state)
{
    (void)self;
    return state < STATES;
}

/* Inside. A process has a budget by its devices: it gets one for the question. */
static vidmm_hresult ask_budget(struct vidmm_thunk_process *process,
                                const struct budget_question *question,
                                struct budget_answer *answer)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = vidmm_dxcore_adapter()->luid};
    D3DKMT_QUERYVIDEOMEMORYINFO info = {.MemorySegmentGroup =
                                            (D3DKMT_MEMORY_SEGMENT_GROUP)question->group,
                                        .PhysicalAdapterIndex = question->node};
    D3DKMT_CREATEDEVICE device = {0};
    NTSTATUS status = vidmm_thunk_OpenAdapterFromLuid(process, &open);

    if (status != STATUS_SUCCESS)
        return VIDMM_E_OUTOFMEMORY;
    info.hAdapter = device.hAdapter = open.hAdapter;
    status = vidmm_thunk_CreateDevice(process, &device);
    if (status == STATUS_SUCCESS)
        status = vidmm_thunk_QueryVideoMemoryInfo(process, &info);
    vidmm_thunk_CloseAdapter(process, &(D3DKMT_CLOSEADAPTER){.hAdapter = open.hAdapter});
    if (status != STATUS_SUCCESS)
        return VIDMM_E_INVALIDARG;
    *answer = (struct budget_answer){info.Budget, info.CurrentUsage, info.AvailableForReservation,
                                     info.CurrentReservation};
    return VIDMM_S_OK;
}

static vidmm_hresult query_budget(size_t details_size, const void *details, size_t size, void *data)
{
    struct vidmm_thunk_process *process;
    struct budget_question question;
    struct budget_answer answer;
    vidmm_hresult result;

    if (details == NULL)
        return VIDMM_E_POINTER;
    if (details_size < sizeof(question) || size < sizeof(answer))
        return VIDMM_E_INVALIDARG;
    memcpy(&question, details, sizeof(question));
    process = vidmm_dxcore_enter();
    if (process == NULL)
        return VIDMM_DXGI_ERROR_DEVICE_REMOVED;
    result = ask_budget(process, &question, &answer);
    vidmm_dxcore_leave();
    if (result != VIDMM_S_OK)
        return result;
    memset(data, 0, size);
    memcpy(data, &answer, sizeof(answer));
    return VIDMM_S_OK;
}

static vidmm_hresult query_state(struct adapter *self, uint32_t state, size_t details_size,
                                 const void *details, size_t size, void *data)
{
    (void)self;
    if (state >= STATES)
        return VIDMM_DXGI_ERROR_INVALID_CALL;
    if (data == NULL)
        return VIDMM_E_POINTER;
    if (state == STATE_MEMORY_BUDGET)
        return query_budget(details_size, details, size, data);
    if (size < sizeof(bool))
        return VIDMM_E_INVALIDARG;
    memset(data, 0, size); /* no driver is ever updated here */
    return VIDMM_S_OK;
}

/* No state of this version can be set. */
static bool is_set_state_supported(struct adapter *self, uint32_t state)
{
    (void)self;
    (void)state;
    return false;
}

static vidmm_hresult set_state(struct adapter *self, uint32_t state, size_t details_size,
                               const void *details, size_t size, const void *data)
{
    (void)self;
    (void)details_size;
    (void)details;
    (void)size;
    (void)data;
    return state < STATES ? VIDMM_DXGI_ERROR_UNSUPPORTED : VIDMM_DXGI_ERROR_INVALID_CALL;
}

static vidmm_hresult get_factory(struct adapter *self, const GUID *id, void **factory)
{
    (void)self;
    return vidmm_dxcore_factory(id, factory);
}

static const struct adapter_calls calls = {
    query_interface,
    add_ref,
    release,
    is_valid,
    is_attribute_supported,
    is_property_supported,
    get_property,
    get_property_size,
    is_query_state_supported,
    query_state,
    is_set_state_supported,
    set_state,
    get_factory,
};

struct adapter vidmm_dxcore_the_adapter = {.calls = &calls};

vidmm_hresult vidmm_dxcore_get_adapter(const GUID *id, void **adapter)
{
    if (adapter == NULL)
        return VIDMM_E_POINTER;
    *adapter = NULL;
    if (id == NULL || (!vidmm_dxcore_is_id(id, &vidmm_dxcore_adapter_id) &&
                       !vidmm_dxcore_is_id(id, &vidmm_dxcore_unknown_id)))
        return VIDMM_E_NOINTERFACE;
    add_ref(&vidmm_dxcore_the_adapter);
    *adapter = &vidmm_dxcore_the_adapter;
    return VIDMM_S_OK;
}
