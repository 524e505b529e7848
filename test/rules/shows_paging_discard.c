/* shows_paging_discard.c: paging-discard.def, obeyed. */
#include "rules_rig.h"
