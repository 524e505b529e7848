/* shows_flags_v1.c: flags-v1.def, obeyed. */
#include "rules_rig.h"
