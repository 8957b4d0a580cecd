/* Twin of testdata/programs/mandelbrot.apl. Arguments: n, steps.
 * Timed: the whole computation; sixteen points at a time, until all of them
 * have left. The counts of a few points on the boundary depend on whether
 * products are rounded before they are added, so that only means are printed. */
#include "apl_out.h"

enum { LANES = 16 };

static void row(const double *restrict re, double im, int steps, int32_t *restrict count) {
    double x[LANES] = {0}, y[LANES] = {0}, k[LANES] = {0};
    for (int s = 0; s < steps; s++) {
        double inside[LANES], any = 0;
        for (int l = 0; l < LANES; l++) {
            double xx = x[l] * x[l], yy = y[l] * y[l];
            double in = xx + yy <= 4 ? 1 : 0;
            y[l] = im + 2 * (x[l] * y[l]);
            x[l] = re[l] + (xx - yy);
            /* A point that left keeps going: it cannot come back unless it
             * turns into a NaN, which is not inside either. */
            inside[l] = in;
            k[l] += in;
        }
        if ((s & 7) == 7) {
            for (int l = 0; l < LANES; l++) any += inside[l];
            if (any == 0) break;
        }
    }
    for (int l = 0; l < LANES; l++) count[l] = (int32_t)k[l];
}

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 32), steps = (int)size_arg(argc, argv, 2, 50);
    double start = now_ms();
    int stride = (n + LANES - 1) / LANES * LANES;
    double *re = array_of((size_t)stride, sizeof *re);
    int32_t *count = array_of((size_t)n * (size_t)stride, sizeof *count);
    for (int j = 0; j < stride; j++) re[j] = -2.25 + 3 * ((double)(j + 1) / n);
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++) {
        double im = -1.5 + 3 * ((double)(i + 1) / n);
        for (int j = 0; j < stride; j += LANES)
            row(re + j, im, steps, count + (size_t)i * (size_t)stride + j);
    }
    int64_t sum = 0, never = 0;
    int32_t least = steps;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int32_t c = count[(size_t)i * (size_t)stride + j];
            sum += c;
            never += c == steps;
            least = c < least ? c : least;
        }
    report_ms(start);
    apl_print(apl_round(3, (double)sum / ((double)n * n)), apl_round(3, (double)never / ((double)n * n)), least);
    double part[64];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            part[i * 8 + j] = count[(size_t)(n / 8 * (i + 1) - 1) * (size_t)stride + n / 8 * (j + 1) - 1];
    apl_matrix(part, 8, 8);
    return 0;
}
