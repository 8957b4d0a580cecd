/* Letters and their cases. */
#include "rt.h"

#include "cases.h"
