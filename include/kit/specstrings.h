/* specstrings.h: the analyser's words, under another of their names. */
#ifndef KIT_SPECSTRINGS_H
#define KIT_SPECSTRINGS_H
#include "sal.h"
#endif
