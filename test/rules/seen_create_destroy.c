/* seen_create_destroy.c: create-destroy.def broken, and answered. */
#include "rules_rig.h"
