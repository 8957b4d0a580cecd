/* Twin of testdata/programs/sort.apl. Arguments: n.
 * Timed: making the numbers, the grade, the sorted numbers and the checks.
 * A stable radix sort from the least digit, of number and index packed in 64
 * bits; the last pass writes numbers and indices apart. */
#include "apl_out.h"
#ifdef _OPENMP
#include <omp.h>
#endif

enum { DIGITS = 3, BITS = 11, BUCKETS = 1 << BITS };

/* 2147483647|630360016×i; the modulus is 2^31-1, so the parts above and below
 * bit 31 add up. */
static inline uint32_t element(uint64_t i) {
    const uint64_t p = 2147483647;
    uint64_t x = i * 630360016;
    x = (x & p) + (x >> 31);
    x = (x & p) + (x >> 31);
    return (uint32_t)(x >= p ? x - p : x);
}

static inline uint32_t digit(uint64_t pair, int d) {
    return (uint32_t)(pair >> (32 + BITS * d)) & (BUCKETS - 1);
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 1000);
    double start = now_ms();
    int parts = 1;
#ifdef _OPENMP
    parts = omp_get_max_threads();
#endif
    uint64_t *a = array_of((size_t)n, 8), *b = array_of((size_t)n, 8);
    uint32_t *s = array_of((size_t)n, 4), *g = 0;
    /* place[part][bucket]: where the part's next number of a bucket goes. */
    uint32_t(*place)[BUCKETS] = array_of((size_t)parts, sizeof *place);
    int ordered = 1;
#pragma omp parallel num_threads(parts) reduction(& : ordered)
    {
        int me = 0;
#ifdef _OPENMP
        me = omp_get_thread_num();
#endif
        int64_t from = n * me / parts, to = n * (me + 1) / parts;
        for (int64_t i = from; i < to; i++)
            a[i] = (uint64_t)element((uint64_t)i + 1) << 32 | (uint64_t)(i + 1);
        uint64_t *in = a, *out = b;
        for (int d = 0; d < DIGITS; d++) {
            uint32_t *mine = place[me];
            memset(mine, 0, sizeof place[me]);
            for (int64_t i = from; i < to; i++) mine[digit(in[i], d)]++;
#pragma omp barrier
#pragma omp single
            {
                uint32_t sum = 0;
                for (int k = 0; k < BUCKETS; k++)
                    for (int p = 0; p < parts; p++) {
                        uint32_t count = place[p][k];
                        place[p][k] = sum;
                        sum += count;
                    }
            }
            if (d < DIGITS - 1)
                for (int64_t i = from; i < to; i++) out[mine[digit(in[i], d)]++] = in[i];
            else
                for (int64_t i = from; i < to; i++) {
                    uint32_t k = mine[digit(in[i], d)]++;
                    s[k] = (uint32_t)(in[i] >> 32);
                    ((uint32_t *)out)[k] = (uint32_t)in[i];
                }
#pragma omp barrier
            uint64_t *t = in;
            in = out, out = t;
        }
#pragma omp single
        g = (uint32_t *)in;
        for (int64_t i = from ? from : 1; i < to; i++) ordered &= s[i] >= s[i - 1];
    }
    report_ms(start);
    double x[5], y[5];
    for (int k = 0; k < 5; k++) {
        x[k] = s[n / 5 * (k + 1) - 1];
        y[k] = g[n / 5 * (k + 1) - 1];
    }
    apl_scalar(ordered);
    apl_vector(x, 5);
    apl_vector(y, 5);
    return 0;
}
