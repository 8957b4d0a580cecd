/* Twin of testdata/programs/hotspot.apl. Arguments: n, steps. One launch a
 * step, the neighbours beyond the edges by clamped indices. */
#include "host.h"

static const char source[] = DOUBLES
    "__kernel void make(__global double *t, __global double *p, long n) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  long k = i + 1;\n"
    "  t[i] = 323 + 20 * ((int)(k * k % 1009) / 1009.0);\n"
    "  p[i] = 0.001 * ((int)(7 * k % 997) / 997.0);\n"
    "}\n"
    "__kernel void advance(__global const double *restrict t, __global const double *restrict p, __global double *restrict to,\n"
    "    int n, double scale, double rx, double ry, double rz, double ambient) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  if (i >= n || j >= n) return;\n"
    "  long at = (long)i * n + j;\n"
    "  double here = t[at];\n"
    "  double north = t[i > 0 ? at - n : at], south = t[i < n - 1 ? at + n : at];\n"
    "  double west = t[j > 0 ? at - 1 : at], east = t[j < n - 1 ? at + 1 : at];\n"
    "  to[at] = here + scale * (p[at] + (north + south - 2 * here) / ry + (east + west - 2 * here) / rx + (ambient - here) / rz);\n"
    "}\n";

static int n;
static int64_t steps;
static handle t, p, other, make, advance;

static void compute(int last) {
    int64_t all = (int64_t)n * n;
    double thick = 0.0005, side = 0.016 / n, conduct = 100, heat = 0.5 * 1750000, ambient = 80;
    double capacity = heat * thick * side * side;
    double rx = side / (2 * conduct * thick * side), ry = rx, rz = thick / (conduct * side * side);
    double slope = 3000000 / (heat * thick), scale = 0.001 / slope / 1000 / capacity;
    ARGS3(make, t, p, all);
    launch(make, (size_t)all, 256);
    for (int64_t s = 0; s < steps; s++) {
        ARGS5(advance, t, p, other, n, scale);
        ARG(advance, 5, rx), ARG(advance, 6, ry), ARG(advance, 7, rz), ARG(advance, 8, ambient);
        launch2(advance, (size_t)n, (size_t)n, 64, 4);
        handle x = t;
        t = other, other = x;
    }
    double *m = malloc((size_t)all * 8), s = 0, most = -INFINITY, least = INFINITY, v[5];
    fetch(t, 0, (size_t)all * 8, m);
    for (int64_t i = 0; i < all; i++) {
        s += m[i];
        most = m[i] > most ? m[i] : most;
        least = m[i] < least ? m[i] : least;
    }
    if (last) {
        apl_print(apl_round(5, s / (double)all), apl_round(5, most), apl_round(5, least));
        for (int row = 0; row < 2; row++) {
            for (int i = 0; i < 5; i++) v[i] = apl_round(5, m[(row ? all - n : 0) + i]);
            apl_vector(v, 5);
        }
    }
    free(m);
}

int main(int argc, char **argv) {
    n = (int)size_arg(argc, argv, 1, 32), steps = size_arg(argc, argv, 2, 20);
    start(source);
    make = kernel("make"), advance = kernel("advance");
    size_t bytes = (size_t)n * (size_t)n * 8;
    t = buffer(bytes), p = buffer(bytes), other = buffer(bytes);
    return twice(compute);
}
