/* A part of the library: scalar functions and random numbers. */
#include "rt.h"

#include "pairs.c"
#include "math.c"
#include "letters.c"
#include "complex.c"
#include "gamma.c"
#include "random.c"
