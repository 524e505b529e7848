// enumerate.cc: a program in C++ that finds the adapter by DXCore, with the headers of
// directx-headers-dev and nothing of the project's, and then does what program.c does.
//
//     enumerate THREADS [MIB LEVEL DESCRIPTION DEVICE ALLOCATIONS]
//
// The adapter's memory, its WDDM level (2600 is 2.6), a part of its description and its device id:
// as of the software GPU by default. Memory of others does not count against a budget (D-205).
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <wsl/winadapter.h>

#include <directx/dxcore.h>
#include <dxguids/dxguids.h>

extern "C" void begin_other_process(void);
extern "C" int play(int threads, int allocations);

static int failed;

static struct {
    uint64_t mib;
    uint32_t level;
    const char *description;
    uint32_t device; // 0: any
    int allocations;
    bool has_budget;
} expected = {256, 2600, "software GPU", 0, 1000, true};

static void expect(const char *what, bool right)
{
    if (right)
        return;
    fprintf(stderr, "enumerate: %s\n", what);
    failed = 1;
}

template <class T> static T property(IDXCoreAdapter *adapter, DXCoreAdapterProperty which)
{
    T value;
    size_t size = 0;

    memset(&value, 0xEE, sizeof(value));
    expect("a property is supported", adapter->IsPropertySupported(which));
    expect("its size", adapter->GetPropertySize(which, &size) == S_OK && size == sizeof(value));
    expect("a short buffer is refused",
           adapter->GetProperty(which, sizeof(value) - 1, &value) == E_INVALIDARG);
    expect("it is answered", adapter->GetProperty(which, &value) == S_OK);
    return value;
}

static void look_at_properties(IDXCoreAdapter *adapter)
{
    DXCoreHardwareIDParts parts =
        property<DXCoreHardwareIDParts>(adapter, DXCoreAdapterProperty::HardwareIDParts);
    DXCoreHardwareID whole = property<DXCoreHardwareID>(adapter, DXCoreAdapterProperty::HardwareID);
    char text[100];
    size_t size = 0;

    expect("ids agree", parts.vendorID == whole.vendorID && parts.deviceID == whole.deviceID);
    expect("the vendor is one", parts.vendorID != 0 && parts.vendorID != 0xFFFF);
    expect("the device", expected.device == 0 || parts.deviceID == expected.device);
    expect("hardware", property<bool>(adapter, DXCoreAdapterProperty::IsHardware));
    expect("not integrated", !property<bool>(adapter, DXCoreAdapterProperty::IsIntegrated));
    expect("its memory",
           property<uint64_t>(adapter, DXCoreAdapterProperty::DedicatedAdapterMemory) ==
               expected.mib << 20);
    expect("its WDDM level",
           property<uint32_t>(adapter, DXCoreAdapterProperty::KmdModelVersion) == expected.level);
    expect("a description",
           adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size) == S_OK &&
               size <= sizeof(text) &&
               adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, size, text) == S_OK &&
               strstr(text, expected.description) != nullptr);
    expect("property 99 is none",
           adapter->GetPropertySize((DXCoreAdapterProperty)99, &size) == (HRESULT)0x887A0001);
    expect("preemption is not told",
           adapter->GetPropertySize(DXCoreAdapterProperty::ComputePreemptionGranularity, &size) ==
               (HRESULT)0x887A0004);
}

static void look_at_budget(IDXCoreAdapter *adapter)
{
    DXCoreAdapterMemoryBudgetNodeSegmentGroup local = {0, DXCoreSegmentGroup::Local};
    DXCoreAdapterMemoryBudget budget = {};

    expect("a budget is answered",
           adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &local, &budget) == S_OK);
    expect("it is of the memory",
           (budget.budget > 0) == expected.has_budget && budget.budget <= expected.mib << 20);
    local.nodeIndex = 7;
    expect("node 7 is none", adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &local,
                                                 &budget) == E_INVALIDARG);
    expect("a state is not to be set",
           !adapter->IsSetStateSupported(DXCoreAdapterState::AdapterMemoryBudget));
    expect("nor can it be", adapter->SetState(DXCoreAdapterState::AdapterMemoryBudget, &local,
                                              &budget) == (HRESULT)0x887A0004);
    expect("one that is none neither",
           adapter->SetState((DXCoreAdapterState)99, &local, &budget) == (HRESULT)0x887A0001);
    expect("both states are to be asked for",
           adapter->IsQueryStateSupported(DXCoreAdapterState::AdapterMemoryBudget) &&
               adapter->IsQueryStateSupported(DXCoreAdapterState::IsDriverUpdateInProgress));
    expect("state 99 is none", !adapter->IsQueryStateSupported((DXCoreAdapterState)99));
}

// Each attribute that there is, by the adapter and by a list; one of nobody in a list empties it.
static void look_at_attributes(IDXCoreAdapterFactory *factory, IDXCoreAdapter *adapter)
{
    const GUID attributes[] = {DXCORE_ADAPTER_ATTRIBUTE_D3D11_GRAPHICS,
                               DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS,
                               DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE,
                               {}};
    IDXCoreAdapterList *list = nullptr;

    for (uint32_t i = 0; i < 4; i++) {
        expect("an attribute of the adapter",
               adapter->IsAttributeSupported(attributes[i]) == (i < 3));
        expect("an attribute asked for",
               factory->CreateAdapterList(1, &attributes[i], &list) == S_OK &&
                   list->GetAdapterCount() == (i < 3 ? 1 : 0));
        list->Release();
        expect("several", factory->CreateAdapterList(i + 1, attributes, &list) == S_OK &&
                              list->GetAdapterCount() == (i < 3 ? 1 : 0));
        list->Release();
    }
}

static void look_at_order(IDXCoreAdapterList *list)
{
    const DXCoreAdapterPreference all[] = {
        DXCoreAdapterPreference::Hardware, DXCoreAdapterPreference::MinimumPower,
        DXCoreAdapterPreference::HighPerformance, (DXCoreAdapterPreference)99};
    IDXCoreAdapter *adapter = nullptr;

    for (uint32_t i = 0; i < 4; i++)
        expect("a preference", list->IsAdapterPreferenceSupported(all[i]) == (i < 3));
    expect("a list is sorted", list->Sort(3, all) == S_OK);
    expect("by none", list->Sort(0, all) == E_INVALIDARG);
    expect("by one that is none", list->Sort(4, all) == E_INVALIDARG);
    expect("it has what it had", list->GetAdapterCount() == 1 &&
                                     list->GetAdapter(0, &adapter) == S_OK && adapter->IsValid());
    adapter->Release();
}

static void ignore(DXCoreNotificationType, IUnknown *, void *)
{
}

static void look_at_notifications(IDXCoreAdapterFactory *factory, IDXCoreAdapterList *list,
                                  IDXCoreAdapter *adapter)
{
    uint32_t cookie = 0;

    expect("a stale list is told of",
           factory->RegisterEventNotification(list, DXCoreNotificationType::AdapterListStale,
                                              ignore, nullptr, &cookie) == S_OK &&
               cookie != 0);
    expect("it is forgotten", factory->UnregisterEventNotification(cookie) == S_OK);
    expect("once", factory->UnregisterEventNotification(cookie) == E_INVALIDARG);
    expect("a list is no adapter",
           factory->RegisterEventNotification(list, DXCoreNotificationType::AdapterNoLongerValid,
                                              ignore, nullptr, &cookie) == E_INVALIDARG);
    for (uint32_t type = 0; type < 5; type++)
        expect("two types of notifications",
               factory->IsNotificationTypeSupported((DXCoreNotificationType)type) ==
                   (type == (uint32_t)DXCoreNotificationType::AdapterListStale ||
                    type == (uint32_t)DXCoreNotificationType::AdapterNoLongerValid));
    expect("budgets are not told of",
           factory->RegisterEventNotification(adapter, DXCoreNotificationType::AdapterBudgetChange,
                                              ignore, nullptr, &cookie) == (HRESULT)0x887A0004);
}

static void look_at_objects(IDXCoreAdapterFactory *factory, IDXCoreAdapterList *list,
                            IDXCoreAdapter *adapter)
{
    const GUID none = {};
    IDXCoreAdapter *again = nullptr;
    IDXCoreAdapterFactory *same = nullptr;
    IDXCoreAdapterList *empty = nullptr;
    IUnknown *unknown = nullptr;
    LUID luid = property<LUID>(adapter, DXCoreAdapterProperty::InstanceLuid);

    expect("an adapter is one object",
           factory->GetAdapterByLuid(luid, &again) == S_OK && again == adapter);
    again->Release();
    luid.LowPart++;
    expect("a LUID of nobody", factory->GetAdapterByLuid(luid, &again) == E_INVALIDARG && !again);
    expect("the factory is one object", list->GetFactory(&same) == S_OK && same == factory);
    same->Release();
    expect("an adapter knows it too", adapter->GetFactory(&same) == S_OK && same == factory);
    same->Release();
    expect("all of them are IUnknown", adapter->QueryInterface(&unknown) == S_OK);
    unknown->Release();
    expect("an adapter is no list", adapter->QueryInterface(&empty) == E_NOINTERFACE && !empty);
    expect("attributes are asked for",
           factory->CreateAdapterList(0, nullptr, &empty) == E_INVALIDARG);
    expect("an attribute of nobody", factory->CreateAdapterList(1, &none, &empty) == S_OK &&
                                         empty->GetAdapterCount() == 0 &&
                                         empty->GetAdapter(0, &again) == E_INVALIDARG);
    empty->Release();
}

int main(int count, char **arguments)
{
    IDXCoreAdapterFactory *factory = nullptr;
    IDXCoreAdapterList *list = nullptr;
    IDXCoreAdapter *adapter = nullptr;
    int threads = count >= 2 ? atoi(arguments[1]) : 1;

    if (count == 7) {
        expected.mib = strtoull(arguments[2], nullptr, 10);
        expected.level = (uint32_t)atoi(arguments[3]);
        expected.description = arguments[4];
        expected.device = (uint32_t)strtoul(arguments[5], nullptr, 0);
        expected.allocations = atoi(arguments[6]);
        expected.has_budget = false;
    }

    begin_other_process();
    if (DXCoreCreateAdapterFactory(&factory) != S_OK ||
        factory->CreateAdapterList(1, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE, &list) !=
            S_OK ||
        list->GetAdapterCount() != 1 || list->GetAdapter(0, &adapter) != S_OK) {
        fprintf(stderr, "enumerate: no adapter\n");
        return 1;
    }
    expect("valid", adapter->IsValid() && !list->IsStale());
    look_at_properties(adapter);
    look_at_budget(adapter);
    look_at_attributes(factory, adapter);
    look_at_order(list);
    look_at_notifications(factory, list, adapter);
    look_at_objects(factory, list, adapter);
    adapter->Release();
    list->Release();
    factory->Release();
    return failed != 0 ? failed : play(threads, expected.allocations);
}
