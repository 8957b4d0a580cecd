/* Start and end of a program. */
#include "rt.h"
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Blocks that are too small for tl_keep_spare stay in malloc's heap when they are
 * freed. The heap is extended once, so that all of it but its head is in huge pages: the
 * system takes longer for a page than a program to fill it. What is not touched takes no
 * memory. */
static void tl_keep_memory(void) {
#ifdef __GLIBC__
  enum { first = 1 << 18, page = 1 << 21, reserve = 1 << 28 };
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#if defined(MADV_HUGEPAGE) && !defined(TAILOR_EMBEDDED)
  mallopt(M_TOP_PAD, reserve);
  /* The first block is larger than what libraries have left of the heap before main. malloc
   * writes to the page behind it: a huge page begins behind that. */
  char *p = malloc(first), *end = sbrk(0);
  char *from = p + 2 * first + (-(uintptr_t)(p + 2 * first) & (page - 1));
  if (p != NULL && end > from && end - p <= 2 * (ptrdiff_t)reserve && madvise(from, (size_t)(end - from), MADV_HUGEPAGE) == 0)
    tl_huge_from = from;
  free(p);
#endif
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

TL_STATE uintptr_t tl_stack_end;

/* The stack grows until the limit in force when it grows, so raising the soft
 * limit gives deep recursion room. A part is kept for the library itself. */
static void tl_widen_stack(void) {
  const rlim_t want = (rlim_t)1 << 26, spare = (rlim_t)1 << 18;
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < want) {
    rlim_t old = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > want ? want : limit.rlim_max;
    if (setrlimit(RLIMIT_STACK, &limit) != 0) limit.rlim_cur = old;
  }
  rlim_t size = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > want ? want : limit.rlim_cur;
  uintptr_t top = (uintptr_t)__builtin_frame_address(0);
  if (size > 2 * spare) tl_stack_end = top - (uintptr_t)(size - spare);
}

TL_STATE double tl_ct = 1E-14;
TL_STATE uint64_t tl_random_state = 16807; /* Dyalog's initial ⎕RL */

int tl_argc;
char **tl_argv;

/* Threads that wait for work spin: with more threads than free processors those
 * that have work wait for them. The program starts again with a bound of some
 * microseconds, unless the user has set one: the libraries read it before main. */
static void tl_bound_spinning(char **argv) {
#ifdef _OPENMP
  if (getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL || getenv("KMP_BLOCKTIME") != NULL) return;
  setenv("GOMP_SPINCOUNT", "1000", 1);
  setenv("KMP_BLOCKTIME", "0", 1);
  execv("/proc/self/exe", argv);
#else
  (void)argv;
#endif
}

void tl_init(int argc, char **argv) {
  tl_bound_spinning(argv);
  tl_argc = argc;
  tl_argv = argv;
  signal(SIGPIPE, SIG_IGN); /* so that tl_flush sees a closed pipe */
  tl_keep_memory();
  tl_widen_stack();
  tl_interactive = isatty(STDOUT_FILENO);
  tl_started = tl_now();
}

int tl_finish(void) {
  tl_flush();
#ifdef TAILOR_PROFILE
  tl_profile_end();
#endif
  return 0;
}
