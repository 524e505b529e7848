/*
 * wdm.h: the kernel, as a driver sees it. One header a family; this one includes them all.
 *
 *     ntdef.h    base types              wdm_hal.h  registers, ports, resource lists
 *     wdm_ke.h   levels, locks, waits    wdm_ps.h   threads, objects, registry, files
 *     wdm_ex.h   pools, lists            wdm_rtl.h  memory, text, bitmaps, debug output
 *     wdm_mm.h   physical memory, MDLs   wdm_io.h   devices, requests, power
 *     wdm_rare.h what is declared, and only reported when it is called
 */
#ifndef KIT_WDM_H
#define KIT_WDM_H

#include "ntdef.h"
#include "wdm_ke.h"
#include "wdm_ex.h"
#include "wdm_mm.h"
#include "wdm_hal.h"
#include "wdm_ps.h"
#include "wdm_rtl.h"
#include "wdm_io.h"
#include "wdm_rare.h"
#include "excpt.h"
#include "intrin.h"
#include "bugcodes.h"
#include "kit_status.h"

#endif /* KIT_WDM_H */
