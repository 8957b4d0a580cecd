/* Twin of reverse.apl. Arguments: n, steps. */
#include "host.h"

static const char source[] = DOUBLES SUM_KERNEL
    "__kernel void make(__global double *x, long n) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i < n) x[i] = ((int)(i + 1) % 1009) / 1009.0;\n"
    "}\n"
    "__kernel void advance(__global const double *restrict x, __global double *restrict y, long n) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i < n) y[i] = x[n - 1 - i];\n"
    "}\n";

static int64_t n, steps;
static handle x, y, make, step;

static void compute(int last) {
    ARGS2(make, x, n);
    launch(make, (size_t)n, 256);
    for (int64_t i = 0; i < steps; i++) {
        ARGS3(step, x, y, n);
        launch(step, (size_t)n, 256);
        handle t = x;
        x = y, y = t;
    }
    double s = sum(x, n), first[3];
    fetch(x, 0, sizeof first, first);
    if (last) apl_vector(first, 3);
    if (last) apl_scalar(apl_round(3, s));
}

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 1000), steps = size_arg(argc, argv, 2, 3);
    start(source);
    make = kernel("make"), step = kernel("advance");
    x = buffer((size_t)n * 8), y = buffer((size_t)n * 8);
    return twice(compute);
}
