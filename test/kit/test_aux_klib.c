/* The auxiliary library: the driver finds itself among the modules. */
#include "rig.h"

#include <dlfcn.h>

#include <kit/aux_klib.h>

static void a_driver_finds_itself(void **state)
{
    AUX_MODULE_EXTENDED_INFO *info;
    ULONG size = 0;
    struct rig rig;
    Dl_info own;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(AuxKlibInitialize(), STATUS_SUCCESS);
    assert_int_equal(AuxKlibQueryModuleInformation(&size, sizeof(*info), NULL), STATUS_SUCCESS);
    assert_int_equal(size, sizeof(*info));
    info = malloc(size);
    assert_non_null(info);
    assert_int_equal(AuxKlibQueryModuleInformation(&size, sizeof(*info), info), STATUS_SUCCESS);
    assert_true(dladdr((const void *)a_driver_finds_itself, &own));
    assert_ptr_equal(info->BasicInfo.ImageBase, own.dli_fbase);
    assert_true((uintptr_t)a_driver_finds_itself - (uintptr_t)own.dli_fbase < info->ImageSize);
    assert_true((uintptr_t)&rig - (uintptr_t)own.dli_fbase >= info->ImageSize); /* the stack */
    assert_string_equal((const char *)info->FullPathName + info->FileNameOffset,
                        "test_kit_aux_klib");
    free(info);
    rig_stop(&rig);
}

static void an_element_is_of_one_of_two_sizes_and_there_is_room(void **state)
{
    unsigned char bytes[sizeof(AUX_MODULE_EXTENDED_INFO)];
    AUX_MODULE_BASIC_INFO basic = {NULL};
    ULONG size = sizeof(bytes);
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    memset(bytes, 0xA5, sizeof(bytes));
    assert_int_equal(AuxKlibQueryModuleInformation(&size, 12, bytes), STATUS_INVALID_PARAMETER);
    assert_int_equal(size, sizeof(bytes));
    size = sizeof(bytes) - 1;
    assert_int_equal(AuxKlibQueryModuleInformation(&size, sizeof(bytes), bytes),
                     STATUS_BUFFER_TOO_SMALL);
    assert_int_equal(size, sizeof(bytes));
    for (size_t i = 0; i < sizeof(bytes); i++)
        assert_int_equal(bytes[i], 0xA5);
    size = sizeof(basic);
    assert_int_equal(AuxKlibQueryModuleInformation(&size, sizeof(basic), &basic), STATUS_SUCCESS);
    assert_non_null(basic.ImageBase);
    rig_stop(&rig);
}

static void modules_are_asked_for_at_passive_level(void **state)
{
    ULONG size = 0;
    struct rig rig;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeRaiseIrql(APC_LEVEL, &irql);
    AuxKlibQueryModuleInformation(&size, sizeof(AUX_MODULE_BASIC_INFO), NULL);
    KeLowerIrql(irql);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_finds_itself),
        cmocka_unit_test(an_element_is_of_one_of_two_sizes_and_there_is_room),
        cmocka_unit_test(modules_are_asked_for_at_passive_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
