/* no_sal2.h: the analyser's words, under another of their names. */
#ifndef KIT_NO_SAL2_H
#define KIT_NO_SAL2_H
#include "sal.h"
#endif
