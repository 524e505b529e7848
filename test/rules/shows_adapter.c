/* shows_adapter.c: adapter.def, obeyed. */
#include "rules_rig.h"
