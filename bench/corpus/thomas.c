/* Twin of thomas.apl. Arguments: n, m. Sixteen systems side by side, their intermediate rows in the first cache. */
#include "../c/apl_out.h"

enum { L = 16 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 20), m = size_arg(argc, argv, 2, 30);
    double start = now_ms();
    double sum = 0, most = -INFINITY, least = INFINITY;
#pragma omp parallel for reduction(+ : sum) reduction(max : most) reduction(min : least)
    for (int64_t j0 = 0; j0 < m; j0 += L) {
        double (*c)[L] = aligned_alloc(64, (size_t)n * sizeof *c), (*p)[L] = aligned_alloc(64, (size_t)n * sizeof *p);
        for (int64_t i = 0; i < n; i++)
#pragma omp simd
            for (int l = 0; l < L; l++) {
                uint32_t k = (uint32_t)(i * m + j0 + l + 1), s = k % 509;
                double b = 2.1 + k % 251 / 251.0, d = s * s % 509 / 509.0;
                double w = 1 / (i ? b + c[i - 1][l] : b);
                c[i][l] = -w;
                p[i][l] = i ? w * (d + p[i - 1][l]) : d / b;
            }
        for (int64_t i = n - 2; i >= 0; i--)
            for (int l = 0; l < L; l++) p[i][l] -= c[i][l] * p[i + 1][l];
        int here = m - j0 < L ? (int)(m - j0) : L;
        for (int64_t i = 0; i < n; i++)
            for (int l = 0; l < here; l++) {
                double x = p[i][l];
                sum += x;
                most = x > most ? x : most;
                least = x < least ? x : least;
            }
        free(c), free(p);
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * sum), apl_round(0, 1e6 * most), apl_round(0, 1e6 * least));
    return 0;
}
