/* stack.c: see stack.h.
 *
 * G1  bytes below the stack pointer belong to nobody while no call is made, so they may be written;
 *     calls made here for that end far above them
 * G2  what the kernel of src/kit uses is not the driver's: it takes less than KERNEL bytes, and a
 *     call that entered it deeper than leaves room for them tells nothing
 * G3  what else runs on this stack (the loader that binds a symbol, a handler of a signal) takes
 *     less than the 4.8 KiB that are in use on Windows at entry, which the driver is given here
 */
#include "check/stack.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include "check/board.h"
#include "check/confine.h"
#include "kit/kit.h"

#define SPAN 40960u /* bytes that are looked at: a frame may leave some of its bytes alone */
#define KERNEL 16384u
#define KNOWN UINT64_C(0x5354414B2D4E4F57)

static bool sanitized; /* the driver is */

void vidmm_stack_know(void *driver_file)
{
    static const char *const names[] = {"__asan_init", "__tsan_init",
                                        "__ubsan_handle_type_mismatch_v1",
                                        "__ubsan_handle_pointer_overflow"};

    sanitized = vidmm_confine_is_sanitized();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        sanitized = sanitized || dlsym(driver_file, names[i]) != NULL;
}

/* The first word that is looked at: the lowest. */
static volatile uint64_t *lowest(uintptr_t entry)
{
    return (volatile uint64_t *)((entry - VIDMM_CHECK_STACK - SPAN) / 64 * 64);
}

/* G1 */
static void write_known(uintptr_t entry)
{
    volatile uint64_t *words = lowest(entry);

    for (unsigned i = 0; i < SPAN / sizeof(*words); i++)
        words[i] = KNOWN;
}

/* Bytes of the stack below `entry` that were used, if they reach what is known; 0: they do not. */
static uint64_t used_below(uintptr_t entry)
{
    volatile uint64_t *words = lowest(entry);

    for (unsigned i = 0; i < SPAN / sizeof(*words); i++)
        if (words[i] != KNOWN)
            return entry - (uintptr_t)&words[i];
    return 0;
}

/* G2 */
static bool is_of_driver(uintptr_t entry, uintptr_t deepest)
{
    return deepest == UINTPTR_MAX || entry - deepest + KERNEL <= VIDMM_CHECK_STACK;
}

NTSTATUS vidmm_stack_watch(struct vidmm_board *board, PDXGKDDI_BUILDPAGINGBUFFER build,
                           HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    uintptr_t entry = (uintptr_t)__builtin_frame_address(0);
    uint64_t used;
    NTSTATUS status;

    if (sanitized)
        return build(adapter, arguments);
    write_known(entry);
    vidmm_kit_stack_deepest();
    status = build(adapter, arguments);
    used = used_below(entry);
    if (used > VIDMM_CHECK_STACK && is_of_driver(entry, vidmm_kit_stack_deepest()))
        vidmm_check_find(board, VIDMM_CHECK_TOO_MUCH_STACK, NULL,
                         "it used %llu bytes of the stack%s, as compiled here; Windows calls it "
                         "with a stack of %u bytes, of which 4.8 KiB are in use at entry",
                         (unsigned long long)used,
                         used > VIDMM_CHECK_STACK + SPAN - 128 ? " or more" : "",
                         VIDMM_CHECK_STACK);
    return status;
}
