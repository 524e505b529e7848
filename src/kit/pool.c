/* pool.c: pools: blocks with tags, guards, poison, a quarantine, and a list of what is left.
 *
 *     small (to 2016 bytes): a slot of a page, power of two bytes
 *         | guard 16 | ...the block... | guard 16 or more |
 *     large: pages of its own, page-aligned, frames in no order
 *         | ...the block... | guard 16 or more, to the page's end |
 *
 * Records lie elsewhere, where a driver's overrun does not reach. A freed block is filled and kept
 * in a quarantine for a while; writes to it meanwhile are found when it leaves.
 *
 * I1  A record is in the hash table if its block is live or in the quarantine.
 * I2  Guards of such a block hold GUARD; a block in the quarantine holds FREED.
 */
#include "base/queue.h"
#include "base/text.h"
#include "kit/state.h"

enum {
    GUARD = 0xFD,
    FRESH = 0xA7,
    FREED = 0xDE,
    GUARD_SIZE = 16,
    SMALLEST = 64,
    CLASSES = 6, /* 64 to 2048 */
    BUCKETS = 4096,
    QUARANTINE = 512, /* blocks */
};
#define QUARANTINE_BYTES ((uint64_t)16 << 20)

struct record {
    struct record *next;  /* in its bucket, or in the list of free slots */
    struct record *later; /* in the quarantine */
    unsigned char *block;
    unsigned char *start; /* of slot or pages */
    uint64_t size, room;  /* of the block; of slot or pages */
    uint64_t *frames;     /* of its own pages; NULL: a slot */
    uint32_t tag;
    bool paged, freed, of_start;
    const void *caller, *freed_by;
};

VIDMM_QUEUE(freed_blocks, struct record, later);

struct slab {
    struct slab *next;
    bool paged;
    void *page;
    uint64_t frame;
    struct record *slots;
};

static struct record *buckets[BUCKETS];
static struct record *free_slots[2][CLASSES]; /* of paged pool: 1 */
static struct slab *slabs;
static struct freed_blocks in_quarantine; /* the oldest first */
static uint64_t quarantined, quarantined_bytes;
_Atomic uint64_t vidmm_kit_fail_pool_in;

static void lock(void)
{
    pthread_mutex_lock(&vidmm_kit_kernel.objects);
    vidmm_kit_page_own(true);
}

static void unlock(void)
{
    vidmm_kit_page_own(false);
    pthread_mutex_unlock(&vidmm_kit_kernel.objects);
}

static struct record **bucket(const void *block)
{
    return &buckets[((uintptr_t)block >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 52];
}

static struct record **find(const void *block)
{
    struct record **at = bucket(block);

    while (*at && (*at)->block != block)
        at = &(*at)->next;
    return at;
}

static const char *tag_text(uint32_t tag, char text[5])
{
    for (int i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)(tag >> (8 * i));
        text[i] = (char)(c >= 0x20 && c < 0x7F ? c : '.');
    }
    text[4] = 0;
    return text;
}

/* ---- where blocks come from; under the lock ---- */

static void *take_run(bool paged, uint64_t count, uint64_t *frames)
{
    return paged ? vidmm_kit_take_paged(count, frames)
                 : vidmm_kit_take_run(count, VIDMM_ANY_FRAME, false, frames);
}

static void give_run(bool paged, void *address, uint64_t count, const uint64_t *frames)
{
    if (paged)
        vidmm_kit_give_paged(address, count, frames);
    else
        vidmm_kit_give_run(address, count, frames);
}

static int class_of(uint64_t size)
{
    uint64_t room = SMALLEST;

    for (int class = 0; class < CLASSES; class ++, room *= 2)
        if (size + 2 * GUARD_SIZE <= room)
            return class;
    return -1;
}

static bool add_slab(bool paged, int class)
{
    uint64_t room = (uint64_t)SMALLEST << class, count = PAGE_SIZE / room;
    struct slab *slab = calloc(1, sizeof(*slab));

    if (slab)
        slab->slots = calloc(count, sizeof(*slab->slots));
    if (slab && slab->slots)
        slab->page = take_run(paged, 1, &slab->frame);
    if (!slab || !slab->page) {
        free(slab ? slab->slots : NULL);
        free(slab);
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        slab->slots[i].start = (unsigned char *)slab->page + i * room;
        slab->slots[i].room = room;
        slab->slots[i].paged = paged;
        slab->slots[i].next = free_slots[paged][class];
        free_slots[paged][class] = &slab->slots[i];
    }
    slab->paged = paged;
    slab->next = slabs;
    slabs = slab;
    return true;
}

static struct record *take_slot(bool paged, int class)
{
    struct record *record;

    if (!free_slots[paged][class] && !add_slab(paged, class))
        return NULL;
    record = free_slots[paged][class];
    free_slots[paged][class] = record->next;
    record->block = record->start + GUARD_SIZE;
    return record;
}

static struct record *take_pages(bool paged, uint64_t size)
{
    uint64_t count = (size + GUARD_SIZE + PAGE_SIZE - 1) / PAGE_SIZE;
    struct record *record = calloc(1, sizeof(*record));

    if (record)
        record->frames = calloc(count, sizeof(*record->frames));
    if (record && record->frames)
        record->start = take_run(paged, count, record->frames);
    if (!record || !record->start) {
        free(record ? record->frames : NULL);
        free(record);
        return NULL;
    }
    record->block = record->start;
    record->paged = paged;
    record->room = count * PAGE_SIZE;
    return record;
}

static void give_back(struct record *record)
{
    if (record->frames) {
        give_run(record->paged, record->start, record->room / PAGE_SIZE, record->frames);
        free(record->frames);
        free(record);
    } else {
        int class = class_of(record->room - 2 * GUARD_SIZE);
        record->next = free_slots[record->paged][class];
        free_slots[record->paged][class] = record;
    }
}

/* ---- guards ---- */

static unsigned char *tail_of(const struct record *record)
{
    return record->block + record->size;
}

static size_t tail_size(const struct record *record)
{
    return (size_t)(record->start + record->room - tail_of(record));
}

/* The first byte of the range that is not `byte`, or its end. */
static size_t first_other(const unsigned char *at, size_t size, unsigned char byte)
{
    size_t i = 0;

    while (i < size && at[i] == byte)
        i++;
    return i;
}

static unsigned check_guards(const void *caller, const struct record *record)
{
    size_t head = (size_t)(record->block - record->start), tail = tail_size(record), at;
    char tag[5];
    unsigned bad = 0;

    at = first_other(tail_of(record), tail, GUARD);
    if (at < tail) {
        vidmm_kit_find(caller, VIDMM_KIT_POOL_OVERRUN,
                       "block %p of %llu bytes, tag '%s': byte %llu was written",
                       (void *)record->block, (unsigned long long)record->size,
                       tag_text(record->tag, tag), (unsigned long long)(record->size + at));
        bad++;
    }
    at = first_other(record->start, head, GUARD);
    if (at < head) {
        vidmm_kit_find(caller, VIDMM_KIT_POOL_UNDERRUN,
                       "block %p of %llu bytes, tag '%s': byte -%llu was written",
                       (void *)record->block, (unsigned long long)record->size,
                       tag_text(record->tag, tag), (unsigned long long)(head - at));
        bad++;
    }
    return bad;
}

static unsigned check_freed(const struct record *record)
{
    size_t at = first_other(record->block, record->size, FREED);
    char tag[5];

    if (at == record->size)
        return 0;
    vidmm_kit_find(record->freed_by, VIDMM_KIT_USE_AFTER_FREE,
                   "block %p of %llu bytes, tag '%s': byte %zu was written", (void *)record->block,
                   (unsigned long long)record->size, tag_text(record->tag, tag), at);
    return 1;
}

/* ---- the quarantine ---- */

static void release_oldest(void)
{
    struct record *record = freed_blocks_take(&in_quarantine), **at = find(record->block);

    check_freed(record);
    *at = record->next;
    quarantined--;
    quarantined_bytes -= record->size;
    give_back(record);
}

static void enqueue(struct record *record)
{
    memset(record->block, FREED, record->size);
    record->freed = true;
    freed_blocks_add(&in_quarantine, record);
    quarantined++;
    quarantined_bytes += record->size;
}

static void quarantine(struct record *record)
{
    enqueue(record);
    while (quarantined > QUARANTINE || quarantined_bytes > QUARANTINE_BYTES)
        release_oldest();
}

/* ---- taking and freeing ---- */

static void *take(const void *caller, bool paged, uint64_t size, uint32_t tag, bool zero)
{
    struct record *record = NULL;
    int class = class_of(size);

    if (vidmm_kit_should_fail(&vidmm_kit_fail_pool_in) || size > UINT64_C(1) << 40)
        return NULL;
    lock();
    record = class >= 0 ? take_slot(paged, class) : take_pages(paged, size);
    if (record) {
        record->size = size;
        record->tag = tag;
        record->freed = false;
        record->caller = caller;
        record->of_start = vidmm_kit_in_start;
        memset(record->start, GUARD, record->room);
        memset(record->block, zero ? 0 : FRESH, size);
        struct record **head = bucket(record->block);
        record->next = *head;
        *head = record;
    }
    unlock();
    return record ? record->block : NULL;
}

static void *allocate(const void *caller, POOL_TYPE type, SIZE_T size, ULONG tag, bool zero,
                      bool raise, const char *routine)
{
    bool paged = (type & 1) != 0;
    void *block;

    vidmm_kit_irql_max(caller, paged ? APC_LEVEL : DISPATCH_LEVEL, routine);
    if (tag == 0)
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s: Tag 0", routine);
    if (size == 0)
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s: NumberOfBytes 0", routine);
    block = take(caller, paged, size ? size : 1, tag, zero || (type & POOL_ZERO_ALLOCATION));
    if (!block && (raise || (type & POOL_RAISE_IF_ALLOCATION_FAILURE)))
        vidmm_kit_raise(STATUS_INSUFFICIENT_RESOURCES, caller);
    return block;
}

/* Whether the block may go; says what is wrong with that. */
static bool may_free(const void *caller, const struct record *record, const void *block,
                     uint32_t tag, const char *routine)
{
    char own[5], other[5];

    if (!record) {
        vidmm_kit_find(caller, VIDMM_KIT_FREE_OF_NOTHING, "%s: %p", routine, block);
        return false;
    }
    if (record->freed) {
        vidmm_kit_find(caller, VIDMM_KIT_DOUBLE_FREE, "%s: %p, tag '%s'", routine, block,
                       tag_text(record->tag, own));
        return false;
    }
    check_guards(caller, record);
    if (tag && tag != record->tag)
        vidmm_kit_find(caller, VIDMM_KIT_WRONG_TAG, "%s: %p has tag '%s', freed as '%s'", routine,
                       block, tag_text(record->tag, own), tag_text(tag, other));
    return true;
}

static void give(const void *caller, void *block, uint32_t tag, const char *routine)
{
    uint64_t size = 0;
    const char *active;

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    if (vidmm_kit_mdl_free(caller, block))
        return;
    lock();
    struct record *record = *find(block);
    if (may_free(caller, record, block, tag, routine))
        size = record->size;
    unlock();
    if (size == 0)
        return;
    active = vidmm_kit_active_in(block, size);
    if (active)
        vidmm_kit_find(caller, VIDMM_KIT_FREED_IN_USE, "%s: %p holds %s", routine, block, active);
    lock();
    record->freed_by = caller;
    quarantine(record);
    unlock();
}

PVOID ExAllocatePoolWithTag(POOL_TYPE type, SIZE_T size, ULONG tag)
{
    return allocate(CALLER, type, size, tag, false, false, "ExAllocatePoolWithTag");
}

PVOID ExAllocatePool(POOL_TYPE type, SIZE_T size)
{
    return allocate(CALLER, type, size, 0x656E6F4E /* "None" */, false, false, "ExAllocatePool");
}

PVOID ExAllocatePoolWithTagPriority(POOL_TYPE type, SIZE_T size, ULONG tag,
                                    EX_POOL_PRIORITY priority)
{
    (void)priority;
    return allocate(CALLER, type, size, tag, false, false, "ExAllocatePoolWithTagPriority");
}

PVOID ExAllocatePoolWithQuotaTag(POOL_TYPE type, SIZE_T size, ULONG tag)
{
    return allocate(CALLER, type & (POOL_TYPE) ~(unsigned)POOL_QUOTA_FAIL_INSTEAD_OF_RAISE, size,
                    tag, false, !(type & POOL_QUOTA_FAIL_INSTEAD_OF_RAISE),
                    "ExAllocatePoolWithQuotaTag");
}

PVOID ExAllocatePoolZero(POOL_TYPE type, SIZE_T size, ULONG tag)
{
    return allocate(CALLER, type, size, tag, true, false, "ExAllocatePoolZero");
}

PVOID ExAllocatePoolUninitialized(POOL_TYPE type, SIZE_T size, ULONG tag)
{
    return allocate(CALLER, type, size, tag, false, false, "ExAllocatePoolUninitialized");
}

PVOID ExAllocatePoolQuotaZero(POOL_TYPE type, SIZE_T size, ULONG tag)
{
    return allocate(CALLER, type, size, tag, true, false, "ExAllocatePoolQuotaZero");
}

PVOID ExAllocatePool2(POOL_FLAGS flags, SIZE_T size, ULONG tag)
{
    const POOL_FLAGS kinds = POOL_FLAG_NON_PAGED | POOL_FLAG_NON_PAGED_EXECUTE | POOL_FLAG_PAGED;

    if (!(flags & kinds) || (flags & kinds & ((flags & kinds) - 1))) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "ExAllocatePool2: Flags 0x%llx, with not exactly one kind of pool", flags);
        return NULL;
    }
    return allocate(CALLER, flags & POOL_FLAG_PAGED ? PagedPool : NonPagedPool, size, tag,
                    !(flags & POOL_FLAG_UNINITIALIZED), (flags & POOL_FLAG_RAISE_ON_FAILURE) != 0,
                    "ExAllocatePool2");
}

VOID ExFreePool(PVOID block)
{
    give(CALLER, block, 0, "ExFreePool");
}

VOID ExFreePoolWithTag(PVOID block, ULONG tag)
{
    give(CALLER, block, tag, "ExFreePoolWithTag");
}

VOID ExInitializeDriverRuntime(ULONG flags)
{
    (void)flags;
}

/* ---- what the host asks ---- */

void vidmm_kit_fail_pool(uint64_t n)
{
    atomic_store(&vidmm_kit_fail_pool_in, n);
}

struct vidmm_kit_pool_use vidmm_kit_pool_use(uint32_t tag)
{
    struct vidmm_kit_pool_use use = {0, 0};

    lock();
    for (size_t i = 0; i < BUCKETS; i++) {
        for (const struct record *record = buckets[i]; record; record = record->next) {
            if (!record->freed && (tag == 0 || record->tag == tag)) {
                use.blocks++;
                use.bytes += record->size;
            }
        }
    }
    unlock();
    return use;
}

unsigned vidmm_kit_start_blocks(const void **caller)
{
    unsigned count = 0;

    lock();
    for (size_t i = 0; i < BUCKETS; i++) {
        for (const struct record *record = buckets[i]; record; record = record->next)
            if (!record->freed && record->of_start)
                *caller = count++ == 0 ? record->caller : *caller;
    }
    unlock();
    return count;
}

uint64_t vidmm_kit_held_bytes(void)
{
    return vidmm_kit_pool_use(0).bytes + vidmm_kit_contiguous_bytes() + vidmm_kit_list_bytes();
}

unsigned vidmm_kit_check_pool(void)
{
    unsigned bad = 0;

    lock();
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct record *record = buckets[i]; record; record = record->next)
            bad += record->freed ? check_freed(record) : check_guards(record->caller, record);
    unlock();
    return bad;
}

/* Report what is left, a finding a tag, and say where the first of it came from. */
static void report_tag(uint32_t tag)
{
    const void *caller = NULL;
    uint64_t blocks = 0, bytes = 0;
    char text[5];

    for (size_t i = 0; i < BUCKETS; i++) {
        for (struct record *record = buckets[i]; record; record = record->next) {
            if (record->freed || record->tag != tag)
                continue;
            blocks++;
            bytes += record->size;
            caller = record->caller;
            check_guards(record->caller, record);
            enqueue(record);
        }
    }
    vidmm_kit_find(caller, VIDMM_KIT_POOL_LEAK, "tag '%s': %s, %s", tag_text(tag, text),
                   vidmm_counted(blocks, "block").text, vidmm_counted(bytes, "byte").text);
}

void vidmm_kit_pool_stop(void)
{
    lock();
    while (in_quarantine.first)
        release_oldest();
    for (size_t i = 0; i < BUCKETS; i++) {
        while (buckets[i]) {
            report_tag(buckets[i]->tag);
            while (in_quarantine.first)
                release_oldest();
        }
    }
    while (slabs) {
        struct slab *slab = slabs;
        slabs = slab->next;
        give_run(slab->paged, slab->page, 1, &slab->frame);
        free(slab->slots);
        free(slab);
    }
    memset(free_slots, 0, sizeof(free_slots));
    atomic_store(&vidmm_kit_fail_pool_in, 0);
    unlock();
}
