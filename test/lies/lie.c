/* lie.c: which manager is in this program. Compiled with the switch that the manager is. */
#include "lies.h"

#include "vidmm/lies.h"

const int lies_switch = VIDMM_LIE;
