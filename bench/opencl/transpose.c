/* Twin of transpose.apl. Arguments: n, steps. Tiles of 16 by 16 pass through
 * local memory, with a column of padding against conflicts of banks. */
#include "host.h"

static const char source[] = DOUBLES SUM_KERNEL
    "__kernel void make(__global double *x, long n) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i < n) x[i] = ((int)(i + 1) % 1009) / 1009.0;\n"
    "}\n"
    "__kernel void advance(__global const double *restrict x, __global double *restrict y, long n) {\n"
    "  __local double tile[16][17];\n"
    "  int li = get_local_id(1), lj = get_local_id(0);\n"
    "  long i = get_group_id(1) * 16 + li, j = get_group_id(0) * 16 + lj;\n"
    "  if (i < n && j < n) tile[li][lj] = x[i * n + j];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  i = get_group_id(0) * 16 + li, j = get_group_id(1) * 16 + lj;\n"
    "  if (i < n && j < n) y[i * n + j] = tile[lj][li];\n"
    "}\n";

static int64_t n, steps;
static handle x, y, make, step;

static void compute(int last) {
    int64_t all = n * n;
    ARGS2(make, x, all);
    launch(make, (size_t)all, 256);
    for (int64_t i = 0; i < steps; i++) {
        ARGS3(step, x, y, n);
        launch2(step, (size_t)n, (size_t)n, 16, 16);
        handle t = x;
        x = y, y = t;
    }
    double s = sum(x, all), second[3];
    fetch(x, (size_t)n * 8, sizeof second, second);
    if (last) apl_vector(second, 3), apl_scalar(apl_round(3, s));
}

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 20), steps = size_arg(argc, argv, 2, 3);
    start(source);
    make = kernel("make"), step = kernel("advance");
    x = buffer((size_t)(n * n) * 8), y = buffer((size_t)(n * n) * 8);
    return twice(compute);
}
