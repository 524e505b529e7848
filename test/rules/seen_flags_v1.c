/* seen_flags_v1.c: flags-v1.def broken, and answered. */
#include "rules_rig.h"
