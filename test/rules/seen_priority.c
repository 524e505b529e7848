/* seen_priority.c: priority.def broken, and answered. */
#include "rules_rig.h"
