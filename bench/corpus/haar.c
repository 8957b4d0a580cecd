/* Twin of haar.apl. Arguments: m. A signal at a time, in the first cache. */
#include "../c/apl_out.h"

enum { N = 4096, LANES = 8 };

int main(int argc, char **argv) {
    int64_t m = size_arg(argc, argv, 1, 4), count = 0;
    double start = now_ms(), sum = 0, size = 0, kept = 0, last = 0;
    for (int64_t r = 0; r < m; r++) {
        double x[N], y[N], s[LANES] = {0}, t[LANES] = {0}, u[LANES] = {0};
        for (int i = 0; i < N; i++) {
            uint32_t k = (uint32_t)((uint64_t)(r * N + i + 1) % 1009);
            x[i] = (double)(k * k % 1009) / 1009;
        }
        for (int n = N; n > 1; n /= 2)
            for (int i = 0; i < n / 2; i++) {
                double a = x[2 * i], b = x[2 * i + 1];
                y[n / 2 + i] = (a - b) / 2;
                x[i] = (a + b) / 2;
            }
        y[0] = x[0];
        for (int i = 0; i < N; i += LANES)
            for (int l = 0; l < LANES; l++) {
                double v = y[i + l], w = fabs(v);
                s[l] += v;
                t[l] += w;
                u[l] += w > 0.05 ? v : 0;
                count += w > 0.05;
            }
        for (int l = 0; l < LANES; l++) sum += s[l], size += t[l], kept += u[l];
        last = y[N - 1];
    }
    report_ms(start);
    apl_print(apl_round(0, 1e3 * sum), apl_round(0, 1e3 * size), 1e3 * (double)count, apl_round(0, 1e3 * kept), apl_round(0, 1e3 * last));
    return 0;
}
