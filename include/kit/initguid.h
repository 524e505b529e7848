/* initguid.h: from here on DEFINE_GUID defines, where it declared before. */
#ifndef INITGUID
#define INITGUID
#endif
#include "ntdef.h"
#undef DEFINE_GUID
#define DEFINE_GUID(Name, L, W1, W2, B1, B2, B3, B4, B5, B6, B7, B8)                               \
    EXTERN_C const GUID Name __attribute__((weak));                                                \
    const GUID Name = {L, W1, W2, {B1, B2, B3, B4, B5, B6, B7, B8}}
