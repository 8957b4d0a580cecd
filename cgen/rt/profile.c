/* Where a program spends its time and memory, by lines of its source. Compiled in with
 * TAILOR_PROFILE only. The time is that of the thread that the program began on; runs and
 * allocations are those of all threads. */
#include "rt.h"

#ifdef TAILOR_PROFILE
typedef struct {
  int64_t ticks, runs, allocations, bytes;
} tl_cost;

/* What one thread counts; line 0 is what belongs to none. */
typedef struct tl_meter {
  struct tl_meter *next;
  int32_t line;
  int64_t since;
  tl_cost costs[];
} tl_meter;

static tl_meter *tl_meters, *tl_first_meter;
static _Thread_local tl_meter *tl_own_meter;
static int32_t tl_lines; /* 0 where nothing is counted */
static int64_t tl_first_tick;
static double tl_profile_start;

static inline int64_t tl_ticks(void) {
#if defined(__x86_64__)
  return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  int64_t t;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#else
  return (int64_t)(1e9 * tl_now());
#endif
}

/* The meter of this thread, which begins on the line that the program is on; NULL where
 * nothing is counted. */
static tl_meter *tl_meter_here(void) {
  tl_meter *m = tl_own_meter;
  if (m != NULL || tl_lines == 0) return m;
  m = calloc(1, sizeof *m + (size_t)tl_lines * sizeof(tl_cost));
  if (m == NULL) return NULL;
  if (tl_first_meter != NULL) m->line = __atomic_load_n(&tl_first_meter->line, __ATOMIC_RELAXED);
  m->next = __atomic_load_n(&tl_meters, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(&tl_meters, &m->next, m, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
  return tl_own_meter = m;
}

/* The line that runs from now on. */
static tl_meter *tl_turn(int32_t line) {
  tl_meter *m = tl_meter_here();
  if (m == NULL) return NULL;
  if (m == tl_first_meter) {
    int64_t now = tl_ticks();
    m->costs[m->line].ticks += now - m->since;
    m->since = now;
  }
  __atomic_store_n(&m->line, line, __ATOMIC_RELAXED);
  return m;
}

void tl_begin_line(int32_t line) {
  tl_meter *m = tl_turn(line);
  if (m != NULL) m->costs[line].runs++;
}

void tl_resume_line(int32_t line) { tl_turn(line); }

void tl_profile_alloc(int64_t bytes) {
  tl_meter *m = tl_meter_here();
  if (m == NULL) return;
  m->costs[m->line].allocations++;
  m->costs[m->line].bytes += bytes;
}

static void tl_profile_interrupted(int number) {
  tl_profile_end();
  signal(number, SIG_DFL);
  raise(number);
}

void tl_profile_begin(int32_t lines) {
  if (getenv("TAILOR_PROFILE") == NULL) return;
  tl_lines = lines;
  tl_first_meter = tl_meter_here();
  tl_profile_start = tl_now();
  if (tl_first_meter == NULL) return;
  tl_first_meter->since = tl_first_tick = tl_ticks();
  signal(SIGINT, tl_profile_interrupted);
  signal(SIGTERM, tl_profile_interrupted);
}

/* Writes what was counted to the file that the environment names: the seconds of the run,
 * and for each line its number, its share of the ticks, runs, allocations and bytes. */
void tl_profile_end(void) {
  if (tl_first_meter == NULL) return;
  tl_meter *first = tl_turn(0);
  double seconds = tl_now() - tl_profile_start, all = (double)(tl_ticks() - tl_first_tick);
  tl_first_meter = NULL;
  FILE *f = fopen(getenv("TAILOR_PROFILE"), "we");
  if (f == NULL || first == NULL) return;
  fprintf(f, "%.9f\n", seconds);
  for (int32_t i = 0; i < tl_lines; i++) {
    tl_cost sum = {0};
    for (tl_meter *m = tl_meters; m != NULL; m = m->next) {
      sum.ticks += m->costs[i].ticks;
      sum.runs += m->costs[i].runs;
      sum.allocations += m->costs[i].allocations;
      sum.bytes += m->costs[i].bytes;
    }
    if (sum.ticks == 0 && sum.runs == 0 && sum.allocations == 0) continue;
    fprintf(f, "%d %.9f %lld %lld %lld\n", (int)i, all > 0 ? (double)sum.ticks / all : 0.0, (long long)sum.runs,
            (long long)sum.allocations, (long long)sum.bytes);
  }
  fclose(f);
}
#endif
