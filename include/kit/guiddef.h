/* guiddef.h: GUIDs, which the base types bring. */
#include "ntdef.h"
