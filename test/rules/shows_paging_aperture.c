/* shows_paging_aperture.c: paging-aperture.def, obeyed. */
#include "rules_rig.h"
