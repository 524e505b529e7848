/* shows_caps.c: caps.def, obeyed. */
#include "rules_rig.h"
