/* Twin of boxblur.apl. Arguments: n. Sums of columns slide down, sums of rows slide right; nothing of n by n but the image in bytes. */
#include "../c/apl_out.h"

enum { R = 4, W = 2 * R + 1 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40);
    double start = now_ms();
    uint8_t *img = array_of((size_t)(n * n), 1);
#pragma omp parallel for
    for (int64_t k = 0; k < n * n; k++) {
        uint32_t a = (uint32_t)((k + 1) % 251), b = (a + 3) % 251;
        img[k] = (uint8_t)(a * b % 251);
    }
    int64_t m = n - W + 1, sum = 0, same = 0;
    int most = 0, least = 255;
#pragma omp parallel reduction(+ : sum, same) reduction(max : most) reduction(min : least)
    {
        uint16_t *col = calloc((size_t)n + 16, 2);
        int64_t last = -2;
#pragma omp for schedule(static)
        for (int64_t i = 0; i < m; i++) {
            if (i != last + 1) {
                memset(col, 0, (size_t)n * 2);
                for (int d = 0; d < W; d++)
                    for (int64_t j = 0; j < n; j++) col[j] = (uint16_t)(col[j] + img[(i + d) * n + j]);
            } else
                for (int64_t j = 0; j < n; j++)
                    col[j] = (uint16_t)(col[j] + img[(i + W - 1) * n + j] - img[(i - 1) * n + j]);
            last = i;
            const uint8_t *mid = img + (i + R) * n + R;
            uint32_t s = 0;
            int sm = 0;
            for (int64_t j = 0; j < m; j++) {
                uint32_t x = 0;
                for (int d = 0; d < W; d++) x += col[j + d];
                int v = (int)((2 * x + W * W) / (2 * W * W));
                s += (uint32_t)v;
                sm += v == mid[j];
                most = v > most ? v : most;
                least = v < least ? v : least;
            }
            sum += s;
            same += sm;
        }
        free(col);
    }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)least, (double)same);
    return 0;
}
