/* program TEMPLATE ARG…: prints some output and then fails. An argument is s:
 * and a shape, i: and an integer, d: and a double, or t: and a text. With the
 * template "alloc" it asks for memory instead: COUNT SIZE. */
#include "../driver.h"

static int64_t shapes[10][TL_MAX_RANK];

static tl_arg argument(const char *s, int64_t *shape) {
  if (s[0] == 'i') return tl_arg_int(strtoll(s + 2, NULL, 10));
  if (s[0] == 'd') return tl_arg_double(strtod(s + 2, NULL));
  if (s[0] == 't') return tl_arg_string(s + 2);
  int rank = 0;
  for (char *p = (char *)s + 2; *p != 0;) shape[rank++] = strtoll(p, &p, 10);
  return tl_arg_shape(rank, shape);
}

int main(int argc, char **argv) {
  tl_arg args[10];
  tl_init(argc, argv);
  tl_out("before\n", 7);
  if (strcmp(argv[1], "alloc") == 0) {
    tl_free(tl_alloc(strtoll(argv[2], NULL, 10), strtoll(argv[3], NULL, 10)));
    return tl_finish();
  }
  for (int i = 2; i < argc; i++) args[i - 2] = argument(argv[i], shapes[i - 2]);
  tl_fault(1, "p.apl:1:2: SOME ERROR: ", argv[1], "E0001", "    1 | x\n", argc - 2, args);
}
