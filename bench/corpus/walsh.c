/* Twin of walsh.apl. Arguments: n. In place, in 32 bits: the same butterflies in another order. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = (int64_t)1 << size_arg(argc, argv, 1, 6);
    double start = now_ms();
    int32_t *a = array_of((size_t)n, 4);
    for (int64_t i = 1; i <= n; i++) a[i - 1] = 1 - 2 * ((i * i % 1009) / 3 & 1);
    for (int64_t h = 1; h < n; h *= 2)
        for (int64_t i = 0; i < n; i += 2 * h)
            for (int64_t j = i; j < i + h; j++) {
                int32_t x = a[j], y = a[j + h];
                a[j] = x + y;
                a[j + h] = x - y;
            }
    int64_t sum = 0, at = 0;
    int32_t most = INT32_MIN, least = INT32_MAX;
    for (int64_t i = 0; i < n; i++) {
        sum += abs(a[i]);
        if (a[i] > most) most = a[i], at = i + 1;
        least = a[i] < least ? a[i] : least;
    }
    report_ms(start);
    apl_print(most, least, (double)at, (double)sum, a[0], a[1], a[2]);
    return 0;
}
