/* Twin of testdata/programs/prefix.apl. Arguments: n.
 * Timed: the whole computation. The numbers are made and scanned in one pass;
 * with threads, each sums its part first and scans it afterwards. The sums
 * are exact, so their order does not matter. */
#include "apl_out.h"
#ifdef _OPENMP
#include <omp.h>
#endif

static inline double element(uint32_t i) { return ((int32_t)(37 * i % 1000) - 500) * 0.125; }

static double part_sum(int64_t from, int64_t to) {
    int64_t sum = 0;
    for (int64_t b = from; b < to; b += 4096) {
        int32_t s = 0, end = (int32_t)(b + 4096 < to ? b + 4096 : to);
        for (int32_t i = (int32_t)b; i < end; i++) s += (int32_t)(37 * (uint32_t)(i + 1) % 1000) - 500;
        sum += s;
    }
    return (double)sum * 0.125;
}

enum { BLOCK = 1024 };

/* Scans elements from … to-1 into y, starting from carry, and keeps the
 * largest and the least. */
static void part_scan(double *y, int64_t from, int64_t to, double carry, double *most, double *least) {
    const v4 zero = {0};
    v4 run = {carry, carry, carry, carry};
    double hi[4], lo[4];
    for (int l = 0; l < 4; l++) hi[l] = *most, lo[l] = *least;
    for (int64_t b = from; b < to; b += BLOCK) {
        double x[BLOCK] __attribute__((aligned(32)));
        int count = to - b < BLOCK ? (int)(to - b) : BLOCK, k = 0;
        for (int i = 0; i < BLOCK; i++) x[i] = element((uint32_t)(b + i + 1));
        for (; k + 4 <= count; k += 4) {
            v4 v = *(v4 *)(x + k);
            v += __builtin_shufflevector(zero, v, 0, 4, 5, 6);
            v += __builtin_shufflevector(zero, v, 0, 0, 4, 5);
            v += run;
            run = __builtin_shufflevector(v, v, 3, 3, 3, 3);
            *(v4u *)(y + b + k) = v;
            for (int l = 0; l < 4; l++) {
                hi[l] = v[l] > hi[l] ? v[l] : hi[l];
                lo[l] = v[l] < lo[l] ? v[l] : lo[l];
            }
        }
        for (; k < count; k++) {
            run += (v4){x[k], x[k], x[k], x[k]};
            y[b + k] = run[0];
            hi[0] = run[0] > hi[0] ? run[0] : hi[0];
            lo[0] = run[0] < lo[0] ? run[0] : lo[0];
        }
    }
    for (int l = 0; l < 4; l++) {
        *most = hi[l] > *most ? hi[l] : *most;
        *least = lo[l] < *least ? lo[l] : *least;
    }
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 1000);
    double start = now_ms();
    double *y = array_of((size_t)n, sizeof *y);
    double most = -INFINITY, least = INFINITY;
#ifdef _OPENMP
    int parts = omp_get_max_threads();
    double *sums = array_of((size_t)parts, sizeof *sums);
#pragma omp parallel reduction(max : most) reduction(min : least)
    {
        int me = omp_get_thread_num();
        int64_t from = n * me / parts, to = n * (me + 1) / parts;
        sums[me] = me + 1 < parts ? part_sum(from, to) : 0;
#pragma omp barrier
        double carry = 0;
        for (int p = 0; p < me; p++) carry += sums[p];
        part_scan(y, from, to, carry, &most, &least);
    }
#else
    (void)part_sum;
    part_scan(y, 0, n, 0, &most, &least);
#endif
    report_ms(start);
    double fifths[5];
    for (int k = 0; k < 5; k++) fifths[k] = y[n / 5 * (k + 1) - 1];
    apl_print(most, least, (double)n);
    apl_vector(fifths, 5);
    return 0;
}
