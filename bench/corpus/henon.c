/* Twin of henon.apl. Arguments: n, most. Each group of points runs all its steps in registers, until all of them have left. */
#include "../c/apl_out.h"

enum { G = 16 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 30), most = size_arg(argc, argv, 2, 20);
    double start = now_ms();
    int64_t sum = 0, greatest = 0, all = 0, corner = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum, all, corner) reduction(max : greatest)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j += G) {
            double x[G], y[G], k[G];
            for (int g = 0; g < G; g++) {
                x[g] = 3 * (-0.5 + (double)(i + 1) / n);
                y[g] = 3 * (-0.5 + (double)(j + g + 1) / n);
                k[g] = 0;
            }
            for (int64_t step = 0; step < most; step++) {
                int inside = 0;
#pragma omp simd reduction(| : inside)
                for (int g = 0; g < G; g++) {
                    int in = x[g] * x[g] + y[g] * y[g] <= 4;
                    double u = 1 + (y[g] - 1.4 * (x[g] * x[g]));
                    y[g] = in ? 0.3 * x[g] : y[g];
                    x[g] = in ? u : x[g];
                    k[g] += in ? 1.0 : 0.0;
                    inside |= in;
                }
                if (!inside) break;
            }
            for (int g = 0; g < G && j + g < n; g++) {
                int64_t c = (int64_t)k[g];
                sum += c;
                all += c == most;
                greatest = c > greatest ? c : greatest;
                if (i == n - 1 && j + g == 0) corner += c;
            }
        }
    report_ms(start);
    apl_print((double)sum, (double)greatest, (double)all, (double)corner);
    return 0;
}
