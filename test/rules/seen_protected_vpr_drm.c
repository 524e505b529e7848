/* seen_protected_vpr_drm.c: protected-vpr-drm.def broken, and answered. */
#include "rules_rig.h"
