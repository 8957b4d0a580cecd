/* Twin of softmax.apl. Arguments: n. Eight rows side by side, nothing stored. */
#include "../c/apl_out.h"

enum { K = 24, R = 8 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50);
    double start = now_ms();
    double most = -INFINITY, least = INFINITY, sum = 0, top = 0;
#pragma omp parallel for reduction(max : most) reduction(min : least) reduction(+ : sum, top)
    for (int64_t row = 0; row < n; row += R) {
        double x[K][R], m[R], e[R] = {0}, h[R] = {0};
        for (int l = 0; l < R; l++) m[l] = -INFINITY;
        for (int j = 0; j < K; j++)
            for (int l = 0; l < R; l++) {
                int64_t i = (row + l) * K + j + 1;
                x[j][l] = (double)((uint64_t)i * (uint64_t)(i + 1) % 8191) / 1024 - 4;
                m[l] = x[j][l] > m[l] ? x[j][l] : m[l];
            }
        /* -sum p log p is log sum e - sum (x-m) e / sum e */
        for (int j = 0; j < K; j++) {
#pragma omp simd
            for (int l = 0; l < R; l++) {
                double d = x[j][l] - m[l], v = exp(d);
                e[l] += v;
                h[l] += d * v;
            }
        }
        for (int l = 0; l < R && row + l < n; l++) {
            double ent = log(e[l]) - h[l] / e[l];
            most = ent > most ? ent : most;
            least = ent < least ? ent : least;
            sum += ent;
            top += 1 / e[l];
        }
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * most), apl_round(0, 1e6 * least), apl_round(0, 1e6 * (sum / (double)n)));
    apl_print(apl_round(0, 1e6 * top));
    return 0;
}
