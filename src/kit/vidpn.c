/* vidpn.c: see vidpn.h.
 *
 * A mode is a member of the set that it was made in, from its making on; so a handle that is none
 * is seen by its address alone.
 *
 * V1  source and target, the assigned sets, are always there; at first they are empty
 * V2  held counts what the driver has: modes and paths and sets that it acquired or created
 * V3  a set's `pinned` is a mode of it that was added
 */
#include "kit/vidpn.h"

#include <string.h>

#include <wddm/ntstatus.h>

#define MODES 128u
#define SETS 6u

enum mode_state { FREE, MADE, ADDED };

struct mode {
    union {
        D3DKMDT_VIDPN_SOURCE_MODE source;
        D3DKMDT_VIDPN_TARGET_MODE target;
    } u; /* first: the driver's pointer */
    enum mode_state state;
};

struct set {
    struct vidmm_kit_vidpn *vidpn;
    bool used, is_target;
    unsigned acquired;
    const struct mode *pinned;
    struct mode modes[MODES];
};

struct vidmm_kit_vidpn {
    bool open, has_path;
    D3DKMDT_VIDPN_PRESENT_PATH path, fresh; /* fresh: CreateNewPathInfo's path */
    struct set *source, *target;
    struct set sets[SETS];
    unsigned held;
};

static struct vidmm_kit_vidpn vidpns[VIDMM_KIT_VIDPNS];

/* ---- handles ---- */

static struct vidmm_kit_vidpn *vidpn_of(const void *handle)
{
    for (unsigned i = 0; i < VIDMM_KIT_VIDPNS; i++)
        if (handle == &vidpns[i] && vidpns[i].open)
            return &vidpns[i];
    return NULL;
}

static struct set *set_of(const void *handle)
{
    for (unsigned i = 0; i < VIDMM_KIT_VIDPNS; i++)
        for (unsigned s = 0; s < SETS; s++)
            if (handle == &vidpns[i].sets[s] && vidpns[i].sets[s].used)
                return &vidpns[i].sets[s];
    return NULL;
}

static struct mode *mode_of(struct set *set, const void *handle)
{
    for (unsigned i = 0; i < MODES; i++)
        if (handle == &set->modes[i] && set->modes[i].state != FREE)
            return &set->modes[i];
    return NULL;
}

static NTSTATUS no_set(bool target)
{
    return target ? STATUS_GRAPHICS_INVALID_VIDPN_TARGETMODESET
                  : STATUS_GRAPHICS_INVALID_VIDPN_SOURCEMODESET;
}

static struct set *new_set(struct vidmm_kit_vidpn *vidpn, bool target)
{
    for (unsigned i = 0; i < SETS; i++) {
        struct set *set = &vidpn->sets[i];
        if (set->used)
            continue;
        memset(set, 0, sizeof(*set));
        set->vidpn = vidpn;
        set->used = true;
        set->is_target = target;
        return set;
    }
    return NULL;
}

static struct set **assigned(struct vidmm_kit_vidpn *vidpn, bool target)
{
    return target ? &vidpn->target : &vidpn->source;
}

/* ---- modes of a set ---- */

static NTSTATUS count_modes(const void *handle, bool target, SIZE_T *count)
{
    const struct set *set = set_of(handle);

    if (!set || set->is_target != target || !count)
        return no_set(target);
    *count = 0;
    for (unsigned i = 0; i < MODES; i++)
        *count += set->modes[i].state == ADDED;
    return STATUS_SUCCESS;
}

/* The first added mode behind index `from`. */
static NTSTATUS acquire_from(struct set *set, unsigned from, NTSTATUS none, const void **mode)
{
    *mode = NULL;
    for (unsigned i = from; i < MODES; i++) {
        if (set->modes[i].state != ADDED)
            continue;
        *mode = &set->modes[i];
        set->vidpn->held++;
        return STATUS_SUCCESS;
    }
    return none;
}

static NTSTATUS first_mode(const void *handle, bool target, const void **mode)
{
    struct set *set = set_of(handle);

    if (!set || set->is_target != target || !mode)
        return no_set(target);
    return acquire_from(set, 0, STATUS_GRAPHICS_DATASET_IS_EMPTY, mode);
}

static NTSTATUS next_mode(const void *handle, bool target, const void *current, const void **mode)
{
    struct set *set = set_of(handle);
    const struct mode *at = set ? mode_of(set, current) : NULL;

    if (!set || set->is_target != target || !at || !mode)
        return set ? STATUS_INVALID_PARAMETER : no_set(target);
    return acquire_from(set, (unsigned)(at - set->modes) + 1,
                        STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET, mode);
}

static NTSTATUS pinned_mode(const void *handle, bool target, const void **mode)
{
    struct set *set = set_of(handle);

    if (!set || set->is_target != target || !mode)
        return no_set(target);
    *mode = set->pinned; /* NULL: none is */
    set->vidpn->held += set->pinned != NULL;
    return STATUS_SUCCESS;
}

static NTSTATUS release_mode(const void *handle, bool target, const void *mode)
{
    struct set *set = set_of(handle);
    struct mode *at = set ? mode_of(set, mode) : NULL;

    if (!set || set->is_target != target)
        return no_set(target);
    if (!at || set->vidpn->held == 0)
        return STATUS_INVALID_PARAMETER;
    if (at->state == MADE)
        at->state = FREE;
    set->vidpn->held--;
    return STATUS_SUCCESS;
}

static NTSTATUS new_mode(const void *handle, bool target, void **mode)
{
    struct set *set = set_of(handle);

    if (!set || set->is_target != target || !mode)
        return no_set(target);
    for (unsigned i = 0; i < MODES; i++) {
        if (set->modes[i].state != FREE)
            continue;
        memset(&set->modes[i], 0, sizeof(set->modes[i]));
        set->modes[i].state = MADE;
        if (target)
            set->modes[i].u.target.Id = i + 1;
        else
            set->modes[i].u.source.Id = i + 1;
        *mode = &set->modes[i];
        set->vidpn->held++;
        return STATUS_SUCCESS;
    }
    return STATUS_NO_MEMORY;
}

static NTSTATUS add_mode(const void *handle, bool target, const void *mode)
{
    struct set *set = set_of(handle);
    struct mode *at = set ? mode_of(set, mode) : NULL;

    if (!set || set->is_target != target)
        return no_set(target);
    if (!at || at->state != MADE)
        return STATUS_INVALID_PARAMETER;
    at->state = ADDED;
    set->vidpn->held--;
    return STATUS_SUCCESS;
}

static NTSTATUS pin_mode(const void *handle, bool target, UINT id)
{
    struct set *set = set_of(handle);

    if (!set || set->is_target != target)
        return no_set(target);
    if (id == 0 || id > MODES || set->modes[id - 1].state != ADDED)
        return target ? STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_TARGET_MODE
                      : STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_SOURCE_MODE;
    set->pinned = &set->modes[id - 1];
    return STATUS_SUCCESS;
}

/* The two tables differ in types alone. */
#define MODE_SET(Name, IS_TARGET, HANDLE_TYPE, MODE, ID, TABLE)                                    \
    static NTSTATUS Name##_count(const HANDLE_TYPE set, SIZE_T *count)                             \
    {                                                                                              \
        return count_modes(set, IS_TARGET, count);                                                 \
    }                                                                                              \
    static NTSTATUS Name##_first(const HANDLE_TYPE set, const MODE **mode)                         \
    {                                                                                              \
        return first_mode(set, IS_TARGET, (const void **)(void *)mode);                            \
    }                                                                                              \
    static NTSTATUS Name##_next(const HANDLE_TYPE set, const MODE *current, const MODE **mode)     \
    {                                                                                              \
        return next_mode(set, IS_TARGET, current, (const void **)(void *)mode);                    \
    }                                                                                              \
    static NTSTATUS Name##_pinned(const HANDLE_TYPE set, const MODE **mode)                        \
    {                                                                                              \
        return pinned_mode(set, IS_TARGET, (const void **)(void *)mode);                           \
    }                                                                                              \
    static NTSTATUS Name##_release(const HANDLE_TYPE set, const MODE *mode)                        \
    {                                                                                              \
        return release_mode(set, IS_TARGET, mode);                                                 \
    }                                                                                              \
    static NTSTATUS Name##_create(const HANDLE_TYPE set, MODE **mode)                              \
    {                                                                                              \
        return new_mode(set, IS_TARGET, (void **)mode);                                            \
    }                                                                                              \
    static NTSTATUS Name##_add(HANDLE_TYPE set, const MODE *mode)                                  \
    {                                                                                              \
        return add_mode(set, IS_TARGET, mode);                                                     \
    }                                                                                              \
    static NTSTATUS Name##_pin(HANDLE_TYPE set, const ID id)                                       \
    {                                                                                              \
        return pin_mode(set, IS_TARGET, id);                                                       \
    }                                                                                              \
    static const TABLE Name##_table = {                                                            \
        Name##_count,   Name##_first,  Name##_next, Name##_pinned,                                 \
        Name##_release, Name##_create, Name##_add,  Name##_pin,                                    \
    };

MODE_SET(source, false, D3DKMDT_HVIDPNSOURCEMODESET, D3DKMDT_VIDPN_SOURCE_MODE,
         D3DKMDT_VIDEO_PRESENT_SOURCE_MODE_ID, DXGK_VIDPNSOURCEMODESET_INTERFACE)
MODE_SET(target, true, D3DKMDT_HVIDPNTARGETMODESET, D3DKMDT_VIDPN_TARGET_MODE,
         D3DKMDT_VIDEO_PRESENT_TARGET_MODE_ID, DXGK_VIDPNTARGETMODESET_INTERFACE)

/* ---- the topology ---- */

static struct vidmm_kit_vidpn *topology_of(const void *handle)
{
    return vidpn_of(handle);
}

static NTSTATUS get_num_paths(const D3DKMDT_HVIDPNTOPOLOGY handle, SIZE_T *count)
{
    const struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || !count)
        return vidpn ? STATUS_INVALID_PARAMETER : STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    *count = vidpn->has_path;
    return STATUS_SUCCESS;
}

static NTSTATUS get_num_paths_from_source(const D3DKMDT_HVIDPNTOPOLOGY handle,
                                          const D3DDDI_VIDEO_PRESENT_SOURCE_ID source,
                                          SIZE_T *count)
{
    const struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || !count)
        return vidpn ? STATUS_INVALID_PARAMETER : STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    *count = vidpn->has_path && vidpn->path.VidPnSourceId == source;
    return STATUS_SUCCESS;
}

static NTSTATUS enum_path_targets(const D3DKMDT_HVIDPNTOPOLOGY handle,
                                  const D3DDDI_VIDEO_PRESENT_SOURCE_ID source,
                                  const D3DKMDT_VIDPN_PRESENT_PATH_INDEX index,
                                  D3DDDI_VIDEO_PRESENT_TARGET_ID *id)
{
    const struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || !id)
        return vidpn ? STATUS_INVALID_PARAMETER : STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    if (!vidpn->has_path || vidpn->path.VidPnSourceId != source || index != 0)
        return STATUS_GRAPHICS_SOURCE_NOT_IN_TOPOLOGY;
    *id = vidpn->path.VidPnTargetId;
    return STATUS_SUCCESS;
}

static NTSTATUS get_path_source(const D3DKMDT_HVIDPNTOPOLOGY handle,
                                const D3DDDI_VIDEO_PRESENT_TARGET_ID id,
                                D3DDDI_VIDEO_PRESENT_SOURCE_ID *source)
{
    const struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || !source)
        return vidpn ? STATUS_INVALID_PARAMETER : STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    if (!vidpn->has_path || vidpn->path.VidPnTargetId != id)
        return STATUS_GRAPHICS_TARGET_NOT_IN_TOPOLOGY;
    *source = vidpn->path.VidPnSourceId;
    return STATUS_SUCCESS;
}

static NTSTATUS acquire_first_path(const D3DKMDT_HVIDPNTOPOLOGY handle,
                                   const D3DKMDT_VIDPN_PRESENT_PATH **path)
{
    struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || !path)
        return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    *path = vidpn->has_path ? &vidpn->path : NULL;
    vidpn->held += vidpn->has_path;
    return vidpn->has_path ? STATUS_SUCCESS : STATUS_GRAPHICS_DATASET_IS_EMPTY;
}

static NTSTATUS acquire_path(const D3DKMDT_HVIDPNTOPOLOGY handle,
                             const D3DDDI_VIDEO_PRESENT_SOURCE_ID source,
                             const D3DDDI_VIDEO_PRESENT_TARGET_ID id,
                             const D3DKMDT_VIDPN_PRESENT_PATH **path)
{
    const struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || !path)
        return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    *path = NULL;
    if (!vidpn->has_path || vidpn->path.VidPnSourceId != source || vidpn->path.VidPnTargetId != id)
        return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
    return acquire_first_path(handle, path);
}

static NTSTATUS acquire_next_path(const D3DKMDT_HVIDPNTOPOLOGY handle,
                                  const D3DKMDT_VIDPN_PRESENT_PATH *current,
                                  const D3DKMDT_VIDPN_PRESENT_PATH **path)
{
    const struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || current != &vidpn->path || !path)
        return vidpn ? STATUS_INVALID_PARAMETER : STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    *path = NULL;
    return STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET;
}

static NTSTATUS update_path_support(const D3DKMDT_HVIDPNTOPOLOGY handle,
                                    const D3DKMDT_VIDPN_PRESENT_PATH *path)
{
    struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn)
        return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    if (!path || !vidpn->has_path || path->VidPnSourceId != vidpn->path.VidPnSourceId ||
        path->VidPnTargetId != vidpn->path.VidPnTargetId)
        return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
    vidpn->path.ContentTransformation.ScalingSupport = path->ContentTransformation.ScalingSupport;
    vidpn->path.ContentTransformation.RotationSupport = path->ContentTransformation.RotationSupport;
    vidpn->path.CopyProtection.CopyProtectionSupport = path->CopyProtection.CopyProtectionSupport;
    return STATUS_SUCCESS;
}

static NTSTATUS release_path(const D3DKMDT_HVIDPNTOPOLOGY handle,
                             const D3DKMDT_VIDPN_PRESENT_PATH *path)
{
    struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn)
        return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    if ((path != &vidpn->path && path != &vidpn->fresh) || vidpn->held == 0)
        return STATUS_INVALID_PARAMETER;
    vidpn->held--;
    return STATUS_SUCCESS;
}

static NTSTATUS create_path(const D3DKMDT_HVIDPNTOPOLOGY handle, D3DKMDT_VIDPN_PRESENT_PATH **path)
{
    struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn || !path)
        return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    memset(&vidpn->fresh, 0, sizeof(vidpn->fresh));
    *path = &vidpn->fresh;
    vidpn->held++;
    return STATUS_SUCCESS;
}

static NTSTATUS add_path(D3DKMDT_HVIDPNTOPOLOGY handle, const D3DKMDT_VIDPN_PRESENT_PATH *path)
{
    struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn)
        return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    if (path != &vidpn->fresh || vidpn->has_path)
        return STATUS_INVALID_PARAMETER;
    vidpn->path = vidpn->fresh;
    vidpn->has_path = true;
    vidpn->held--;
    return STATUS_SUCCESS;
}

static NTSTATUS remove_path(const D3DKMDT_HVIDPNTOPOLOGY handle,
                            const D3DDDI_VIDEO_PRESENT_SOURCE_ID source,
                            const D3DDDI_VIDEO_PRESENT_TARGET_ID id)
{
    struct vidmm_kit_vidpn *vidpn = topology_of(handle);

    if (!vidpn)
        return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
    if (!vidpn->has_path || vidpn->path.VidPnSourceId != source || vidpn->path.VidPnTargetId != id)
        return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
    vidpn->has_path = false;
    return STATUS_SUCCESS;
}

static const DXGK_VIDPNTOPOLOGY_INTERFACE topology_table = {
    .pfnGetNumPaths = get_num_paths,
    .pfnGetNumPathsFromSource = get_num_paths_from_source,
    .pfnEnumPathTargetsFromSource = enum_path_targets,
    .pfnGetPathSourceFromTarget = get_path_source,
    .pfnAcquirePathInfo = acquire_path,
    .pfnAcquireFirstPathInfo = acquire_first_path,
    .pfnAcquireNextPathInfo = acquire_next_path,
    .pfnUpdatePathSupportInfo = update_path_support,
    .pfnReleasePathInfo = release_path,
    .pfnCreateNewPathInfo = create_path,
    .pfnAddPath = add_path,
    .pfnRemovePath = remove_path,
};

/* ---- the network ---- */

static NTSTATUS get_topology(const D3DKMDT_HVIDPN handle, D3DKMDT_HVIDPNTOPOLOGY *topology,
                             const DXGK_VIDPNTOPOLOGY_INTERFACE **table)
{
    struct vidmm_kit_vidpn *vidpn = vidpn_of(handle);

    if (!vidpn || !topology || !table)
        return STATUS_GRAPHICS_INVALID_VIDPN;
    *topology = (D3DKMDT_HVIDPNTOPOLOGY)(void *)vidpn;
    *table = &topology_table;
    return STATUS_SUCCESS;
}

static bool has_end(const struct vidmm_kit_vidpn *vidpn, bool target, UINT id)
{
    return vidpn->has_path &&
           id == (target ? vidpn->path.VidPnTargetId : vidpn->path.VidPnSourceId);
}

static NTSTATUS no_end(bool target)
{
    return target ? STATUS_GRAPHICS_TARGET_NOT_IN_TOPOLOGY : STATUS_GRAPHICS_SOURCE_NOT_IN_TOPOLOGY;
}

static NTSTATUS acquire_set(const void *handle, bool target, UINT id, bool create, struct set **out)
{
    struct vidmm_kit_vidpn *vidpn = vidpn_of(handle);

    if (!vidpn || !out)
        return STATUS_GRAPHICS_INVALID_VIDPN;
    if (!has_end(vidpn, target, id))
        return no_end(target);
    *out = create ? new_set(vidpn, target) : *assigned(vidpn, target);
    if (!*out)
        return STATUS_NO_MEMORY;
    (*out)->acquired++;
    vidpn->held++;
    return STATUS_SUCCESS;
}

static NTSTATUS release_set(const void *handle, bool target, const void *which)
{
    struct vidmm_kit_vidpn *vidpn = vidpn_of(handle);
    struct set *set = set_of(which);

    if (!vidpn)
        return STATUS_GRAPHICS_INVALID_VIDPN;
    if (!set || set->vidpn != vidpn || set->is_target != target || set->acquired == 0)
        return no_set(target);
    set->acquired--;
    vidpn->held--;
    set->used = set->acquired > 0 || set == *assigned(vidpn, target);
    return STATUS_SUCCESS;
}

static NTSTATUS assign_set(const void *handle, bool target, UINT id, const void *which)
{
    struct vidmm_kit_vidpn *vidpn = vidpn_of(handle);
    struct set *set = set_of(which), **place;

    if (!vidpn)
        return STATUS_GRAPHICS_INVALID_VIDPN;
    if (!has_end(vidpn, target, id))
        return no_end(target);
    if (!set || set->vidpn != vidpn || set->is_target != target || set->acquired == 0)
        return no_set(target);
    place = assigned(vidpn, target);
    if (*place != set)
        (*place)->used = (*place)->acquired > 0;
    *place = set;
    set->acquired--;
    vidpn->held--;
    return STATUS_SUCCESS;
}

#define MODE_SETS(Name, IS_TARGET, HANDLE_TYPE, ID, TABLE)                                         \
    static NTSTATUS acquire_##Name##_set(const D3DKMDT_HVIDPN vidpn, const ID id,                  \
                                         HANDLE_TYPE *set, const TABLE **table)                    \
    {                                                                                              \
        if (!table)                                                                                \
            return STATUS_INVALID_PARAMETER;                                                       \
        *table = &Name##_table;                                                                    \
        return acquire_set(vidpn, IS_TARGET, id, false, (struct set **)(void *)set);               \
    }                                                                                              \
    static NTSTATUS create_##Name##_set(const D3DKMDT_HVIDPN vidpn, const ID id, HANDLE_TYPE *set, \
                                        const TABLE **table)                                       \
    {                                                                                              \
        if (!table)                                                                                \
            return STATUS_INVALID_PARAMETER;                                                       \
        *table = &Name##_table;                                                                    \
        return acquire_set(vidpn, IS_TARGET, id, true, (struct set **)(void *)set);                \
    }                                                                                              \
    static NTSTATUS release_##Name##_set(const D3DKMDT_HVIDPN vidpn, const HANDLE_TYPE set)        \
    {                                                                                              \
        return release_set(vidpn, IS_TARGET, set);                                                 \
    }                                                                                              \
    static NTSTATUS assign_##Name##_set(D3DKMDT_HVIDPN vidpn, const ID id, const HANDLE_TYPE set)  \
    {                                                                                              \
        return assign_set(vidpn, IS_TARGET, id, set);                                              \
    }

MODE_SETS(source, false, D3DKMDT_HVIDPNSOURCEMODESET, D3DDDI_VIDEO_PRESENT_SOURCE_ID,
          DXGK_VIDPNSOURCEMODESET_INTERFACE)
MODE_SETS(target, true, D3DKMDT_HVIDPNTARGETMODESET, D3DDDI_VIDEO_PRESENT_TARGET_ID,
          DXGK_VIDPNTARGETMODESET_INTERFACE)

static NTSTATUS assign_multisampling(D3DKMDT_HVIDPN handle,
                                     const D3DDDI_VIDEO_PRESENT_SOURCE_ID source,
                                     const SIZE_T count, const D3DDDI_MULTISAMPLINGMETHOD *methods)
{
    const struct vidmm_kit_vidpn *vidpn = vidpn_of(handle);

    if (!vidpn)
        return STATUS_GRAPHICS_INVALID_VIDPN;
    if (!has_end(vidpn, false, source))
        return no_end(false);
    return count == 0 || methods ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static const DXGK_VIDPN_INTERFACE vidpn_table = {
    .Version = DXGK_VIDPN_INTERFACE_VERSION_V1,
    .pfnGetTopology = get_topology,
    .pfnAcquireSourceModeSet = acquire_source_set,
    .pfnReleaseSourceModeSet = release_source_set,
    .pfnCreateNewSourceModeSet = create_source_set,
    .pfnAssignSourceModeSet = assign_source_set,
    .pfnAssignMultisamplingMethodSet = assign_multisampling,
    .pfnAcquireTargetModeSet = acquire_target_set,
    .pfnReleaseTargetModeSet = release_target_set,
    .pfnCreateNewTargetModeSet = create_target_set,
    .pfnAssignTargetModeSet = assign_target_set,
};

NTSTATUS vidmm_kit_query_vidpn_interface(D3DKMDT_HVIDPN handle,
                                         DXGK_VIDPN_INTERFACE_VERSION version,
                                         const DXGK_VIDPN_INTERFACE **table)
{
    if (!vidpn_of(handle))
        return STATUS_GRAPHICS_INVALID_VIDPN;
    if (version != DXGK_VIDPN_INTERFACE_VERSION_V1 || !table)
        return STATUS_INVALID_PARAMETER;
    *table = &vidpn_table;
    return STATUS_SUCCESS;
}

/* ---- for whoever drives the driver ---- */

static void lay_path(D3DKMDT_VIDPN_PRESENT_PATH *path, uint32_t source, uint32_t target)
{
    path->VidPnSourceId = source;
    path->VidPnTargetId = target;
    path->ImportanceOrdinal = D3DKMDT_VPPI_PRIMARY;
    path->ContentTransformation.Scaling = D3DKMDT_VPPS_UNPINNED;
    path->ContentTransformation.Rotation = D3DKMDT_VPPR_UNPINNED;
    path->Content = D3DKMDT_VPPC_GRAPHICS;
    path->CopyProtection.CopyProtectionType = D3DKMDT_VPPMT_NOPROTECTION;
    path->GammaRamp.Type = D3DDDI_GAMMARAMP_DEFAULT;
}

struct vidmm_kit_vidpn *vidmm_kit_vidpn_open(bool path, uint32_t source, uint32_t target)
{
    for (unsigned i = 0; i < VIDMM_KIT_VIDPNS; i++) {
        struct vidmm_kit_vidpn *vidpn = &vidpns[i];
        if (vidpn->open)
            continue;
        memset(vidpn, 0, sizeof(*vidpn));
        vidpn->open = true;
        vidpn->has_path = path;
        if (path)
            lay_path(&vidpn->path, source, target);
        vidpn->source = new_set(vidpn, false);
        vidpn->target = new_set(vidpn, true);
        return vidpn;
    }
    return NULL;
}

void vidmm_kit_vidpn_close(struct vidmm_kit_vidpn *vidpn)
{
    if (vidpn)
        memset(vidpn, 0, sizeof(*vidpn));
}

D3DKMDT_HVIDPN vidmm_kit_vidpn_handle(struct vidmm_kit_vidpn *vidpn)
{
    return (D3DKMDT_HVIDPN)(void *)vidpn;
}

unsigned vidmm_kit_vidpn_modes(const struct vidmm_kit_vidpn *vidpn, bool target)
{
    const struct set *set = target ? vidpn->target : vidpn->source;
    unsigned count = 0;

    for (unsigned i = 0; i < MODES; i++)
        count += set->modes[i].state == ADDED;
    return count;
}

static D3DKMDT_2DREGION size_of(const struct set *set, const struct mode *mode)
{
    return set->is_target ? mode->u.target.VideoSignalInfo.ActiveSize
                          : mode->u.source.Format.Graphics.VisibleRegionSize;
}

static bool pin(struct set *set, uint32_t *width, uint32_t *height)
{
    const struct mode *chosen = NULL;

    for (unsigned i = MODES; i-- > 0;) {
        const struct mode *mode = &set->modes[i];
        D3DKMDT_2DREGION size = size_of(set, mode), was = chosen ? size_of(set, chosen) : size;
        bool fits = size.cx == *width && size.cy == *height;
        if (mode->state == ADDED && (fits || !chosen || was.cx != *width || was.cy != *height))
            chosen = mode;
    }
    set->pinned = chosen;
    if (chosen) {
        *width = size_of(set, chosen).cx;
        *height = size_of(set, chosen).cy;
    }
    return chosen != NULL;
}

bool vidmm_kit_vidpn_pin_source(struct vidmm_kit_vidpn *vidpn, uint32_t *width, uint32_t *height)
{
    return pin(vidpn->source, width, height);
}

bool vidmm_kit_vidpn_pin_target(struct vidmm_kit_vidpn *vidpn, uint32_t width, uint32_t height)
{
    vidpn->path.ContentTransformation.Scaling = D3DKMDT_VPPS_IDENTITY;
    vidpn->path.ContentTransformation.Rotation = D3DKMDT_VPPR_IDENTITY;
    return pin(vidpn->target, &width, &height);
}

unsigned vidmm_kit_vidpn_held(const struct vidmm_kit_vidpn *vidpn)
{
    return vidpn->held;
}
