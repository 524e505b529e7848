/* sdkddkver.h: versions of Windows as numbers. They stand with the target. */
#ifndef KIT_SDKDDKVER_H
#define KIT_SDKDDKVER_H

#include "kit_compiler.h"

#define OSVERSION_MASK 0xFFFF0000
#define SPVERSION_MASK 0x0000FF00
#define SUBVERSION_MASK 0x000000FF
#define OSVER(Version) ((Version)&OSVERSION_MASK)
#define SPVER(Version) (((Version)&SPVERSION_MASK) >> 8)
#define SUBVER(Version) ((Version)&SUBVERSION_MASK)

#endif /* KIT_SDKDDKVER_H */
