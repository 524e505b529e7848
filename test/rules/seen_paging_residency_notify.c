/* seen_paging_residency_notify.c: paging-residency-notify.def broken, and answered. */
#include "rules_rig.h"
