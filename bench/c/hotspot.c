/* Twin of testdata/programs/hotspot.apl. Arguments: n, steps.
 * Timed: making the grids, the steps and the sums. One fused stencil a step
 * with the constant part of the equation folded into one array, a halo column
 * on both sides in place of tests, two grids. */
#include "apl_out.h"

static int n, stride;

static void step_row(const double *restrict up, const double *restrict here,
                     const double *restrict down, const double *restrict q, double *restrict out,
                     double c0, double cx, double cy) {
    for (int j = 0; j < n; j++)
        out[j] = c0 * here[j] + cy * (up[j] + down[j]) + cx * (here[j - 1] + here[j + 1]) + q[j];
    out[-1] = out[0];
    out[n] = out[n - 1];
}

int main(int argc, char **argv) {
    n = (int)size_arg(argc, argv, 1, 32);
    int steps = (int)size_arg(argc, argv, 2, 20);
    double start = now_ms();
    double thick = 0.0005, side = 0.016 / n, conduct = 100, heat = 0.5 * 1750000, ambient = 80;
    double capacity = heat * thick * side * side;
    double rx = side / (2 * conduct * thick * side), ry = rx;
    double rz = thick / (conduct * side * side);
    double slope = 3000000 / (heat * thick), scale = 0.001 / slope / 1000 / capacity;
    double cx = scale / rx, cy = scale / ry, c0 = 1 - 2 * cx - 2 * cy - scale / rz;
    stride = (n + 16 + 7) / 8 * 8;
    size_t size = (size_t)n * (size_t)stride;
    double *t0 = array_of(size, sizeof *t0), *t1 = array_of(size, sizeof *t1);
    double *q = array_of(size, sizeof *q);
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            double *t = t0 + (size_t)i * stride + 8, *c = q + (size_t)i * stride + 8;
            uint32_t first = (uint32_t)i * (uint32_t)n;
            for (int j = 0; j < n; j++) {
                uint32_t k = first + (uint32_t)j + 1, r = k % 1009;
                t[j] = 323 + 20 * ((int32_t)(r * r % 1009) / 1009.0);
                c[j] = scale * (0.001 * ((int32_t)(7 * k % 997) / 997.0) + ambient / rz);
            }
            t[-1] = t[0];
            t[n] = t[n - 1];
        }
        double *a = t0, *b = t1;
        for (int s = 0; s < steps; s++) {
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) {
                double *here = a + (size_t)i * stride + 8;
                step_row(i ? here - stride : here, here, i < n - 1 ? here + stride : here,
                         q + (size_t)i * stride + 8, b + (size_t)i * stride + 8, c0, cx, cy);
            }
            double *t = a;
            a = b, b = t;
        }
    }
    const double *end = (steps & 1 ? t1 : t0) + 8;
    double sum = 0, most = end[0], least = end[0];
    for (int i = 0; i < n; i++) {
        double part[8] = {0};
        for (int j = 0; j < n; j++) {
            double x = end[(size_t)i * stride + j];
            part[j & 7] += x;
            most = x > most ? x : most;
            least = x < least ? x : least;
        }
        for (int k = 0; k < 8; k++) sum += part[k];
    }
    report_ms(start);
    apl_print(apl_round(5, sum / ((double)n * n)), apl_round(5, most), apl_round(5, least));
    double first[5], last[5];
    for (int k = 0; k < 5; k++) {
        first[k] = apl_round(5, end[k]);
        last[k] = apl_round(5, end[(size_t)(n - 1) * stride + k]);
    }
    apl_vector(first, 5);
    apl_vector(last, 5);
    return 0;
}
