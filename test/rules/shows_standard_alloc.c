/* shows_standard_alloc.c: standard-alloc.def, obeyed. */
#include "rules_rig.h"
