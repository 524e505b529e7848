/* The device as its config space shows it: BARs of every kind, and registers reached by loads and
 * stores. */
#include "rig.h"

#include <vidmm/host.h>

/* ---- BARs ---- */

static uint64_t read_bar(const struct vidmm_host *host, unsigned number)
{
    uint64_t value = 0;

    assert_true(host->read_config(host->context, 0x10 + 8 * number, &value, sizeof(value)));
    return value;
}

static const CM_PARTIAL_RESOURCE_DESCRIPTOR *resource(unsigned index)
{
    const CM_RESOURCE_LIST *list = vidmm_kit_resources();

    assert_true(index < list->List[0].PartialResourceList.Count);
    return &list->List[0].PartialResourceList.PartialDescriptors[index];
}

static void registers_and_ports_have_bars_at_the_addresses_of_the_resource_list(void **state)
{
    struct rig rig;
    const struct vidmm_host *host;
    const CM_PARTIAL_RESOURCE_DESCRIPTOR *one;
    uint64_t bar, ones = UINT64_MAX, back;

    (void)state;
    rig_start(&rig, NULL);
    host = vidmm_slot_host(rig.slot);
    bar = read_bar(host, 0);
    one = resource(0);
    assert_int_equal(one->Type, CmResourceTypeMemory);
    assert_int_equal(one->u.Memory.Length, 0x40);
    assert_int_equal(bar & 15, 4); /* memory, 64 bits, not prefetchable */
    assert_int_equal(bar & ~15ull, one->u.Memory.Start.QuadPart);
    assert_non_null(MmMapIoSpace(one->u.Memory.Start, 0x40, MmNonCached));
    host->write_config(host->context, 0x10, &ones, sizeof(ones));
    assert_int_equal(read_bar(host, 0), ~UINT64_C(0x3F) | 4);
    host->write_config(host->context, 0x10, &bar, sizeof(bar));
    bar = read_bar(host, 1);
    one = resource(1);
    assert_int_equal(one->Type, CmResourceTypePort);
    assert_int_equal(one->u.Port.Length, 4);
    assert_int_equal(bar, (uint64_t)one->u.Port.Start.QuadPart | 1); /* and 0 above */
    assert_in_range(one->u.Port.Start.QuadPart, 0x100, 0xFFFF);
    host->write_config(host->context, 0x18, &ones, sizeof(ones));
    back = read_bar(host, 1);
    assert_int_equal(back, 0xFFFFFFFD);
    host->write_config(host->context, 0x18, &bar, sizeof(bar));
    assert_int_equal(read_bar(host, 2), 0);
    rig_end(&rig);
    assert_found(&rig, MAPPING_LEAK, 1);
    assert_nothing_found(&rig);
}

/* A machine with a device that has a view as BAR 0, memory as BAR 1, registers as BAR 2. */
static void start_view(struct rig *rig, uint64_t *view, uint64_t *memory)
{
    struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_THREADED, .seed = 7, .system_memory = 64 << 20};
    struct vidmm_kit_options kit = {.finding = rig_finding, .bug_check = rig_bug_check};
    const struct vidmm_bus *bus;
    char error[200] = "";

    memset(rig, 0, sizeof(*rig));
    rig->machine = vidmm_machine_create(&options, error, sizeof(error));
    rig->slot = vidmm_machine_add_slot(rig->machine);
    bus = vidmm_slot_bus(rig->slot);
    rig->model = (struct vidmm_device_model){.vendor_id = 1, .registers = {[2] = {256, false}}};
    assert_true(bus->add_view(bus->context, 0, 2 << 20, view));
    assert_true(bus->add_memory(bus->context, 1, 1 << 20, memory));
    assert_false(bus->add_view(bus->context, 0, 4096, view));
    assert_false(bus->add_memory(bus->context, 0, 4096, view));
    assert_true(vidmm_slot_plug(rig->slot, &rig->model));
    kit.host = vidmm_slot_host(rig->slot);
    kit.model = &rig->model;
    kit.argument = rig;
    if (!vidmm_kit_start(&kit, error, sizeof(error)))
        fail_msg("%s", error);
}

static void a_view_is_a_bar_and_who_maps_it_sees_what_it_shows(void **state)
{
    struct rig rig;
    uint64_t view, memory, pages[2];
    const struct vidmm_bus *bus;
    const struct vidmm_host *host;
    char *at, *bytes;

    (void)state;
    start_view(&rig, &view, &memory);
    bus = vidmm_slot_bus(rig.slot);
    host = vidmm_slot_host(rig.slot);
    assert_int_equal(read_bar(host, 0), view | 0xC);
    assert_int_equal(resource(0)->u.Memory.Start.QuadPart, view);
    assert_int_equal(resource(0)->u.Memory.Length, 2 << 20);
    assert_int_equal(resource(0)->Flags, CM_RESOURCE_MEMORY_PREFETCHABLE);
    assert_int_equal(resource(1)->u.Memory.Start.QuadPart, memory);
    assert_int_equal(resource(2)->u.Memory.Length, 256);
    assert_int_equal(resource(2)->Flags, CM_RESOURCE_MEMORY_READ_WRITE);
    bytes = bus->memory(bus->context, memory, 1 << 20);
    bytes[0x3000] = 3, bytes[0x5000] = 5, bytes[0x7000] = 7;
    pages[0] = memory + 0x3000, pages[1] = memory + 0x5000;
    assert_true(bus->show_view(bus->context, view + 0x10000, 2, pages));
    at = MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)view}, 2 << 20, MmNonCached);
    assert_non_null(at);
    assert_int_equal(at[0x10000], 3); /* shown before it was mapped */
    at[0x11000] = 6;
    assert_int_equal(bytes[0x5000], 6);
    pages[0] = memory + 0x7000;
    assert_true(bus->show_view(bus->context, view + 0x10000, 1, pages));
    assert_int_equal(at[0x10000], 7); /* and after */
    at[0x11000] = 1;
    assert_int_equal(bytes[0x5000], 6);
    assert_true(bus->show_view(bus->context, view + 0x10000, 0, NULL));
    at[0x10000] = 1;
    assert_int_equal(bytes[0x7000], 7);
    MmUnmapIoSpace(at, 2 << 20);
    assert_null(MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)view}, 3 << 20, MmNonCached));
    assert_found(&rig, NO_REGISTER, 1);
    rig_stop(&rig);
}

/* ---- loads and stores ---- */

static char *map_registers(void)
{
    uint64_t start, size;
    bool ports;

    assert_true(vidmm_kit_register_region(0, &start, &size, &ports));
    return MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)start}, size, MmNonCached);
}

static void loads_and_stores_reach_the_model_and_are_said_once(void **state)
{
    struct rig rig;
    volatile ULONG *registers;
    ULONG *memory;

    (void)state;
    rig_start_with(&rig, NULL, true);
    registers = (volatile ULONG *)map_registers();
    assert_int_equal(registers[0], 0x4B495430);
    assert_found(&rig, PLAIN_ACCESS, 1);
    memory = MmAllocateContiguousMemory(PAGE_SIZE, (PHYSICAL_ADDRESS){.QuadPart = -1});
    memory[0] = 10, memory[1] = 20;
    *(volatile ULONG64 *)(registers + 2) = 5;
    *(volatile ULONG64 *)(registers + 4) = (ULONG64)MmGetPhysicalAddress(memory).QuadPart;
    registers[6] = 2;
    registers[7] = 1; /* GO */
    assert_int_equal(memory[0] + memory[1], 40);
    while (registers[8] == 0) /* the same instruction, at the same address */
        fail();
    for (int i = 0; i < 3; i++)
        assert_int_equal(registers[8], 1);
    registers[8] = 1; /* clears it: the model decides what a store is */
    assert_int_equal(registers[8], 0);
    assert_nothing_found(&rig); /* nothing more was said */
    registers[0] = 1;           /* ID is read only */
    assert_found(&rig, NO_REGISTER, 1);
    MmFreeContiguousMemory(memory);
    MmUnmapIoSpace((PVOID)(uintptr_t)registers, 0x40);
    rig_stop(&rig);
}

#if defined(__x86_64__)

/* The state that an instruction is given, and leaves. */
struct machine_state {
    uint64_t a, c, flags;
};

enum { FLAGS = 0x8C5 }; /* carry, parity, zero, sign, overflow */

/* An instruction whose operand is at 8(%rdx), or at (%rdx,%rsi,8) with 1 in rsi. */
#define FORM(number, text)                                                                         \
    static void form_##number(char *at, struct machine_state *s)                                   \
    {                                                                                              \
        uint64_t one = 1;                                                                          \
        __asm__ volatile("leaq -128(%%rsp), %%rsp\n\tpushq %[f]\n\tpopfq\n\t" text                 \
                         "\n\tpushfq\n\tpopq %[f]\n\tleaq 128(%%rsp), %%rsp"                       \
                         : "+a"(s->a), "+c"(s->c), [f] "+r"(s->flags), "+S"(one), "+d"(at)         \
                         :                                                                         \
                         : "memory", "cc", "xmm3", "xmm12", "r9");                                 \
    }
#include "forms.def"
#undef FORM

static const struct {
    void (*run)(char *at, struct machine_state *state);
    const char *text;
} forms[] = {
#define FORM(number, text) {form_##number, text},
#include "forms.def"
#undef FORM
};

static void every_form_does_to_a_register_what_it_does_to_memory(void **state)
{
    static const uint64_t values[] = {
        0, 1, 0x80, 0x7FFFFFFF, 0x8000000000000001, UINT64_MAX, 0x123456789ABCDEF0};
    enum { COUNT = sizeof(values) / sizeof(values[0]) };
    struct rig rig;
    char *registers;

    (void)state;
    rig_start_with(&rig, NULL, true);
    registers = map_registers();
    for (size_t form = 0; form < sizeof(forms) / sizeof(forms[0]); form++)
        for (int i = 0; i < COUNT * COUNT * 2; i++) {
            struct machine_state real = {values[i % COUNT], values[i / COUNT % COUNT],
                                         0x202 | (i & 1)},
                                 ours = real;
            uint64_t memory[3] = {0, values[i / 2 % COUNT], ~values[i % COUNT]};

            memcpy(rig.device.file.bytes, memory, sizeof(memory));
            forms[form].run((char *)memory, &real);
            forms[form].run(registers, &ours);
            if (memcmp(rig.device.file.bytes, memory, sizeof(memory)) != 0 || ours.a != real.a ||
                ours.c != real.c || ((ours.flags ^ real.flags) & FLAGS) != 0)
                fail_msg("%s: a %llx for %llx, c %llx for %llx, flags %llx for %llx, memory %llx "
                         "for %llx",
                         forms[form].text, (unsigned long long)ours.a, (unsigned long long)real.a,
                         (unsigned long long)ours.c, (unsigned long long)real.c,
                         (unsigned long long)ours.flags, (unsigned long long)real.flags,
                         (unsigned long long)rig.device.file.data, (unsigned long long)memory[1]);
        }
    assert_found(&rig, PLAIN_ACCESS, 1);
    MmUnmapIoSpace(registers, 0x40);
    rig_stop(&rig);
}

/* 256 bits at once, both ways; 128 bits clear what is above. */
__attribute__((target("avx"))) static void move_wide(const char *from, char *to, char *above)
{
    __asm__ volatile("vmovdqu (%0), %%ymm9\n\tvmovdqu %%ymm9, (%1)\n\t"
                     "vmovdqu (%0), %%xmm9\n\tvmovdqu %%ymm9, (%2)"
                     :
                     : "r"(from), "r"(to), "r"(above)
                     : "memory", "xmm9");
}

static void copies_from_and_to_registers_work(void **state)
{
    struct rig rig;
    char *registers, *from, bytes[32], above[32];
    char *to = bytes;
    uint64_t count = 16;

    (void)state;
    rig_start_with(&rig, NULL, true);
    registers = map_registers();
    for (unsigned i = 0; i < 32; i++)
        rig.device.file.bytes[8 + i] = (uint8_t)(i + 1);
    from = registers + 8;
    __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
    assert_int_equal(count, 0);
    assert_ptr_equal(from, registers + 24);
    assert_ptr_equal(to, bytes + 16);
    assert_memory_equal(bytes, rig.device.file.bytes + 8, 16);
    to = registers + 8, count = 2;
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(0x0101010101010101) : "memory");
    assert_int_equal(rig.device.file.bytes[8], 1);
    assert_int_equal(rig.device.file.bytes[23], 1);
    assert_int_equal(rig.device.file.bytes[24], 17);
    if (__builtin_cpu_supports("avx")) {
        memset(bytes, 0, sizeof(bytes));
        memset(above, 1, sizeof(above));
        move_wide(registers + 8, bytes, above);
        assert_memory_equal(bytes, rig.device.file.bytes + 8, 32);
        assert_memory_equal(above, rig.device.file.bytes + 8, 16);
        assert_int_equal(above[16] | above[31], 0);
    }
    assert_found(&rig, PLAIN_ACCESS, 1);
    MmUnmapIoSpace(registers, 0x40);
    rig_stop(&rig);
}

#elif defined(__aarch64__)

/* The state that an instruction is given, and leaves; `at` counts from the operands. */
struct machine_state {
    uint64_t a, c, at;
};

#define FORM(number, text)                                                                         \
    static void form_##number(char *at, struct machine_state *s)                                   \
    {                                                                                              \
        register uint64_t x0 __asm__("x0") = s->a, x1 __asm__("x1") = s->c;                        \
        register char *x2 __asm__("x2") = at;                                                      \
        register uint64_t x3 __asm__("x3") = 1, x4 __asm__("x4") = UINT32_MAX;                     \
        __asm__ volatile(text                                                                      \
                         : "+r"(x0), "+r"(x1), "+r"(x2)                                            \
                         : "r"(x3), "r"(x4)                                                        \
                         : "memory", "v3", "v4");                                                  \
        *s = (struct machine_state){x0, x1, (uint64_t)(x2 - at)};                                  \
    }
#include "forms_arm64.def"
#undef FORM

static const struct {
    void (*run)(char *at, struct machine_state *state);
    const char *text;
} forms[] = {
#define FORM(number, text) {form_##number, text},
#include "forms_arm64.def"
#undef FORM
};

static void every_form_does_to_a_register_what_it_does_to_memory(void **state)
{
    static const uint64_t values[] = {
        0, 1, 0x80, 0x7FFFFFFF, 0x8000000000000001, UINT64_MAX, 0x123456789ABCDEF0};
    enum { COUNT = sizeof(values) / sizeof(values[0]) };
    struct rig rig;
    char *registers;

    (void)state;
    rig_start_with(&rig, NULL, true);
    registers = map_registers();
    for (size_t form = 0; form < sizeof(forms) / sizeof(forms[0]); form++)
        for (int i = 0; i < COUNT * COUNT; i++) {
            struct machine_state real = {values[i % COUNT], values[i / COUNT], 0}, ours = real;
            uint64_t memory[5] = {7, values[(i + 2) % COUNT], ~values[i % COUNT], values[i / COUNT],
                                  9};

            memcpy(rig.device.file.bytes, memory, sizeof(memory));
            forms[form].run((char *)memory, &real);
            forms[form].run(registers, &ours);
            if (memcmp(rig.device.file.bytes, memory, sizeof(memory)) != 0 || ours.a != real.a ||
                ours.c != real.c || ours.at != real.at)
                fail_msg("%s: x0 %llx for %llx, x1 %llx for %llx, x2 %llx for %llx",
                         forms[form].text, (unsigned long long)ours.a, (unsigned long long)real.a,
                         (unsigned long long)ours.c, (unsigned long long)real.c,
                         (unsigned long long)ours.at, (unsigned long long)real.at);
        }
    assert_found(&rig, PLAIN_ACCESS, 1);
    MmUnmapIoSpace(registers, 0x40);
    rig_stop(&rig);
}

/* An exclusive pair would never succeed: that is said, not tried without an end. */
static void an_unknown_instruction_is_said_to_be_the_kits(void **state)
{
    struct rig rig;
    char *registers;

    (void)state;
    rig_start_with(&rig, NULL, true);
    registers = map_registers();
    if (setjmp(rig.end) == 0) {
        __asm__ volatile("ldxr w9, [%0]" : : "r"(registers) : "x9", "memory");
        fail();
    }
    assert_found(&rig, UNSUPPORTED, 1);
    assert_non_null(strstr(rig.text, "7c 5f 88"));
    MmUnmapIoSpace(registers, 0x40);
    rig_stop(&rig);
}

#endif

#if defined(__x86_64__)

/* An instruction that the kit does not take apart is no fault of the driver's. */
static void an_unknown_instruction_is_said_to_be_the_kits(void **state)
{
    struct rig rig;
    char *registers;

    (void)state;
    rig_start_with(&rig, NULL, true);
    registers = map_registers();
    if (setjmp(rig.end) == 0) {
        __asm__ volatile("fldl 8(%0)\n\tfstp %%st(0)" : : "r"(registers));
        fail();
    }
    assert_found(&rig, UNSUPPORTED, 1);
    assert_non_null(strstr(rig.text, "dd "));
    MmUnmapIoSpace(registers, 0x40);
    rig_stop(&rig);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_and_ports_have_bars_at_the_addresses_of_the_resource_list),
        cmocka_unit_test(a_view_is_a_bar_and_who_maps_it_sees_what_it_shows),
        cmocka_unit_test(loads_and_stores_reach_the_model_and_are_said_once),
#if defined(__x86_64__)
        cmocka_unit_test(every_form_does_to_a_register_what_it_does_to_memory),
        cmocka_unit_test(copies_from_and_to_registers_work),
        cmocka_unit_test(an_unknown_instruction_is_said_to_be_the_kits),
#elif defined(__aarch64__)
        cmocka_unit_test(every_form_does_to_a_register_what_it_does_to_memory),
        cmocka_unit_test(an_unknown_instruction_is_said_to_be_the_kits),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
