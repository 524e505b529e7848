/* opener.c: libvidmm-run.so, which `vidmm run` loads into a program: whoever opens libdxcore.so by
 * a path of its own gets the one that VIDMM_LIBDXCORE names. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int is_dxcore(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    return slash != NULL && strcmp(slash + 1, "libdxcore.so") == 0;
}

/* The last line is a jump, so that the C library sees who has called. */
__attribute__((visibility("default"))) void *dlopen(const char *path, int flags)
{
    void *(*next)(const char *, int);
    const char *ours = getenv("VIDMM_LIBDXCORE");

    *(void **)(void *)&next = dlsym(RTLD_NEXT, "dlopen");
    return next(is_dxcore(path) && ours != NULL ? ours : path, flags);
}
