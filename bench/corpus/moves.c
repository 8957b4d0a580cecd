/* Twin of moves.apl. Arguments: n, steps. A board with an edge of two fields, 32 bits. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 10), steps = size_arg(argc, argv, 2, 4), w = n + 4;
    double start = now_ms();
    const uint32_t p = 1000003;
    uint32_t *a = array_of((size_t)(w * w), 4), *b = array_of((size_t)(w * w), 4);
    memset(a, 0, (size_t)(w * w) * 4);
    memset(b, 0, (size_t)(w * w) * 4);
    a[2 * w + 2] = 1;
    for (int64_t s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int64_t i = 2; i < n + 2; i++) {
            const uint32_t *x = a + i * w;
            uint32_t *y = b + i * w;
            for (int64_t j = 2; j < n + 2; j++) {
                uint32_t v = x[w + j + 2] + x[w + j - 2] + x[j - w + 2] + x[j - w - 2] + x[2 * w + j + 1] + x[2 * w + j - 1] + x[j - 2 * w + 1] + x[j - 2 * w - 1];
                y[j] = v % p;
            }
        }
        uint32_t *t = a;
        a = b, b = t;
    }
    int64_t sum = 0, zeros = 0;
    uint32_t most = 0;
    for (int64_t i = 2; i < n + 2; i++)
        for (int64_t j = 2; j < n + 2; j++) {
            uint32_t v = a[i * w + j];
            sum += v, zeros += v == 0, most = v > most ? v : most;
        }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)zeros);
    return 0;
}
