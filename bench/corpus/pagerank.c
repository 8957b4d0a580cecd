/* Twin of pagerank.apl. Arguments: n. The links as lists, row by row. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40);
    double start = now_ms();
    uint32_t *to = array_of((size_t)(n * n), 4), *from = array_of((size_t)n + 1, 4), links = 0;
    for (int64_t i = 0; i < n; i++) {
        from[i] = links;
        for (int64_t j = 0; j < n; j++) {
            int64_t k = i * n + j + 1, v = k * (7 + k / n) % 61;
            to[links] = (uint32_t)j;
            links += v == 3 || v == 17 || v == 40;
        }
    }
    from[n] = links;
    double *r = array_of((size_t)n, 8), *s = array_of((size_t)n, 8), change = 1;
    for (int64_t i = 0; i < n; i++) r[i] = 1.0 / (double)n;
    while (change >= 1e-10) {
        memset(s, 0, (size_t)n * 8);
        for (int64_t i = 0; i < n; i++) {
            uint32_t many = from[i + 1] - from[i];
            double share = r[i] / (many ? many : 1);
            for (uint32_t k = from[i]; k < from[i + 1]; k++) s[to[k]] += share;
        }
        change = 0;
        for (int64_t i = 0; i < n; i++) {
            double x = (1 - 0.85) / (double)n + 0.85 * s[i], d = fabs(x - r[i]);
            change = d > change ? d : change;
            r[i] = x;
        }
    }
    double sum = 0, most = 0, least = 1, top[5];
    for (int64_t i = 0; i < n; i++) sum += r[i], most = r[i] > most ? r[i] : most, least = r[i] < least ? r[i] : least;
    for (int k = 0; k < 5; k++) {
        int64_t best = 0;
        for (int64_t i = 1; i < n; i++)
            if (r[i] > r[best]) best = i;
        top[k] = (double)best + 1;
        r[best] = -1;
    }
    report_ms(start);
    apl_print(apl_round(0, 1e9 * sum), apl_round(0, 1e9 * most), apl_round(0, 1e9 * least));
    apl_vector(top, 5);
    return 0;
}
