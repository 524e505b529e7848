/* lab_escape.c: DxgkDdiEscape with what any program may send (D3DKMTEscape): bytes that no user-mode
 * driver of this driver writes.
 *
 *     page                            the next page
 *     ........| n bytes of one value | gone
 *
 * Each call may fail. A driver that falls has read or written past the message, or has taken its
 * bytes for what they claim to be. Handles in the message name nothing.
 */
#include "check/lab.h"

#include <string.h>
#include <sys/mman.h>

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#define PAGE VIDMM_PAGE_SIZE
#define ALIGNED 16u /* as the kernel's copy of a message is */

static const uint32_t sizes[] = {0, 4, 24, 64, 256, PAGE};
static const uint8_t values[] = {0, 1, 0xFF};

static void try_one(struct vidmm_rig *rig, uint8_t *page, uint32_t size, uint8_t value)
{
    DXGKARG_ESCAPE arguments = {.hDevice = rig->device, .PrivateDriverDataSize = size};
    uint32_t room = (size + ALIGNED - 1) / ALIGNED * ALIGNED;

    vidmm_board_operation(rig->board, "DxgkDdiEscape of %u bytes, each 0x%x", size, value);
    memset(page, value, PAGE);
    if (size > 0)
        arguments.pPrivateDriverData = page + PAGE - room;
    vidmm_rig_begin_dead_handles(rig);
    vidmm_rig_judge_dead_handles(rig, "DxgkDdiEscape",
                                 rig->driver->DxgkDdiEscape(rig->adapter, &arguments));
}

void vidmm_check_escape(struct vidmm_rig *rig)
{
    uint8_t *pages;

    if ((rig->dead && !rig->spent) || !rig->driver->DxgkDdiEscape ||
        !vidmm_board_try(rig->board, "DxgkDdiEscape, with bytes that mean nothing"))
        return;
    pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return;
    mprotect(pages + PAGE, PAGE, PROT_NONE);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (size_t j = 0; j < sizeof(values) && (sizes[i] > 0 || j == 0); j++)
            try_one(rig, pages, sizes[i], values[j]);
    munmap(pages, 2 * PAGE);
}
