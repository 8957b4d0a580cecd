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
  enum { MANY = 100003 };
  static double many[MANY];
  static int8_t small[MANY];
  static int64_t large[MANY];
  n = MANY;
  tl_roll_all(many, TL_F64, n, 0);
  view.data = many;
  driver_write(&view);
  tl_roll_all(small, TL_I8, n, 6);
  for (int i = 0; i < n; i++) large[i] = small[i];
  write_ints(n, large);
  tl_roll_all(large, TL_I64, n, (int64_t)3 << 61); /* some are drawn again */
  write_ints(n, large);
  tl_roll_all(large, TL_I64, n, (int64_t)1 << 62);
  write_ints(n, large);
  tl_roll_all(large, TL_I64, 1000, 10);
  write_ints(1000, large);
  return tl_finish();
}
