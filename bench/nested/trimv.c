/* Twin of trimv.apl. Arguments: n. Rows lie one behind the other, an entry a byte, in eighths. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    uint8_t *a = array_of((size_t)(n * (n + 1) / 2), 1);
    double *v = array_of((size_t)n, sizeof *v), *y = array_of((size_t)n, sizeof *y);
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t r = 1; r <= n; r++) {
        uint8_t *row = a + r * (r - 1) / 2;
        uint32_t step = (uint32_t)(r % 7), x = 0;
        for (int64_t c = 0; c < r; c++) {
            x += step;
            x = x >= 7 ? x - 7 : x;
            row[c] = (uint8_t)(1 + x);
        }
    }
    for (int64_t i = 0; i < n; i++) v[i] = 1;
    for (int s = 0; s < 10; s++) {
        double most = -INFINITY;
#pragma omp parallel for schedule(dynamic, 16) reduction(max : most)
        for (int64_t r = 0; r < n; r++) {
            uint8_t *row = a + r * (r + 1) / 2;
            double part[32] = {0}, sum = 0;
            int64_t c = 0;
            for (; c + 32 <= r + 1; c += 32)
                for (int l = 0; l < 32; l++) part[l] += row[c + l] * v[c + l];
            for (int l = 0; l < 32; l++) sum += part[l];
            for (; c <= r; c++) sum += row[c] * v[c];
            y[r] = sum / 8;
            most = y[r] > most ? y[r] : most;
        }
        for (int64_t r = 0; r < n; r++) v[r] = y[r] / most;
    }
    double sum = 0;
    for (int64_t r = 0; r < n; r++) sum += v[r];
    report_ms(start);
    apl_print(floor(0.5 + 1e6 * sum), floor(0.5 + 1e6 * v[0]), floor(0.5 + 1e6 * v[1]), floor(0.5 + 1e6 * v[2]), floor(0.5 + 1e6 * v[n - 1]));
    return 0;
}
