/* shows_io_coherency.c: io-coherency.def, obeyed. */
#include "rules_rig.h"
