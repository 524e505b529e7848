/* opened.c: a program that opens libdxcore.so by a path of its own, as those for WSL do, and ends
 * as it is told.
 *
 *     opened exit N     after a call, with status N
 *     opened kill       by SIGKILL
 *     opened miss       after a call of a function that is not built
 *     opened names      after a look for names that only a miniport may see
 *     opened fault      by a fault of its own
 *     opened twice      after two calls
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmthk.h>
#include <wddm/ntstatus.h>

static volatile int *volatile fault; /* nowhere */

int main(int count, char **arguments)
{
    void *library = dlopen("/usr/lib/wsl/lib/libdxcore.so", RTLD_NOW);
    NTSTATUS (*enumerate)(D3DKMT_ENUMADAPTERS2 *) = NULL;
    NTSTATUS (*missing)(void *) = NULL;
    D3DKMT_ENUMADAPTERS2 list = {0};

    if (library != NULL) {
        *(void **)(void *)&enumerate = dlsym(library, "D3DKMTEnumAdapters2");
        *(void **)(void *)&missing = dlsym(library, "D3DKMTSetStablePowerState");
    }
    if (count < 2 || enumerate == NULL || missing == NULL) {
        fprintf(stderr, "opened: %s\n", library == NULL ? dlerror() : "a function is missing");
        return 99;
    }
    if (strcmp(arguments[1], "twice") == 0)
        enumerate(&list);
    if (enumerate(&list) != STATUS_SUCCESS)
        return 98;
    if (strcmp(arguments[1], "kill") == 0)
        raise(SIGKILL);
    if (strcmp(arguments[1], "fault") == 0)
        *fault = 1;
    if (strcmp(arguments[1], "names") == 0 &&
        (dlsym(RTLD_DEFAULT, "ExAllocatePoolWithTag") || dlsym(RTLD_DEFAULT, "vidmm_kit_start")))
        return 96;
    if (strcmp(arguments[1], "miss") == 0 && missing(NULL) != STATUS_NOT_SUPPORTED)
        return 97;
    return count > 2 ? atoi(arguments[2]) : 0;
}
