/* lie.c: which manager is in this program: -DLIE=n stands for the one with the edit of lie n. */
#include "lies.h"

#ifndef LIE
#define LIE LIE_NONE
#endif

const int lies_switch = LIE;
