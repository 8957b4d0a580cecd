/* Twin of julia.apl. Arguments: n, steps. Eight points side by side, until all of them have left. */
#include "../c/apl_out.h"

enum { L = 8 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 24), steps = size_arg(argc, argv, 2, 30);
    double start = now_ms();
    int64_t sum = 0, most = 0, inside = 0, middle = 0;
#pragma omp parallel for reduction(+ : sum, inside, middle) reduction(max : most) schedule(dynamic, 8)
    for (int64_t i = 0; i < n; i++)
        for (int64_t b = 0; b < n; b += L) {
            double x[L], y[L];
            int64_t k[L] = {0};
            for (int l = 0; l < L; l++) {
                x[l] = 1.6 * (-1 + 2 * ((double)(b + l) + 0.5) / (double)n);
                y[l] = 1.6 * (-1 + 2 * ((double)i + 0.5) / (double)n);
            }
            for (int64_t s = 0; s < steps; s++) {
                int64_t any = 0;
                for (int l = 0; l < L; l++) {
                    double xx = x[l] * x[l], yy = y[l] * y[l];
                    int64_t in = xx + yy < 4;
                    double u = xx - yy - 0.8, v = 2 * x[l] * y[l] + 0.156;
                    x[l] = in ? u : x[l];
                    y[l] = in ? v : y[l];
                    k[l] += in;
                    any |= in;
                }
                if (!any) break;
            }
            for (int l = 0; l < L && b + l < n; l++) {
                sum += k[l];
                most = k[l] > most ? k[l] : most;
                inside += k[l] == steps;
                if (i == n / 2 - 1 && b + l == n / 2 - 1) middle = k[l];
            }
        }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)inside, (double)middle);
    return 0;
}
