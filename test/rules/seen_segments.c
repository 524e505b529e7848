/* seen_segments.c: segments.def broken, and answered. */
#include "rules_rig.h"
