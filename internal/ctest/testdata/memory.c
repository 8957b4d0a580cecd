/* Allocates and frees blocks of all sizes and checks that they are aligned, do
 * not overlap, and that the limit holds. */
#include "../driver.h"

enum { BLOCKS = 40 };

static void fail(const char *text) {
  fprintf(stderr, "%s\n", text);
  exit(1);
}

/* The first and last words of a block tell whose it is. */
static void mark(char *p, int64_t n, int64_t owner) {
  memcpy(p, &owner, 8);
  memcpy(p + n - 8, &owner, 8);
}
static void check(const char *p, int64_t n, int64_t owner) {
  if (memcmp(p, &owner, 8) != 0 || memcmp(p + n - 8, &owner, 8) != 0) fail("blocks overlap");
}

int main(int argc, char **argv) {
  char *blocks[BLOCKS] = {NULL};
  int64_t sizes[BLOCKS] = {0}, refused = 0;
  tl_init(argc, argv);
  for (int64_t round = 0; round < 4000; round++) {
    int64_t i = tl_rolli(BLOCKS) - 1;
    if (blocks[i] != NULL) check(blocks[i], sizes[i], i);
    tl_free(blocks[i]);
    sizes[i] = 16 + (tl_rolli((int64_t)1 << 25) >> (tl_rolli(24) - 1));
    blocks[i] = tl_try_alloc(sizes[i], 1);
    refused += blocks[i] == NULL;
    if ((uintptr_t)blocks[i] % 64 != 0) fail("not aligned");
    if (blocks[i] != NULL) mark(blocks[i], sizes[i], i);
  }
  for (int64_t i = 0; i < BLOCKS; i++) {
    if (blocks[i] != NULL) check(blocks[i], sizes[i], i);
    tl_free(blocks[i]);
  }
  if (refused == 0) fail("the limit does not hold");
  char *all = tl_try_alloc(((int64_t)1 << 26) - ((int64_t)1 << 22), 1);
  if (all == NULL) fail("spare blocks are not given back");
  tl_free(all);
  return tl_finish();
}
