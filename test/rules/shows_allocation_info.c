/* shows_allocation_info.c: allocation-info.def, obeyed. */
#include "rules_rig.h"
