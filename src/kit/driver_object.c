/* driver_object.c: extensions that a driver hangs on its driver object, by address of a client; and
 * what its C++ needs of the language's run time. */
#include "kit/state.h"

struct extension {
    struct extension *next;
    const void *object, *client;
    _Alignas(16) unsigned char bytes[];
};

static struct extension *extensions; /* under objects */

static struct extension *find(const void *object, const void *client)
{
    struct extension *one = extensions;

    while (one && (one->object != object || one->client != client))
        one = one->next;
    return one;
}

NTSTATUS IoAllocateDriverObjectExtension(PDRIVER_OBJECT object, PVOID client, ULONG size,
                                         PVOID *result)
{
    struct extension *one = calloc(1, sizeof(*one) + size);

    IRQL_MAX(APC_LEVEL);
    *result = NULL;
    if (!one)
        return STATUS_INSUFFICIENT_RESOURCES;
    one->object = object;
    one->client = client;
    pthread_mutex_lock(&vidmm_kit_kernel.objects);
    bool taken = find(object, client) != NULL;
    if (!taken) {
        one->next = extensions;
        extensions = one;
    }
    pthread_mutex_unlock(&vidmm_kit_kernel.objects);
    if (taken) {
        free(one);
        return STATUS_OBJECT_NAME_COLLISION;
    }
    *result = one->bytes;
    return STATUS_SUCCESS;
}

PVOID IoGetDriverObjectExtension(PDRIVER_OBJECT object, PVOID client)
{
    IRQL_MAX(DISPATCH_LEVEL);
    pthread_mutex_lock(&vidmm_kit_kernel.objects);
    struct extension *one = find(object, client);
    pthread_mutex_unlock(&vidmm_kit_kernel.objects);
    return one ? one->bytes : NULL;
}

void vidmm_kit_extensions_stop(void)
{
    while (extensions) {
        struct extension *next = extensions->next;

        free(extensions);
        extensions = next;
    }
}

/* A class without the function it was called by: nothing after the call makes sense. */
void __cxa_pure_virtual(void);
void __cxa_pure_virtual(void)
{
    vidmm_kit_find(CALLER, VIDMM_KIT_PURE_CALL, "a pure virtual function");
    vidmm_kit_bug_check(KMODE_EXCEPTION_NOT_HANDLED, (uint32_t)STATUS_NOT_IMPLEMENTED,
                        (uintptr_t)CALLER, 0, 0);
}
