/* dxgiddi.h: the layout of a primary. It stands with what else both halves of a driver know. */
#ifndef KIT_DXGIDDI_H
#define KIT_DXGIDDI_H

#include "d3d10umddi.h"

#endif /* KIT_DXGIDDI_H */
