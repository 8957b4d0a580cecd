/* Twin of quantiles.apl. Arguments: n. Elements of a column are counted by value, as they are below 65521. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50);
    double start = now_ms(), sum[3] = {0}, most = -INFINITY, least = INFINITY;
    uint16_t *column = array_of((size_t)n, 2);
    uint32_t *fine = array_of(65536, 4);
    for (int c = 0; c < 40; c++) {
        memset(fine, 0, 65536 * 4);
        for (int64_t r = 0; r < n; r++) {
            uint64_t i = (uint64_t)(r * 40 + c + 1);
            column[r] = (uint16_t)(i * i % 65521);
            fine[column[r]]++;
        }
        int64_t seen = 0, k = 0;
        for (uint32_t v = 0; v < 65521 && k < 6; v++) {
            seen += fine[v];
            static double at[6];
            while (k < 6) {
                double x = 1 + 0.25 * (double)(k / 2 + 1) * (double)(n - 1);
                int64_t place = (int64_t)floor(x) + k % 2;
                if (place > n) place = n;
                if (seen < place) break;
                at[k] = v / 8.0;
                if (k % 2) {
                    double w = x - floor(x), y = at[k - 1] * (1 - w) + at[k] * w;
                    sum[k / 2] += y;
                    most = y > most ? y : most;
                    least = y < least ? y : least;
                }
                k++;
            }
        }
    }
    report_ms(start);
    apl_print(apl_round(0, 1e3 * (sum[0] / 40)), apl_round(0, 1e3 * (sum[1] / 40)), apl_round(0, 1e3 * (sum[2] / 40)));
    apl_print(apl_round(0, 1e3 * most), apl_round(0, 1e3 * least));
    return 0;
}
