/*
 * excpt.h: __try, __except, __finally, __leave.
 *
 *     __try { body }                 a fault in body (SIGSEGV, SIGBUS, SIGFPE), or ExRaiseStatus,
 *     __except (filter) { handler }  comes here if the filter says so; otherwise it goes outward
 *
 * Each thread has a stack of frames. __try pushes one, which leaves the stack when its scope is
 * left, by whatever way: in C++ a destructor sees to that, in C __attribute__((cleanup)). The
 * filter runs after the stack was unwound, so EXCEPTION_CONTINUE_EXECUTION cannot be had (finding
 * K-033).
 *
 * Limits:
 *  - A local that the body changes and the handler reads lives in memory if the function is
 *    compiled without optimisation, as the kit's flags do; otherwise it must be volatile.
 *  - In C the statement is a loop that runs once: `break` and `continue` of an outer loop, said
 *    directly in the body, leave only the __try. In C++ (17) they mean what they say.
 *  - __finally runs after the body has come to its end or was left by a fault or __leave. A body
 *    left by return or goto does not run it.
 *  - C++ destructors between the fault and the __try do not run, as with /EHa- drivers.
 *
 * Source: "Structured exception handling" of the compiler's reference.
 */
#ifndef KIT_EXCPT_H
#define KIT_EXCPT_H

#include "kit_compiler.h"
#include "ntdef.h"

KIT_BEGIN

#define EXCEPTION_EXECUTE_HANDLER 1
#define EXCEPTION_CONTINUE_SEARCH 0
#define EXCEPTION_CONTINUE_EXECUTION (-1)
#define EXCEPTION_NONCONTINUABLE 0x1
#define EXCEPTION_MAXIMUM_PARAMETERS 15

typedef struct _EXCEPTION_RECORD {
    NTSTATUS ExceptionCode;
    ULONG ExceptionFlags;
    struct _EXCEPTION_RECORD *ExceptionRecord;
    PVOID ExceptionAddress; /* the address that faulted in memory, for an access violation */
    ULONG NumberParameters;
    ULONG_PTR ExceptionInformation[EXCEPTION_MAXIMUM_PARAMETERS];
} EXCEPTION_RECORD, *PEXCEPTION_RECORD;

typedef struct _CONTEXT *PCONTEXT;

typedef struct _EXCEPTION_POINTERS {
    PEXCEPTION_RECORD ExceptionRecord;
    PCONTEXT ContextRecord; /* NULL: the registers are gone */
} EXCEPTION_POINTERS, *PEXCEPTION_POINTERS;

/* A frame. Registers first: the kit hands them to libc's longjmp. */
struct vidmm_kit_seh {
    unsigned long long registers[40];
    struct vidmm_kit_seh *outer;
    int state;            /* 0 fresh, 1 on the stack, 2 off it */
    unsigned int endings; /* __finally blocks that were running when it came */
} __attribute__((aligned(16)));

int vidmm_kit_seh_registers(void *Registers) __asm__("_setjmp") __attribute__((returns_twice));
void *vidmm_kit_seh_push(struct vidmm_kit_seh *Frame);
void vidmm_kit_seh_pop(struct vidmm_kit_seh *Frame);
int vidmm_kit_seh_filter(int Answer);   /* 1: run the handler; does not return if it goes outward */
int vidmm_kit_seh_begin_finally(void);  /* remember what is to go outward after it; answers 1 */
void vidmm_kit_seh_go_on(void *Unused); /* and let it go */
int vidmm_kit_seh_abnormal(void);       /* in a __finally: was the body left by an exception */
NTSTATUS vidmm_kit_seh_code(void);
PEXCEPTION_POINTERS vidmm_kit_seh_pointers(void);

KIT_END

#undef __try
#undef __except
#undef __finally
#undef __leave
#ifdef __cplusplus
struct vidmm_kit_seh_scope {
    vidmm_kit_seh Frame;
    vidmm_kit_seh_scope()
    {
        Frame.state = 0;
    }
    ~vidmm_kit_seh_scope()
    {
        vidmm_kit_seh_pop(&Frame);
    }
};
struct vidmm_kit_seh_finally {
    int Left;
    vidmm_kit_seh_finally() : Left(vidmm_kit_seh_begin_finally())
    {
    }
    ~vidmm_kit_seh_finally()
    {
        vidmm_kit_seh_go_on(0);
    }
};
#define __try KIT_TRY(KIT_GLUE(kit_seh_scope_, __LINE__))
#define KIT_TRY(Scope)                                                                             \
    if (vidmm_kit_seh_scope Scope; vidmm_kit_seh_registers(vidmm_kit_seh_push(&Scope.Frame)) == 0)
#define __finally                                                                                  \
    else(void) 0;                                                                                  \
    KIT_FINALLY(KIT_GLUE(kit_seh_finally_, __LINE__))
#define KIT_FINALLY(Left_) for (vidmm_kit_seh_finally Left_; Left_.Left--;)
#else
#define __try KIT_TRY(KIT_GLUE(kit_seh_frame_, __LINE__))
#define KIT_TRY(Frame)                                                                             \
    for (struct vidmm_kit_seh Frame __attribute__((cleanup(vidmm_kit_seh_pop))) = {.state = 0};    \
         Frame.state == 0;)                                                                        \
        if (vidmm_kit_seh_registers(vidmm_kit_seh_push(&Frame)) == 0)
#define __finally                                                                                  \
    else(void) 0;                                                                                  \
    KIT_FINALLY(KIT_GLUE(kit_seh_finally_, __LINE__))
#define KIT_FINALLY(Left)                                                                          \
    for (int Left __attribute__((cleanup(vidmm_kit_seh_go_on))) = vidmm_kit_seh_begin_finally();   \
         Left--;)
#endif
/* clang-format takes the macro for the statement and parts it from its parameter. */
/* clang-format off */
#define __except(Filter) else if (vidmm_kit_seh_filter(Filter))
/* clang-format on */
#define __leave vidmm_kit_seh_leave()

KIT_BEGIN
/* Leave the body of the innermost __try, as if it had come to its end. */
DECLSPEC_NORETURN void vidmm_kit_seh_leave(void);
KIT_END

#define GetExceptionCode() vidmm_kit_seh_code()
#define _exception_code() vidmm_kit_seh_code()
#define GetExceptionInformation() vidmm_kit_seh_pointers()
#define _exception_info() vidmm_kit_seh_pointers()
#define AbnormalTermination() vidmm_kit_seh_abnormal()
#define _abnormal_termination() vidmm_kit_seh_abnormal()

#endif /* KIT_EXCPT_H */
