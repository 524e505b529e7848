/*
 * assert.h: assertions, each at the place where it must hold.
 *
 * VIDMM_ASSERT(x)   cheap; in every build except one with NDEBUG.
 * A failed assertion stops the program: the state is no longer what the code after it relies on.
 * A kernel gives its own way to stop with -DVIDMM_ASSERTION_FAILED(text,file,line)=...
 */
#ifndef VIDMM_BASE_ASSERT_H
#define VIDMM_BASE_ASSERT_H

#ifndef VIDMM_ASSERTION_FAILED
#define VIDMM_ASSERTION_FAILED(text, file, line) __builtin_trap()
#endif

/* Checked in every build: the assertions of the _check() functions, which are called on purpose. */
#define VIDMM_VERIFY(x) ((x) ? (void)0 : VIDMM_ASSERTION_FAILED(#x, __FILE__, __LINE__))

#ifdef NDEBUG
#define VIDMM_ASSERT(x) ((void)0)
#else
#define VIDMM_ASSERT(x) VIDMM_VERIFY(x)
#endif

#endif
