/* shows_renaming.c: renaming.def, obeyed. */
#include "rules_rig.h"
