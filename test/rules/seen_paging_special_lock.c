/* seen_paging_special_lock.c: paging-special-lock.def broken, and answered. */
#include "rules_rig.h"
