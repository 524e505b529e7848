/* specstrings_strict.h: the analyser's words, under another of their names. */
#ifndef KIT_SPECSTRINGS_STRICT_H
#define KIT_SPECSTRINGS_STRICT_H
#include "sal.h"
#endif
