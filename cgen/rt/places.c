/* The table by which filters find the ones of a byte. */
#include "rt.h"

uint16_t tl_ones[256][8] __attribute__((aligned(16)));

__attribute__((constructor)) static void find_ones(void) {
  for (int byte = 0; byte < 256; byte++)
    for (int k = 0, n = 0; k < 8; k++)
      if (byte >> k & 1) tl_ones[byte][n++] = (uint16_t)k;
}
