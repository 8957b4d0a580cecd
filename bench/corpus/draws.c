/* Twin of draws.apl. Arguments: n. Blocks of 64 numbers are looked for by halves at once; nothing is stored. */
#include "../c/apl_out.h"

enum { W = 300, P = 512, B = 64 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 500);
    double start = now_ms();
    static int32_t upto[P + 1], weight[W + 1];
    int32_t total = 0;
    for (int i = 0; i < W; i++) {
        weight[i] = 1 + (i + 1) * (i + 1) % 97;
        upto[i] = total += weight[i];
    }
    for (int i = W; i <= P; i++) upto[i] = INT32_MAX;
    int64_t count[W + 1] = {0};
#pragma omp parallel for reduction(+ : count[:W + 1])
    for (int64_t b = 0; b < n; b += B) {
        int32_t x[B], at[B];
        for (int j = 0; j < B; j++) {
            uint64_t i = b + j + 1;
            x[j] = i * (7919 + i) % (uint32_t)total;
            at[j] = 0;
        }
        for (int step = P / 2; step > 0; step /= 2)
#pragma omp simd
            for (int j = 0; j < B; j++) at[j] += upto[at[j] + step - 1] <= x[j] ? step : 0;
        int64_t m = n - b < B ? n - b : B;
        for (int64_t j = 0; j < m; j++) count[at[j]]++;
    }
    int64_t sum = 0, most = 0, weights = 0;
    double cost = 0, dearest = 0;
    for (int i = 0; i < W; i++) {
        sum += count[i] * (i + 1);
        weights += count[i] * weight[i];
        cost += count[i] * (1.0 / (i + 1));
        if (count[i] > 0) {
            most = i + 1;
            if (dearest == 0) dearest = 1.0 / (i + 1);
        }
    }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)weights, (double)count[0], (double)count[1], (double)count[16], (double)count[299]);
    apl_print(apl_round(0, 1e3 * cost), apl_round(0, 1e3 * dearest));
    return 0;
}
