/* shows_threading.c: threading.def, obeyed. */
#include "rules_rig.h"
