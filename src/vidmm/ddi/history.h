/* history.h: DxgkDdiFormatHistoryBuffer. */
#ifndef VIDMM_DDI_HISTORY_H
#define VIDMM_DDI_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_context;

/* One call. */
struct vidmm_history_formatting {
    struct _DXGK_HISTORY_BUFFER *buffer;
    uint32_t buffer_size; /* bytes */
    uint8_t *formatted;
    uint32_t formatted_size; /* bytes */
    uint32_t offset;         /* where it begins; answered: where the next would, 0: nowhere */
    uint32_t count, bits;    /* answered: stamps, and how many bits of each mean something */
};

/* Whether the driver has DxgkDdiFormatHistoryBuffer. */
bool vidmm_ddi_formats_history(const struct vidmm_adapter *adapter);
/* Have the driver format some of the stamps. Its status; its answer is not judged. */
NTSTATUS vidmm_ddi_format_history(const struct vidmm_context *context,
                                  struct vidmm_history_formatting *formatting);

#endif
