/* Keys and values of the registry, by handle and by path; a table of values to be read. */
#include "rig.h"

#define SERVICES L"\\Registry\\Machine\\System\\CurrentControlSet\\Services\\"

static const char configuration[] =
    "key \\Registry\\Machine\\System\\CurrentControlSet\\Services\\gpu\n"
    "  Count dword 7\n"
    "  Name string abc\n"
    "  Big qword 0x1122334455667788\n"
    "key \\Registry\\Machine\\System\\CurrentControlSet\\Services\\gpu\\Sub\n"
    "  Deep dword 9\n";

static NTSTATUS make_key(HANDLE root, PCWSTR path, PHANDLE key, ULONG *disposition)
{
    UNICODE_STRING name;
    OBJECT_ATTRIBUTES attributes;

    RtlInitUnicodeString(&name, path);
    InitializeObjectAttributes(&attributes, &name, OBJ_KERNEL_HANDLE, root, NULL);
    return ZwCreateKey(key, KEY_ALL_ACCESS, &attributes, 0, NULL, REG_OPTION_NON_VOLATILE,
                       disposition);
}

static NTSTATUS set_dword(HANDLE key, PCWSTR value, ULONG number)
{
    UNICODE_STRING name;

    RtlInitUnicodeString(&name, value);
    return ZwSetValueKey(key, &name, 0, REG_DWORD, &number, sizeof(number));
}

/* The number that a value holds; 0xDEAD: there is none. */
static ULONG dword_of(HANDLE key, PCWSTR value)
{
    UNICODE_STRING name;
    ULONG needed, number = 0xDEAD;
    struct {
        KEY_VALUE_PARTIAL_INFORMATION head;
        UCHAR rest[16];
    } room;

    RtlInitUnicodeString(&name, value);
    if (ZwQueryValueKey(key, &name, KeyValuePartialInformation, &room, sizeof(room), &needed) ==
        STATUS_SUCCESS)
        memcpy(&number, room.head.Data, sizeof(number));
    return number;
}

/* Ask with so many bytes of room, whose bytes are 0xEE before; answer how many were written. */
static ULONG written(HANDLE key, KEY_VALUE_INFORMATION_CLASS class, ULONG room, NTSTATUS *status,
                     ULONG *needed)
{
    static UCHAR buffer[64];
    UNICODE_STRING name;
    ULONG count = sizeof(buffer);

    memset(buffer, 0xEE, sizeof(buffer));
    RtlInitUnicodeString(&name, L"Name");
    *status = ZwQueryValueKey(key, &name, class, buffer, room, needed);
    while (count > 0 && buffer[count - 1] == 0xEE)
        count--;
    return count;
}

static void of_a_value_some_is_an_overflow_and_none_too_small_a_buffer(void **state)
{
    static const struct {
        KEY_VALUE_INFORMATION_CLASS class;
        ULONG fixed, all; /* bytes before what has a length of its own, and of everything */
    } forms[] = {
        {KeyValueBasicInformation, 12, 12 + 8},
        {KeyValueFullInformation, 20, 32 + 8}, /* the data are aligned to 8 */
        {KeyValuePartialInformation, 12, 12 + 8},
    };
    struct rig rig;
    HANDLE key;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(make_key(NULL, SERVICES L"gpu", &key, NULL), STATUS_SUCCESS);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        for (ULONG room = 0; room <= forms[i].all; room++) {
            NTSTATUS status;
            ULONG needed = 0, count = written(key, forms[i].class, room, &status, &needed);

            assert_int_equal(needed, forms[i].all);
            assert_int_equal(status, room < forms[i].fixed ? STATUS_BUFFER_TOO_SMALL
                                     : room < forms[i].all ? STATUS_BUFFER_OVERFLOW
                                                           : STATUS_SUCCESS);
            assert_int_equal(count, room < forms[i].fixed ? 0 : room);
        }
    }
    ZwClose(key);
    rig_stop(&rig);
}

static void a_key_is_made_once_and_opened_then(void **state)
{
    struct rig rig;
    HANDLE gpu, made, again;
    ULONG disposition = 0;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(make_key(NULL, SERVICES L"gpu", &gpu, &disposition), STATUS_SUCCESS);
    assert_int_equal(disposition, REG_OPENED_EXISTING_KEY);
    assert_int_equal(dword_of(gpu, L"Count"), 7);
    assert_int_equal(make_key(gpu, L"Fresh", &made, &disposition), STATUS_SUCCESS);
    assert_int_equal(disposition, REG_CREATED_NEW_KEY);
    assert_int_equal(set_dword(made, L"One", 1), STATUS_SUCCESS);
    assert_int_equal(make_key(gpu, L"fresh", &again, NULL), STATUS_SUCCESS);
    assert_int_equal(dword_of(again, L"one"), 1);
    ZwClose(again);
    ZwClose(made);
    ZwClose(gpu);
    rig_stop(&rig);
}

static void a_key_is_made_only_below_one_that_is_there(void **state)
{
    struct rig rig;
    HANDLE key = (HANDLE)(ULONG_PTR)1;
    ULONG disposition = 77;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(make_key(NULL, SERVICES L"gpu\\a\\b", &key, &disposition),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(disposition, 77);
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_SERVICES, L"gpu\\a"),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(make_key((HANDLE)(ULONG_PTR)12, L"a", &key, NULL), STATUS_INVALID_HANDLE);
    assert_found(&rig, BAD_HANDLE, 1);
    rig_stop(&rig);
}

static void a_deleted_value_is_gone_and_the_others_stay(void **state)
{
    struct rig rig;
    UNICODE_STRING count = RTL_CONSTANT_STRING(L"count");
    HANDLE gpu;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(make_key(NULL, SERVICES L"gpu", &gpu, NULL), STATUS_SUCCESS);
    assert_int_equal(set_dword(gpu, L"Other", 5), STATUS_SUCCESS);
    assert_int_equal(ZwDeleteValueKey(gpu, &count), STATUS_SUCCESS);
    assert_int_equal(dword_of(gpu, L"Count"), 0xDEAD);
    assert_int_equal(dword_of(gpu, L"Other"), 5);
    assert_int_equal(ZwDeleteValueKey(gpu, &count), STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(ZwFlushKey(gpu), STATUS_SUCCESS);
    ZwClose(gpu);
    assert_int_equal(ZwDeleteValueKey(gpu, &count), STATUS_INVALID_HANDLE);
    assert_int_equal(ZwFlushKey(gpu), STATUS_INVALID_HANDLE);
    assert_found(&rig, BAD_HANDLE, 2);
    rig_stop(&rig);
}

static void a_device_has_a_key_for_its_hardware_and_one_for_its_driver(void **state)
{
    struct rig rig;
    HANDLE hardware, software;

    (void)state;
    rig_start(&rig, "driver_key \\Registry\\Machine\\System\\CurrentControlSet\\Services\\gpu\n"
                    "key \\Registry\\Machine\\System\\CurrentControlSet\\Services\\gpu\n"
                    "  Where dword 1\n");
    assert_int_equal(
        IoOpenDeviceRegistryKey(vidmm_kit_device(), PLUGPLAY_REGKEY_DRIVER, KEY_READ, &software),
        STATUS_SUCCESS);
    assert_int_equal(
        IoOpenDeviceRegistryKey(vidmm_kit_device(),
                                PLUGPLAY_REGKEY_DEVICE | PLUGPLAY_REGKEY_CURRENT_HWPROFILE,
                                KEY_ALL_ACCESS, &hardware),
        STATUS_SUCCESS);
    assert_int_equal(dword_of(software, L"Where"), 1);
    assert_int_equal(dword_of(hardware, L"Where"), 0xDEAD);
    assert_int_equal(set_dword(hardware, L"Where", 2), STATUS_SUCCESS);
    assert_int_equal(dword_of(hardware, L"Where"), 2);
    ZwClose(hardware);
    ZwClose(software);
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_SERVICES, L"gpu\\Device"), STATUS_SUCCESS);
    rig_stop(&rig);
}

static void a_device_key_needs_the_device_and_one_of_two_flags(void **state)
{
    static const ULONG wrong[] = {0, PLUGPLAY_REGKEY_DEVICE | PLUGPLAY_REGKEY_DRIVER,
                                  PLUGPLAY_REGKEY_CURRENT_HWPROFILE, 8};
    struct rig rig;
    HANDLE key = NULL;

    (void)state;
    rig_start(&rig, NULL);
    for (unsigned i = 0; i < ARRAYSIZE(wrong); i++)
        assert_int_equal(IoOpenDeviceRegistryKey(vidmm_kit_device(), wrong[i], KEY_READ, &key),
                         STATUS_INVALID_PARAMETER);
    assert_int_equal(IoOpenDeviceRegistryKey(NULL, PLUGPLAY_REGKEY_DRIVER, KEY_READ, &key),
                     STATUS_INVALID_PARAMETER);
    assert_found(&rig, BAD_ARGUMENT, 5);
    assert_null(key);
    rig_stop(&rig);
}

static void values_are_written_and_deleted_by_path(void **state)
{
    struct rig rig;
    ULONG number = 11;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_SERVICES, L"GPU"), STATUS_SUCCESS);
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_ABSOLUTE, SERVICES L"gpu"), STATUS_SUCCESS);
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_CONTROL, L"gpu"),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(RtlDeleteRegistryValue(RTL_REGISTRY_SERVICES, L"gpu", L"count"),
                     STATUS_SUCCESS);
    assert_int_equal(RtlDeleteRegistryValue(RTL_REGISTRY_SERVICES, L"gpu", L"count"),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(RtlDeleteRegistryValue(RTL_REGISTRY_SERVICES, L"none", L"count"),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(RtlWriteRegistryValue(RTL_REGISTRY_SERVICES, L"gpu\\New", L"n", REG_DWORD,
                                           &number, sizeof(number)),
                     STATUS_SUCCESS); /* makes the key */
    assert_int_equal(RtlWriteRegistryValue(RTL_REGISTRY_SERVICES, L"gpu\\no\\no", L"n", REG_DWORD,
                                           &number, sizeof(number)),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_SERVICES, L"gpu\\New"), STATUS_SUCCESS);
    assert_int_equal(RtlCreateRegistryKey(RTL_REGISTRY_SERVICES, L"gpu\\x\\y"),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    assert_int_equal(RtlCreateRegistryKey(RTL_REGISTRY_SERVICES, L"gpu\\x"), STATUS_SUCCESS);
    assert_int_equal(RtlCreateRegistryKey(RTL_REGISTRY_SERVICES, L"gpu\\x\\y"), STATUS_SUCCESS);
    rig_stop(&rig);
}

static void each_known_path_is_there_and_no_other(void **state)
{
    static const ULONG known[] = {RTL_REGISTRY_SERVICES, RTL_REGISTRY_CONTROL,
                                  RTL_REGISTRY_WINDOWS_NT, RTL_REGISTRY_DEVICEMAP,
                                  RTL_REGISTRY_USER};
    struct rig rig;
    ULONG number = 1;

    (void)state;
    rig_start(&rig, NULL);
    for (unsigned i = 0; i < ARRAYSIZE(known); i++) {
        assert_int_equal(RtlCreateRegistryKey(known[i], L"gpu"), STATUS_SUCCESS);
        assert_int_equal(RtlCheckRegistryKey(known[i] | RTL_REGISTRY_OPTIONAL, L"gpu"),
                         STATUS_SUCCESS);
    }
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_ABSOLUTE,
                                         L"\\Registry\\Machine\\Software\\Microsoft\\Windows NT\\"
                                         L"CurrentVersion\\gpu"),
                     STATUS_SUCCESS);
    assert_int_equal(RtlCheckRegistryKey(6, L"gpu"), STATUS_INVALID_PARAMETER);
    assert_int_equal(RtlWriteRegistryValue(99, L"gpu", L"n", REG_DWORD, &number, 4),
                     STATUS_INVALID_PARAMETER);
    assert_found(&rig, BAD_ARGUMENT, 2);
    rig_stop(&rig);
}

static void a_handle_stands_in_the_place_of_a_path(void **state)
{
    struct rig rig;
    HANDLE gpu;
    ULONG number = 21;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(make_key(NULL, SERVICES L"gpu", &gpu, NULL), STATUS_SUCCESS);
    assert_int_equal(RtlWriteRegistryValue(RTL_REGISTRY_HANDLE, (PCWSTR)gpu, L"n", REG_DWORD,
                                           &number, sizeof(number)),
                     STATUS_SUCCESS);
    assert_int_equal(dword_of(gpu, L"n"), 21);
    assert_int_equal(RtlCheckRegistryKey(RTL_REGISTRY_HANDLE, (PWSTR)gpu), STATUS_SUCCESS);
    assert_int_equal(RtlDeleteRegistryValue(RTL_REGISTRY_HANDLE, (PCWSTR)gpu, L"n"),
                     STATUS_SUCCESS);
    assert_int_equal(dword_of(gpu, L"n"), 0xDEAD); /* and the handle is open still */
    ZwClose(gpu);
    assert_int_equal(RtlDeleteRegistryValue(RTL_REGISTRY_HANDLE, (PCWSTR)gpu, L"n"),
                     STATUS_INVALID_HANDLE);
    assert_found(&rig, BAD_HANDLE, 1);
    rig_stop(&rig);
}

static void the_registry_is_for_passive_level(void **state)
{
    struct rig rig;
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"n");
    ULONG number = 0, needed;
    HANDLE gpu, other;
    KIRQL irql;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(make_key(NULL, SERVICES L"gpu", &gpu, NULL), STATUS_SUCCESS);
    KeRaiseIrql(APC_LEVEL, &irql);
    make_key(NULL, SERVICES L"gpu", &other, NULL);
    set_dword(gpu, L"n", 1);
    dword_of(gpu, L"n");
    ZwEnumerateValueKey(gpu, 0, KeyValueBasicInformation, &number, 0, &needed);
    ZwDeleteValueKey(gpu, &name);
    ZwFlushKey(gpu);
    RtlCheckRegistryKey(RTL_REGISTRY_SERVICES, L"gpu");
    RtlCreateRegistryKey(RTL_REGISTRY_SERVICES, L"gpu");
    RtlWriteRegistryValue(RTL_REGISTRY_SERVICES, L"gpu", L"n", REG_DWORD, &number, 4);
    RtlDeleteRegistryValue(RTL_REGISTRY_SERVICES, L"gpu", L"n");
    assert_found(&rig, IRQL_TOO_HIGH, 10);
    KeLowerIrql(irql);
    ZwClose(gpu);
    ZwClose(other);
    rig_stop(&rig);
}

/* ---- tables ---- */

struct told {
    char text[200];
    NTSTATUS answer;
};

static NTSTATUS tell(PWSTR name, ULONG type, PVOID data, ULONG size, PVOID context, PVOID entry)
{
    struct told *told = context;
    char one[60];

    (void)entry;
    if (type == REG_SZ)
        RtlStringCbPrintfA(one, sizeof(one), "%ws=%ws;", name, (PWSTR)data);
    else
        RtlStringCbPrintfA(one, sizeof(one), "%ws:%u:%u;", name ? name : L"-", type, size);
    RtlStringCbCatA(told->text, sizeof(told->text), one);
    return told->answer;
}

static NTSTATUS read_one(const RTL_QUERY_REGISTRY_TABLE *entry, struct told *told)
{
    RTL_QUERY_REGISTRY_TABLE table[2] = {*entry};

    return RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"gpu", table, told, NULL);
}

static void a_value_of_many_bytes_goes_where_the_room_is_told(void **state)
{
    struct rig rig;
    struct {
        LONG size;
        ULONG words[4];
    } room = {.size = -8};
    RTL_QUERY_REGISTRY_TABLE entry = {
        NULL, RTL_QUERY_REGISTRY_DIRECT, L"Big", &room, REG_NONE, NULL, 0};
    ULONG64 number;

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(read_one(&entry, NULL), STATUS_SUCCESS);
    memcpy(&number, &room, sizeof(number));
    assert_int_equal(number, 0x1122334455667788);
    room.size = 16; /* positive: length and type come first */
    assert_int_equal(read_one(&entry, NULL), STATUS_SUCCESS);
    assert_int_equal(room.size, 8);
    assert_int_equal(room.words[0], REG_QWORD);
    memcpy(&number, &room.words[1], sizeof(number));
    assert_int_equal(number, 0x1122334455667788);
    room.size = 15;
    assert_int_equal(read_one(&entry, NULL), STATUS_BUFFER_TOO_SMALL);
    room.size = -7;
    assert_int_equal(read_one(&entry, NULL), STATUS_BUFFER_TOO_SMALL);
    assert_int_equal(room.size, -7);
    rig_stop(&rig);
}

static void a_text_finds_a_buffer_or_is_refused(void **state)
{
    struct rig rig;
    WCHAR small[2];
    UNICODE_STRING text = {0, 0, NULL};
    RTL_QUERY_REGISTRY_TABLE entry = {
        NULL, RTL_QUERY_REGISTRY_DIRECT, L"Name", &text, REG_NONE, NULL, 0};

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(read_one(&entry, NULL), STATUS_SUCCESS);
    assert_int_equal(text.Length, 6);
    assert_memory_equal(text.Buffer, L"abc", 8);
    ExFreePool(text.Buffer);
    text = (UNICODE_STRING){0, sizeof(small), small};
    assert_int_equal(read_one(&entry, NULL), STATUS_BUFFER_TOO_SMALL);
    vidmm_kit_fail_pool(1);
    text.Buffer = NULL;
    assert_int_equal(read_one(&entry, NULL), STATUS_NO_MEMORY);
    rig_stop(&rig);
}

static void a_list_of_strings_is_told_one_by_one(void **state)
{
    static WCHAR list[] = L"one\0two\0";
    struct rig rig;
    struct told told = {.answer = STATUS_SUCCESS};
    RTL_QUERY_REGISTRY_TABLE entry = {tell, 0, L"List", NULL, REG_NONE, NULL, 0};

    (void)state;
    rig_start(&rig, configuration);
    entry.DefaultType = REG_MULTI_SZ; /* there is none yet: the default, whose size is found */
    entry.DefaultData = list;
    assert_int_equal(read_one(&entry, &told), STATUS_SUCCESS);
    assert_string_equal(told.text, "List=one;List=two;");
    assert_int_equal(RtlWriteRegistryValue(RTL_REGISTRY_SERVICES, L"gpu", L"List", REG_MULTI_SZ,
                                           list, sizeof(list)),
                     STATUS_SUCCESS);
    told.text[0] = 0;
    entry.Flags = RTL_QUERY_REGISTRY_NOEXPAND;
    assert_int_equal(read_one(&entry, &told), STATUS_SUCCESS);
    assert_string_equal(told.text, "List:7:18;");
    told.text[0] = 0;
    entry.Flags = RTL_QUERY_REGISTRY_DELETE;
    assert_int_equal(read_one(&entry, &told), STATUS_SUCCESS);
    assert_string_equal(told.text, "List=one;List=two;");
    entry.Flags = RTL_QUERY_REGISTRY_REQUIRED;
    entry.DefaultType = REG_NONE;
    assert_int_equal(read_one(&entry, &told), STATUS_OBJECT_NAME_NOT_FOUND);
    rig_stop(&rig);
}

static void a_routine_ends_the_table_but_not_by_a_small_buffer(void **state)
{
    struct rig rig;
    struct told told = {.answer = STATUS_BUFFER_TOO_SMALL};
    RTL_QUERY_REGISTRY_TABLE table[] = {
        {tell, RTL_QUERY_REGISTRY_NOVALUE, NULL, NULL, 0, NULL, 0},
        {tell, RTL_QUERY_REGISTRY_SUBKEY, L"Sub", NULL, 0, NULL, 0},
        {tell, RTL_QUERY_REGISTRY_TOPKEY, L"Count", NULL, 0, NULL, 0},
        {NULL, 0, NULL, NULL, 0, NULL, 0}};

    (void)state;
    rig_start(&rig, configuration);
    assert_int_equal(RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"gpu", table, &told, NULL),
                     STATUS_SUCCESS);
    assert_string_equal(told.text, "-:0:0;Deep:4:4;Count:4:4;");
    told = (struct told){.answer = STATUS_UNSUCCESSFUL};
    assert_int_equal(RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"gpu", table, &told, NULL),
                     STATUS_UNSUCCESSFUL);
    assert_string_equal(told.text, "-:0:0;");
    table[0] = (RTL_QUERY_REGISTRY_TABLE){
        NULL, RTL_QUERY_REGISTRY_SUBKEY | RTL_QUERY_REGISTRY_REQUIRED, L"No", NULL, 0, NULL, 0};
    assert_int_equal(RtlQueryRegistryValues(RTL_REGISTRY_SERVICES, L"gpu", table, &told, NULL),
                     STATUS_OBJECT_NAME_NOT_FOUND);
    rig_stop(&rig);
}

static void an_entry_without_what_its_flags_need_is_refused(void **state)
{
    ULONG number = 0;
    const RTL_QUERY_REGISTRY_TABLE wrong[] = {
        {NULL, 0, L"Count", NULL, 0, NULL, 0},
        {tell, RTL_QUERY_REGISTRY_DIRECT, L"Count", &number, 0, NULL, 0},
        {tell, RTL_QUERY_REGISTRY_DIRECT, NULL, &number, 0, NULL, 0},
        {NULL, RTL_QUERY_REGISTRY_DIRECT, L"Count", NULL, 0, NULL, 0},
        {tell, RTL_QUERY_REGISTRY_SUBKEY, NULL, NULL, 0, NULL, 0},
        {NULL, RTL_QUERY_REGISTRY_NOVALUE, L"Count", NULL, 0, NULL, 0}};
    struct rig rig;
    struct told told = {.answer = STATUS_SUCCESS};

    (void)state;
    rig_start(&rig, configuration);
    for (unsigned i = 0; i < ARRAYSIZE(wrong); i++)
        assert_int_equal(read_one(&wrong[i], &told), STATUS_INVALID_PARAMETER);
    assert_string_equal(told.text, "");
    assert_int_equal(number, 0);
    assert_int_equal(RtlQueryRegistryValues(77, L"gpu", NULL, NULL, NULL),
                     STATUS_INVALID_PARAMETER);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_value_some_is_an_overflow_and_none_too_small_a_buffer),
        cmocka_unit_test(a_key_is_made_once_and_opened_then),
        cmocka_unit_test(a_key_is_made_only_below_one_that_is_there),
        cmocka_unit_test(a_deleted_value_is_gone_and_the_others_stay),
        cmocka_unit_test(a_device_has_a_key_for_its_hardware_and_one_for_its_driver),
        cmocka_unit_test(a_device_key_needs_the_device_and_one_of_two_flags),
        cmocka_unit_test(values_are_written_and_deleted_by_path),
        cmocka_unit_test(each_known_path_is_there_and_no_other),
        cmocka_unit_test(a_handle_stands_in_the_place_of_a_path),
        cmocka_unit_test(the_registry_is_for_passive_level),
        cmocka_unit_test(a_value_of_many_bytes_goes_where_the_room_is_told),
        cmocka_unit_test(a_text_finds_a_buffer_or_is_refused),
        cmocka_unit_test(a_list_of_strings_is_told_one_by_one),
        cmocka_unit_test(a_routine_ends_the_table_but_not_by_a_small_buffer),
        cmocka_unit_test(an_entry_without_what_its_flags_need_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
