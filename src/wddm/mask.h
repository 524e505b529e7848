/*
 * mask.h: the flag words of the interface and their bits.
 *
 * A word is a table of bits (masks.def). vidmm_mask_DXGK_TRANSFERFLAGS is the table of the word
 * that struct DXGK_TRANSFERFLAGS spells as bit-fields, and so on for every WORD there.
 *
 * These are the rules on one word that need nothing else to be judged: the manager asks them of
 * what a miniport answers, the verifier of what either says.
 */
#ifndef VIDMM_WDDM_MASK_H
#define VIDMM_WDDM_MASK_H

#include <stddef.h>
#include <stdint.h>

struct vidmm_text;

struct vidmm_mask_bit {
    const char *name;
    uint32_t mask;  /* one bit, or the bits of a number */
    uint16_t since; /* VIDMM_LEVEL(...) at which it came */
};

struct vidmm_mask {
    const char *name; /* of the struct */
    const struct vidmm_mask_bit *bits;
    size_t count;
};

#define WORD(type) extern const struct vidmm_mask vidmm_mask_##type;
#define BIT(member, mask, major, minor)
#define END_WORD(type)
#include "wddm/masks.def"
#undef WORD
#undef BIT
#undef END_WORD

/* The bits of `value` that a driver of this level does not know: they have to be zero. */
uint32_t vidmm_mask_reserved(const struct vidmm_mask *word, uint16_t level, uint32_t value);

/* Append the names of the bits that are set, as "TransferStart|TransferEnd"; "0" if none is.
 * Bits without a name follow in hexadecimal, a number of several bits as "Name=3". */
void vidmm_mask_print(struct vidmm_text *text, const struct vidmm_mask *word, uint32_t value);

#endif
