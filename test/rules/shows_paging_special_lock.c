/* shows_paging_special_lock.c: paging-special-lock.def, obeyed. */
#include "rules_rig.h"
