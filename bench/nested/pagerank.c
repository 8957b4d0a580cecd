/* Twin of pagerank.apl. Arguments: n. Links are counted, and put in the order of where they lead. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 70), links = 0;
    double start = now_ms();
    uint8_t *out = array_of((size_t)n, 1);
    for (int64_t i = 1; i <= n; i++) links += out[i - 1] = (uint8_t)(1 + (uint32_t)((uint64_t)i * (uint64_t)i % 1000003) / 7 % 6);
    int32_t *to = array_of((size_t)links, sizeof *to), *from = array_of((size_t)links, sizeof *from), *at = array_of((size_t)n + 2, sizeof *at);
    memset(at, 0, ((size_t)n + 2) * sizeof *at);
    for (int64_t k = 1; k <= links; k++) {
        uint64_t u = (uint64_t)k;
        at[(to[k - 1] = (int32_t)((uint32_t)(7919 * u * u % 2147483647) / 5 % (uint32_t)n)) + 2]++;
    }
    for (int64_t i = 2; i <= n; i++) at[i] += at[i - 1];
    for (int64_t i = 0, k = 0; i < n; i++)
        for (int c = 0; c < out[i]; c++, k++) from[at[to[k] + 1]++] = (int32_t)i;
    double *rank = array_of((size_t)n, sizeof *rank), *share = array_of((size_t)n, sizeof *share);
    for (int64_t i = 0; i < n; i++) rank[i] = 1;
    for (int step = 0; step < 12; step++) {
        for (int64_t i = 0; i < n; i++) share[i] = rank[i] / out[i];
        for (int64_t i = 0; i < n; i++) {
            double sum = 0;
            for (int32_t k = at[i]; k < at[i + 1]; k++) sum += share[from[k]];
            rank[i] = 0.15 + 0.85 * sum;
        }
    }
    double sum = 0, most = 0;
    int64_t best = 0, none = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += rank[i];
        if (rank[i] > most) most = rank[i], best = i + 1;
        none += at[i] == at[i + 1];
    }
    report_ms(start);
    apl_print(floor(0.5 + 1000 * sum), floor(0.5 + 1000 * most), (double)best);
    apl_scalar((double)none);
    return 0;
}
