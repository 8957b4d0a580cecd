/* gcc 12.0 to 12.2 with AVX-512 copies {1, 1, 0, 0} from constants as {1, 1, 1, 1}:
 * a constant of 256 bits whose words from some place on are zeros is taken for
 * the broadcast of its first word. Copies of at most 128 bits are right. */
#include <stdint.h>
#include <string.h>

static const int64_t ones[] = {1, 1, 0, 0, 0, 0, 0};
static const int64_t threes[] = {3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};

__attribute__((noinline)) static void copy(int64_t *a, int64_t *b) {
  memcpy(a, ones, sizeof ones);
  memcpy(b, threes, sizeof threes);
}

int main(void) {
  volatile int64_t sums[2] = {0, 0};
  int64_t a[7], b[12];
  copy(a, b);
  for (int i = 0; i < 7; i++) sums[0] += a[i];
  for (int i = 0; i < 12; i++) sums[1] += b[i];
  return sums[0] != 2 || sums[1] != 9;
}
