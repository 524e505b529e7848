/* shows_lock1.c: lock1.def, obeyed. */
#include "rules_rig.h"
