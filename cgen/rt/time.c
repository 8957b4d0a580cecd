/* Clocks. */
#include "rt.h"

static double tl_clock_seconds(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double tl_now(void) { return tl_clock_seconds(CLOCK_MONOTONIC); }

void tl_timestamp(int64_t out[7]) {
  struct timespec now;
  struct tm t;
  clock_gettime(CLOCK_REALTIME, &now);
  localtime_r(&now.tv_sec, &t);
  int64_t fields[7] = {t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, now.tv_nsec / 1000000};
  memcpy(out, fields, sizeof fields);
}

static double tl_started;

void tl_clock(int64_t out[4]) {
  out[0] = (int64_t)getuid();
  out[1] = (int64_t)(1e3 * tl_clock_seconds(CLOCK_PROCESS_CPUTIME_ID));
  out[2] = (int64_t)(1e3 * (tl_now() - tl_started));
  out[3] = 0;
}

/* Seconds that the program spent outside of its own computation: reading
 * files and printing. Only the first thread does either. */
static double tl_outside;

void tl_since_outside(double from) { tl_outside += tl_now() - from; }

/* The most memory that the process has had, in kB; getrusage would count what
 * the process was before it became this program. */
static long tl_peak_kb(void) {
  char line[128];
  long kb = 0;
  FILE *f = fopen("/proc/self/status", "re");
  if (f == NULL) return 0;
  while (fgets(line, sizeof line, f) != NULL && sscanf(line, "VmHWM: %ld", &kb) != 1) {
  }
  fclose(f);
  return kb;
}

static long tl_runs_left = -1;

void tl_report_time(double start) {
  double ms = 1e3 * (tl_now() - start - tl_outside);
  const char *runs = getenv("TAILOR_TIME");
  if (runs == NULL) return;
  tl_outside = 0;
  if (tl_runs_left < 0) tl_runs_left = strtol(runs, NULL, 10);
  tl_flush();
  fprintf(stderr, "time_ms: %.6f\n", ms);
  if (tl_runs_left > 1) return;
  long kb = tl_peak_kb();
  if (kb > 0) fprintf(stderr, "peak_kb: %ld\n", kb);
}

int tl_again(void) {
  if (--tl_runs_left <= 0) return 0;
  tl_muted = 1;
  return 1;
}
