/* shows_protected_vpr_drm.c: protected-vpr-drm.def, obeyed. */
#include "rules_rig.h"
