/* static.c: every size, offset, type and value of the tables, and the base types beneath them. */
#include "check.h"

/* The widths that notes on the ABI demand; a C long or wchar_t in their place breaks 38 structs. */
HOLDS(sizeof(BOOLEAN) == 1 && sizeof(BYTE) == 1 && sizeof(UCHAR) == 1, "8 bits");
HOLDS(sizeof(WCHAR) == 2 && sizeof(WORD) == 2 && sizeof(USHORT) == 2, "16 bits");
HOLDS(sizeof(ULONG) == 4 && sizeof(LONG) == 4 && sizeof(UINT) == 4 && sizeof(INT) == 4, "32 bits");
HOLDS(sizeof(DWORD) == 4 && sizeof(BOOL) == 4 && sizeof(NTSTATUS) == 4, "32 bits");
HOLDS(sizeof(SIZE_T) == 8 && sizeof(ULONG_PTR) == 8 && sizeof(HANDLE) == 8, "64 bits");
HOLDS(sizeof(LARGE_INTEGER) == 8 && sizeof(PFN_NUMBER) == 8, "64 bits");
HOLDS((LONG)-1 < 0 && (NTSTATUS)-1 < 0 && (INT)-1 < 0 && (BOOL)-1 < 0, "signed");
HOLDS((ULONG)-1 > 0 && (UINT)-1 > 0 && (BOOLEAN)-1 > 0 && (WCHAR)-1 > 0, "unsigned");

/* A 64-bit half of LARGE_INTEGER aligns what contains it; a LUID does not. */
struct after_byte {
    BYTE byte;
    LARGE_INTEGER large;
    BYTE byte_again;
    LUID luid;
};
HOLDS(offsetof(struct after_byte, large) == 8, "LARGE_INTEGER is aligned to 8");
HOLDS(offsetof(struct after_byte, luid) == 20, "LUID is aligned to 4");
HOLDS(sizeof(UNICODE_STRING) == 16 && sizeof(GUID) == 16 && sizeof(RECT) == 16, "16 bytes");

/* The MDL is Windows' own. */
HOLDS(sizeof(MDL) == 48, "size of MDL");
HOLDS(offsetof(MDL, Next) == 0, "MDL.Next");
HOLDS(offsetof(MDL, Size) == 8 && sizeof(MEMBER(MDL, Size)) == 2, "MDL.Size");
HOLDS(offsetof(MDL, MdlFlags) == 10 && sizeof(MEMBER(MDL, MdlFlags)) == 2, "MDL.MdlFlags");
HOLDS(offsetof(MDL, Process) == 16, "MDL.Process");
HOLDS(offsetof(MDL, MappedSystemVa) == 24, "MDL.MappedSystemVa");
HOLDS(offsetof(MDL, StartVa) == 32, "MDL.StartVa");
HOLDS(offsetof(MDL, ByteCount) == 40 && sizeof(MEMBER(MDL, ByteCount)) == 4, "MDL.ByteCount");
HOLDS(offsetof(MDL, ByteOffset) == 44 && sizeof(MEMBER(MDL, ByteOffset)) == 4, "MDL.ByteOffset");

/* The severities of a status. */
HOLDS(NT_SUCCESS(STATUS_SUCCESS) && NT_SUCCESS(STATUS_PENDING), "success");
HOLDS(NT_SUCCESS(STATUS_GRAPHICS_START_DEFERRED), "information is success");
HOLDS(!NT_SUCCESS(STATUS_BUFFER_OVERFLOW) && !NT_SUCCESS(STATUS_GRAPHICS_ALLOCATION_BUSY), "not");
HOLDS(NT_INFORMATION(STATUS_GRAPHICS_START_DEFERRED) && !NT_INFORMATION(STATUS_SUCCESS), "info");
HOLDS(NT_WARNING(STATUS_BUFFER_OVERFLOW) && !NT_WARNING(STATUS_NO_MEMORY), "warning");
HOLDS(NT_ERROR(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) && !NT_ERROR(STATUS_TIMEOUT), "error");

#include "static.inc"
