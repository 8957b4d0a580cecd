/* A part of the library: memory, output, numbers as text, faults and how a program starts. Every program needs it. */
#include "rt.h"

#include "memory.c"
#include "array.c"
#include "places.c"
#include "time.c"
#include "start.c"
#include "out.c"
#include "overflow.c"
#include "library.c"
#include "number.c"
#include "fault.c"
#include "session.c"
