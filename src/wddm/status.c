/* status.c: the table of status.def. */
#include "wddm/status.h"

static const struct vidmm_status statuses[] = {
#define STATUS(name, sentence) {name, #name, sentence},
#include "wddm/status.def"
#undef STATUS
};

const struct vidmm_status *vidmm_status_find(NTSTATUS status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].status == status)
            return &statuses[i];
    return NULL;
}

void vidmm_status_print(struct vidmm_text *text, NTSTATUS status)
{
    const struct vidmm_status *found = vidmm_status_find(status);

    if (found != NULL)
        vidmm_text_string(text, found->name);
    else
        vidmm_text_hex(text, (ULONG)status);
}
