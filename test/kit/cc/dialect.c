/* dialect.c: the same in C. */
#include <ntddk.h>

struct pair {
    long A;
    unsigned long B;
};
C_ASSERT(sizeof(struct pair) == 8);
C_ASSERT(sizeof(long long) == 8);

NTSTATUS DriverEntry(PDRIVER_OBJECT Object, PUNICODE_STRING Path)
{
    struct pair Pair = {-1L, 0xFFFFFFFFUL};

    (void)Object, (void)Path;
    return Pair.A + 1L == 0 && Pair.B + 1UL == 0 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
