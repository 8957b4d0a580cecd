/* Twin of logloss.apl. Arguments: n. Eight rows side by side; nothing is stored. */
#include "../c/apl_out.h"

enum { K = 10, R = 8 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40);
    double start = now_ms();
    double sum = 0, most = -INFINITY, least = INFINITY;
    int64_t hits = 0;
    for (int64_t row = 0; row < n; row += R) {
        double x[K][R], m[R], e[R] = {0};
        for (int l = 0; l < R; l++) m[l] = -INFINITY;
        for (int j = 0; j < K; j++)
            for (int l = 0; l < R; l++) {
                int64_t i = (row + l) * K + j + 1;
                x[j][l] = -3 + (double)((uint64_t)i * (uint64_t)(3 + i) % 4093) / 700;
                m[l] = x[j][l] > m[l] ? x[j][l] : m[l];
            }
        for (int j = 0; j < K; j++)
            for (int l = 0; l < R; l++) e[l] += exp(x[j][l] - m[l]);
        for (int l = 0; l < R && row + l < n; l++) {
            uint64_t i = (uint64_t)(row + l + 1);
            double own = x[i * i % 65521 / 9 % 10][l], loss = m[l] + log(e[l]) - own;
            sum += loss, hits += own == m[l];
            most = loss > most ? loss : most;
            least = loss < least ? loss : least;
        }
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * (sum / (double)n)), apl_round(0, 1e6 * most), apl_round(0, 1e6 * least));
    apl_scalar((double)hits);
    return 0;
}
