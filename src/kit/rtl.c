/* rtl.c: bitmaps, the reported version, time in fields, random numbers. */
#include "kit/state.h"

SIZE_T RtlCompareMemory(const VOID *a, const VOID *b, SIZE_T size)
{
    SIZE_T i = 0;

    while (i < size && ((const char *)a)[i] == ((const char *)b)[i])
        i++;
    return i;
}

VOID RtlFillMemoryUlong(PVOID to, SIZE_T size, ULONG pattern)
{
    for (SIZE_T i = 0; i + sizeof(pattern) <= size; i += sizeof(pattern))
        memcpy((char *)to + i, &pattern, sizeof(pattern));
}

/* ---- bitmaps ---- */

VOID RtlInitializeBitMap(PRTL_BITMAP map, PULONG buffer, ULONG size)
{
    map->SizeOfBitMap = size;
    map->Buffer = buffer;
}

static bool bit(const RTL_BITMAP *map, ULONG i)
{
    return (map->Buffer[i / 32] >> (i % 32)) & 1;
}

static void change(RTL_BITMAP *map, ULONG i, bool value)
{
    ULONG mask = 1u << (i % 32);

    map->Buffer[i / 32] = value ? map->Buffer[i / 32] | mask : map->Buffer[i / 32] & ~mask;
}

static bool within(const void *caller, const RTL_BITMAP *map, ULONG start, ULONG count,
                   const char *routine)
{
    if (start <= map->SizeOfBitMap && count <= map->SizeOfBitMap - start)
        return true;
    vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s: %u bits at %u of %u", routine, count, start,
                   map->SizeOfBitMap);
    return false;
}

static void change_run(const void *caller, RTL_BITMAP *map, ULONG start, ULONG count, bool value,
                       const char *routine)
{
    if (!within(caller, map, start, count, routine))
        return;
    for (ULONG i = 0; i < count; i++)
        change(map, start + i, value);
}

VOID RtlClearAllBits(PRTL_BITMAP map)
{
    memset(map->Buffer, 0, (map->SizeOfBitMap + 31) / 32 * 4);
}

VOID RtlSetAllBits(PRTL_BITMAP map)
{
    memset(map->Buffer, 0xFF, (map->SizeOfBitMap + 31) / 32 * 4);
}

VOID RtlClearBit(PRTL_BITMAP map, ULONG i)
{
    change_run(CALLER, map, i, 1, false, "RtlClearBit");
}

VOID RtlSetBit(PRTL_BITMAP map, ULONG i)
{
    change_run(CALLER, map, i, 1, true, "RtlSetBit");
}

BOOLEAN RtlTestBit(PRTL_BITMAP map, ULONG i)
{
    return within(CALLER, map, i, 1, "RtlTestBit") && bit(map, i);
}

VOID RtlClearBits(PRTL_BITMAP map, ULONG start, ULONG count)
{
    change_run(CALLER, map, start, count, false, "RtlClearBits");
}

VOID RtlSetBits(PRTL_BITMAP map, ULONG start, ULONG count)
{
    change_run(CALLER, map, start, count, true, "RtlSetBits");
}

/* How many bits from start are `value`, to `limit`. */
static ULONG run_at(const RTL_BITMAP *map, ULONG start, ULONG limit, bool value)
{
    ULONG count = 0;

    while (count < limit && start + count < map->SizeOfBitMap && bit(map, start + count) == value)
        count++;
    return count;
}

BOOLEAN RtlAreBitsClear(PRTL_BITMAP map, ULONG start, ULONG count)
{
    return count > 0 && run_at(map, start, count, false) == count;
}

BOOLEAN RtlAreBitsSet(PRTL_BITMAP map, ULONG start, ULONG count)
{
    return count > 0 && run_at(map, start, count, true) == count;
}

static ULONG find_run(const RTL_BITMAP *map, ULONG count, ULONG hint, bool value)
{
    if (hint >= map->SizeOfBitMap)
        hint = 0;
    if (count == 0)
        return hint & ~7u;
    for (int pass = 0; pass < 2; pass++) {
        for (ULONG i = pass == 0 ? hint : 0; i < map->SizeOfBitMap; i++)
            if (run_at(map, i, count, value) == count)
                return i;
    }
    return 0xFFFFFFFF;
}

ULONG RtlFindClearBits(PRTL_BITMAP map, ULONG count, ULONG hint)
{
    return find_run(map, count, hint, false);
}

ULONG RtlFindSetBits(PRTL_BITMAP map, ULONG count, ULONG hint)
{
    return find_run(map, count, hint, true);
}

static ULONG find_and_change(RTL_BITMAP *map, ULONG count, ULONG hint, bool value)
{
    ULONG start = find_run(map, count, hint, value);

    for (ULONG i = 0; start != 0xFFFFFFFF && i < count; i++)
        change(map, start + i, !value);
    return start;
}

ULONG RtlFindClearBitsAndSet(PRTL_BITMAP map, ULONG count, ULONG hint)
{
    return find_and_change(map, count, hint, false);
}

ULONG RtlFindSetBitsAndClear(PRTL_BITMAP map, ULONG count, ULONG hint)
{
    return find_and_change(map, count, hint, true);
}

ULONG RtlNumberOfSetBits(PRTL_BITMAP map)
{
    ULONG count = 0;

    for (ULONG i = 0; i < map->SizeOfBitMap; i++)
        count += bit(map, i);
    return count;
}

ULONG RtlNumberOfClearBits(PRTL_BITMAP map)
{
    return map->SizeOfBitMap - RtlNumberOfSetBits(map);
}

CCHAR RtlFindMostSignificantBit(ULONGLONG set)
{
    return (CCHAR)(set ? 63 - __builtin_clzll(set) : -1);
}

CCHAR RtlFindLeastSignificantBit(ULONGLONG set)
{
    return (CCHAR)(set ? __builtin_ctzll(set) : -1);
}

/* ---- the reported version: the configuration's ---- */

BOOLEAN PsGetVersion(PULONG major, PULONG minor, PULONG build, PUNICODE_STRING service_pack)
{
    const ULONG *version = vidmm_kit_kernel.version;

    IRQL_MAX(PASSIVE_LEVEL);
    if (major)
        *major = version[0];
    if (minor)
        *minor = version[1];
    if (build)
        *build = version[2];
    if (service_pack)
        service_pack->Length = 0;
    return FALSE; /* a free build */
}

NTSTATUS RtlGetVersion(PRTL_OSVERSIONINFOW info)
{
    ULONG size = info->dwOSVersionInfoSize;

    IRQL_MAX(PASSIVE_LEVEL);
    if (size < sizeof(*info))
        return STATUS_INVALID_PARAMETER;
    memset(info, 0,
           size < sizeof(RTL_OSVERSIONINFOEXW) ? sizeof(*info) : sizeof(RTL_OSVERSIONINFOEXW));
    info->dwOSVersionInfoSize = size;
    info->dwPlatformId = 2;
    info->dwMajorVersion = vidmm_kit_kernel.version[0];
    info->dwMinorVersion = vidmm_kit_kernel.version[1];
    info->dwBuildNumber = vidmm_kit_kernel.version[2];
    if (size >= sizeof(RTL_OSVERSIONINFOEXW))
        ((RTL_OSVERSIONINFOEXW *)info)->wProductType = NtProductWinNt;
    return STATUS_SUCCESS;
}

/* Three bits a type, the lowest for the minor version. */
ULONGLONG VerSetConditionMask(ULONGLONG mask, ULONG type, UCHAR condition)
{
    for (unsigned i = 0; i < 8; i++)
        if (type & (1u << i))
            mask |= (ULONGLONG)(condition & 7) << (3 * i);
    return mask;
}

static bool holds(ULONG have, ULONG want, unsigned condition)
{
    switch (condition) {
    case VER_EQUAL:
        return have == want;
    case VER_GREATER:
        return have > want;
    case VER_GREATER_EQUAL:
        return have >= want;
    case VER_LESS:
        return have < want;
    case VER_LESS_EQUAL:
        return have <= want;
    default:
        return false;
    }
}

/* Major and minor are one number where both are asked for. */
NTSTATUS RtlVerifyVersionInfo(PRTL_OSVERSIONINFOEXW info, ULONG types, ULONGLONG mask)
{
    const ULONG *have = vidmm_kit_kernel.version;
    bool both = (types & VER_MAJORVERSION) && (types & VER_MINORVERSION), ok = true;

    IRQL_MAX(PASSIVE_LEVEL);
    if (types == 0 || (types & ~(ULONG)(VER_MAJORVERSION | VER_MINORVERSION | VER_BUILDNUMBER)))
        return STATUS_INVALID_PARAMETER;
    if (both)
        ok = holds(have[0] << 16 | have[1], info->dwMajorVersion << 16 | info->dwMinorVersion,
                   (unsigned)(mask >> 3) & 7);
    else if (types & VER_MAJORVERSION)
        ok = holds(have[0], info->dwMajorVersion, (unsigned)(mask >> 3) & 7);
    else if (types & VER_MINORVERSION)
        ok = holds(have[1], info->dwMinorVersion, (unsigned)mask & 7);
    if (ok && (types & VER_BUILDNUMBER))
        ok = holds(have[2], info->dwBuildNumber, (unsigned)(mask >> 6) & 7);
    return ok ? STATUS_SUCCESS : STATUS_REVISION_MISMATCH;
}

BOOLEAN RtlIsNtDdiVersionAvailable(ULONG version)
{
    const ULONG *have = vidmm_kit_kernel.version;

    IRQL_MAX(PASSIVE_LEVEL);
    return (have[0] << 24 | have[1] << 16) >= (version & 0xFFFF0000);
}

BOOLEAN IoIsWdmVersionAvailable(UCHAR major, UCHAR minor)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return major < 6 || (major == 6 && minor == 0);
}

/* ---- others ---- */

#define DAY_MS INT64_C(86400000)

/* Days since 1601-01-01, which was a Monday, to a date of the Gregorian calendar. */
VOID RtlTimeToTimeFields(PLARGE_INTEGER time, PTIME_FIELDS fields)
{
    int64_t ms = time->QuadPart / 10000, days = ms / DAY_MS, rest = ms % DAY_MS;
    int64_t era_day = days + 584694; /* since 0000-03-01 */
    int64_t era = era_day / 146097, of_era = era_day % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100),
            month = (5 * of_year + 2) / 153;

    fields->Day = (SHORT)(of_year - (153 * month + 2) / 5 + 1);
    fields->Month = (SHORT)(month < 10 ? month + 3 : month - 9);
    fields->Year = (SHORT)(year + era * 400 + (fields->Month <= 2));
    fields->Hour = (SHORT)(rest / 3600000);
    fields->Minute = (SHORT)(rest / 60000 % 60);
    fields->Second = (SHORT)(rest / 1000 % 60);
    fields->Milliseconds = (SHORT)(rest % 1000);
    fields->Weekday = (SHORT)((days + 1) % 7);
}

BOOLEAN RtlTimeFieldsToTime(PTIME_FIELDS fields, PLARGE_INTEGER time)
{
    int64_t year = fields->Year - (fields->Month <= 2), era = year / 400, of_era = year % 400;
    int64_t month = fields->Month > 2 ? fields->Month - 3 : fields->Month + 9;
    int64_t of_year = (153 * month + 2) / 5 + fields->Day - 1;
    int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;

    if (fields->Year < 1601 || fields->Month < 1 || fields->Month > 12 || fields->Day < 1 ||
        fields->Day > 31 || (USHORT)fields->Hour > 23 || (USHORT)fields->Minute > 59 ||
        (USHORT)fields->Second > 59 || (USHORT)fields->Milliseconds > 999)
        return FALSE;
    time->QuadPart =
        ((days - 584694) * DAY_MS + fields->Hour * INT64_C(3600000) +
         fields->Minute * INT64_C(60000) + fields->Second * INT64_C(1000) + fields->Milliseconds) *
        10000;
    TIME_FIELDS again;
    RtlTimeToTimeFields(time, &again);
    return again.Day == fields->Day; /* the month has that day */
}

/* A linear congruence of 31 bits; the seed is the state. */
ULONG RtlRandomEx(PULONG seed)
{
    IRQL_MAX(DISPATCH_LEVEL);
    *seed = (ULONG)((UINT64_C(0x7FFFFFED) * *seed + UINT64_C(0x7FFFFFC3)) % 0x7FFFFFFF);
    return *seed;
}

ULONG RtlRandom(PULONG seed)
{
    IRQL_MAX(DISPATCH_LEVEL);
    return RtlRandomEx(seed);
}
