/* Pairs of doubles; internal/num/pairs.go, powers.go. */
#include "rt.h"

#include "pairs.h"
