/* seen_offer_reclaim.c: offer-reclaim.def broken, and answered. */
#include "rules_rig.h"
