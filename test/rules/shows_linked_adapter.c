/* shows_linked_adapter.c: linked-adapter.def, obeyed. */
#include "rules_rig.h"
