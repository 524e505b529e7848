/* The thunks on any structures, handles and counts, in any order, by two processes that come and go
 * while the GPU works: each call answers, what is refused has a reason, and nothing is left behind.
 *
 *     byte: below 64: the rest is cut in three, which three threads play at once
 *     byte: which call   bytes: its structure, word by word    byte: what happens after it
 *
 * Threads hand handles to one another. A process that waits for good would keep a thread in its
 * call, so threads wait for nothing that has not come yet, and make neither mutexes nor semaphores
 * (test_thunk_threads.c has queues that take turns).
 *
 * A word is a handle that was answered before, a small number, or four bytes as they stand. A
 * pointer is NULL or leads into an arena whose words are made so, too: a program may not hand out
 * addresses where it has no memory. Sizes of what lies behind pointers stay inside the arena.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <vidmm/page.h>
#include <wddm/d3dkmthk.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "host/machine.h"
#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"
#include "thunk/calls.h"
#include "thunk/thunk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    PROCESSES = 2,
    PLAYERS = 3, /* threads at once */
    HANDLES = 64,
    ROOM = 2048,     /* bytes of the largest structure */
    ARENA = 1 << 17, /* bytes */
    CALLS = 200,     /* of one input */
    INFOS = 8
};

#define GPU                                                                                        \
    "wddm 2.6\nmmu gpu\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\nprivate_data 64\n"  \
    "hw_queues 4\n"

typedef NTSTATUS call(struct vidmm_thunk_process *process, void *arguments);

/* One that makes calls, and the memory that they lead to. */
struct player {
    const uint8_t *at, *end; /* of the input */
    _Alignas(4096) unsigned char pages[INFOS][VIDMM_PAGE_SIZE];
    _Alignas(4096) unsigned char arena[ARENA];
    _Alignas(16) unsigned char structure[ROOM], before[ROOM];
    struct softgpu_allocation wishes[INFOS];
    D3DDDI_ALLOCATIONINFO2 infos[INFOS];
};

static struct player players[PLAYERS];
static UINT64 zeros[VIDMM_PAGE_SIZE / sizeof(UINT64)];

static struct world {
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_adapter *adapter;
    struct vidmm_thunk_machine *thunks;
    struct vidmm_thunk_process *processes[PROCESSES];
    uint64_t newest_process;
    bool threads;
    uint32_t handles[HANDLES], handle_count;  /* under the mutex, from here on */
    int descriptors[CALLS * (size_t)PLAYERS]; /* of what is shared */
    unsigned descriptor_count;
} world;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void must(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "fuzz_thunk: %s: %s\n", what, vidmm_thunk_reason());
    abort();
}

static uint8_t take(struct player *player)
{
    return player->at < player->end ? *player->at++ : 0;
}

static uint32_t known(uint8_t number)
{
    uint32_t handle = 0;

    pthread_mutex_lock(&mutex);
    if (world.handle_count > 0)
        handle = world.handles[number % HANDLES % world.handle_count];
    pthread_mutex_unlock(&mutex);
    return handle;
}

static uint32_t take_word(struct player *player)
{
    uint8_t kind = take(player);
    uint32_t word = 0;

    if (kind < 128)
        return known(kind);
    if (kind < 240)
        return kind & 15;
    for (unsigned i = 0; i < 4; i++)
        word = word << 8 | take(player);
    return word;
}

static void remember(uint32_t handle)
{
    if (handle == 0)
        return;
    pthread_mutex_lock(&mutex);
    if (world.handle_count < HANDLES)
        world.handle_count++;
    memmove(&world.handles[1], &world.handles[0], (HANDLES - 1) * sizeof(world.handles[0]));
    world.handles[0] = handle;
    pthread_mutex_unlock(&mutex);
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* All that are built, in the order of thunks.def. */
static const struct entry {
    const char *name;
    call *call;
    size_t size;
    enum vidmm_thunk function;
} entries[] = {
#define BUILT(Name, Arguments)                                                                     \
    {#Name, (call *)(void *)vidmm_thunk_##Name, sizeof(Arguments), VIDMM_THUNK_##Name},
#define UNBUILT(Name)
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
};

enum { ENTRIES = sizeof(entries) / sizeof(entries[0]) };

/* Members that point into the arena, and sizes of what is there. */
#define MEMBER(Name, Arguments, Member, IsSize)                                                    \
    {                                                                                              \
        VIDMM_THUNK_##Name, offsetof(Arguments, Member), IsSize                                    \
    }
#define POINTER(Name, Arguments, Member) MEMBER(Name, Arguments, Member, false)
#define SIZE(Name, Arguments, Member) MEMBER(Name, Arguments, Member, true)

static const struct {
    enum vidmm_thunk function;
    size_t offset;
    bool is_size;
} members[] = {
    POINTER(EnumAdapters2, D3DKMT_ENUMADAPTERS2, pAdapters),
    POINTER(EnumAdapters3, D3DKMT_ENUMADAPTERS3, pAdapters),
    POINTER(CreateContext, D3DKMT_CREATECONTEXT, pPrivateDriverData),
    SIZE(CreateContext, D3DKMT_CREATECONTEXT, PrivateDriverDataSize),
    POINTER(CreateContextVirtual, D3DKMT_CREATECONTEXTVIRTUAL, pPrivateDriverData),
    SIZE(CreateContextVirtual, D3DKMT_CREATECONTEXTVIRTUAL, PrivateDriverDataSize),
    POINTER(CreateAllocation, D3DKMT_CREATEALLOCATION, pPrivateRuntimeData),
    POINTER(CreateAllocation, D3DKMT_CREATEALLOCATION, pPrivateDriverData),
    SIZE(CreateAllocation, D3DKMT_CREATEALLOCATION, PrivateRuntimeDataSize),
    SIZE(CreateAllocation, D3DKMT_CREATEALLOCATION, PrivateDriverDataSize),
    POINTER(CreateAllocation2, D3DKMT_CREATEALLOCATION, pPrivateRuntimeData),
    POINTER(CreateAllocation2, D3DKMT_CREATEALLOCATION, pPrivateDriverData),
    SIZE(CreateAllocation2, D3DKMT_CREATEALLOCATION, PrivateRuntimeDataSize),
    SIZE(CreateAllocation2, D3DKMT_CREATEALLOCATION, PrivateDriverDataSize),
    POINTER(DestroyAllocation, D3DKMT_DESTROYALLOCATION, phAllocationList),
    POINTER(DestroyAllocation2, D3DKMT_DESTROYALLOCATION2, phAllocationList),
    POINTER(QueryResourceInfo, D3DKMT_QUERYRESOURCEINFO, pPrivateRuntimeData),
    SIZE(QueryResourceInfo, D3DKMT_QUERYRESOURCEINFO, PrivateRuntimeDataSize),
    POINTER(OpenResource, D3DKMT_OPENRESOURCE, pOpenAllocationInfo),
    POINTER(OpenResource, D3DKMT_OPENRESOURCE, pPrivateRuntimeData),
    POINTER(OpenResource, D3DKMT_OPENRESOURCE, pResourcePrivateDriverData),
    POINTER(OpenResource, D3DKMT_OPENRESOURCE, pTotalPrivateDriverDataBuffer),
    SIZE(OpenResource, D3DKMT_OPENRESOURCE, PrivateRuntimeDataSize),
    SIZE(OpenResource, D3DKMT_OPENRESOURCE, ResourcePrivateDriverDataSize),
    SIZE(OpenResource, D3DKMT_OPENRESOURCE, TotalPrivateDriverDataBufferSize),
    POINTER(MakeResident, D3DDDI_MAKERESIDENT, AllocationList),
    POINTER(MakeResident, D3DDDI_MAKERESIDENT, PriorityList),
    POINTER(Evict, D3DKMT_EVICT, AllocationList),
    POINTER(OfferAllocations, D3DKMT_OFFERALLOCATIONS, pResources),
    POINTER(OfferAllocations, D3DKMT_OFFERALLOCATIONS, HandleList),
    POINTER(ReclaimAllocations2, D3DKMT_RECLAIMALLOCATIONS2, pResources),
    POINTER(ReclaimAllocations2, D3DKMT_RECLAIMALLOCATIONS2, HandleList),
    POINTER(ReclaimAllocations2, D3DKMT_RECLAIMALLOCATIONS2, pDiscarded),
    POINTER(SetAllocationPriority, D3DKMT_SETALLOCATIONPRIORITY, phAllocationList),
    POINTER(SetAllocationPriority, D3DKMT_SETALLOCATIONPRIORITY, pPriorities),
    POINTER(QueryAllocationResidency, D3DKMT_QUERYALLOCATIONRESIDENCY, phAllocationList),
    POINTER(QueryAllocationResidency, D3DKMT_QUERYALLOCATIONRESIDENCY, pResidencyStatus),
    POINTER(SubmitCommand, D3DKMT_SUBMITCOMMAND, pPrivateDriverData),
    POINTER(SubmitCommand, D3DKMT_SUBMITCOMMAND, HistoryBufferArray),
    SIZE(SubmitCommand, D3DKMT_SUBMITCOMMAND, PrivateDriverDataSize),
    POINTER(CreateHwQueue, D3DKMT_CREATEHWQUEUE, pPrivateDriverData),
    SIZE(CreateHwQueue, D3DKMT_CREATEHWQUEUE, PrivateDriverDataSize),
    POINTER(SubmitCommandToHwQueue, D3DKMT_SUBMITCOMMANDTOHWQUEUE, pPrivateDriverData),
    SIZE(SubmitCommandToHwQueue, D3DKMT_SUBMITCOMMANDTOHWQUEUE, PrivateDriverDataSize),
    POINTER(SubmitCommandToHwQueue, D3DKMT_SUBMITCOMMANDTOHWQUEUE, WrittenPrimaries),
    POINTER(SubmitSignalSyncObjectsToHwQueue, D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE,
            BroadcastHwQueueArray),
    POINTER(SubmitSignalSyncObjectsToHwQueue, D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE,
            ObjectHandleArray),
    POINTER(SubmitSignalSyncObjectsToHwQueue, D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE,
            FenceValueArray),
    POINTER(SubmitWaitForSyncObjectsToHwQueue, D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE,
            ObjectHandleArray),
    POINTER(SubmitWaitForSyncObjectsToHwQueue, D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE,
            FenceValueArray),
    POINTER(Lock, D3DKMT_LOCK, pPages),
    SIZE(Lock, D3DKMT_LOCK, NumPages),
    POINTER(Unlock, D3DKMT_UNLOCK, phAllocations),
    POINTER(SignalSynchronizationObjectFromCpu, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU,
            ObjectHandleArray),
    POINTER(SignalSynchronizationObjectFromCpu, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU,
            FenceValueArray),
    POINTER(WaitForSynchronizationObjectFromCpu, D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU,
            ObjectHandleArray),
    POINTER(WaitForSynchronizationObjectFromCpu, D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU,
            FenceValueArray),
    POINTER(SignalSynchronizationObjectFromGpu, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU,
            ObjectHandleArray),
    POINTER(SignalSynchronizationObjectFromGpu, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU,
            MonitoredFenceValueArray),
    POINTER(SignalSynchronizationObjectFromGpu2, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2,
            ObjectHandleArray),
    POINTER(SignalSynchronizationObjectFromGpu2, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2,
            BroadcastContextArray),
    POINTER(SignalSynchronizationObjectFromGpu2, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2,
            MonitoredFenceValueArray),
    POINTER(WaitForSynchronizationObjectFromGpu, D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU,
            ObjectHandleArray),
    POINTER(WaitForSynchronizationObjectFromGpu, D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU,
            MonitoredFenceValueArray),
    POINTER(Render, D3DKMT_RENDER, pPrivateDriverData),
    SIZE(Render, D3DKMT_RENDER, PrivateDriverDataSize),
    POINTER(UpdateGpuVirtualAddress, D3DKMT_UPDATEGPUVIRTUALADDRESS, Operations),
    SIZE(UpdateGpuVirtualAddress, D3DKMT_UPDATEGPUVIRTUALADDRESS, NumOperations),
    POINTER(QueryAdapterInfo, D3DKMT_QUERYADAPTERINFO, pPrivateDriverData),
    SIZE(QueryAdapterInfo, D3DKMT_QUERYADAPTERINFO, PrivateDriverDataSize),
    POINTER(Escape, D3DKMT_ESCAPE, pPrivateDriverData),
    SIZE(Escape, D3DKMT_ESCAPE, PrivateDriverDataSize),
    POINTER(QueryResourceInfoFromNtHandle, D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE,
            pPrivateRuntimeData),
    SIZE(QueryResourceInfoFromNtHandle, D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE,
         PrivateRuntimeDataSize),
    POINTER(GetAllocationPriority, D3DKMT_GETALLOCATIONPRIORITY, phAllocationList),
    POINTER(GetAllocationPriority, D3DKMT_GETALLOCATIONPRIORITY, pPriorities),
    POINTER(ShareObjectsInternal, D3DKMT_SHAREOBJECTS, ObjectHandleArray),
    POINTER(ShareObjectsInternal, D3DKMT_SHAREOBJECTS, pObjectAttributes),
    POINTER(ShareObjectsInternal, D3DKMT_SHAREOBJECTS, pSharedNtHandle),
    POINTER(OpenResourceFromNtHandle, D3DKMT_OPENRESOURCEFROMNTHANDLE, pOpenAllocationInfo2),
    POINTER(OpenResourceFromNtHandle, D3DKMT_OPENRESOURCEFROMNTHANDLE, pPrivateRuntimeData),
    POINTER(OpenResourceFromNtHandle, D3DKMT_OPENRESOURCEFROMNTHANDLE, pResourcePrivateDriverData),
    POINTER(OpenResourceFromNtHandle, D3DKMT_OPENRESOURCEFROMNTHANDLE,
            pTotalPrivateDriverDataBuffer),
    SIZE(OpenResourceFromNtHandle, D3DKMT_OPENRESOURCEFROMNTHANDLE, PrivateRuntimeDataSize),
    SIZE(OpenResourceFromNtHandle, D3DKMT_OPENRESOURCEFROMNTHANDLE, ResourcePrivateDriverDataSize),
    SIZE(OpenResourceFromNtHandle, D3DKMT_OPENRESOURCEFROMNTHANDLE,
         TotalPrivateDriverDataBufferSize),
};

/* ---- structures ------------------------------------------------------------------------------ */

static void put_pointer(unsigned char *structure, size_t offset, struct player *player)
{
    uint8_t choice = take(player);
    void *pointer = choice == 255 ? NULL : player->arena + (choice & 7) * 8;

    memcpy(structure + offset, &pointer, sizeof(pointer));
}

static void bound_size(unsigned char *structure, size_t offset)
{
    uint32_t value;

    memcpy(&value, structure + offset, sizeof(value));
    value &= 0xfff;
    memcpy(structure + offset, &value, sizeof(value));
}

static void fill_arena(struct player *player)
{
    uint32_t words[32];

    for (unsigned i = 0; i < 32; i++)
        words[i] = take_word(player);
    for (size_t at = 0; at < ARENA; at += sizeof(words))
        memcpy(player->arena + at, words, sizeof(words));
}

/* Elements of a creation, whose pointers lead to descriptions and pages of ours. */
static void fill_infos(struct player *player)
{
    for (unsigned i = 0; i < INFOS; i++) {
        uint8_t kind = take(player);

        player->wishes[i] = (struct softgpu_allocation){.magic = SOFTGPU_ALLOCATION_MAGIC,
                                                        .flags = kind & 3,
                                                        .size = (1 + (kind >> 5)) * VIDMM_PAGE_SIZE,
                                                        .read_set = 1 + (kind >> 2) % 3,
                                                        .write_set = 1 + (kind >> 2) % 3,
                                                        .evict_set = 1,
                                                        .priority = SOFTGPU_PRIORITY_NORMAL};
        player->infos[i] = (D3DDDI_ALLOCATIONINFO2){.pPrivateDriverData = &player->wishes[i],
                                                    .PrivateDriverDataSize =
                                                        sizeof(player->wishes[i]) - (kind == 77)};
        if (kind == 99)
            player->infos[i].pSystemMem = player->pages[i];
    }
}

static void special(const struct entry *entry, unsigned char *structure, struct player *player)
{
    if (strncmp(entry->name, "CreateAllocation", 16) == 0) {
        D3DKMT_CREATEALLOCATION *create = (void *)structure;

        fill_infos(player);
        create->NumAllocations %= INFOS + 1;
        create->pAllocationInfo2 = player->infos;
        create->Flags.ExistingSysMem = 0; /* memory that goes while the GPU has it is no request */
    }
    if (strcmp(entry->name, "OpenAdapterFromLuid") == 0 && take(player) < 250)
        ((D3DKMT_OPENADAPTERFROMLUID *)(void *)structure)->AdapterLuid = (LUID){1, 0};
    if (strcmp(entry->name, "QueryStatistics") == 0 && take(player) < 250)
        ((D3DKMT_QUERYSTATISTICS *)(void *)structure)->AdapterLuid = (LUID){1, 0};
}

/* A callback that a program would have: to be asked to trim is no reason to do it. */
static void hears_nothing(D3DKMT_TRIMNOTIFICATION *notification)
{
    (void)notification;
}

static void special_trim(const struct entry *entry, unsigned char *structure, struct player *player)
{
    if (entry->function == VIDMM_THUNK_RegisterTrimNotification) {
        D3DKMT_REGISTERTRIMNOTIFICATION *trim = (void *)structure;

        trim->Callback = take(player) < 250 ? hears_nothing : NULL;
        if (take(player) < 250)
            trim->AdapterLuid = (LUID){1, 0};
    }
    if (entry->function == VIDMM_THUNK_UnregisterTrimNotification) {
        D3DKMT_UNREGISTERTRIMNOTIFICATION *trim = (void *)structure;

        trim->Callback = NULL;
        trim->Handle = (void *)(uintptr_t)take_word(player);
    }
}

/* A message to the memory manager has its size, and mostly a type that there is. */
static void special_escape(const struct entry *entry, unsigned char *structure)
{
    D3DKMT_ESCAPE *escape = (void *)structure;
    D3DKMT_VIDMM_ESCAPE *message = escape->pPrivateDriverData;

    if (entry->function != VIDMM_THUNK_Escape || escape->Type != D3DKMT_ESCAPE_VIDMM ||
        message == NULL)
        return;
    escape->PrivateDriverDataSize = sizeof(*message);
    message->Type = (D3DKMT_VIDMMESCAPETYPE)((UINT)message->Type % 20);
}

/* A thread among others waits for what has come alone, and its requests give way. */
static void special_threads(const struct entry *entry, unsigned char *structure)
{
    switch (entry->function) {
    case VIDMM_THUNK_CreateSynchronizationObject:
        ((D3DKMT_CREATESYNCHRONIZATIONOBJECT *)(void *)structure)->Info.Type = 0;
        return;
    case VIDMM_THUNK_CreateSynchronizationObject2: {
        D3DKMT_CREATESYNCHRONIZATIONOBJECT2 *create = (void *)structure;

        if ((UINT)create->Info.Type <= D3DDDI_SEMAPHORE)
            create->Info.Type = D3DDDI_MONITORED_FENCE;
        return;
    }
    case VIDMM_THUNK_WaitForSynchronizationObjectFromCpu:
        ((D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU *)(void *)structure)->FenceValueArray = zeros;
        return;
    case VIDMM_THUNK_WaitForSynchronizationObjectFromGpu: {
        D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU *wait = (void *)structure;

        wait->MonitoredFenceValueArray = zeros;
        return;
    }
    case VIDMM_THUNK_WaitForSynchronizationObject2:
        ((D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2 *)(void *)structure)->Fence.FenceValue = 0;
        return;
    case VIDMM_THUNK_SubmitWaitForSyncObjectsToHwQueue:
        ((D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE *)(void *)structure)->FenceValueArray = zeros;
        return;
    case VIDMM_THUNK_UpdateGpuVirtualAddress:
        ((D3DKMT_UPDATEGPUVIRTUALADDRESS *)(void *)structure)->FenceValue = 0;
        return;
    case VIDMM_THUNK_MakeResident:
        ((D3DDDI_MAKERESIDENT *)(void *)structure)->Flags.Value = 0;
        return;
    default:
        return;
    }
}

/* A descriptor that was answered is the program's to close. */
static void keep_descriptor(const unsigned char *structure)
{
    const D3DKMT_SHAREOBJECTS *share = (const void *)structure;
    HANDLE handle;

    memcpy(&handle, share->pSharedNtHandle, sizeof(handle));
    pthread_mutex_lock(&mutex);
    must(world.descriptor_count < CALLS * PLAYERS, "there is room for descriptors");
    world.descriptors[world.descriptor_count++] = (int)(intptr_t)handle;
    pthread_mutex_unlock(&mutex);
    remember((uint32_t)(uintptr_t)handle);
}

/* Words that a call has written may be handles. */
static void harvest(const unsigned char *before, const unsigned char *after, size_t size)
{
    for (size_t at = 0; at + 4 <= size; at += 4) {
        uint32_t word;

        memcpy(&word, after + at, sizeof(word));
        if (memcmp(before + at, after + at, 4) != 0)
            remember(word);
    }
}

static void one_call(struct player *player)
{
    unsigned char *structure = player->structure, *before = player->before;
    const struct entry *entry = &entries[take(player) % ENTRIES];
    uint8_t way = take(player);
    NTSTATUS status;

    must(entry->size <= ROOM, "a structure is larger than expected");
    fill_arena(player);
    for (size_t at = 0; at + 4 <= entry->size; at += 4) {
        uint32_t word = at < 64 ? take_word(player) : at % 3 == 0 ? known(0) : 0;

        memcpy(structure + at, &word, sizeof(word));
    }
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (members[i].function == entry->function && members[i].is_size)
            bound_size(structure, members[i].offset);
        else if (members[i].function == entry->function)
            put_pointer(structure, members[i].offset, player);
    special(entry, structure, player);
    special_trim(entry, structure, player);
    special_escape(entry, structure);
    if (world.threads)
        special_threads(entry, structure);
    memcpy(before, structure, entry->size);
    status = entry->call(world.processes[way % PROCESSES], way == 200 ? NULL : (void *)structure);
    if (status == STATUS_INVALID_PARAMETER)
        must(vidmm_thunk_reason()[0] != '\0', entry->name);
    if (NT_SUCCESS(status) && way != 200) {
        harvest(before, structure, entry->size);
        if (strncmp(entry->name, "CreateAllocation", 16) == 0)
            for (unsigned i = 0; i < INFOS; i++)
                remember(player->infos[i].hAllocation);
        if (entry->function == VIDMM_THUNK_ShareObjectsInternal)
            keep_descriptor(structure);
    }
}

/* ---- the world ------------------------------------------------------------------------------- */

static void misuse(void *argument, const char *text)
{
    (void)argument;
    fprintf(stderr, "misuse of the host: %s\n", text);
    abort();
}

static void begin(bool threads)
{
    const struct vidmm_machine_options options = {.kind = threads ? VIDMM_MACHINE_THREADED
                                                                  : VIDMM_MACHINE_SIMULATED,
                                                  .seed = 1,
                                                  .system_memory = 32 << 20,
                                                  .visitors = threads,
                                                  .misuse = misuse};
    struct softgpu_config config = softgpu_config_default();
    struct vidmm_adapter_options adapter;
    struct vidmm_thunk_adapter listed = {.luid = {1, 0}};
    struct vidmm_device_model model;

    memset(&world, 0, sizeof(world));
    world.threads = threads;
    must(softgpu_config_parse(GPU, &config, NULL, 0), "the GPU's description is read");
    world.machine = vidmm_machine_create(&options, NULL, 0);
    world.slot = vidmm_machine_add_slot(world.machine);
    world.gpu = softgpu_device_create(vidmm_slot_bus(world.slot), &config, &model, NULL, 0);
    must(world.gpu != NULL && vidmm_slot_plug(world.slot, &model), "there is a GPU");
    softgpu_driver_entry(softgpu_driver_version(config.wddm), &world.driver);
    vidmm_adapter_options_default(&adapter);
    must(vidmm_adapter_start(vidmm_slot_host(world.slot), &world.driver, world.slot, &adapter,
                             &world.adapter, NULL) == STATUS_SUCCESS,
         "the adapter starts");
    listed.adapter = world.adapter;
    world.thunks = vidmm_thunk_machine_create(&listed, 1);
    must(world.thunks != NULL, "there is a machine");
    for (unsigned i = 0; i < PROCESSES; i++)
        world.processes[i] = vidmm_thunk_process_create(world.thunks, ++world.newest_process);
}

/* A process vanishes, and another one begins. */
static void replace(unsigned index)
{
    vidmm_thunk_process_destroy(world.processes[index]);
    world.processes[index] = vidmm_thunk_process_create(world.thunks, ++world.newest_process);
}

static void finish(void)
{
    for (unsigned i = 0; i < PROCESSES; i++)
        vidmm_thunk_process_destroy(world.processes[i]);
    for (unsigned i = 0; i < world.descriptor_count; i++)
        close(world.descriptors[i]);
    vidmm_thunk_machine_destroy(world.thunks);
    vidmm_adapter_stop(world.adapter);
    vidmm_slot_unplug(world.slot);
    softgpu_device_destroy(world.gpu);
    vidmm_machine_destroy(world.machine);
}

/* ---- an input -------------------------------------------------------------------------------- */

static void play(struct player *player)
{
    for (unsigned i = 0; i < CALLS && player->at < player->end; i++) {
        uint8_t after;

        one_call(player);
        after = take(player);
        if (world.threads)
            continue;
        if (after < 40)
            vidmm_machine_settle(world.machine);
        else if (after > 250)
            replace(after % PROCESSES);
    }
}

static void *play_beside_others(void *player)
{
    play(player);
    return NULL;
}

static void play_at_once(const uint8_t *data, size_t size)
{
    pthread_t threads[PLAYERS];

    for (unsigned i = 0; i < PLAYERS; i++) {
        players[i].at = data + size * i / PLAYERS;
        players[i].end = data + size * (i + 1) / PLAYERS;
        must(pthread_create(&threads[i], NULL, play_beside_others, &players[i]) == 0,
             "a thread begins");
    }
    for (unsigned i = 0; i < PLAYERS; i++)
        pthread_join(threads[i], NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool threads = size > 0 && data[0] < 64;

    begin(threads);
    if (threads) {
        play_at_once(data + 1, size - 1);
    } else if (size > 0) {
        players[0].at = data + 1;
        players[0].end = data + size;
        play(&players[0]);
    }
    finish();
    return 0;
}
