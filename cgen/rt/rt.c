/* The run-time library as one translation unit. */
#include "rt.h"

#include "array.c"
#include "out.c"
#include "number.c"
#include "display.c"
#include "fault.c"
#include "time.c"
#include "start.c"
#include "math.c"
#include "random.c"
