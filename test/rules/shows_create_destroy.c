/* shows_create_destroy.c: create-destroy.def, obeyed. */
#include "rules_rig.h"
