/* Twin of simpson.apl. Arguments: n integrals. Trapezoids are halved and their values kept;
 * Simpson's rule comes from two of them. */
#include "../c/apl_out.h"

static double f(double x) { return sin(x) / (1 + x * x); }

static double middles(double h, int k) {
    double s = 0;
#pragma omp simd reduction(+ : s)
    for (int i = 0; i < k; i++) s += f(h * (i + 0.5));
    return s;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 20);
    double start = now_ms(), sum = 0, most = -1e300, least = 1e300, first = 0, last = 0;
    for (int64_t i = 1; i <= n; i++) {
        double b = i * (10.0 / n), h = b / 2, old = 0, r = 0, t = (f(0) + f(b)) / 2 * h + h * f(h);
        for (int k = 2;;) {
            double finer = t / 2 + h / 2 * middles(h, k);
            k *= 2;
            h /= 2;
            r = (4 * finer - t) / 3;
            t = finer;
            if (fabs(r - old) < 1e-9 || 2 * k >= 4096) break;
            old = r;
        }
        sum += r;
        most = fmax(most, r);
        least = fmin(least, r);
        if (i == 1) first = r;
        last = r;
    }
    report_ms(start);
    apl_print(floor(0.5 + 1e6 * sum), floor(0.5 + 1e6 * most), floor(0.5 + 1e6 * least), floor(0.5 + 1e6 * first), floor(0.5 + 1e6 * last));
    return 0;
}
