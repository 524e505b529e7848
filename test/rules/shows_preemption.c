/* shows_preemption.c: preemption.def, obeyed. */
#include "rules_rig.h"
