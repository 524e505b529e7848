/* seen_tdr.c: tdr.def broken, and answered. */
#include "rules_rig.h"
