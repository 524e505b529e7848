// part.cpp: in a static library.
#include "part.h"

int Part()
{
    return 42;
}
