/* entry.c: the table of entry points that every driver has. */
#include "wddm/entry.h"

#include <stdbool.h>

const char *vidmm_entry_missing(const DRIVER_INITIALIZATION_DATA *driver)
{
    const struct {
        bool there;
        const char *name;
    } rows[] = {
        {driver->DxgkDdiAddDevice, "DxgkDdiAddDevice"},
        {driver->DxgkDdiStartDevice, "DxgkDdiStartDevice"},
        {driver->DxgkDdiStopDevice, "DxgkDdiStopDevice"},
        {driver->DxgkDdiRemoveDevice, "DxgkDdiRemoveDevice"},
        {driver->DxgkDdiQueryAdapterInfo, "DxgkDdiQueryAdapterInfo"},
        {driver->DxgkDdiCreateDevice, "DxgkDdiCreateDevice"},
        {driver->DxgkDdiDestroyDevice, "DxgkDdiDestroyDevice"},
        {driver->DxgkDdiCreateAllocation, "DxgkDdiCreateAllocation"},
        {driver->DxgkDdiDestroyAllocation, "DxgkDdiDestroyAllocation"},
        {driver->DxgkDdiOpenAllocation, "DxgkDdiOpenAllocation"},
        {driver->DxgkDdiCloseAllocation, "DxgkDdiCloseAllocation"},
        {driver->DxgkDdiBuildPagingBuffer, "DxgkDdiBuildPagingBuffer"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!rows[i].there)
            return rows[i].name;
    return NULL;
}
