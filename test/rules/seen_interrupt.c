/* seen_interrupt.c: interrupt.def broken, and answered. */
#include "rules_rig.h"
