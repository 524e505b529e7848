/* Routines built upon pools and locks: lists that threads share, rundown protection, shared spin
 * locks, push locks, timers of the system's own; and text and registry routines of the longer
 * kind. */
#include "rig.h"

#include <kit/ntstrsafe.h>
#include <vidmm/host.h>

struct numbered {
    LIST_ENTRY entry;
    SINGLE_LIST_ENTRY single;
    DECLSPEC_ALIGN(16) SLIST_ENTRY sequenced;
    int number;
};

static void lists_that_threads_share_keep_their_order(void **state)
{
    struct numbered a = {.number = 1}, b = {.number = 2};
    LIST_ENTRY head;
    SINGLE_LIST_ENTRY single = {NULL};
    DECLSPEC_ALIGN(16) SLIST_HEADER sequenced;
    KSPIN_LOCK lock;
    LONG64 value = 5, exchange = 9, comparand = 5;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeSpinLock(&lock);
    InitializeListHead(&head);
    assert_null(ExInterlockedInsertTailList(&head, &a.entry, &lock));
    assert_ptr_equal(ExInterlockedInsertTailList(&head, &b.entry, &lock), &a.entry);
    assert_ptr_equal(ExInterlockedRemoveHeadList(&head, &lock), &a.entry);
    assert_ptr_equal(ExInterlockedInsertHeadList(&head, &a.entry, &lock), &b.entry);
    assert_ptr_equal(ExInterlockedRemoveHeadList(&head, &lock), &a.entry);
    assert_ptr_equal(ExInterlockedRemoveHeadList(&head, &lock), &b.entry);
    assert_null(ExInterlockedRemoveHeadList(&head, &lock));
    assert_null(ExInterlockedPushEntryList(&single, &a.single, &lock));
    assert_ptr_equal(ExInterlockedPushEntryList(&single, &b.single, &lock), &a.single);
    assert_ptr_equal(ExInterlockedPopEntryList(&single, &lock), &b.single);
    ExInitializeSListHead(&sequenced);
    assert_null(ExInterlockedPushEntrySList(&sequenced, &a.sequenced, &lock));
    assert_ptr_equal(ExInterlockedPushEntrySList(&sequenced, &b.sequenced, &lock), &a.sequenced);
    assert_int_equal(ExQueryDepthSList(&sequenced), 2);
    assert_ptr_equal(ExInterlockedPopEntrySList(&sequenced, &lock), &b.sequenced);
    assert_ptr_equal(ExInterlockedFlushSList(&sequenced), &a.sequenced);
    assert_int_equal(ExQueryDepthSList(&sequenced), 0);
    assert_int_equal(ExInterlockedCompareExchange64(&value, &exchange, &comparand, &lock), 5);
    assert_int_equal(value, 9);
    assert_int_equal(KeGetCurrentIrql(), PASSIVE_LEVEL);
    rig_stop(&rig);
}

struct removal {
    IO_REMOVE_LOCK lock;
    KEVENT leave;
};

static void routines_say_above_which_level_they_may_not_run(void **state)
{
    DECLARE_CONST_UNICODE_STRING(name, L"name");
    RTL_OSVERSIONINFOW version = {.dwOSVersionInfoSize = sizeof(version)};
    KTIMER timer;
    KIRQL irql;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_true(RtlEqualUnicodeString(&name, &name, FALSE));
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    assert_true(RtlEqualUnicodeString(&name, &name, FALSE));
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    assert_int_equal(RtlGetVersion(&version), STATUS_SUCCESS);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeEnterCriticalRegion();
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLeaveCriticalRegion();
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeInitializeTimer(&timer); /* at DISPATCH_LEVEL it may be */
    assert_false(KeReadStateTimer(&timer));
    KeLowerIrql(irql);
    KeRaiseIrql(DISPATCH_LEVEL + 1, &irql); /* as in an interrupt */
    assert_false(KeReadStateTimer(&timer));
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

static RTL_GENERIC_COMPARE_RESULTS by_number(PRTL_AVL_TABLE table, PVOID a, PVOID b)
{
    int x = *(int *)a, y = *(int *)b;

    (void)table;
    return x < y ? GenericLessThan : x > y ? GenericGreaterThan : GenericEqual;
}

static PVOID take(PRTL_AVL_TABLE table, ULONG size)
{
    return ExAllocatePool2(POOL_FLAG_NON_PAGED, size, *(ULONG *)table->TableContext);
}

static VOID give(PRTL_AVL_TABLE table, PVOID block)
{
    ExFreePoolWithTag(block, *(ULONG *)table->TableContext);
}

static void a_table_keeps_its_elements_in_order(void **state)
{
    ULONG tag = 0x6C626174;
    RTL_AVL_TABLE table;
    PVOID key = NULL;
    BOOLEAN fresh;
    int number, *found, last = -1;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    RtlInitializeGenericTableAvl(&table, by_number, take, give, &tag);
    assert_true(RtlIsGenericTableEmptyAvl(&table));
    for (int i = 0; i < 500; i++) {
        number = i * 37 % 500;
        found = RtlInsertElementGenericTableAvl(&table, &number, sizeof(number), &fresh);
        assert_true(fresh && *found == number);
    }
    assert_ptr_equal(RtlInsertElementGenericTableAvl(&table, &number, sizeof(number), &fresh),
                     found);
    assert_false(fresh);
    for (number = 0; number < 500; number += 3)
        assert_true(RtlDeleteElementGenericTableAvl(&table, &number));
    number = 3;
    assert_false(RtlDeleteElementGenericTableAvl(&table, &number));
    assert_null(RtlLookupElementGenericTableAvl(&table, &number));
    assert_int_equal(RtlNumberGenericTableElementsAvl(&table), 333);
    while ((found = RtlEnumerateGenericTableWithoutSplayingAvl(&table, &key)) != NULL) {
        assert_true(*found > last && *found % 3 != 0);
        last = *found;
    }
    assert_int_equal(last, 499);
    assert_int_equal(*(int *)RtlGetElementGenericTableAvl(&table, 2), 4);
    while ((found = RtlEnumerateGenericTableAvl(&table, TRUE)) != NULL) {
        number = *found;
        assert_true(RtlDeleteElementGenericTableAvl(&table, &number));
    }
    assert_true(RtlIsGenericTableEmptyAvl(&table));
    rig_stop(&rig);
}

static ULONG do_it(PRTL_RUN_ONCE once, PVOID parameter, PVOID *context)
{
    (void)once;
    *context = parameter;
    return ++*(ULONG *)parameter != 1; /* the first time it fails */
}

static void what_is_done_once_is_done_again_if_it_failed(void **state)
{
    RTL_RUN_ONCE once = RTL_RUN_ONCE_INIT;
    DECLSPEC_ALIGN(8) ULONG times = 0;
    PVOID context = NULL;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(RtlRunOnceExecuteOnce(&once, do_it, &times, &context), STATUS_UNSUCCESSFUL);
    assert_int_equal(RtlRunOnceExecuteOnce(&once, do_it, &times, NULL), STATUS_SUCCESS);
    assert_int_equal(RtlRunOnceExecuteOnce(&once, do_it, &times, &context), STATUS_SUCCESS);
    assert_ptr_equal(context, &times);
    assert_int_equal(times, 2);
    rig_stop(&rig);
}

static VOID use_then_leave(PVOID context)
{
    struct removal *removal = context;

    KeWaitForSingleObject(&removal->leave, Executive, KernelMode, FALSE, NULL);
    IoReleaseRemoveLock(&removal->lock, NULL);
    PsTerminateSystemThread(STATUS_SUCCESS);
}

static void a_remove_lock_waits_for_those_within(void **state)
{
    struct removal removal;
    HANDLE thread;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    IoInitializeRemoveLock(&removal.lock, 0x72656D6C, 0, 0);
    KeInitializeEvent(&removal.leave, NotificationEvent, FALSE);
    assert_int_equal(IoAcquireRemoveLock(&removal.lock, &rig), STATUS_SUCCESS);
    assert_int_equal(IoAcquireRemoveLock(&removal.lock, NULL), STATUS_SUCCESS);
    assert_int_equal(PsCreateSystemThread(&thread, THREAD_ALL_ACCESS, NULL, NULL, NULL,
                                          use_then_leave, &removal),
                     STATUS_SUCCESS);
    KeSetEvent(&removal.leave, IO_NO_INCREMENT, FALSE);
    IoReleaseRemoveLockAndWait(&removal.lock, &rig);
    assert_int_equal(IoAcquireRemoveLock(&removal.lock, &rig), STATUS_DELETE_PENDING);
    ZwWaitForSingleObject(thread, FALSE, NULL);
    ZwClose(thread);
    IoReleaseRemoveLock(&removal.lock, &rig);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    RtlZeroMemory(&removal.lock, sizeof(removal.lock));
    assert_int_equal(IoAcquireRemoveLock(&removal.lock, NULL), STATUS_DELETE_PENDING);
    assert_found(&rig, NOT_INITIALIZED, 1);
    rig_stop(&rig);
}

struct held {
    EX_RUNDOWN_REF *reference;
    KEVENT leave;
};

static VOID leave_when_told(PVOID context)
{
    struct held *held = context;

    KeWaitForSingleObject(&held->leave, Executive, KernelMode, FALSE, NULL);
    ExReleaseRundownProtection(held->reference);
}

static void rundown_waits_for_who_is_inside(void **state)
{
    EX_RUNDOWN_REF reference;
    struct held held = {.reference = &reference};
    HANDLE thread;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeRundownProtection(&reference);
    KeInitializeEvent(&held.leave, NotificationEvent, FALSE);
    assert_true(ExAcquireRundownProtectionEx(&reference, 3));
    ExReleaseRundownProtectionEx(&reference, 2);
    assert_int_equal(
        PsCreateSystemThread(&thread, THREAD_ALL_ACCESS, NULL, NULL, NULL, leave_when_told, &held),
        0);
    KeSetEvent(&held.leave, 0, FALSE);
    ExWaitForRundownProtectionRelease(&reference);
    assert_false(ExAcquireRundownProtection(&reference));
    ExRundownCompleted(&reference);
    ExReInitializeRundownProtection(&reference);
    assert_true(ExAcquireRundownProtection(&reference));
    ExReInitializeRundownProtection(&reference);
    assert_found(&rig, FREED_IN_USE, 1);
    ExReleaseRundownProtection(&reference);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    ZwWaitForSingleObject(thread, FALSE, NULL);
    ZwClose(thread);
    rig_stop(&rig);
}

static void shared_spin_locks_and_push_locks_count_their_holders(void **state)
{
    EX_SPIN_LOCK lock = 0;
    EX_PUSH_LOCK push;
    KIRQL irql, inner;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    irql = ExAcquireSpinLockShared(&lock);
    assert_true(ExTryConvertSharedSpinLockExclusive(&lock));
    ExReleaseSpinLockExclusiveFromDpcLevel(&lock);
    KeLowerIrql(irql);
    ExAcquireSpinLockExclusiveAtDpcLevel(&lock);
    ExReleaseSpinLockExclusiveFromDpcLevel(&lock);
    assert_found(&rig, IRQL_TOO_LOW, 2);
    KeRaiseIrql(DISPATCH_LEVEL, &inner);
    ExReleaseSpinLockSharedFromDpcLevel(&lock);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    KeLowerIrql(inner);
    ExInitializePushLock(&push);
    KeEnterCriticalRegion();
    ExAcquirePushLockShared(&push);
    ExAcquirePushLockShared(&push);
    ExReleasePushLockShared(&push);
    ExReleasePushLockExclusive(&push);
    assert_found(&rig, LOCK_NOT_HELD, 1);
    ExReleasePushLockShared(&push);
    ExAcquirePushLockExclusive(&push);
    ExReleasePushLockExclusive(&push);
    KeLeaveCriticalRegion();
    rig_stop(&rig);
}

struct ticks {
    KEVENT ran;
    LONG count;
    KIRQL irql;
};

static VOID tick(PEX_TIMER timer, PVOID context)
{
    struct ticks *ticks = context;

    (void)timer;
    ticks->irql = KeGetCurrentIrql();
    if (InterlockedIncrement(&ticks->count) == 2)
        KeSetEvent(&ticks->ran, 0, FALSE);
}

static VOID count_deletion(PVOID context)
{
    InterlockedIncrement(context);
}

static void an_allocated_timer_ticks_until_it_is_deleted(void **state)
{
    struct ticks ticks = {.count = 0};
    LONG deleted = 0;
    EXT_DELETE_PARAMETERS parameters;
    LARGE_INTEGER second = in_ms(5000);
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&ticks.ran, NotificationEvent, FALSE);
    PEX_TIMER timer = ExAllocateTimer(tick, &ticks, EX_TIMER_HIGH_RESOLUTION);
    assert_non_null(timer);
    assert_false(ExSetTimer(timer, -10000, 10000, NULL));
    assert_int_equal(KeWaitForSingleObject(&ticks.ran, Executive, KernelMode, FALSE, &second), 0);
    assert_int_equal(ticks.irql, DISPATCH_LEVEL);
    assert_true(ExCancelTimer(timer, NULL));
    assert_false(ExSetTimer(timer, -100000000, 0, NULL));
    ExInitializeDeleteTimerParameters(&parameters);
    parameters.DeleteCallback = count_deletion;
    parameters.DeleteContext = &deleted;
    assert_true(ExDeleteTimer(timer, TRUE, TRUE, &parameters));
    assert_int_equal(deleted, 1);
    timer = ExAllocateTimer(tick, &ticks, 0); /* and one that is left */
    assert_non_null(timer);
    rig_end(&rig);
    assert_found(&rig, POOL_LEAK, 1);
    assert_nothing_found(&rig);
}

static VOID signal_event(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    (void)dpc, (void)argument1, (void)argument2;
    KeSetEvent(context, 0, FALSE);
}

static void a_coalescable_timer_fires_once(void **state)
{
    KTIMER timer;
    KDPC dpc;
    KEVENT event;
    LARGE_INTEGER second = in_ms(5000);
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeEvent(&event, NotificationEvent, FALSE);
    KeInitializeTimerEx(&timer, NotificationTimer);
    KeInitializeDpc(&dpc, signal_event, &event);
    assert_false(KeSetCoalescableTimer(&timer, in_ms(1), 0, 1, &dpc));
    assert_int_equal(KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, &second), 0);
    assert_true(KeReadStateTimer(&timer));
    assert_false(KeCancelTimer(&timer));
    rig_stop(&rig);
}

static void a_driver_object_has_one_extension_a_client(void **state)
{
    int client, other;
    PVOID extension, again;
    PDRIVER_OBJECT driver;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    driver = vidmm_kit_driver();
    assert_null(IoGetDriverObjectExtension(driver, &client));
    assert_int_equal(IoAllocateDriverObjectExtension(driver, &client, 40, &extension), 0);
    memset(extension, 0x5a, 40);
    assert_ptr_equal(IoGetDriverObjectExtension(driver, &client), extension);
    assert_int_equal(IoAllocateDriverObjectExtension(driver, &client, 40, &again),
                     STATUS_OBJECT_NAME_COLLISION);
    assert_int_equal(IoAllocateDriverObjectExtension(driver, &other, 8, &again), 0);
    assert_ptr_not_equal(again, extension);
    rig_stop(&rig);
}

static void times_are_taken_apart_and_put_together(void **state)
{
    TIME_FIELDS fields = {0};
    LARGE_INTEGER time = {.QuadPart = 0}, back;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    RtlTimeToTimeFields(&time, &fields);
    assert_int_equal(fields.Year, 1601);
    assert_int_equal(fields.Month, 1);
    assert_int_equal(fields.Day, 1);
    assert_int_equal(fields.Weekday, 1); /* a Monday */
    fields = (TIME_FIELDS){.Year = 2024,
                           .Month = 2,
                           .Day = 29,
                           .Hour = 23,
                           .Minute = 59,
                           .Second = 58,
                           .Milliseconds = 7};
    assert_true(RtlTimeFieldsToTime(&fields, &time));
    RtlTimeToTimeFields(&time, &fields);
    assert_int_equal(fields.Day, 29);
    assert_int_equal(fields.Weekday, 4); /* a Thursday */
    assert_int_equal(fields.Milliseconds, 7);
    assert_true(RtlTimeFieldsToTime(&fields, &back));
    assert_int_equal(back.QuadPart, time.QuadPart);
    fields = (TIME_FIELDS){.Year = 2023, .Month = 2, .Day = 29};
    assert_false(RtlTimeFieldsToTime(&fields, &back));
    fields = (TIME_FIELDS){.Year = 1970, .Month = 1, .Day = 1};
    assert_true(RtlTimeFieldsToTime(&fields, &back));
    assert_int_equal(back.QuadPart, 116444736000000000);
    fields.Month = 13;
    assert_false(RtlTimeFieldsToTime(&fields, &back));
    rig_stop(&rig);
}

static void longer_text_routines_say_where_they_ended(void **state)
{
    char text[8], *end;
    WCHAR wide[8], *wide_end;
    size_t left;
    UNICODE_STRING counted = {0, sizeof(wide), wide}, more;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(RtlStringCchCopyExA(text, 8, "abc", &end, &left, STRSAFE_FILL_BYTE(0x7e)), 0);
    assert_ptr_equal(end, text + 3);
    assert_int_equal(left, 5);
    assert_memory_equal(text, "abc\0~~~~", 8);
    assert_int_equal(RtlStringCchCatExA(text, 8, "defghi", &end, &left, STRSAFE_NO_TRUNCATION),
                     STATUS_BUFFER_OVERFLOW);
    assert_string_equal(text, "abc");
    assert_int_equal(RtlStringCbCatNA(text, 8, "defghi", 2), 0);
    assert_string_equal(text, "abcde");
    assert_int_equal(
        RtlStringCchPrintfExA(text, 8, NULL, &left, STRSAFE_NULL_ON_FAILURE, "%d", 123456789),
        STATUS_BUFFER_OVERFLOW);
    assert_string_equal(text, "");
    assert_int_equal(
        RtlStringCbCopyExW(wide, sizeof(wide), NULL, &wide_end, &left, STRSAFE_IGNORE_NULLS), 0);
    assert_int_equal(left, sizeof(wide));
    assert_int_equal(RtlStringCbPrintfExW(wide, sizeof(wide), &wide_end, &left, 0, L"%u", 77u), 0);
    assert_ptr_equal(wide_end, wide + 2);
    assert_int_equal(left, 12);
    RtlInitUnicodeString(&more, L"abcdef");
    assert_int_equal(RtlUnicodeStringCchCopyN(&counted, &more, 3), 0);
    assert_int_equal(RtlUnicodeStringCat(&counted, &more), STATUS_BUFFER_OVERFLOW);
    assert_int_equal(counted.Length, sizeof(wide));
    assert_memory_equal(wide, L"abcabcde", sizeof(wide));
    assert_int_equal(RtlUnicodeStringValidate(&counted), 0);
    counted.Length++;
    assert_int_equal(RtlUnicodeStringValidate(&counted), STATUS_INVALID_PARAMETER);
    rig_stop(&rig);
}

struct seen {
    char text[100];
};

static NTSTATUS see(PWSTR name, ULONG type, PVOID data, ULONG size, PVOID context, PVOID entry)
{
    struct seen *seen = context;
    char one[40];

    (void)data, (void)entry;
    RtlStringCbPrintfA(one, sizeof(one), "%ws:%u:%u;", name, type, size);
    RtlStringCbCatA(seen->text, sizeof(seen->text), one);
    return STATUS_SUCCESS;
}

static const char gpu_key[] =
    "key \\Registry\\Machine\\System\\CurrentControlSet\\Services\\gpu\n"
    "  Count dword 7\n"
    "  Name string abc\n"
    "key \\Registry\\Machine\\System\\CurrentControlSet\\Services\\gpu\\Sub\n"
    "  Deep dword 9\n";

static void a_table_of_registry_values_is_read(void **state)
{
    struct seen seen = {""};
    ULONG count = 0, missing = 0, deep = 0;
    WCHAR buffer[8];
    UNICODE_STRING name = {0, sizeof(buffer), buffer};
    ULONG fallback = 3;
    RTL_QUERY_REGISTRY_TABLE table[] = {
        {NULL, RTL_QUERY_REGISTRY_DIRECT | RTL_QUERY_REGISTRY_TYPECHECK, L"Count", &count,
         REG_DWORD << RTL_QUERY_REGISTRY_TYPECHECK_SHIFT | REG_DWORD, NULL, 0},
        {NULL, RTL_QUERY_REGISTRY_DIRECT, L"Name", &name, 0, NULL, 0},
        {NULL, RTL_QUERY_REGISTRY_DIRECT, L"Missing", &missing, REG_DWORD, &fallback, 4},
        {see, 0, NULL, NULL, 0, NULL, 0},
        {NULL, RTL_QUERY_REGISTRY_SUBKEY, L"Sub", NULL, 0, NULL, 0},
        {NULL, RTL_QUERY_REGISTRY_DIRECT, L"Deep", &deep, 0, NULL, 0},
        {NULL, 0, NULL, NULL, 0, NULL, 0}};
    struct rig rig;

    (void)state;
    rig_start(&rig, gpu_key);
    assert_int_equal(RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"gpu", table, &seen, NULL), 0);
    assert_int_equal(count, 7);
    assert_int_equal(name.Length, 6);
    assert_memory_equal(buffer, L"abc", 8);
    assert_int_equal(missing, 3);
    assert_int_equal(deep, 9);
    assert_string_equal(seen.text, "Count:4:4;Name:1:8;");
    table[0].DefaultType = REG_SZ << RTL_QUERY_REGISTRY_TYPECHECK_SHIFT;
    assert_int_equal(RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"gpu", table, &seen, NULL),
                     STATUS_OBJECT_TYPE_MISMATCH);
    table[0] = (RTL_QUERY_REGISTRY_TABLE){
        .QueryRoutine = see, .Flags = RTL_QUERY_REGISTRY_REQUIRED, .Name = L"None"};
    assert_int_equal(RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"gpu", table, &seen, NULL),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"no", table, &seen, NULL),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    rig_stop(&rig);
}

static void resources_of_any_size_are_encoded(void **state)
{
    static const struct {
        ULONGLONG size;
        UCHAR type;
        USHORT flags;
        ULONG length;
    } rows[] = {{0x1000, CmResourceTypeMemory, 0, 0x1000},
                {0x100000000, CmResourceTypeMemoryLarge, CM_RESOURCE_MEMORY_LARGE_40, 0x1000000},
                {0x20000000000, CmResourceTypeMemoryLarge, CM_RESOURCE_MEMORY_LARGE_48, 0x2000000}};
    CM_PARTIAL_RESOURCE_DESCRIPTOR one;
    ULONGLONG start;

    (void)state;
    for (size_t i = 0; i < ARRAYSIZE(rows); i++) {
        memset(&one, 0, sizeof(one));
        assert_int_equal(
            RtlCmEncodeMemIoResource(&one, CmResourceTypeMemory, rows[i].size, 0xF0000000), 0);
        assert_int_equal(one.Type, rows[i].type);
        assert_int_equal(one.Flags, rows[i].flags);
        assert_int_equal(one.u.Generic.Length, rows[i].length);
        assert_int_equal(RtlCmDecodeMemIoResource(&one, &start), rows[i].size);
        assert_int_equal(start, 0xF0000000);
    }
    assert_int_equal(RtlCmEncodeMemIoResource(&one, CmResourceTypePort, 0x100000000, 0),
                     STATUS_NOT_SUPPORTED);
    assert_int_equal(RtlCmEncodeMemIoResource(&one, CmResourceTypeDma, 1, 0),
                     STATUS_INVALID_PARAMETER);
}

static void a_routine_that_is_only_declared_is_reported_by_name(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(PoFxRegisterDevice(NULL, NULL, NULL), STATUS_NOT_SUPPORTED);
    assert_found(&rig, UNSUPPORTED, 1);
    assert_string_equal(rig.text, "PoFxRegisterDevice");
    assert_int_equal(KeQueryActiveGroupCount(), 1);
    rig_stop(&rig);
}

static const CM_PARTIAL_RESOURCE_DESCRIPTOR *resource(UCHAR type)
{
    const CM_RESOURCE_LIST *list = vidmm_kit_resources();
    const CM_PARTIAL_RESOURCE_LIST *all = &list->List[0].PartialResourceList;

    for (ULONG i = 0; i < all->Count; i++)
        if (all->PartialDescriptors[i].Type == type)
            return &all->PartialDescriptors[i];
    return NULL;
}

static void a_device_has_the_ids_of_its_bus_unless_configured(void **state)
{
    static const WCHAR expected[] = L"PCI\\VEN_1234&DEV_5678\0";
    WCHAR ids[64];
    ULONG size, bus = 9;
    PDEVICE_OBJECT device;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    device = vidmm_kit_device();
    assert_int_equal(IoGetDeviceProperty(device, DevicePropertyHardwareID, 4, ids, &size),
                     STATUS_BUFFER_TOO_SMALL);
    assert_int_equal(size, sizeof(expected));
    assert_int_equal(IoGetDeviceProperty(device, DevicePropertyHardwareID, sizeof(ids), ids, &size),
                     0);
    assert_memory_equal(ids, expected, sizeof(expected));
    assert_int_equal(IoGetDeviceProperty(device, DevicePropertyBusNumber, 4, &bus, &size), 0);
    assert_int_equal(bus, 0);
    assert_int_equal(IoGetDeviceProperty(device, DevicePropertyFriendlyName, 4, ids, &size),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    rig_stop(&rig);
}

static void a_device_interrupts_by_messages_or_by_a_line(void **state)
{
    const CM_PARTIAL_RESOURCE_DESCRIPTOR *one;
    PCI_COMMON_CONFIG config;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    one = resource(CmResourceTypeInterrupt);
    assert_non_null(one);
    assert_true(one->Flags & CM_RESOURCE_INTERRUPT_MESSAGE);
    assert_non_null(resource(CmResourceTypePort));
    assert_non_null(resource(CmResourceTypeMemory));
    assert_int_equal(HalGetBusData(PCIConfiguration, 0, 0, &config, sizeof(config)),
                     sizeof(config));
    assert_int_equal(config.Header.VendorID, 0x1234);
    assert_int_equal(config.Header.Command, 0); /* the model has no config space of its own */
    vidmm_kit_stop();
    rig.model.messages = 0;
    assert_true(vidmm_kit_start(&rig.options, NULL, 0));
    one = resource(CmResourceTypeInterrupt);
    assert_false(one->Flags & CM_RESOURCE_INTERRUPT_MESSAGE);
    assert_int_equal(one->u.Interrupt.Level, VIDMM_DEVICE_LEVEL);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_that_threads_share_keep_their_order),
        cmocka_unit_test(routines_say_above_which_level_they_may_not_run),
        cmocka_unit_test(a_table_keeps_its_elements_in_order),
        cmocka_unit_test(what_is_done_once_is_done_again_if_it_failed),
        cmocka_unit_test(a_remove_lock_waits_for_those_within),
        cmocka_unit_test(rundown_waits_for_who_is_inside),
        cmocka_unit_test(shared_spin_locks_and_push_locks_count_their_holders),
        cmocka_unit_test(an_allocated_timer_ticks_until_it_is_deleted),
        cmocka_unit_test(a_coalescable_timer_fires_once),
        cmocka_unit_test(a_driver_object_has_one_extension_a_client),
        cmocka_unit_test(times_are_taken_apart_and_put_together),
        cmocka_unit_test(longer_text_routines_say_where_they_ended),
        cmocka_unit_test(a_table_of_registry_values_is_read),
        cmocka_unit_test(resources_of_any_size_are_encoded),
        cmocka_unit_test(a_routine_that_is_only_declared_is_reported_by_name),
        cmocka_unit_test(a_device_has_the_ids_of_its_bus_unless_configured),
        cmocka_unit_test(a_device_interrupts_by_messages_or_by_a_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
