/* winddi.h: common headers of display drivers include it; of its names those of pictures
 * suffice. */
#ifndef KIT_WINDDI_H
#define KIT_WINDDI_H

#include "wingdi.h"

#endif /* KIT_WINDDI_H */
