/* Displays the arrays on standard input, then formats them, then displays the
 * formatted ones; the print precision precedes each array. */
#include "../../ctest/driver.h"

int main(int argc, char **argv) {
  int64_t pp;
  tl_array a, f;
  tl_init(argc, argv);
  while (fread(&pp, 8, 1, stdin) == 1 && driver_read(&a)) {
    tl_view v = tl_view_of(&a);
    tl_display_pp(&v, (int)pp);
    tl_format(&v, (int)pp, &f);
    v = tl_view_of(&f);
    driver_write(&v);
    tl_drop(&a);
    tl_drop(&f);
  }
  return tl_finish();
}
