/* status.c: the tables of status.def and status_name.def. */
#include "wddm/status.h"

#include <wddm/ntstatus.h>

#include "base/text.h"

static const struct vidmm_status statuses[] = {
#define STATUS(name, sentence) {name, #name, sentence},
#include "wddm/status.def"
#undef STATUS
};

static const struct {
    NTSTATUS status;
    const char *name;
} names[] = {
#define OF_DISPLAY(name) {name, #name},
#define OF_KERNEL(name, value) {(NTSTATUS)value, #name},
#include "wddm/status_name.def"
#undef OF_DISPLAY
#undef OF_KERNEL
};

const struct vidmm_status *vidmm_status_find(NTSTATUS status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].status == status)
            return &statuses[i];
    return NULL;
}

const char *vidmm_status_name(NTSTATUS status)
{
    const struct vidmm_status *found = vidmm_status_find(status);

    if (found != NULL)
        return found->name;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].status == status)
            return names[i].name;
    return NULL;
}

void vidmm_status_print(struct vidmm_text *text, NTSTATUS status)
{
    const char *name = vidmm_status_name(status);

    if (name != NULL)
        vidmm_text_string(text, name);
    else
        vidmm_text_hex(text, (ULONG)status);
}
