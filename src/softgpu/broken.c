/* The list of broken.h, as text. The misbehaviours themselves stand where the right thing is
 * done. */
#include "softgpu/broken.h"

#include <string.h>

#include "softgpu/config.h"

static const struct {
    const char *name, *sentence;
} table[] = {
#define ROW(number, text, sentence) {text, sentence},
    SOFTGPU_BROKEN_LIST(ROW)
#undef ROW
};

const char *softgpu_broken_name(uint32_t number)
{
    return number < SOFTGPU_BROKEN_COUNT ? table[number].name : NULL;
}

const char *softgpu_broken_sentence(uint32_t number)
{
    return number < SOFTGPU_BROKEN_COUNT ? table[number].sentence : NULL;
}

enum softgpu_broken softgpu_broken_find(const char *name)
{
    uint32_t number = 0;

    while (number < SOFTGPU_BROKEN_COUNT && strcmp(table[number].name, name) != 0)
        number++;
    return (enum softgpu_broken)number;
}
