/* memory.h: string.h under its old name. */
#ifndef KIT_MEMORY_H
#define KIT_MEMORY_H
#include "string.h"
#endif
