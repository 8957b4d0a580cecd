/* A part of the library: order, sorting and look-up. */
#include "rt.h"

#include "order.c"
#include "packed.c"
#include "sort.c"
#include "direct.c"
#include "hashed.c"
#include "search.c"
#include "items.c"
