/* private.c: what a user-mode driver has to say to its own miniport, and nobody else reads.
 *
 *     private     answers of a miniport that test/dxcore/foreign makes for it
 *
 * Exit status 0: each byte came and went as it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/dxcore.h>
#include <wddm/d3dkmthk_calls.h>
#include <wddm/ntstatus.h>

static void expect(const char *what, bool right)
{
    if (right)
        return;
    fprintf(stderr, "private: %s: %s\n", what, vidmm_refusal());
    exit(1);
}

/* The miniport turns each byte over, of whatever size they are. */
static void escape(D3DKMT_HANDLE adapter, D3DKMT_HANDLE device)
{
    unsigned char bytes[] = {0x00, 0xFF, 0x5A, 1, 2, 3, 0x80};
    const unsigned char answer[] = {0xFF, 0x00, 0xA5, 0xFE, 0xFD, 0xFC, 0x7F};
    D3DKMT_ESCAPE arguments = {.hAdapter = adapter,
                               .hDevice = device,
                               .Type = D3DKMT_ESCAPE_DRIVERPRIVATE,
                               .pPrivateDriverData = bytes,
                               .PrivateDriverDataSize = sizeof(bytes)};

    expect("Escape", D3DKMTEscape(&arguments) == STATUS_SUCCESS);
    expect("its bytes", memcmp(bytes, answer, sizeof(bytes)) == 0);
}

static void ask(D3DKMT_HANDLE adapter)
{
    unsigned char bytes[6] = "atlas";
    D3DKMT_QUERYADAPTERINFO arguments = {.hAdapter = adapter,
                                         .Type = KMTQAITYPE_UMDRIVERPRIVATE,
                                         .pPrivateDriverData = bytes,
                                         .PrivateDriverDataSize = sizeof(bytes)};

    expect("QueryAdapterInfo", D3DKMTQueryAdapterInfo(&arguments) == STATUS_SUCCESS);
    expect("the miniport's answer", memcmp(bytes, "ATLAS", 6) == 0);
}

static void create_context(D3DKMT_HANDLE device, const char *data, NTSTATUS expected)
{
    D3DKMT_CREATECONTEXTVIRTUAL arguments = {
        .hDevice = device,
        .pPrivateDriverData = (void *)(uintptr_t)data,
        .PrivateDriverDataSize = (UINT)strlen(data),
    };

    expect(data, D3DKMTCreateContextVirtual(&arguments) == expected);
}

int main(void)
{
    D3DKMT_ADAPTERINFO infos[4];
    D3DKMT_ENUMADAPTERS2 list = {.NumAdapters = 4, .pAdapters = infos};
    D3DKMT_CREATEDEVICE device = {0};

    expect("EnumAdapters2", D3DKMTEnumAdapters2(&list) == STATUS_SUCCESS && list.NumAdapters == 1);
    device.hAdapter = infos[0].hAdapter;
    expect("CreateDevice", D3DKMTCreateDevice(&device) == STATUS_SUCCESS);
    escape(infos[0].hAdapter, device.hDevice);
    ask(infos[0].hAdapter);
    create_context(device.hDevice, "a context of atlas", STATUS_SUCCESS);
    create_context(device.hDevice, "a context of ATLAS", STATUS_INVALID_PARAMETER);
    puts("all bytes were right");
    return 0;
}
