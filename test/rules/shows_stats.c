/* shows_stats.c: stats.def, obeyed. */
#include "rules_rig.h"
