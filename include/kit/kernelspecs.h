/* kernelspecs.h: the analyser's words, under another of their names. */
#ifndef KIT_KERNELSPECS_H
#define KIT_KERNELSPECS_H
#include "sal.h"
#endif
