/* Twin of testdata/programs/matmul.apl. Arguments: n. Blocks of 64 by 64
 * elements a group of 16 by 16 items, 4 by 4 an item in registers, terms in
 * slices of 16 through local memory. */
#include "host.h"

static const char source[] = DOUBLES SUM_KERNEL
    "__kernel void make(__global double *a, __global double *b, long n) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  a[i] = ((int)((i + 1) % 17) - 8) / 8.0;\n"
    "  b[i] = ((int)(7 * (i + 1) % 13) - 6) / 4.0;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(16, 16, 1)))\n"
    "void product(__global const double *restrict a, __global const double *restrict b, __global double *restrict c, long n) {\n"
    "  __local double ta[16][65], tb[16][65];\n"
    "  int li = get_local_id(1), lj = get_local_id(0), me = li * 16 + lj;\n"
    "  long top = get_group_id(1) * 64, left = get_group_id(0) * 64;\n"
    "  double s[4][4] = {{0}};\n"
    "  for (long k = 0; k < n; k += 16) {\n"
    "    for (int t = me; t < 1024; t += 256) {\n"
    "      int r = t / 16, q = t % 16;\n"
    "      ta[q][r] = top + r < n && k + q < n ? a[(top + r) * n + k + q] : 0;\n"
    "      r = t / 64, q = t % 64;\n"
    "      tb[r][q] = left + q < n && k + r < n ? b[(k + r) * n + left + q] : 0;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int q = 0; q < 16; q++)\n"
    "      for (int i = 0; i < 4; i++)\n"
    "        for (int j = 0; j < 4; j++) s[i][j] += ta[q][li + 16 * i] * tb[q][lj + 16 * j];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  for (int i = 0; i < 4; i++)\n"
    "    for (int j = 0; j < 4; j++) {\n"
    "      long r = top + li + 16 * i, q = left + lj + 16 * j;\n"
    "      if (r < n && q < n) c[r * n + q] = s[i][j];\n"
    "    }\n"
    "}\n";

static int64_t n;
static handle a, b, c, make, product;

static void compute(int last) {
    int64_t all = n * n;
    ARGS3(make, a, b, all);
    launch(make, (size_t)all, 256);
    ARGS4(product, a, b, c, n);
    size_t side = ((size_t)n + 63) / 64 * 16;
    launch2(product, side, side, 16, 16);
    double *m = malloc((size_t)all * 8), s = 0, most = -INFINITY, least = INFINITY, diagonal = 0;
    fetch(c, 0, (size_t)all * 8, m);
    for (int64_t i = 0; i < all; i++) {
        s += m[i];
        most = m[i] > most ? m[i] : most;
        least = m[i] < least ? m[i] : least;
    }
    for (int64_t i = 0; i < n; i++) diagonal += m[i * n + i];
    if (last) apl_print(s, most, least, diagonal), apl_vector(m, 5), apl_vector(m + (n - 1) * n, 5);
    free(m);
}

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 16);
    start(source);
    make = kernel("make"), product = kernel("product");
    size_t bytes = (size_t)(n * n) * 8;
    a = buffer(bytes), b = buffer(bytes), c = buffer(bytes);
    return twice(compute);
}
