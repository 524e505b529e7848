/* text.c: text of 16-bit characters: wchar.h, and the Rtl routines on counted text. */
#include "kit/state.h"

static WCHAR up(WCHAR c)
{
    return c >= 'a' && c <= 'z' ? (WCHAR)(c - 32) : c;
}

/* ---- wchar.h; the headers' names, under the kit's symbols ---- */

size_t wcslen(const WCHAR *text)
{
    return wcsnlen(text, SIZE_MAX);
}

size_t wcsnlen(const WCHAR *text, size_t limit)
{
    size_t length = 0;

    while (length < limit && text[length])
        length++;
    return length;
}

static int compare(const WCHAR *a, const WCHAR *b, size_t limit, bool fold)
{
    for (size_t i = 0; i < limit; i++) {
        WCHAR x = fold ? up(a[i]) : a[i], y = fold ? up(b[i]) : b[i];
        if (x != y)
            return x < y ? -1 : 1;
        if (x == 0)
            break;
    }
    return 0;
}

int wcscmp(const WCHAR *a, const WCHAR *b)
{
    return compare(a, b, SIZE_MAX, false);
}

int wcsncmp(const WCHAR *a, const WCHAR *b, size_t limit)
{
    return compare(a, b, limit, false);
}

int _wcsicmp(const WCHAR *a, const WCHAR *b)
{
    return compare(a, b, SIZE_MAX, true);
}

int _wcsnicmp(const WCHAR *a, const WCHAR *b, size_t limit)
{
    return compare(a, b, limit, true);
}

WCHAR *wcsncpy(WCHAR *to, const WCHAR *from, size_t limit)
{
    size_t length = wcsnlen(from, limit);

    memcpy(to, from, length * sizeof(WCHAR));
    memset(to + length, 0, (limit - length) * sizeof(WCHAR));
    return to;
}

WCHAR *wcscpy(WCHAR *to, const WCHAR *from)
{
    memcpy(to, from, (wcslen(from) + 1) * sizeof(WCHAR));
    return to;
}

WCHAR *wcscat(WCHAR *to, const WCHAR *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

WCHAR *wcschr(const WCHAR *text, WCHAR c)
{
    for (;; text++) {
        if (*text == c)
            return (WCHAR *)(uintptr_t)text;
        if (*text == 0)
            return NULL;
    }
}

WCHAR *wcsrchr(const WCHAR *text, WCHAR c)
{
    const WCHAR *last = NULL;

    for (; *text; text++)
        if (*text == c)
            last = text;
    return (WCHAR *)(uintptr_t)(c == 0 ? text : last);
}

WCHAR *wcsstr(const WCHAR *text, const WCHAR *part)
{
    size_t length = wcslen(part);

    for (;; text++) {
        if (wcsncmp(text, part, length) == 0)
            return (WCHAR *)(uintptr_t)text;
        if (*text == 0)
            return NULL;
    }
}

/* ---- the _s kind of string.h ---- */

enum { BAD = 22, SMALL = 34 };

errno_t memmove_s(void *to, size_t room, const void *from, size_t size)
{
    if (size == 0)
        return 0;
    if (!to || !from)
        return BAD;
    if (size > room)
        return SMALL;
    memmove(to, from, size);
    return 0;
}

errno_t memcpy_s(void *to, size_t room, const void *from, size_t size)
{
    errno_t error = memmove_s(to, room, from, size);

    if (error && to)
        memset(to, 0, room);
    return error;
}

errno_t strcpy_s(char *to, size_t size, const char *from)
{
    if (!to || size == 0 || !from)
        return BAD;
    if (strlen(from) >= size) {
        *to = 0;
        return SMALL;
    }
    strcpy(to, from);
    return 0;
}

errno_t strcat_s(char *to, size_t size, const char *from)
{
    size_t length = to ? strnlen(to, size) : size;

    if (length == size)
        return BAD;
    errno_t error = strcpy_s(to + length, size - length, from);
    if (error)
        *to = 0;
    return error;
}

/* ---- counted text ---- */

VOID RtlInitUnicodeString(PUNICODE_STRING to, PCWSTR from)
{
    size_t size = from ? wcslen(from) * sizeof(WCHAR) : 0;

    if (size > UNICODE_STRING_MAX_BYTES - sizeof(WCHAR))
        size = UNICODE_STRING_MAX_BYTES - sizeof(WCHAR);
    to->Buffer = (PWSTR)(uintptr_t)from;
    to->Length = (USHORT)size;
    to->MaximumLength = (USHORT)(from ? size + sizeof(WCHAR) : 0);
}

NTSTATUS RtlUnicodeStringInit(PUNICODE_STRING to, PCWSTR from)
{
    IRQL_MAX(PASSIVE_LEVEL);
    if (from && wcslen(from) > UNICODE_STRING_MAX_CHARS)
        return STATUS_INVALID_PARAMETER;
    RtlInitUnicodeString(to, from);
    return STATUS_SUCCESS;
}

VOID RtlInitString(PSTRING to, PCSZ from)
{
    size_t size = from ? strnlen(from, 65534) : 0;

    to->Buffer = (PCHAR)(uintptr_t)from;
    to->Length = (USHORT)size;
    to->MaximumLength = (USHORT)(from ? size + 1 : 0);
}

VOID RtlInitAnsiString(PANSI_STRING to, PCSZ from)
{
    RtlInitString(to, from);
}

VOID RtlCopyUnicodeString(PUNICODE_STRING to, PCUNICODE_STRING from)
{
    USHORT size = from ? from->Length : 0;

    if (size > to->MaximumLength)
        size = to->MaximumLength;
    if (size)
        memmove(to->Buffer, from->Buffer, size);
    to->Length = size;
    if (size + sizeof(WCHAR) <= to->MaximumLength)
        to->Buffer[size / sizeof(WCHAR)] = 0;
}

VOID RtlCopyString(PSTRING to, const STRING *from)
{
    USHORT size = from ? from->Length : 0;

    to->Length = size < to->MaximumLength ? size : to->MaximumLength;
    if (to->Length)
        memmove(to->Buffer, from->Buffer, to->Length);
}

NTSTATUS RtlAppendUnicodeStringToString(PUNICODE_STRING to, PCUNICODE_STRING from)
{
    if (from->Length > to->MaximumLength - to->Length)
        return STATUS_BUFFER_TOO_SMALL;
    if (from->Length)
        memmove((char *)to->Buffer + to->Length, from->Buffer, from->Length);
    to->Length = (USHORT)(to->Length + from->Length);
    if (to->Length + sizeof(WCHAR) <= to->MaximumLength)
        to->Buffer[to->Length / sizeof(WCHAR)] = 0;
    return STATUS_SUCCESS;
}

NTSTATUS RtlAppendUnicodeToString(PUNICODE_STRING to, PCWSTR from)
{
    UNICODE_STRING counted;

    RtlInitUnicodeString(&counted, from);
    return RtlAppendUnicodeStringToString(to, &counted);
}

static LONG compare_counted(PCUNICODE_STRING a, PCUNICODE_STRING b, size_t limit, bool fold)
{
    size_t x = a->Length / sizeof(WCHAR), y = b->Length / sizeof(WCHAR);

    for (size_t i = 0; i < limit && i < x && i < y; i++) {
        WCHAR p = fold ? up(a->Buffer[i]) : a->Buffer[i],
              q = fold ? up(b->Buffer[i]) : b->Buffer[i];
        if (p != q)
            return (LONG)p - (LONG)q;
    }
    return (LONG)(x < limit ? x : limit) - (LONG)(y < limit ? y : limit);
}

LONG RtlCompareUnicodeString(PCUNICODE_STRING a, PCUNICODE_STRING b, BOOLEAN fold)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return compare_counted(a, b, 65536, fold);
}

BOOLEAN RtlEqualUnicodeString(PCUNICODE_STRING a, PCUNICODE_STRING b, BOOLEAN fold)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return compare_counted(a, b, 65536, fold) == 0;
}

BOOLEAN RtlPrefixUnicodeString(PCUNICODE_STRING a, PCUNICODE_STRING b, BOOLEAN fold)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return compare_counted(a, b, a->Length / sizeof(WCHAR), fold) == 0;
}

static LONG compare_bytes(const STRING *a, const STRING *b, BOOLEAN fold)
{
    for (USHORT i = 0; i < a->Length && i < b->Length; i++) {
        WCHAR x = (UCHAR)a->Buffer[i], y = (UCHAR)b->Buffer[i];
        if (fold)
            x = up(x), y = up(y);
        if (x != y)
            return (LONG)x - (LONG)y;
    }
    return (LONG)a->Length - (LONG)b->Length;
}

LONG RtlCompareString(const STRING *a, const STRING *b, BOOLEAN fold)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return compare_bytes(a, b, fold);
}

BOOLEAN RtlEqualString(const STRING *a, const STRING *b, BOOLEAN fold)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return compare_bytes(a, b, fold) == 0;
}

WCHAR RtlUpcaseUnicodeChar(WCHAR c)
{
    IRQL_MAX(APC_LEVEL);
    return up(c);
}

WCHAR RtlDowncaseUnicodeChar(WCHAR c)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return c >= 'A' && c <= 'Z' ? (WCHAR)(c + 32) : c;
}

CHAR RtlUpperChar(CHAR c)
{
    IRQL_MAX(APC_LEVEL);
    return c >= 'a' && c <= 'z' ? (CHAR)(c - 32) : c;
}

/* ---- conversions; memory that they allocate is pool ---- */

static NTSTATUS room_for(void **buffer, USHORT *maximum, size_t size, BOOLEAN allocate)
{
    if (size > UNICODE_STRING_MAX_BYTES)
        return STATUS_INVALID_PARAMETER;
    if (allocate) {
        *buffer = ExAllocatePoolWithTag(PagedPool, size, 0x72745352 /* "RStr" */);
        *maximum = (USHORT)size;
    }
    if (!*buffer)
        return STATUS_NO_MEMORY;
    return size <= *maximum ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

NTSTATUS RtlUpcaseUnicodeString(PUNICODE_STRING to, PCUNICODE_STRING from, BOOLEAN allocate)
{
    NTSTATUS status = room_for((void **)&to->Buffer, &to->MaximumLength, from->Length, allocate);

    if (!NT_SUCCESS(status) || status == STATUS_BUFFER_OVERFLOW)
        return status;
    for (USHORT i = 0; i < from->Length / sizeof(WCHAR); i++)
        to->Buffer[i] = up(from->Buffer[i]);
    to->Length = from->Length;
    return STATUS_SUCCESS;
}

NTSTATUS RtlAnsiStringToUnicodeString(PUNICODE_STRING to, PCANSI_STRING from, BOOLEAN allocate)
{
    size_t size = (from->Length + 1u) * sizeof(WCHAR);
    NTSTATUS status = room_for((void **)&to->Buffer, &to->MaximumLength, size, allocate);

    if (status != STATUS_SUCCESS)
        return status;
    for (USHORT i = 0; i < from->Length; i++)
        to->Buffer[i] = (UCHAR)from->Buffer[i];
    to->Buffer[from->Length] = 0;
    to->Length = (USHORT)(size - sizeof(WCHAR));
    return STATUS_SUCCESS;
}

NTSTATUS RtlUnicodeStringToAnsiString(PANSI_STRING to, PCUNICODE_STRING from, BOOLEAN allocate)
{
    size_t count = from->Length / sizeof(WCHAR);
    NTSTATUS status = room_for((void **)&to->Buffer, &to->MaximumLength, count + 1, allocate);

    if (status != STATUS_SUCCESS)
        return status;
    for (size_t i = 0; i < count; i++)
        to->Buffer[i] = (char)(from->Buffer[i] < 0x100 ? from->Buffer[i] : '?');
    to->Buffer[count] = 0;
    to->Length = (USHORT)count;
    return STATUS_SUCCESS;
}

NTSTATUS RtlUnicodeToMultiByteN(PCHAR to, ULONG room, PULONG used, PCWCH from, ULONG size)
{
    ULONG count = size / 2 < room ? size / 2 : room;

    IRQL_MAX(DISPATCH_LEVEL);
    for (ULONG i = 0; i < count; i++)
        to[i] = (char)(from[i] < 0x100 ? from[i] : '?');
    if (used)
        *used = count;
    return count == size / 2 ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

VOID RtlFreeUnicodeString(PUNICODE_STRING string)
{
    if (string->Buffer)
        ExFreePool(string->Buffer);
    memset(string, 0, sizeof(*string));
}

VOID RtlFreeAnsiString(PANSI_STRING string)
{
    if (string->Buffer)
        ExFreePool(string->Buffer);
    memset(string, 0, sizeof(*string));
}

NTSTATUS RtlInt64ToUnicodeString(ULONGLONG value, ULONG base, PUNICODE_STRING to)
{
    WCHAR digits[65];
    size_t count = 0;

    IRQL_MAX(PASSIVE_LEVEL);
    if (base == 0)
        base = 10;
    if (base != 2 && base != 8 && base != 10 && base != 16)
        return STATUS_INVALID_PARAMETER;
    do {
        digits[count++] = (WCHAR) "0123456789ABCDEF"[value % base];
        value /= base;
    } while (value);
    if (count * sizeof(WCHAR) > to->MaximumLength)
        return STATUS_BUFFER_OVERFLOW;
    for (size_t i = 0; i < count; i++)
        to->Buffer[i] = digits[count - 1 - i];
    to->Length = (USHORT)(count * sizeof(WCHAR));
    if (to->Length + sizeof(WCHAR) <= to->MaximumLength)
        to->Buffer[count] = 0;
    return STATUS_SUCCESS;
}

NTSTATUS RtlIntegerToUnicodeString(ULONG value, ULONG base, PUNICODE_STRING to)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return RtlInt64ToUnicodeString(value, base, to);
}

static NTSTATUS to_integer(const char *text, ULONG base, PULONG value)
{
    bool minus = *text == '-';
    char *end = NULL;

    text += minus || *text == '+';
    if (base == 0 && text[0] == '0' && (text[1] == 'b' || text[1] == 'o')) {
        base = text[1] == 'b' ? 2 : 8;
        text += 2;
    } else if (base == 0) {
        base = text[0] == '0' && text[1] == 'x' ? 16 : 10;
    }
    if (base != 2 && base != 8 && base != 10 && base != 16)
        return STATUS_INVALID_PARAMETER;
    ULONG number = (ULONG)strtoull(text, &end, (int)base);
    *value = minus ? 0u - number : number;
    return STATUS_SUCCESS;
}

NTSTATUS RtlUnicodeStringToInteger(PCUNICODE_STRING string, ULONG base, PULONG value)
{
    char text[80];
    ULONG count = 0;

    IRQL_MAX(PASSIVE_LEVEL);
    for (size_t i = 0; i < string->Length / sizeof(WCHAR) && count < sizeof(text) - 1; i++)
        if (count > 0 || string->Buffer[i] > ' ')
            text[count++] = (char)(string->Buffer[i] < 0x80 ? string->Buffer[i] : '?');
    text[count] = 0;
    return to_integer(text, base, value);
}

NTSTATUS RtlCharToInteger(PCSZ text, ULONG base, PULONG value)
{
    IRQL_MAX(PASSIVE_LEVEL);
    while (*text && *text <= ' ')
        text++;
    return to_integer(text, base, value);
}

NTSTATUS RtlStringFromGUID(REFGUID guid, PUNICODE_STRING to)
{
    char text[40];
    ANSI_STRING narrow;

    IRQL_MAX(PASSIVE_LEVEL);
    snprintf(text, sizeof(text), "{%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X}", guid->Data1,
             guid->Data2, guid->Data3, guid->Data4[0], guid->Data4[1], guid->Data4[2],
             guid->Data4[3], guid->Data4[4], guid->Data4[5], guid->Data4[6], guid->Data4[7]);
    RtlInitAnsiString(&narrow, text);
    return RtlAnsiStringToUnicodeString(to, &narrow, TRUE);
}

NTSTATUS RtlGUIDFromString(PCUNICODE_STRING from, GUID *guid)
{
    unsigned b[11];
    char text[40] = "";

    IRQL_MAX(PASSIVE_LEVEL);
    for (size_t i = 0; i < from->Length / sizeof(WCHAR) && i < sizeof(text) - 1; i++)
        text[i] = (char)(from->Buffer[i] < 0x80 ? from->Buffer[i] : '?');
    if (from->Length != 76 ||
        sscanf(text, "{%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x}", &b[0], &b[1], &b[2], &b[3], &b[4],
               &b[5], &b[6], &b[7], &b[8], &b[9], &b[10]) != 11)
        return STATUS_INVALID_PARAMETER;
    guid->Data1 = b[0];
    guid->Data2 = (USHORT)b[1];
    guid->Data3 = (USHORT)b[2];
    for (int i = 0; i < 8; i++)
        guid->Data4[i] = (UCHAR)b[3 + i];
    return STATUS_SUCCESS;
}
