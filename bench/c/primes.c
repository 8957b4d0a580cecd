/* Twin of testdata/programs/primes.apl. Arguments: n.
 * Timed: the whole computation. The full table of remainders is evaluated,
 * as the program asks, in registers: for numbers below 2^24 a divides b
 * exactly when round(b × 1/a) × a = b in single precision. */
#include "apl_out.h"

enum { BLOCK = 64 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    int m = (int)n - 1, padded = (m + BLOCK - 1) / BLOCK * BLOCK;
    float *inverse = array_of((size_t)padded, sizeof *inverse);
    int32_t *divisors = array_of((size_t)padded, sizeof *divisors);
    for (int i = 0; i < m; i++) inverse[i] = 1.0f / (float)(i + 2);
    const float magic = 12582912.0f; /* 1.5 × 2^23: adding it rounds */
#pragma omp parallel for schedule(static)
    for (int b = 0; b < padded; b += BLOCK) {
        float x[BLOCK];
        int32_t count[BLOCK] = {0};
        for (int k = 0; k < BLOCK; k++) x[k] = (float)(b + k + 2);
        for (int i = 0; i < m; i++) {
            float inv = inverse[i], d = (float)(i + 2);
            for (int k = 0; k < BLOCK; k++) {
                float q = (x[k] * inv + magic) - magic;
                count[k] += q * d == x[k];
            }
        }
        memcpy(divisors + b, count, sizeof count);
    }
    int *primes = array_of((size_t)padded, sizeof *primes), found = 0;
    int64_t sum = 0;
    for (int i = 0; i < m; i++)
        if (divisors[i] == 1) {
            primes[found++] = i + 2;
            sum += i + 2;
        }
    report_ms(start);
    apl_print((double)found, (double)sum, found ? primes[found - 1] : 0);
    double first[25];
    for (int i = 0; i < 25; i++) first[i] = i < found ? primes[i] : 0;
    apl_vector(first, 25);
    return 0;
}
