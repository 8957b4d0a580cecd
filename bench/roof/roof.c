/* What this machine reaches: a copy of doubles between arrays that no cache
 * holds, in GB/s as STREAM counts (bytes read plus bytes written), and fused
 * multiply-adds in registers, in Gflop/s. Prints "copy_gbs: X" and "gflops: Y",
 * the best of several rounds. With -fopenmp, of all threads together. */
#include "../c/apl_out.h"

enum { N = 1 << 24, ROUNDS = 8, CHAINS = 12 };

typedef double v8 __attribute__((vector_size(64)));
#ifdef __AVX512F__
typedef v8 lanes;
#else
typedef v4 lanes;
#endif

static double copy_gbs(double *restrict to, const double *restrict from) {
    double start = now_ms();
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < N; i++) to[i] = from[i];
    return 16.0 * N / (now_ms() - start) * 1e-6;
}

/* One thread's multiply-adds; the result keeps them alive. */
static double chains(int64_t times) {
    lanes x[CHAINS], a = (lanes){0} + 0.999999, b = (lanes){0} + 1e-6;
    double sum = 0;
    for (int c = 0; c < CHAINS; c++) x[c] = (lanes){0} + c;
    for (int64_t i = 0; i < times; i++)
#pragma GCC unroll 12
        for (int c = 0; c < CHAINS; c++) x[c] = x[c] * a + b;
    for (int c = 0; c < CHAINS; c++) sum += x[c][0];
    return sum;
}

static double gflops(double *kept) {
    const int64_t times = 4000000;
    double flop = 0, sum = 0, start = now_ms();
#pragma omp parallel reduction(+ : flop, sum)
    {
        sum += chains(times);
        flop += 2.0 * CHAINS * (sizeof(lanes) / sizeof(double)) * (double)times;
    }
    double ms = now_ms() - start;
    *kept += sum;
    return flop / ms * 1e-6;
}

int main(void) {
    double *to = array_of(N, sizeof *to), *from = array_of(N, sizeof *from);
    double copy = 0, flops = 0, kept = 0;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < N; i++) from[i] = (double)i, to[i] = 0;
    for (int r = 0; r < ROUNDS; r++) {
        double c = copy_gbs(to, from), f = gflops(&kept);
        copy = c > copy ? c : copy;
        flops = f > flops ? f : flops;
    }
    if (kept < 0 || to[N - 1] != N - 1) return 1;
    printf("copy_gbs: %.2f\ngflops: %.2f\n", copy, flops);
    return 0;
}
