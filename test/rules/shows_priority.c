/* shows_priority.c: priority.def, obeyed. */
#include "rules_rig.h"
