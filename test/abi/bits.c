/*
 * bits.c: every bit-field is where the table says, and as wide. A field of a zeroed object is set
 * to all ones; the bits that are set in the object are then exactly its own.
 */
#include "check.h"

#include <stdio.h>
#include <string.h>

static volatile unsigned long long ones = ~0ull;
static unsigned done, wrong;

static void compare(int line, const char *name, const void *object, size_t size, unsigned first,
                    unsigned width)
{
    const unsigned char *byte = (const unsigned char *)object;

    done++;
    for (unsigned bit = 0; bit < size * 8; bit++) {
        unsigned want = bit >= first && bit < first + width;

        if (((byte[bit / 8] >> bit % 8) & 1u) != want) {
            printf("layout.tsv:%d: %s: bit %u of the struct is %u\n", line, name, bit, !want);
            wrong++;
            return;
        }
    }
}

#define BIT(Line, Struct, Path, Type, First, Width)                                                \
    {                                                                                              \
        Struct object;                                                                             \
        memset(&object, 0, sizeof object);                                                         \
        object.Path = (Type)ones;                                                                  \
        compare(Line, #Struct "." #Path, &object, sizeof object, First, Width);                    \
    }

int main(void)
{
#include "bits.inc"
    printf("%u\n", done);
    return wrong != 0;
}
