/* edges.c: what libdxcore.so does at its edges: forks, text of 4-byte characters, functions that
 * are not built, a machine that cannot be. */
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include <setjmp.h>

#include <cmocka.h>

#include <vidmm/dxcore.h>
#include <wddm/d3dkmthk_calls.h>
#include <wddm/d3dkmthk_escape.h>
#include <wddm/ntstatus.h>

#include "dxcore/outward.h"
#include "softgpu/softgpu.h"

NTSTATUS D3DKMTSetStablePowerState(void *arguments);
static NTSTATUS open_adapter(D3DKMT_HANDLE *handle)
{
    D3DKMT_ADAPTERINFO info = {0};
    D3DKMT_ENUMADAPTERS2 list = {.NumAdapters = 1, .pAdapters = &info};
    NTSTATUS status = D3DKMTEnumAdapters2(&list);

    *handle = info.hAdapter;
    return status;
}

static NTSTATUS create_device(D3DKMT_HANDLE adapter)
{
    D3DKMT_CREATEDEVICE device = {.hAdapter = adapter};

    return D3DKMTCreateDevice(&device);
}

/* Run in a fork's child; answer its exit status. */
static int in_child(int (*run)(void *), void *argument)
{
    int status = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        exit(run(argument));
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

#ifndef __SANITIZE_THREAD__
/* 0: the parent's handle is none here, and one of its own is. */
static int use_handle(void *argument)
{
    D3DKMT_HANDLE mine;

    if (create_device(*(D3DKMT_HANDLE *)argument) != STATUS_INVALID_PARAMETER)
        return 1;
    if (open_adapter(&mine) != STATUS_SUCCESS || create_device(mine) != STATUS_SUCCESS)
        return 2;
    return 0;
}

static void a_child_starts_anew_and_the_parent_goes_on(void **state)
{
    D3DKMT_HANDLE adapter;

    (void)state;
    assert_int_equal(open_adapter(&adapter), STATUS_SUCCESS);
    assert_int_equal(create_device(adapter), STATUS_SUCCESS);
    assert_int_equal(in_child(use_handle, &adapter), 0);
    assert_int_equal(create_device(adapter), STATUS_SUCCESS);
    assert_int_equal(D3DKMTCloseAdapter(&(D3DKMT_CLOSEADAPTER){.hAdapter = adapter}),
                     STATUS_SUCCESS);
}

#endif

/* ---- the end --------------------------------------------------------------------------------- */

static pthread_mutex_t lock_of_program = PTHREAD_MUTEX_INITIALIZER;
static sem_t called;

static void waits_for_the_lock(D3DKMT_TRIMNOTIFICATION *notification)
{
    (void)notification;
    sem_post(&called);
    pthread_mutex_lock(&lock_of_program);
    pthread_mutex_unlock(&lock_of_program);
}

static NTSTATUS make_resident(D3DKMT_HANDLE device)
{
    struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                      .size = 1 << 16,
                                      .read_set = 2,
                                      .write_set = 2,
                                      .evict_set = 1,
                                      .priority = SOFTGPU_PRIORITY_NORMAL};
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = device, .NumAllocations = 1, .pAllocationInfo2 = &info};
    D3DKMT_CREATEPAGINGQUEUE queue = {.hDevice = device};
    D3DDDI_MAKERESIDENT make = {.NumAllocations = 1, .AllocationList = &info.hAllocation};

    if (D3DKMTCreateAllocation2(&create) != STATUS_SUCCESS ||
        D3DKMTCreatePagingQueue(&queue) != STATUS_SUCCESS)
        return STATUS_NO_MEMORY;
    make.hPagingQueue = queue.hPagingQueue;
    return D3DKMTMakeResident(&make);
}

static NTSTATUS take_budget(D3DKMT_HANDLE adapter)
{
    D3DKMT_VIDMM_ESCAPE ask = {.Type = D3DKMT_VIDMMESCAPETYPE_SET_BUDGET};
    D3DKMT_ESCAPE escape = {.hAdapter = adapter,
                            .Type = D3DKMT_ESCAPE_VIDMM,
                            .pPrivateDriverData = &ask,
                            .PrivateDriverDataSize = sizeof(ask)};

    ask.SetBudget.SystemMemoryBudget = UINT64_MAX;
    return D3DKMTEscape(&escape);
}

/* The thread that ends the process has the lock that a callback waits for. */
static int end_under_a_callback(void *nothing)
{
    D3DKMT_ADAPTERINFO info = {0};
    D3DKMT_ENUMADAPTERS2 list = {.NumAdapters = 1, .pAdapters = &info};
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_REGISTERTRIMNOTIFICATION watch = {.Callback = waits_for_the_lock};

    (void)nothing;
    alarm(30);
    sem_init(&called, 0, 0);
    if (D3DKMTEnumAdapters2(&list) != STATUS_SUCCESS)
        return 1;
    device.hAdapter = info.hAdapter;
    watch.AdapterLuid = info.AdapterLuid;
    if (D3DKMTCreateDevice(&device) != STATUS_SUCCESS)
        return 2;
    watch.hDevice = device.hDevice;
    pthread_mutex_lock(&lock_of_program);
    if (D3DKMTRegisterTrimNotification(&watch) != STATUS_SUCCESS ||
        !NT_SUCCESS(make_resident(device.hDevice)) || take_budget(info.hAdapter) != STATUS_SUCCESS)
        return 3;
    sem_wait(&called);
    return 0; /* exit() takes the machine apart */
}

static void a_callback_keeps_no_process_from_its_end(void **state)
{
    (void)state;
    assert_int_equal(in_child(end_under_a_callback, NULL), 0);
}

/* ---- machines -------------------------------------------------------------------------------- */

static int call_without_machine(void *file)
{
    D3DKMT_HANDLE adapter;

    setenv("VIDMM_MACHINE", file, 1);
    close(STDERR_FILENO);
    return open_adapter(&adapter) == STATUS_DEVICE_REMOVED && !vidmm_process_enter(2) ? 0 : 1;
}

static int call_with_machine(void *file)
{
    D3DKMT_SEGMENTSIZEINFO size = {0};
    D3DKMT_QUERYADAPTERINFO query = {.Type = KMTQAITYPE_GETSEGMENTSIZE,
                                     .pPrivateDriverData = &size,
                                     .PrivateDriverDataSize = sizeof(size)};

    setenv("VIDMM_MACHINE", file, 1);
    if (open_adapter(&query.hAdapter) != STATUS_SUCCESS ||
        D3DKMTQueryAdapterInfo(&query) != STATUS_SUCCESS)
        return 1;
    return size.DedicatedVideoMemorySize == 64u << 20 ? 0 : 2;
}

static void a_file_describes_the_machine(void **state)
{
    char path[] = "/tmp/vidmm-edges-XXXXXX";
    static const char right[] = "wddm 2.6\nmmu gpu\nsegment 1 aperture 64M\n"
                                "segment 2 memory 64M cpuvisible\n";
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, right, sizeof(right) - 1), sizeof(right) - 1);
    assert_int_equal(in_child(call_with_machine, path), 0);
    assert_int_equal(write(file, "wheels 4\n", 9), 9);
    close(file);
    assert_int_equal(in_child(call_without_machine, path), 0);
    unlink(path);
    assert_int_equal(in_child(call_without_machine, path), 0);
}

static void what_is_not_built_is_not_supported(void **state)
{
    (void)state;
    assert_int_equal(D3DKMTSetStablePowerState(NULL), STATUS_NOT_SUPPORTED);
    assert_string_equal(vidmm_refusal(), "D3DKMTSetStablePowerState is not built");
}

static void a_process_begins_when_it_is_entered_and_ends_once(void **state)
{
    D3DKMT_HANDLE adapter;

    (void)state;
    assert_false(vidmm_process_enter(0));
    assert_false(vidmm_process_end(1));
    assert_false(vidmm_process_end(7));
    assert_true(vidmm_process_enter(7));
    assert_int_equal(open_adapter(&adapter), STATUS_SUCCESS);
    assert_true(vidmm_process_end(7));
    assert_false(vidmm_process_end(7));
    assert_int_equal(create_device(adapter), STATUS_DEVICE_REMOVED); /* this thread's is gone */
    assert_true(vidmm_process_enter(1));
    assert_int_equal(create_device(adapter), STATUS_INVALID_PARAMETER);
    for (uint64_t i = 2; i <= VIDMM_DXCORE_PROCESSES; i++)
        assert_true(vidmm_process_enter(i));
    assert_false(vidmm_process_enter(VIDMM_DXCORE_PROCESSES + 1));
    for (uint64_t i = 2; i <= VIDMM_DXCORE_PROCESSES; i++)
        assert_true(vidmm_process_end(i));
    assert_true(vidmm_process_enter(1));
}

/* ---- text ------------------------------------------------------------------------------------ */

static void text_is_of_four_bytes_a_character(void **state)
{
    static const uint16_t narrow[] = {'G', 0xD83D, 0xDE00, 0xD800, 'x', 0};
    static const uint32_t wide[] = {'G', 0x1F600, 0xD800, 'x', 0, 0};
    uint32_t widened[6];
    uint16_t narrowed[6];

    (void)state;
    vidmm_outward_widen(widened, narrow, 6);
    assert_memory_equal(widened, wide, sizeof(wide));
    vidmm_outward_narrow(narrowed, wide, 6);
    assert_memory_equal(narrowed, narrow, sizeof(narrow));
    vidmm_outward_narrow(narrowed, (const uint32_t[]){0x110000, 'y'}, 2);
    assert_int_equal(narrowed[0], 0xFFFD);
    vidmm_outward_narrow(narrowed, (const uint32_t[]){'z', 0x1F600}, 2); /* half a pair is none */
    assert_int_equal(narrowed[1], 0xFFFD);
}

static void ask(D3DKMT_HANDLE adapter, KMTQUERYADAPTERINFOTYPE type, void *data, UINT size)
{
    D3DKMT_QUERYADAPTERINFO query = {adapter, type, data, size};

    if (D3DKMTQueryAdapterInfo(&query) != STATUS_SUCCESS)
        fail_msg("type %d: %s", (int)type, vidmm_refusal());
}

/* The library tells who the default adapter is, in wide text. */
static void the_adapter_tells_who_it_is(void **state)
{
    static wchar_t description[4096], registry[4 * 260], guid[40];
    D3DKMT_KMD_DRIVER_VERSION version;
    D3DKMT_HANDLE adapter;

    (void)state;
    assert_int_equal(open_adapter(&adapter), STATUS_SUCCESS);
    ask(adapter, KMTQAITYPE_DRIVER_DESCRIPTION, description, sizeof(description));
    assert_int_equal(wcscmp(description, L"vidmm software GPU"), 0);
    ask(adapter, KMTQAITYPE_ADAPTERREGISTRYINFO, registry, sizeof(registry));
    assert_int_equal(wcscmp(registry, L"vidmm software GPU"), 0);
    assert_int_equal(wcslen(registry + 260), 0);
    memset(description, 0, sizeof(description));
    memset(registry, 0, sizeof(registry));
    ask(adapter, KMTQAITYPE_DRIVER_DESCRIPTION_RENDER, description, sizeof(description));
    assert_int_equal(wcscmp(description, L"vidmm software GPU"), 0);
    ask(adapter, KMTQAITYPE_ADAPTERREGISTRYINFO_RENDER, registry, sizeof(registry));
    assert_int_equal(wcscmp(registry, L"vidmm software GPU"), 0);
    ask(adapter, KMTQAITYPE_QUERY_ADAPTER_UNIQUE_GUID, guid, sizeof(guid));
    assert_int_equal(wcslen(guid), 38);
    ask(adapter, KMTQAITYPE_KMD_DRIVER_VERSION, &version, sizeof(version));
    assert_int_equal(version.DriverVersion.QuadPart, INT64_C(1) << 32);
    D3DKMTCloseAdapter(&(D3DKMT_CLOSEADAPTER){.hAdapter = adapter});
}

/* Structures whose text stands between numbers, with wide text. */
#pragma pack(push, 1)
struct wide_node {
    UINT ordinal;
    DXGK_ENGINE_TYPE type;
    wchar_t name[32];
    UINT flags;
    BOOLEAN gpu_mmu, io_mmu;
};

struct wide_value {
    UINT type, flags;
    wchar_t name[260];
    UINT value_type, adapter, size, status;
    wchar_t text[8];
};
#pragma pack(pop)

/* Numbers around the text are where the wide form has them; the text itself comes back. */
static void numbers_stand_around_wide_text(void **state)
{
    struct wide_node node;
    struct wide_value value = {.type = D3DDDI_QUERYREGISTRY_SERVICEKEY,
                               .name = L"Value \x1F600 of a name",
                               .value_type = 1,
                               .size = 77,
                               .status = 77};
    D3DKMT_HANDLE adapter;

    (void)state;
    assert_int_equal(open_adapter(&adapter), STATUS_SUCCESS);
    memset(&node, 0x5a, sizeof(node));
    node.ordinal = 0;
    ask(adapter, KMTQAITYPE_NODEMETADATA, &node, sizeof(node));
    assert_int_equal(node.ordinal, 0);
    assert_int_equal(node.type, DXGK_ENGINE_TYPE_3D);
    assert_int_equal(wcslen(node.name), 0); /* a type that has a name */
    assert_int_equal(node.name[31], 0);
    assert_int_equal(node.gpu_mmu, 1);
    assert_int_equal(node.io_mmu, 0);
    ask(adapter, KMTQAITYPE_QUERYREGISTRY, &value, sizeof(value));
    assert_int_equal(wcscmp(value.name, L"Value \x1F600 of a name"), 0);
    assert_int_equal(value.value_type, 1);
    assert_int_equal(value.size, 0);
    assert_int_equal(value.status, D3DDDI_QUERYREGISTRY_STATUS_FAIL);
    value.adapter = 1;
    value.size = 77;
    assert_int_equal(D3DKMTQueryAdapterInfo(&(D3DKMT_QUERYADAPTERINFO){
                         adapter, KMTQAITYPE_QUERYREGISTRY, &value, sizeof(value)}),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(vidmm_refusal(), "PhysicalAdapterIndex is 1"));
    assert_int_equal(value.size, 77);
    D3DKMTCloseAdapter(&(D3DKMT_CLOSEADAPTER){.hAdapter = adapter});
}

/* The sizes of the wide forms, of those who ask; all others are refused. */
static void a_question_with_text_has_the_size_of_its_wide_form(void **state)
{
    static const struct {
        KMTQUERYADAPTERINFOTYPE type;
        UINT size;
    } rows[] = {
        {KMTQAITYPE_DRIVER_DESCRIPTION, 16384}, {KMTQAITYPE_UMDRIVERNAME, 1044},
        {KMTQAITYPE_NODEMETADATA, 142},         {KMTQAITYPE_ADAPTERREGISTRYINFO, 4160},
        {KMTQAITYPE_UMOPENGLINFO, 1048},        {KMTQAITYPE_QUERY_ADAPTER_UNIQUE_GUID, 160},
        {KMTQUITYPE_GPUVERSION, 260},           {KMTQAITYPE_DRIVER_DESCRIPTION_RENDER, 16384},
        {KMTQAITYPE_CPDRIVERNAME, 1040},        {KMTQAITYPE_ADAPTERREGISTRYINFO_RENDER, 4160},
        {KMTQAITYPE_DLIST_DRIVER_NAME, 1040},   {KMTQAITYPE_DISPLAY_UMDRIVERNAME, 1044},
    };
    static unsigned char data[20000];
    D3DKMT_QUERYADAPTERINFO query = {.pPrivateDriverData = data};

    (void)state;
    assert_int_equal(open_adapter(&query.hAdapter), STATUS_SUCCESS);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memset(data, 0, sizeof(data));
        query.Type = rows[i].type;
        query.PrivateDriverDataSize = rows[i].size;
        assert_int_not_equal(D3DKMTQueryAdapterInfo(&query), STATUS_INVALID_PARAMETER);
        query.PrivateDriverDataSize = rows[i].size / 2;
        assert_int_equal(D3DKMTQueryAdapterInfo(&query), STATUS_INVALID_PARAMETER);
        assert_non_null(strstr(vidmm_refusal(), "characters have 4 bytes"));
        query.PrivateDriverDataSize = rows[i].size + 4;
        assert_int_equal(D3DKMTQueryAdapterInfo(&query), STATUS_INVALID_PARAMETER);
    }
    query.Type = KMTQAITYPE_QUERYREGISTRY;
    query.PrivateDriverDataSize = 1071;
    assert_int_equal(D3DKMTQueryAdapterInfo(&query), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(vidmm_refusal(), "expected 1072 or more"));
    D3DKMTCloseAdapter(&(D3DKMT_CLOSEADAPTER){.hAdapter = query.hAdapter});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_describes_the_machine),
#ifndef __SANITIZE_THREAD__ /* it follows no child that makes threads */
        cmocka_unit_test(a_child_starts_anew_and_the_parent_goes_on),
#endif
        cmocka_unit_test(a_callback_keeps_no_process_from_its_end),
        cmocka_unit_test(what_is_not_built_is_not_supported),
        cmocka_unit_test(a_process_begins_when_it_is_entered_and_ends_once),
        cmocka_unit_test(text_is_of_four_bytes_a_character),
        cmocka_unit_test(the_adapter_tells_who_it_is),
        cmocka_unit_test(numbers_stand_around_wide_text),
        cmocka_unit_test(a_question_with_text_has_the_size_of_its_wide_form),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
