/* program OPERATION NAME ELEM RANK: reads a file and writes the array that is
 * in it, or fails as compiled code would. With write operations the array
 * comes from standard input and the result is the number of bytes. */
#include "../../ctest/driver.h"

static const tl_site site = {"p.apl:1:1: ", "    1 | x\n"};

static void number_of_bytes(int64_t n) {
  tl_view v = {TL_I64, 0, NULL, &n};
  driver_write(&v);
}

int main(int argc, char **argv) {
  tl_array name, a;
  tl_init(argc, argv);
  if (tl_arg_count() != 4) return 2;
  tl_arg_text(2, &name);
  tl_view n = tl_view_of(&name), v;
  int elem = atoi(argv[3]), rank = atoi(argv[4]);
  if (strcmp(argv[1], "text") == 0) {
    tl_read_text(&site, &n, &a);
  } else if (strcmp(argv[1], "csv") == 0) {
    tl_read_csv(&site, &n, elem, &a);
  } else if (strcmp(argv[1], "npy") == 0) {
    tl_read_npy(&site, &n, elem, rank, &a);
  } else if (strcmp(argv[1], "number") == 0) {
    double d = tl_parse_number(&site, &n);
    v = (tl_view){TL_F64, 0, NULL, &d};
    driver_write(&v);
    tl_drop(&name);
    return tl_finish();
  } else {
    if (!driver_read(&a)) return 2;
    v = tl_view_of(&a);
    number_of_bytes(strcmp(argv[1], "writenpy") == 0 ? tl_write_npy(&site, &v, &n) : tl_write_text(&site, &v, &n));
    tl_drop(&a);
    tl_drop(&name);
    return tl_finish();
  }
  v = tl_view_of(&a);
  driver_write(&v);
  tl_drop(&a);
  tl_drop(&name);
  return tl_finish();
}
