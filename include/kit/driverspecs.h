/* driverspecs.h: the analyser's words, under another of their names. */
#ifndef KIT_DRIVERSPECS_H
#define KIT_DRIVERSPECS_H
#include "sal.h"
#endif
