/* shows_paging_fill.c: paging-fill.def, obeyed. */
#include "rules_rig.h"
