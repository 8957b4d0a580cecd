/* How far a loop is whose number of turns is known, on a terminal: what internal/progress
 * says of programs that are interpreted. Compiled in with TAILOR_PROGRESS only. */
#include "rt.h"

#ifdef TAILOR_PROGRESS
#include <sys/time.h>

volatile sig_atomic_t tl_progress_due;
static int tl_progress_depth, tl_progress_shown;
static double tl_loop_start;

static void tl_progress_alarm(int number) {
  (void)number;
  tl_progress_due = 1;
}

void tl_progress_begin(void) {
  if (!isatty(STDERR_FILENO)) return;
  struct sigaction action = {.sa_handler = tl_progress_alarm, .sa_flags = SA_RESTART};
  const struct itimerval often = {{0, 100000}, {0, 100000}};
  if (sigaction(SIGALRM, &action, NULL) == 0) setitimer(ITIMER_REAL, &often, NULL);
}

void tl_progress_clear(void) {
  if (!tl_progress_shown) return;
  tl_progress_shown = 0;
  tl_write_all(STDERR_FILENO, "\r\x1b[K", 4);
}

void tl_progress_restart(void) {
  tl_progress_depth = 0;
  tl_progress_clear();
}

void tl_loop_begins(void) {
  if (tl_progress_depth++ == 0) tl_loop_start = tl_now();
}

void tl_loop_ends(void) {
  if (--tl_progress_depth == 0) tl_progress_clear();
}

void tl_progress(int64_t done, int64_t turns, int32_t line) {
  char text[160];
  tl_progress_due = 0;
  double spent = tl_now() - tl_loop_start;
  if (tl_progress_depth != 1 || spent < 0.5 || turns <= 2) return;
  int n = snprintf(text, sizeof text, "\r\x1b[K%3d%%  ", (int)((double)done * 100 / (double)turns));
  if (line > 0) n += snprintf(text + n, sizeof text - (size_t)n, "line %d, ", (int)line);
  n += snprintf(text + n, sizeof text - (size_t)n, "turn %lld of %lld", (long long)done, (long long)turns);
  if (done > 0) n += snprintf(text + n, sizeof text - (size_t)n, ", %.0f s left", spent / (double)done * (double)(turns - done));
  tl_progress_shown = 1;
  tl_write_all(STDERR_FILENO, text, (size_t)n);
}
#endif
