/* ntddk.h: the kernel, as most drivers include it. */
#ifndef KIT_NTDDK_H
#define KIT_NTDDK_H

#include "wdm.h"
#include "stdlib.h"
#include "wdm_table.h"

#define _NTDDK_

KIT_BEGIN

/* The processor features that exist. */
#define PF_FLOATING_POINT_PRECISION_ERRATA 0
#define PF_FLOATING_POINT_EMULATED 1
#define PF_COMPARE_EXCHANGE_DOUBLE 2
#define PF_MMX_INSTRUCTIONS_AVAILABLE 3
#define PF_XMMI_INSTRUCTIONS_AVAILABLE 6
#define PF_3DNOW_INSTRUCTIONS_AVAILABLE 7
#define PF_RDTSC_INSTRUCTION_AVAILABLE 8
#define PF_PAE_ENABLED 9
#define PF_XMMI64_INSTRUCTIONS_AVAILABLE 10
#define PF_NX_ENABLED 12
#define PF_SSE3_INSTRUCTIONS_AVAILABLE 13
#define PF_COMPARE_EXCHANGE128 14
#define PF_XSAVE_ENABLED 17

/* A page of user memory that every process shares: not there in user space. */
#define MM_SYSTEM_RANGE_START ((PVOID)0xFFFF800000000000ULL)

KIT_END

#endif /* KIT_NTDDK_H */
