/* shows_paging_context.c: paging-context.def, obeyed. */
#include "rules_rig.h"
