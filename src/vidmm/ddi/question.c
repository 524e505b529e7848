/* question.c: one question to the miniport, by DxgkDdiQueryAdapterInfo.
 *
 * Source: DXGKDDI_QUERYADAPTERINFO, DXGKARG_QUERYADAPTERINFO; rules D-287, D-289.
 */
#include "vidmm/ddi/question.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/rule.h"

#define GUARD_SIZE 64u
#define GUARD_BYTE 0xa7
#define LONGEST 256u /* bytes of an answer to vidmm_question_put() */

void *vidmm_question_output(struct vidmm_adapter *adapter, size_t newest)
{
    uint8_t *buffer = vidmm_allocate(adapter->host, newest + GUARD_SIZE);

    if (buffer)
        memset(buffer + newest, GUARD_BYTE, GUARD_SIZE);
    return buffer;
}

bool vidmm_question_overran(const uint8_t *output, size_t told, size_t newest)
{
    size_t index;

    for (index = told; index < newest; index++)
        if (output[index] != 0)
            return true;
    for (index = newest; index < newest + GUARD_SIZE; index++)
        if (output[index] != GUARD_BYTE)
            return true;
    return false;
}

VIDMM_SEES(D_287);
NTSTATUS vidmm_question_ask(struct vidmm_adapter *adapter, DXGK_QUERYADAPTERINFOTYPE type,
                            void *input, size_t input_size, void *output, size_t told,
                            size_t newest)
{
    DXGKARG_QUERYADAPTERINFO arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments)); /* no process asks: obeys D-289 */
    arguments.Type = type;
    arguments.pInputData = input;
    arguments.InputDataSize = (UINT)input_size;
    arguments.pOutputData = output;
    arguments.OutputDataSize = (UINT)told;
    status =
        adapter->miniport->driver.DxgkDdiQueryAdapterInfo(adapter->miniport->h_adapter, &arguments);
    if (status != STATUS_SUCCESS && status != STATUS_INVALID_PARAMETER &&
        status != STATUS_NO_MEMORY && status != STATUS_GRAPHICS_DRIVER_MISMATCH &&
        status != STATUS_NOT_SUPPORTED)
        vidmm_seen(adapter, VIDMM_RULE_D_287, "status of QueryAdapterInfo", (uint32_t)status);
    if (vidmm_question_overran(output, told, newest))
        adapter->findings++;
    return status;
}

NTSTATUS vidmm_question_put(struct vidmm_adapter *adapter, DXGK_QUERYADAPTERINFOTYPE type,
                            void *input, size_t input_size, void *answer, size_t told)
{
    _Alignas(16) uint8_t output[LONGEST + GUARD_SIZE] = {0};
    NTSTATUS status;

    VIDMM_ASSERT(told <= LONGEST);
    memset(output + told, GUARD_BYTE, GUARD_SIZE);
    status = vidmm_question_ask(adapter, type, input, input_size, output, told, told);
    if (status == STATUS_SUCCESS)
        memcpy(answer, output, told);
    return status;
}
