/* seen_standard_alloc.c: standard-alloc.def broken, and answered. */
#include "rules_rig.h"
