/* A program as a shared object, one function of which another process calls. A fault
 * returns from that function instead of ending the process: who called it finds out
 * elsewhere what is wrong. */
#include "rt.h"

#ifdef TAILOR_LIBRARY
#include <fenv.h>
#include <pthread.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#ifdef TAILOR_EMBEDDED
TL_STATE jmp_buf *tl_entered_at;
#else
jmp_buf tl_entered;
#endif

/* Where the stack of this thread ends, but for a part that the library itself needs.
 * The thread is one of the caller's. */
static uintptr_t tl_find_stack_end(void) {
  const size_t spare = (size_t)1 << 18;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
#ifdef __GLIBC__
  pthread_attr_t attributes;
  void *low;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    int known = pthread_attr_getstack(&attributes, &low, &size) == 0;
    pthread_attr_destroy(&attributes);
    if (known && size > 2 * spare && here > (uintptr_t)low + 2 * spare) return (uintptr_t)low + spare;
  }
#endif
  return here - spare;
}

static TL_STATE int64_t tl_entry_mark; /* the blocks in use when the function was called */

void tl_enter(void) {
  static _Thread_local uintptr_t end;
  tl_entry_mark = tl_mark_blocks();
  if (end == 0) end = tl_find_stack_end();
  tl_stack_end = end;
#ifdef __SSE__
  _mm_setcsr(_mm_getcsr() & ~(unsigned)_MM_EXCEPT_MASK);
#else
  feclearexcept(FE_OVERFLOW);
#endif
}

int tl_left(void) {
#ifdef TAILOR_EMBEDDED
  if (!tl_noticing) return 0;
#endif
#ifdef __SSE__
  return (_mm_getcsr() & _MM_EXCEPT_OVERFLOW) != 0;
#else
  return fetestexcept(FE_OVERFLOW) != 0;
#endif
}

int tl_leave(int failed) {
  if (failed) tl_free_since(tl_entry_mark);
  return failed;
}

void tailor_free(void *p) { tl_free(p); }
#endif
