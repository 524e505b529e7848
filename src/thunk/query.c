/* query.c: D3DKMTQueryAdapterInfo.
 *
 * A type of query has a structure of its own, and a size that is another is refused. The answers
 * are computed from what the adapter says of itself.
 */
#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

static NTSTATUS segment_size(struct vidmm_adapter *adapter, void *data)
{
    D3DKMT_SEGMENTSIZEINFO *info = data;
    struct vidmm_memory_totals totals;

    vidmm_adapter_memory_totals(adapter, &totals);
    *info = (D3DKMT_SEGMENTSIZEINFO){.DedicatedVideoMemorySize = totals.dedicated_video,
                                     .DedicatedSystemMemorySize = totals.dedicated_system,
                                     .SharedSystemMemorySize = totals.shared};
    return STATUS_SUCCESS;
}

static const struct query {
    KMTQUERYADAPTERINFOTYPE type;
    const char *name;
    uint32_t size;
    NTSTATUS (*answer)(struct vidmm_adapter *adapter, void *data);
} queries[] = {
    {KMTQAITYPE_GETSEGMENTSIZE, "GETSEGMENTSIZE", sizeof(D3DKMT_SEGMENTSIZEINFO), segment_size},
};

static NTSTATUS answer_query(struct vidmm_adapter *adapter, D3DKMT_QUERYADAPTERINFO *arguments)
{
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        if (queries[i].type != arguments->Type)
            continue;
        if (arguments->PrivateDriverDataSize != queries[i].size)
            return vidmm_thunk_refuse("PrivateDriverDataSize of %s is %u; expected %u",
                                      queries[i].name, arguments->PrivateDriverDataSize,
                                      queries[i].size);
        return queries[i].answer(adapter, arguments->pPrivateDriverData);
    }
    vidmm_thunk_refuse("Type is %d, which is not built", (int)arguments->Type);
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_thunk_QueryAdapterInfo(struct vidmm_thunk_process *process,
                                      D3DKMT_QUERYADAPTERINFO *arguments)
{
    struct vidmm_thunk_object *object;
    struct vidmm_adapter *adapter;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pPrivateDriverData == NULL)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL");
    object =
        vidmm_thunk_find_and_hold(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    adapter = ((struct vidmm_thunk_adapter *)object->of)->adapter;
    if (arguments->Type == KMTQAITYPE_UMDRIVERPRIVATE)
        status = vidmm_query_private(adapter, arguments->pPrivateDriverData,
                                     arguments->PrivateDriverDataSize, vidmm_thunk_report());
    else
        status = answer_query(adapter, arguments);
    vidmm_thunk_let_go(process, object);
    return status;
}
