/* concurrencysal.h: the analyser's words, under another of their names. */
#ifndef KIT_CONCURRENCYSAL_H
#define KIT_CONCURRENCYSAL_H
#include "sal.h"
#endif
