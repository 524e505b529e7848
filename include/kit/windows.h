/* windows.h: the part that sources shared with a user-mode half find in a kernel. */
#ifndef KIT_WINDOWS_H
#define KIT_WINDOWS_H

#include "windef.h"
#include "wingdi.h"

#endif /* KIT_WINDOWS_H */
