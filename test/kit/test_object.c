/* Objects, the handles and references that hold them, and events that have a handle. */
#include "rig.h"

#define TAG 0x31676154

static LARGE_INTEGER now = {.QuadPart = 0};

static NTSTATUS poll(PVOID object)
{
    return KeWaitForSingleObject(object, Executive, KernelMode, FALSE, &now);
}

static void a_handle_is_turned_into_a_reference_with_a_tag(void **state)
{
    struct rig rig;
    HANDLE handle;
    PVOID object;
    OBJECT_HANDLE_INFORMATION information;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(ZwCreateEvent(&handle, EVENT_ALL_ACCESS, NULL, NotificationEvent, TRUE), 0);
    assert_int_equal(ObReferenceObjectByHandleWithTag(handle, EVENT_ALL_ACCESS, *ExEventObjectType,
                                                      KernelMode, TAG, &object, &information),
                     STATUS_SUCCESS);
    ZwClose(handle); /* the reference holds it */
    assert_int_equal(poll(object), STATUS_SUCCESS);
    ObDereferenceObjectWithTag(object, TAG);
    assert_int_equal(
        ObReferenceObjectByHandleWithTag(handle, 0, NULL, KernelMode, TAG, &object, NULL),
        STATUS_INVALID_HANDLE);
    assert_found(&rig, BAD_HANDLE, 1);
    rig_stop(&rig);
}

static void another_type_than_the_objects_is_refused(void **state)
{
    struct rig rig;
    HANDLE handle, other = NULL;
    PVOID object, event;

    (void)state;
    rig_start(&rig, NULL);
    ZwCreateEvent(&handle, EVENT_ALL_ACCESS, NULL, NotificationEvent, FALSE);
    assert_int_equal(
        ObReferenceObjectByHandleWithTag(handle, 0, *PsThreadType, KernelMode, 1, &object, NULL),
        STATUS_OBJECT_TYPE_MISMATCH);
    assert_int_equal(ObReferenceObjectByHandle(handle, 0, NULL, KernelMode, &event, NULL), 0);
    assert_int_equal(ObReferenceObjectByPointer(event, 0, *PsThreadType, KernelMode),
                     STATUS_OBJECT_TYPE_MISMATCH);
    assert_int_equal(
        ObOpenObjectByPointer(event, 0, NULL, 0, *IoFileObjectType, KernelMode, &other),
        STATUS_OBJECT_TYPE_MISMATCH);
    assert_null(other);
    ObDereferenceObject(event);
    ZwClose(handle); /* none of them was counted */
    rig_stop(&rig);
}

static void each_reference_is_dropped_by_one_dereference(void **state)
{
    struct rig rig;
    HANDLE handle, second;
    PVOID event;

    (void)state;
    rig_start(&rig, NULL);
    ZwCreateEvent(&handle, EVENT_ALL_ACCESS, NULL, NotificationEvent, FALSE);
    ObReferenceObjectByHandle(handle, 0, NULL, KernelMode, &event, NULL);
    assert_int_equal(ObReferenceObjectByPointer(event, 0, *ExEventObjectType, KernelMode), 0);
    ObReferenceObjectWithTag(event, TAG);
    ObfReferenceObject(event);
    assert_int_equal(
        ObOpenObjectByPointer(event, OBJ_KERNEL_HANDLE, NULL, 0, NULL, KernelMode, &second),
        STATUS_SUCCESS);
    ZwClose(handle);
    assert_int_equal(ZwSetEvent(second, NULL), STATUS_SUCCESS);
    ZwClose(second);
    ObfDereferenceObjectWithTag(event, TAG);
    ObDereferenceObjectDeferDelete(event);
    ObfDereferenceObject(event);
    assert_int_equal(poll(event), STATUS_SUCCESS); /* by the last of four */
    ObDereferenceObjectDeferDelete(event);
    assert_nothing_found(&rig);
    assert_int_equal(ObReferenceObjectByPointer(event, 0, NULL, KernelMode),
                     STATUS_OBJECT_TYPE_MISMATCH);
    ObDereferenceObjectDeferDelete(event);
    ObfReferenceObject(event);
    assert_found(&rig, OVER_DEREFERENCED, 3);
    rig_stop(&rig);
}

static void handles_and_references_have_their_levels(void **state)
{
    struct rig rig;
    HANDLE handle, second;
    PVOID event;

    (void)state;
    rig_start(&rig, NULL);
    ZwCreateEvent(&handle, EVENT_ALL_ACCESS, NULL, NotificationEvent, FALSE);
    KfRaiseIrql(APC_LEVEL);
    ObReferenceObjectByHandleWithTag(handle, 0, NULL, KernelMode, 1, &event, NULL);
    ZwSetEvent(handle, NULL);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    ObOpenObjectByPointer(event, 0, NULL, 0, NULL, KernelMode, &second);
    assert_nothing_found(&rig);
    KfRaiseIrql(DISPATCH_LEVEL);
    ObReferenceObject(event);
    ObReferenceObjectByPointer(event, 0, NULL, KernelMode);
    ObDereferenceObject(event);
    ObDereferenceObjectDeferDelete(event);
    assert_nothing_found(&rig);
    KfRaiseIrql(HIGH_LEVEL);
    ObReferenceObjectByPointer(event, 0, NULL, KernelMode);
    ObReferenceObject(event);
    ObDereferenceObject(event);
    ObDereferenceObjectDeferDelete(event);
    assert_found(&rig, IRQL_TOO_HIGH, 4);
    KeLowerIrql(PASSIVE_LEVEL);
    ObDereferenceObject(event);
    ZwClose(second);
    ZwClose(handle);
    rig_stop(&rig);
}

/* ---- events ---- */

static void an_event_is_set_by_its_handle(void **state)
{
    struct rig rig;
    HANDLE handle, key;
    LONG previous = 5;
    UNICODE_STRING path = RTL_CONSTANT_STRING(L"\\Registry\\Machine");
    OBJECT_ATTRIBUTES attributes;

    (void)state;
    rig_start(&rig, NULL);
    ZwCreateEvent(&handle, EVENT_ALL_ACCESS, NULL, SynchronizationEvent, FALSE);
    assert_int_equal(ZwSetEvent(handle, &previous), STATUS_SUCCESS);
    assert_int_equal(previous, 0);
    assert_int_equal(ZwSetEvent(handle, &previous), STATUS_SUCCESS);
    assert_int_equal(previous, 1);
    assert_int_equal(ZwWaitForSingleObject(handle, FALSE, NULL), STATUS_SUCCESS);
    assert_int_equal(ZwWaitForSingleObject(handle, FALSE, &now), STATUS_TIMEOUT);
    ZwClose(handle);
    InitializeObjectAttributes(&attributes, &path, OBJ_KERNEL_HANDLE, NULL, NULL);
    assert_int_equal(ZwOpenKey(&key, KEY_READ, &attributes), STATUS_SUCCESS);
    assert_int_equal(ZwSetEvent(key, &previous), STATUS_INVALID_HANDLE);
    assert_int_equal(ZwSetEvent(handle, &previous), STATUS_INVALID_HANDLE);
    assert_found(&rig, BAD_HANDLE, 2);
    assert_int_equal(previous, 1);
    ZwClose(key);
    rig_stop(&rig);
}

static void an_event_of_the_io_manager_begins_signaled(void **state)
{
    struct rig rig;
    UNICODE_STRING none = {0, 0, NULL};
    HANDLE notification, synchronization;
    PKEVENT first, second;

    (void)state;
    rig_start(&rig, NULL);
    first = IoCreateNotificationEvent(&none, &notification);
    second = IoCreateSynchronizationEvent(NULL, &synchronization);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first, second);
    assert_int_equal(poll(first), STATUS_SUCCESS);
    assert_int_equal(poll(first), STATUS_SUCCESS); /* stays */
    assert_int_equal(poll(second), STATUS_SUCCESS);
    assert_int_equal(poll(second), STATUS_TIMEOUT); /* went to the first */
    ZwClose(notification);
    ZwClose(synchronization);
    rig_stop(&rig);
}

static void a_name_names_one_event(void **state)
{
    struct rig rig;
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\BaseNamedObjects\\GpuReady");
    UNICODE_STRING same = RTL_CONSTANT_STRING(L"\\BaseNamedObjects\\gpuready");
    UNICODE_STRING other = RTL_CONSTANT_STRING(L"\\BaseNamedObjects\\GpuDone");
    HANDLE handles[3], again;
    PKEVENT event;

    (void)state;
    rig_start(&rig, NULL);
    event = IoCreateNotificationEvent(&name, &handles[0]);
    KeClearEvent(event);
    assert_ptr_equal(IoCreateNotificationEvent(&same, &handles[1]), event);
    assert_int_equal(KeReadStateEvent(event), 0); /* opened as it is */
    assert_ptr_not_equal(IoCreateSynchronizationEvent(&other, &handles[2]), event);
    assert_int_equal(ZwSetEvent(handles[1], NULL), STATUS_SUCCESS);
    assert_int_equal(KeReadStateEvent(event), 1);
    ZwClose(handles[0]);
    assert_ptr_equal(IoCreateNotificationEvent(&name, &again), event);
    ZwClose(again);
    ZwClose(handles[1]);
    ZwClose(handles[2]);
    KfRaiseIrql(APC_LEVEL);
    IoCreateNotificationEvent(&name, &handles[0]); /* made anew: the first is gone */
    IoCreateSynchronizationEvent(&other, &handles[1]);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(PASSIVE_LEVEL);
    ZwClose(handles[0]);
    ZwClose(handles[1]);
    rig_stop(&rig);
}

static void more_handles_than_there_is_room_for_are_refused(void **state)
{
    static HANDLE handles[2000];
    struct rig rig;
    HANDLE one;
    unsigned open = 0;

    (void)state;
    rig_start(&rig, NULL);
    while (open < ARRAYSIZE(handles) &&
           ZwCreateEvent(&handles[open], 0, NULL, NotificationEvent, FALSE) == STATUS_SUCCESS)
        open++;
    assert_in_range(open, 1, ARRAYSIZE(handles) - 1);
    assert_null(IoCreateNotificationEvent(NULL, &one));
    assert_null(one);
    assert_int_equal(
        ObOpenObjectByPointer(PsGetCurrentProcess(), 0, NULL, 0, NULL, KernelMode, &one),
        STATUS_INSUFFICIENT_RESOURCES);
    while (open > 0)
        ZwClose(handles[--open]);
    rig_stop(&rig); /* nothing was left behind by the refused ones */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_is_turned_into_a_reference_with_a_tag),
        cmocka_unit_test(another_type_than_the_objects_is_refused),
        cmocka_unit_test(each_reference_is_dropped_by_one_dereference),
        cmocka_unit_test(handles_and_references_have_their_levels),
        cmocka_unit_test(an_event_is_set_by_its_handle),
        cmocka_unit_test(an_event_of_the_io_manager_begins_signaled),
        cmocka_unit_test(a_name_names_one_event),
        cmocka_unit_test(more_handles_than_there_is_room_for_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
