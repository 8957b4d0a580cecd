/* Twin of rk4.apl. Arguments: n, steps. Each beginning stays in a vector register for all steps. */
#include "../c/apl_out.h"

enum { L = 16 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 20), steps = size_arg(argc, argv, 2, 50);
    const double h = 0.01;
    double start = now_ms(), sx = 0, sy = 0, mx = -INFINITY, my = INFINITY;
#pragma omp parallel for reduction(+ : sx, sy) reduction(max : mx) reduction(min : my)
    for (int64_t b = 0; b < n; b += L) {
        double x[L], y[L];
        for (int l = 0; l < L; l++) {
            x[l] = 10 + (double)(b + l + 1) / (double)n;
            y[l] = 5 + (double)(n - b - l) / (double)n;
        }
        for (int64_t s = 0; s < steps; s++) {
#pragma omp simd
            for (int l = 0; l < L; l++) {
                double u = x[l], v = y[l];
                double a1 = u * (1.1 - 0.4 * v), b1 = v * (-0.4 + 0.1 * u);
                double p = u + a1 * (h / 2), q = v + b1 * (h / 2);
                double a2 = p * (1.1 - 0.4 * q), b2 = q * (-0.4 + 0.1 * p);
                p = u + a2 * (h / 2), q = v + b2 * (h / 2);
                double a3 = p * (1.1 - 0.4 * q), b3 = q * (-0.4 + 0.1 * p);
                p = u + a3 * h, q = v + b3 * h;
                double a4 = p * (1.1 - 0.4 * q), b4 = q * (-0.4 + 0.1 * p);
                x[l] = u + (a1 + 2 * (a2 + a3) + a4) * (h / 6);
                y[l] = v + (b1 + 2 * (b2 + b3) + b4) * (h / 6);
            }
        }
        for (int l = 0; l < L && b + l < n; l++) {
            sx += x[l], sy += y[l];
            mx = x[l] > mx ? x[l] : mx;
            my = y[l] < my ? y[l] : my;
        }
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * sx / (double)n), apl_round(0, 1e6 * sy / (double)n), apl_round(0, 1e6 * mx), apl_round(0, 1e6 * my));
    return 0;
}
