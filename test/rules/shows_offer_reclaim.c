/* shows_offer_reclaim.c: offer-reclaim.def, obeyed. */
#include "rules_rig.h"
