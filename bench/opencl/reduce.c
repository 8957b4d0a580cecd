/* Twin of reduce.apl. Arguments: n, steps. */
#include "host.h"

static const char source[] = DOUBLES
    "__kernel void make(__global double *x, long n) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i < n) x[i] = ((int)(i + 1) % 1009) / 1009.0;\n"
    "}\n"
    "__kernel void sum(__global const double *x, long n, double by, __global double *parts) {\n"
    "  __local double tree[256];\n"
    "  double s = 0;\n"
    "  int me = get_local_id(0);\n"
    "  for (long i = get_global_id(0); i < n; i += get_global_size(0)) s += x[i] * by;\n"
    "  tree[me] = s;\n"
    "  for (int half_ = 128; half_ > 0; half_ /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (me < half_) tree[me] += tree[me + half_];\n"
    "  }\n"
    "  if (me == 0) parts[get_group_id(0)] = tree[0];\n"
    "}\n";

static int64_t n, steps;
static handle x, parts, make, add;

static void compute(int last) {
    double s = 1.5, part[64];
    ARGS2(make, x, n);
    launch(make, (size_t)n, 256);
    for (int64_t i = 0; i < steps; i++) {
        ARGS4(add, x, n, s, parts);
        launch(add, 64 * 256, 256);
        fetch(parts, 0, sizeof part, part);
        double t = 0;
        for (int k = 0; k < 64; k++) t += part[k];
        s = (double)n / t;
    }
    if (last) apl_scalar(apl_round(6, s));
}

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 1000), steps = size_arg(argc, argv, 2, 3);
    start(source);
    make = kernel("make"), add = kernel("sum");
    x = buffer((size_t)n * 8), parts = buffer(64 * 8);
    return twice(compute);
}
