/* A part of the library: the display of arrays. */
#include "rt.h"

#include "display.c"
#include "picture.c"
#include "formatby.c"
