/* driver.c: a driver in C, as far as the kit's own tests need one: __try whose locals survive, a
 * function that a header would define, a GUID. DriverEntry answers STATUS_SUCCESS if all went
 * well. */
#include <initguid.h>
#include <ntddk.h>
#include <ntstrsafe.h>
#include <dispmprt.h>

DEFINE_GUID(GUID_OF_DRIVER, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

ULONG __inline Twice(ULONG Value)
{
    return 2 * Value;
}

static FORCEINLINE ULONG Thrice(ULONG Value)
{
    return 3 * Value;
}

/* The handler and the rest see the values that the body changed before it faulted. */
static ULONG Fault(volatile ULONG *At)
{
    ULONG Order = 1, Handled = 0;
    PUCHAR Text = NULL;

    __try {
        Order = 2;
        Text = (PUCHAR) "changed";
        *At = 3;
        Order = 100;
    } __except (GetExceptionCode() == STATUS_ACCESS_VIOLATION ? EXCEPTION_EXECUTE_HANDLER
                                                              : EXCEPTION_CONTINUE_SEARCH) {
        Handled = Order == 2 && Text != NULL;
        Order = 3;
    }
    return Handled ? Order : 0;
}

static ULONG Leave(ULONG Count)
{
    ULONG Seen = 0;

    for (ULONG i = 0; i < Count; i++) {
        __try {
            Seen++;
            if (i == 1)
                __leave;
            Seen += 10;
        } __finally {
            Seen += 100;
        }
    }
    return Seen;
}

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    ULONG Value = 0;

    UNREFERENCED_PARAMETER(DriverObject);
    UNREFERENCED_PARAMETER(RegistryPath);
    if (Twice(4) != 8 || Thrice(4) != 12 || GUID_OF_DRIVER.Data4[7] != 11)
        return STATUS_UNSUCCESSFUL;
    if (Fault(NULL) != 3 || Fault(&Value) != 0 || Value != 3)
        return STATUS_ACCESS_VIOLATION;
    return Leave(3) == 323 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
