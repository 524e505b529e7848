/* finding.c: the driver's mistakes, counted and told. */
#include "kit/state.h"

static _Atomic uint64_t counts[VIDMM_KIT_FINDINGS];

static const char *const sentences[VIDMM_KIT_FINDINGS] = {
#define KIT_FINDING(number, name, sentence, document, windows, advice) [number] = sentence,
#include "kit/finding.def"
#undef KIT_FINDING
};

const char *vidmm_kit_sentence(enum vidmm_kit_finding_id id)
{
    return (unsigned)id < VIDMM_KIT_FINDINGS && sentences[id] ? sentences[id] : "?";
}

uint64_t vidmm_kit_count(enum vidmm_kit_finding_id id)
{
    return (unsigned)id < VIDMM_KIT_FINDINGS ? atomic_load(&counts[id]) : 0;
}

uint64_t vidmm_kit_findings_reset(bool clear)
{
    uint64_t all = 0;

    for (unsigned id = 0; id < VIDMM_KIT_FINDINGS; id++) {
        all += atomic_load(&counts[id]);
        if (clear)
            atomic_store(&counts[id], 0);
    }
    return all;
}

void vidmm_kit_find(const void *caller, enum vidmm_kit_finding_id id, const char *format, ...)
{
    const struct vidmm_kit_options *options = &vidmm_kit_kernel.options;
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    atomic_fetch_add(&counts[id], 1);
    struct vidmm_kit_finding finding = {id, sentences[id], text, caller};
    if (options->finding)
        options->finding(options->argument, &finding);
    else
        fprintf(stderr, "K-%03d %s: %s\n", (int)id, sentences[id], text);
}

/* ---- the stack ---- */

static __thread uintptr_t deepest = UINTPTR_MAX;

void vidmm_kit_stack_enter(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    if (here < deepest)
        deepest = here;
}

uintptr_t vidmm_kit_stack_deepest(void)
{
    uintptr_t answer = deepest;

    deepest = UINTPTR_MAX;
    return answer;
}

/* ---- levels ---- */

bool vidmm_kit_irql_max(const void *caller, KIRQL max, const char *routine)
{
    KIRQL irql = vidmm_kit_kernel.running ? KeGetCurrentIrql() : PASSIVE_LEVEL;

    vidmm_kit_stack_enter();
    if (irql <= max)
        return true;
    if (vidmm_kit_thread()->irql_told)
        return false;
    vidmm_kit_find(caller, VIDMM_KIT_IRQL_TOO_HIGH, "%s at IRQL %u, at most %u", routine, irql,
                   max);
    return false;
}

bool vidmm_kit_irql_begin(const void *caller, KIRQL max, const char *routine)
{
    struct _KTHREAD *thread;

    vidmm_kit_stack_enter();
    if (!vidmm_kit_kernel.running || KeGetCurrentIrql() <= max)
        return true;
    thread = vidmm_kit_thread();
    if (thread->irql_told) /* an outer routine has told it, and ends it */
        return true;
    vidmm_kit_irql_max(caller, max, routine);
    thread->irql_told = true;
    return false;
}

void vidmm_kit_irql_end(bool *right)
{
    if (!*right)
        vidmm_kit_thread()->irql_told = false;
}
