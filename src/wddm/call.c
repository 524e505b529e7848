/* call.c: the table of calls.def. */
#include "wddm/call.h"

#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/d3dkmddi_display.h>
#include <wddm/d3dkmddi_submit.h>

#include "wddm/fields.h"
#include "wddm/level.h"

enum { ANSWERS_NOTHING = false, ANSWERS_STATUS = true };

static const struct vidmm_ddi_call calls[VIDMM_DDI_COUNT] = {
#define DDI_ARGUMENT(ID, Name, handle, TYPE, CLASS, IRQL)                                          \
    {#Name, VIDMM_CLASS_##CLASS, VIDMM_IRQL_##IRQL, false, true, handle},
#define DDI_OPAQUE(ID, Name, handle, TYPE, CLASS, IRQL)                                            \
    {#Name, VIDMM_CLASS_##CLASS, VIDMM_IRQL_##IRQL, false, true, handle},
#define DDI_HANDLE(ID, Name, handle, CLASS, IRQL)                                                  \
    {#Name, VIDMM_CLASS_##CLASS, VIDMM_IRQL_##IRQL, false, true, handle},
#define DDI_OTHER(ID, Name, handle, ANSWER, CLASS, IRQL)                                           \
    {#Name, VIDMM_CLASS_##CLASS, VIDMM_IRQL_##IRQL, false, ANSWERS_##ANSWER, handle},
#define DDI_CALLBACK(ID, Name)                                                                     \
    {"DxgkCb" #Name, VIDMM_CLASS_ZERO, VIDMM_IRQL_ANY, true, false, "DeviceHandle"},
#define DDI_REQUEST(ID, Name)                                                                      \
    {"DxgkCb" #Name, VIDMM_CLASS_ZERO, VIDMM_IRQL_PASSIVE, true, true, "hAdapter"},
#define DDI_ASIDE(ID, Name, ANSWER, parameters, arguments)                                         \
    {"DxgkCb" #Name, VIDMM_CLASS_ZERO, VIDMM_IRQL_ANY, true, false, ""},
#include "wddm/calls.def"
};

const struct vidmm_ddi_call *vidmm_ddi_call(enum vidmm_ddi ddi)
{
    return &calls[ddi];
}

/* Structs that grew: bytes at levels below one. First row that fits, newest struct if none does. */
static const struct older_size {
    enum vidmm_ddi ddi;
    uint16_t below;
    size_t size;
} older_sizes[] = {
    {VIDMM_DDI_QUERY_ADAPTER_INFO, VIDMM_LEVEL(2, 4), 40},
    {VIDMM_DDI_CREATE_DEVICE, VIDMM_LEVEL(2, 0), 16},
    {VIDMM_DDI_CREATE_CONTEXT, VIDMM_LEVEL(1, 1), 56},
    {VIDMM_DDI_CREATE_CONTEXT, VIDMM_LEVEL(2, 0), 64},
    {VIDMM_DDI_OPEN_ALLOCATION, VIDMM_LEVEL(1, 2), 32},
    {VIDMM_DDI_DESCRIBE_ALLOCATION, VIDMM_LEVEL(1, 2), 40},
    {VIDMM_DDI_PRESENT, VIDMM_LEVEL(1, 3), 128},
    {VIDMM_DDI_PRESENT, VIDMM_LEVEL(2, 0), 136},
    {VIDMM_DDI_SUBMIT_COMMAND, VIDMM_LEVEL(1, 1), 80},
    {VIDMM_DDI_SUBMIT_COMMAND, VIDMM_LEVEL(1, 2), 88},
    {VIDMM_DDI_BUILD_PAGING_BUFFER, VIDMM_LEVEL(2, 0), 304},
    {VIDMM_DDI_CREATE_CONTEXT_ALLOCATION, VIDMM_LEVEL(2, 0), 80},
};

static size_t newest_size(enum vidmm_ddi ddi)
{
    switch (ddi) {
#define DDI_ARGUMENT(ID, Name, handle, TYPE, CLASS, IRQL)                                          \
    case VIDMM_DDI_##ID:                                                                           \
        return sizeof(TYPE);
#include "wddm/calls.def"
    case VIDMM_DDI_NOTIFY_INTERRUPT:
        return sizeof(DXGKARGCB_NOTIFY_INTERRUPT_DATA);
    default:
        return vidmm_fields_of_call(ddi) == NULL ? 0 : vidmm_fields_of_call(ddi)->stride;
    }
}

size_t vidmm_ddi_argument_size(enum vidmm_ddi ddi, uint16_t level)
{
    for (size_t i = 0; i < sizeof older_sizes / sizeof older_sizes[0]; i++)
        if (older_sizes[i].ddi == ddi && level < older_sizes[i].below)
            return older_sizes[i].size;
    return newest_size(ddi);
}
