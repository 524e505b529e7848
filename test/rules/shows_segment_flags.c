/* shows_segment_flags.c: segment-flags.def, obeyed. */
#include "rules_rig.h"
