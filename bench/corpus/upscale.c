/* Twin of upscale.apl. Arguments: n. Two rows of the image at a time. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 20);
    double start = now_ms();
    int64_t m = 1 + 3 * (n - 1), sum = 0, zeros = 0;
    int most = 0, corner = 0;
    double *img = array_of((size_t)(n * n), 8);
    for (int64_t k = 1; k <= n * n; k++) img[k - 1] = (double)(k * (5 + k / 11) % 256);
#pragma omp parallel for reduction(+ : sum, zeros, corner) reduction(max : most)
    for (int64_t i = 0; i < m; i++) {
        int64_t lo = i / 3, hi = lo + 1 < n ? lo + 1 : n - 1, s = 0, z = 0;
        double at = 1 + (double)i / 3, w = at - floor(at);
        double *row = malloc((size_t)n * 8);
        const double *a = img + lo * n, *b = img + hi * n;
        for (int64_t j = 0; j < n; j++) row[j] = a[j] * (1 - w) + b[j] * w;
        for (int64_t j = 0; j < m; j++) {
            int64_t l = j / 3, h = l + 1 < n ? l + 1 : n - 1;
            double p = 1 + (double)j / 3, v = p - floor(p);
            int px = (int)floor(0.5 + (row[l] * (1 - v) + row[h] * v));
            s += px;
            z += px == 0;
            most = px > most ? px : most;
            if (i == m - 1 && j == m - 1) corner = px;
        }
        sum += s, zeros += z;
        free(row);
    }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)zeros, (double)corner);
    return 0;
}
