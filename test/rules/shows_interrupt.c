/* shows_interrupt.c: interrupt.def, obeyed. */
#include "rules_rig.h"
