/* Twin of scan.apl. Arguments: n, steps. Sums of blocks of 1024, their running
 * sums by one group, and the blocks themselves. */
#include "host.h"

static const char source[] = DOUBLES
    "__kernel void make(__global double *x, long n) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i < n) x[i] = ((int)(i + 1) % 1009) / 1009.0;\n"
    "}\n"
    "double before(double mine, __local double *line) {\n" /* sum of the items to the left */
    "  int me = get_local_id(0);\n"
    "  line[me] = mine;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int by = 1; by < 256; by *= 2) {\n"
    "    double other = me >= by ? line[me - by] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    line[me] += other;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  return line[me] - mine;\n"
    "}\n"
    "__kernel void totals(__global const double *x, long n, __global double *sums) {\n"
    "  __local double line[256];\n"
    "  long at = get_group_id(0) * 1024 + get_local_id(0) * 4;\n"
    "  double s = 0;\n"
    "  for (int k = 0; k < 4; k++) s += at + k < n ? x[at + k] : 0;\n"
    "  double left = before(s, line);\n"
    "  if (get_local_id(0) == 255) sums[get_group_id(0)] = left + s;\n"
    "}\n"
    "__kernel void carry(__global double *sums, long blocks) {\n"
    "  __local double line[256];\n"
    "  double total = 0;\n"
    "  for (long at = 0; at < blocks; at += 256) {\n"
    "    long i = at + get_local_id(0);\n"
    "    double s = i < blocks ? sums[i] : 0, left = before(s, line);\n"
    "    if (i < blocks) sums[i] = total + left;\n"
    "    total += line[255];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "}\n"
    "__kernel void scan(__global const double *restrict x, __global double *restrict y, long n, __global const double *sums, double by) {\n"
    "  __local double line[256];\n"
    "  long at = get_group_id(0) * 1024 + get_local_id(0) * 4;\n"
    "  double s = 0;\n"
    "  for (int k = 0; k < 4; k++) s += at + k < n ? x[at + k] : 0;\n"
    "  s = sums[get_group_id(0)] + before(s, line);\n"
    "  for (int k = 0; k < 4; k++)\n"
    "    if (at + k < n) s += x[at + k], y[at + k] = s / by;\n"
    "}\n";

static int64_t n, steps;
static handle x, y, sums, make, totals, carry, scan;

static void compute(int last) {
    int64_t blocks = (n + 1023) / 1024;
    double by = (double)n / 2;
    ARGS2(make, x, n);
    launch(make, (size_t)n, 256);
    for (int64_t i = 0; i < steps; i++) {
        ARGS3(totals, x, n, sums);
        launch(totals, (size_t)blocks * 256, 256);
        ARGS2(carry, sums, blocks);
        launch(carry, 256, 256);
        ARGS5(scan, x, y, n, sums, by);
        launch(scan, (size_t)blocks * 256, 256);
        handle t = x;
        x = y, y = t;
    }
    double end;
    fetch(x, (size_t)(n - 1) * 8, sizeof end, &end);
    if (last) printf(" %.6f\n", end);
}

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 1000), steps = size_arg(argc, argv, 2, 3);
    start(source);
    make = kernel("make"), totals = kernel("totals"), carry = kernel("carry"), scan = kernel("scan");
    x = buffer((size_t)n * 8), y = buffer((size_t)n * 8), sums = buffer((size_t)(n / 1024 + 1) * 8);
    return twice(compute);
}
