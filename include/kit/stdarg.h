/* stdarg.h: arguments beyond the named ones. */
#ifndef KIT_STDARG_H
#define KIT_STDARG_H

#include "kit_compiler.h"

typedef __builtin_va_list va_list;
#undef va_start
#undef va_arg
#undef va_copy
#undef va_end
#define va_start(List, Last) __builtin_va_start(List, Last)
#define va_arg(List, Type) __builtin_va_arg(List, Type)
#define va_copy(To, From) __builtin_va_copy(To, From)
#define va_end(List) __builtin_va_end(List)

#endif /* KIT_STDARG_H */
