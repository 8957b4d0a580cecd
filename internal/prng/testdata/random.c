/* Writes what a random program draws; c_test.go draws the same. */
#include "../../ctest/driver.h"

static void write_ints(int64_t n, const int64_t *v) {
  tl_view view = {TL_I64, 1, &n, v};
  driver_write(&view);
}

int main(int argc, char **argv) {
  int64_t v[1000];
  double d[100];
  tl_init(argc, argv);
  for (int i = 0; i < 1000; i++) v[i] = tl_rolli(i % 3 == 0 ? 6 : i % 3 == 1 ? (int64_t)3 << 61 : i + 1);
  write_ints(1000, v);
  tl_deal(100, 120, v);
  write_ints(100, v);
  tl_deal(100, (int64_t)1 << 50, v);
  write_ints(100, v);
  tl_deal(900, 8000, v);
  write_ints(900, v);
  tl_deal(0, 0, v);
  tl_seed(-42);
  int64_t n = 100;
  for (int i = 0; i < n; i++) d[i] = tl_rolld();
  tl_view view = {TL_F64, 1, &n, d};
  driver_write(&view);
  int64_t state = tl_draws(100);
  for (int i = 0; i < n; i++) d[i] = tl_rolld_at(state, i);
  driver_write(&view);
  for (int i = 0; i < 1000; i++)
    v[i] = i % 4 == 1 ? tl_rolli_at(state, i, (int64_t)3 << 61) : tl_roll32_at(state, i, i % 4 == 0 ? (int64_t)6 : i % 4 == 2 ? (int64_t)0xFFFFFFFF : i + 1);
  write_ints(1000, v);
  v[0] = tl_generator();
  write_ints(1, v);
  return tl_finish();
}
