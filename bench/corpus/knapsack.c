/* Twin of knapsack.apl. Arguments: n, capacity. Best values in 32 bits, in place from the top. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 12), cap = size_arg(argc, argv, 2, 100);
    double start = now_ms();
    int32_t *a = array_of((size_t)cap + 1, 4), *b = array_of((size_t)cap + 1, 4);
    memset(a, 0, (size_t)(cap + 1) * 4);
    for (int64_t i = 1; i <= n; i++) {
        int32_t w = (int32_t)(1 + 13 * i % 97), v = (int32_t)(1 + 29 * i % 89);
        int64_t k = w < cap + 1 ? w : cap + 1;
        memcpy(b, a, (size_t)k * 4);
        for (int64_t c = k; c <= cap; c++) {
            int32_t with = a[c - w] + v;
            b[c] = a[c] > with ? a[c] : with;
        }
        int32_t *t = a;
        a = b, b = t;
    }
    int64_t sum = 0;
    int32_t most = 0;
    for (int64_t c = 0; c <= cap; c++) {
        sum += a[c];
        most = a[c] > most ? a[c] : most;
    }
    report_ms(start);
    apl_print((double)most, (double)sum, (double)a[cap / 2]);
    return 0;
}
