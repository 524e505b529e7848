/* basetsd.h: the base types. */
#include "ntdef.h"
