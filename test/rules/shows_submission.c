/* shows_submission.c: submission.def, obeyed. */
#include "rules_rig.h"
