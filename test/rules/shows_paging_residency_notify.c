/* shows_paging_residency_notify.c: paging-residency-notify.def, obeyed. */
#include "rules_rig.h"
