/* seen_allocation_info.c: allocation-info.def broken, and answered. */
#include "rules_rig.h"
