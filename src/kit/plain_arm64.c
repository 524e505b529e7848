/* plain_arm64.c: loads and stores of arm64, taken apart (plain_access.h).
 *
 *     ldr w1, [x0, #16]!    base x0, offset 16, before --> touch(x0 + 16, 4 bytes)
 *                                                      --> x1 = value, x0 += 16, pc += 4
 *
 * Known are loads and stores of one register and of two, with all addressing modes, with sign and
 * zeros, ordered ones, of vector registers of 1 to 16 bytes; and the atomic additions and
 * exchanges that are one instruction. Exclusive loads are not: their pair would never succeed.
 * Source: Arm Architecture Reference Manual, C4.1, loads and stores.
 */
#include "kit/plain_access.h"

#if defined(__aarch64__)

#include <asm/sigcontext.h>
#include <ucontext.h>

#include "kit/state.h"
#undef __reserved /* a member of the context, and a word of the kit's headers */

enum { NO_REGISTER = 31 };

struct instruction {
    uint32_t word;
    ucontext_t *context;
    const void *caller;
};

static unsigned bits(const struct instruction *i, unsigned lowest, unsigned count)
{
    return i->word >> lowest & ((1u << count) - 1);
}

static int64_t extended(uint64_t value, unsigned width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t get(const struct instruction *i, unsigned number)
{
    return number == NO_REGISTER ? 0 : i->context->uc_mcontext.regs[number];
}

static void put(const struct instruction *i, unsigned number, uint64_t value)
{
    if (number != NO_REGISTER)
        i->context->uc_mcontext.regs[number] = value;
}

/* The register that an address is made from: 31 is the stack here. */
static unsigned long long *base(const struct instruction *i)
{
    mcontext_t *registers = &i->context->uc_mcontext;

    return bits(i, 5, 5) == NO_REGISTER ? &registers->sp : &registers->regs[bits(i, 5, 5)];
}

/* A vector register, where the system has saved it; NULL: it has not. */
static uint8_t *vector(const struct instruction *i, unsigned number)
{
    uint8_t *record = i->context->uc_mcontext.__reserved;
    struct _aarch64_ctx head;

    for (;; record += head.size) {
        memcpy(&head, record, sizeof(head));
        if (head.magic == FPSIMD_MAGIC)
            return record + offsetof(struct fpsimd_context, vregs) + 16 * (uintptr_t)number;
        if (head.magic == 0 || head.size == 0)
            return NULL;
    }
}

static void touch(const struct instruction *i, uint64_t address, void *value, unsigned width,
                  bool write)
{
    vidmm_kit_plain_touch(i->caller, (char *)(uintptr_t)address, value, width, write);
}

/* ---- one register ---- */

/* How a register is moved: its bytes, whether a load keeps the sign, and up to which bit. */
struct manner {
    unsigned width, sign;
    bool vector, write;
};

static bool move(const struct instruction *i, unsigned number, const struct manner *manner,
                 uint64_t address)
{
    uint64_t value = manner->write && !manner->vector ? get(i, number) : 0;
    uint8_t *whole = manner->vector ? vector(i, number) : NULL, bytes[16] = {0};

    if (manner->vector && !whole)
        return false;
    if (manner->vector && manner->write) {
        touch(i, address, whole, manner->width, true);
    } else if (manner->vector) {
        touch(i, address, bytes, manner->width, false);
        memcpy(whole, bytes, sizeof(bytes)); /* a load clears what is above */
    } else {
        touch(i, address, &value, manner->width, manner->write);
        if (!manner->write && manner->sign)
            value = (uint64_t)extended(value, manner->width * 8);
        if (!manner->write)
            put(i, number, manner->sign == 32 ? (uint32_t)value : value);
    }
    return true;
}

/* Bits 31, 30 (size), 26 (vector), 23, 22 (what) of a load or store of one register. False: it is
 * none, but a hint to fetch. */
static bool read_manner(const struct instruction *i, struct manner *manner)
{
    unsigned size = bits(i, 30, 2), what = bits(i, 22, 2);

    manner->vector = bits(i, 26, 1);
    manner->write = manner->vector ? what % 2 == 0 : what == 0;
    manner->sign = manner->vector || what < 2 ? 0 : what == 2 ? 64 : 32;
    manner->width = manner->vector && what > 1 ? 16 : 1u << size;
    if (manner->vector)
        return what < 2 || size == 0;
    return what < 2 || size < (what == 2 ? 3u : 2u);
}

/* A register that is added: as it is, or half of it with zeros or its sign, times the width. */
static uint64_t index_of(const struct instruction *i, unsigned width)
{
    uint64_t value = get(i, bits(i, 16, 5));
    unsigned option = bits(i, 13, 3), shift = 0;

    if (option == 2)
        value = (uint32_t)value;
    else if (option == 6)
        value = (uint64_t)extended(value, 32);
    while (bits(i, 12, 1) && 1u << shift < width)
        shift++;
    return value << shift;
}

/* Bits 29 to 27 are 111, 25 is 0: one register, by an offset of each kind. */
static bool single(const struct instruction *i)
{
    enum { UNSCALED, AFTER, UNPRIVILEGED, BEFORE };
    unsigned mode = bits(i, 10, 2);
    uint64_t address = *base(i), offset = (uint64_t)extended(bits(i, 12, 9), 9);
    struct manner manner;

    if (!read_manner(i, &manner))
        return false;
    if (bits(i, 24, 1))
        return move(i, bits(i, 0, 5), &manner, address + bits(i, 10, 12) * (uint64_t)manner.width);
    if (bits(i, 21, 1))
        return mode == 2 && move(i, bits(i, 0, 5), &manner, address + index_of(i, manner.width));
    if (!move(i, bits(i, 0, 5), &manner, mode == AFTER ? address : address + offset))
        return false;
    if (mode == AFTER || mode == BEFORE)
        *base(i) = address + offset;
    return true;
}

/* ---- two registers, order, atomics ---- */

/* Bits 29 to 27 are 101, 25 is 0. */
static bool pair(const struct instruction *i)
{
    enum { NO_CACHE, AFTER, OFFSET, BEFORE };
    unsigned size = bits(i, 30, 2), mode = bits(i, 23, 2);
    struct manner manner = {.vector = bits(i, 26, 1), .write = !bits(i, 22, 1)};
    uint64_t address = *base(i), offset;

    manner.width = manner.vector ? 4u << size : size == 2 ? 8 : 4;
    manner.sign = !manner.vector && size == 1 ? 64 : 0;
    if (size == 3 || (manner.sign && (manner.write || mode == NO_CACHE)))
        return false;
    offset = (uint64_t)extended(bits(i, 15, 7), 7) * manner.width;
    if (mode != AFTER)
        address += offset;
    if (!move(i, bits(i, 0, 5), &manner, address) ||
        !move(i, bits(i, 10, 5), &manner, address + manner.width))
        return false;
    if (mode == AFTER || mode == BEFORE)
        *base(i) = mode == AFTER ? address + offset : address;
    return true;
}

/* Bits 29 to 24 are 001000: ordered loads and stores, and a comparison with exchange. */
static bool ordered(const struct instruction *i)
{
    struct manner manner = {.width = 1u << bits(i, 30, 2), .write = !bits(i, 22, 1)};
    uint64_t old = 0, value = get(i, bits(i, 0, 5)), expected = get(i, bits(i, 16, 5));

    if (!bits(i, 23, 1))
        return false;
    if (!bits(i, 21, 1))
        return move(i, bits(i, 0, 5), &manner, *base(i));
    if (bits(i, 10, 5) != NO_REGISTER)
        return false;
    touch(i, *base(i), &old, manner.width, false);
    if (memcmp(&old, &expected, manner.width) == 0)
        touch(i, *base(i), &value, manner.width, true);
    put(i, bits(i, 16, 5), old);
    return true;
}

/* Bits 29 to 27 are 111, 26 to 24 and 11, 10 are 0, 21 is 1. */
static bool atomic(const struct instruction *i)
{
    enum { ADD, CLEAR, TURN, SET, LOAD };
    unsigned what = bits(i, 12, 3), width = 1u << bits(i, 30, 2);
    bool other = bits(i, 15, 1);
    uint64_t old = 0, value = get(i, bits(i, 16, 5));

    if (other ? what != 0 && what != LOAD : what > SET)
        return false;
    touch(i, *base(i), &old, width, false);
    if (!other)
        value = what == ADD     ? old + value
                : what == CLEAR ? old & ~value
                : what == TURN  ? old ^ value
                                : old | value;
    if (!other || what != LOAD)
        touch(i, *base(i), &value, width, true);
    put(i, bits(i, 0, 5), old);
    return true;
}

static bool execute(const struct instruction *i)
{
    if (bits(i, 27, 3) == 5 && !bits(i, 25, 1))
        return pair(i);
    if (bits(i, 24, 6) == 8)
        return ordered(i);
    if (bits(i, 27, 3) != 7 || bits(i, 25, 1))
        return false;
    if (bits(i, 21, 1) && bits(i, 10, 2) == 0 && bits(i, 24, 3) == 0)
        return atomic(i);
    return single(i);
}

bool vidmm_kit_plain_execute(void *address, void *context, const void *caller)
{
    ucontext_t *state = context;
    struct instruction instruction = {.context = state, .caller = caller};

    (void)address;
    memcpy(&instruction.word, (const void *)(uintptr_t)state->uc_mcontext.pc,
           sizeof(instruction.word));
    if (!execute(&instruction)) /* P1 */
        return false;
    state->uc_mcontext.pc += sizeof(instruction.word);
    return true;
}

#endif
