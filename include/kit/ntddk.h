/* ntddk.h: the kernel, as most drivers include it. */
#ifndef KIT_NTDDK_H
#define KIT_NTDDK_H

#include "wdm.h"
#include "stdlib.h"

KIT_BEGIN

/* Which processor features there are. */
#define PF_XMMI_INSTRUCTIONS_AVAILABLE 6
#define PF_RDTSC_INSTRUCTION_AVAILABLE 8
#define PF_XMMI64_INSTRUCTIONS_AVAILABLE 10
#define PF_SSE3_INSTRUCTIONS_AVAILABLE 13

/* A page of user memory that every process shares: not there in user space. */
#define MM_SYSTEM_RANGE_START ((PVOID)0xFFFF800000000000ULL)

KIT_END

#endif /* KIT_NTDDK_H */
