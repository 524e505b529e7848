/* shows_paging_transfer.c: paging-transfer.def, obeyed. */
#include "rules_rig.h"
