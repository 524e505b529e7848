/* entry.c: softgpu's driver half as a driver of its own, at the level SOFTGPU_WDDM. */
#include <ntddk.h>
#include <dispmprt.h>

#include "softgpu/driver.h"

#ifndef SOFTGPU_WDDM
#define SOFTGPU_WDDM 13u /* as softgpu_driver_version() takes it */
#endif

DRIVER_INITIALIZE DriverEntry;

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    DRIVER_INITIALIZATION_DATA Data;
    NTSTATUS Status = softgpu_driver_entry(softgpu_driver_version(SOFTGPU_WDDM), &Data);

    return NT_SUCCESS(Status) ? DxgkInitialize(DriverObject, RegistryPath, &Data) : Status;
}
