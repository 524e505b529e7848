/* shows_user_mode_residency.c: residency.def, obeyed by a user-mode driver that stands on
 * include/umd, on a GPU with 64 pages of memory and allocations of 16.
 */
#include "rules_rig.h"

#include <umd/residency.h>
#include <umd/track.h>
#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/paging_queue.h>

enum { PHYSICALLY = 0x8000, MEMORY = 2, PAGES = 16, ALL = 6 };

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

static struct shown shown;
static struct rig *const rig = &shown.rig;
static struct counted_memory memory;
static struct vidmm_paging_queue *paging_queue;
static struct umd_queues queues;
static struct umd_residency set;
static struct umd_resident residents[ALL];
static struct umd_track tracks[ALL];
static struct vidmm_fence *gate; /* the GPU waits for its value 1 */
static bool opens;               /* as the set waits, so the gate opens */

static void succeeds(NTSTATUS status, const char *call)
{
    if (status != STATUS_SUCCESS)
        fail_msg("%s: 0x%08x: %s", call, (unsigned)status, rig->report.text);
}

static void open_gate(void)
{
    const struct vidmm_fence_point point = {gate, 1};

    succeeds(vidmm_fence_signal(rig->device, &point, 1, &rig->report), "open");
}

static void lock(void *context)
{
    (void)context;
}

static void unlock(void *context)
{
    (void)context;
    if (opens)
        open_gate();
    opens = false;
}

static void begin(void)
{
    struct rig_options options = rig_defaults();
    uint32_t index;

    options.gpu = "wddm 2.0\n";
    shown_init(&shown, &options, NULL);
    counted_memory_init(&memory);
    memset(tracks, 0, sizeof(tracks));
    succeeds(vidmm_paging_queue_create(rig->device, VIDMM_PAGING_QUEUE_NORMAL, &paging_queue,
                                       &rig->report),
             "paging queue");
    umd_queues_init(&queues, rig->device);
    succeeds(umd_queues_add(&queues, rig->context, &index, &rig->report), "queue");
    succeeds(vidmm_fence_create(rig->device, 0, 0, &gate, &rig->report), "gate");
    umd_residency_init(
        &set, &(struct umd_residency_options){
                  rig->device, paging_queue, &queues, &memory.table, {NULL, lock, unlock}});
    for (unsigned i = 0; i < ALL; i++) {
        succeeds(rig_create(rig, &rig->allocations[i], BYTES(PAGES), MEMORY, PHYSICALLY), "create");
        umd_resident_init(&residents[i], rig->allocations[i].handle, &tracks[i]);
    }
}

static void end(void)
{
    umd_residency_finish(&set);
    umd_queues_finish(&queues);
    counted_memory_finish(&memory);
    rig_stop(rig);
    shown_is_clean(&shown);
    shown_end(&shown);
}

/* Those whose bits are set, required as a Direct3D 11 driver does. */
static NTSTATUS require(uint32_t bits, bool wait, uint64_t *value)
{
    struct umd_resident *list[ALL];
    uint32_t count = 0;

    for (unsigned i = 0; i < ALL; i++)
        if ((bits >> i & 1) != 0)
            list[count++] = &residents[i];
    return umd_residency_require(&set, list, count, wait, value, &rig->report);
}

static void have(uint32_t bits)
{
    uint64_t value = 0;

    succeeds(require(bits, true, &value), "require");
    succeeds(vidmm_paging_queue_wait(paging_queue, value, &rig->report), "wait");
}

/* The bits of those that the set has listed. */
static uint32_t listed(void)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < ALL; i++)
        bits |= (uint32_t)residents[i].listed << i;
    return bits;
}

/* The GPU reads allocation 1 to 3 when the gate opens. */
static void use_behind_gate(void)
{
    const struct vidmm_fence_point point = {gate, 1};
    struct rig_allocation *const three[] = {&rig->allocations[1], &rig->allocations[2],
                                            &rig->allocations[3]};

    succeeds(vidmm_context_wait_for_fences(rig->context, &point, 1, &rig->report), "shut");
    for (unsigned i = 1; i <= 3; i++)
        umd_track_use(&tracks[i], 0, umd_queue_next(&queues, 0), UMD_READ);
    succeeds(rig_render(rig, three, 3, 0), "render");
    succeeds(umd_queue_signal(&queues, 0, &rig->report), "signal");
}

/* Two more are wanted than there is room for, one of four can leave, and the others when the GPU
 * has read them: the manager refuses twice, the driver trims twice, and then it has them. */
static void trims_and_retries_in_a_loop(void)
{
    uint64_t value = 77;

    begin();
    have(0xf);
    use_behind_gate();
    assert_int_equal(require(0x30, false, &value), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(listed(), 0xe); /* the first trim, and after it a refusal */
    assert_int_equal(value, 77);
    opens = true;
    succeeds(require(0x30, true, &value), "require");
    assert_int_equal(listed(), 0x3c);
    end();
    begin();
    have(0xf);
    use_behind_gate();
    opens = true;
    succeeds(require(0x30, true, &value), "require"); /* both trims in one call */
    assert_int_equal(listed(), 0x3c);
    end();
}

struct standing {
    uint32_t listed;
    uint64_t bytes, usage, reached;
    const struct umd_resident *oldest, *newest;
};

static struct standing stand(void)
{
    struct vidmm_budget_info info;

    succeeds(vidmm_query_video_memory(rig->adapter, 1, VIDMM_GROUP_LOCAL, &info, &rig->report),
             "query");
    return (struct standing){listed(),   set.bytes,
                             info.usage, vidmm_paging_queue_passed(paging_queue),
                             set.oldest, set.newest};
}

static void is_as(const struct standing *before)
{
    const struct standing now = stand();

    assert_int_equal(now.listed, before->listed);
    assert_int_equal(now.bytes, before->bytes);
    assert_int_equal(now.usage, before->usage);
    assert_int_equal(now.reached, before->reached);
    assert_ptr_equal(now.oldest, before->oldest);
    assert_ptr_equal(now.newest, before->newest);
}

/* A refused request names one that is listed, which stays the oldest; nothing leaves though all
 * of it could, the fence is not touched, and the error is there. The program trims, and
 * tries again. */
static void leaves_all_as_it_was(void)
{
    struct umd_resident *const two[] = {&residents[0], &residents[4]};
    struct standing before;
    uint64_t value = 77, bytes_to_trim = 0, trimmed;

    begin();
    for (unsigned i = 0; i < 4; i++)
        have(1u << i);
    before = stand();
    assert_int_equal(umd_residency_try(&set, two, 2, &value, &bytes_to_trim, &rig->report),
                     STATUS_NO_MEMORY);
    is_as(&before);
    assert_int_equal(value, 77);
    assert_int_equal(bytes_to_trim, BYTES(PAGES));
    have(1u << 1); /* the newest now: the refused request has not made 0 newer */
    succeeds(umd_residency_trim(&set, bytes_to_trim, &trimmed, &rig->report), "trim");
    assert_int_equal(listed(), 0xe);
    succeeds(umd_residency_try(&set, two + 1, 1, &value, &bytes_to_trim, &rig->report), "try");
    assert_int_equal(listed(), 0x1e);
    assert_int_equal(bytes_to_trim, 0);
    assert_true(value > before.reached && value != 77);
    end();
}

void shows_D_201(void **state)
{
    (void)state;
    trims_and_retries_in_a_loop();
    leaves_all_as_it_was();
}
