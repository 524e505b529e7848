/* statuses.h: an entry of the driver that does nothing, and answers whatever comes to its mind.
 *
 * The registry value Lie is the entry's number, from 1 for DxgkDdiAddDevice on, or 255 for all that
 * come after the device's start; Status is what it answers, 0xFFFF for another one each time.
 */
enum { LIE_ALL = 255, LIE_RANDOM = 0xFFFF, ENTRIES_OF_START = 7 };

static ULONG LieNumber, LieStatus;

static NTSTATUS APIENTRY Lied(VOID)
{
    static const NTSTATUS Some[] = {STATUS_SUCCESS,
                                    STATUS_PENDING,
                                    STATUS_NO_MEMORY,
                                    STATUS_UNSUCCESSFUL,
                                    STATUS_INVALID_PARAMETER,
                                    STATUS_GRAPHICS_ALLOCATION_BUSY,
                                    STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER,
                                    (NTSTATUS)0xDEADBEEF,
                                    (NTSTATUS)0x7FFFFFFF};
    static volatile LONG Count;
    ULONG Next = (ULONG)InterlockedIncrement(&Count) * 2654435761u >> 16;

    return LieStatus == LIE_RANDOM ? Some[Next % (sizeof(Some) / sizeof(Some[0]))]
                                   : (NTSTATUS)LieStatus;
}

static void Lie(UNICODE_STRING *Path, PVOID *Entries, SIZE_T Count)
{
    UCHAR Buffer[64];
    OBJECT_ATTRIBUTES Attributes;
    HANDLE Key;
    SIZE_T i;

    InitializeObjectAttributes(&Attributes, Path, OBJ_KERNEL_HANDLE, NULL, NULL);
    if (!NT_SUCCESS(ZwOpenKey(&Key, KEY_READ, &Attributes)))
        return;
    if (ReadValue(Key, L"Lie", Buffer, sizeof(Buffer)) == sizeof(ULONG))
        LieNumber = *(ULONG UNALIGNED *)((KEY_VALUE_PARTIAL_INFORMATION *)Buffer)->Data;
    if (ReadValue(Key, L"Status", Buffer, sizeof(Buffer)) == sizeof(ULONG))
        LieStatus = *(ULONG UNALIGNED *)((KEY_VALUE_PARTIAL_INFORMATION *)Buffer)->Data;
    ZwClose(Key);
    for (i = 0; LieNumber && i < Count; i++)
        if (Entries[i] && (LieNumber == i + 1 || (LieNumber == LIE_ALL && i > ENTRIES_OF_START)))
            Entries[i] = (PVOID)(ULONG_PTR)Lied;
}
