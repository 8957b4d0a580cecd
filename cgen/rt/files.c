/* A part of the library: files. */
#include "rt.h"

#include "file.c"
#include "csv.c"
#include "npy.c"
