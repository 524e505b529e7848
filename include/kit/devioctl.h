/* devioctl.h: codes of requests to devices. They stand with the other requests. */
#ifndef KIT_DEVIOCTL_H
#define KIT_DEVIOCTL_H

#include "wdm.h"

#endif /* KIT_DEVIOCTL_H */
