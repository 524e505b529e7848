/* seen_io_coherency.c: io-coherency.def broken, and answered. */
#include "rules_rig.h"
