/* dialect.c: the same in C. */
#include <ntddk.h>
#include <stdarg.h>

struct pair {
    long A;
    unsigned long B;
};
C_ASSERT(sizeof(struct pair) == 8);
C_ASSERT(sizeof(long long) == 8);

/* Nobody can put these in line. */
static __inline int Second(int Count, ...)
{
    va_list List;

    va_start(List, Count);
    (void)va_arg(List, int);
    Count = va_arg(List, int);
    va_end(List);
    return Count;
}

int __inline Third(int Count, ...)
{
    va_list List;

    va_start(List, Count);
    (void)va_arg(List, int), (void)va_arg(List, int);
    Count = va_arg(List, int);
    va_end(List);
    return Count;
}

static int __inline Sum(int A, int B)
{
    return A + B;
}

NTSTATUS DriverEntry(PDRIVER_OBJECT Object, PUNICODE_STRING Path)
{
    struct pair Pair = {-1L, 0xFFFFFFFFUL};

    (void)Object, (void)Path;
    if (Sum(Second(2, 10, 20), Third(3, 10, 20, 30)) != 50)
        return STATUS_UNSUCCESSFUL;
    return Pair.A + 1L == 0 && Pair.B + 1UL == 0 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
