/* mask.c: the tables of masks.def. */
#include "wddm/mask.h"

#include "base/text.h"
#include "wddm/level.h"

#define WORD(type) static const struct vidmm_mask_bit type##_bits[] = {
#define BIT(member, mask, major, minor) {#member, mask, VIDMM_LEVEL(major, minor)},
#define END_WORD(type)                                                                             \
    }                                                                                              \
    ;                                                                                              \
    const struct vidmm_mask vidmm_mask_##type = {#type, type##_bits,                               \
                                                 sizeof type##_bits / sizeof type##_bits[0]};
#include "wddm/masks.def"
#undef WORD
#undef BIT
#undef END_WORD

uint32_t vidmm_mask_reserved(const struct vidmm_mask *word, uint16_t level, uint32_t value)
{
    for (size_t i = 0; i < word->count; i++)
        if (word->bits[i].since <= level)
            value &= ~word->bits[i].mask;
    return value;
}

static void print_bit(struct vidmm_text *text, const struct vidmm_mask_bit *bit, uint32_t value)
{
    uint32_t lowest = bit->mask & (0 - bit->mask);

    vidmm_text_string(text, bit->name);
    if (bit->mask != lowest) {
        vidmm_text_char(text, '=');
        vidmm_text_number(text, (value & bit->mask) / lowest);
    }
}

void vidmm_mask_print(struct vidmm_text *text, const struct vidmm_mask *word, uint32_t value)
{
    uint32_t unnamed = value;
    const char *separator = "";

    for (size_t i = 0; i < word->count; i++) {
        if ((value & word->bits[i].mask) == 0)
            continue;
        vidmm_text_string(text, separator);
        print_bit(text, &word->bits[i], value);
        unnamed &= ~word->bits[i].mask;
        separator = "|";
    }
    if (unnamed != 0 || value == 0) {
        vidmm_text_string(text, separator);
        if (unnamed != 0)
            vidmm_text_hex(text, unnamed);
        else
            vidmm_text_char(text, '0');
    }
}
