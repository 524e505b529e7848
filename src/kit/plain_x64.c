/* plain_x64.c: loads and stores of x64, taken apart (plain_access.h).
 *
 *     mov (%rax),%ecx       fault at 0x...10 --> decode: 4 bytes, read, into ecx
 *                                            --> touch(0x...10, 4 bytes)
 *                                            --> rcx = value, rip += 2
 *
 * Known are what compilers make of volatile accesses (mov, movzx, movsx, the arithmetic with one
 * operand in memory, bit tests, exchanges), string moves, and vector moves of 16 and 32 bytes.
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
 */
#include "kit/plain_access.h"

#include "kit/state.h"

#if defined(__x86_64__)

#include <ucontext.h>

enum { CARRY = 1, PARITY = 4, ADJUST = 0x10, ZERO = 0x40, SIGN = 0x80, DOWN = 0x400, OVER = 0x800 };
enum { ADD, OR, ADC, SBB, AND, SUB, XOR, CMP, TEST };
enum { RAX, RCX, RSI = 6, RDI = 7 };
/* In the saved state. */
enum {
    XSAVE_MARK = 464,
    XSAVE_PRESENT = 512,
    YMM_HIGH = 576,
    XSAVE_MAGIC = 0x46505853,
    HAS_YMM = 4
};

/* An instruction on its way: its state at the beginning, and the position of decoding. */
struct instruction {
    const uint8_t *at; /* the next byte */
    ucontext_t *context;
    char *address; /* the address that the access touches */
    const void *caller;
    unsigned prefix; /* 0xF2, 0xF3, else 0x66, or 0 */
    bool wide, narrow, rex, repeat, vector_256;
    unsigned high;      /* bit 3 of `reg` */
    unsigned reg;       /* register operand */
    unsigned immediate; /* bytes of it */
};

static greg_t *general(const struct instruction *i, unsigned number)
{
    static const uint8_t order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};

    return &i->context->uc_mcontext.gregs[order[number & 15]];
}

static uint64_t masked(uint64_t value, unsigned width)
{
    return width == 8 ? value : value & ((UINT64_C(1) << 8 * width) - 1);
}

/* Whether a register number means ah, ch, dh or bh: there is no REX prefix. */
static bool is_high_byte(const struct instruction *i, unsigned number, unsigned width)
{
    return width == 1 && !i->rex && number >= 4;
}

static uint64_t get(const struct instruction *i, unsigned number, unsigned width)
{
    if (is_high_byte(i, number, width))
        return masked((uint64_t)*general(i, number - 4) >> 8, 1);
    return masked((uint64_t)*general(i, number), width);
}

/* 32 bits clear the upper half; 8 and 16 leave the rest. */
static void put(const struct instruction *i, unsigned number, unsigned width, uint64_t value)
{
    bool high = is_high_byte(i, number, width);
    greg_t *to = general(i, high ? number - 4 : number);
    uint64_t mask = masked(UINT64_MAX, width) << (high ? 8 : 0);

    value = masked(value, width) << (high ? 8 : 0);
    *to = (greg_t)(width >= 4 ? value : ((uint64_t)*to & ~mask) | value);
}

static uint64_t extended(uint64_t value, unsigned from)
{
    unsigned shift = 64 - 8 * from;

    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static void touch(const struct instruction *i, char *address, void *value, unsigned length,
                  bool write)
{
    vidmm_kit_plain_touch(i->caller, address, value, length, write);
}

static uint64_t load(const struct instruction *i, unsigned width)
{
    uint64_t value = 0;

    touch(i, i->address, &value, width, false);
    return value;
}

static void store(const struct instruction *i, unsigned width, uint64_t value)
{
    touch(i, i->address, &value, width, true);
}

/* ---- flags ---- */

static void set_flags(const struct instruction *i, unsigned width, uint64_t result, bool carry,
                      bool over, bool adjust)
{
    greg_t *flags = &i->context->uc_mcontext.gregs[REG_EFL];
    uint64_t f = (uint64_t)*flags & ~(uint64_t)(CARRY | PARITY | ADJUST | ZERO | SIGN | OVER);

    f |= carry ? CARRY : 0;
    f |= __builtin_parity((unsigned)(result & 0xFF)) ? 0 : PARITY;
    f |= adjust ? ADJUST : 0;
    f |= result == 0 ? ZERO : 0;
    f |= result >> (8 * width - 1) & 1 ? SIGN : 0;
    *flags = (greg_t)(f | (over ? OVER : 0));
}

static bool carry_of(const struct instruction *i)
{
    return i->context->uc_mcontext.gregs[REG_EFL] & CARRY;
}

static uint64_t calculate(const struct instruction *i, unsigned what, unsigned width, uint64_t a,
                          uint64_t b)
{
    uint64_t in = (what == ADC || what == SBB) && carry_of(i), result, top = 0;
    bool carry = false, sums = true;

    a = masked(a, width);
    b = masked(b, width);
    switch (what) {
    case ADD:
    case ADC:
        result = masked(a + b + in, width);
        carry = result < a || (in && result == a);
        top = (a ^ result) & (b ^ result);
        break;
    case SUB:
    case SBB:
    case CMP:
        result = masked(a - b - in, width);
        carry = a < b || (in && a == b);
        top = (a ^ b) & (a ^ result);
        break;
    default:
        result = what == OR ? a | b : what == XOR ? a ^ b : a & b;
        sums = false;
    }
    set_flags(i, width, result, carry, top >> (8 * width - 1) & 1,
              sums && (a ^ b ^ result) & ADJUST);
    return result;
}

/* ---- decoding ---- */

static void read_prefixes(struct instruction *i)
{
    for (;; i->at++)
        if (*i->at == 0x66 || *i->at == 0xF2 || *i->at == 0xF3) {
            i->repeat = i->repeat || *i->at != 0x66;
            i->narrow = i->narrow || *i->at == 0x66;
            i->prefix = i->prefix > 0x66 ? i->prefix : *i->at;
        } else if (*i->at != 0xF0 && *i->at != 0x2E && *i->at != 0x36 && *i->at != 0x3E &&
                   *i->at != 0x26 && *i->at != 0x64 && *i->at != 0x65)
            break;
    if ((*i->at & 0xF0) == 0x40) {
        i->rex = true;
        i->wide = *i->at & 8;
        i->high = *i->at & 4 ? 8 : 0;
        i->at++;
    }
}

/* The operand behind the opcode; `immediate` bytes follow it. */
static bool read_operand(struct instruction *i, unsigned immediate)
{
    unsigned mode = *i->at >> 6, base = *i->at & 7;

    i->reg = (*i->at++ >> 3 & 7) | i->high;
    if (mode != 3 && base == 4)
        base = *i->at++ & 7; /* an index besides: 5 is no register there either */
    if ((mode == 0 && base == 5) || mode == 2)
        i->at += 4;
    else if (mode == 1)
        i->at++;
    i->immediate = immediate;
    return mode != 3;
}

/* The immediate, with its sign; decoding is then at the end. */
static uint64_t read_immediate(struct instruction *i)
{
    uint64_t value = 0;

    memcpy(&value, i->at, i->immediate);
    i->at += i->immediate;
    return i->immediate ? extended(value, i->immediate) : 0;
}

static unsigned width_of(const struct instruction *i, unsigned opcode)
{
    return !(opcode & 1) ? 1 : i->wide ? 8 : i->narrow ? 2 : 4;
}

/* ---- the instructions ---- */

/* 0x00 to 0x3B: an operation with a register, either way round; 0x84 and 0x85: test. */
static bool arithmetic(struct instruction *i, unsigned opcode)
{
    unsigned width = width_of(i, opcode), what = opcode >= 0x84 ? TEST : opcode >> 3;
    bool to_register = opcode < 0x84 && opcode & 2;
    uint64_t memory, other, result;

    if (!read_operand(i, 0))
        return false;
    memory = load(i, width);
    other = get(i, i->reg, width);
    result = to_register ? calculate(i, what, width, other, memory)
                         : calculate(i, what, width, memory, other);
    if (what == CMP || what == TEST)
        return true;
    if (to_register)
        put(i, i->reg, width, result);
    else
        store(i, width, result);
    return true;
}

/* 0x80, 0x81, 0x83, and 0xF6, 0xF7: an operation with an immediate, or none. */
static bool arithmetic_immediate(struct instruction *i, unsigned opcode)
{
    unsigned width = width_of(i, opcode), what = i->at[0] >> 3 & 7;
    bool unary = opcode >= 0xF6;
    unsigned immediate = opcode == 0x83 || width == 1 ? 1 : width == 2 ? 2 : 4;
    uint64_t memory, result, value;

    if ((unary && (what == 1 || what > 3)) || !read_operand(i, unary && what != 0 ? 0 : immediate))
        return false;
    value = read_immediate(i);
    memory = load(i, width);
    if (!unary)
        result = calculate(i, what, width, memory, value);
    else if (what == 0)
        result = calculate(i, TEST, width, memory, value);
    else
        result = what == 2 ? ~memory : calculate(i, SUB, width, 0, memory);
    if (unary ? what != 0 : what != CMP)
        store(i, width, result);
    return true;
}

/* 0xFE, 0xFF: one more, one less; the carry stays. */
static bool count(struct instruction *i, unsigned opcode)
{
    unsigned width = width_of(i, opcode), what = i->at[0] >> 3 & 7;
    greg_t *flags = &i->context->uc_mcontext.gregs[REG_EFL], carry = *flags & CARRY;

    if (what > 1 || !read_operand(i, 0))
        return false;
    store(i, width, calculate(i, what == 0 ? ADD : SUB, width, load(i, width), 1));
    *flags = (*flags & ~(greg_t)CARRY) | carry;
    return true;
}

/* 0x86 to 0x8B, 0xC6, 0xC7, 0x63: exchanges and moves. */
static bool move(struct instruction *i, unsigned opcode)
{
    unsigned width = opcode == 0x63 ? 4 : width_of(i, opcode);
    bool immediate = opcode >= 0xC6;
    uint64_t value;

    if ((immediate && (i->at[0] & 0x38) != 0) || !read_operand(i, !immediate  ? 0
                                                                  : width > 4 ? 4
                                                                              : width))
        return false;
    value = immediate ? read_immediate(i) : get(i, i->reg, width);
    if (opcode == 0x63)
        put(i, i->reg, i->wide ? 8 : 4, extended(load(i, 4), 4));
    else if (opcode == 0x86 || opcode == 0x87 || opcode == 0x8A || opcode == 0x8B)
        put(i, i->reg, width, load(i, width));
    if (opcode != 0x63 && opcode != 0x8A && opcode != 0x8B)
        store(i, width, value);
    return true;
}

/* 0xA4, 0xA5, 0xAA to 0xAD: bytes from one place to another, from al, to al. Upward only. */
static bool move_string(struct instruction *i, unsigned opcode)
{
    unsigned width = width_of(i, opcode);
    greg_t *from = general(i, RSI), *to = general(i, RDI), *left = general(i, RCX);
    bool loads = opcode < 0xAA || opcode > 0xAB, stores = opcode < 0xAC;

    if (i->context->uc_mcontext.gregs[REG_EFL] & DOWN)
        return false;
    for (; !i->repeat || *left != 0; *left -= i->repeat) {
        uint64_t value = get(i, RAX, width);

        if (loads)
            touch(i, (char *)(uintptr_t)*from, &value, width, false);
        if (stores)
            touch(i, (char *)(uintptr_t)*to, &value, width, true);
        else
            put(i, RAX, width, value);
        *from += loads ? width : 0;
        *to += stores ? width : 0;
        if (!i->repeat)
            break;
    }
    return true;
}

/* 0F B6, B7, BE, BF: with zeros, with its sign. 0F B0, B1, C0, C1: compare and exchange, add. */
static bool extend_or_exchange(struct instruction *i, unsigned opcode)
{
    unsigned narrow = opcode & 1 ? 2 : 1, width = width_of(i, opcode);
    uint64_t value, old = 0, wanted;

    if (!read_operand(i, 0))
        return false;
    if ((opcode & 0xF6) == 0xB6) {
        value = load(i, narrow);
        put(i, i->reg, width_of(i, 1), opcode >= 0xBE ? extended(value, narrow) : value);
        return true;
    }
    value = load(i, width);
    if (opcode >= 0xC0) {
        old = get(i, i->reg, width);
        put(i, i->reg, width, value);
        store(i, width, calculate(i, ADD, width, value, old));
        return true;
    }
    wanted = get(i, RAX, width);
    calculate(i, CMP, width, wanted, value);
    if (wanted == value)
        store(i, width, get(i, i->reg, width));
    else
        put(i, RAX, width, value);
    return true;
}

/* 0F BA /4 to /7: a bit into the carry, then set, reset, turned round. */
static bool bits(struct instruction *i)
{
    unsigned width = width_of(i, 1), what = i->at[0] >> 3 & 7;
    greg_t *flags = &i->context->uc_mcontext.gregs[REG_EFL];
    uint64_t value, bit;

    if (what < 4 || !read_operand(i, 1))
        return false;
    bit = UINT64_C(1) << (read_immediate(i) & (8 * width - 1));
    value = load(i, width);
    *flags = (*flags & ~(greg_t)CARRY) | (value & bit ? CARRY : 0);
    if (what > 4)
        store(i, width, what == 5 ? value | bit : what == 6 ? value & ~bit : value ^ bit);
    return true;
}

/* The upper half of a vector register, where the system has saved it. It counts from now on. */
static uint8_t *upper_half(const struct instruction *i, unsigned number)
{
    uint8_t *saved = (uint8_t *)i->context->uc_mcontext.fpregs;
    uint32_t mark;

    memcpy(&mark, saved + XSAVE_MARK, sizeof(mark));
    if (mark != XSAVE_MAGIC)
        return NULL;
    if (!(saved[XSAVE_PRESENT] & HAS_YMM))
        memset(saved + YMM_HIGH, 0, 256);
    saved[XSAVE_PRESENT] |= HAS_YMM;
    return saved + YMM_HIGH + 16 * (uintptr_t)number;
}

static bool move_vector(struct instruction *i, unsigned width, bool write, bool zeros_above)
{
    uint8_t *low, *high, bytes[32] = {0};

    if (!read_operand(i, 0))
        return false;
    low = (uint8_t *)&i->context->uc_mcontext.fpregs->_xmm[i->reg & 15];
    high = zeros_above || width > 16 ? upper_half(i, i->reg & 15) : NULL;
    if ((zeros_above || width > 16) && !high)
        return false;
    if (write) {
        memcpy(bytes, low, 16);
        if (width > 16)
            memcpy(bytes + 16, high, 16);
    }
    touch(i, i->address, bytes, width, write);
    if (write)
        return true;
    memcpy(low, bytes, 16);
    if (high)
        memcpy(high, bytes + 16, 16);
    return true;
}

/* 0F 10, 11, 28, 29, 2B, 6E, 6F, 7E, 7F, D6, E7: instructions that move a vector register. Those
 * that merge (movlps and its like) are not known. */
static bool vector(struct instruction *i, unsigned opcode, bool vex)
{
    unsigned width = i->vector_256 ? 32 : 16;

    switch (opcode) {
    case 0x10:
    case 0x11:
        if (i->prefix == 0xF2 || i->prefix == 0xF3)
            width = i->prefix == 0xF3 ? 4 : 8;
        return move_vector(i, width, opcode & 1, vex);
    case 0x28:
    case 0x29:
    case 0x2B:
        return move_vector(i, width, opcode != 0x28, vex);
    case 0x6F:
    case 0x7F:
    case 0xE7:
        return i->prefix != 0 && move_vector(i, width, opcode != 0x6F, vex);
    case 0x6E:
    case 0x7E:
        if (i->prefix == 0xF3 && opcode == 0x7E)
            return move_vector(i, 8, false, vex);
        return i->prefix == 0x66 && move_vector(i, i->wide ? 8 : 4, opcode == 0x7E, vex);
    case 0xD6:
        return i->prefix == 0x66 && move_vector(i, 8, true, vex);
    default:
        return false;
    }
}

static bool two_bytes(struct instruction *i)
{
    unsigned opcode = *i->at++;

    if ((opcode & 0xF6) == 0xB6 || (opcode & 0xFE) == 0xB0 || (opcode & 0xFE) == 0xC0)
        return extend_or_exchange(i, opcode);
    if (opcode == 0xBA)
        return bits(i);
    if (opcode == 0xC3) { /* movnti */
        if (!read_operand(i, 0))
            return false;
        store(i, i->wide ? 8 : 4, get(i, i->reg, i->wide ? 8 : 4));
        return true;
    }
    return vector(i, opcode, false);
}

/* 0xC5, 0xC4: the vector moves in their newer spelling. */
static bool vex(struct instruction *i, unsigned first)
{
    static const unsigned prefixes[] = {0, 0x66, 0xF3, 0xF2};
    unsigned map = 1, last;

    i->high = *i->at & 0x80 ? 0 : 8;
    if (first == 0xC4)
        map = *i->at++ & 0x1F;
    last = *i->at++;
    i->wide = first == 0xC4 && last & 0x80;
    i->vector_256 = last & 4;
    i->prefix = prefixes[last & 3];
    return map == 1 && vector(i, *i->at++, true);
}

static bool execute(struct instruction *i)
{
    unsigned opcode;

    read_prefixes(i);
    opcode = *i->at++;
    if (opcode == 0x0F)
        return two_bytes(i);
    if (opcode == 0xC4 || opcode == 0xC5)
        return vex(i, opcode);
    if ((opcode < 0x40 && (opcode & 7) < 4) || opcode == 0x84 || opcode == 0x85)
        return arithmetic(i, opcode);
    if (opcode == 0x80 || opcode == 0x81 || opcode == 0x83 || opcode == 0xF6 || opcode == 0xF7)
        return arithmetic_immediate(i, opcode);
    if (opcode == 0xFE || opcode == 0xFF)
        return count(i, opcode);
    if ((opcode >= 0x86 && opcode <= 0x8B) || opcode == 0xC6 || opcode == 0xC7 || opcode == 0x63)
        return move(i, opcode);
    if (opcode == 0xA4 || opcode == 0xA5 || (opcode >= 0xAA && opcode <= 0xAD))
        return move_string(i, opcode);
    return false;
}

bool vidmm_kit_plain_execute(void *address, void *context, const void *caller)
{
    greg_t *next = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    struct instruction instruction = {.at = (const uint8_t *)(uintptr_t)*next,
                                      .context = context,
                                      .address = address,
                                      .caller = caller};

    if (!execute(&instruction)) /* P1 */
        return false;
    *next = (greg_t)(uintptr_t)instruction.at;
    return true;
}

#endif
