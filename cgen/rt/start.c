/* Start and end of a program. */
#include "rt.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Large blocks that a program frees are kept for its next ones: giving them
 * back would cost a page fault for every 4096 bytes of every intermediate. */
static void tl_keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

static int tl_argc;
static char **tl_argv;

void tl_init(int argc, char **argv) {
  tl_argc = argc;
  tl_argv = argv;
  tl_keep_memory();
  tl_started = tl_now();
}

int tl_finish(void) {
  tl_flush();
  return 0;
}
