/* shows_handles.c: handles.def, obeyed. */
#include "rules_rig.h"
