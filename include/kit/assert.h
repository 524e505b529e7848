/* assert.h: a kernel's assertion; NT_ASSERT (wdm_rtl.h) tells its effect. */
#ifndef KIT_ASSERT_H
#define KIT_ASSERT_H

#include "wdm.h"

#undef assert
#define assert(Truth) NT_ASSERT(Truth)
#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif

#endif /* KIT_ASSERT_H */
