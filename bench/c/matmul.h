/* The twin of matmul.apl and matmuldot.apl, which ask for the same product.
 * Timed: making the matrices, the product and the sums. */
#include "gemm.h"

static int product(int argc, char **argv, int test) {
    int n = (int)size_arg(argc, argv, 1, test);
    double start = now_ms();
    size_t size = (size_t)n * (size_t)n;
    double *a = array_of(size, sizeof *a), *b = array_of(size, sizeof *b);
    double *c = array_of(size, sizeof *c), *space = gemm_space(n);
    for (uint32_t i = 0; i < (uint32_t)size; i++) {
        a[i] = ((int32_t)((i + 1) % 17) - 8) * 0.125;
        b[i] = ((int32_t)(7 * (i + 1) % 13) - 6) * 0.25;
    }
    memset(c, 0, size * sizeof *c);
    gemm(n, n, n, 1, a, n, b, n, c, n, space);
    v4 sum = {0};
    double total = 0, most = c[0], least = c[0], trace = 0;
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        sum += *(v4 *)(c + i);
        for (int l = 0; l < 4; l++) {
            most = c[i + l] > most ? c[i + l] : most;
            least = c[i + l] < least ? c[i + l] : least;
        }
    }
    for (; i < size; i++) {
        total += c[i];
        most = c[i] > most ? c[i] : most;
        least = c[i] < least ? c[i] : least;
    }
    total += sum[0] + sum[1] + sum[2] + sum[3];
    for (int d = 0; d < n; d++) trace += c[(size_t)d * n + d];
    report_ms(start);
    apl_print(total, most, least, trace);
    apl_vector(c, 5);
    apl_vector(c + (size_t)(n - 1) * n, 5);
    return 0;
}
