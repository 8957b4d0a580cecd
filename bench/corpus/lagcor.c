/* Twin of lagcor.apl. Arguments: n. All lags in one pass over blocks that stay in the cache. */
#include "../c/apl_out.h"

enum { LAGS = 33, B = 2048 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    double *x = array_of((size_t)n + 64, 8), mean = 0, r[LAGS] = {0};
    for (int64_t i = 0; i < n; i++) {
        x[i] = (double)((uint64_t)(i + 1) * (uint64_t)(i + 1) / 13 % 1009);
        mean += x[i];
    }
    mean /= (double)n;
    for (int64_t i = 0; i < n; i++) x[i] -= mean;
    memset(x + n, 0, 64 * 8);
    for (int64_t b = 0; b < n; b += B) {
        int64_t end = b + B < n ? b + B : n;
        for (int l = 0; l < LAGS; l++) {
            v4 s[4] = {{0}};
            int64_t i = b;
            for (; i + 16 <= end; i += 16)
                for (int u = 0; u < 4; u++) s[u] += *(v4u *)(x + i + 4 * u) * *(v4u *)(x + i + 4 * u + l);
            v4 t = (s[0] + s[1]) + (s[2] + s[3]);
            r[l] += (t[0] + t[1]) + (t[2] + t[3]);
            for (; i < end; i++) r[l] += x[i] * x[i + l];
        }
    }
    int best = 1;
    for (int l = 2; l < LAGS; l++)
        if (r[l] > r[best]) best = l;
    report_ms(start);
    double y[LAGS];
    for (int l = 0; l < LAGS; l++) y[l] = apl_round(0, 1e6 * (r[l] / r[0]));
    apl_print(y[1], y[2], y[4], y[8], y[16], y[32]);
    apl_print(best + 1, y[best]);
    return 0;
}
