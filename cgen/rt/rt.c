/* The run-time library as one translation unit. Where little of it is needed, its parts
 * are compiled alone. */
#include "rt.h"

#include "base.c"
#include "shown.c"
#include "numeric.c"
#include "sets.c"
#include "nearest.c"
#include "translate.c"
#include "files.c"
#include "algebra.c"
#ifdef TAILOR_OPENCL
#include "opencl.c"
#ifdef TAILOR_EMBEDDED
#include "embedcl.c"
#endif
#endif
