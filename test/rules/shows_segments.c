/* shows_segments.c: segments.def, obeyed. */
#include "rules_rig.h"
