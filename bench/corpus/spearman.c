/* Twin of spearman.apl. Arguments: n. The rank of an element is the number of those before it in order, counted in vectors. */
#include "../c/apl_out.h"

enum { K = 50, P = 56 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 30);
    double start = now_ms();
    int ref[P] = {0};
    double sum = 0, most = -INFINITY, least = INFINITY;
    for (int64_t r = 0; r < n; r++) {
        uint32_t key[P] = {0}, rank[P];
        for (int j = 0; j < K; j++) {
            uint64_t i = (uint64_t)(r * K + j + 1);
            key[j] = (uint32_t)(i * i % 32749) << 6 | (uint32_t)j; /* equal elements in order */
        }
        for (int j = 0; j < P; j++) rank[j] = 1;
        for (int i = 0; i < K; i++)
            for (int j = 0; j < P; j++) rank[j] += key[i] < key[j];
        int d2 = 0;
        if (!r)
            for (int j = 0; j < K; j++) ref[j] = (int)rank[j];
        for (int j = 0; j < K; j++) {
            int d = (int)rank[j] - ref[j];
            d2 += d * d;
        }
        double rho = 1 - 6.0 * d2 / (K * (K * K - 1));
        sum += rho;
        if (r) most = rho > most ? rho : most;
        least = rho < least ? rho : least;
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * sum), apl_round(0, 1e6 * most), apl_round(0, 1e6 * least));
    return 0;
}
