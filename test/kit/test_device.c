/* The driver's questions about its device and its machine: properties, and facts that never
 * change. */
#include "rig.h"

#include <kit/ntifs.h>

/* ---- properties ---- */

static NTSTATUS ask(DEVICE_REGISTRY_PROPERTY which, ULONG room, PVOID to, ULONG *needed)
{
    return IoGetDeviceProperty(vidmm_kit_device(), which, room, to, needed);
}

static void assert_text(DEVICE_REGISTRY_PROPERTY which, const WCHAR *text, ULONG size)
{
    WCHAR room[64];
    ULONG needed = 0;

    assert_int_equal(ask(which, sizeof(room), room, &needed), STATUS_SUCCESS);
    assert_int_equal(needed, size);
    assert_memory_equal(room, text, size);
}

static void a_device_on_pci_has_properties_that_nobody_configured(void **state)
{
    static const DEVICE_REGISTRY_PROPERTY zero[] = {DevicePropertyBusNumber, DevicePropertyAddress,
                                                    DevicePropertyInstallState};
    struct rig rig;
    ULONG number, needed;

    (void)state;
    rig_start(&rig, NULL);
    assert_text(DevicePropertyHardwareID, L"PCI\\VEN_1234&DEV_5678\0",
                sizeof(L"PCI\\VEN_1234&DEV_5678\0"));
    assert_text(DevicePropertyCompatibleIDs, L"PCI\\CC_0300\0", sizeof(L"PCI\\CC_0300\0"));
    assert_text(DevicePropertyEnumeratorName, L"PCI", sizeof(L"PCI"));
    assert_text(DevicePropertyClassName, L"Display", sizeof(L"Display"));
    assert_text(DevicePropertyPhysicalDeviceObjectName, L"\\Device\\NTPNP_PCI0000",
                sizeof(L"\\Device\\NTPNP_PCI0000"));
    for (unsigned i = 0; i < ARRAYSIZE(zero); i++) {
        number = 77;
        assert_int_equal(ask(zero[i], sizeof(number), &number, &needed), STATUS_SUCCESS);
        assert_int_equal(number, 0);
        assert_int_equal(needed, sizeof(number));
    }
    assert_int_equal(ask(DevicePropertyLegacyBusType, sizeof(number), &number, &needed), 0);
    assert_int_equal(number, PCIBus);
    rig_stop(&rig);
}

static void a_configured_property_goes_before_the_bus(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, "property 1 \"PCI\\VEN_AAAA&DEV_BBBB\"\n");
    assert_text(DevicePropertyHardwareID, L"PCI\\VEN_AAAA&DEV_BBBB\0",
                sizeof(L"PCI\\VEN_AAAA&DEV_BBBB\0"));
    assert_text(DevicePropertyEnumeratorName, L"PCI", sizeof(L"PCI"));
    rig_stop(&rig);
}

static void a_property_that_does_not_fit_tells_its_size(void **state)
{
    struct rig rig;
    WCHAR room[3] = {1, 2, 3};
    ULONG needed = 0;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(ask(DevicePropertyEnumeratorName, sizeof(room), room, &needed),
                     STATUS_BUFFER_TOO_SMALL);
    assert_int_equal(needed, sizeof(L"PCI"));
    assert_int_equal(room[0], 1);
    assert_int_equal(ask(DevicePropertyEnumeratorName, 0, NULL, &needed), STATUS_BUFFER_TOO_SMALL);
    assert_int_equal(ask(DevicePropertyUINumber, sizeof(room), room, &needed),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(
        ask((DEVICE_REGISTRY_PROPERTY)(DevicePropertyContainerID + 1), sizeof(room), room, &needed),
        STATUS_INVALID_PARAMETER_2);
    rig_stop(&rig);
}

static void a_property_of_another_object_or_at_a_level_is_found(void **state)
{
    struct rig rig;
    DEVICE_OBJECT other;
    WCHAR room[8];
    ULONG needed;

    (void)state;
    rig_start(&rig, NULL);
    memset(&other, 0, sizeof(other));
    assert_int_equal(
        IoGetDeviceProperty(&other, DevicePropertyEnumeratorName, sizeof(room), room, &needed),
        STATUS_INVALID_DEVICE_REQUEST);
    assert_found(&rig, BAD_ARGUMENT, 1);
    KfRaiseIrql(APC_LEVEL);
    ask(DevicePropertyEnumeratorName, sizeof(room), room, &needed);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

/* ---- facts ---- */

static VOID on_a_larger_stack(PVOID parameter)
{
    *(KIRQL *)parameter = KeGetCurrentIrql();
}

static void the_machine_has_one_group_one_node_and_64_bits(void **state)
{
    struct rig rig;
    KIRQL seen = HIGH_LEVEL;

    (void)state;
    rig_start(&rig, NULL);
    assert_false(IoIs32bitProcess(NULL));
    assert_int_equal(KeQueryActiveGroupCount(), 1);
    assert_int_equal(KeQueryMaximumGroupCount(), 1);
    assert_int_equal(KeQueryHighestNodeNumber(), 0);
    assert_int_equal(KeGetCurrentNodeNumber(), 0);
    assert_int_equal(KeGetRecommendedSharedDataAlignment(), 64);
    assert_false(MmIsThisAnNtAsSystem());
    assert_int_equal(RtlNumberOfSetBitsUlongPtr(0), 0);
    assert_int_equal(RtlNumberOfSetBitsUlongPtr(0x8000000000000001), 2);
    assert_int_equal(RtlNumberOfSetBitsUlongPtr((ULONG_PTR)-1), 64);
    PoSetSystemState(1 /* ES_SYSTEM_REQUIRED */);
    assert_int_equal(KeExpandKernelStackAndCallout(on_a_larger_stack, &seen, 0x8000),
                     STATUS_SUCCESS);
    assert_int_equal(seen, PASSIVE_LEVEL);
    KfRaiseIrql(DISPATCH_LEVEL);
    KeExpandKernelStackAndCallout(on_a_larger_stack, &seen, 0x8000);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void events_of_a_provider_are_taken_and_dropped(void **state)
{
    static const GUID provider = {1, 2, 3, {4}};
    struct rig rig;
    REGHANDLE handle = 0;
    GUID activity = {9, 9, 9, {9}};
    EVENT_DESCRIPTOR event;

    (void)state;
    rig_start(&rig, NULL);
    memset(&event, 0, sizeof(event));
    assert_int_equal(EtwRegister(&provider, NULL, NULL, &handle), STATUS_SUCCESS);
    assert_int_equal(EtwWriteString(handle, 0, 0, NULL, L"text"), STATUS_SUCCESS);
    assert_int_equal(EtwWriteEx(handle, &event, 0, 0, NULL, NULL, 0, NULL), STATUS_SUCCESS);
    assert_int_equal(EtwWriteTransfer(handle, &event, NULL, NULL, 0, NULL), STATUS_SUCCESS);
    assert_int_equal(EtwWriteString(0, 0, 0, NULL, L"text"), STATUS_INVALID_HANDLE);
    assert_int_equal(EtwWriteEx(0, &event, 0, 0, NULL, NULL, 0, NULL), STATUS_INVALID_HANDLE);
    assert_int_equal(EtwWriteTransfer(0, &event, NULL, NULL, 0, NULL), STATUS_INVALID_HANDLE);
    assert_int_equal(EtwActivityIdControl(1, &activity), STATUS_SUCCESS);
    assert_int_equal(activity.Data1, 0);
    assert_int_equal(EtwUnregister(handle), STATUS_SUCCESS);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_on_pci_has_properties_that_nobody_configured),
        cmocka_unit_test(a_configured_property_goes_before_the_bus),
        cmocka_unit_test(a_property_that_does_not_fit_tells_its_size),
        cmocka_unit_test(a_property_of_another_object_or_at_a_level_is_found),
        cmocka_unit_test(the_machine_has_one_group_one_node_and_64_bits),
        cmocka_unit_test(events_of_a_provider_are_taken_and_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
