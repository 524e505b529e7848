/* seen_power.c: power.def broken, and answered. */
#include "rules_rig.h"
