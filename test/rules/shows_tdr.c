/* shows_tdr.c: tdr.def, obeyed. */
#include "rules_rig.h"
