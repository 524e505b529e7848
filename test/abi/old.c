/* old.c: the sizes that hold in the interface version this is compiled for. */
#include "check.h"
#include ABI_OLD
HOLDS(sizeof(DRIVER_INITIALIZATION_DATA) >= 496, "a version without rows is compiled all the same");
