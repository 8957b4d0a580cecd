/* Doubles that overflow. A program does not test for them: the processor raises a
 * flag, which is looked at before anything is written, and at the end. Where it is
 * raised the same program runs again from its beginning, compiled with a test of
 * every operation, which stops at the first that overflows, or finds that no result
 * did that is wanted. Output that has been written is not written again. */
#include "rt.h"
#ifdef TAILOR_OPENCL
#include "opencl.h"
#endif
#include <fenv.h>
#include <setjmp.h>

int tl_shared_work;

static jmp_buf tl_beginning;
static int tl_watching; /* a program runs that does not test */

/* Whether the flag is raised on any thread that may have worked. */
static int tl_overflowed(void) {
  int raised = fetestexcept(FE_OVERFLOW) != 0;
#ifdef TAILOR_OPENCL
  raised |= tl_cl_noted();
#endif
#ifdef _OPENMP
  if (tl_shared_work) {
    tl_shared_work = 0;
#pragma omp parallel reduction(| : raised)
    raised |= fetestexcept(FE_OVERFLOW) != 0;
  }
#endif
  return raised;
}

static void tl_clear_overflow(void) {
  feclearexcept(FE_OVERFLOW);
#ifdef _OPENMP
  if (tl_shared_work) {
    tl_shared_work = 0;
#pragma omp parallel
    feclearexcept(FE_OVERFLOW);
  }
#endif
}

_Noreturn void tl_overflow_found(const tl_site *site) {
  if (tl_watching) longjmp(tl_beginning, 1);
  tl_fault_at(site, TL_FLOAT_OVERFLOW, "floating-point overflow");
}

void tl_check_overflow(void) {
#ifdef TAILOR_EMBEDDED
  if (tl_left()) tl_give_up(NULL);
#elif defined TAILOR_LIBRARY
  if (tl_left()) longjmp(tl_entered, 1);
#endif
  if (tl_watching && tl_overflowed()) longjmp(tl_beginning, 1);
}

void tl_run(void (*quick)(void), void (*tested)(void)) {
  static uint64_t random;
  static int64_t mark;
  random = tl_random_state;
  mark = tl_mark_blocks();
  tl_clear_overflow();
  tl_begin_output();
  tl_watching = 1;
  if (setjmp(tl_beginning) == 0) {
    quick();
    tl_check_overflow();
    tl_watching = 0;
    return;
  }
  tl_watching = 0;
  tl_random_state = random;
#ifdef TAILOR_PROGRESS
  tl_progress_restart();
#endif
#ifdef TAILOR_OPENCL
  tl_cl_abandon();
#endif
  tl_free_since(mark);
  tl_repeat_output();
  tested();
  tl_shared_work = 1; /* clear the flags of all threads when the program runs again */
}
