/* query_identity.c: who an adapter is, in text and numbers, and what no adapter of a machine here
 * is or has.
 *
 * Text comes from whoever described the machine. There is no registry, from which Windows takes
 * some of it.
 */
#include "thunk/query_identity.h"

#include <stdio.h>

#include <vidmm/caps.h>
#include <wddm/d3dkmthk_query.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

/* ---- text ------------------------------------------------------------------------------------ */

/* The next code point of UTF-8 that is whole; '?' for a byte that is not of any. */
static uint32_t take_point(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    bool leads = *at >= 0xc0 && *at <= 0xf4;
    unsigned more = !leads ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
    uint32_t point = leads ? *at & (0x3fu >> more) : *at < 0x80 ? *at : '?';

    for (unsigned i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            *text += i;
            return '?';
        }
        point = point << 6 | (at[i] & 0x3f);
    }
    *text += more + 1;
    return point;
}

/* Put UTF-8 into `room` characters: as much as they hold, with a zero behind it. */
static void put_text(WCHAR *to, size_t room, const char *text)
{
    size_t at = 0;

    while (*text != '\0') {
        uint32_t point = take_point(&text);
        size_t needed = point > 0xffff ? 2 : 1;

        if (at + needed >= room)
            break;
        if (needed == 2) {
            to[at++] = (WCHAR)(0xd800 + ((point - 0x10000) >> 10));
            to[at++] = (WCHAR)(0xdc00 + ((point - 0x10000) & 0x3ff));
        } else {
            to[at++] = (WCHAR)point;
        }
    }
    to[at] = 0;
}

static NTSTATUS check_described(const struct vidmm_thunk_adapter *adapter)
{
    if (adapter->description != NULL)
        return STATUS_SUCCESS;
    vidmm_thunk_refuse("hAdapter has no description");
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_query_description(const struct vidmm_thunk_adapter *adapter, void *data)
{
    D3DKMT_DRIVER_DESCRIPTION *answer = data;
    NTSTATUS status = check_described(adapter);

    if (status == STATUS_SUCCESS)
        put_text(answer->DriverDescription,
                 sizeof(answer->DriverDescription) / sizeof(answer->DriverDescription[0]),
                 adapter->description);
    return status;
}

/* The other three are a driver's to write into the registry. */
NTSTATUS vidmm_query_registry_info(const struct vidmm_thunk_adapter *adapter, void *data)
{
    D3DKMT_ADAPTERREGISTRYINFO *answer = data;
    NTSTATUS status = check_described(adapter);

    if (status != STATUS_SUCCESS)
        return status;
    put_text(answer->AdapterString,
             sizeof(answer->AdapterString) / sizeof(answer->AdapterString[0]),
             adapter->description);
    answer->BiosString[0] = answer->DacType[0] = answer->ChipType[0] = 0;
    return STATUS_SUCCESS;
}

/* The LUID tells the adapters of a machine apart, and the device's numbers those of others. */
NTSTATUS vidmm_query_guid(const struct vidmm_thunk_adapter *adapter, void *data)
{
    D3DKMT_QUERY_ADAPTER_UNIQUE_GUID *answer = data;
    struct vidmm_device_ids ids = {0};
    char text[40];

    vidmm_adapter_device_ids(adapter->adapter, 0, &ids);
    snprintf(text, sizeof(text), "{%04x%04x-%04x-%04x-%04x-%08x%04x}", ids.vendor & 0xffffu,
             ids.device & 0xffffu, ids.subsystem_vendor & 0xffffu, ids.subsystem & 0xffffu,
             (unsigned)adapter->luid.HighPart & 0xffffu, (unsigned)adapter->luid.LowPart,
             (unsigned)adapter->luid.HighPart >> 16);
    put_text(answer->AdapterUniqueGUID,
             sizeof(answer->AdapterUniqueGUID) / sizeof(answer->AdapterUniqueGUID[0]), text);
    return STATUS_SUCCESS;
}

/* ---- numbers --------------------------------------------------------------------------------- */

NTSTATUS vidmm_query_driver_version(const struct vidmm_thunk_adapter *adapter, void *data)
{
    if (adapter->driver_version == 0) {
        vidmm_thunk_refuse("hAdapter has a driver whose version nobody has told");
        return STATUS_NOT_SUPPORTED;
    }
    ((D3DKMT_KMD_DRIVER_VERSION *)data)->DriverVersion.QuadPart = (int64_t)adapter->driver_version;
    return STATUS_SUCCESS;
}

/* A structure of one BOOL: it is no Xbox, its driver was not found to be bad for hardware
 * protection, no panel fitter, and no library of display lists for hybrid systems. */
NTSTATUS vidmm_query_no(const struct vidmm_thunk_adapter *adapter, void *data)
{
    (void)adapter;
    *(BOOL *)data = 0;
    return STATUS_SUCCESS;
}
