/*
 * aux_klib.h: the auxiliary library: loaded modules, tables of the firmware, the last bug check.
 *
 * Source: aux_klib.h pages of the public reference. They do not tell the length of a path.
 */
#ifndef KIT_AUX_KLIB_H
#define KIT_AUX_KLIB_H

#include "wdm.h"

KIT_BEGIN

#define AUX_KLIB_MODULE_PATH_LEN 256

typedef struct _AUX_MODULE_BASIC_INFO {
    PVOID ImageBase;
} AUX_MODULE_BASIC_INFO, *PAUX_MODULE_BASIC_INFO;

typedef struct _AUX_MODULE_EXTENDED_INFO {
    AUX_MODULE_BASIC_INFO BasicInfo;
    ULONG ImageSize;
    USHORT FileNameOffset;
    UCHAR FullPathName[AUX_KLIB_MODULE_PATH_LEN];
} AUX_MODULE_EXTENDED_INFO, *PAUX_MODULE_EXTENDED_INFO;

typedef struct _KBUGCHECK_DATA {
    ULONG BugCheckDataSize;
    ULONG BugCheckCode;
    ULONG_PTR Parameter1;
    ULONG_PTR Parameter2;
    ULONG_PTR Parameter3;
    ULONG_PTR Parameter4;
} KBUGCHECK_DATA, *PKBUGCHECK_DATA;

/* A file of Windows has one; a driver here is no such file. */
struct _IMAGE_EXPORT_DIRECTORY;

NTSTATUS AuxKlibInitialize(VOID);
/* The only module is the driver that asks. */
NTSTATUS AuxKlibQueryModuleInformation(PULONG BufferSize, ULONG ElementSize, PVOID QueryInfo);
NTSTATUS AuxKlibGetBugCheckData(PKBUGCHECK_DATA BugCheckData);
struct _IMAGE_EXPORT_DIRECTORY *AuxKlibGetImageExportDirectory(PVOID ImageBase);
NTSTATUS AuxKlibEnumerateSystemFirmwareTables(ULONG FirmwareTableProviderSignature,
                                              PVOID FirmwareTableBuffer, ULONG BufferLength,
                                              PULONG ReturnLength);
NTSTATUS AuxKlibGetSystemFirmwareTable(ULONG FirmwareTableProviderSignature, ULONG FirmwareTableID,
                                       PVOID FirmwareTableBuffer, ULONG BufferLength,
                                       PULONG ReturnLength);

KIT_END

#endif /* KIT_AUX_KLIB_H */
