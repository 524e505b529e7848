/* seen_caps.c: caps.def broken, and answered. */
#include "rules_rig.h"
