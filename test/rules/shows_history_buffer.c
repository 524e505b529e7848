/* shows_history_buffer.c: history-buffer.def, obeyed. */
#include "flag_words.h"
#include "rules_rig.h"

#include <vidmm/history.h>

#include "softgpu/hardware.h"
#include "wddm/call.h"

enum {
    COMMANDS = 600, /* each leaves a marker: two formatted buffers, and more */
    ROOM = 2 + COMMANDS,
    HISTORY = 0x4001, /* HistoryBuffer, CpuVisible */
};

/* The fault of the bent function. */
static enum { HONEST, BEHIND, TOO_MANY, NO_PRECISION, SHORT_PRECISION, NO_PROGRESS, FAILS } wrong;
static PDXGKDDI_FORMATHISTORYBUFFER honest;

static NTSTATUS format_wrong(HANDLE hContext, DXGKARG_FORMATHISTORYBUFFER *args)
{
    UINT32 first = args->Offset;
    NTSTATUS status = honest(hContext, args);

    if (wrong == BEHIND)
        ((UCHAR *)args->pFormattedBuffer)[args->FormattedBufferSize] ^= 0xff;
    if (wrong == TOO_MANY)
        args->NumTimestamps = args->FormattedBufferSize / 8 + 1;
    if (wrong == NO_PRECISION || wrong == SHORT_PRECISION)
        args->Precision.PrecisionBits = wrong == NO_PRECISION ? 0 : 31;
    if (wrong == NO_PROGRESS && first != 0)
        args->Offset = first; /* once more from there */
    return wrong == FAILS ? STATUS_UNSUCCESSFUL : status;
}

static void bend_format(DRIVER_INITIALIZATION_DATA *driver)
{
    honest = driver->DxgkDdiFormatHistoryBuffer;
    driver->DxgkDdiFormatHistoryBuffer = format_wrong;
}

struct history_rig {
    struct shown shown;
    struct rig_allocation buffer;
    struct vidmm_history history;
    uint64_t stamps[ROOM];
};

/* COMMANDS commands, the first of which names the history buffer, written. */
static void run_commands(struct history_rig *at)
{
    static struct {
        struct softgpu_touch first;
        struct softgpu_reference reference;
        struct softgpu_touch more[COMMANDS - 1];
    } commands;
    struct vidmm_render_reference list[1] = {{.allocation = at->buffer.handle, .write = true}};
    uint64_t value;

    memset(&commands, 0, sizeof(commands));
    commands.first.command = (struct softgpu_command){SOFTGPU_TOUCH, softgpu_touch_size(1)};
    commands.first.reference_count = 1;
    commands.reference = (struct softgpu_reference){
        .flags = SOFTGPU_REFERENCE_WRITE, .pages = at->buffer.pages, .generation = 77};
    for (unsigned i = 0; i < COMMANDS - 1; i++)
        commands.more[i].command = (struct softgpu_command){SOFTGPU_TOUCH, softgpu_touch_size(0)};
    assert_int_equal(vidmm_render(at->shown.rig.context, &commands, sizeof(commands), list, 1, true,
                                  &value, &at->shown.rig.report),
                     STATUS_SUCCESS);
}

static void begin(struct history_rig *at, unsigned precision,
                  void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct rig_options options = rig_defaults();
    char gpu[100];

    snprintf(gpu, sizeof(gpu),
             "segment 1 aperture 1M\nsegment 2 memory 64K\ndma_buffer 64K\nhistory %u\n",
             precision);
    options.gpu = gpu;
    shown_init(&at->shown, &options, bend);
    assert_int_equal(rig_create(&at->shown.rig, &at->buffer, 2 * VIDMM_PAGE_SIZE, 1, HISTORY),
                     STATUS_SUCCESS);
    run_commands(at);
}

static NTSTATUS read_it(struct history_rig *at)
{
    return vidmm_history_read(at->shown.rig.context, at->buffer.handle, &at->history, at->stamps,
                              ROOM, &at->shown.rig.report);
}

static unsigned format_calls(const struct shown *shown)
{
    unsigned calls = 0;

    for (size_t i = 0; i < shown->call_count; i++)
        calls +=
            shown->calls[i].ddi == VIDMM_DDI_FORMAT_HISTORY_BUFFER && !shown->calls[i].returned;
    return calls;
}

static void end(struct history_rig *at)
{
    vidmm_allocation_destroy(at->buffer.handle); /* the program's to destroy */
    shown_finish(&at->shown);
}

/* Stamps in order: the start, the markers, the end. */
static void check_stamps(const struct history_rig *at)
{
    const uint64_t *stamps = at->stamps;

    assert_int_equal(at->history.sequence, 77);
    assert_int_equal(at->history.count, ROOM);
    assert_true(stamps[0] < stamps[2]);
    for (unsigned i = 3; i < ROOM; i++)
        assert_true(stamps[i - 1] < stamps[i]);
    assert_true(stamps[ROOM - 1] < stamps[1]);
    assert_true(stamps[1] < 1u << 20); /* no junk */
}

static void read_with_precision(unsigned precision)
{
    struct history_rig at;
    uint32_t bits;

    begin(&at, precision, NULL);
    assert_int_equal(vidmm_history_precision(at.shown.rig.adapter, 1, &bits, &at.shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(bits, precision);
    assert_int_equal(read_it(&at), STATUS_SUCCESS);
    assert_int_equal(at.history.precision, precision);
    assert_int_equal(at.history.calls, 0);
    assert_int_equal(format_calls(&at.shown), 0); /* they lie ready */
    check_stamps(&at);
    end(&at);
}

/* With precision 0 the driver is asked, at DISPATCH_LEVEL, and goes on where it has stopped. */
static void read_formatted(void)
{
    struct history_rig at;
    const struct shown_call *calls[2] = {NULL, NULL};
    unsigned count = 0;

    begin(&at, 0, NULL);
    assert_int_equal(read_it(&at), STATUS_SUCCESS);
    assert_int_equal(at.history.precision, SOFTGPU_CLOCK_BITS);
    check_stamps(&at);
    for (size_t i = 0; i < at.shown.call_count; i++) {
        const struct shown_call *call = &at.shown.calls[i];

        if (call->ddi != VIDMM_DDI_FORMAT_HISTORY_BUFFER || call->returned)
            continue;
        assert_int_equal(call->irql, VIDMM_IRQL_DISPATCH);
        assert_true(count < 2);
        calls[count++] = call;
    }
    assert_int_equal(count, 2);
    assert_int_equal(at.history.calls, 2);
    assert_int_equal(((const DXGKARG_FORMATHISTORYBUFFER *)&calls[0]->argument)->Offset, 0);
    assert_int_equal(((const DXGKARG_FORMATHISTORYBUFFER *)&calls[1]->argument)->Offset, 512);
    end(&at);
}

static void refuse_precision(unsigned precision)
{
    struct history_rig at;
    uint32_t bits;

    begin(&at, precision, NULL);
    assert_int_equal(vidmm_history_precision(at.shown.rig.adapter, 0, &bits, &at.shown.rig.report),
                     STATUS_GRAPHICS_DRIVER_MISMATCH);
    assert_int_equal(read_it(&at), STATUS_GRAPHICS_DRIVER_MISMATCH);
    assert_non_null(strstr(at.shown.rig.report.text, "D-234"));
    assert_int_equal(at.history.count, 0);
    assert_int_equal(format_calls(&at.shown), 0);
    end(&at);
}

/* The driver's answers are held against its arguments. */
static void refuse_answers(void)
{
    struct history_rig at;

    wrong = HONEST;
    begin(&at, 0, bend_format);
    assert_int_equal(read_it(&at), STATUS_SUCCESS);
    for (wrong = BEHIND; wrong < FAILS; wrong++) {
        assert_int_equal(read_it(&at), STATUS_GRAPHICS_DRIVER_MISMATCH);
        assert_int_not_equal(at.shown.rig.report.text[0], 0);
    }
    assert_int_equal(read_it(&at), STATUS_UNSUCCESSFUL);
    wrong = HONEST;
    assert_int_equal(read_it(&at), STATUS_SUCCESS);
    check_stamps(&at);
    end(&at);
}

/* Only what is made with HistoryBuffer is one. */
static void refuse_others(void)
{
    struct history_rig at;
    struct rig_allocation other;

    begin(&at, 64, NULL);
    assert_int_equal(rig_create(&at.shown.rig, &other, VIDMM_PAGE_SIZE, 1, CPU_VISIBLE),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_history_read(at.shown.rig.context, other.handle, &at.history, at.stamps,
                                        ROOM, &at.shown.rig.report),
                     STATUS_INVALID_PARAMETER);
    vidmm_allocation_destroy(other.handle);
    end(&at);
}

void shows_D_234(void **state)
{
    static const unsigned legal[] = {32, 33, 48, 63, 64}, illegal[] = {1, 16, 31};

    (void)state;
    for (size_t i = 0; i < sizeof(legal) / sizeof(legal[0]); i++)
        read_with_precision(legal[i]);
    read_formatted();
    for (size_t i = 0; i < sizeof(illegal) / sizeof(illegal[0]); i++)
        refuse_precision(illegal[i]);
    refuse_answers();
    refuse_others();
}
