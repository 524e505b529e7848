/* opener.c: libvidmm-run.so, which `vidmm run` loads into a program: whoever opens libdxcore.so by
 * a path of its own gets the one that VIDMM_LIBDXCORE names, and who ends the process without its
 * destructors waits until ending.h has seen to it. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

static int is_dxcore(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    return slash != NULL && strcmp(slash + 1, "libdxcore.so") == 0;
}

/* The last line is a jump, so that the C library sees who has called. */
PUBLIC void *dlopen(const char *path, int flags)
{
    void *(*next)(const char *, int);
    const char *ours = getenv("VIDMM_LIBDXCORE");

    *(void **)(void *)&next = dlsym(RTLD_NEXT, "dlopen");
    return next(is_dxcore(path) && ours != NULL ? ours : path, flags);
}

static void (*before_exit)(void);

/* VIDMM_ENDING_HOOK */
PUBLIC void vidmm_run_before_exit(void (*function)(void));
PUBLIC void vidmm_run_before_exit(void (*function)(void))
{
    before_exit = function;
}

PUBLIC void _exit(int status)
{
    if (before_exit != NULL)
        before_exit();
    for (;;)
        syscall(SYS_exit_group, status);
}

PUBLIC void _Exit(int status)
{
    _exit(status);
}
