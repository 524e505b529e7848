/* seen_lock1.c: lock1.def broken, and answered. */
#include "rules_rig.h"
