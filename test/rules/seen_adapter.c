/* seen_adapter.c: adapter.def broken, and answered. */
#include "rules_rig.h"
