/* seen_segment_flags.c: segment-flags.def broken, and answered. */
#include "rules_rig.h"
