/* Random numbers: SplitMix64 (Steele, Lea and Flood, 2014); internal/prng in C. */
#include "rt.h"

/* A seed that the system draws. */
static uint64_t tl_system_seed(void) {
  uint64_t seed = 0;
  FILE *f = fopen("/dev/urandom", "rb");
  if (f != NULL) {
    if (fread(&seed, sizeof seed, 1, f) != 1) seed = 0;
    fclose(f);
  }
  if (seed == 0) seed = (uint64_t)(tl_now() * 1e9) * TL_RANDOM_STEP ^ (uint64_t)getpid();
  return seed >> 1 | 1;
}

/* The seed 0, as which ⍬ counts, stands for one that the system draws. */
int64_t tl_seed(int64_t seed) {
  tl_random_state = seed == 0 ? tl_system_seed() : (uint64_t)seed;
  return seed;
}

int64_t tl_generator(void) { return (int64_t)tl_random_state; }

int64_t tl_draws(int64_t n) {
  int64_t before = tl_generator();
  tl_random_state += (uint64_t)n * TL_RANDOM_STEP;
  return before;
}

/* A table of the places of 1…n that a shuffle has touched. */
typedef struct {
  int64_t *keys, *values; /* keys are 0 where free */
  uint64_t mask;
} tl_places;

static int64_t *tl_place(tl_places *p, int64_t key) {
  uint64_t h = (uint64_t)key * 0x9E3779B97F4A7C15u;
  for (h >>= 20;; h++) {
    uint64_t i = h & p->mask;
    if (p->keys[i] == key) return &p->values[i];
    if (p->keys[i] == 0) {
      p->keys[i] = p->values[i] = key;
      return &p->values[i];
    }
  }
}

/* A shuffle of 1…n that stops after count places; the table stands for the
 * vector, of which most places keep their own number. */
static void tl_deal_sparse(int64_t count, int64_t n, int64_t *out) {
  uint64_t size = 16;
  while (size < 4 * (uint64_t)count) size *= 2;
  tl_places p = {tl_alloc((int64_t)size, 8), tl_alloc((int64_t)size, 8), size - 1};
  memset(p.keys, 0, size * 8);
  for (int64_t i = 1; i <= count; i++) {
    int64_t j = i - 1 + tl_rolli(n - i + 1);
    int64_t *at = tl_place(&p, j);
    out[i - 1] = *at;
    *at = *tl_place(&p, i);
  }
  tl_free(p.keys);
  tl_free(p.values);
}

void tl_deal(int64_t count, int64_t n, int64_t *out) {
  if (n / 8 > count) {
    tl_deal_sparse(count, n, out);
    return;
  }
  int64_t *v = tl_alloc(n, 8);
  for (int64_t i = 0; i < n; i++) v[i] = i + 1;
  for (int64_t i = 0; i < count; i++) {
    int64_t j = i + tl_rolli(n - i) - 1;
    out[i] = v[j];
    v[j] = v[i];
  }
  tl_free(v);
}
