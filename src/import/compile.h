/*
 * compile.h: `vidmm kit cc` and `vidmm kit c++`, a compiler's command line with a driver's
 * flags.
 *
 *     a.c, b.cpp  --includes-->  OUTPUT.kit/  --compiler-->  objects  --version script-->  x.so
 *
 * Arguments are the compiler's and are handed on. Sources are compiled one by one, each in the
 * language of its suffix (c++ takes .c too). Without -c, -E, -S, -M, -MM and -fsyntax-only the
 * objects are linked to a shared object that exports DriverEntry.
 */
#ifndef VIDMM_IMPORT_COMPILE_H
#define VIDMM_IMPORT_COMPILE_H

#include "import/place.h"

/* Compile and link by arguments[0 .. count - 1]. Answers the exit status: the compiler's, or 2. */
int vidmm_kit_compile(enum vidmm_kit_language language, int count, char *const *arguments);

#endif
