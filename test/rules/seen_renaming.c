/* seen_renaming.c: renaming.def broken, and answered. */
#include "rules_rig.h"
