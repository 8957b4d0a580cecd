/* Twin of testdata/programs/montecarlo.apl. Arguments: n.
 * Timed: the whole computation. The generator is that of Tailor, SplitMix64,
 * so that the answers are the same; draws are made by their places, so that
 * both loops are vector code, and nothing is stored. */
#include "apl_out.h"

#define STEP 0x9E3779B97F4A7C15u

static inline uint64_t hash(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Between 0 and 1, by way of a double between 2^52 and 2^53. */
static inline double unit(uint64_t bits) {
    double x;
    bits = bits >> 12 | 0x4330000000000000u;
    memcpy(&x, &bits, sizeof x);
    return (x - 0x1p52 + 0.5) * 0x1p-52;
}

/* 0 … 5: the high half of the product with 6. */
static inline uint64_t face(uint64_t bits) {
    return ((bits >> 32) * 6 + ((bits & 0xFFFFFFFFu) * 6 >> 32)) >> 32;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 1000), inside = 0, seven = 0;
    double start = now_ms();
    const uint64_t x0 = 16807 + STEP, y0 = x0 + (uint64_t)n * STEP, p0 = y0 + (uint64_t)n * STEP, q0 = p0 + (uint64_t)n * STEP;
#pragma omp parallel for schedule(static) reduction(+ : inside)
    for (int64_t i = 0; i < n; i++) {
        uint64_t at = (uint64_t)i * STEP;
        double x = unit(hash(x0 + at)), y = unit(hash(y0 + at));
        inside += x * x + y * y <= 1;
    }
#pragma omp parallel for schedule(static) reduction(+ : seven)
    for (int64_t i = 0; i < n; i++) {
        uint64_t at = (uint64_t)i * STEP;
        seven += face(hash(p0 + at)) + face(hash(q0 + at)) == 5;
    }
    report_ms(start);
    apl_print((double)inside, 4 * ((double)inside / (double)n));
    apl_print((double)seven, (double)seven / (double)n);
    return 0;
}
