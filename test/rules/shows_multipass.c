/* shows_multipass.c: multipass.def, obeyed. */
#include "rules_rig.h"
