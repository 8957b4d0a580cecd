/* Twin of testdata/programs/sums.apl. Arguments: n.
 * Timed: the whole computation. The vectors are made twice, in blocks, because
 * the variance needs the mean; they are never stored. All but the variance is
 * exact in integers. */
#include "apl_out.h"

enum { BLOCK = 2048 };

static inline int32_t xof(int32_t i) { return (int32_t)(3 * (uint32_t)i % 1009) - 400; }
static inline int32_t yof(int32_t i) { return (int32_t)(5 * (uint32_t)i % 997) - 498; }

int main(int argc, char **argv) {
    int32_t n = (int32_t)size_arg(argc, argv, 1, 1000);
    double start = now_ms();
    int64_t sum = 0, dot = 0, above = 0;
    int32_t most = -1000, least = 1000;
    double squares = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, dot, above) reduction(max : most) \
    reduction(min : least)
    for (int32_t b = 0; b < n; b += BLOCK) {
        int32_t end = n - b < BLOCK ? n : b + BLOCK, s = 0, d = 0, a = 0, hi = -1000, lo = 1000;
        for (int32_t i = b + 1; i <= end; i++) {
            int32_t x = xof(i), y = yof(i);
            s += x;
            d += x * y;
            a += 2 * x > y;
            hi = x > hi ? x : hi;
            lo = y < lo ? y : lo;
        }
        sum += s, dot += d, above += a;
        most = hi > most ? hi : most;
        least = lo < least ? lo : least;
    }
    double total = (double)sum / 8, mean = total / n;
#pragma omp parallel for schedule(static) reduction(+ : squares)
    for (int32_t b = 0; b < n; b += BLOCK) {
        double part[16] = {0};
        int32_t i = b + 1, end = n - b < BLOCK ? n : b + BLOCK;
        for (; i + 15 <= end; i += 16)
            for (int k = 0; k < 16; k++) {
                double d = xof(i + k) * 0.125 - mean;
                part[k] += d * d;
            }
        for (; i <= end; i++) part[0] += (xof(i) * 0.125 - mean) * (xof(i) * 0.125 - mean);
        for (int k = 0; k < 16; k++) squares += part[k];
    }
    report_ms(start);
    apl_print(apl_round(6, total), apl_round(6, (double)dot / 128 / n), apl_round(6, mean),
              apl_round(6, squares / n));
    apl_print(most * 0.125, least * 0.0625, (double)above);
    return 0;
}
