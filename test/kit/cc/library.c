/* library.c: the C library that a driver finds: numbers, 16-bit text, the _s kind, intrinsics. */
#include <ntddk.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <intrin.h>
#define CHECK(What)                                                                                \
    do {                                                                                           \
        if (!(What)) {                                                                             \
            DbgPrint("not so: %s\n", #What);                                                       \
            Bad++;                                                                                 \
        }                                                                                          \
    } while (0)

static int Bad;

static void Numbers(void)
{
    char t[16], *e;

    CHECK(strtol("-12x", &e, 10) == -12 && *e == 'x');
    CHECK(strtoul("0x1Fg", &e, 0) == 31 && *e == 'g');
    CHECK(strtoul("99999999999", NULL, 10) == 0xFFFFFFFF);
    CHECK(strtol("99999999999", NULL, 10) == 0x7FFFFFFF);
    CHECK(strtol("-99999999999", NULL, 10) == (-0x7FFFFFFF - 1));
    CHECK(strtol("zz", &e, 10) == 0 && *e == 'z');
    CHECK(strtoul("017", NULL, 0) == 15);
    CHECK(wcstoul(L"0xff", NULL, 16) == 255);
    CHECK(_wtoi(L" 42") == 42);
    CHECK(atol("-7") == -7);
    CHECK(strcmp(_itoa(-255, t, 10), "-255") == 0);
    CHECK(strcmp(_itoa(-1, t, 16), "ffffffff") == 0);
    CHECK(strcmp(_ultoa(5, t, 2), "101") == 0);
    CHECK(_itoa_s(1234, t, 4, 10) == 34 && t[0] == 0);
}

static void Wide(void)
{
    wchar_t w[8];

    CHECK(swprintf_s(w, 8, L"%d", 123) == 3 && w[2] == L'3');
    CHECK(swprintf_s(w, 4, L"%s", L"toolong") == -1 && w[0] == 0);
    CHECK(wcscpy_s(w, 8, L"abc") == 0 && wcscat_s(w, 8, L"def") == 0 && wcscmp(w, L"abcdef") == 0);
    CHECK(wcscat_s(w, 8, L"gh") == 34 && w[0] == 0);
    CHECK(wcsncpy_s(w, 4, L"abcdef", _TRUNCATE) == 80 && wcscmp(w, L"abc") == 0);
    CHECK(wcsncpy_s(w, 8, L"abcdef", 2) == 0 && wcscmp(w, L"ab") == 0);
    CHECK(wcscmp(wcsncat(w, L"xyz", 1), L"abx") == 0);
    CHECK(wcsspn(L"aab", L"a") == 2);
    CHECK(towupper(L'a') == L'A');
}

static void Narrow(void)
{
    char t[16];

    CHECK(strncpy_s(t, 4, "abcdef", _TRUNCATE) == 80 && strcmp(t, "abc") == 0);
    CHECK(strncpy_s(t, 4, "abcd", 4) == 34 && t[0] == 0);
    CHECK(strncpy_s(t, 4, "abcd", 3) == 0 && strcmp(t, "abc") == 0);
    CHECK(_snprintf_s(t, 16, 3, "%s", "abcdef") == -1 && strcmp(t, "abc") == 0);
    CHECK(_snprintf_s(t, 4, _TRUNCATE, "%s", "abcdef") == -1 && strcmp(t, "abc") == 0);
    CHECK(_snprintf_s(t, 16, _TRUNCATE, "%s", "ab") == 2);
}

static void Intrinsics(void)
{
    char *e, s[] = "a,b", t[4];
    int r[4];

    CHECK(strcmp(strtok_s(s, ",", &e), "a") == 0);
    CHECK(strspn("aab", "a") == 2 && strcspn("aab", "b") == 2);
    srand(3);
    CHECK(rand() <= RAND_MAX);
    CHECK(_rotl(0x80000001, 1) == 3 && _rotr(1, 1) == 0x80000000);
    __cpuid(r, 0);
    CHECK(r[0] > 0);
    _mm_pause();
    _mm_mfence();
    t[0] = ((char *)_alloca(4))[0] = 'x';
}

static void Identifiers(void)
{
    LUID l;
    LONG64 v = 1;

    l = RtlConvertLongToLuid(-2);
    CHECK(l.HighPart == -1 && !RtlIsZeroLuid(&l));
    CHECK(_byteswap_uint64(1) == 1ULL << 56);
    CHECK(_InterlockedOr64(&v, 2) == 1 && v == 3);
}

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    UNREFERENCED_PARAMETER(DriverObject);
    UNREFERENCED_PARAMETER(RegistryPath);
    Numbers();
    Wide();
    Narrow();
    Intrinsics();
    Identifiers();
    return Bad == 0 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
