/* A part of the library: systems of linear equations. */
#include "rt.h"

#include "linear.c"
#include "linearz.c"
