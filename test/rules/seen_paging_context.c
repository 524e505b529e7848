/* seen_paging_context.c: paging-context.def broken, and answered. */
#include "rules_rig.h"
