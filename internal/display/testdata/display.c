/* Displays the arrays on standard input, in both ways, and writes what ⍕ makes
 * of them; the print precision precedes each array, and the left argument of
 * dyadic ⍕ follows it. */
#include "../../ctest/driver.h"

int main(int argc, char **argv) {
  int64_t pp;
  static const tl_site site = {"", ""};
  tl_array a, f, by;
  tl_init(argc, argv);
  while (fread(&pp, 8, 1, stdin) == 1 && driver_read(&a) && driver_read(&by)) {
    tl_view v = tl_view_of(&a);
    tl_display_pp(&v, (int)pp);
    tl_print_bare(&v, (int)pp);
    tl_format(&v, (int)pp, &f);
    tl_view r = tl_view_of(&f), left = tl_view_of(&by);
    driver_write(&r);
    if (a.elem != TL_CHAR) {
      tl_drop(&f);
      tl_format_by(&site, &left, &v, &f);
      r = tl_view_of(&f);
      driver_write(&r);
    }
    tl_drop(&by);
    tl_drop(&a);
    tl_drop(&f);
  }
  return tl_finish();
}
