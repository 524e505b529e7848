/* plain_access.c: registers that a driver reaches by loads and stores, not by READ_REGISTER.
 *
 * On Windows that works, so it works here: the window of the registers has no access rights, the
 * fault is taken apart, the device model is asked, and the thread goes on behind the instruction.
 * The first time in a run it is said (K-041).
 *
 * P1  an instruction that is not known changes nothing, and nothing is asked of the model
 * P2  each byte is asked for once: in words of 8, 4, 2, 1, as they are aligned
 */
#include "kit/plain_access.h"

#include "kit/machine.h"
#include "kit/state.h"

static _Atomic bool said;

void vidmm_kit_plain_start(void)
{
    atomic_store(&said, false);
}

bool vidmm_kit_plain_access(void *address, void *context)
{
    const char *caller = (const char *)vidmm_machine_instruction(context) + 1;

    vidmm_kit_stack_enter();
    if (!vidmm_kit_plain_execute(address, context, caller))
        return false;
    if (!atomic_exchange(&said, true))
        vidmm_kit_find(caller, VIDMM_KIT_PLAIN_ACCESS, "the first at %p; it is said once", address);
    return true;
}

/* P2 */
void vidmm_kit_plain_touch(const void *caller, char *address, void *value, unsigned length,
                           bool write)
{
    uint8_t *bytes = value;

    for (unsigned part; length > 0; address += part, bytes += part, length -= part) {
        for (part = 8; part > length || (uintptr_t)address % part != 0;)
            part /= 2;
        if (vidmm_kit_in_register_window(address))
            vidmm_kit_register_plain(caller, address, bytes, part, write);
        else if (write)
            memcpy(address, bytes, part);
        else
            memcpy(bytes, address, part);
    }
}

#if !defined(__x86_64__) && !defined(__aarch64__)

bool vidmm_kit_plain_execute(void *address, void *context, const void *caller)
{
    (void)address, (void)context, (void)caller;
    return false;
}

#endif
