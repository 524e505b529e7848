/* lab_render.c: DxgkDdiRender and DxgkDdiEscape with what a program can hand them: nothing that the
 * driver knows of.
 *
 *     an element of the allocation list without a handle    an unbind: it is no fault
 *     a command buffer, a patch-location list               in pages that are gone
 *     bytes that no user-mode driver writes                 refused, or made into something;
 *                                                           handles in them name nothing
 *     bytes that another thread changes meanwhile           as between a check and a copy
 *
 * Each is a call whose commands are not submitted. It may be refused. A driver that falls has not
 * guarded its reads of the program's memory, or takes its bytes for what they claim to be.
 */
#include "check/lab.h"
#include "check/render.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#define PAGE VIDMM_PAGE_SIZE
#define BYTES 256u
#define PATCHES 4u
#define CALLS_MEANWHILE 128u
#define MOMENTS 5000u /* 20 microseconds each, and what the system adds */

/* Memory of a program: a page of its own bytes, and one that is gone. */
struct program {
    uint8_t *bytes, *gone;
};

static bool is_outside(int64_t moved, uint32_t most)
{
    return moved < 0 || moved > most;
}

void vidmm_check_judge_rendered(struct vidmm_rig *rig, const DXGK_CONTEXTINFO *info,
                                const struct vidmm_check_rendered *done)
{
    if ((done->status != STATUS_SUCCESS &&
         done->status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) ||
        (!is_outside(done->dma, info->DmaBufferSize) &&
         !is_outside(done->private_data, info->DmaBufferPrivateDataSize) &&
         !is_outside(done->patches, info->PatchLocationListSize)))
        return;
    vidmm_check_find(rig->board, VIDMM_CHECK_POINTER, "",
                     "DxgkDdiRender answered %s, and moved pDmaBuffer by %lld of %u bytes, its "
                     "private data by %lld of %u, the patch list by %lld of %u",
                     vidmm_rig_status(done->status), (long long)done->dma, info->DmaBufferSize,
                     (long long)done->private_data, info->DmaBufferPrivateDataSize,
                     (long long)done->patches, info->PatchLocationListSize);
}

static void give_command_that_is_gone(const struct program *program, DXGKARG_RENDER *arguments)
{
    arguments->pCommand = program->gone;
    arguments->CommandLength = BYTES;
}

static void give_patches_that_are_gone(const struct program *program, DXGKARG_RENDER *arguments)
{
    arguments->pPatchLocationListIn = (void *)program->gone;
    arguments->PatchLocationListInSize = PATCHES;
}

static void give_null_element(const struct program *program, DXGKARG_RENDER *arguments)
{
    (void)program;
    arguments->AllocationListSize = 1; /* the list has one element, all zero */
}

static void give_bytes(const struct program *program, uint8_t value, DXGKARG_RENDER *arguments)
{
    memset(program->bytes, value, PAGE);
    arguments->pCommand = program->bytes;
    arguments->CommandLength = BYTES;
    arguments->pPatchLocationListIn = (void *)(program->bytes + PAGE / 2);
    arguments->PatchLocationListInSize = PATCHES;
}

static void give_ones(const struct program *program, DXGKARG_RENDER *arguments)
{
    give_bytes(program, 0xFF, arguments);
}

static void give_zeros(const struct program *program, DXGKARG_RENDER *arguments)
{
    give_bytes(program, 0, arguments);
}

static const struct {
    const char *step;
    void (*give)(const struct program *program, DXGKARG_RENDER *arguments);
} tries[] = {
    {"DxgkDdiRender, with an element that names nothing", give_null_element},
    {"DxgkDdiRender, with a command in pages that are gone", give_command_that_is_gone},
    {"DxgkDdiRender, with patch locations in pages that are gone", give_patches_that_are_gone},
    {"DxgkDdiRender, with a command of ones", give_ones},
    {"DxgkDdiRender, with a command of zeros", give_zeros},
};

static void try_one(struct vidmm_rig *rig, HANDLE context, const DXGK_CONTEXTINFO *info,
                    const struct program *program, unsigned which)
{
    struct vidmm_check_rendered done = {0};
    DXGKARG_RENDER arguments;

    if (rig->dead || !vidmm_board_try(rig->board, "%s", tries[which].step))
        return;
    memset(&arguments, 0, sizeof(arguments));
    tries[which].give(program, &arguments);
    vidmm_rig_begin_dead_handles(rig);
    vidmm_check_renders(rig->driver, rig->host, context, info, &arguments, &done);
    vidmm_rig_judge_dead_handles(rig, "DxgkDdiRender", done.status);
    if (!done.called)
        vidmm_board_skip(rig->board, "the driver describes no DMA buffer");
    else
        vidmm_check_judge_rendered(rig, info, &done);
}

/* A second thread of the program, which changes what it has given. Each turn ends with other
 * bytes. */
struct changer {
    uint8_t *bytes;
    _Atomic bool over;
    _Atomic unsigned turns; /* that have ended */
};

/* The race is meant: it is no matter for the thread sanitizer. */
__attribute__((no_sanitize("thread"))) static void *change(void *argument)
{
    struct changer *changer = argument;
    volatile uint64_t *words = (volatile uint64_t *)(void *)changer->bytes;

    for (uint64_t value = UINT64_MAX; !atomic_load(&changer->over); value = ~value) {
        for (size_t i = 0; i < PAGE / sizeof(*words); i++)
            words[i] = value;
        atomic_fetch_add(&changer->turns, 1);
    }
    return NULL;
}

/* Wait until a turn has ended since `turns` of them had. A thread that is not run changes nothing,
 * and all calls would find the bytes that it left. A machine that does not run it for this long
 * runs nothing. */
static void await_turn(struct changer *changer, unsigned turns)
{
    const struct timespec moment = {.tv_nsec = 20000};

    for (unsigned i = 0; i < MOMENTS && atomic_load(&changer->turns) == turns; i++)
        nanosleep(&moment, NULL);
}

/* obeys D-336: a driver that looks at the command, and then reads it once more, gets something else
 * sooner or later, and falls. */
static void try_changes(struct vidmm_rig *rig, HANDLE context, const DXGK_CONTEXTINFO *info,
                        const struct program *program)
{
    struct changer changer = {.bytes = program->bytes};
    struct vidmm_check_rendered done = {.called = true};
    DXGKARG_RENDER arguments;
    pthread_t thread;

    if (rig->dead ||
        !vidmm_board_try(rig->board, "DxgkDdiRender, with a command that changes meanwhile"))
        return;
    memset(&arguments, 0, sizeof(arguments));
    give_zeros(program, &arguments);
    if (pthread_create(&thread, NULL, change, &changer) != 0) {
        vidmm_board_skip(rig->board, "there is no second thread");
        return;
    }
    vidmm_rig_begin_dead_handles(rig);
    for (unsigned i = 0; i < CALLS_MEANWHILE && done.called; i++) {
        unsigned turns = atomic_load(&changer.turns);

        vidmm_check_renders(rig->driver, rig->host, context, info, &arguments, &done);
        await_turn(&changer, turns);
    }
    atomic_store(&changer.over, true);
    pthread_join(thread, NULL);
    vidmm_rig_judge_dead_handles(rig, "DxgkDdiRender", done.status);
    if (!done.called)
        vidmm_board_skip(rig->board, "the driver describes no DMA buffer");
    else
        vidmm_check_judge_rendered(rig, info, &done);
}

static bool take(struct program *program)
{
    program->bytes =
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (program->bytes == MAP_FAILED)
        return false;
    program->gone = program->bytes + PAGE;
    return mprotect(program->gone, PAGE, PROT_NONE) == 0;
}

void vidmm_check_render(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    struct program program;
    DXGK_CONTEXTINFO info;
    HANDLE context;

    if (!rig->driver->DxgkDdiRender || rig->dead || !take(&program))
        return;
    context = vidmm_lab_open_context(rig, &info);
    for (unsigned i = 0; context && i < sizeof(tries) / sizeof(tries[0]); i++)
        try_one(rig, context, &info, &program, i);
    if (context)
        try_changes(rig, context, &info, &program);
    vidmm_lab_close_context(rig, context);
    munmap(program.bytes, 2 * PAGE);
}

/* ---- messages ---- */

/* DxgkDdiEscape with what any program may send (D3DKMTEscape): bytes that the driver's own
 * user-mode half never writes.
 *
 *     page                            the next page
 *     ........| n bytes of one value | gone
 *
 * A driver that falls has read or written past the message, or has taken its bytes for what they
 * claim to be. */
#define ALIGNED 16u /* as the kernel's copy of a message is */

static const uint32_t sizes[] = {0, 4, 24, 64, 256, PAGE};
static const uint8_t values[] = {0, 1, 0xFF};

static void try_message(struct vidmm_rig *rig, uint8_t *page, uint32_t size, uint8_t value)
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
            try_message(rig, pages, sizes[i], values[j]);
    munmap(pages, 2 * PAGE);
}
