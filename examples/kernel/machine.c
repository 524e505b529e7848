/* machine.c: what the manager and a device ask for, on one processor that does one thing at a time.
 *
 *     main: a call of the manager --> wait(): until it is ready, do what there is to do
 *
 *         a step of an engine of the device   (kick_engine)
 *         the interrupt service routine       (raise_interrupt)    at device level
 *         the deferred procedure call         (queue_dpc)          at dispatch level
 *         work                                (wake, set_timer)    at passive level
 *
 * A kernel with interrupts has the first three from its hardware; here they are flags, looked at
 * whenever the level allows it. A kernel with threads blocks in wait(); here it does the others'
 * work.
 *
 * K1  each of the client's functions runs once at a time
 * K2  nothing runs at or below the level of what runs now
 * K3  a deferred procedure call does not interrupt whoever has the mutex
 */
#include "kernel.h"

#include <string.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>

#define ENGINES 8u
#define BARS 3u /* of 64 bits each */
#define NEVER UINT64_MAX

static struct {
    uint8_t irql;
    bool has_mutex, connected;
    bool interrupt, dpc, work;          /* owed */
    bool in_interrupt, in_dpc, in_work; /* K1 */
    uint32_t message;                   /* of the interrupt */
    uint64_t timer;                     /* NEVER: none */
    struct vidmm_host_client client;
    struct vidmm_device_model model;
    uint64_t bars[BARS]; /* physical addresses; 0: none */
    struct {
        bool (*step)(void *engine);
        void *engine;
        bool kicked;
    } engines[ENGINES];
    int engine_count;
} machine = {.timer = NEVER};

/* ---- time ------------------------------------------------------------------------------------ */

static uint64_t clock_begin, clock_scale; /* ns = ticks * scale / 2^32 */

static uint64_t ticks(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

/* Count ticks while the programmable timer counts 10 ms: 11932 of its 1193182 Hz. */
void kernel_machine_begin(void)
{
    uint64_t before, passed;

    kernel_out(0x61, (uint8_t)((kernel_in(0x61) & ~2u) | 1u));
    kernel_out(0x43, 0xB0);
    kernel_out(0x42, 11932 & 0xFF);
    kernel_out(0x42, 11932 >> 8);
    before = ticks();
    while ((kernel_in(0x61) & 0x20) == 0)
        ;
    passed = ticks() - before;
    clock_scale = (UINT64_C(10000000) << 32) / (passed ? passed : 1);
    clock_begin = ticks();
}

uint64_t kernel_now_ns(void)
{
    return (uint64_t)((unsigned __int128)(ticks() - clock_begin) * clock_scale >> 32);
}

static uint64_t now_ns(void *context)
{
    (void)context;
    return kernel_now_ns();
}

/* ---- levels, and what waits for them --------------------------------------------------------- */

static void run_interrupt(void)
{
    uint8_t before = machine.irql;

    machine.interrupt = false;
    machine.in_interrupt = true;
    machine.irql = VIDMM_DEVICE_LEVEL;
    machine.client.service(machine.client.argument, machine.message);
    machine.irql = before;
    machine.in_interrupt = false;
}

static void run_dpc(void)
{
    uint8_t before = machine.irql;

    machine.dpc = false;
    machine.in_dpc = true;
    machine.irql = VIDMM_DISPATCH_LEVEL;
    machine.client.dpc(machine.client.argument);
    machine.irql = before;
    machine.in_dpc = false;
}

/* Run what the level allows: K1 to K3. */
static void deliver(void)
{
    while (machine.connected)
        if (machine.interrupt && !machine.in_interrupt && machine.irql < VIDMM_DEVICE_LEVEL)
            run_interrupt();
        else if (machine.dpc && !machine.in_dpc && machine.irql < VIDMM_DISPATCH_LEVEL &&
                 !machine.has_mutex)
            run_dpc();
        else
            break;
}

static uint8_t raise_irql(void *context, uint8_t irql)
{
    uint8_t before = machine.irql;

    (void)context;
    machine.irql = irql > before ? irql : before;
    return before;
}

static void lower_irql(void *context, uint8_t irql)
{
    (void)context;
    machine.irql = irql;
    deliver();
}

static uint8_t current_irql(void *context)
{
    (void)context;
    return machine.irql;
}

static bool synchronize(void *context, bool (*routine)(void *argument), void *argument,
                        bool *result)
{
    uint8_t before = raise_irql(context, VIDMM_DEVICE_LEVEL);

    if (machine.connected)
        *result = routine(argument);
    lower_irql(context, before);
    return machine.connected;
}

static bool queue_dpc(void *context)
{
    bool first = !machine.dpc;

    (void)context;
    machine.dpc = true;
    deliver();
    return first;
}

static void flush_dpcs(void *context)
{
    (void)context;
    deliver();
}

static bool connect(void *context, const struct vidmm_host_client *client)
{
    (void)context;
    machine.client = *client;
    machine.connected = true;
    return true;
}

static void disconnect(void *context)
{
    (void)context;
    machine.connected = machine.interrupt = machine.dpc = machine.work = false;
    machine.timer = NEVER;
}

/* ---- work, the mutex, waiting ---------------------------------------------------------------- */

static void wake(void *context)
{
    (void)context;
    machine.work = true;
}

static void set_timer(void *context, uint64_t at_ns)
{
    (void)context;
    machine.timer = at_ns;
}

static bool run_work(void)
{
    bool due = machine.timer <= kernel_now_ns();

    if ((!machine.work && !due) || machine.in_work || !machine.connected)
        return false;
    machine.work = false;
    machine.timer = due ? NEVER : machine.timer;
    machine.in_work = true;
    machine.client.work(machine.client.argument);
    machine.in_work = false;
    return true;
}

static bool run_engine(void)
{
    for (int i = 0; i < machine.engine_count; i++)
        if (machine.engines[i].kicked) {
            machine.engines[i].kicked = false;
            if (machine.engines[i].step(machine.engines[i].engine))
                machine.engines[i].kicked = true;
            deliver();
            return true;
        }
    return false;
}

static void lock(void *context)
{
    (void)context;
    if (machine.has_mutex)
        kernel_stop("the mutex is taken twice");
    machine.has_mutex = true;
}

static void unlock(void *context)
{
    (void)context;
    machine.has_mutex = false;
    deliver();
}

static bool wait(void *context, bool (*ready)(void *argument), void *argument, uint64_t timeout_ns)
{
    uint64_t now = kernel_now_ns(), end = timeout_ns > NEVER - now ? NEVER : now + timeout_ns;

    (void)context;
    for (;;) {
        if (ready(argument))
            return true;
        if (run_work() || run_engine())
            continue;
        if (kernel_now_ns() >= end || (machine.timer == NEVER && end == NEVER))
            return ready(argument); /* nothing will change any more */
        __asm__ volatile("pause");
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *allocate(void *context, size_t size)
{
    (void)context;
    return kernel_allocate(size);
}

static void release(void *context, void *block)
{
    (void)context;
    kernel_free(block);
}

static uint64_t system_memory(void *context)
{
    (void)context;
    return kernel_memory_size();
}

/* Every page is mapped cached: the device looks into the caches, as on x64 it does. */
static bool take_pages(void *context, uint64_t count, uint64_t highest_frame, bool contiguous,
                       enum vidmm_caching caching, uint64_t *frames)
{
    (void)context;
    (void)caching;
    return kernel_take_frames(count, highest_frame, contiguous, frames);
}

static void release_pages(void *context, uint64_t count, const uint64_t *frames)
{
    (void)context;
    kernel_give_frames(count, frames);
}

static void clear_pages(void *context, uint64_t count, const uint64_t *frames)
{
    (void)context;
    for (uint64_t i = 0; i < count; i++)
        memset(kernel_at(frames[i] * KERNEL_PAGE), 0, KERNEL_PAGE);
}

/* Poison: who reads these bytes again is wrong, and is seen to be. */
static void drop_pages(void *context, uint64_t count, const uint64_t *frames)
{
    (void)context;
    for (uint64_t i = 0; i < count; i++)
        memset(kernel_at(frames[i] * KERNEL_PAGE), 0xD1, KERNEL_PAGE);
}

static void *page_at(void *address, uint64_t page)
{
    return (char *)address + page * KERNEL_PAGE;
}

static void *map_pages(void *context, uint64_t count, const uint64_t *frames)
{
    void *address = kernel_take_addresses(count);

    (void)context;
    for (uint64_t i = 0; address && i < count; i++)
        kernel_show(page_at(address, i), frames[i]);
    return address;
}

static void unmap_pages(void *context, void *address, uint64_t count)
{
    (void)context;
    for (uint64_t i = 0; i < count; i++)
        kernel_hide(page_at(address, i));
    kernel_give_addresses(address, count);
}

static void *map_physical(void *context, uint64_t physical_address, uint64_t size)
{
    (void)context;
    (void)size;
    return kernel_at(physical_address);
}

static void unmap_physical(void *context, void *address, uint64_t size)
{
    (void)context;
    (void)address;
    (void)size;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Addresses that stay. There is one thread, so nobody can touch a closed one while it is closed:
 * whoever does falls. A kernel with threads has them wait in its page-fault handler. */
struct vidmm_window {
    void *address;
    uint64_t count;
};

static struct vidmm_window *create_window(void *context, uint64_t count, void **address)
{
    struct vidmm_window *window = kernel_allocate(sizeof(*window));
    void *taken = window ? kernel_take_addresses(count) : NULL;

    (void)context;
    if (!taken) {
        kernel_free(window);
        return NULL;
    }
    *window = (struct vidmm_window){taken, count};
    *address = taken;
    return window;
}

static void close_window(void *context, struct vidmm_window *window)
{
    (void)context;
    for (uint64_t i = 0; i < window->count; i++)
        kernel_hide(page_at(window->address, i));
}

static void destroy_window(void *context, struct vidmm_window *window)
{
    if (!window)
        return;
    close_window(context, window);
    kernel_give_addresses(window->address, window->count);
    kernel_free(window);
}

static bool reserve_window(void *context, struct vidmm_window *window, const uint64_t *frames)
{
    (void)context;
    (void)window;
    (void)frames;
    return true; /* obeys M2 of memory.c */
}

static void show_pages(void *context, struct vidmm_window *window, const uint64_t *frames)
{
    (void)context;
    for (uint64_t i = 0; i < window->count; i++)
        kernel_show(page_at(window->address, i), frames[i]);
}

static bool reserve_physical(void *context, struct vidmm_window *window, uint64_t physical_address)
{
    (void)context;
    (void)window;
    (void)physical_address;
    return true;
}

static void show_physical(void *context, struct vidmm_window *window, uint64_t physical_address)
{
    (void)context;
    for (uint64_t i = 0; i < window->count; i++)
        kernel_show(page_at(window->address, i), physical_address / KERNEL_PAGE + i);
}

/* ---- memory of programs ---------------------------------------------------------------------- */

static bool lock_pages(void *context, void *address, uint64_t count, bool kernel, uint64_t *frames,
                       enum vidmm_caching *caching)
{
    uint64_t first = (uint64_t)(uintptr_t)address / KERNEL_PAGE;

    (void)context;
    (void)kernel;
    if (first + count > kernel_memory_size() / KERNEL_PAGE)
        return false; /* only memory at its own number */
    for (uint64_t i = 0; i < count; i++)
        frames[i] = first + i;
    *caching = VIDMM_CACHED;
    return true;
}

static void unlock_pages(void *context, void *address, uint64_t count, const uint64_t *frames)
{
    (void)context;
    (void)address;
    (void)count;
    (void)frames;
}

/* ---- config space ---------------------------------------------------------------------------- */

enum { CONFIG_SIZE = 4096, CONFIG_BARS = 0x10, CONFIG_DEVICE = 0x40, IS_64_BITS = 4 };

/* A byte of the part that the machine answers: ids and BARs. */
static uint8_t own_byte(uint32_t offset)
{
    uint32_t ids = machine.model.vendor_id | (uint32_t)machine.model.device_id << 16;
    uint64_t bar;

    if (offset < 4)
        return (uint8_t)(ids >> (8 * offset));
    if (offset < CONFIG_BARS || offset >= CONFIG_BARS + 8 * BARS)
        return 0;
    bar = machine.bars[(offset - CONFIG_BARS) / 8];
    return (uint8_t)((bar ? bar | IS_64_BITS : 0) >> (8 * (offset % 8)));
}

static bool read_config(void *context, uint32_t offset, void *buffer, uint32_t length)
{
    (void)context;
    if (offset > CONFIG_SIZE || length > CONFIG_SIZE - offset)
        return false;
    if (offset >= CONFIG_DEVICE)
        return machine.model.read_config &&
               machine.model.read_config(machine.model.device, offset, buffer, length);
    for (uint32_t i = 0; i < length; i++)
        ((uint8_t *)buffer)[i] = own_byte(offset + i);
    return offset + length <= CONFIG_DEVICE;
}

static bool write_config(void *context, uint32_t offset, const void *buffer, uint32_t length)
{
    (void)context;
    return offset >= CONFIG_DEVICE && offset <= CONFIG_SIZE && length <= CONFIG_SIZE - offset &&
           machine.model.write_config &&
           machine.model.write_config(machine.model.device, offset, buffer, length);
}

/* ---- the bus --------------------------------------------------------------------------------- */

static void *bus_memory(void *context, uint64_t physical_address, uint64_t size)
{
    (void)context;
    return physical_address + size <= UINT64_C(4) << 30 ? kernel_at(physical_address) : NULL;
}

/* Memory of the device: a part of the machine's. */
static bool add_memory(void *context, unsigned region, uint64_t size, uint64_t *physical_address)
{
    uint64_t first;

    (void)context;
    if (region >= BARS || machine.bars[region] != 0)
        return false;
    first = kernel_take_run(size / KERNEL_PAGE);
    if (first == 0)
        return false;
    machine.bars[region] = *physical_address = first;
    return true;
}

static void raise_interrupt(void *context, uint32_t message)
{
    (void)context;
    machine.interrupt = true;
    machine.message = message;
    deliver();
}

static int add_engine(void *context, const char *name, bool (*step)(void *engine), void *engine)
{
    (void)context;
    (void)name;
    if (machine.engine_count == ENGINES)
        return -1;
    machine.engines[machine.engine_count].step = step;
    machine.engines[machine.engine_count].engine = engine;
    return machine.engine_count++;
}

static void kick_engine(void *context, int engine)
{
    (void)context;
    machine.engines[engine].kicked = true;
}

/* ---- the tables ------------------------------------------------------------------------------ */

const struct vidmm_bus *kernel_bus(void)
{
    static const struct vidmm_bus bus = {
        .memory = bus_memory,
        .add_memory = add_memory,
        .raise_interrupt = raise_interrupt,
        .add_engine = add_engine,
        .kick_engine = kick_engine,
        .now_ns = now_ns, /* one thread, so there is no `yield` */
    };

    return &bus;
}

void kernel_plug(const struct vidmm_device_model *model)
{
    machine.model = *model;
}

const struct vidmm_host *kernel_host(void)
{
    static const struct vidmm_host host = {
        .memory = {.allocate = allocate, .free = release},
        .system_memory = system_memory,
        .take_pages = take_pages,
        .release_pages = release_pages,
        .clear_pages = clear_pages,
        .drop_pages = drop_pages,
        .map_pages = map_pages,
        .unmap_pages = unmap_pages,
        .map_physical = map_physical,
        .unmap_physical = unmap_physical,
        .create_window = create_window,
        .destroy_window = destroy_window,
        .reserve_window = reserve_window,
        .show_pages = show_pages,
        .reserve_physical = reserve_physical,
        .show_physical = show_physical,
        .reserve_device_pages = reserve_window,
        .show_device_pages = show_pages,
        .close_window = close_window,
        .lock_pages = lock_pages,
        .unlock_pages = unlock_pages,
        .read_config = read_config,
        .write_config = write_config,
        .connect = connect,
        .disconnect = disconnect,
        .queue_dpc = queue_dpc,
        .flush_dpcs = flush_dpcs,
        .synchronize = synchronize,
        .wake = wake,
        .set_timer = set_timer,
        .raise_irql = raise_irql,
        .lower_irql = lower_irql,
        .current_irql = current_irql,
        .now_ns = now_ns,
        .lock = lock,
        .unlock = unlock,
        .wait = wait,
    };

    return &host;
}
