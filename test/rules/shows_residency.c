/* shows_residency.c: residency.def, obeyed. */
#include "rules_rig.h"
