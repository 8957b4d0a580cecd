/* Twin of testdata/programs/sobolpi.apl. Arguments: n.
 * Timed: the whole computation, every point by the loop over 30 bits, as the
 * program asks, without branches and with the points as the vector axis.
 * (Gray codes split at powers of two, so that a block of points is one
 * exclusive or of its first point with a table; that takes a third of the
 * time. The twin of the pricer does it.) */
#include "apl_out.h"
#include "sobol.h"

enum { VECTORS = 3, BLOCK = 8 * VECTORS };

typedef uint32_t u8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));

/* The first count of the points first … first+BLOCK-1. The bits are taken
 * from the highest down, each in the sign position in turn. */
static inline int32_t hits_in(uint32_t first, int count) {
    u8 gray[VECTORS], u[VECTORS], v[VECTORS];
    const u8 iota = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int l = 0; l < VECTORS; l++) {
        u8 i = iota + (first + 8 * (uint32_t)l);
        gray[l] = (i ^ (i >> 1)) << (32 - SOBOL_BITS);
        u[l] = v[l] = (u8){0};
    }
    for (int k = SOBOL_BITS - 1; k >= 0; k--)
#pragma GCC unroll 3
        for (int l = 0; l < VECTORS; l++) {
            u8 mask = (u8)((i8)gray[l] >> 31);
            u[l] ^= mask & sobol_dirs[0][k];
            v[l] ^= mask & sobol_dirs[1][k];
            gray[l] += gray[l];
        }
    int32_t x[BLOCK], y[BLOCK], hits = 0;
    memcpy(x, u, sizeof x);
    memcpy(y, v, sizeof y);
    for (int j = 0; j < count; j++)
        hits += (double)x[j] * x[j] + (double)y[j] * y[j] <= 1152921504606846976.0; /* 2*60 */
    return hits;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 1000), hits = 0;
    double start = now_ms();
#pragma omp parallel for schedule(static) reduction(+ : hits)
    for (int64_t i = 0; i < n; i += BLOCK)
        hits += n - i < BLOCK ? hits_in((uint32_t)i + 1, (int)(n - i))
                              : hits_in((uint32_t)i + 1, BLOCK);
    report_ms(start);
    apl_print((double)hits, 4 * ((double)hits / (double)n));
    double x[5], y[5];
    for (int k = 0; k < 5; k++) x[k] = sobol_at(0, (uint32_t)k + 1), y[k] = sobol_at(1, (uint32_t)k + 1);
    apl_vector(x, 5);
    apl_vector(y, 5);
    return 0;
}
