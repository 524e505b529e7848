/* dderror.h: the results that video miniports answer with, which are those of user mode. */
#ifndef KIT_DDERROR_H
#define KIT_DDERROR_H

#include "winerror.h"

#endif /* KIT_DDERROR_H */
