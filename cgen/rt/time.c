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

void tl_report_time(double start) {
  double now = tl_now();
  if (getenv("TAILOR_TIME") == NULL) return;
  tl_flush();
  fprintf(stderr, "time_ms: %.3f\n", 1e3 * (now - start));
}
