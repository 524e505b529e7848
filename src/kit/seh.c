/* seh.c: __try and __except (excpt.h): a stack of frames a thread, and the signals that end in it.
 *
 * I1  thread->seh is the innermost frame whose scope has not been left.
 * I2  a stack that has come to its end has no room for a handler, nor for __except: handlers run on
 *     a stack of their own, and the fault is nobody's but the former handler's.
 */
#include "kit/machine.h"
#include "kit/state.h"

#include <setjmp.h>
#include <sys/mman.h>

enum { SIGNAL_STACK = 128 << 10 };
enum { FRESH, ON_STACK, OFF_STACK };
enum { NO_EXCEPTION, RAISED, LEFT }; /* the reason why a thread comes to its frame */

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE};
static struct sigaction before[3];
static bool catching;

_Static_assert(sizeof(jmp_buf) <= sizeof(((struct vidmm_kit_seh *)0)->registers),
               "libc's registers fit a frame");

void *vidmm_kit_seh_push(struct vidmm_kit_seh *frame)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    frame->outer = thread->seh;
    frame->state = ON_STACK;
    frame->endings = thread->endings;
    thread->seh = frame;
    return frame->registers;
}

void vidmm_kit_seh_pop(struct vidmm_kit_seh *frame)
{
    if (frame->state == ON_STACK)
        vidmm_kit_thread()->seh = frame->outer;
    frame->state = OFF_STACK;
}

/* Back to the innermost frame, which leaves the stack. */
static DECLSPEC_NORETURN void go(struct _KTHREAD *thread, int kind)
{
    struct vidmm_kit_seh *frame = thread->seh;

    thread->seh = frame->outer;
    frame->state = OFF_STACK;
    thread->endings = frame->endings; /* those that an exception leaves are over */
    thread->irql_told = false;
    thread->exception_kind = kind;
    _longjmp((struct __jmp_buf_tag *)(void *)frame->registers, 1);
}

static DECLSPEC_NORETURN void raise_here(struct _KTHREAD *thread)
{
    NTSTATUS code = thread->exception.ExceptionCode;

    if (thread->seh)
        go(thread, RAISED);
    vidmm_kit_find(thread->exception.ExceptionAddress, VIDMM_KIT_UNHANDLED_EXCEPTION, "0x%08x",
                   (unsigned)code);
    vidmm_kit_bug_check(KMODE_EXCEPTION_NOT_HANDLED, (ULONG)code,
                        (uintptr_t)thread->exception.ExceptionAddress, 0, 0);
}

void vidmm_kit_raise(NTSTATUS code, const void *address)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    memset(&thread->exception, 0, sizeof(thread->exception));
    thread->exception.ExceptionCode = code;
    thread->exception.ExceptionAddress = (PVOID)(uintptr_t)address;
    thread->exception_pointers.ExceptionRecord = &thread->exception;
    raise_here(thread);
}

void vidmm_kit_seh_leave(void)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    if (!thread->seh) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT, "__leave outside of __try");
        abort();
    }
    go(thread, LEFT);
}

int vidmm_kit_seh_filter(int answer)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    int kind = thread->exception_kind;

    thread->exception_kind = NO_EXCEPTION;
    if (kind != RAISED)
        return 0;
    if (answer == EXCEPTION_CONTINUE_EXECUTION)
        vidmm_kit_find(CALLER, VIDMM_KIT_UNHANDLED_EXCEPTION,
                       "a filter answers EXCEPTION_CONTINUE_EXECUTION; it goes outward");
    if (answer == EXCEPTION_EXECUTE_HANDLER)
        return 1;
    raise_here(thread);
}

int vidmm_kit_seh_begin_finally(void)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    unsigned depth = thread->endings++;

    if (depth == sizeof(thread->ending) / sizeof(thread->ending[0])) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT, "__finally in __finally, %u deep", depth);
        abort();
    }
    thread->ending[depth].kind = thread->exception_kind;
    thread->ending[depth].exception = thread->exception;
    thread->exception_kind = NO_EXCEPTION;
    return 1;
}

int vidmm_kit_seh_abnormal(void)
{
    const struct _KTHREAD *thread = vidmm_kit_thread();

    return thread->endings > 0 && thread->ending[thread->endings - 1].kind == RAISED;
}

void vidmm_kit_seh_go_on(void *unused)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    unsigned depth = --thread->endings;

    (void)unused;
    if (thread->ending[depth].kind != RAISED)
        return;
    thread->exception = thread->ending[depth].exception;
    raise_here(thread);
}

NTSTATUS vidmm_kit_seh_code(void)
{
    return vidmm_kit_thread()->exception.ExceptionCode;
}

PEXCEPTION_POINTERS vidmm_kit_seh_pointers(void)
{
    return &vidmm_kit_thread()->exception_pointers;
}

VOID ExRaiseStatus(NTSTATUS status)
{
    vidmm_kit_raise(status, CALLER);
}

VOID ExRaiseAccessViolation(VOID)
{
    vidmm_kit_raise(STATUS_ACCESS_VIOLATION, CALLER);
}

VOID ExRaiseDatatypeMisalignment(VOID)
{
    vidmm_kit_raise(STATUS_DATATYPE_MISALIGNMENT, CALLER);
}

VOID ProbeForRead(const volatile VOID *address, SIZE_T length, ULONG alignment)
{
    IRQL_MAX(APC_LEVEL);
    if (length == 0)
        return;
    if (alignment && (uintptr_t)address % alignment)
        vidmm_kit_raise(STATUS_DATATYPE_MISALIGNMENT, CALLER);
    if ((uintptr_t)address + length < (uintptr_t)address || !address)
        vidmm_kit_raise(STATUS_ACCESS_VIOLATION, CALLER);
}

VOID ProbeForWrite(volatile VOID *address, SIZE_T length, ULONG alignment)
{
    ProbeForRead(address, length, alignment);
}

/* ---- signals ---- */

static NTSTATUS code_of(int number)
{
    return number == SIGFPE   ? STATUS_INTEGER_DIVIDE_BY_ZERO
           : number == SIGBUS ? STATUS_IN_PAGE_ERROR
                              : STATUS_ACCESS_VIOLATION;
}

static int index_of(int number)
{
    return number == SIGSEGV ? 0 : number == SIGBUS ? 1 : 2;
}

/* The place at which the thread goes on after a fault: out of the signal, on its own stack. */
static __thread struct {
    int number;
    void *address;
    const char *instruction;
} fault;

/* The kit's fault, not the driver's. */
static void tell_instruction(void)
{
    const unsigned char *bytes = (const unsigned char *)fault.instruction;

    vidmm_kit_find(fault.instruction + 1, VIDMM_KIT_UNSUPPORTED,
                   "an instruction that touches registers: %02x %02x %02x %02x %02x %02x", bytes[0],
                   bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]);
}

static DECLSPEC_NORETURN void land(void)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    if (fault.number == SIGSEGV && vidmm_kit_mdl_fault(fault.address))
        vidmm_kit_find(fault.instruction + 1, VIDMM_KIT_FREED_MDL, "an access at %p",
                       fault.address);
    else if (fault.number == SIGSEGV && vidmm_kit_in_register_window(fault.address))
        tell_instruction();
    if (thread->seh)
        vidmm_kit_raise(code_of(fault.number), fault.address);
    vidmm_kit_bug_check(PAGE_FAULT_IN_NONPAGED_AREA, (uintptr_t)fault.address, 0, 0, 0);
}

/* The handler brings a page back, and does a plain access to a register, itself. In all other cases
 * it looks, and sends the thread to land(). */
static void handle(int number, siginfo_t *info, void *context)
{
    if (number == SIGSEGV && vidmm_kit_page_in(info->si_addr, vidmm_machine_instruction(context)))
        return;
    bool ended = number == SIGSEGV && vidmm_machine_is_stack(context, info->si_addr); /* I2 */
    bool ours = !ended && (vidmm_kit_in_try() ||
                           (number == SIGSEGV && (vidmm_kit_mdl_fault(info->si_addr) ||
                                                  vidmm_kit_in_register_window(info->si_addr))));

    if (number == SIGSEGV && vidmm_kit_in_register_window(info->si_addr) &&
        vidmm_kit_plain_access(info->si_addr, context))
        return;
    if (!ours) { /* the former handler sees it, at the same instruction */
        sigaction(number, &before[index_of(number)], NULL);
        return;
    }
    fault.number = number;
    fault.address = info->si_addr;
    fault.instruction = vidmm_machine_instruction(context);
    vidmm_machine_go(context, land);
}

void vidmm_kit_seh_start(bool catch_faults)
{
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK}; /* I2 */

    catching = catch_faults;
    sigemptyset(&action.sa_mask);
    for (int i = 0; catch_faults && i < 3; i++)
        sigaction(caught[i], &action, &before[i]);
}

void vidmm_kit_seh_begin_thread(struct _KTHREAD *thread)
{
    stack_t stack;
    void *memory;

    if (!catching || sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0)
        return;
    memory = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    stack = (stack_t){.ss_sp = memory, .ss_size = SIGNAL_STACK};
    if (sigaltstack(&stack, NULL) == 0)
        thread->signal_stack = memory;
    else
        munmap(memory, SIGNAL_STACK);
}

void vidmm_kit_seh_end_thread(struct _KTHREAD *thread)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t now;

    if (!thread->signal_stack)
        return;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == thread->signal_stack)
        sigaltstack(&none, NULL);
    munmap(thread->signal_stack, SIGNAL_STACK);
    thread->signal_stack = NULL;
}

void vidmm_kit_seh_stop(void)
{
    for (int i = 0; catching && i < 3; i++)
        sigaction(caught[i], &before[i], NULL);
    catching = false;
}
