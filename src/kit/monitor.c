/* monitor.c: see monitor.h.
 *
 * A mode is a member of the one set from its making on; so a handle that is none is seen by its
 * address alone.
 *
 * O1  the first KNOWN modes are VESA's, and always added
 * O2  held counts what the driver has: sets and modes that it acquired or created
 */
#include "kit/monitor.h"

#include <stdbool.h>
#include <string.h>

#include <wddm/ntstatus.h>

enum { MODES = 64, KNOWN = 5 };

enum mode_state { FREE, MADE, ADDED };

struct mode {
    D3DKMDT_MONITOR_SOURCE_MODE mode; /* first: the driver's pointer */
    enum mode_state state;
};

/* Display Monitor Timings: active and total size, pixels a second. */
static const struct timing {
    UINT width, height, total_width, total_height;
    UINT pixel_rate;
} timings[KNOWN] = {
    {1024, 768, 1344, 806, 65000000},    {640, 480, 800, 525, 25175000},
    {800, 600, 1056, 628, 40000000},     {1280, 1024, 1688, 1066, 108000000},
    {1920, 1080, 2200, 1125, 148500000},
};

static struct mode modes[MODES];
static unsigned held; /* O2 */
static bool ready;

/* Objects in place of the sets, and their handles. */
static char mode_set, range_set, descriptor_set;

static void fill(struct mode *mode, const struct timing *timing, UINT id)
{
    D3DKMDT_VIDEO_SIGNAL_INFO *signal = &mode->mode.VideoSignalInfo;

    memset(mode, 0, sizeof(*mode));
    mode->state = ADDED;
    mode->mode.Id = id;
    mode->mode.ColorBasis = D3DKMDT_CB_SRGB;
    mode->mode.Origin = D3DKMDT_MCO_DEFAULTMONITORPROFILE;
    mode->mode.Preference = id == 1 ? D3DKMDT_MP_PREFERRED : D3DKMDT_MP_NOTPREFERRED;
    mode->mode.ColorCoeffDynamicRanges.FirstChannel = 8;
    mode->mode.ColorCoeffDynamicRanges.SecondChannel = 8;
    mode->mode.ColorCoeffDynamicRanges.ThirdChannel = 8;
    signal->VideoStandard = D3DKMDT_VSS_VESA_DMT;
    signal->ActiveSize.cx = timing->width;
    signal->ActiveSize.cy = timing->height;
    signal->TotalSize.cx = timing->total_width;
    signal->TotalSize.cy = timing->total_height;
    signal->VSyncFreq.Numerator = timing->pixel_rate;
    signal->VSyncFreq.Denominator = timing->total_width * timing->total_height;
    signal->HSyncFreq.Numerator = timing->pixel_rate;
    signal->HSyncFreq.Denominator = timing->total_width;
    signal->PixelRate = timing->pixel_rate;
    signal->ScanLineOrdering = D3DDDI_VSSLO_PROGRESSIVE;
}

void vidmm_kit_monitor_reset(void)
{
    memset(modes, 0, sizeof(modes));
    for (unsigned i = 0; i < KNOWN; i++) /* O1 */
        fill(&modes[i], &timings[i], i + 1);
    held = 0;
    ready = true;
}

unsigned vidmm_kit_monitor_held(void)
{
    return held;
}

/* ---- source modes ---- */

static bool is_set(const void *handle)
{
    return handle == &mode_set;
}

static struct mode *mode_of(const void *handle)
{
    for (unsigned i = 0; i < MODES; i++)
        if (handle == &modes[i] && modes[i].state != FREE)
            return &modes[i];
    return NULL;
}

static NTSTATUS count_modes(const D3DKMDT_HMONITORSOURCEMODESET set, SIZE_T *count)
{
    if (!is_set(set) || !count)
        return is_set(set) ? STATUS_INVALID_PARAMETER
                           : STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET;
    *count = 0;
    for (unsigned i = 0; i < MODES; i++)
        *count += modes[i].state == ADDED;
    return STATUS_SUCCESS;
}

/* The first added mode from index `from` on. */
static NTSTATUS acquire_from(unsigned from, NTSTATUS none, const D3DKMDT_MONITOR_SOURCE_MODE **mode)
{
    *mode = NULL;
    while (from < MODES && modes[from].state != ADDED)
        from++;
    if (from == MODES)
        return none;
    *mode = &modes[from].mode;
    held++;
    return STATUS_SUCCESS;
}

static NTSTATUS first_mode(const D3DKMDT_HMONITORSOURCEMODESET set,
                           const D3DKMDT_MONITOR_SOURCE_MODE **mode)
{
    if (!is_set(set) || !mode)
        return is_set(set) ? STATUS_INVALID_PARAMETER
                           : STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET;
    return acquire_from(0, STATUS_GRAPHICS_DATASET_IS_EMPTY, mode);
}

/* O1: the preferred one is the first. */
static NTSTATUS preferred_mode(const D3DKMDT_HMONITORSOURCEMODESET set,
                               const D3DKMDT_MONITOR_SOURCE_MODE **mode)
{
    return first_mode(set, mode);
}

static NTSTATUS next_mode(const D3DKMDT_HMONITORSOURCEMODESET set,
                          const D3DKMDT_MONITOR_SOURCE_MODE *current,
                          const D3DKMDT_MONITOR_SOURCE_MODE **mode)
{
    const struct mode *at = mode_of(current);

    if (!is_set(set))
        return STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET;
    if (!at || !mode)
        return STATUS_INVALID_PARAMETER;
    return acquire_from((unsigned)(at - modes) + 1, STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET,
                        mode);
}

static NTSTATUS new_mode(const D3DKMDT_HMONITORSOURCEMODESET set,
                         D3DKMDT_MONITOR_SOURCE_MODE **mode)
{
    unsigned i = KNOWN;

    if (!is_set(set) || !mode)
        return is_set(set) ? STATUS_INVALID_PARAMETER
                           : STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET;
    while (i < MODES && modes[i].state != FREE)
        i++;
    if (i == MODES)
        return STATUS_NO_MEMORY;
    memset(&modes[i], 0, sizeof(modes[i]));
    modes[i].state = MADE;
    modes[i].mode.Id = i + 1;
    *mode = &modes[i].mode;
    held++;
    return STATUS_SUCCESS;
}

static NTSTATUS add_mode(const D3DKMDT_HMONITORSOURCEMODESET set,
                         const D3DKMDT_MONITOR_SOURCE_MODE *mode)
{
    struct mode *at = mode_of(mode);

    if (!is_set(set))
        return STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET;
    if (!at || at->state != MADE)
        return STATUS_GRAPHICS_INVALID_MONITOR_SOURCE_MODE;
    at->state = ADDED;
    held--;
    return STATUS_SUCCESS;
}

static NTSTATUS release_mode(const D3DKMDT_HMONITORSOURCEMODESET set,
                             const D3DKMDT_MONITOR_SOURCE_MODE *mode)
{
    struct mode *at = mode_of(mode);

    if (!is_set(set))
        return STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET;
    if (!at || held == 0)
        return STATUS_INVALID_PARAMETER;
    if (at->state == MADE)
        at->state = FREE;
    held--;
    return STATUS_SUCCESS;
}

static const DXGK_MONITORSOURCEMODESET_INTERFACE mode_table = {
    .pfnGetNumModes = count_modes,
    .pfnAcquirePreferredModeInfo = preferred_mode,
    .pfnAcquireFirstModeInfo = first_mode,
    .pfnAcquireNextModeInfo = next_mode,
    .pfnCreateNewModeInfo = new_mode,
    .pfnAddMode = add_mode,
    .pfnReleaseModeInfo = release_mode,
};

/* ---- frequency ranges and descriptors: none ---- */

static NTSTATUS count_ranges(const D3DKMDT_HMONITORFREQUENCYRANGESET set, SIZE_T *count)
{
    if (set != (const void *)&range_set || !count)
        return STATUS_GRAPHICS_INVALID_MONITOR_FREQUENCYRANGESET;
    *count = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS first_range(const D3DKMDT_HMONITORFREQUENCYRANGESET set,
                            const D3DKMDT_MONITOR_FREQUENCY_RANGE range)
{
    (void)range;
    return set == (const void *)&range_set ? STATUS_GRAPHICS_DATASET_IS_EMPTY
                                           : STATUS_GRAPHICS_INVALID_MONITOR_FREQUENCYRANGESET;
}

static NTSTATUS next_range(const D3DKMDT_HMONITORFREQUENCYRANGESET set,
                           const D3DKMDT_MONITOR_FREQUENCY_RANGE *current,
                           const D3DKMDT_MONITOR_FREQUENCY_RANGE **range)
{
    (void)set, (void)current, (void)range;
    return STATUS_INVALID_PARAMETER;
}

static NTSTATUS release_range(const D3DKMDT_HMONITORFREQUENCYRANGESET set,
                              const D3DKMDT_MONITOR_FREQUENCY_RANGE *range)
{
    (void)set, (void)range;
    return STATUS_INVALID_PARAMETER;
}

static const DXGK_MONITORFREQUENCYRANGESET_INTERFACE range_table = {count_ranges, first_range,
                                                                    next_range, release_range};

static NTSTATUS count_descriptors(const D3DKMDT_HMONITORDESCRIPTORSET set, SIZE_T *count)
{
    if (set != (const void *)&descriptor_set || !count)
        return STATUS_GRAPHICS_INVALID_MONITORDESCRIPTORSET;
    *count = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS first_descriptor(const D3DKMDT_HMONITORDESCRIPTORSET set,
                                 const D3DKMDT_MONITOR_DESCRIPTOR **descriptor)
{
    if (set != (const void *)&descriptor_set || !descriptor)
        return STATUS_GRAPHICS_INVALID_MONITORDESCRIPTORSET;
    *descriptor = NULL;
    return STATUS_GRAPHICS_DATASET_IS_EMPTY;
}

static NTSTATUS next_descriptor(const D3DKMDT_HMONITORDESCRIPTORSET set,
                                const D3DKMDT_MONITOR_DESCRIPTOR *current,
                                const D3DKMDT_MONITOR_DESCRIPTOR **descriptor)
{
    (void)set, (void)current, (void)descriptor;
    return STATUS_INVALID_PARAMETER;
}

static NTSTATUS release_descriptor(const D3DKMDT_HMONITORDESCRIPTORSET set,
                                   const D3DKMDT_MONITOR_DESCRIPTOR *descriptor)
{
    (void)set, (void)descriptor;
    return STATUS_INVALID_PARAMETER;
}

static const DXGK_MONITORDESCRIPTORSET_INTERFACE descriptor_table = {
    count_descriptors, first_descriptor, next_descriptor, release_descriptor};

/* ---- the monitor ---- */

static NTSTATUS acquire_modes(const D3DKMDT_ADAPTER adapter,
                              const D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                              D3DKMDT_HMONITORSOURCEMODESET *set,
                              const DXGK_MONITORSOURCEMODESET_INTERFACE **table)
{
    (void)adapter, (void)target;
    if (!set || !table)
        return STATUS_INVALID_PARAMETER;
    *set = (D3DKMDT_HMONITORSOURCEMODESET)(void *)&mode_set;
    *table = &mode_table;
    held++;
    return STATUS_SUCCESS;
}

static NTSTATUS release_modes(const D3DKMDT_ADAPTER adapter,
                              const D3DKMDT_HMONITORSOURCEMODESET set)
{
    (void)adapter;
    if (!is_set(set) || held == 0)
        return STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET;
    held--;
    return STATUS_SUCCESS;
}

/* The page has a handle behind two pointers; the handle is written. */
static NTSTATUS get_ranges(const D3DKMDT_ADAPTER adapter,
                           const D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                           D3DKMDT_HMONITORFREQUENCYRANGESET **set,
                           const DXGK_MONITORFREQUENCYRANGESET_INTERFACE **table)
{
    (void)adapter, (void)target;
    if (!set || !table)
        return STATUS_INVALID_PARAMETER;
    *(void **)(void *)set = &range_set;
    *table = &range_table;
    return STATUS_SUCCESS;
}

static NTSTATUS get_descriptors(const D3DKMDT_ADAPTER adapter,
                                const D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                                D3DKMDT_HMONITORDESCRIPTORSET **set,
                                const DXGK_MONITORDESCRIPTORSET_INTERFACE **table)
{
    (void)adapter, (void)target;
    if (!set || !table)
        return STATUS_INVALID_PARAMETER;
    *(void **)(void *)set = &descriptor_set;
    *table = &descriptor_table;
    return STATUS_SUCCESS;
}

static NTSTATUS get_additional(const D3DKMDT_ADAPTER adapter,
                               const D3DDDI_VIDEO_PRESENT_TARGET_ID target, UINT *count,
                               DXGK_TARGETMODE_DETAIL_TIMING **more)
{
    (void)adapter, (void)target;
    if (!count || !more)
        return STATUS_INVALID_PARAMETER;
    *count = 0;
    *more = NULL;
    return STATUS_SUCCESS;
}

static NTSTATUS release_additional(const D3DKMDT_ADAPTER adapter,
                                   const D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                                   const DXGK_TARGETMODE_DETAIL_TIMING *more)
{
    (void)adapter, (void)target;
    return more ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
}

static const DXGK_MONITOR_INTERFACE table_1 = {DXGK_MONITOR_INTERFACE_VERSION_V1, acquire_modes,
                                               release_modes, get_ranges, get_descriptors};
static const DXGK_MONITOR_INTERFACE_V2 table_2 = {DXGK_MONITOR_INTERFACE_VERSION_V2,
                                                  acquire_modes,
                                                  release_modes,
                                                  get_ranges,
                                                  get_descriptors,
                                                  get_additional,
                                                  release_additional};

NTSTATUS vidmm_kit_query_monitor_interface(HANDLE adapter, DXGK_MONITOR_INTERFACE_VERSION version,
                                           const DXGK_MONITOR_INTERFACE **table)
{
    (void)adapter;
    if (!table || (version != DXGK_MONITOR_INTERFACE_VERSION_V1 &&
                   version != DXGK_MONITOR_INTERFACE_VERSION_V2))
        return STATUS_INVALID_PARAMETER;
    if (!ready)
        vidmm_kit_monitor_reset();
    *table = version == DXGK_MONITOR_INTERFACE_VERSION_V1 ? &table_1 : (const void *)&table_2;
    return STATUS_SUCCESS;
}
