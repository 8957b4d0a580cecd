/* Functions of complex numbers; internal/num/complex.go in C. */
#include "rt.h"

#include "functionsz.h"
