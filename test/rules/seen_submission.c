/* seen_submission.c: submission.def broken, and answered. */
#include "rules_rig.h"
